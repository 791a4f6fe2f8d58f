//! `copal extract`: pages in, one document out, in the order of the inputs.

use crate::args::{ExtractArgs, KindName};
use crate::inputs::{self, Input};
use crate::output::{FormatName, Output};
use crate::report::{self, Outcome};
use crate::web;
use copal::{Answer, Document, KindRequest, Limit, NamedAnswer, Options, Received, SetPage};
use copal_site::VisitOptions;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Files that are read together, and in memory at once. Not by the number of jobs: pages of one batch are told apart together, and
/// the answer is the same on every machine.
const BATCH: usize = 64;

/// Files whose lists and objects may belong together: what was found on them is kept until all are read.
const SET: usize = 16 * BATCH;

pub(crate) fn run(args: &ExtractArgs) -> Outcome {
    let target = match args.output.target() {
        Ok(target) => target,
        Err(message) => {
            report::error(message);
            return Outcome::Usage;
        }
    };
    if let Err(message) = set_jobs(args.run.jobs) {
        report::error(message);
        return Outcome::Usage;
    }
    let inputs = match named(args) {
        Ok(inputs) => inputs,
        Err(why) => {
            report::error(why);
            return Outcome::Unreadable;
        }
    };
    let mut options = args.method.options(args.all, args.limits.limits());
    options.url.clone_from(&args.url);
    // a report is there to be looked at: it shows where the lists are, and why
    options.extract.outline = target.is(FormatName::Html);
    options.extract.lists.explain = args.explain || target.is(FormatName::Html);
    options.extract.embedded = args.embedded;
    options.extract.navigation = args.navigation;
    options.extract.kind = kind_request(args);
    let has_why =
        [FormatName::Json, FormatName::Jsonl, FormatName::Html].into_iter().any(|name| target.is(name));
    let says_why = args.explain && !has_why;
    let many = inputs.len() > 1;
    let out = match args.output.open(&target, (many, args.all), None) {
        Ok(out) => out,
        Err(error) => return report::write_failed(&error, &args.output.name()),
    };
    let mut answers =
        Answers { args, out, says_why, failed: None, worst: Outcome::Done, read: 0, errors: Vec::new() };
    if inputs.iter().any(|input| matches!(input, Input::Url(_))) {
        let mut visit = VisitOptions::default();
        visit.max_pages = args.net.pages();
        visit.max_details = args.net.details();
        visit.extract = options;
        let fetch = args.net.options(&visit.extract.limits);
        let telling = web::Telling::of(args.run.quiet, args.run.verbose);
        let mut sink = |name: String, answer| answers.take(&name, answer, many);
        if let Err(why) = web::read(inputs, fetch, &visit, (telling, args.run.jobs), &mut sink) {
            report::error(why);
            return Outcome::Unreadable;
        }
    } else {
        if (args.net.pages() > 1 || args.net.details() > 0) && !args.run.quiet {
            report::warning("--follow and --details are for addresses: saved pages are read one by one");
        }
        files(&inputs, &options, &mut answers);
    }
    answers.finish()
}

/// What the arguments name, and what the file of names has.
fn named(args: &ExtractArgs) -> Result<Vec<Input>, String> {
    let mut inputs = inputs::collect(&args.pages);
    if let Some(file) = &args.net.urls {
        inputs.extend(inputs::collect(&inputs::listed(file)?));
        if inputs.is_empty() {
            return Err(format!("{}: no address in it", file.display()));
        }
    }
    Ok(inputs)
}

/// What pages are read as. A method that was named finds lists only.
fn kind_request(args: &ExtractArgs) -> KindRequest {
    match args.kind {
        KindName::Auto if args.method.is_named() => KindRequest::List,
        kind => kind.request(),
    }
}

