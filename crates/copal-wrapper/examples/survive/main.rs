//! How long wrappers live: learned on a page, applied to the same page after changes as sites make them.
//!
//! `survive CORPUS [--seed N] [--pages N] [--only PREFIX] [--learn own|first]`: a corpus as `copal eval --help` describes it. For each
//! page one JSON line a way and number of changes: `{"id", "way", "mutations", "operators", "texts"}`; `extract` is the
//! extraction of the page before the changes, and `vote` has `alarm` besides: what a check of the page says. With `--learn first` all is learned on the site's first page (`learned`), and the
//! others are changed. `compare/survive.py` compares the texts with the gold and prints the table.

#![allow(missing_docs)]

mod dom;
mod mutate;
mod ways;

use copal_dom::{Limits, Node, Page, Source};
use copal_extract::located::{root_of, tops};
use copal_extract::{Answer, Options, Origin, Record, extract};
use copal_wrapper::{Wrapper, apply, check, learn, repair};
use dom::Dom;
use mutate::{Chance, OPERATORS};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use ways::Way;

/// After how many changes wrappers are tried.
const STEPS: [usize; 7] = [0, 1, 2, 3, 5, 7, 10];
/// Pages of one site that are taken: the first.
const OF_A_SITE: usize = 3;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let corpus = args.next().ok_or("expected the folder of a corpus")?;
    let (mut seed, mut most, mut only, mut own) = (1, usize::MAX, String::new(), true);
    while let Some(option) = args.next() {
        let value = args.next().ok_or("expected a value behind an option")?;
        match option.as_str() {
            "--seed" => seed = value.parse()?,
            "--pages" => most = value.parse()?,
            "--only" => only = value,
            "--learn" => own = value == "own",
            _ => {
                return Err(
                    format!("unknown option {option}: expected --seed, --pages, --only or --learn").into()
                );
            }
        }
    }
    let corpus = Path::new(&corpus);
    let index = std::fs::read_to_string(corpus.join("index.jsonl"))?;
    let mut sites: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for line in index.lines().filter(|line| !line.trim().is_empty()) {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let (id, site) = (text("id"), text("site"));
        let held = row["split"].as_str().is_some_and(|split| split != "dev");
        if text("task") != "lists" || held || row["main"] == false || !id.starts_with(&only) {
            continue;
        }
        let site = if site.is_empty() { id.clone() } else { site };
        let pages = sites.entry(site.clone()).or_default();
        if pages.is_empty() {
            order.push(site);
        }
        if pages.len() < OF_A_SITE {
            pages.push(id);
        }
    }
    let read = |id: &str| -> Option<Known> {
        let bytes = std::fs::read(corpus.join(format!("{id}.html"))).ok()?;
        let page = Page::from_bytes(&bytes, Source::default(), &Limits::default()).ok()?;
        Known::new(id, page)
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut done = 0;
    for site in order {
        let mut pages = sites[&site].iter().filter_map(|id| read(id));
        let first = if own { None } else { pages.next() };
        for page in pages {
            if done == most {
                break;
            }
            survive(first.as_ref().unwrap_or(&page), &page, seed, &mut out)?;
            done += 1;
        }
    }
    out.flush()?;
    Ok(())
}

/// A page with its list.
struct Known {
    id: String,
    page: Page,
    found: Answer,
    /// By record, its elements.
    records: Vec<Vec<Node>>,
    root: Node,
}

impl Known {
    /// None for pages without a list.
    fn new(id: &str, page: Page) -> Option<Known> {
        let found = extract(&page, &Options::default());
        let list = found.primary().filter(|list| list.origin == Origin::Page)?;
        let elements =
            |record: &Record| record.place.parts.iter().flat_map(|part| tops(&page, part)).collect();
        let records = list.records.iter().map(elements).filter(|tops: &Vec<Node>| !tops.is_empty());
        let records: Vec<Vec<Node>> = records.collect();
        let parts: Vec<_> = list.records.iter().map(|record| record.place.parts.clone()).collect();
        let root = root_of(&page, &parts);
        (!records.is_empty()).then(|| Known { id: id.to_owned(), records, root, found, page })
    }
}

