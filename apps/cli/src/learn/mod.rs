//! `copal domain learn`: AMBER's gazetteer bootstrap (thesis section 4.7, tables of 7.1.4).
//!
//! In: a domain, an attribute and pages. Out: a row of the table after every round on standard output; the learned terms
//! (and labels) in files that are written whole after every round, so that an interrupted run keeps them.

mod args;
mod ask;
mod pages;

pub(crate) use args::LearnArgs;

use crate::extract::set_jobs;
use crate::inputs;
use crate::report::{self, Outcome};
use copal::Domain;
use copal::gazetteer_learning::{LearnOptions, Learned, Learner, Question, Round, TermEvidence};
use copal_output::destination::Destination;
use pages::Pages;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Largest list of terms that is read.
const MOST_BYTES: u64 = 100_000_000;

pub(crate) fn run(args: &LearnArgs) -> Outcome {
    let (learner, file, truth) = match prepare(args) {
        Ok(prepared) => prepared,
        Err((message, outcome)) => {
            report::error(message);
            return outcome;
        }
    };
    let mut pages =
        Pages::new(inputs::collect(&args.pages), args.limits.limits(), args.memory, args.run.quiet);
    let mut run = Run { args, learner, file, written: false };
    match run.rounds(&mut pages, truth.as_deref()) {
        Ok(outcome) => outcome,
        Err((error, target)) => report::write_failed(&error, &target),
    }
}

type Prepared = (Learner, PathBuf, Option<Vec<String>>);

/// Everything that can be wrong before a page is read.
fn prepare(args: &LearnArgs) -> Result<Prepared, (String, Outcome)> {
    let usage = |message: String| (message, Outcome::Usage);
    let (lower, upper) = args.thresholds().map_err(usage)?;
    if args.ask && !ask::is_possible() {
        return Err(usage("--ask needs a terminal to ask on: run it on one, or use --auto".into()));
    }
    set_jobs(args.run.jobs).map_err(usage)?;
    let domain = Domain::load(&args.domain).map_err(|error| usage(error.to_string()))?;
    let seed = args.from.as_deref().map(terms).transpose()?;
    let truth = args.truth.as_deref().map(terms).transpose()?;
    let options = LearnOptions { lower, upper, support: args.support, ..LearnOptions::default() };
    let learner = Learner::new(&domain, &args.attribute, seed.as_deref(), options)
        .map_err(|error| usage(error.to_string()))?;
    let file = args.file(&domain.name);
    for path in [&file, &labels_file(&file)] {
        if path.exists() && !args.overwrite {
            let name = path.display();
            let message = format!("{name} is there already: name another with -o, or give --overwrite");
            return Err(usage(message));
        }
    }
    // better said now than after the first round
    Destination::open(Some(&file)).map_err(|error| {
        let message = format!("cannot write {}: {}", file.display(), report::in_words(&error));
        (message, Outcome::Unreadable)
    })?;
    Ok((learner, file, truth))
}

/// The terms of a list.
fn terms(path: &Path) -> Result<Vec<String>, (String, Outcome)> {
    let name = path.display();
    let unreadable = |why: String| (format!("cannot read {name}: {why}"), Outcome::Unreadable);
    let size = fs::metadata(path).map_err(|error| unreadable(report::in_words(&error)))?.len();
    if size > MOST_BYTES {
        return Err(unreadable(format!("it has {size} bytes: expected at most {MOST_BYTES}")));
    }
    let text = fs::read_to_string(path).map_err(|error| unreadable(report::in_words(&error)))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let terms: Vec<String> = lines.map(str::to_owned).collect();
    if terms.is_empty() {
        return Err((format!("{name} has no terms: expected one a line"), Outcome::Usage));
    }
    Ok(terms)
}

fn labels_file(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".labels");
    name.into()
}

struct Run<'a> {
    args: &'a LearnArgs,
    learner: Learner,
    file: PathBuf,
    written: bool,
}

type Failed = (io::Error, String);