/// Reads files, all cores at once.
fn files(inputs: &[Input], options: &Options, answers: &mut Answers<'_>) {
    let bar = progress(inputs.len(), answers.args.run.quiet);
    for set in inputs.chunks(SET) {
        let mut named: Vec<NamedAnswer> = Vec::new();
        let mut order: Vec<Result<usize, NamedResult>> = Vec::new();
        for batch in set.chunks(BATCH) {
            let read: Vec<Result<Read, (String, String)>> = batch
                .par_iter()
                .map(|input| {
                    let result = file_page(input, options).map_err(|why| (input.name(), why));
                    bar.inc(1);
                    result
                })
                .collect();
            answer_batch(read, options, (&mut named, &mut order));
        }
        copal::join_detail_pages(&mut named);
        let mut named: Vec<Option<NamedAnswer>> = named.into_iter().map(Some).collect();
        for place in order {
            // the fields of a page that was joined to a list are in that list
            let (name, result) = match place {
                Err(result) => result,
                Ok(at) => match named[at].take().filter(|one| one.joined_to.is_none()) {
                    Some(one) => (one.name, Ok(one.answer)),
                    None => continue,
                },
            };
            if bar.suspend(|| answers.take(&name, result.map(Some), false)).is_break() {
                return;
            }
        }
    }
    bar.finish_and_clear();
}

/// A document that was read: a page with its lists, or the lists of data.
pub(crate) enum Read {
    Page(Box<SetPage>),
    Data(String, Box<Answer>),
}

/// The answer of one input, or why there is none.
type NamedResult = (String, Result<Answer, String>);

/// Answers for pages that were read together. The pages themselves are dropped here.
fn answer_batch(
    read: Vec<Result<Read, (String, String)>>,
    options: &Options,
    (answers, order): (&mut Vec<NamedAnswer>, &mut Vec<Result<usize, NamedResult>>),
) {
    let mut set: Vec<SetPage> = Vec::new();
    let first = answers.len();
    for one in read {
        order.push(match one {
            Ok(Read::Page(page)) => {
                set.push(*page);
                Ok(first + set.len() - 1)
            }
            Ok(Read::Data(name, answer)) => Err((name, Ok(*answer))),
            Err((name, why)) => Err((name, Err(why))),
        });
    }
    let names: Vec<String> = set.iter().map(|page| page.name.clone()).collect();
    match guarded(|| Ok(copal::answer_set(set, &options.extract))) {
        Ok(read) => answers.extend(read.into_iter().map(|(_, answer)| answer)),
        Err(why) => {
            let own = order.iter_mut().filter(|place| matches!(place, Ok(at) if *at >= first));
            for (place, name) in own.zip(names) {
                *place = Err((name, Err(why.clone())));
            }
        }
    }
}

/// Where answers go, in the order of the inputs.
struct Answers<'a> {
    args: &'a ExtractArgs,
    out: Output,
    says_why: bool,
    /// Why the output could not be written.
    failed: Option<io::Error>,
    worst: Outcome,
    read: usize,
    /// Inputs that could not be read, to be told at the end.
    errors: Vec<String>,
}

