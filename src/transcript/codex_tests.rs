//! Tests of codex.
