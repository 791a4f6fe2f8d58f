//! The cost of recognising values: bytes of text per second for each group of recognisers, and its share of
//! the time that a page takes.
//!
//! `cargo bench -p copal --bench annotation [-- FOLDER]` (default: `testdata`, or the folder in
//! `COPAL_CORPUS`). In: the visible texts of all pages below a folder. Out: a table in Markdown. A group runs
//! over all texts several times, and its fastest run counts. The last column is the share of the group in the
//! time from HTML to cells with a domain (real-estate, unless the row says otherwise). Rules cannot be run
//! alone, so their row is the time of a pack that has only rules minus the time of an empty pack; both also
//! read the values of HTML attributes.

#![allow(missing_docs)]

use copal::{Domain, Limits, Method, Page};
use copal_domain::gazetteer::Gazetteer;
use copal_domain::{TextRuns, annotate};
use copal_values::notation::Notation;
use copal_values::recognise::RECOGNISERS;
use copal_values::{CharacterScan, find};
use serde_json::Value;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 5;
/// Number of terms in the large gazetteer.
const TERMS: usize = 500_000;
/// One in this many words of the pages is a term of the gazetteer, so that it finds something.
const EVERY: usize = 20;
const DOMAINS: [&str; 2] = ["real-estate", "used-cars"];

fn main() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with("--")).map(PathBuf::from);
    let folder = folder.or_else(|| std::env::var_os("COPAL_CORPUS").map(PathBuf::from)).unwrap_or(own);
    let html = html(&folder);
    let pages: Vec<Page> = html.iter().map(|text| Page::from_text(text, &Limits::default())).collect();
    let texts: Vec<String> = pages.iter().flat_map(pieces).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    assert!(bytes > 0, "{}: no page with a text", folder.display());
    println!(
        "{} pages, {:.1} MB of HTML, {:.2} MB of visible text in {} pieces, fastest of {RUNS} runs\n",
        html.len(),
        html.iter().map(String::len).sum::<usize>() as f64 / 1e6,
        bytes as f64 / 1e6,
        texts.len()
    );
    let domains = DOMAINS.map(|name| Arc::new(Domain::load(name).expect("a built-in domain")));
    let whole: Vec<f64> = domains.iter().map(|domain| fastest(|| extract(&html, domain)).0).collect();
    println!("| recognisers | hits | ms | MB/s of text | share of a page's time |");
    println!("|---|--:|--:|--:|--:|");
    let row = |name: &str, (ms, hits): (f64, usize), whole: f64| {
        let rate = bytes as f64 / 1e3 / ms.max(1e-6);
        println!("| {name} | {hits} | {ms:.2} | {rate:.0} | {:.1}% |", 100.0 * ms / whole);
    };
    generic(&texts, &|name, timed| row(name, timed, whole[0]));
    let large = large_gazetteer(&texts);
    let found = || texts.iter().map(|text| black_box(large.find(text)).len()).sum();
    row(&format!("gazetteer of {} terms", large.len()), fastest(found), whole[0]);
    for ((name, domain), whole) in DOMAINS.iter().zip(&domains).zip(&whole) {
        let mut labels = Gazetteer::default();
        for (i, attribute) in domain.attributes.iter().enumerate() {
            attribute.labels.iter().for_each(|label| labels.add(label, i as u16));
        }
        let found = || texts.iter().map(|text| black_box(labels.find(text)).len()).sum();
        row(&format!("{name}: {} labels", labels.len()), fastest(found), *whole);
        let (bare, rules) = (stripped(name, &[]), stripped(name, &["rules"]));
        let (nothing, of_rules) = (fastest(|| all(&pages, &bare)), fastest(|| all(&pages, &rules)));
        row(
            &format!("{name}: rules"),
            (of_rules.0 - nothing.0, of_rules.1.saturating_sub(nothing.1)),
            *whole,
        );
        row(&format!("{name}: everything"), fastest(|| all(&pages, domain)), *whole);
    }
    for (name, whole) in DOMAINS.iter().zip(&whole) {
        println!("\n{name}, HTML to cells: {whole:.1} ms, {:.2} ms a page", whole / html.len() as f64);
    }
}

