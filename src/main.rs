//! The binary: parse, run, exit code.

use std::process::ExitCode;

use afterword::cli;
use clap::Parser;

fn main() -> ExitCode {
    match cli::args::Args::try_parse() {
        Ok(args) => cli::run(args),
        Err(error) => cli::misunderstood(&error),
    }
}
