//! Runs the methods on every figure of the papers and on pages of our own.
//!
//! A case is a folder `testdata/pages/<case>` with `page.html` and `expected.json`. The latter has the
//! records of each region, says which region is the main list (if there is one; it may be a possible one,
//! because the pages of the figures have little else that would speak for it), and names the
//! methods that must find all regions. Every case names at least one method, so a figure that no method
//! passes is a failure. [`NOT_YET`] lists what a method does not get right yet, with the reason. A case that
//! passes must be removed from it.

#![allow(clippy::unwrap_used)]

use copal::{Answer, Method, Request, Role};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Cases that a method gets wrong although they name it: case, method, reason.
const NOT_YET: &[(&str, &str, &str)] = &[
    (
        "buw-fig03d",
        "combined",
        "of two lists of about the same length, the table is ranked before the longer list",
    ),
    (
        "carousel-alike",
        "combined",
        "a list in which one record holds five similar things is less regular than the five things: no page \
         of the fit has such a record",
    ),
    (
        "sections-few",
        "combined",
        "a section with one or two records is taken for a record: the score likes that it covers the headings \
         too",
    ),
];

struct Case {
    name: String,
    html: String,
    expected: Value,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &Path, name: &str| fs::read_to_string(path.join(name)).unwrap();
    let case = |path: &PathBuf| Case {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        html: read(path, "page.html"),
        expected: serde_json::from_str(&read(path, "expected.json")).unwrap(),
    };
    paths.iter().map(case).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn run(case: &Case, method: Method) -> Answer {
    let mut request = Request::for_lists();
    request.lists.method = method;
    request.all = true;
    request.lists.rdr.query = case.expected["query"].as_str().map(str::to_owned);
    copal::extract(&case.html, &request)
}

/// What is wrong with a method's answer to a case.
fn fault(case: &Case, method: Method) -> Option<String> {
    let found = run(case, method);
    let texts =
        |region: &copal::Region| region.records.iter().map(|record| record.text.clone()).collect::<Vec<_>>();
    let regions = case.expected["regions"].as_array().unwrap();
    for (i, region) in regions.iter().enumerate() {
        let want = strings(&region["records"]);
        let Some(hit) = found.regions.iter().find(|region| texts(region) == want) else {
            let got: Vec<_> = found.regions.iter().map(texts).collect();
            return Some(format!("region {i} not found\n  want {want:?}\n  got  {got:#?}"));
        };
        let primary = case.expected["primary"].as_u64() == Some(i as u64);
        let ranked = case.expected["ranked"] != Value::Bool(false);
        if ranked && primary && !hit.role.is_main() {
            return Some(format!("region {i} is not the main list, but {:?}", found.primary().map(texts)));
        }
    }
    let primary = found.primary().filter(|list| regions.is_empty() && list.role == Role::Primary);
    primary.map(|list| format!("found {:?} where no list is", texts(list)))
}

#[test]
fn every_case_passes_with_the_methods_it_names() {
    let mut faults = Vec::new();
    for case in cases() {
        let methods = strings(&case.expected["methods"]);
        assert!(!methods.is_empty(), "{}: no method", case.name);
        for name in methods {
            let not_yet = NOT_YET.iter().any(|&(not, by, _)| (not, by) == (&case.name, name));
            match fault(&case, name.parse().unwrap()) {
                Some(why) if !not_yet => faults.push(format!("{} by {name}: {why}", case.name)),
                None if not_yet => {
                    faults.push(format!("{} by {name} passes now: take it off the list", case.name));
                }
                _ => {}
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn what_is_not_right_yet_is_a_case() {
    let cases = cases();
    for (name, method, why) in NOT_YET {
        let names_it =
            |case: &Case| case.name == *name && strings(&case.expected["methods"]).contains(method);
        assert!(cases.iter().any(names_it) && !why.is_empty(), "{name} by {method} is no case");
    }
}

#[test]
fn every_figure_is_a_case() {
    let all: Vec<String> =
        cases().iter().map(|case| case.expected["figure"].as_str().unwrap_or("").to_owned()).collect();
    let mut wanted: Vec<String> =
        ["3", "4", "7", "11", "13", "14", "16", "17", "19"].map(|n| format!("MDR Figure {n}")).to_vec();
    wanted.extend(["3(a)", "3(b)", "3(c)", "3(d)", "6", "7", "8", "13"].map(|n| format!("BUW Figure {n}")));
    wanted.extend(["1", "2", "4"].map(|n| format!("RDR Figure {n}")));
    for figure in wanted {
        let is = |name: &String| {
            name.replace("Figures", "Figure")
                .strip_prefix(figure.as_str())
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        assert!(all.iter().any(is), "{figure} has no case: {all:?}");
    }
}

/// Prints which methods pass which cases: `cargo test -p copal --test figures -- --ignored --nocapture`.
#[test]
#[ignore = "a table to look at, not a check"]
fn table_of_cases_and_methods() {
    for case in cases() {
        let passes: Vec<&str> =
            Method::ALL.into_iter().filter(|&m| fault(&case, m).is_none()).map(Method::name).collect();
        println!("{:24} passes {:?}, must {:?}", case.name, passes, strings(&case.expected["methods"]));
    }
}
