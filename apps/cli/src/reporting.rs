//! Messages on standard error, and texts that are safe to print.

use crate::error::CliError;
use copal::{Answer, Limit};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Minimum number of pages for which a progress bar is shown.
const MIN_PAGES_FOR_BAR: usize = 20;

/// Prints `error: …`, and `hint: …` on the next line if there is advice.
pub(crate) fn error(error: &CliError) {
    if matches!(error, CliError::OutputClosed) {
        return;
    }
    print_message("error", "31", error);
    if let Some(advice) = error.hint() {
        hint(advice);
    }
}

/// Prints `warning: …`.
pub(crate) fn warning(message: impl Display) {
    print_message("warning", "33", message);
}

/// Prints `hint: …`.
pub(crate) fn hint(message: impl Display) {
    print_message("hint", "36", message);
}

fn print_message(word: &str, colour: &str, message: impl Display) {
    let message = printable(&message.to_string());
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || !io::stderr().is_terminal();
    if is_plain {
        eprintln!("{word}: {message}");
    } else {
        eprintln!("\u{1b}[{colour}m{word}\u{1b}[0m: {message}");
    }
}

/// Replaces control characters. File names and texts of pages are untrusted, and must not control the
/// terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// `1 page`, `2 pages`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Writes to standard output and flushes it.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| CliError::writing(&error, "standard output"))
}

/// The warnings of an answer. Limits name the option that raises them.
pub(crate) fn answer_warnings(name: &str, answer: &Answer) {
    for message in &answer.warnings {
        match message.limit().filter(|limit| *limit != Limit::Work) {
            Some(limit) => {
                warning(format_args!("{name}: {message} (raise with --limit-{})", limit.name()));
            }
            None => warning(format_args!("{name}: {message}")),
        }
    }
}

/// The reasons for an answer, on standard error.
pub(crate) fn explanation(name: &str, answer: &Answer) {
    let Some(explanation) = &answer.explanation else { return };
    eprintln!("{}: why", printable(name));
    for reason in &explanation.reasons {
        eprintln!("  {}  {}", printable(&reason.about), printable(&reason.text));
    }
    for reading in &explanation.readings {
        let what = match (reading.label, reading.old) {
            (true, _) => " label",
            (_, true) => " crossed out",
            _ => "",
        };
        let (kind, by, text) = (printable(&reading.attribute), reading.by, printable(&reading.text));
        eprintln!("  {kind}{what} ({by}): {text}  {}", printable(&reading.xpath));
    }
}

/// A progress bar on a terminal; hidden if there are few pages.
pub(crate) fn progress_bar(pages: usize, quiet: bool) -> ProgressBar {
    if quiet || pages < MIN_PAGES_FOR_BAR || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, {eta} left");
    ProgressBar::new(pages as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
