//! Records that several sites have: generated sites that share some of their records, written differently on each.

#![allow(clippy::unwrap_used)]

use copal_explore::{SiteRecord, match_records};
use std::collections::HashSet;

/// A small generator of pseudo-random numbers: the data are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const STREETS: [&str; 16] = [
    "Mill Lane",
    "High Street",
    "Station Road",
    "Church Walk",
    "Park Avenue",
    "Queen Street",
    "Canal Road",
    "Victoria Terrace",
    "Abbey Close",
    "Bridge Street",
    "Elm Grove",
    "Orchard Way",
    "Manor Drive",
    "King Street",
    "The Green",
    "Hill Rise",
];
const TOWNS: [&str; 5] = ["Oxford", "Leeds", "Bristol", "Manchester", "York"];
const KINDS: [&str; 4] = ["terraced house", "flat", "bungalow", "cottage"];
const MAKERS: [&str; 8] = ["Alder", "Borea", "Corvin", "Dunmore", "Ostara", "Fenwick", "Galen", "Helix"];
const GOODS: [&str; 8] = [
    "washing machine",
    "kettle",
    "desk lamp",
    "toaster",
    "vacuum cleaner",
    "coffee grinder",
    "fan heater",
    "radio",
];
const SUBJECTS: [&str; 14] = [
    "Salt", "River", "Garden", "Winter", "Stone", "Harbour", "Memory", "Light", "Iron", "Orchard", "Silence",
    "Mountain", "Letters", "Ash",
];

