//! AMBER: Figures 7.5 and 7.6 (areas, records, attributes), 7.7 (control pages) and 7.16 (against MDR).
//!
//! `noise::score` says what counts as a right area, record and attribute.

use crate::corpus::Corpus;
use crate::error::LabError;
use crate::noise::gold::{self, NoiseCase};
use crate::noise::score::{MatchCounts, NoiseTally, score};
use copal::{AmberOptions, Domain, Method};
use copal_extract::research::find_annotated;
use copal_extract::{ListOptions, RankedLists, find};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

/// The cases of each domain, divided by split.
fn by_domain(corpus: &Corpus) -> Result<BTreeMap<String, Vec<NoiseCase>>, LabError> {
    let mut groups: BTreeMap<String, Vec<NoiseCase>> = BTreeMap::new();
    for split in ["seen", "unseen"] {
        for case in gold::load(corpus, Some(split))? {
            groups.entry(format!("{}, {split}", case.domain.name)).or_default().push(case);
        }
    }
    Ok(groups)
}

fn amber(case: &NoiseCase) -> RankedLists {
    let options = AmberOptions { domain: Some(Arc::clone(&case.domain)), ..AmberOptions::default() };
    find_annotated(&case.page, &case.annotations, &options)
}

fn shares(counts: MatchCounts) -> String {
    format!("{:.1} | {:.1} | {:.1}", 100.0 * counts.precision(), 100.0 * counts.recall(), 100.0 * counts.f1())
}

fn sum(cases: &[NoiseCase], judged: &HashSet<&str>, find: &dyn Fn(&NoiseCase) -> RankedLists) -> NoiseTally {
    let mut all = NoiseTally::default();
    for case in cases {
        all += score(case, &find(case), judged);
    }
    all
}

/// A system that finds the lists of a page.
type System<'a> = &'a dyn Fn(&NoiseCase) -> RankedLists;

/// Figures 7.5 and 7.6.
pub(super) fn overall(corpus: &Corpus) -> Result<(), LabError> {
    let groups = by_domain(corpus)?;
    println!("| pages | what | P | R | F1 |\n|---|---|--:|--:|--:|");
    for (name, cases) in &groups {
        let names: BTreeSet<&str> = cases
            .iter()
            .flat_map(|case| &case.records)
            .flat_map(|record| record.values.keys().map(String::as_str))
            .collect();
        let all = sum(cases, &names.iter().copied().collect(), &amber);
        println!("| {name} | areas | {} |", shares(all.areas));
        println!("| {name} | records | {} |", shares(all.records));
        println!("| {name} | attributes | {} |", shares(all.attributes));
        for attribute in names {
            let mut counts = MatchCounts::default();
            for case in cases {
                let wanted = case.records.iter().filter_map(|record| record.values.get(attribute));
                let mut one = score(case, &amber(case), &HashSet::from([attribute])).attributes;
                one.wanted = wanted.filter(|(_, is_wanted)| *is_wanted).count();
                counts += one;
            }
            println!("| {name} | {attribute} | {} |", shares(counts));
        }
    }
    Ok(())
}

/// Figure 7.16.
pub(super) fn against_mdr(corpus: &Corpus) -> Result<(), LabError> {
    println!("| pages | system | areas P | R | F1 | records P | R | F1 |\n|---|---|--:|--:|--:|--:|--:|--:|");
    let nothing = HashSet::new();
    for (name, cases) in &by_domain(corpus)? {
        let by_method = |method: Method| {
            move |case: &NoiseCase| {
                let mut options = ListOptions::default();
                options.method = method;
                if method == Method::Combined {
                    options.amber.domain = Some(Arc::clone(&case.domain));
                }
                find(&case.page, &options)
            }
        };
        let (mdr, combined) = (by_method(Method::Mdr), by_method(Method::Combined));
        let systems: [(&str, System<'_>); 3] =
            [("AMBER", &amber), ("MDR", &mdr), ("combined, with the domain", &combined)];
        for (system, find) in systems {
            let all = sum(cases, &nothing, find);
            println!("| {name} | {system} | {} | {} |", shares(all.areas), shares(all.records));
        }
    }
    Ok(())
}

/// Figure 7.7: how many pages that are not result pages are taken for one. `home` in an id means real estate,
/// `car` used cars.
pub(super) fn control(corpus: &Corpus) {
    println!("| domain | pages | called result pages | accuracy |\n|---|--:|--:|--:|");
    for (word, name) in [("home", "real-estate"), ("car", "used-cars")] {
        let Ok(domain) = Domain::load(name).map(Arc::new) else { continue };
        let mut options = ListOptions::default();
        options.method = Method::Amber;
        options.amber.domain = Some(domain);
        let pages: Vec<_> = corpus
            .pages
            .iter()
            .filter(|page| page.id.starts_with(word))
            .filter_map(|page| corpus.page(&page.id))
            .collect();
        let called = pages.iter().filter(|page| !find(page, &options).no_primary).count();
        let accuracy = 100.0 * (1.0 - called as f64 / pages.len().max(1) as f64);
        println!("| {name} | {} | {called} | {accuracy:.1}% |", pages.len());
    }
}
