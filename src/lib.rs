//! Afterword writes down what a session with an AI agent taught.
//!
//! The modules stand in reading order: what comes in, how it is understood, what goes out.

pub mod error;
pub mod memory;
pub mod reconcile;
pub mod store;
pub mod text;
pub mod transcript;
