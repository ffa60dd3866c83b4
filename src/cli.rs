//! The command line: the only place that prints and that reads the environment.
//!
//! What was typed ([`args`]) is kept apart from what it means (`settings`); each command is one thin file.

pub mod args;
mod demo;
mod extract;
mod replay;
pub mod report;
mod rule_commands;
mod settings;
mod trace;
mod try_stage;

use std::process::ExitCode;

use args::{Args, Command};
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

fn dispatch(args: Args, report: &mut Report) -> Result<Outcome> {
    let settings = Settings::resolve(&args)?;
    match args.command {
        Command::Extract(command) => extract::run(&command, &settings, report),
        Command::Replay(command) => replay::run(&command, &settings, report),
        Command::Trace(command) => trace::run(&command, &settings, report),
        Command::Try { stage } => try_stage::run(stage, &settings, report),
        Command::Rules { command } => rule_commands::run(&command, &settings, report),
        Command::Demo => demo::run(&settings, report),
    }
}
