//! Rules: what people say when they correct, confirm or state something, as data in `rules/`.
//!
//! A trigger as written ([`schema`]) is compiled ([`compile`]) into one shared automaton over folded text with
//! guards behind it; [`check`] proves that every example fires and no counter-example does.

pub mod builtin;
pub mod check;
pub mod compile;
mod guard;
mod opening;
pub mod schema;

pub use compile::{Rules, Signal, Trigger};
pub use schema::{Act, After, Position, Side};
