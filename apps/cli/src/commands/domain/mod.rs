//! `copal domain`: list, show, create and test domains, and learn their gazetteers.

mod learn;
mod learn_arguments;
mod learn_pages;
mod learn_questions;
mod new_domain;

use crate::arguments::annotators::AnnotatorArguments;
use crate::arguments::pages::ReadingArguments;
use crate::domain_file;
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::page_pipeline::PageReader;
use crate::{inputs, reporting};
use clap::{Args, Subcommand};
use copal::{Domain, Page};
use copal_domain::domain_tests;
use copal_domain::{DomainAttribute, annotate_object};
use learn_arguments::DomainLearnArguments;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  copal domain list                                                  the built-in domains
  copal domain show real-estate                                      the attributes of a domain
  copal domain new boats                                             a folder that works, to start with
  copal domain test boats                                            the domain's own tests
  copal domain test boats page.html                                  which attributes are found where
  copal domain learn real-estate pages/ --attribute location         new terms from pages";

/// Manage domains: named sets of typed fields (books, jobs, real estate …)
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DomainArguments {
    #[command(subcommand)]
    command: DomainCommand,
}

#[derive(Debug, Subcommand)]
enum DomainCommand {
    /// List the built-in domains
    List,
    /// Show the attributes of a domain
    Show {
        /// A built-in domain, or the path of a domain.yaml
        name: String,
    },
    /// Write a folder to start with: a domain that works, its tests and an example page
    New {
        /// Name of the domain, and of the folder
        #[arg(value_parser = new_domain::parse_name)]
        name: String,
    },
    /// Show what a domain finds on pages: every attribute with its text, type and element
    ///
    /// Without pages, the domain's own examples are tested: `tests.yaml` next to `domain.yaml` has, for each
    /// attribute, strings with it ("yes") and without it ("no").
    Test(Box<DomainTestArguments>),
    Learn(Box<DomainLearnArguments>),
}

#[derive(Debug, Args)]
struct DomainTestArguments {
    /// A built-in domain, or the path of a domain.yaml
    name: String,

    /// URLs, files, folders, glob patterns, or - for standard input
    #[arg(value_name = "PAGE")]
    pages: Vec<std::ffi::OsString>,

