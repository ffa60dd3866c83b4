//! Tests of envelope.