impl Answers<'_> {
    /// Takes one answer; `later` keeps its error for the end of the run.
    fn take(&mut self, name: &str, answer: web::InputAnswer, later: bool) -> ControlFlow<()> {
        match answer {
            Err(why) => {
                // an error of an address often begins with it
                let line = if why.starts_with(name) { why } else { format!("{name}: {why}") };
                if later {
                    self.errors.push(line);
                } else {
                    report::error(line);
                }
                self.worst = self.worst.max(Outcome::Unreadable);
            }
            Ok(None) => self.worst = self.worst.max(Outcome::Partial),
            Ok(Some(extraction)) => {
                self.read += 1;
                self.worst = self.worst.max(outcome(&extraction));
                tell(name, &extraction, self.args);
                if self.says_why {
                    report::explain(name, &extraction);
                }
                if let Err(error) = self.out.page(name, &extraction) {
                    self.failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn finish(self) -> Outcome {
        let target = self.args.output.name();
        if let Some(error) = &self.failed {
            return report::write_failed(error, &target);
        }
        if !self.errors.is_empty() {
            let all = self.read + self.errors.len();
            report::error(format_args!("{} of {all} could not be read:", self.errors.len()));
            for line in &self.errors {
                report::error(line);
            }
        }
        match self.out.finish(&self.args.output, self.read, self.worst, self.args.run.quiet) {
            Ok(()) => self.worst,
            Err(error) => report::write_failed(&error, &target),
        }
    }
}

/// Reads and extracts one file. A defect of ours ends the page, not the run.
pub(crate) fn file_page(input: &Input, options: &Options) -> Result<Read, String> {
    let bytes = input.read(options.limits.bytes)?;
    let received = Received { url: options.url.clone(), ..Received::default() };
    guarded(|| match copal::read(&bytes, &received, options).map_err(|error| error.to_string())? {
        Document::Page(page) => {
            Ok(Read::Page(Box::new(SetPage::analyse(input.name(), *page, &options.extract))))
        }
        Document::Data(extraction) => Ok(Read::Data(input.name(), extraction)),
    })
}

/// The answer for one file alone.
pub(crate) fn file_answer(input: &Input, options: &Options) -> Result<Answer, String> {
    let read = file_page(input, options)?;
    match read {
        Read::Data(_, answer) => Ok(*answer),
        Read::Page(page) => {
            let mut answers = guarded(|| Ok(copal::answer_set(vec![*page], &options.extract)))?;
            answers
                .pop()
                .map(|(_, named)| named.answer)
                .ok_or_else(|| "internal error on this page: please report it".into())
        }
    }
}

/// Turns a panic into an error of this page.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("internal error on this page: please report it".into()))
}

fn has_object(extraction: &Answer) -> bool {
    extraction.object.as_ref().is_some_and(|detail| !detail.fields.is_empty())
}

pub(crate) fn outcome(extraction: &Answer) -> Outcome {
    if extraction.is_partial() {
        Outcome::Partial
    } else if extraction.regions.is_empty() && !has_object(extraction) {
        Outcome::NothingFound
    } else {
        Outcome::Done
    }
}

fn tell(name: &str, extraction: &Answer, args: &ExtractArgs) {
    if args.run.quiet {
        return;
    }
    for warning in &extraction.warnings {
        match warning.limit().filter(|limit| *limit != Limit::Work) {
            Some(limit) => {
                report::warning(format_args!("{name}: {warning} (--limit-{} raises it)", limit.name()));
            }
            None => report::warning(format_args!("{name}: {warning}")),
        }
    }
    if has_object(extraction) {
        if args.run.verbose {
            let fields = extraction.object.as_ref().map_or(0, |detail| detail.fields.len());
            eprintln!("{}: one object, {}", report::printable(name), report::count(fields, "field"));
        }
    } else if extraction.regions.is_empty() {
        report::warning(format_args!(
            "{name}: no main list of records found (--all shows every list, --method asks one system)"
        ));
    } else if let Some(followed) = &extraction.followed {
        let records = extraction.primary().map_or(0, |list| list.records.len());
        let of = extraction.page.counter.as_ref().filter(|counter| counter.total >= records as u64);
        let of = of.map_or_else(String::new, |counter| format!(" of {}", counter.total));
        let pages = report::count(followed.pages.len(), "page");
        eprintln!(
            "{}: {records}{of} records on {pages}: {}",
            report::printable(name),
            report::printable(&followed.stopped)
        );
    } else if args.run.verbose {
        let records: usize = extraction.regions.iter().map(|region| region.records.len()).sum();
        let regions = report::count(extraction.regions.len(), "region");
        eprintln!("{}: {regions}, {}", report::printable(name), report::count(records, "record"));
    }
}

pub(crate) fn set_jobs(jobs: Option<usize>) -> Result<(), String> {
    match jobs {
        Some(n) => rayon::ThreadPoolBuilder::new().num_threads(n).build_global().map_err(|e| e.to_string()),
        None => Ok(()),
    }
}

/// A bar on a terminal, for work of more than a moment; nothing else.
pub(crate) fn progress(pages: usize, quiet: bool) -> ProgressBar {
    if quiet || pages < 20 || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, {eta} left");
    ProgressBar::new(pages as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
