//! `copal export`: a wrapper file in, the same for another tool out.

use crate::apply::load;
use crate::report::{self, Outcome};
use clap::{Args, ValueEnum};
use copal_output::destination::Destination;
use copal_wrapper::export::{Target, export};
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal export shop.copal.yaml --to scrapy -o spider.py           scrapy runspider spider.py -a start=URL -O all.jsonl
  copal export shop.copal.yaml --to playwright -o shop.mjs        node shop.mjs URL --chromium /usr/bin/chromium
  copal export shop.copal.yaml --to crawl4ai -o schema.json       JsonCssExtractionStrategy(json.load(open('schema.json')))
  copal export shop.copal.yaml --to xpath-json -o paths.json      for lxml and other engines of XPath 1.0
  copal export shop.copal.yaml --to oxpath --url https://shop.example/lamps

What a tool cannot say is told by column. docs/export.md has what each of them can.";

/// Write a wrapper for another tool: Scrapy, crawl4ai, OXPath, Playwright, or XPaths as JSON
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ExportArgs {
    /// The wrapper file that copal learn wrote
    wrapper: PathBuf,

    /// The tool
    #[arg(long, value_enum)]
    to: TargetName,

    /// Write to this file instead of standard output (whole or not at all)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// With --to oxpath: the address of the page (default: the wrapper's, if it is one)
    #[arg(long)]
    url: Option<String>,

    /// No warnings; errors only
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TargetName {
    /// A spider in Python, with a function that needs parsel only
    Scrapy,
    /// A schema of its strategy with CSS selectors
    Crawl4ai,
    /// An OXPath expression
    Oxpath,
    /// A script for Node that opens pages in Chromium
    Playwright,
    /// XPaths of region, records and columns
    XpathJson,
}

impl TargetName {
    fn target(self) -> Target {
        match self {
            TargetName::Scrapy => Target::Scrapy,
            TargetName::Crawl4ai => Target::Crawl4ai,
            TargetName::Oxpath => Target::Oxpath,
            TargetName::Playwright => Target::Playwright,
            TargetName::XpathJson => Target::XpathJson,
        }
    }
}

pub(crate) fn run(args: &ExportArgs) -> Outcome {
    let wrapper = match load(&args.wrapper) {
        Ok((wrapper, _)) => wrapper,
        Err(why) => {
            report::error(format_args!("{}: {why}", args.wrapper.display()));
            return Outcome::Unreadable;
        }
    };
    let exported = match export(&wrapper, args.to.target(), args.url.as_deref()) {
        Ok(exported) => exported,
        Err(why) => {
            report::error(format_args!("{}: {why}", args.wrapper.display()));
            return Outcome::NothingFound;
        }
    };
    for warning in exported.warnings.iter().filter(|_| !args.quiet) {
        report::warning(warning);
    }
    let target = args.output.as_deref().map_or("standard output".into(), |path| path.display().to_string());
    let written = Destination::open(args.output.as_deref()).and_then(|mut out| {
        out.write_all(exported.text.as_bytes())?;
        out.commit()
    });
    match written {
        Ok(()) => Outcome::Done,
        Err(error) => report::write_failed(&error, &target),
    }
}