    #[command(flatten)]
    annotators: AnnotatorArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

pub(crate) fn run(arguments: &DomainArguments) -> Result<Outcome, CliError> {
    match &arguments.command {
        DomainCommand::List => list(),
        DomainCommand::New { name } => new_domain::run(name),
        DomainCommand::Show { name } => show(&domain_file::load(name)?),
        DomainCommand::Test(arguments) if arguments.pages.is_empty() => test_examples(&arguments.name),
        DomainCommand::Test(arguments) => test_pages(arguments),
        DomainCommand::Learn(arguments) => learn::run(arguments),
    }
}

fn list() -> Result<Outcome, CliError> {
    let mut text = String::new();
    for domain in Domain::summaries() {
        let attributes = reporting::count(domain.attributes.len(), "attribute");
        let _ = writeln!(text, "{}: {attributes} per {}, {} terms", domain.name, domain.object, domain.terms);
    }
    reporting::print(&text)?;
    Ok(Outcome::Done)
}

fn show(domain: &Domain) -> Result<Outcome, CliError> {
    let pivot = &domain.attributes[domain.pivot].name;
    let article = if domain.object.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    let mut text = format!("{} ({article} {}), pivot {pivot}\n", domain.name, domain.object);
    for (number, attribute) in domain.attributes.iter().enumerate() {
        let mark = match (domain.characteristic.contains(&number), domain.mandatory.contains(&number)) {
            (true, true) => "characteristic, mandatory",
            (true, false) => "characteristic",
            (false, true) => "mandatory",
            (false, false) => "",
        };
        let (kind, labels) = (attribute.attribute_type.name(), attribute.labels.join(", "));
        let _ = writeln!(text, "  {:20} {kind:12} {mark:14} {labels}", attribute.name);
    }
    for group in &domain.together {
        let names: Vec<&str> = group.iter().map(|&one| domain.attributes[one].name.as_str()).collect();
        let _ = writeln!(text, "together: {}", names.join(", "));
    }
    for name in domain.annotator_names() {
        let asked = domain.attributes.iter().filter(|one| one.annotators.iter().any(|known| known == name));
        let asked: Vec<&str> = asked.map(|one| one.name.as_str()).collect();
        let _ = writeln!(text, "annotator {name} (--annotator {name}=COMMAND): {}", asked.join(", "));
    }
    reporting::print(&text)?;
    Ok(Outcome::Done)
}

/// Tests a domain with its own examples.
fn test_examples(name: &str) -> Result<Outcome, CliError> {
    let domain = domain_file::load(name)?;
    if Path::new(name).is_file() && !Path::new(name).with_file_name("tests.yaml").exists() {
        let message = "has no tests.yaml next to it: expected examples with and without each attribute";
        let hint = format!("to see what it finds on a page: copal domain test {name} page.html");
        return Err(CliError::usage(message).about(name).with_hint(hint));
    }
    let tests = Domain::tests(name).map_err(CliError::usage)?;
    let report = domain_tests::run_domain_tests(&domain, &tests)
        .map_err(|error| CliError::usage(format_args!("{name}: tests.yaml: {error}")))?;
    let mut text = String::new();
    for fault in &report.failures {
        let _ = writeln!(text, "{}", reporting::printable(&fault.to_string()));
    }
    let _ = writeln!(
        text,
        "{}: {} for {}, {}",
        domain.name,
        reporting::count(report.strings, "string"),
        reporting::count(report.attributes, "attribute"),
        reporting::count(report.failures.len(), "fault")
    );
    reporting::print(&text)?;
    Ok(if report.failures.is_empty() { Outcome::Done } else { Outcome::NothingFound })
}

/// Shows what a domain finds on pages.
fn test_pages(arguments: &DomainTestArguments) -> Result<Outcome, CliError> {
    let loaded = Arc::new(domain_file::load(&arguments.name)?);
    let bound = arguments.annotators.bind(Some(&loaded), arguments.reading.run.quiet);
    let domain = bound.domain.as_ref().unwrap_or(&loaded);
    arguments.reading.run.start_threads()?;
    let (inputs, request) = (inputs::expand_all(&arguments.pages), arguments.reading.request());
    let mut worst = Outcome::Done;
    let mut printed = Ok(());
    PageReader::new(&inputs, &request, &arguments.reading.fetch)?.for_each_batch(|batch| {
        for (name, page) in batch {
            match page {
                Ok(page) => {
                    let (text, has_found) = describe_page(&name, &page, domain);
                    if !has_found {
                        worst = worst.max(Outcome::NothingFound);
                    }
                    printed = reporting::print(&text);
                    if printed.is_err() {
                        return ControlFlow::Break(());
                    }
                }
                Err(error) => {
                    worst = worst.max(error.outcome());
                    reporting::error(&error.about(name));
                }
            }
        }
        ControlFlow::Continue(())
    });
    printed?;
    Ok(worst.max(bound.outcome()))
}

/// The attributes of a page as text, and whether there are any.
fn describe_page(name: &str, page: &Page, domain: &Domain) -> (String, bool) {
    let found = annotate_object(page, domain);
    let mut text = format!("== {}\n", reporting::printable(name));
    for annotation in &found {
        let kind = if annotation.label { "label" } else { "value" };
        let attribute = &domain.attributes[annotation.attribute].name;
        let tag = page.tree.tag_name(annotation.node);
        let shown = reporting::printable(&annotation.text);
        let _ = writeln!(text, "  {attribute:20} {kind}  <{tag}>  {shown}");
    }
    for (number, attribute) in domain.attributes.iter().enumerate() {
        if !found.iter().any(|annotation| annotation.attribute == number) {
            let _ = writeln!(text, "  {:20} not found ({})", attribute.name, what_was_tried(attribute));
        }
    }
    (text, !found.is_empty())
}

/// How an attribute that was not found is recognised.
fn what_was_tried(attribute: &DomainAttribute) -> String {
    let mut tried = vec![format!("type {}", attribute.attribute_type.name())];
    if !attribute.labels.is_empty() {
        tried.push(reporting::count(attribute.labels.len(), "label"));
    }
    if attribute.has_own_recognisers() {
        tried.push("rules or terms".to_owned());
    }
    if !attribute.is_recognised() {
        tried.push("found by how it looks in a list".to_owned());
    }
    if attribute.detail_only {
        tried.push("on detail pages only".to_owned());
    }
    format!("tried: {}", tried.join(", "))
}
