//! `copal-lab survive`: how long wrappers live when sites change their pages.
//!
//! In: a corpus. Out: for each page one JSON line per reader and number of changes on standard output:
//! `{"id", "way", "mutations", "operators", "texts", "alarm"}`. `extract` is the extraction of the page
//! before the changes; `alarm` is what a check of the page reports (for `vote`, the wrapper). With `--learn
//! first` everything is learned on the first page of the site (`learned`) and the others are changed.
//! `research/compare/survive.py` compares the texts with the gold and prints the table. Cost: about a second
//! per page.

mod baseline;
pub(crate) mod editable;
mod mutate;

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::random::SplitMix64;
use crate::report::Outcome;
use baseline::Baseline;
use clap::{Args, ValueEnum};
use copal_dom::{Limits, Node, Page};
use copal_extract::located::{root_of, tops};
use copal_extract::{Answer, Origin, Record, Request, extract};
use copal_wrapper::{Wrapper, apply, check, learn, repair};
use editable::EditablePage;
use mutate::OPERATORS;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The numbers of changes after which wrappers are tried.
const CHANGE_COUNTS: [usize; 7] = [0, 1, 2, 3, 5, 7, 10];
/// Only the first pages of each site are used.
const MAX_PAGES_PER_SITE: usize = 3;

/// Apply wrappers to pages after changes as sites make them
#[derive(Debug, Args)]
pub(crate) struct SurviveArgs {
    /// Corpus folder
    corpus: PathBuf,

    /// Seed of the changes
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Maximum number of pages
    #[arg(long, value_name = "N")]
    pages: Option<usize>,

    /// Only pages whose id starts with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,

