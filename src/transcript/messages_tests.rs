//! Tests of messages.
