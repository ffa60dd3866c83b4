//! Tests of claude_code.
