//! The experience home.

pub mod corrections;
mod domain;
mod feed;
mod hear;
pub mod home;
pub mod lesson;
mod outline;
pub mod page;
pub mod patterns;
pub mod plan;
pub mod tiers;

pub use feed::feed;
pub use hear::{Citation, Forget, Heard, Noted, Taught, hear};
pub use home::{Change, Home};
