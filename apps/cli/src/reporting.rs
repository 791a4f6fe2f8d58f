//! Messages on standard error, and texts that are safe to print.

use crate::error::CliError;
use crate::outcome::Outcome;
use anstyle::AnsiColor;
use copal::{Answer, Limit, ListSummary, Page, Warning};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

/// Minimum number of pages for which a progress bar is shown.
const MIN_PAGES_FOR_BAR: usize = 20;
/// Work that takes no longer needs no line that says so.
const SPINNER_DELAY: Duration = Duration::from_secs(1);
/// Lists that a hint names.
const MAX_HINTED_LISTS: usize = 3;
/// Time between two frames of a spinner.
const SPINNER_INTERVAL: Duration = Duration::from_millis(120);

/// Messages are JSON objects.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Prints `error: …`, and `hint: …` on the next line if there is advice.
pub(crate) fn error(error: &CliError) {
    if matches!(error, CliError::OutputClosed) {
        return;
    }
    print_message("error", AnsiColor::Red, error);
    if let Some(advice) = error.hint() {
        hint(advice);
    }
}

/// Prints `warning: …`.
pub(crate) fn warning(message: impl Display) {
    print_message("warning", AnsiColor::Yellow, message);
}

/// Prints `hint: …`.
pub(crate) fn hint(message: impl Display) {
    print_message("hint", AnsiColor::Cyan, message);
}

fn print_message(word: &str, colour: AnsiColor, message: impl Display) {
    let message = printable(&message.to_string());
    if IS_JSON.load(Ordering::Relaxed) {
        return json_line(word, &message, &Map::new());
    }
    let style = colour.on_default();
    line(format_args!("{style}{word}{style:#}: {message}"));
}

/// Prints a line on standard error. A message that nobody can receive (a full disk, a closed pipe) must not
/// end the run, which still has its output to write; `eprintln!` would panic. Colours are left out unless standard
/// error is a terminal that wants them (`NO_COLOR`, `CLICOLOR`).
pub(crate) fn line(text: impl Display) {
    if IS_JSON.load(Ordering::Relaxed) {
        return json_line("info", &text.to_string(), &Map::new());
    }
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints the end of a run; as JSON with its figures.
pub(crate) fn summary(text: &str, name: &str, figures: &impl Serialize) {
    if IS_JSON.load(Ordering::Relaxed) {
        let figures = serde_json::to_value(figures).unwrap_or_default();
        return json_line("info", text, &Map::from_iter([(name.to_owned(), figures)]));
    }
    line(text);
}

/// Everything on standard error is JSON from now on.
pub(crate) fn use_json(is_json: bool) {
    IS_JSON.store(is_json, Ordering::Relaxed);
}

/// Prints an event of the log.
pub(crate) fn log_event(level: &str, message: &str, fields: &Map<String, Json>) {
    if IS_JSON.load(Ordering::Relaxed) {
        return json_line(level, message, fields);
    }
    let mut text = format!("{level}: {message}");
    for (name, value) in fields {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text += &format!(" {name}={value}");
    }
    line(printable(&text));
}

fn json_line(level: &str, message: &str, fields: &Map<String, Json>) {
    let _ = writeln!(io::stderr(), "{}", json_event(level, message, fields));
}

/// `{"time": …, "level": …, "message": …}` with further fields; the time is in seconds since 1970.
pub(crate) fn json_event(level: &str, message: &str, fields: &Map<String, Json>) -> Json {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut object = Map::new();
    object.insert("time".into(), ((time.as_secs_f64() * 1000.0).round() / 1000.0).into());
    object.insert("level".into(), level.into());
    object.insert("message".into(), message.into());
    object.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
    Json::Object(object)
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
                warning(format_args!("{name}: {message}"));
                hint(other_lists(&answer.alternatives, *others));
            }
            _ => page_warning(name, message),
        }
    }
}

/// `another list? --list 2 (4 records, "Paper lamp £5"), or --near TEXT with words of a record`.
fn other_lists(lists: &[ListSummary], others: usize) -> String {
    let one = |list: &ListSummary| {
        format!("--list {} ({}, {:?})", list.rank, count(list.records, "record"), list.first_text)
    };
    let shown: Vec<String> =
        lists.iter().filter(|list| !list.role.is_main()).take(MAX_HINTED_LISTS).map(one).collect();
    if shown.is_empty() {
        return format!("--all shows {}", count(others, "other"));
    }
    format!("another list? {}, or --near TEXT with words of a record", shown.join(", "))
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

/// A line with a spinner and the time so far, which appears if the work takes longer than a moment.
pub(crate) fn delayed_spinner(message: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::hidden().with_style(style).with_message(printable(message));
    let later = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(SPINNER_DELAY);
        if !later.is_finished() {
            later.set_draw_target(ProgressDrawTarget::stderr());
            later.enable_steady_tick(SPINNER_INTERVAL);
        }
    });
    bar
}

/// A progress bar on a terminal. For few pages it is a line in words that appears if they take long.
pub(crate) fn progress_bar(pages: usize, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    if pages < MIN_PAGES_FOR_BAR {
        return delayed_spinner(&format!("reading {}", count(pages, "page")));
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, {eta} left");
    ProgressBar::new(pages as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// `345 records from 18 pages (complete: the site announces 345)`, or `40 of 345 records from 2 pages
/// (REASON)`.
pub(crate) fn follow_summary(answer: &Answer) -> Option<String> {
    let followed = answer.followed.as_ref()?;
    let records = answer.primary().map_or(0, |list| list.records.len());
    let mut pages = count(followed.pages.len(), "page");
    if followed.replayed > 0 {
        pages = format!("{pages}, {} of them without the browser", followed.replayed);
    }
    let announced = answer.page.counter.as_ref().filter(|counter| counter.total >= records as u64);
    let (number, state) = match announced {
        Some(counter) if followed.whole => {
            (count(records, "record"), format!("complete: the site announces {}", counter.total))
        }
        Some(counter) => (format!("{records} of {} records", counter.total), followed.stopped.clone()),
        None if followed.whole => (count(records, "record"), format!("complete: {}", followed.stopped)),
        None => (count(records, "record"), followed.stopped.clone()),
    };
    Some(format!("{number} from {pages} ({state})"))
}

/// A progress bar on a terminal that counts the bytes of a file.
pub(crate) fn byte_progress_bar(bytes: u64, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}, {msg}, {eta} left");
    ProgressBar::new(bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
