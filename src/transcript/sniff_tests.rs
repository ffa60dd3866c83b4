//! Tests of sniff.
