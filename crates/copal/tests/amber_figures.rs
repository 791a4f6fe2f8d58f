//! The figures of AMBER's thesis that show pages, against AMBER.
//!
//! A figure is a folder `testdata/amber/<figure>` with `page.html` and `expected.json`: the domain, and all
//! areas that must be found (and no others), each with its role and its records. A record lists the
//! attributes that must be found, with their exact texts. `inferred` lists the values that must be marked as
//! inferred, and `absent` what a record must not have. Both count the records over all areas.

#![allow(clippy::unwrap_used)]

use copal::{Answer, Domain, Method, Record, Region, Request};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/amber")
}

fn run(html: &str, domain: Option<&str>) -> Answer {
    let mut request = Request::default();
    request.lists.method = Method::Amber;
    request.all = true;
    request.set_domain(domain.map(|name| Arc::new(Domain::load(name).unwrap())));
    copal::extract(html, &request)
}

/// A record's value of an attribute, and whether it is inferred.
fn value<'a>(region: &Region, record: &'a Record, attribute: &str) -> Option<(&'a str, bool)> {
    let c = region.columns.iter().position(|column| column.name == attribute)?;
    let text = record.cells[c].first()?;
    Some((text, record.cells[c].provenance == copal::Provenance::Inferred))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// How many values of a wanted area a region has, in the right records.
fn right(region: &Region, area: &Value) -> usize {
    let pairs = region.records.iter().zip(list(&area["records"]));
    pairs
        .flat_map(|(record, want)| {
            want.as_object().unwrap().iter().map(move |(name, text)| (record, name, text))
        })
        .filter(|(record, name, text)| value(region, record, name).map(|v| v.0) == text.as_str())
        .count()
}

/// What is wrong with one area; its records are numbered from `first`.
fn faults_of(region: &Region, area: &Value, first: usize, expected: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let role = area["role"].as_str().unwrap();
    if region.role.name() != role {
        faults.push(format!("role: got {}, wanted {role}", region.role.name()));
    }
    let records = list(&area["records"]);
    if region.records.len() != records.len() {
        faults.push(format!("records: got {}, wanted {}", region.records.len(), records.len()));
        return faults;
    }
    for (i, (record, want)) in region.records.iter().zip(records).enumerate() {
        let number = first + i;
        for (name, text) in want.as_object().unwrap() {
            let got = value(region, record, name).map(|v| v.0);
            if got != text.as_str() {
                faults.push(format!("record {number} {name}: got {got:?}, wanted {text}"));
            }
        }
        for absent in list(&expected["absent"][number.to_string()]) {
            if let Some((text, _)) = value(region, record, absent.as_str().unwrap()) {
                faults.push(format!("record {number} {absent}: got {text:?}, wanted nothing"));
            }
        }
        for inferred in list(&expected["inferred"]).iter().filter(|pair| pair[0] == number) {
            let name = inferred[1].as_str().unwrap();
            if value(region, record, name).is_none_or(|v| !v.1) {
                faults.push(format!("record {number} {name}: wanted an inferred value"));
            }
        }
    }
    faults
}

fn check(figure: &str) {
    let read = |name: &str| fs::read_to_string(folder().join(figure).join(name)).unwrap();
    let expected: Value = serde_json::from_str(&read("expected.json")).unwrap();
    let found = run(&read("page.html"), expected["domain"].as_str());
    let areas = list(&expected["areas"]);
    let mut faults = Vec::new();
    if found.regions.len() != areas.len() {
        faults.push(format!("areas: got {}, wanted {}", found.regions.len(), areas.len()));
    }
    let mut left: Vec<&Region> = found.regions.iter().collect();
    let mut first = 0;
    for (i, area) in areas.iter().enumerate() {
        // the most similar region; among equals the one with the better rank
        if let Some(best) = (0..left.len()).rev().max_by_key(|&r| right(left[r], area)) {
            let region = left.remove(best);
            faults.extend(
                faults_of(region, area, first, &expected).iter().map(|fault| format!("area {i}: {fault}")),
            );
        }
        first += list(&area["records"]).len();
    }
    let shown = |region: &Region| {
        let texts: String = region.records.iter().map(|record| format!("\n    {}", record.text)).collect();
        format!("\n  {} {}{texts}", region.role.name(), region.xpath())
    };
    let got: String = found.regions.iter().map(shown).collect();
    assert!(faults.is_empty(), "{figure}: {} faults\n{}\ngot{got}", faults.len(), faults.join("\n"));
}

macro_rules! figures {
    ($($test:ident: $figure:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($figure);
            }
        )*

        #[test]
        fn every_folder_is_a_test() {
            let mut names: Vec<String> = fs::read_dir(folder())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            assert_eq!(names, [$($figure),*]);
        }
    };
}

figures! {
    figure_1_1: "1.1",
    figure_2_1_grid: "2.1-grid",
    figure_2_1_list: "2.1-list",
    figure_2_1_list_and_table: "2.1-list-and-table",
    figure_2_1_table: "2.1-table",
    figure_4_2: "4.2",
    figure_4_3: "4.3",
    figure_4_4: "4.4",
    figure_4_5: "4.5",
    figure_4_7: "4.7",
    figure_4_8: "4.8",
    figure_4_8_six_records: "4.8-six-records",
}
