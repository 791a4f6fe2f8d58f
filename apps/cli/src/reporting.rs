//! Messages on standard error, and texts that are safe to print.

use crate::error::CliError;
use crate::outcome::Outcome;
use copal::{Answer, Limit, Page, Warning};
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
        line(format_args!("{word}: {message}"));
    } else {
        line(format_args!("\u{1b}[{colour}m{word}\u{1b}[0m: {message}"));
    }
}

/// Prints a line on standard error. A message that nobody can receive (a full disk, a closed pipe) must not
/// end the run, which still has its output to write; `eprintln!` would panic.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A text without characters that control the terminal, or hide or reorder text: file names and texts of
/// pages are untrusted.
pub(crate) fn printable(text: &str) -> String {
    copal_output::shown_text(text)
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

/// The warnings of an answer, each with the option that helps if there is one.
pub(crate) fn answer_warnings(name: &str, answer: &Answer) {
    for message in &answer.warnings {
        match message {
            // if there are several lists in the answer, they were asked for
            Warning::PossibleList { others, .. } if *others > 0 && answer.regions.len() == 1 => {
                warning(format_args!("{name}: {message}; --all shows {}", count(*others, "other")));
            }
            _ => page_warning(name, message),
        }
    }
}

/// Reports that a page was not read completely, for commands whose output is not about the page itself. The
/// outcome is then partial.
pub(crate) fn partial_page(name: &str, page: &Page, quiet: bool) -> Outcome {
    let mut outcome = Outcome::Done;
    for message in page.warnings.iter().filter(|message| message.is_about_partial_result()) {
        outcome = Outcome::Partial;
        if !quiet {
            page_warning(name, message);
        }
    }
    outcome
}

/// A warning about a page, with the option that helps if there is one.
fn page_warning(name: &str, message: &Warning) {
    match message {
        Warning::Limit(limit) if *limit != Limit::Work => {
            warning(format_args!("{name}: {message} (raise with --limit-{})", limit.name()));
        }
        _ => warning(format_args!("{name}: {message}")),
    }
}

/// The warning that a list may not be the main one, for commands that cannot show the others.
pub(crate) fn possible_list(name: &str, answer: &Answer) {
    for message in &answer.warnings {
        if let Warning::PossibleList { others, .. } = message {
            let advice = match others {
                0 => String::new(),
                _ => format!("; copal extract --all shows {}", count(*others, "other")),
            };
            warning(format_args!("{name}: {message}{advice}"));
        }
    }
}

/// The reasons for an answer, on standard error.
pub(crate) fn explanation(name: &str, answer: &Answer) {
    let Some(explanation) = &answer.explanation else { return };
    line(format_args!("{}: why", printable(name)));
    for reason in &explanation.reasons {
        line(format_args!("  {}  {}", printable(&reason.about), printable(&reason.text)));
    }
    for reading in &explanation.readings {
        let what = match (reading.label, reading.old) {
            (true, _) => " label",
            (_, true) => " crossed out",
            _ => "",
        };
        let (kind, by, text) = (printable(&reading.attribute), reading.by, printable(&reading.text));
        line(format_args!("  {kind}{what} ({by}): {text}  {}", printable(&reading.xpath)));
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
