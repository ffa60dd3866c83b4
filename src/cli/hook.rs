//! `hook`: what a host calls when a session ends.
//!
//! It reads the payload, adds a note to the spool, starts the worker in a session of its own and ends, in a few
//! milliseconds: no rule is compiled and no transcript looked at here. Whatever goes wrong, it succeeds and prints
//! nothing: a host may take the output for content and an exit code for a refusal (2 keeps Claude Code from compacting).
//!
//! Before a message, where the person asked for that, it prints what is remembered that fits (`recall`), and does nothing
//! else.

mod learn;
mod payload;
mod recall;
mod upkeep;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, Stdio};

use chrono::Utc;

use super::args::{Args, Hook};
use super::report::Outcome;
use super::settings::{Settings, places};
use crate::error::{Error, ErrorKind, Result};
use crate::host::{self, Note, Places, Prompt};
use crate::redact::Redactor;
use crate::rules::Rules;
use crate::spool::{self, Spool};
use crate::transcript::Host;

/// How much the worker steps back for others: on a busy machine it gets a third of what they do.
#[cfg(unix)]
const NICENESS: i32 = 5;

pub(super) fn run(command: &Hook, args: &Args) -> Result<Outcome> {
    let named = command.host.as_deref();
    if !command.work && named.and_then(host::hooked).is_none() && !is_of_a_host() {
        // A person typed this, and is told what a host is not.
        let hosts = host::HOOKED.map(Host::name).join(", ");
        return Err(Error::new(ErrorKind::Usage, format!("whose hook is it? One of {hosts} is expected")));
    }
    std::panic::set_hook(Box::new(|_| {}));
    let run = || if command.work { be_the_worker(args) } else { take_note(command, args) };
    // Nobody is there to be told; the log has it where there can be one.
    let _ = catch_unwind(AssertUnwindSafe(run));
    Ok(Outcome::Done)
}

/// Whether `hook` was called, and not by a person at a terminal.
pub(super) fn is_of_a_host() -> bool {
    std::env::args_os().nth(1).is_some_and(|first| first == "hook") && !io::stdin().is_terminal()
}

/// Adds the note and starts a worker.
fn take_note(command: &Hook, args: &Args) {
    let Some(places) = places() else {
        return;
    };
    let now = Utc::now();
    let state = whole(places.state());
    let spool = Spool::at(&state);
    let named = command.host.as_deref().unwrap_or_default();
    let Some(host) = host::hooked(named) else {
        spool.log(now, &format!("hook: {named:?} is no host that is known"));
        return;
    };
    let payload = payload::payload(&command.payload);
    if let Some(prompt) = Prompt::of(host, &payload) {
        if let Some(told) = recall::recall(prompt, &places, &state) {
            // A host that does not listen any more has lost nothing.
            let _ = writeln!(io::stdout(), "{told}");
        }
        return;
    }
    let Some(note) = Note::of(host, &payload, &places, now) else {
        return;
    };
    let store = places.var("AFTERWORD_STORE").map(|store| whole(store.into()));
    let note = Note { store: store.filter(|store| store.to_str().is_some()), ..note };
    let done = spool.add(&note).and_then(|()| start_worker(&places, &state, args.rules.as_deref()));
    if let Err(error) = done {
        spool.log(now, &format!("{named} {}: {error}", note.event));
    }
}

/// Starts this program as the worker, where neither the end of the host nor of its process group reaches it.
fn start_worker(places: &Places, state: &Path, rules: Option<&Path>) -> Result<()> {
    let program = std::env::current_exe().map_err(|e| Error::io("find this program", Path::new("afterword"), e))?;
    let mut worker = Command::new(&program);
    worker.args(["hook", "--work"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Where it runs it keeps no folder of a project busy; so what was relative is so no more.
    worker.current_dir(if places.home.is_dir() { &places.home } else { Path::new("/") }).env("AFTERWORD_STATE", state);
    if let Some(rules) = rules {
        worker.env("AFTERWORD_RULES", whole(rules.to_path_buf()));
    }
    #[cfg(unix)]
    {
        // Not allowed to the leader of a group, which a host that starts its hooks detached makes us: then the group
        // is ours already, and the one below is apart from it.
        let _ = rustix::process::setsid();
        std::os::unix::process::CommandExt::process_group(&mut worker, 0);
    }
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x8;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(&mut worker, DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
    }
    worker.spawn().map(drop).map_err(|e| Error::io("start the worker", &program, e))
}

fn be_the_worker(args: &Args) {
    let Some(places) = places() else {
        return;
    };
    // The host, and whatever the person does next, comes first.
    #[cfg(unix)]
    let _ = rustix::process::nice(NICENESS);
    let spool = Spool::at(&places.state());
    let mut settings: Option<Settings> = None;
    let mut stores = BTreeSet::new();
    let worked = spool::work(&spool, &places, Utc::now, |job| {
        // Most workers find nothing to read, and need no rules.
        let settings = match &mut settings {
            Some(settings) => settings,
            none => none.insert(Settings::resolve(args).map_err(|error| error.to_string())?),
        };
        learn::learn(job, &places, (&settings.rules, settings.redactor), &mut stores)
    });
    upkeep::upkeep(&spool, &stores, Redactor::builtin(), Utc::now());
    if let Err(error) = worked {
        spool.log(Utc::now(), &format!("worker: {error}"));
    }
}

/// Works off what hooks left in the spool, for a command that has the rules at hand. Returns at once if a worker is at
/// it.
///
/// # Errors
/// If the spool cannot be read or written.
pub(super) fn work_off(places: &Places, rules: &Rules, redactor: &'static Redactor) -> Result<()> {
    let spool = Spool::at(&whole(places.state()));
    spool::work(&spool, places, Utc::now, |job| learn::learn(job, places, (rules, redactor), &mut BTreeSet::new()))
}

/// A path that means the same from every folder.
fn whole(path: PathBuf) -> PathBuf {
    absolute(&path).unwrap_or(path)
}
