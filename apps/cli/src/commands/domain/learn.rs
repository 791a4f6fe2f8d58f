//! `copal domain learn`: AMBER's gazetteer bootstrap (thesis section 4.7, tables of 7.1.4).
//!
//! In: a domain, an attribute and pages. Out: a table row per round on standard output; the learned terms and
//! labels, and those that must not be learned again (the thesis' black list), in files that are written after every
//! round, so that an interrupted run keeps them. `--continue` begins with these files.

use super::learn_arguments::DomainLearnArguments;
use super::learn_pages::LearningPages;
use super::learn_questions;
use crate::error::CliError;
use crate::input_protection::check_inputs_stay;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::page_pipeline::PageReader;
use crate::reporting;
use copal::Domain;
use copal::gazetteer_learning::{LearnOptions, Learned, Learner, Question, Round, TermEvidence};
use copal_output::destination::Destination;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Largest list of terms that is read, in bytes.
const MAX_TERM_FILE_BYTES: u64 = 100_000_000;

pub(super) fn run(arguments: &DomainLearnArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    let mut run = LearningRun::prepare(arguments)?;
    let (request, inputs) = (reading.request(), arguments.pages.inputs()?);
    check_inputs_stay(arguments.output.as_deref(), &inputs)?;
    let reader = PageReader::new(&inputs, &request, &reading.fetch)?;
    let mut pages = LearningPages::new(&inputs, &reader, arguments.memory, reading.run.quiet);
    run.learn(&mut pages)
}

/// The terms of a list.
fn read_terms(path: &Path) -> Result<Vec<String>, CliError> {
    let name = path.display();
    let unreadable = |error: CliError| CliError::unreadable(format_args!("cannot read {name}: {error}"));
    let reading = |error: std::io::Error| unreadable(CliError::reading(&error));
    let size = fs::metadata(path).map_err(reading)?.len();
    if size > MAX_TERM_FILE_BYTES {
        let message = format!("it has {size} bytes: expected at most {MAX_TERM_FILE_BYTES}");
        return Err(unreadable(CliError::unreadable(message)));
    }
    let text = fs::read_to_string(path).map_err(reading)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// The terms of a list that must have some.
fn read_given_terms(path: &Path) -> Result<Vec<String>, CliError> {
    let terms = read_terms(path)?;
    if terms.is_empty() {
        let name = path.display();
        return Err(CliError::usage(format_args!("{name} has no terms: expected one per line")));
    }
    Ok(terms)
}

/// The terms of a list of an earlier run, which may not be there.
fn read_kept_terms(path: &Path) -> Result<Vec<String>, CliError> {
    if path.exists() { read_terms(path) } else { Ok(Vec::new()) }
}

/// Where an earlier run kept what it learned.
struct KeptFiles {
    terms: PathBuf,
    labels: PathBuf,
    /// What must not be learned again.
    refused: PathBuf,
}

impl KeptFiles {
    fn beside(terms: PathBuf) -> KeptFiles {
        let named = |ending: &str| {
            let mut name = OsString::from(&terms);
            name.push(ending);
            PathBuf::from(name)
        };
        KeptFiles { labels: named(".labels"), refused: named(".refused"), terms }
    }

    fn all(&self) -> [&Path; 3] {
        [&self.terms, &self.labels, &self.refused]
    }
}

struct LearningRun<'a> {
    arguments: &'a DomainLearnArguments,
    learner: Learner,
    /// All true terms, for measuring.
    truth: Option<Vec<String>>,
    files: KeptFiles,
    /// Terms and labels of earlier runs.
    known: usize,
    has_written: bool,
}