    /// Learn on the page itself, or on the first page of its site
    #[arg(long, value_enum, default_value = "own")]
    learn: LearnOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnOn {
    Own,
    First,
}

pub(crate) fn run(args: &SurviveArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for page in corpus.pages_of("lists") {
        if page.is_held_out() || !page.is_main || !page.id.starts_with(&args.only) {
            continue;
        }
        let site = if page.site.is_empty() { page.id.as_str() } else { page.site.as_str() };
        let ids = sites.entry(site).or_default();
        if ids.is_empty() {
            order.push(site);
        }
        if ids.len() < MAX_PAGES_PER_SITE {
            ids.push(&page.id);
        }
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let cannot_write = LabError::write(Path::new("standard output"));
    let mut left = args.pages.unwrap_or(usize::MAX);
    for site in order {
        let mut pages = sites[site].iter().filter_map(|id| ListPage::new(id, corpus.page(id)?));
        let first = if args.learn == LearnOn::Own { None } else { pages.next() };
        for page in pages {
            if left == 0 {
                break;
            }
            survive(first.as_ref().unwrap_or(&page), &page, args.seed, &mut out).map_err(&cannot_write)?;
            left -= 1;
        }
    }
    out.flush().map_err(&cannot_write)?;
    Ok(Outcome::Done)
}

/// A page with its list.
struct ListPage {
    id: String,
    page: Page,
    found: Answer,
    /// The elements of each record.
    records: Vec<Vec<Node>>,
    root: Node,
}

impl ListPage {
    /// None for pages without a list.
    fn new(id: &str, page: Page) -> Option<ListPage> {
        let found = extract(&page, &Request::default());
        let list = found.primary().filter(|list| list.origin == Origin::Page)?;
        let elements =
            |record: &Record| record.place.parts.iter().flat_map(|part| tops(&page, part)).collect();
        let records = list.records.iter().map(elements).filter(|tops: &Vec<Node>| !tops.is_empty());
        let records: Vec<Vec<Node>> = records.collect();
        let parts: Vec<_> = list.records.iter().map(|record| record.place.parts.clone()).collect();
        let root = root_of(&page, &parts);
        (!records.is_empty()).then(|| ListPage { id: id.to_owned(), records, root, found, page })
    }
}

fn survive(learned: &ListPage, known: &ListPage, seed: u64, out: &mut impl Write) -> io::Result<()> {
    let id = known.id.as_str();
    let mut write =
        |way: &str, mutations: usize, operators: &[&str], texts: &[String], alarm: Vec<String>| {
            let line = serde_json::json!({
                "id": id, "way": way, "mutations": mutations, "operators": operators,
                "texts": texts, "alarm": alarm,
            });
            writeln!(out, "{line}")
        };
    write("extract", 0, &[], &texts_of(&known.found), Vec::new())?;
    if learned.id != known.id {
        write("learned", 0, &[&learned.id], &texts_of(&learned.found), Vec::new())?;
    }
    let wrapper = learn(&[(&learned.page, &learned.found)]).ok().map(|learned| learned.wrapper);
    let first = wrapper.as_ref().map(first_only);
    let baselines = [
        ("xpath", Baseline::xpaths(&learned.page, &learned.records)),
        ("copied", Baseline::copied(&learned.page, &learned.records)),
        ("deuds", Baseline::deuds(&learned.page, learned.root, &learned.records)),
    ];

    let mut random =
        SplitMix64(id.bytes().fold(seed, |sum, byte| sum.wrapping_mul(131).wrapping_add(byte.into())));
    let mut editable = EditablePage::new(&known.page.tree, known.records.clone());
    let mut operators: Vec<&str> = Vec::new();
    for mutations in CHANGE_COUNTS {
        while operators.len() < mutations {
            let (name, change) = OPERATORS[random.below(OPERATORS.len())];
            let mut changed = editable.clone();
            if change(&mut changed, &mut random) {
                editable = changed;
                operators.push(name);
            }
        }
        let mut changed = Page::from_text(&editable.html(), &Limits::default());
        changed.url.clone_from(&known.page.url);
        let read = |wrapper: Option<&Wrapper>| {
            wrapper.map(|wrapper| texts_of(&apply(wrapper, &changed))).unwrap_or_default()
        };
        let alarm = wrapper.as_ref().map(|wrapper| alarms(wrapper, &changed)).unwrap_or_default();
        write("vote", mutations, &operators, &read(wrapper.as_ref()), alarm)?;
        let mut say = |way: &str, mutations: usize, operators: &[&str], texts: &[String]| {
            write(way, mutations, operators, texts, Vec::new())
        };
        say("first", mutations, &operators, &read(first.as_ref()))?;
        let texts = wrapper.as_ref().map(|wrapper| repaired(wrapper, &changed)).unwrap_or_default();
        say("repair", mutations, &operators, &texts)?;
        say("truth", mutations, &operators, &truth(&editable))?;
        say("again", mutations, &operators, &texts_of(&extract(&changed, &Request::default())))?;
        for (name, baseline) in &baselines {
            say(name, mutations, &operators, &baseline.find(&changed))?;
        }
    }
    Ok(())
}

/// What the wrapper reads after a repair on the changed page. Without a need for repair, or if it fails, the
/// wrapper is used as it is.
fn repaired(wrapper: &Wrapper, page: &Page) -> Vec<String> {
    match repair(wrapper, &[page], 1) {
        Ok(repaired) => texts_of(&apply(&repaired.wrapper, page)),
        Err(_) => texts_of(&apply(wrapper, page)),
    }
}

/// What a check of one page reports.
fn alarms(wrapper: &Wrapper, page: &Page) -> Vec<String> {
    let words = |alarm: &copal_wrapper::Alarm| {
        format!(
            "{} {}: {}",
            alarm.drift.level.name(),
            alarm.drift.column.as_deref().unwrap_or("-"),
            alarm.drift.message
        )
    };
    check(wrapper, &[page]).alarms.iter().map(words).collect()
}

/// The texts of the records after the changes, found by marks on their elements: an upper bound for every
/// reader.
fn truth(editable: &EditablePage) -> Vec<String> {
    const MARK: &str = "data-record";
    let mut marked = editable.clone();
    for (number, tops) in editable.records.iter().enumerate() {
        for &top in tops {
            marked.set_attribute(top, MARK, &number.to_string());
        }
    }
    let page = Page::from_text(&marked.html(), &Limits::default());
    let mut texts = vec![String::new(); editable.records.len()];
    for node in page.tree.nodes().filter(|&node| !page.tree.is_text(node)) {
        let number = page.tree.attr_named(node, MARK).and_then(|number| number.parse::<usize>().ok());
        if let Some(text) = number.and_then(|number| texts.get_mut(number)) {
            text.push_str(&page.text_of(node));
            text.push(' ');
        }
    }
    texts
}

/// The wrapper reduced to the first locator of everything.
fn first_only(wrapper: &Wrapper) -> Wrapper {
    let mut first = wrapper.clone();
    for rule in &mut first.pages {
        rule.region.truncate(1);
        rule.record.iter_mut().for_each(|record| {
            record.find.truncate(1);
            record.fingerprint = None;
        });
        rule.columns.iter_mut().for_each(|column| column.find.truncate(1));
    }
    first
}

fn texts_of(found: &Answer) -> Vec<String> {
    found
        .primary()
        .map(|list| list.records.iter().map(|record| record.text.clone()).collect())
        .unwrap_or_default()
}
