//! The built-in domain packs: every attribute finds the strings that its pack lists and no others, and the
//! records of the pack's page are found.
//!
//! A pack has `tests.yaml` (attribute to strings with and without it) and a page in `testdata/domains/<pack>`
//! with the records and attributes it shows.

#![allow(clippy::unwrap_used)]

use copal::{Domain, Request};
use copal_domain::domain_tests::run_domain_tests;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;

#[test]
fn attributes_find_their_strings_and_no_others() {
    let mut faults = Vec::new();
    for pack in Domain::built_in() {
        let domain = Domain::load(pack).unwrap();
        let tests = Domain::tests(pack).unwrap();
        faults.extend(
            run_domain_tests(&domain, &tests).unwrap().failures.iter().map(|fault| format!("{pack}.{fault}")),
        );
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// (right, found, wanted) attribute values of a pack's page.
fn score(pack: &str, (page, gold): (&str, &str)) -> (usize, usize, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/domains").join(pack);
    let html = fs::read_to_string(folder.join(format!("{page}.html"))).unwrap();
    let expected: Value =
        serde_json::from_str(&fs::read_to_string(folder.join(format!("{gold}.json"))).unwrap()).unwrap();
    let mut request = Request::default();
    request.lists.method = copal::Method::Amber;
    // with `Auto`, two of the unseen pages are taken for objects: lists of a domain have no confidence yet
    request.kind = copal::KindRequest::List;
    request.set_domain(Some(Arc::new(Domain::load(pack).unwrap())));
    let found = copal::extract(&html, &request);
    let Some(region) = found.primary() else {
        println!("{pack} {page}: no primary area");
        return (0, 0, 1);
    };
    let records = expected["records"].as_array().unwrap();
    if region.records.len() != records.len() {
        println!("{pack} {page}: {} records, wanted {}", region.records.len(), records.len());
        return (0, 0, 1);
    }
    let (mut right, mut got, mut wanted) = (0, 0, 0);
    for (record, want) in region.records.iter().zip(records) {
        for (c, column) in region.columns.iter().enumerate() {
            let want = want.get(&column.name).map(|text| text.as_str().unwrap_or_default().to_owned());
            let have = record.cells[c].first();
            // an attribute that the expected records never have is not judged
            let listed = records.iter().any(|record| record.get(&column.name).is_some());
            got += usize::from(listed && have.is_some());
            let same = have.is_some() && have == want.as_deref();
            right += usize::from(same);
            if listed && !same {
                println!("{pack}.{}: got {have:?}, wanted {want:?}", column.name);
            }
        }
        wanted += want.as_object().unwrap().len();
    }
    (right, got, wanted)
}

/// The lowest accepted scores. They may be raised; lowering one needs a reason in the commit. The second
/// score is for a page that was not used to write the pack. The two packs of the thesis are tested on
/// generated pages instead.
#[test]
fn the_packs_pages_are_read() {
    let floors: &[(&str, f64, Option<f64>)] = &[
        ("books", 0.95, Some(0.9)),
        ("cameras", 0.95, Some(0.9)),
        ("events", 0.95, Some(0.9)),
        ("jobs", 0.95, Some(0.9)),
        ("movies", 0.95, Some(0.9)),
        ("nba-players", 0.95, Some(0.9)),
        ("products", 0.95, Some(0.8)),
        ("real-estate", 0.95, None),
        ("recipes", 0.95, Some(0.9)),
        ("restaurants", 0.95, Some(0.9)),
        // its images are icons of sites, not images of the records
        ("search-results", 0.89, Some(0.9)),
        ("universities", 0.95, Some(0.6)),
        ("used-cars", 0.95, None),
    ];
    let packs: Vec<&str> = floors.iter().map(|floor| floor.0).collect();
    assert_eq!(packs, Domain::built_in());
    let mut faults = Vec::new();
    for (pack, own, unseen) in floors {
        for (page, floor) in [("page", "expected", Some(own)), ("unseen", "unseen", unseen.as_ref())]
            .map(|(page, gold, floor)| ((page, gold), floor))
        {
            let Some(floor) = floor else { continue };
            let (right, got, wanted) = score(pack, page);
            let f1 = 2.0 * right as f64 / (got + wanted) as f64;
            println!("{pack} {}: {right} right of {got} found and {wanted} wanted, F1 {f1:.3}", page.0);
            if f1 < *floor {
                faults.push(format!("{pack} {}: F1 {f1:.3} is below {floor}", page.0));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
