//! The `copal` command: arguments in, tables and files out, one exit code.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 nothing found, 2
//! wrong usage, 3 input unreadable, 4 partial result (a limit was hit), 5 changed. A closed pipe is not an
//! error.

// Printing to a standard error that cannot be written to panics; `reporting::line` does not.
#![warn(clippy::print_stderr)]

mod annotator_process;
mod answering;
mod arguments;
mod build_features;
mod change_feed;
mod cli;
mod commands;
mod config_file;
mod configuration;
mod difference_report;
mod domain_diagnosis;
mod domain_file;
mod error;
#[cfg_attr(not(feature = "fetch"), path = "fetching_disabled.rs")]
mod fetching;
mod grouped_child;
mod handed_over;
mod input_protection;
mod inputs;
mod interrupt_flag;
#[cfg(feature = "fetch")]
mod interrupts;
mod isolation;
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
mod log_file;
mod logging;
mod navigation_finding;
mod nested_output;
mod opened_pipe;
mod outcome;
mod output_plan;
mod output_target;
mod page_patterns;
mod page_pipeline;
mod reporting;
mod saved_stylesheets;
mod short_help;
#[cfg(feature = "fetch")]
mod sitemap;
mod stored_command;
mod usage_errors;
mod worker_process;
mod wrapper_file;
mod wrapper_run;

use clap::error::ErrorKind;
use clap::{Command, CommandFactory, FromArgMatches};
use cli::Cli;
use error::CliError;
use std::any::Any;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

/// Static binaries would be half as fast with the allocator of musl.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The command line with the settings of the configuration files. Commands without settings, services, and
/// `copal config`, which shows them, do not read the files.
fn configured_arguments(root: &Command) -> Result<Vec<OsString>, CliError> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let ignores_files = arguments.iter().any(|argument| argument == "--no-config");
    // the program and the command, which may have two words: domain test
    let (mut definition, mut words) = (root, 1);
    while let Some(command) =
        arguments.get(words).and_then(|name| name.to_str()).and_then(|name| definition.find_subcommand(name))
    {
        (definition, words) = (command, words + 1);
    }
    if words == 1 || arguments.len() <= words || ignores_files {
        return Ok(arguments);
    }
    let has_option = |option: &str| {
        let name = option.trim_start_matches('-');
        definition.get_arguments().any(|argument| argument.get_long() == Some(name))
    };
    // what a user set for the command must not open a service
    if !has_option("--delay") || matches!(definition.get_name(), "serve" | "mcp") {
        return Ok(arguments);
    }
    Ok(configuration::with_settings(arguments, words, &configuration::load()?, has_option))
}

/// Reads the arguments with the definition of one command, and with that of all commands for help and errors.
fn parse(one: Option<Command>, all: Option<Command>, arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let read = |root: Command, arguments: Vec<OsString>| {
        Cli::from_arg_matches(&root.try_get_matches_from(arguments)?).map(Cli::complete)
    };
    match one.map(|root| read(root, arguments.clone())) {
        Some(Ok(cli)) => return Ok(cli),
        Some(Err(error)) if error.kind() == ErrorKind::DisplayVersion && arguments.len() == 2 => {
            return Err(error);
        }
        _ => {}
    }
    let all = all.unwrap_or_else(Cli::command);
    read(short_help::with_short_helps(all, &arguments), arguments)
}

/// True if a thread could not be started, for which the standard library, rayon and tokio only have a panic.
fn has_no_threads(panic: &(dyn Any + Send)) -> bool {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.is_some_and(|text| {
        ["failed to spawn thread", "can't spawn worker thread", "ThreadPoolBuildError"]
            .iter()
            .any(|part| text.contains(part))
    })
}

/// The exit code of Rust programs that panic.
const PANIC_EXIT_CODE: u8 = 101;

fn main() -> ExitCode {
    // A panic is caught and reported as an error of its page, so that the default hook would only repeat it.
    set_hook(Box::new(|info| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value == "full") {
            reporting::line(info);
        }
    }));
    // the definition of all commands takes a while, so it is only made if it is needed
    let invoked = std::env::args_os().nth(1);
    let one = invoked.and_then(|name| cli::definition_of_one(name.to_str()?));
    let all = one.is_none().then(Cli::command);
    let configured = one.as_ref().or(all.as_ref()).map_or_else(|| Ok(Vec::new()), configured_arguments);
    let arguments = match configured {
        Ok(arguments) => arguments,
        Err(error) => {
            reporting::error(&error);
            return ExitCode::from(error.outcome().exit_code());
        }
    };
    let cli = match parse(one, all, arguments) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(usage_errors::report(&error)),
    };
    let done = catch_unwind(AssertUnwindSafe(|| cli.run()));
    // a domain has many small parts, and the process ends here: the system frees them at once
    std::mem::forget(cli);
    match done {
        Ok(Ok(outcome)) => ExitCode::from(outcome.exit_code()),
        Ok(Err(error)) => {
            reporting::error(&error);
            ExitCode::from(error.outcome().exit_code())
        }
        Err(panic) if has_no_threads(panic.as_ref()) => {
            let message = "no more threads can be started: expected a higher limit of processes (ulimit -u, or that of \
                           the container)";
            let error = CliError::unreadable(message);
            reporting::error(&error);
            ExitCode::from(error.outcome().exit_code())
        }
        Err(_) => {
            let message = "internal error: please report it with what RUST_BACKTRACE=full prints";
            reporting::error(&CliError::unreadable(message));
            ExitCode::from(PANIC_EXIT_CODE)
        }
    }
}
