//! The experience home, `~/learn-from-experience/`: what recurs across sessions, projects and hosts, kept near in the
//! measure in which it is used, and the person's confirmed preferences synced into the agents' global files.
//!
//! ```text
//! session → hear → feed → settle → folder          memory.md → sync → ### Patterns of CLAUDE.md, AGENTS.md, …
//! ```
//! The home is a value ([`Home`]: pages and a log), and everything that changes it is a pure function of it and of a
//! time; only [`folder`] and [`sync`] touch the disk. It is fed, by `extract`, `replay` and the hooks, only where the person has made it.
//!
//! # The pages
//!
//! | file | holds | limit |
//! |---|---|---|
//! | `memory.md` | HOT: always loaded | 100 lines |
//! | `projects/{name}.md` | what holds in one project; it never leaves it | 200 lines |
//! | `domains/{name}.md` | WARM: what holds everywhere, by kind of work (`general`, `code`, `writing`, `comms`) | 200 lines |
//! | `archive/{project,domain}-{name}.md` | COLD | none |
//! | `corrections.md` | the last corrections; older ones in `archive/corrections.md` | 50 entries |
//! | `reflections.md` | `CONTEXT / REFLECTION / LESSON` blocks of agents | none |
//! | `index.md`, `heartbeat-state.md` | what the program tells about the home | |
//! | `config.toml` | whether global files are synced by themselves ([`mode`]) | |
//! | `.afterword/` | log, journal, lock, record of the sync, backups | |
//!
//! A lesson stands in one of these sections, by its `## ` heading:
//!
//! ```text
//! ## Confirmed Preferences                        what the person agreed to; the only ones that are synced
//!
//! ### pnpm-npm | high <!-- l_1f0c5a6be2 -->       title | priority or confidence; the rule below it
//! Use pnpm, not npm.
//!
//! ## To Confirm                                   taught in three sessions, or contradicts a confirmed one
//!
//! - [ ] [tests] Run the tests first. <!-- l_5be2d40c11 -->      a tick confirms, taking it to Patterns declines
//!
//! ## Patterns                                     tentative
//!
//! - [docs] Write docs for people. <!-- l_c0ffee1234 -->
//!
//! ## Withdrawn                                    in the archive: forgotten, or another took its place
//! ```
//! The comment holds the lesson's id; the words beside it are the person's to change. Without an id a line is theirs
//! alone: it counts (it is synced, and nothing that says the same is put beside it), and never moves. Lines below an
//! entry that are indented go with it. Every other byte of a page stays what it is: a page is never written anew, lines
//! are taken out and put in ([`page`]). A line that a person takes out stays out; where they move it, it stays for as
//! long as if it had been used then.
//!
//! What the published skill promises, sentence by sentence, and the test or command that shows it, stands in
//! `src/experience/promises.md`.
//!
//! # What makes a lesson
//!
//! | in the session | in the home |
//! |---|---|
//! | correction, approved of | Confirmed Preference |
//! | correction, after which the person went on | tentative pattern |
//! | correction that nothing confirmed | `corrections.md` only; it counts |
//! | preference, configuration or constraint that was stated | tentative, and near at once (the skill: "add to memory.md if explicit") |
//! | an agent's reflection | `reflections.md`; a pattern once it is HOT by the numbers below |
//! | "Using X (from projects/foo.md:12)" of an agent | a use |
//!
//! Lessons are one if they say the same in other words ([`crate::reconcile::Rule`]); each session counts once, and so
//! does what stands in several copies of a session. After three sessions a lesson is put to the person ([`word`], and the command `review`). What was taught in a
//! second project holds everywhere. The numbers of [`tiers`] are the seed's; a confirmed preference does not fade, for
//! one that is obeyed is silent. Nothing is ever deleted.
//!
//! Architecture invariant: nothing here judges what a turn means; that is settled when a session is heard.

pub mod archive;
pub mod corrections;
mod domain;
mod feed;
pub mod folder;
mod hear;
pub mod home;
pub mod index;
#[cfg(test)]
#[path = "experience/laws_tests.rs"]
mod laws_tests;
pub mod lesson;
pub mod mode;
mod outline;
pub mod page;
pub mod patterns;
pub mod plan;
pub mod query;
mod rejoin;
pub mod steer;
pub mod sync;
pub mod tiers;
pub mod word;
#[cfg(test)]
#[path = "experience/year_tests.rs"]
mod year_tests;

pub use feed::feed;
pub use hear::{Citation, Forget, Heard, Noted, Taught, hear, page_name};
pub use home::{Change, Home};