impl LearningRun<'_> {
    /// Checks everything that can be wrong before a page is read.
    fn prepare(arguments: &DomainLearnArguments) -> Result<LearningRun<'_>, CliError> {
        let (lower, upper) = arguments.thresholds()?;
        if arguments.ask && !learn_questions::has_terminal() {
            return Err(CliError::usage("--ask needs a terminal").with_hint("run it on one, or use --auto"));
        }
        arguments.pages.reading.run.start_threads()?;
        let domain = Domain::load(&arguments.domain).map_err(CliError::usage)?;
        let seed = arguments.from.as_deref().map(read_given_terms).transpose()?;
        let truth = arguments.truth.as_deref().map(read_given_terms).transpose()?;
        let options = LearnOptions { lower, upper, support: arguments.support, ..LearnOptions::default() };
        let mut learner =
            Learner::new(&domain, &arguments.attribute, seed.as_deref(), options).map_err(CliError::usage)?;
        let files = KeptFiles::beside(arguments.terms_file(&domain.name));
        if arguments.resume {
            let (terms, labels) = (read_kept_terms(&files.terms)?, read_kept_terms(&files.labels)?);
            learner.resume(&terms, &labels, &read_kept_terms(&files.refused)?);
        }
        let known = learner.terms().count() + learner.labels().count();
        for path in files.all() {
            if path.exists() && !arguments.overwrite && !arguments.resume {
                return Err(CliError::usage(format_args!("{} exists already", path.display()))
                    .with_hint("go on with --continue, choose another file with -o, or give --overwrite"));
            }
        }
        // better reported now than after the first round
        let file = &files.terms;
        Destination::open(Some(file)).map_err(|error| CliError::writing(&error, file.display()))?;
        Ok(LearningRun { arguments, learner, truth, files, known, has_written: false })
    }

    fn learn(&mut self, pages: &mut LearningPages<'_>) -> Result<Outcome, CliError> {
        let run = &self.arguments.pages.reading.run;
        if let Some(truth) = &self.truth {
            let reader = self.learner.true_reader(truth);
            let evidence: Vec<TermEvidence> = pages.map(|page| reader.read(page));
            self.learner.measure(truth, &evidence);
        }
        let mut is_complete = false;
        let mut last_round = Round::default();
        for number in 1..=self.arguments.rounds {
            let reader = self.learner.reader();
            let evidence: Vec<TermEvidence> = pages.map(|page| reader.read(page));
            if pages.readable_count() == 0 {
                return Err(CliError::unreadable("no page could be read: expected HTML or MHTML"));
            }
            if number == 1 {
                print_line(heading(self.truth.is_some()))?;
            }
            let attribute = &self.arguments.attribute;
            let mut ask = |question: &Question<'_>| learn_questions::ask(attribute, question);
            let round = self.learner.finish(&evidence, self.arguments.ask.then_some(&mut ask));
            is_complete = round.is_last();
            print_line(&row(&round))?;
            if run.is_verbose() {
                report_round(&round);
            }
            self.write(number, is_complete)?;
            last_round = round;
            if is_complete {
                break;
            }
        }
        let (terms, labels) = (self.learner.terms().count(), self.learner.labels().count());
        if !run.quiet {
            if !is_complete {
                let rounds = reporting::count(usize::from(self.arguments.rounds), "round");
                reporting::warning(format_args!("still learning after {rounds} (allow more with --rounds)"));
            }
            let written =
                if self.has_written { self.files.terms.display().to_string() } else { "nothing".into() };
            let kept = if self.known > 0 { format!(" ({} known before)", self.known) } else { String::new() };
            reporting::line(format_args!(
                "learned {} and {}{kept}, wrote {}",
                reporting::count(terms, "term"),
                reporting::count(labels, "label"),
                reporting::printable(&written)
            ));
        }
        if terms + labels > self.known {
            return Ok(Outcome::Done);
        }
        if !run.quiet {
            self.report_nothing_learned(&last_round, pages.readable_count());
        }
        Ok(Outcome::NothingFound)
    }

    /// Says why nothing was learned, and what can be done.
    fn report_nothing_learned(&self, round: &Round, pages: usize) {
        let (domain, attribute) = (&self.arguments.domain, &self.arguments.attribute);
        if round.extracted == 0 {
            reporting::warning(format_args!(
                "nothing to learn from: on {}, no record of a list has a known term of {attribute}",
                reporting::count(pages, "page")
            ));
            reporting::hint(format_args!(
                "copal domain test {domain} PAGE shows what is found there; --from FILE gives terms that the pages have"
            ));
        } else if let Some(best) = &round.best_rejected {
            reporting::warning(format_args!(
                "no term is certain enough: the best is {:?} with {:.2}",
                best.text, best.confidence
            ));
            reporting::hint("learn it with lower values of --lower and --upper, or decide with --ask");
        } else {
            reporting::warning(format_args!(
                "all {} with {attribute} have terms that are known already",
                reporting::count(round.extracted, "text")
            ));
            reporting::hint("give more pages, or fewer terms to begin with (--from FILE)");
        }
    }

    /// Writes both files, once there is something to write.
    fn write(&mut self, round: u16, is_complete: bool) -> Result<(), CliError> {
        let has_labels = self.learner.labels().count() > 0;
        let has_refused = self.learner.refused().next().is_some();
        if !self.has_written && !has_labels && !has_refused && self.learner.terms().count() == 0 {
            return Ok(());
        }
        let state = if is_complete { "complete" } else { "not complete" };
        let (domain, attribute) = (&self.arguments.domain, &self.arguments.attribute);
        let head = |what: &str| {
            format!("# {what} of {attribute} ({domain}) that copal learned, round {round}, {state}\n")
        };
        let terms = self.learner.terms().map(|learned| learned.text.as_str());
        write_text(Some(&self.files.terms), &list_text(head("terms"), terms))?;
        self.has_written = true;
        if has_labels {
            let labels = self.learner.labels().map(|learned| learned.text.as_str());
            write_text(Some(&self.files.labels), &list_text(head("labels"), labels))?;
        }
        if has_refused {
            let head = format!(
                "# terms and labels of {attribute} ({domain}) that copal must not learn: dropped or refused\n"
            );
            write_text(Some(&self.files.refused), &list_text(head, self.learner.refused()))?;
        }
        // files that --overwrite replaces by nothing
        for (path, is_written) in [(&self.files.labels, has_labels), (&self.files.refused, has_refused)] {
            if !is_written && path.exists() {
                fs::remove_file(path).map_err(|error| CliError::writing(&error, path.display()))?;
            }
        }
        Ok(())
    }
}

