//! The `copal` command: arguments in, tables and files out, one exit code.
//!
//! Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input
//! unreadable, 4 a limit was hit and the result is partial, 5 something is not as it was. A closed pipe is no error.

mod apply;
mod args;
mod check;
mod diff;
mod domain;
mod export;
mod extract;
mod inputs;
mod learn;
mod learn_wrapper;
mod net_args;
mod output;
mod pages;
mod repair;
mod report;
mod web;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    // a panic is caught and reported as an error of its page; the default hook's backtrace helps nobody there
    std::panic::set_hook(Box::new(|info| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v == "full") {
            eprintln!("{info}");
        }
    }));
    let cli = Cli::parse();
    let run = || match cli.command {
        Command::Extract(args) => extract::run(&args),
        Command::Domain(args) => domain::run(&args),
        Command::Learn(args) => learn_wrapper::run(&args),
        Command::Apply(args) => apply::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Repair(args) => repair::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Export(args) => export::run(&args),
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(outcome) => ExitCode::from(outcome.number()),
        Err(_) => {
            report::error("internal error: please report it with what RUST_BACKTRACE=full prints");
            ExitCode::from(101)
        }
    }
}
