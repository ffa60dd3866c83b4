//! The command line: the only place that prints and that reads the environment.
//!
//! What was typed ([`args`]) is kept apart from what it means (`settings`); each command is one thin file.

mod amended;
mod archive;
pub mod args;
mod ask;
mod consolidate;
mod demo;
mod digest;
mod doctor;
mod experience;
mod extract;
mod forget;
mod history;
mod hook;
mod install;
mod list;
mod mcp;
mod page;
mod replay;
pub mod report;
mod review;
mod rule_commands;
mod search;
mod settings;
mod show;
mod stats;
mod sweep;
mod sync;
mod trace;
mod try_stage;
mod undo;
mod why;
mod write;

use std::process::ExitCode;

use args::{Args, Command};
use chrono::Utc;
use report::{Outcome, Report};
use settings::Settings;

use crate::error::Result;

/// Runs the command that was typed and returns the exit code: 0 done, 1 done with problems, 2 nothing could be done.
#[must_use]
pub fn run(args: Args) -> ExitCode {
    let mut report = Report::new(args.format, args.color);
    let outcome = dispatch(args, &mut report);
    report.finish(outcome)
}

/// Says what is wrong with the arguments, or gives the help that was asked for. A host's hook never fails, and says
/// nothing.
#[must_use]
pub fn misunderstood(error: &clap::Error) -> ExitCode {
    if hook::is_of_a_host() && error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    // Nobody is left to tell.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn dispatch(args: Args, report: &mut Report) -> Result<Outcome> {
    let settings = || Settings::resolve(&args);
    match &args.command {
        Command::Extract(command) => extract::run(command, settings, report),
        // Without settings: the host must not wait until the rules are compiled.
        Command::Hook(command) => hook::run(command, &args),
        Command::List(command) => list::run(command, report),
        Command::Show(command) => show::run(command, report),
        Command::Why(command) => why::run(command, report),
        Command::History(command) => history::run(command, report),
        Command::Undo(command) => undo::run(command, report),
        Command::Forget(command) => forget::run(command, report),
        Command::Sweep(command) => sweep::run(command, report),
        // Without settings as well: a search needs no rules.
        Command::Search(command) => search::run(command, Utc::now().date_naive(), report),
        Command::Mcp(command) => mcp::run(command),
        Command::Trace(command) => trace::run(command, &settings()?, report),
        Command::Try { stage } => try_stage::run(*stage, &settings()?, report),
        Command::Rules { command } => rule_commands::run(command, &settings()?, report),
        Command::Install(command) => install::install(command, &settings::places_at_home()?, report),
        Command::Uninstall(command) => install::uninstall(command, &settings::places_at_home()?, report),
        Command::Doctor(command) => doctor::run(command, &settings::places_at_home()?, report),
        Command::Replay(command) => replay::run(command, &settings()?, report),
        Command::Write { kind } => write::run(kind, report),
        Command::Consolidate(command) => consolidate::run(command, report),
        Command::Review(command) => review::run(command, report),
        Command::Stats(command) => stats::run(command, report),
        Command::Export(command) => archive::export(command, report),
        Command::Import(command) => archive::import(command, report),
        Command::Digest(command) => digest::run(command, report),
        Command::Report(command) => page::run(command, report),
        Command::Experience { command } => experience::run(command, &settings::places_at_home()?, report),
        Command::Sync(command) => sync::sync(command, &settings::places_at_home()?, report),
        Command::Unsync(command) => sync::unsync(command, &settings::places_at_home()?, report),
        Command::Heartbeat(command) => sync::heartbeat(command, &settings::places_at_home()?, report),
        Command::Demo => demo::run(&settings()?, report),
    }
}