impl Run<'_> {
    fn rounds(&mut self, pages: &mut Pages, truth: Option<&[String]>) -> Result<Outcome, Failed> {
        if let Some(truth) = truth {
            let reader = self.learner.true_reader(truth);
            let evidence: Vec<TermEvidence> = pages.map(|page| reader.read(page));
            self.learner.measure(truth, &evidence);
        }
        let mut ended = false;
        for number in 1..=self.args.rounds {
            let reader = self.learner.reader();
            let evidence: Vec<TermEvidence> = pages.map(|page| reader.read(page));
            if pages.readable() == 0 {
                report::error("no page could be read: expected HTML or MHTML files");
                return Ok(Outcome::Unreadable);
            }
            if number == 1 {
                print(&heading(truth.is_some()))?;
            }
            let attribute = &self.args.attribute;
            let mut on_terminal = |question: &Question<'_>| ask::ask(attribute, question);
            let round = self.learner.finish(&evidence, self.args.ask.then_some(&mut on_terminal));
            ended = round.is_last();
            print(&row(&round))?;
            self.tell(&round);
            self.write(number, ended)?;
            if ended {
                break;
            }
        }
        if !ended && !self.args.run.quiet {
            report::warning(format_args!(
                "still learning after {} (--rounds allows more)",
                report::count(usize::from(self.args.rounds), "round")
            ));
        }
        let (terms, labels) = (self.learner.terms().count(), self.learner.labels().count());
        if !self.args.run.quiet {
            let written = if self.written { self.file.display().to_string() } else { "nothing".into() };
            eprintln!(
                "learned {} and {}, wrote {}",
                report::count(terms, "term"),
                report::count(labels, "label"),
                report::printable(&written)
            );
        }
        Ok(if terms + labels == 0 { Outcome::NothingFound } else { Outcome::Done })
    }

    /// What was learned, one by one.
    fn tell(&self, round: &Round) {
        let sure = |what: &str, learned: &[Learned]| {
            for new in learned {
                eprintln!("  {what} {:.2} {}", new.confidence, report::printable(&new.text));
            }
        };
        if self.args.run.verbose {
            sure("learned", &round.learned);
            sure("label", &round.labels);
            for term in &round.dropped {
                eprintln!("  dropped {}", report::printable(term));
            }
        }
    }

    /// Writes both files whole, once there is something to write.
    fn write(&mut self, round: u16, ended: bool) -> Result<(), Failed> {
        let labels = self.learner.labels().count() > 0;
        if !self.written && !labels && self.learner.terms().count() == 0 {
            return Ok(());
        }
        let state = if ended { "complete" } else { "not complete" };
        let (domain, attribute) = (&self.args.domain, &self.args.attribute);
        let head = |what: &str| {
            format!("# {what} of {attribute} ({domain}) that copal learned, round {round}, {state}\n")
        };
        write_list(&self.file, &head("terms"), self.learner.terms())?;
        self.written = true;
        if labels {
            write_list(&labels_file(&self.file), &head("labels"), self.learner.labels())?;
        }
        Ok(())
    }
}

fn write_list<'a>(path: &Path, head: &str, list: impl Iterator<Item = &'a Learned>) -> Result<(), Failed> {
    let written = || -> io::Result<()> {
        let mut out = Destination::open(Some(path))?;
        out.write_all(head.as_bytes())?;
        for learned in list {
            // pieces of texts have no line breaks in them
            writeln!(out, "{}", learned.text)?;
        }
        out.commit()
    };
    written().map_err(|error| (error, path.display().to_string()))
}

fn print(line: &str) -> Result<(), Failed> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    // whoever reads the table may go away; the terms are still wanted
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err((error, "standard output".into())),
        _ => Ok(()),
    }
}

fn heading(truth: bool) -> String {
    if truth {
        "round  extracted  correct  precision   recall  learned  correct  dropped".into()
    } else {
        "round  extracted  learned  dropped".into()
    }
}

/// A row as in Tables 7.1 and 7.2, and what was dropped.
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
