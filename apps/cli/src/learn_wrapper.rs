//! `copal learn`: pages in, a wrapper file out.

use crate::args::{KindName, LimitArgs, RunArgs};
use crate::extract::guarded;
use crate::net_args::FetchArgs;
use crate::report::{self, Outcome};
use crate::{inputs, pages};
use clap::{Args, ValueEnum};
use copal::objects::Object;
use copal::{Answer, Options, Page, SetPage, answer_set};
use copal_output::destination::Destination;
use copal_wrapper::{PageKind, Wrapper, learn, learn_objects, learn_section};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal learn page1.html -o shop.copal.yaml                 the main list of a page
  copal learn https://shop.example/lamps -o shop.copal.yaml
  copal learn page1.html page2.html -o shop.copal.yaml      … as it is on several pages
  copal learn list.html books/*.html -o shop.copal.yaml     a list and pages of single objects
  copal learn page.html --fields title,price --rename title=name -o shop.copal.yaml
  copal learn --method deuds --select 'table.fares' page.html -o fares.copal.yaml     a section of the page
  copal apply shop.copal.yaml page3.html -o page3.csv       reads another page with it";

/// Learn from pages how to read a site's other pages: writes a wrapper file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct LearnWrapperArgs {
    /// Addresses, files, folders, glob patterns, or -: a site's lists, and pages of its objects
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<String>,

    /// Write to this file instead of standard output (whole or not at all)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// list: the main list with its records and columns; deuds: a pattern for the section that --select points at
    #[arg(long, value_enum, default_value = "list")]
    method: LearnMethod,

    /// What the pages are: lists, or one object each; auto looks at each page, and the wrapper has a rule for each kind
    #[arg(long, value_enum, default_value = "auto")]
    kind: KindName,

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
        (LearnMethod::Deuds, Some(select)) => {
            learn_section(&pages[0], select).map_err(|error| error.to_string())
        }
        _ => learn_pages(pages, &options, args),
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

/// A wrapper with a rule for each kind of page: lists, and the pages of single objects.
fn learn_pages(pages: Vec<Page>, options: &Options, args: &LearnWrapperArgs) -> Result<Wrapper, String> {
    let mut request = options.extract.clone();
    request.kind = args.kind.request();
    let named = pages.into_par_iter().enumerate();
    let set: Vec<SetPage> =
        named.map(|(at, page)| SetPage::analyse(at.to_string(), page, &request)).collect();
    let read = answer_set(set, &request);
    let lists: Vec<(&Page, &Answer)> = read
        .iter()
        .filter(|(_, named)| named.answer.object.is_none())
        .map(|(page, named)| (page, &named.answer))
        .collect();
    let mut objects: BTreeMap<usize, Vec<(&Page, &Object)>> = BTreeMap::new();
    for (page, named) in &read {
        if let Some(object) = &named.answer.object {
            objects.entry(object.template).or_default().push((page, object));
        }
    }
    // a kind of page that cannot be learned does not keep the others from it
    let tried = (!lists.is_empty()).then(|| learn(&lists)).into_iter();
    let tried = tried.chain(objects.values().map(|pages| learn_objects(pages)));
    let (learned, failed): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
    let failed: Vec<String> =
        failed.into_iter().filter_map(Result::err).map(|error| error.to_string()).collect();
    let mut learned = learned.into_iter().flatten();
    let Some(mut all) = learned.next() else { return Err(failed.join("; ")) };
    all.notes.extend(failed);
    for more in learned {
        all.wrapper.pages.extend(more.wrapper.pages);
        all.notes.extend(more.notes);
    }
    if !args.run.quiet {
        for note in &all.notes {
            report::warning(note);
        }
    }
    Ok(all.wrapper)
}

/// The wrapper with the columns that are asked for, and their names.
fn named(mut wrapper: Wrapper, args: &LearnWrapperArgs) -> Result<Wrapper, String> {
    let names = wrapper.pages.iter().flat_map(|rule| &rule.columns).map(|column| column.name.as_str());
    let known: BTreeSet<&str> = names.collect();
    let asked = args.fields.iter().chain(args.rename.iter().map(|(old, _)| old));
    if let Some(wrong) = asked.into_iter().find(|name| !known.contains(name.as_str())) {
        let known: Vec<&str> = known.into_iter().collect();
        return Err(format!("no column {wrong:?}: expected one of {}", known.join(", ")));
    }
    for rule in &mut wrapper.pages {
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
    wrapper.pages.retain(|rule| rule.kind == PageKind::Section || !rule.columns.is_empty());
    // what is written can be read: two columns of one name cannot
    Wrapper::parse(&wrapper.to_string()).map_err(|error| error.to_string())
}
