//! `-h`: what most users need, on one screen. `--help` has everything.
//!
//! In: the commands as their arguments define them. Out: the same commands, whose short help has only the options of
//! [`SHORT_HELP`], each in a few words. The examples are in the long help.

use crate::arguments::{COLUMN_HEADING, LIST_HEADING, OUTPUT_HEADING, RUN_HEADING};
use clap::{Arg, Command};
use std::ffi::OsString;

/// Commands with so many options that the short help is a selection.
const LONG_COMMANDS: &[&str] = &["extract", "learn", "apply", "check", "repair", "watch"];

/// What a page is, in a few words.
const PAGE_HELP: &str = "URLs, files, folders, patterns, or - for standard input";

/// The options of the short help. Arguments without a name are always shown.
const SHORT_HELP: &[(&str, &str)] = &[
    ("output", "Write to this file; its ending chooses the format (.csv, .jsonl, .xlsx, .sqlite …)"),
    ("format", "Format of the output, if not by the ending of --output"),
    ("fields", "Columns to keep, separated by commas"),
    ("rename", "Rename a column"),
    ("all", "All lists on the page, not only the main one"),
    ("list", "Use the list of this rank"),
    ("near", "Use the list that contains this text"),
    ("select", "Use the list at this CSS selector"),
    ("kind", "What the pages are: lists, or one object each"),
    ("domain", "What the records are (see copal domain list)"),
    ("follow", "Also read the next pages of the list"),
    ("details", "Also read the page of each record, and add its fields"),
    ("url", "URL that a saved page came from"),
    ("urls", "Read the URLs and paths in this file"),
    ("cookies", "Send the cookies of this file, for pages behind a login"),
    ("delay", "Minimum delay between requests to one host"),
    ("dry-run", "Print what would change, and write nothing"),
    ("wrapper", "Read the pages with this wrapper, and check it"),
    ("every", "Keep watching, with this time between the starts of two runs"),
    ("exec", "Run this program when something changed, with the changes as JSON on its standard input"),
    ("changes", "Write the changes to this file"),
    ("quiet", "Print errors only"),
    ("verbose", "Print more; -vv for every request"),
];

/// All commands; those that the arguments name have their short help.
pub(crate) fn with_short_helps(root: Command, arguments: &[OsString]) -> Command {
    let named = LONG_COMMANDS
        .iter()
        .filter(|name| arguments.iter().any(|argument| argument.to_str() == Some(**name)));
    let is_short = arguments.iter().any(|argument| argument == "-h");
    named.fold(root, |root, name| {
        let root = root.mut_subcommand(name, with_short_help);
        if is_short { root.mut_subcommand(name, without_sections) } else { root }
    })
}

fn with_short_help(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let examples = command.get_after_help().cloned().unwrap_or_default();
    let command = command.mut_args(shortened);
    command
        .after_help(format!("copal {name} --help lists all options, with examples"))
        .after_long_help(examples)
}

/// The short help has few options, and needs no sections for them.
fn without_sections(command: Command) -> Command {
    command.mut_args(|argument| match argument.get_help_heading() {
        Some(LIST_HEADING | COLUMN_HEADING | OUTPUT_HEADING | RUN_HEADING) => {
            argument.help_heading(None::<&str>)
        }
        _ => argument,
    })
}

fn shortened(argument: Arg) -> Arg {
    let Some(name) = argument.get_long().map(str::to_owned) else {
        let long = argument.get_help().cloned().unwrap_or_default();
        let is_page = argument.get_id() == "pages";
        return if is_page { argument.help(PAGE_HELP).long_help(long) } else { argument };
    };
    let Some((_, text)) = SHORT_HELP.iter().find(|(known, _)| *known == name) else {
        return argument.hide_short_help(true);
    };
    let long = argument.get_long_help().or_else(|| argument.get_help()).cloned().unwrap_or_default();
    argument.help(*text).long_help(long)
}