/// One term per line. Terms are pieces of text runs, so that they contain no line breaks.
fn list_text<'a>(head: String, list: impl Iterator<Item = &'a str>) -> String {
    list.fold(head, |text, term| text + term + "\n")
}

/// What was learned, term by term.
fn report_round(round: &Round) {
    let report = |what: &str, learned: &[Learned]| {
        for new in learned {
            reporting::line(format_args!(
                "  {what} {:.2} {}",
                new.confidence,
                reporting::printable(&new.text)
            ));
        }
    };
    report("learned", &round.learned);
    report("label", &round.labels);
    for term in &round.dropped {
        reporting::line(format_args!("  dropped {}", reporting::printable(term)));
    }
}

/// Prints a line of the table. If nobody reads it any more, the terms are still wanted.
fn print_line(line: &str) -> Result<(), CliError> {
    match reporting::print(&format!("{line}\n")) {
        Err(CliError::OutputClosed) => Ok(()),
        printed => printed,
    }
}

fn heading(has_truth: bool) -> &'static str {
    if has_truth {
        "round  extracted  correct  precision   recall  learned  correct  dropped"
    } else {
        "round  extracted  learned  dropped"
    }
}

/// A row as in Tables 7.1 and 7.2, and the number of dropped terms.
fn row(round: &Round) -> String {
    let percent = |share: f64| format!("{:.2}%", 100.0 * share);
    let (learned, dropped) = (round.learned.len(), round.dropped.len());
    let Round { number, extracted, correct, recall, learned_correct, .. } = round;
    match (correct, round.precision(), recall, learned_correct) {
        (Some(correct), Some(precision), Some(recall), Some(right)) => format!(
            "{number:>5}  {extracted:>9}  {correct:>7}  {:>9}  {:>7}  {learned:>7}  {right:>7}  {dropped:>7}",
            percent(precision),
            percent(*recall)
        ),
        _ => format!("{number:>5}  {extracted:>9}  {learned:>7}  {dropped:>7}"),
    }
}
