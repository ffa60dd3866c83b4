//! Tests of copies.
