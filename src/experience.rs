//! The experience home.

mod outline;
mod patterns;