/// Measures each generic recogniser on the texts that the scan leaves to it, the scan itself, and all
/// recognisers together with the vote.
fn generic(texts: &[String], row: &dyn Fn(&str, (f64, usize))) {
    row(
        "scan for marks",
        fastest(|| texts.iter().map(|text| black_box(CharacterScan::of(text)).len.min(1)).sum()),
    );
    let marks: Vec<CharacterScan> = texts.iter().map(|text| CharacterScan::of(text)).collect();
    let mut hits = Vec::new();
    for recogniser in RECOGNISERS {
        let timed = fastest(|| {
            hits.clear();
            for (text, &marks) in texts.iter().zip(&marks) {
                if recogniser.may_match(marks) {
                    recogniser.find(text, Notation::default(), &mut hits);
                }
            }
            black_box(&hits).len()
        });
        row(recogniser.value_type().name(), timed);
    }
    let mut hits = Vec::new();
    let timed = fastest(|| {
        let mut count = 0;
        for text in texts {
            hits.clear();
            find(text, &mut hits);
            count += black_box(&hits).len();
        }
        count
    });
    row("all generic ones", timed);
}

/// Milliseconds of the fastest run, and what it counted.
fn fastest(mut work: impl FnMut() -> usize) -> (f64, usize) {
    let mut best = (f64::INFINITY, 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        let count = work();
        best = (best.0.min(start.elapsed().as_secs_f64() * 1000.0), count);
    }
    best
}

fn extract(html: &[String], domain: &Arc<Domain>) -> usize {
    let mut request = copal::Request::default();
    request.lists.method = Method::Amber;
    request.set_domain(Some(Arc::clone(domain)));
    html.iter().map(|text| black_box(copal::extract(text, &request)).regions.len()).sum()
}

fn all(pages: &[Page], domain: &Domain) -> usize {
    pages.iter().map(|page| black_box(annotate(page, domain)).len()).sum()
}

fn html(folder: &Path) -> Vec<String> {
    let mut todo = vec![folder.to_owned()];
    let mut files = BTreeSet::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|ending| ending == "html") {
            files.insert(path);
        }
    }
    let read = |path: &PathBuf| {
        copal_dom::decode::decode(&std::fs::read(path).ok()?, None, Limits::default().bytes).ok()
    };
    files.iter().filter_map(read).map(|decoded| decoded.text).collect()
}

/// The texts between entity-breaking elements, as the recognisers get them.
fn pieces(page: &Page) -> Vec<String> {
    let text_runs = TextRuns::new(page);
    text_runs.runs().iter().map(|run| text_runs.text(run).to_owned()).collect()
}

/// Terms of one to three made-up words, and some words and pairs of words that the pages have.
fn large_gazetteer(texts: &[String]) -> Gazetteer {
    const SYLLABLES: [&str; 32] = [
        "ba", "bel", "cor", "da", "del", "em", "fa", "gar", "hol", "is", "ka", "kin", "la", "lin", "mar",
        "mo", "ne", "nor", "ol", "pa", "pel", "ra", "ro", "sa", "sel", "ta", "ter", "ul", "va", "wen",
        "wick", "zo",
    ];
    let mut gazetteer = Gazetteer::default();
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| text.split_whitespace()).collect();
    for word in words.into_iter().step_by(EVERY) {
        gazetteer.add(word, 0);
    }
    for text in texts.iter().step_by(EVERY) {
        gazetteer.add(&text.split_whitespace().take(2).collect::<Vec<_>>().join(" "), 1);
    }
    // odd multiples of a number take all remainders modulo a power of two, so no term occurs twice
    let mut number = 0u64;
    while gazetteer.len() < TERMS {
        number += 1;
        let mut rest = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
        let mut term = String::new();
        for word in 0..=number % 3 {
            for _ in 0..2 + (rest & 1) {
                term.push_str(SYLLABLES[(rest >> 1) as usize % SYLLABLES.len()]);
                rest >>= 6;
            }
            if word < number % 3 {
                term.push(' ');
            }
        }
        gazetteer.add(&term, 2);
    }
    gazetteer
}

/// A built-in pack whose attributes are reduced to their types and these keys.
fn stripped(name: &str, kept: &[&str]) -> Domain {
    let text = Domain::built_in_file(name, "domain.yaml").expect("a built-in pack");
    let mut pack: Value = serde_saphyr::from_str(text).expect("a built-in pack is YAML");
    for attribute in pack["attributes"].as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        // what has neither rules nor terms takes every value of its type: as in a pack whose lists are empty
        let kind = match attribute["type"].as_str() {
            _ if kept.contains(&"rules") && attribute.get("rules").is_some() => attribute["type"].clone(),
            _ => Value::from("text"),
        };
        attribute["type"] = kind;
        if let Some(entry) = attribute.as_object_mut() {
            entry.retain(|key, _| key == "type" || kept.contains(&key.as_str()));
        }
    }
    // JSON is YAML
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", kept.join("-")));
    std::fs::create_dir_all(&folder).expect("a folder for a stripped pack");
    let path = folder.join("domain.yaml");
    std::fs::write(&path, pack.to_string()).expect("a stripped pack can be written");
    Domain::load(&path.display().to_string()).unwrap_or_else(|error| panic!("{error}"))
}