/// A thing, and how a site shows it.
type Show = fn(&mut Random, &[String]) -> Vec<(&'static str, String)>;

struct Kind {
    name: &'static str,
    /// The recall at .8 below which something is wrong. Titles of books are short and repeat.
    min_recall: f64,
    make: fn(&mut Random, usize) -> Vec<String>,
    show: [Show; 2],
}

fn cells(texts: &[(&'static str, String)]) -> Vec<(&'static str, String)> {
    texts.to_vec()
}

/// Number of house, street, town, rooms, kind, price.
fn home(random: &mut Random, _: usize) -> Vec<String> {
    vec![
        (1 + random.below(120)).to_string(),
        random.one(&STREETS).to_owned(),
        random.one(&TOWNS).to_owned(),
        (1 + random.below(5)).to_string(),
        random.one(&KINDS).to_owned(),
        (150_000 + 2_500 * random.below(160)).to_string(),
    ]
}

fn home_in_a_portal(_: &mut Random, home: &[String]) -> Vec<(&'static str, String)> {
    let [number, street, town, rooms, kind, price] = home else { unreachable!() };
    cells(&[
        ("title", format!("{rooms} bedroom {kind}, {number} {street}, {town}")),
        ("price", format!("£{price}")),
        ("bedrooms", rooms.clone()),
        ("location", town.clone()),
    ])
}

fn home_of_an_agent(random: &mut Random, home: &[String]) -> Vec<(&'static str, String)> {
    let [number, street, town, rooms, kind, price] = home else { unreachable!() };
    let short = street.replace("Street", "St").replace("Road", "Rd").replace("Avenue", "Ave");
    let street = if random.is(40) { short } else { street.clone() };
    let price = price.parse::<usize>().unwrap();
    let price = if random.is(30) { price - 5_000 } else { price };
    let mut shown = cells(&[
        ("name", format!("{number} {street}, {town}: {kind} with {rooms} bedrooms")),
        ("price", format!("{price} GBP")),
    ]);
    if random.is(70) {
        shown.push(("bedrooms", rooms.clone()));
    }
    shown
}

/// Maker, goods, model, price, number for trade. Neighbours differ in their model only.
fn product(random: &mut Random, at: usize) -> Vec<String> {
    vec![
        random.one(&MAKERS).to_owned(),
        random.one(&GOODS).to_owned(),
        format!("{}{}", ["X", "KT", "PRO", "S"][random.below(4)], 100 + 5 * (at % 180)),
        (15 + random.below(400)).to_string(),
        format!("40{:011}", 7_919 * at + 13),
    ]
}

fn product_in_a_shop(random: &mut Random, product: &[String]) -> Vec<(&'static str, String)> {
    let [maker, goods, model, price, number] = product else { unreachable!() };
    let mut shown = cells(&[
        ("title", format!("{maker} {goods} {model}")),
        ("brand", maker.clone()),
        ("price", format!("£{price}.99")),
    ]);
    if random.is(50) {
        shown.push(("ean", number.clone()));
    }
    shown
}

fn product_in_a_market(random: &mut Random, product: &[String]) -> Vec<(&'static str, String)> {
    let [maker, goods, model, price, number] = product else { unreachable!() };
    let price = price.parse::<f64>().unwrap() * (0.85 + random.below(30) as f64 / 100.0);
    let colour = if random.is(30) { ", white" } else { "" };
    let mut shown = cells(&[
        ("title", format!("{} {model} {goods}{colour}", maker.to_uppercase())),
        ("brand", maker.clone()),
        ("price", format!("GBP {price:.2}")),
    ]);
    if random.is(50) {
        shown.push(("ean", number.clone()));
    }
    shown
}

/// Title, author, price. Titles are short and repeat.
fn book(random: &mut Random, at: usize) -> Vec<String> {
    let title = match random.below(3) {
        0 => format!("The {} of {}", random.one(&SUBJECTS), random.one(&SUBJECTS)),
        1 => format!("{} and {}", random.one(&SUBJECTS), random.one(&SUBJECTS)),
        _ => random.one(&SUBJECTS).to_owned(),
    };
    let author = format!("{} {}", ["Ada", "Ben", "Ida", "Tom", "Eva", "Max"][at % 6], random.one(&MAKERS));
    vec![title, author, (5 + random.below(25)).to_string()]
}

fn book_in_a_shop(_: &mut Random, book: &[String]) -> Vec<(&'static str, String)> {
    let [title, author, price] = book else { unreachable!() };
    cells(&[("title", title.clone()), ("author", author.clone()), ("price", format!("£{price}.50"))])
}

fn book_second_hand(random: &mut Random, book: &[String]) -> Vec<(&'static str, String)> {
    let [title, author, price] = book else { unreachable!() };
    let price = price.parse::<usize>().unwrap().saturating_sub(random.below(5)).max(1);
    let title = if random.is(30) { format!("{title} (paperback)") } else { title.clone() };
    cells(&[("title", title), ("author", author.clone()), ("price", format!("£{price}.00"))])
}

const KINDS_OF_SITES: [Kind; 3] = [
    Kind { name: "homes", min_recall: 0.85, make: home, show: [home_in_a_portal, home_of_an_agent] },
    Kind { name: "products", min_recall: 0.9, make: product, show: [product_in_a_shop, product_in_a_market] },
    Kind { name: "books", min_recall: 0.3, make: book, show: [book_in_a_shop, book_second_hand] },
];

/// Sites that share some things: the records, and the number of the thing that each shows.
fn sites(kind: &Kind, size: usize, seed: u64) -> (Vec<SiteRecord>, Vec<usize>) {
    let mut random = Random(seed);
    let things: Vec<Vec<String>> = (0..3 * size).map(|at| (kind.make)(&mut random, at)).collect();
    let (mut records, mut truth) = (Vec::new(), Vec::new());
    for site in 0..3 {
        for (at, thing) in things.iter().enumerate() {
            // a third of the things is on two sites, and a part of them on three
            let own = at % 3 == site;
            let shared = at % 9 < 3 && (at % 9 + 1) % 3 == site || at.is_multiple_of(9) && site == 2;
            if !own && !shared {
                continue;
            }
            let shown = (kind.show[site % 2])(&mut random, thing);
            let cells = shown.into_iter().map(|(name, text)| (name.to_owned(), text));
            let url = ("url".to_owned(), format!("https://s{site}.example/{}", records.len()));
            records
                .push(SiteRecord { site: format!("s{site}.example"), cells: cells.chain([url]).collect() });
            truth.push(at);
        }
    }
    (records, truth)
}

/// Found, right and true pairs at a confidence.
fn score(records: &[SiteRecord], truth: &[usize], min_confidence: f64) -> (usize, usize, usize) {
    let matches = match_records(records, min_confidence);
    let right = matches.pairs.iter().filter(|pair| truth[pair.first] == truth[pair.second]).count();
    let mut all = 0;
    for first in 0..records.len() {
        for second in first + 1..records.len() {
            all += usize::from(truth[first] == truth[second] && records[first].site != records[second].site);
        }
    }
    (matches.pairs.len(), right, all)
}

#[test]
fn records_of_several_sites_are_recognised() {
    let size: usize = std::env::var("COPAL_MATCHES").ok().and_then(|size| size.parse().ok()).unwrap_or(120);
    println!("things      at     found  precision  recall");
    for kind in &KINDS_OF_SITES {
        for min_confidence in [0.5, 0.8, 0.95] {
            let (mut found, mut right, mut all) = (0, 0, 0);
            for seed in [7, 8, 9] {
                let (records, truth) = sites(kind, size, seed);
                let scored = score(&records, &truth, min_confidence);
                (found, right, all) = (found + scored.0, right + scored.1, all + scored.2);
            }
            let (precision, recall) = (right as f64 / found.max(1) as f64, right as f64 / all as f64);
            println!("{:10} {min_confidence:.2} {found:8} {precision:10.3} {recall:7.3}", kind.name);
            assert!(precision >= min_confidence.max(0.9), "{}: {precision}", kind.name);
            if min_confidence < 0.9 {
                assert!(recall >= kind.min_recall, "{}: {recall}", kind.name);
            }
        }
    }
}

#[test]
fn sites_without_common_records_have_no_matches() {
    for kind in &KINDS_OF_SITES {
        let (mut records, truth) = sites(kind, 120, 3);
        // each thing on one site only
        let mut seen = HashSet::new();
        let mut numbers = truth.iter();
        records.retain(|_| seen.insert(*numbers.next().unwrap()));
        let matches = match_records(&records, 0.5);
        println!("{}: {} of {} records matched", kind.name, matches.pairs.len(), records.len());
        assert!(matches.pairs.len() * 33 <= records.len(), "{}: {:?}", kind.name, matches.pairs);
    }
}

#[test]
fn groups_have_one_record_per_site_and_reasons_are_given() {
    let (records, truth) = sites(&KINDS_OF_SITES[1], 60, 1);
    let matches = match_records(&records, 0.8);
    assert!(!matches.is_cut && !matches.groups.is_empty());
    for group in &matches.groups {
        let own: HashSet<&String> = group.iter().map(|at| &records[*at].site).collect();
        assert_eq!(own.len(), group.len());
    }
    assert!(matches.groups.iter().any(|group| group.len() == 3));
    let first = &matches.pairs[0];
    assert!(first.confidence > 0.99 && truth[first.first] == truth[first.second]);
    assert!(first.reasons[0].contains("the same"), "{:?}", first.reasons);
}

#[test]
fn hostile_records_end_in_bounded_time() {
    let record = |site: usize, text: String| SiteRecord {
        site: format!("s{site}"),
        cells: vec![("title".to_owned(), text.clone()), ("price".to_owned(), text)],
    };
    // all the same, all empty, very long, and full of words that all have
    let same: Vec<SiteRecord> = (0..6000).map(|at| record(at % 3, "one two three".to_owned())).collect();
    assert!(match_records(&same, 0.5).pairs.is_empty());
    let long: Vec<SiteRecord> =
        (0..300).map(|at| record(at % 2, format!("w{} ", at % 7).repeat(20_000))).collect();
    let _ = match_records(&long, 0.5);
    assert_eq!(match_records(&[], 0.5), copal_explore::RecordMatches::default());
    let odd = ["", "\u{0}", "....", "£0", "£-1", "99999999999999999999999999 GBP"];
    let odd: Vec<SiteRecord> = (0..60).map(|at| record(at % 2, odd[at % odd.len()].to_owned())).collect();
    assert!(match_records(&odd, 0.5).pairs.iter().all(|pair| pair.confidence.is_finite()));
}
