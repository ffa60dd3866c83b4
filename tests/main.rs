//! Every test that runs the binary or looks at the whole: one integration binary, one folder for each kind of test.
//!
//! Unit tests stand beside the code they test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::string_slice, clippy::print_stdout, clippy::print_stderr)]

/// What tests share: a folder of their own to run the binary in, made-up sessions, snapshots, secrets.
mod support {
    pub(crate) mod hooks;
    pub(crate) mod sandbox;
    pub(crate) mod secrets;
    pub(crate) mod sessions;
    pub(crate) mod snapshot;
    pub(crate) mod tree;
}

/// Each command as it is typed: what it prints, what it writes, how it ends.
mod cli {
    mod archive;
    mod consolidate;
    mod demo;
    mod experience;
    mod extract;
    mod failures;
    mod help;
    mod memories;
    mod output;
    mod report;
    mod review;
    mod rules;
    mod search;
    mod trace;
    mod try_stage;
    mod write;
}

/// Fixtures in, snapshots out: a folder of snapshots for each stage.
mod golden {
    mod stages;
}

/// Hooks as hosts call them: silent, killed, at once, and what comes of them.
mod hook {
    mod hosts;
    mod killed;
    mod recall;
    mod silence;
    mod upkeep;
}

/// The store seen from outside: again, in another order, by hand, at once, killed.
mod store {
    mod again;
    mod by_hand;
    mod crash;
    mod in_time;
    mod race;
    mod reflexio;
}

/// Search: what is found, what is not, and what an index may never change.
mod search {
    mod index;
    mod labelled;
    mod quality;
    mod store;
}

/// The tools for agents, called by a client of the official SDK.
mod mcp {
    mod tools;
}

/// The page: what it holds, and how it behaves in a real browser.
mod page {
    #[cfg(unix)]
    mod chromium;
    pub(crate) mod html;
    #[cfg(unix)]
    mod in_browser;
    pub(crate) mod stores;
}

/// Hosts: switched on, looked at, given back.
mod install {
    mod doctor;
    mod switch;
}

/// Everything on the machine: found, in time, again, killed, at once.
mod replay {
    mod again;
    mod borders;
    mod copies;
    mod crash;
    mod finding;
    mod sessions;
}

/// The experience home over many sessions.
mod experience {
    mod home;
    mod promises;
    mod recurrence;
    mod signals;
}

/// The rules that are built in.
mod rules {
    mod builtin;
}

/// What holds for any input.
mod laws {
    mod learning;
    mod text;
}

/// The house rules that a machine can check.
mod tidy {
    mod readme;
    mod snapshots;
    mod source;
    mod tree;
}

/// Real clients with our hook, where they are installed; elsewhere these tests say so and pass.
mod clients {
    #[cfg(unix)]
    mod recall;
    #[cfg(unix)]
    mod sessions;
}

/// Transcripts that lie beside the checkout; where they are not, these tests say so and pass.
mod corpus {
    mod counts;
    mod shared;
}
