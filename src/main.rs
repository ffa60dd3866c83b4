//! The binary: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    afterword::cli::run(afterword::cli::args::Args::parse())
}
