//! `copal export`: a wrapper file in, the same for another tool out.

use crate::error::CliError;
use crate::input_protection::check_files_stay;
use crate::outcome::Outcome;
use crate::output_target::write_text;
use crate::{reporting, wrapper_file};
use clap::{Args, ValueEnum};
use copal::wrapper::export::{ExportOptions, Target, export_with};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal export shop.copal.yaml --to scrapy -o spider.py           scrapy runspider spider.py -a start=URL -O all.jsonl
  copal export shop.copal.yaml --to playwright -o shop.mjs        node shop.mjs URL --chromium /usr/bin/chromium
  copal export shop.copal.yaml --to crawl4ai -o schema.json       JsonCssExtractionStrategy(json.load(open('schema.json')))
  copal export shop.copal.yaml --to xpath-json -o paths.json      for lxml and other XPath 1.0 engines
  copal export shop.copal.yaml --to oxpath --url https://shop.example/lamps

What a tool cannot express is reported per column.";

/// Write a wrapper for another tool: Scrapy, Playwright, crawl4ai, OXPath, or XPaths
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ExportArguments {
    /// The wrapper file that copal learn wrote
    wrapper: PathBuf,

    /// The tool
    #[arg(long, value_enum)]
    to: ExportTarget,

    /// Write to this file, completely or not at all [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// With --to oxpath: the URL of the page [default: the wrapper's, if it is a URL]
    #[arg(long)]
    url: Option<String>,

    /// Read all pages of the list, if the wrapper knows the next link: --to oxpath writes a Kleene star, and the
    /// programs of --to scrapy and --to playwright read all pages by default
    #[arg(long)]
    follow: bool,

    /// Print errors only, no warnings
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportTarget {
    /// A spider in Python, with a function that only needs parsel
    Scrapy,
    /// A schema for its strategy with CSS selectors
    Crawl4ai,
    /// An OXPath expression
    Oxpath,
    /// A script for Node that opens pages in Chromium
    Playwright,
    /// XPaths of region, records and columns
    XpathJson,
}

impl ExportTarget {
    fn target(self) -> Target {
        match self {
            ExportTarget::Scrapy => Target::Scrapy,
            ExportTarget::Crawl4ai => Target::Crawl4ai,
            ExportTarget::Oxpath => Target::Oxpath,
            ExportTarget::Playwright => Target::Playwright,
            ExportTarget::XpathJson => Target::XpathJson,
        }
    }
}

pub(crate) fn run(arguments: &ExportArguments) -> Result<Outcome, CliError> {
    check_files_stay(arguments.output.as_deref(), std::iter::once(arguments.wrapper.as_path()))?;
    let wrapper = wrapper_file::load(&arguments.wrapper)?.wrapper;
    let options = ExportOptions::for_url(arguments.url.as_deref()).following(arguments.follow);
    let exported = export_with(&wrapper, arguments.to.target(), &options)
        .map_err(|error| CliError::new(Outcome::NothingFound, error).about(arguments.wrapper.display()))?;
    if !arguments.quiet {
        exported.warnings.iter().for_each(reporting::warning);
    }
    write_text(arguments.output.as_deref(), &exported.text)?;
    Ok(Outcome::Done)
}