fn survive(learned: &Known, known: &Known, seed: u64, out: &mut impl Write) -> Result<(), Failure> {
    let id = known.id.as_str();
    let mut tell = |way: &str, mutations: usize, operators: &[&str], texts: &[String], alarm: Vec<String>| {
        let line = serde_json::json!({
            "id": id, "way": way, "mutations": mutations, "operators": operators, "texts": texts, "alarm": alarm,
        });
        writeln!(out, "{line}")
    };
    tell("extract", 0, &[], &texts_of(&known.found), Vec::new())?;
    if learned.id != known.id {
        tell("learned", 0, &[&learned.id], &texts_of(&learned.found), Vec::new())?;
    }
    let wrapper = learn(&[(&learned.page, &learned.found)]).ok().map(|learned| learned.wrapper);
    let first = wrapper.as_ref().map(first_only);
    let ways = [
        ("xpath", Way::xpaths(&learned.page, &learned.records)),
        ("copied", Way::copied(&learned.page, &learned.records)),
        ("deuds", Way::deuds(&learned.page, learned.root, &learned.records)),
    ];

    let mut chance =
        Chance(id.bytes().fold(seed, |sum, byte| sum.wrapping_mul(131).wrapping_add(byte.into())));
    let mut dom = Dom::new(&known.page.tree, known.records.clone());
    let mut operators: Vec<&str> = Vec::new();
    for mutations in STEPS {
        while operators.len() < mutations {
            let (name, change) = OPERATORS[chance.below(OPERATORS.len())];
            let mut changed = dom.clone();
            if change(&mut changed, &mut chance) {
                dom = changed;
                operators.push(name);
            }
        }
        let mut changed = Page::from_text(&dom.html(), &Limits::default());
        changed.url.clone_from(&known.page.url);
        let read = |wrapper: Option<&Wrapper>| {
            wrapper.map(|wrapper| texts_of(&apply(wrapper, &changed))).unwrap_or_default()
        };
        let alarm = wrapper.as_ref().map(|wrapper| alarms(wrapper, &changed)).unwrap_or_default();
        tell("vote", mutations, &operators, &read(wrapper.as_ref()), alarm)?;
        let mut say = |way: &str, mutations: usize, operators: &[&str], texts: &[String]| {
            tell(way, mutations, operators, texts, Vec::new())
        };
        say("first", mutations, &operators, &read(first.as_ref()))?;
        let texts = wrapper.as_ref().map(|wrapper| repaired(wrapper, &changed)).unwrap_or_default();
        say("repair", mutations, &operators, &texts)?;
        say("truth", mutations, &operators, &truth(&dom))?;
        say("again", mutations, &operators, &texts_of(&extract(&changed, &Options::default())))?;
        for (name, way) in &ways {
            say(name, mutations, &operators, &way.find(&changed))?;
        }
    }
    Ok(())
}

/// What a wrapper reads that was repaired on the changed page, if a check finds that it needs to be and it can.
fn repaired(wrapper: &Wrapper, page: &Page) -> Vec<String> {
    match repair(wrapper, &[page], 1) {
        Ok(repaired) => texts_of(&apply(&repaired.wrapper, page)),
        Err(_) => texts_of(&apply(wrapper, page)),
    }
}

/// What a check of one page says.
fn alarms(wrapper: &Wrapper, page: &Page) -> Vec<String> {
    let words = |alarm: &copal_wrapper::Alarm| {
        format!(
            "{} {}: {}",
            alarm.odd.level.name(),
            alarm.odd.column.as_deref().unwrap_or("-"),
            alarm.odd.what
        )
    };
    check(wrapper, &[page]).alarms.iter().map(words).collect()
}

/// What the records say after the changes, by marks on their elements: the most that can be right.
fn truth(dom: &Dom) -> Vec<String> {
    const MARK: &str = "data-record";
    let mut marked = dom.clone();
    for (number, tops) in dom.records.iter().enumerate() {
        for &top in tops {
            marked.set_attribute(top, MARK, &number.to_string());
        }
    }
    let page = Page::from_text(&marked.html(), &Limits::default());
    let mut texts = vec![String::new(); dom.records.len()];
    for node in page.tree.nodes().filter(|&node| !page.tree.is_text(node)) {
        let number = page.tree.attr_named(node, MARK).and_then(|number| number.parse::<usize>().ok());
        if let Some(text) = number.and_then(|number| texts.get_mut(number)) {
            text.push_str(&page.text_of(node));
            text.push(' ');
        }
    }
    texts
}

/// The wrapper with the first of all its locators.
fn first_only(wrapper: &Wrapper) -> Wrapper {
    let mut first = wrapper.clone();
    for rule in &mut first.pages {
        rule.region.truncate(1);
        rule.record.iter_mut().for_each(|record| {
            record.find.truncate(1);
            record.looks = None;
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
