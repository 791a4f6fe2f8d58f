//! BUW: Tables 1 to 3 and Figure 12: regions and records by structure, language and kind of site.
//!
//! The paper's groups by structure are read as: A, records are rows of one table; B, records are blocks or
//! tables of their own; C, a row has several records.

use super::GoldPage;
use super::record_match::RecordMatch;
use copal::{Method, Page};
use copal_dom::tags;
use copal_extract::{ListOptions, Parts, find};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The sums of one row of a table.
#[derive(Default)]
struct GroupSum {
    sites: BTreeSet<String>,
    pages: usize,
    regions: usize,
    records: usize,
    /// The sum of the pages' accuracies.
    accuracy: f64,
}

pub(super) fn print(pages: &[GoldPage<'_>]) {
    let mut options = ListOptions::default();
    options.method = Method::Buw;
    let compared: Vec<(&GoldPage<'_>, RecordMatch, &'static str)> = pages
        .par_iter()
        .map(|page| {
            let found = find(&page.page, &options);
            let records = found.regions.first().map_or(&[][..], |list| &list.records);
            (page, page.compare(&options), structure(&page.page, records))
        })
        .collect();
    println!("Tables 1 and 2: by structure\n");
    print_groups(compared.iter().map(|(page, one, structure)| (*page, *one, (*structure).to_owned())));
    println!("\nTable 3: by language\n");
    print_groups(compared.iter().map(|(page, one, _)| (*page, *one, language(page))));
    println!("\nTable 3: by kind of site\n");
    print_groups(compared.iter().map(|(page, one, _)| (*page, *one, page.about.source.clone())));
    println!("\nFigure 12: sites by accuracy\n");
    let mut sites: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (page, one, _) in &compared {
        sites.entry(site(page)).or_default().push(one.accuracy());
    }
    let means: Vec<f64> =
        sites.values().map(|all| all.iter().sum::<f64>() / all.len().max(1) as f64).collect();
    let count = |from: f64, to: f64| means.iter().filter(|mean| (from..to).contains(*mean)).count();
    println!("| accuracy | 100% | 90 to 100% | 50 to 90% | below 50% |\n|---|--:|--:|--:|--:|");
    println!(
        "| {} sites | {} | {} | {} | {} |",
        means.len(),
        count(1.0, 2.0),
        count(0.9, 1.0),
        count(0.5, 0.9),
        count(0.0, 0.5)
    );
}

fn print_groups<'a>(rows: impl Iterator<Item = (&'a GoldPage<'a>, RecordMatch, String)>) {
    let mut groups: BTreeMap<String, GroupSum> = BTreeMap::new();
    for (page, one, group) in rows {
        for name in [group, "~ all".to_owned()] {
            let sum = groups.entry(name).or_default();
            sum.sites.insert(site(page).to_owned());
            sum.pages += 1;
            sum.regions += usize::from(one.is_region_found());
            sum.records += one.gold;
            sum.accuracy += one.accuracy();
        }
    }
    println!("| group | sites | pages | records | region right | records right |\n|---|--:|--:|--:|--:|--:|");
    for (name, sum) in groups {
        let share = |part: f64| 100.0 * part / sum.pages.max(1) as f64;
        println!(
            "| {} | {} | {} | {} | {:.1}% | {:.1}% |",
            name.trim_start_matches("~ "),
            sum.sites.len(),
            sum.pages,
            sum.records,
            share(sum.regions as f64),
            share(sum.accuracy)
        );
    }
}

fn site<'a>(page: &'a GoldPage<'_>) -> &'a str {
    let about = page.about;
    if about.site.is_empty() { &about.domain } else { &about.site }
}

fn language(page: &GoldPage<'_>) -> String {
    let primary = page.page.lang().map(|lang| lang.split(['-', '_']).next().unwrap_or_default());
    match primary.map(str::to_ascii_lowercase).as_deref() {
        Some("en") => "English".to_owned(),
        Some("zh") => "Chinese".to_owned(),
        Some("th") => "Thai".to_owned(),
        Some("") | None => "not declared".to_owned(),
        Some(_) => "others".to_owned(),
    }
}

/// The group of a list by its records.
fn structure(page: &Page, records: &[Parts]) -> &'static str {
    let tree = &page.tree;
    let tag = |parts: &Parts| tree.tag(parts[0].start);
    let most = |wanted: u16| 2 * records.iter().filter(|parts| tag(parts) == wanted).count() > records.len();
    let parents: BTreeSet<u32> = records.iter().map(|parts| tree.parent(parts[0].start)).collect();
    if records.is_empty() {
        "no list"
    } else if most(tags::TR) {
        "A: rows of a table"
    } else if most(tags::TD) || parents.len() > 1 && 2 * parents.len() <= records.len() {
        "C: several in a row"
    } else {
        "B: blocks"
    }
}
