//! Text as the detectors see it: folded for matching, cut into clauses, with what is not speech masked.

pub mod fold;
