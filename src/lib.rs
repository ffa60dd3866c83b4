//! Afterword writes down what a session with an AI agent taught.
//!
//! The modules stand in reading order: the command line calls the [`pipeline`], which shows the whole journey;
//! then what comes in, how it is understood, what goes out.

pub mod cli;
pub mod pipeline;
pub mod replay;

pub mod transcript;

pub mod detect;
pub mod episode;

pub mod compose;
pub mod redact;

pub mod reconcile;
pub mod search;
pub mod store;

pub mod dictate;
pub mod digest;
pub mod explain;
pub mod mcp;
pub mod page;

pub mod host;
pub mod install;
pub mod review;
pub mod spool;

pub mod experience;

mod disk;
pub mod error;
pub mod memory;
pub mod rules;
pub mod text;
