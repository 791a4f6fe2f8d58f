//! `copal-lab survive`: how long wrappers live when sites change their pages.
//!
//! In: a corpus. Out: for each page one JSON line per reader and number of changes on standard output:
//! `{"id", "way", "mutations", "operators", "texts", "alarm", "cells"}`. `extract` is the extraction of the
//! page before the changes. For `vote`, the wrapper, `alarm` is what a check of the page reports, and
//! `cells` the share of the cells that are read as they were before the changes (null if there are other
//! numbers of records). With `--learn first` everything is learned on the first page of the site
//! (`learned`) and the others are changed; with `--learn each` on each page in turn.
//! `research/compare/survive.py` compares the texts with the gold and prints the table. Cost: about a
//! second per page; a tenth of that with `--vote-only`.

mod baseline;
pub(crate) mod editable;
mod mutate;

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::options::PartArgs;
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

    /// Learn on the page itself, on the first page of its site, or on each other page of its site
    #[arg(long, value_enum, default_value = "own")]
    learn: LearnOn,

    /// Only the wrapper and its check, without repairs and baselines
    #[arg(long)]
    vote_only: bool,

    #[command(flatten)]
    sites: PartArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LearnOn {
    Own,
    First,
    Each,
}

pub(crate) fn run(args: &SurviveArgs) -> Result<Outcome, LabError> {
    let corpus = Corpus::read(&args.corpus)?;
    let mut sites: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    let part = args.sites.filter()?;
    for page in corpus.pages_of("lists").filter(|page| part.has(page)) {
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
        let pages: Vec<ListPage> =
            sites[site].iter().filter_map(|id| ListPage::new(id, corpus.page(id)?)).collect();
        for (learned, changed) in pairs(args.learn, pages.len()) {
            if left == 0 {
                break;
            }
            survive(&pages[learned], &pages[changed], args, &mut out).map_err(&cannot_write)?;
            left -= 1;
        }
    }
    out.flush().map_err(&cannot_write)?;
    Ok(Outcome::Done)
}

/// The pages to learn from, each with a page to change.
fn pairs(learn: LearnOn, pages: usize) -> Vec<(usize, usize)> {
    match learn {
        LearnOn::Own => (0..pages).map(|page| (page, page)).collect(),
        LearnOn::First => (1..pages).map(|page| (0, page)).collect(),
        LearnOn::Each => (0..pages)
            .flat_map(|learned| (0..pages).map(move |page| (learned, page)))
            .filter(|(learned, page)| learned != page)
            .collect(),
    }
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

fn survive(learned: &ListPage, known: &ListPage, args: &SurviveArgs, out: &mut impl Write) -> io::Result<()> {
    let id = known.id.as_str();
    let mut write = |way: &str,
                     mutations: usize,
                     operators: &[&str],
                     texts: &[String],
                     (alarm, cells): (Vec<String>, Option<f64>)| {
        let line = serde_json::json!({
            "id": id, "way": way, "mutations": mutations, "operators": operators,
            "texts": texts, "alarm": alarm, "cells": cells,
        });
        writeln!(out, "{line}")
    };
    write("extract", 0, &[], &texts_of(&known.found), (Vec::new(), None))?;
    if learned.id != known.id {
        write("learned", 0, &[&learned.id], &texts_of(&learned.found), (Vec::new(), None))?;
    }
    let wrapper = learn(&[(&learned.page, &learned.found)]).ok().map(|learned| learned.wrapper);
    let first = wrapper.as_ref().map(first_only);
    let baselines = [
        ("xpath", Baseline::xpaths(&learned.page, &learned.records)),
        ("copied", Baseline::copied(&learned.page, &learned.records)),
        ("deuds", Baseline::deuds(&learned.page, learned.root, &learned.records)),
    ];

    let before = wrapper.as_ref().map(|wrapper| apply(wrapper, &known.page));
    // Pages that several wrappers read change differently for each of them.
    let learner = if args.learn == LearnOn::Each { learned.id.as_str() } else { "" };
    let bytes = learner.bytes().chain(id.bytes());
    let start = bytes.fold(args.seed, |sum, byte| sum.wrapping_mul(131).wrapping_add(byte.into()));
    let mut random = SplitMix64(start);
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
        // A page that nothing can be learned from is an error of `learn`, so the user knows.
        let alarm = wrapper.as_ref().map_or_else(|| vec!["not learned".into()], |one| alarms(one, &changed));
        let now = wrapper.as_ref().map(|wrapper| apply(wrapper, &changed)).unwrap_or_default();
        let cells = before.as_ref().and_then(|before| same_cells(before, &now));
        write("vote", mutations, &operators, &texts_of(&now), (alarm, cells))?;
        if args.vote_only {
            continue;
        }
        let mut say = |way: &str, mutations: usize, operators: &[&str], texts: &[String]| {
            write(way, mutations, operators, texts, (Vec::new(), None))
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

/// The share of the cells that are read as they were before; none if there are more or fewer records now.
fn same_cells(before: &Answer, now: &Answer) -> Option<f64> {
    let (before, now) = (before.primary()?, now.primary()?);
    if before.records.len() != now.records.len() {
        return None;
    }
    let (mut same, mut all) = (0, 0);
    for (before, now) in before.records.iter().zip(&now.records) {
        for (column, cell) in before.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            all += 1;
            same += usize::from(now.cells.get(column).is_some_and(|now| now.texts().eq(cell.texts())));
        }
    }
    Some(same as f64 / all.max(1) as f64)
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
