//! How a run ended, and how to say it.

use copal::Answer;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// How a run, or one page of it, ended. The order is the order of badness: the worst of a run wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Done,
    NothingFound,
    /// Something is not as it was.
    Changed,
    Partial,
    Unreadable,
    Usage,
}

impl Outcome {
    pub(crate) fn number(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::NothingFound => 1,
            Outcome::Usage => 2,
            Outcome::Unreadable => 3,
            Outcome::Partial => 4,
            Outcome::Changed => 5,
        }
    }

    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::NothingFound => "nothing found",
            Outcome::Usage => "wrong usage",
            Outcome::Unreadable => "some pages unreadable",
            Outcome::Partial => "partial",
            Outcome::Changed => "changed",
        }
    }
}

/// `error: …` on stderr, in red on a terminal unless `NO_COLOR` is set.
pub(crate) fn error(message: impl Display) {
    say("error", "31", message);
}

/// `warning: …` on stderr.
pub(crate) fn warning(message: impl Display) {
    say("warning", "33", message);
}

fn say(word: &str, colour: &str, message: impl Display) {
    let message = printable(&message.to_string());
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || !io::stderr().is_terminal();
    if plain {
        eprintln!("{word}: {message}");
    } else {
        eprintln!("\u{1b}[{colour}m{word}\u{1b}[0m: {message}");
    }
}

/// Names of files and texts of pages are not ours: none of their control characters reaches the terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// `1 page`, `2 pages`.
pub(crate) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What the system says, in our words where it is often seen.
pub(crate) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        // these say already what was expected
        _ if error.raw_os_error().is_none() => error.to_string(),
        io::ErrorKind::NotFound => "no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on the device".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        _ => error.to_string(),
    }
}

/// Writes to standard output, at once.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// The end of a run whose output could not be written; a reader that went away (`copal … | head`) is no error.
pub(crate) fn write_failed(error: &io::Error, target: &str) -> Outcome {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Outcome::Done;
    }
    self::error(format_args!("cannot write {target}: {}", in_words(error)));
    Outcome::Unreadable
}

/// Why a page's answer is what it is, on standard error.
pub(crate) fn explain(name: &str, extraction: &Answer) {
    let Some(explanation) = &extraction.explanation else { return };
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
