//! Takes answers in the order of the inputs: writes them, reports on them, and remembers the worst outcome.

use crate::error::CliError;
use crate::fetching::InputAnswer;
use crate::outcome::Outcome;
use crate::output_target::OutputTarget;
use crate::reporting;
use copal::model::Impression;
use copal::{Answer, ListChoice, ListSummary};
use copal_tasks::{ColumnChoice, describe_missing};
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;

/// Maximum number of lists that a hint names.
const MAX_LISTS_IN_HINT: usize = 8;

/// Sentences about a page without a list, by its name.
pub(crate) type NothingExplainer<'a> = dyn Fn(&str) -> Vec<String> + 'a;

pub(crate) struct AnswerSink<'a> {
    pub(crate) output: OutputTarget<'a>,
    /// The columns that were asked for.
    pub(crate) columns: ColumnChoice<'a>,
    pub(crate) has_many_pages: bool,
    /// Print the reasons on standard error.
    pub(crate) explains: bool,
    /// The command has `--all` and writes reports, so that a hint may name them.
    pub(crate) is_extract: bool,
    /// A wrapper reads the pages.
    pub(crate) is_by_wrapper: bool,
    /// Says more about a page without a list, by its name.
    pub(crate) explain_nothing: Option<&'a NothingExplainer<'a>>,
    /// The list that was asked for.
    pub(crate) choice: Option<ListChoice>,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
    /// Also give out pages that were joined to the record of a list: JSON has one answer per page.
    pub(crate) keeps_joined_pages: bool,
    /// Report errors at the end, not at once.
    pub(crate) collects_errors: bool,
    pub(crate) errors: Vec<CliError>,
    pub(crate) worst: Outcome,
    pub(crate) answers: usize,
    /// Why the output cannot be written.
    pub(crate) failed: Option<CliError>,
}

