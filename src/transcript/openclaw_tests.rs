//! Tests of openclaw.
