//! The experience home.

pub mod corrections;
mod domain;
mod feed;
pub mod folder;
mod hear;
pub mod home;
pub mod index;
pub mod lesson;
mod outline;
pub mod page;
pub mod patterns;
pub mod plan;
pub mod sync;
pub mod tiers;
#[cfg(test)]
#[path = "experience/year_tests.rs"]
mod year_tests;

pub use feed::feed;
pub use hear::{Citation, Forget, Heard, Noted, Taught, hear};
pub use home::{Change, Home};
