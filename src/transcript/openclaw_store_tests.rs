//! Tests of openclaw_store.
