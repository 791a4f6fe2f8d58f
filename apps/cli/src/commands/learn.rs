//! `copal learn`: pages in, a wrapper file out.

use crate::arguments::annotators::AnnotatorArguments;
use crate::arguments::choice::ListChoiceArguments;
use crate::arguments::columns::ColumnArguments;
use crate::arguments::method::load_domain;
use crate::arguments::pages::{PageArguments, PageKindChoice};
use crate::error::{CliError, catch_panic};
use crate::input_protection::check_inputs_stay;
use crate::inputs::Input;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::page_pipeline::PageReader;
use crate::reporting;
use clap::{ArgGroup, Args, ValueEnum};
use copal::wrapper::{PageKind, Wrapper, learn_fields, learn_section};
use copal::{Domain, Page, Request, SetPage};
use copal_tasks::{learn_pages, with_columns};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  copal learn page1.html -o shop.copal.yaml                      the main list of a page
  copal learn https://shop.example/lamps -o shop.copal.yaml
  copal learn page1.html page2.html -o shop.copal.yaml           from several pages
  copal learn page.html --near 'Blue lamp' -o shop.copal.yaml    the list that contains this text
  copal learn list.html books/*.html -o shop.copal.yaml          a list and pages of single objects
  copal learn houses.html --domain real-estate --fields title,price -o houses.copal.yaml
  copal learn page.html --fields title,price --rename title=name -o shop.copal.yaml
  copal learn --method deuds --select 'table.fares' page.html -o fares.copal.yaml     a section of the page
  copal apply shop.copal.yaml page3.html -o page3.csv            reads another page with it

Exit codes: 0 done, 1 nothing found to learn, 2 wrong usage, 3 input unreadable, 4 a page was
incomplete.";

/// Learn a wrapper from sample pages of a site
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true, group = ArgGroup::new("pointed_at").args(["select", "pointed"]))]
pub(crate) struct LearnArguments {
    /// Write the wrapper to this file, completely or not at all [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// list: a list with its records and columns; deuds: patterns for the section that --select points at, or
    /// for the fields that --field points at, by CSS selectors or XPaths
    #[arg(long, value_enum, default_value = "list", requires_if("deuds", "pointed_at"))]
    method: LearnMethod,

    /// With --method deuds: a field and the CSS selector or XPath of its element (may be repeated)
    #[arg(long = "field", value_name = "NAME=CSS", value_parser = parse_pointed, conflicts_with = "select")]
    pointed: Vec<(String, String)>,

    /// What the pages are: lists, or one object each; auto decides for each page, and the wrapper has a rule
    /// for each kind
    #[arg(long, value_enum, default_value = "auto")]
    kind: PageKindChoice,

    #[command(flatten)]
    choice: ListChoiceArguments,

    /// What the records are: a built-in domain (see copal domain list) or the path of a domain.yaml. The columns
    /// get the names and types of its attributes
    #[arg(long, value_name = "NAME|FILE", value_parser = load_domain)]
    domain: Option<Arc<Domain>>,

    #[command(flatten)]
    annotators: AnnotatorArguments,

    #[command(flatten)]
    columns: ColumnArguments,

    #[command(flatten)]
    pages: PageArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnMethod {
    /// A list
    List,
    /// A section's pattern
    Deuds,
}

fn parse_pointed(text: &str) -> Result<(String, String), CliError> {
    match text.split_once('=') {
        Some((name, path)) if !name.trim().is_empty() && !path.trim().is_empty() => {
            Ok((name.trim().to_owned(), path.trim().to_owned()))
        }
        _ => Err(CliError::usage("expected NAME=CSS")),
    }
}

pub(crate) fn run(arguments: &LearnArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    let mut request = reading.request();
    request.kind = arguments.kind.request();
    if arguments.method == LearnMethod::List && !arguments.pointed.is_empty() {
        return Err(CliError::usage("--field needs --method deuds"));
    }
    if arguments.method == LearnMethod::List {
        request.choice = arguments.choice.choice(arguments.kind)?;
    }
    request.lists.combined.min_confidence = arguments.choice.min_confidence;
    let bound = arguments.annotators.bind(arguments.domain.as_ref(), reading.run.quiet);
    request.set_domain(bound.domain.clone());
    reading.run.start_threads()?;
    let inputs = arguments.pages.inputs()?;
    check_inputs_stay(arguments.output.as_deref(), &inputs)?;
    let pages = PageReader::new(&inputs, &request, &reading.fetch)?.all(reading.run.quiet)?;
    let names = inputs.iter().map(Input::name);
    let read =
        names.clone().zip(&pages).map(|(name, page)| reporting::partial_page(&name, page, reading.run.quiet));
    let worst = read.max().unwrap_or(Outcome::Done);
    let wrapper = catch_panic(|| match (arguments.method, &arguments.choice.select) {
        (LearnMethod::Deuds, Some(path)) => learn_section(&pages[0], path).map_err(nothing_learned),
        (LearnMethod::Deuds, None) => learn_fields(&pages[0], &arguments.pointed).map_err(nothing_learned),
        _ => learn_from(names.zip(pages).collect(), &request, reading.run.quiet),
    })?;
    let wrapper = with_columns(wrapper, &arguments.columns.selection())?;
    write_text(arguments.output.as_deref(), &wrapper.to_string())?;
    if let Some(file) = arguments.output.as_deref().filter(|_| !reading.run.quiet) {
        report_learned(file, &wrapper, inputs.len());
    }
    Ok(worst.max(bound.outcome()))
}

/// Says what the wrapper reads, and how to use it.
fn report_learned(file: &Path, wrapper: &Wrapper, pages: usize) {
    let name = reporting::printable(&file.display().to_string());
    for rule in &wrapper.pages {
        let what = match rule.kind {
            PageKind::List => "lists",
            PageKind::Detail => "pages of one object",
            PageKind::Section => "a section",
        };
        let columns: Vec<&str> = rule.columns.iter().map(|column| column.name.as_str()).collect();
        let columns = match columns.as_slice() {
            [] => String::new(),
            names => format!(" with {} ({})", reporting::count(names.len(), "column"), names.join(", ")),
        };
        let samples = reporting::count(pages, "page");
        reporting::line(format_args!(
            "{name}: reads {what}{}, learned from {samples}",
            reporting::printable(&columns)
        ));
    }
    reporting::line(format_args!("read other pages with: copal apply {name} PAGE"));
}

fn nothing_learned(message: impl std::fmt::Display) -> CliError {
    CliError::new(Outcome::NothingFound, message)
}

/// A wrapper with a rule for each kind of page, and warnings about what was not learned.
fn learn_from(pages: Vec<(String, Page)>, request: &Request, quiet: bool) -> Result<Wrapper, CliError> {
    let set: Vec<SetPage> =
        pages.into_par_iter().map(|(name, page)| SetPage::analyse(name, page, request)).collect();
    let learned = learn_pages(set, request)?;
    if !quiet {
        for named in &learned.answers {
            reporting::possible_list(&named.name, &named.answer);
        }
        learned.notes.iter().for_each(reporting::warning);
    }
    Ok(learned.wrapper)
}
