//! `copal learn`: pages in, a wrapper file out.

use crate::args::{LimitArgs, RunArgs};
use crate::extract::guarded;
use crate::net_args::FetchArgs;
use crate::report::{self, Outcome};
use crate::{inputs, pages};
use clap::{Args, ValueEnum};
use copal::{Extraction, Options, Page};
use copal_output::destination::Destination;
use copal_wrapper::{Wrapper, learn, learn_section};
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal learn page1.html -o shop.copal.yaml                 the main list of a page
  copal learn https://shop.example/lamps -o shop.copal.yaml
  copal learn page1.html page2.html -o shop.copal.yaml      … as it is on several pages
  copal learn page.html --fields title,price --rename title=name -o shop.copal.yaml
  copal learn --method deuds --select 'table.fares' page.html -o fares.copal.yaml     a section of the page
  copal apply shop.copal.yaml page3.html -o page3.csv       reads another page with it";

/// Learn from pages how to read a site's other pages: writes a wrapper file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct LearnWrapperArgs {
    /// Addresses, files, folders, glob patterns, or -: pages of one kind
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<String>,

    /// Write to this file instead of standard output (whole or not at all)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// list: the main list with its records and columns; deuds: a pattern for the section that --select points at
    #[arg(long, value_enum, default_value = "list")]
    method: LearnMethod,

    /// With --method deuds: a CSS selector or an XPath of the section, as copal and browsers write it
    #[arg(long, value_name = "PATH", required_if_eq("method", "deuds"))]
    select: Option<String>,

    /// Columns that are kept, in this order
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fields: Vec<String>,

    /// Another name for a column (may be repeated; --fields has the old names)
    #[arg(long, value_name = "OLD=NEW", value_parser = renaming)]
    rename: Vec<(String, String)>,

    /// Where the pages came from
    #[arg(long)]
    url: Option<String>,

    #[command(flatten)]
    fetch: FetchArgs,

    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnMethod {
    /// The main list
    List,
    /// A section's pattern
    Deuds,
}

fn renaming(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or("expected OLD=NEW")?;
    if new.trim().is_empty() {
        return Err("expected a name behind =".into());
    }
    Ok((old.to_owned(), new.to_owned()))
}

pub(crate) fn run(args: &LearnWrapperArgs) -> Outcome {
    let mut options = Options::default();
    options.limits = args.limits.limits();
    options.url.clone_from(&args.url);
    let pages = match pages::all(&inputs::collect(&args.pages), &options, &args.fetch) {
        Ok(pages) => pages,
        Err(why) => {
            report::error(why);
            return Outcome::Unreadable;
        }
    };
    let learned = guarded(|| match (args.method, &args.select) {
        (LearnMethod::Deuds, Some(select)) => learn_section(&pages[0], select),
        _ => learn_list(&pages, &options, args),
    });
    let wrapper = match learned.and_then(|wrapper| named(wrapper, args)) {
        Ok(wrapper) => wrapper,
        Err(why) => {
            report::error(why);
            return Outcome::NothingFound;
        }
    };
    let target = args.output.as_deref().map_or("standard output".into(), |path| path.display().to_string());
    let written = Destination::open(args.output.as_deref()).and_then(|mut out| {
        write!(out, "{wrapper}")?;
        out.commit()
    });
    match written {
        Ok(()) => Outcome::Done,
        Err(error) => report::write_failed(&error, &target),
    }
}

fn learn_list(pages: &[Page], options: &Options, args: &LearnWrapperArgs) -> Result<Wrapper, String> {
    let found: Vec<Extraction> = pages.iter().map(|page| copal::extract_page(page, options)).collect();
    let samples: Vec<(&Page, &Extraction)> = pages.iter().zip(&found).collect();
    let learned = learn(&samples)?;
    if !args.run.quiet {
        for note in &learned.notes {
            report::warning(note);
        }
    }
    Ok(learned.wrapper)
}

/// The wrapper with the columns that are asked for, and their names.
fn named(mut wrapper: Wrapper, args: &LearnWrapperArgs) -> Result<Wrapper, String> {
    for rule in &mut wrapper.pages {
        let known: Vec<String> = rule.columns.iter().map(|column| column.name.clone()).collect();
        let asked = args.fields.iter().chain(args.rename.iter().map(|(old, _)| old));
        if let Some(wrong) = asked.into_iter().find(|name| !known.contains(name)) {
            return Err(format!("no column {wrong:?}: expected one of {}", known.join(", ")));
        }
        if !args.fields.is_empty() {
            let kept =
                args.fields.iter().filter_map(|name| rule.columns.iter().find(|column| column.name == *name));
            rule.columns = kept.cloned().collect();
        }
        for column in &mut rule.columns {
            if let Some((_, new)) = args.rename.iter().find(|(old, _)| *old == column.name) {
                column.name.clone_from(new);
            }
        }
    }
    // what is written can be read: two columns of one name cannot
    Wrapper::parse(&wrapper.to_string()).map_err(|error| error.to_string())
}
