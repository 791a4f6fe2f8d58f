//! `copal sections`: what a page consists of, with the pattern of each section.

use crate::arguments::pages::PageArguments;
use crate::error::CliError;
use crate::outcome::Outcome;
use crate::page_pipeline::PageReader;
use crate::reporting;
use clap::Args;
use copal::Page;
use copal::wrapper::page_sections;
use std::fmt::Write as _;
use std::ops::ControlFlow;

const EXAMPLES: &str = "\
Examples:
  copal sections fund.html                                                  all sections of a page
  copal learn --method deuds --select 'PATTERN' fund.html -o nav.copal.yaml a wrapper for one of them

Exit codes: 0 done, 1 nothing found, 2 wrong usage, 3 input unreadable, 4 a page was incomplete.";

/// List the sections of pages (tables, lists, paragraphs, values) with their patterns
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct SectionsArguments {
    #[command(flatten)]
    pages: PageArguments,
}

pub(crate) fn run(arguments: &SectionsArguments) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    reading.run.start_threads()?;
    let (inputs, request) = (arguments.pages.inputs()?, reading.request());
    let has_many = inputs.len() > 1;
    let (mut worst, mut printed) = (Outcome::Done, Ok(()));
    PageReader::new(&inputs, &request, &reading.fetch)?.for_each_batch(|batch| {
        for (name, page) in batch {
            match page {
                Ok(page) => {
                    worst = worst.max(reporting::partial_page(&name, &page, reading.run.quiet));
                    let (text, is_empty) = describe(has_many.then_some(name.as_str()), &page);
                    if is_empty {
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
    Ok(worst)
}

/// The sections of a page as text, and whether there are none.
fn describe(name: Option<&str>, page: &Page) -> (String, bool) {
    let sections = page_sections(page);
    let mut text = name.map_or_else(String::new, |name| format!("== {}\n", reporting::printable(name)));
    for (number, section) in sections.iter().enumerate() {
        let size = if section.columns > 1 || section.records > 1 {
            format!(
                "{} x {}",
                reporting::count(section.records, "record"),
                reporting::count(section.columns, "column")
            )
        } else {
            reporting::count(section.chars, "character")
        };
        let _ = writeln!(
            text,
            "{}. {}, {size}: {}\n   {}",
            number + 1,
            section.kind.name(),
            reporting::printable(&section.preview),
            reporting::printable(&section.pattern)
        );
    }
    (text, sections.is_empty())
}