impl AnswerSink<'_> {
    /// Takes one answer. Breaks if the output cannot be written.
    pub(crate) fn take(&mut self, name: &str, answer: InputAnswer) -> ControlFlow<()> {
        match answer {
            Err(error) => {
                self.worst = self.worst.max(error.outcome());
                let error = error.about(name);
                if self.collects_errors {
                    self.errors.push(error);
                } else {
                    reporting::error(&error);
                }
            }
            Ok(None) => self.worst = self.worst.max(Outcome::Partial),
            Ok(Some(mut answer)) => {
                self.columns.apply(&mut answer);
                if !self.has_many_pages
                    && let Err(error) = self.columns.check()
                {
                    self.failed = Some(error.into());
                    return ControlFlow::Break(());
                }
                self.answers += 1;
                self.worst = self.worst.max(outcome_of(&answer));
                self.report(name, &answer);
                if self.explains {
                    reporting::explanation(name, &answer);
                }
                if let Err(error) = self.output.page(name, &answer) {
                    self.failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes the answer for a page of an archive. A page without a list is normal there: the archive has one line for
    /// all of them. Breaks if the output cannot be written.
    pub(crate) fn take_archived(&mut self, name: &str, answer: Result<Answer, CliError>) -> ControlFlow<()> {
        let (quiet, worst) = (self.quiet, self.worst);
        self.quiet |= !self.verbose;
        let is_partial = answer.as_ref().is_ok_and(Answer::is_partial);
        let taken = match answer {
            Err(_) if self.quiet => ControlFlow::Continue(()),
            answer => self.take(name, answer.map(Some)),
        };
        self.quiet = quiet;
        self.worst = if is_partial { worst.max(Outcome::Partial) } else { worst };
        taken
    }

    /// Takes a page of a list that is still being read. Breaks if the output cannot be written.
    pub(crate) fn take_page(
        &mut self,
        name: &str,
        mut answer: Answer,
        has_all_columns: bool,
    ) -> ControlFlow<()> {
        self.columns.apply(&mut answer);
        match self.output.provisional_page(name, &answer, has_all_columns) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    pub(crate) fn finish(self) -> Result<Outcome, CliError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.columns.check()?;
        if !self.errors.is_empty() {
            let total = self.answers + self.errors.len();
            let message = format!("{} of {total} could not be read:", self.errors.len());
            reporting::error(&CliError::unreadable(message));
            self.errors.iter().for_each(reporting::error);
        }
        self.output.finish(self.worst, self.quiet)?;
        Ok(self.worst)
    }

    /// Reports how many pages became part of the records that link to them.
    pub(crate) fn report_joined(&self, joined: usize, pages: usize) {
        if joined > 0 && !self.quiet {
            let verb = if joined == 1 { "was" } else { "were" };
            let pages = reporting::count(pages, "page");
            let what = "joined to the records that link to them";
            reporting::line(format_args!("{joined} of {pages} {verb} {what}"));
        }
    }

    fn report(&self, name: &str, answer: &Answer) {
        if self.quiet {
            return;
        }
        reporting::answer_warnings(name, answer);
        let shown_name = reporting::printable(name);
        if let Some(object) = answer.object.as_ref().filter(|object| !object.fields.is_empty()) {
            if self.verbose {
                reporting::line(format_args!(
                    "{shown_name}: one object, {}",
                    reporting::count(object.fields.len(), "field")
                ));
            }
        } else if answer.regions.is_empty() {
            self.report_nothing(name, answer);
        } else if let Some(line) = reporting::follow_summary(answer) {
            reporting::line(format_args!("{shown_name}: {}", reporting::printable(&line)));
        } else if self.verbose {
            let records: usize = answer.regions.iter().map(|region| region.records.len()).sum();
            let lists = reporting::count(answer.regions.len(), "list");
            reporting::line(format_args!("{shown_name}: {lists}, {}", reporting::count(records, "record")));
        }
    }

    /// Reports that there is no list, and what can be done.
    fn report_nothing(&self, name: &str, answer: &Answer) {
        match &self.choice {
            _ if self.is_by_wrapper => {
                reporting::warning(format_args!("{name}: the wrapper matches nothing on this page"));
            }
            None => {
                let seems = answer
                    .impression
                    .map_or_else(String::new, |seen| format!(": the page {}", seen.describe()));
                reporting::warning(format_args!("{name}: no list found{seems}"));
                match self.explain_nothing {
                    Some(explain) => explain(name).iter().for_each(reporting::hint),
                    None if seems_no_page(name) => reporting::hint(NO_PAGE_ADVICE),
                    None => reporting::hint(advice(answer, self.is_extract)),
                }
            }
            Some(choice) => {
                reporting::warning(format_args!("{name}: {}", describe_missing(choice)));
                reporting::hint(describe_lists(&answer.alternatives));
            }
        }
    }
}

/// Endings of files that are texts, but not pages.
const TEXT_ENDINGS: &[&str] = &["csv", "tsv", "md", "toml", "yaml", "yml", "log", "ini", "sql"];

const NO_PAGE_ADVICE: &str = "this does not seem to be a web page: expected HTML, MHTML, JSON, RSS or Atom";

/// True if the name of a file says that it is another kind of text.
fn seems_no_page(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
    !name.contains("://") && TEXT_ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// What can be done about a page without a list.
fn advice(answer: &Answer, is_extract: bool) -> &'static str {
    match answer.impression {
        Some(Impression::NeedsScripts) if answer.page.rendered.is_some() => {
            "its scripts did not fill it: try --embedded (data in the page), or save the page from a browser and extract the file"
        }
        Some(Impression::NeedsScripts) if cfg!(feature = "render") => {
            "try --render auto (show the page in an installed browser), or --embedded (data in the page)"
        }
        Some(Impression::NeedsScripts) => {
            "copal runs no scripts: try --embedded (data in the page), or save the page from a browser and extract the file"
        }
        Some(Impression::Login) => {
            "log in with a browser, then give its cookies with --cookies FILE, or save the page and extract the file"
        }
        Some(Impression::Challenge) => {
            "open the page in a browser, save it and extract the file; a longer --delay and --contact help to be let in"
        }
        Some(Impression::Article) if is_extract => {
            "try --kind object (its title, date and text), or --all (every list)"
        }
        Some(Impression::Article) => "try --kind object (its title, date and text)",
        _ if !is_extract => {
            "try --kind object (one object) or --near TEXT (the list with this text); copal extract PAGE -o report.html shows what copal saw"
        }
        _ => "try --all (every list), --kind object (one object), or -o report.html to see what copal saw",
    }
}

/// The lists that could have been chosen, with rank, number of records and first text.
fn describe_lists(lists: &[ListSummary]) -> String {
    if lists.is_empty() {
        return "the page has no lists".to_owned();
    }
    let one = |list: &ListSummary| {
        format!("{}: {}, {:?}", list.rank, reporting::count(list.records, "record"), list.first_text)
    };
    let shown: Vec<String> = lists.iter().take(MAX_LISTS_IN_HINT).map(one).collect();
    let rest = lists.len() - shown.len();
    let more = if rest > 0 { format!("; and {rest} more (--all shows them)") } else { String::new() };
    format!("the page has {}; {}{more}", reporting::count(lists.len(), "list"), shown.join("; "))
}

fn outcome_of(answer: &Answer) -> Outcome {
    let has_object = answer.object.as_ref().is_some_and(|object| !object.fields.is_empty());
    if answer.is_partial() {
        Outcome::Partial
    } else if answer.regions.is_empty() && !has_object {
        Outcome::NothingFound
    } else {
        Outcome::Done
    }
}
