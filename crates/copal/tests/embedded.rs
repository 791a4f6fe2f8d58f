//! Embedded data: which of it becomes columns, which a list, and which is ignored.
//!
//! A case is a folder `testdata/embedded/<case>` with `page.html` and `expected.json`. The latter says
//! whether embedded data is requested, where the main list comes from (`origin`: page, embedded, or null for
//! no list), which columns the data adds (`added`) or has (`columns`), fields of every record, and parts of a
//! warning and of a reason.

#![allow(clippy::unwrap_used)]

use copal::{Answer, CellSource, Limit, Region, Request, Warning};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

struct Case {
    name: String,
    html: String,
    expected: Value,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/embedded");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &Path, name: &str| fs::read_to_string(path.join(name)).unwrap();
    let case = |path: &std::path::PathBuf| Case {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        html: read(path, "page.html"),
        expected: serde_json::from_str(&read(path, "expected.json")).unwrap(),
    };
    paths.iter().map(case).collect()
}

fn run(html: &str, embedded: bool, url: Option<&str>) -> Answer {
    let mut request = Request::default();
    request.embedded = embedded;
    request.lists.explain = true;
    request.url = url.map(str::to_owned);
    copal::extract(html, &request)
}

fn names(region: &Region, only: Option<CellSource>) -> Vec<&str> {
    let wanted = region.columns.iter().filter(|column| only.is_none_or(|only| column.source == only));
    wanted.map(|column| column.name.as_str()).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}

/// What is wrong with the answer to a case.
fn faults(case: &Case) -> Vec<String> {
    let want = &case.expected;
    let found = run(&case.html, want["embedded"].as_bool().unwrap(), want["url"].as_str());
    let mut faults = Vec::new();
    let mut check = |right: bool, what: String| faults.extend((!right).then_some(what));
    let origin = found.primary().map(|region| region.origin.name());
    check(origin == want["origin"].as_str(), format!("origin {origin:?}"));
    if let Some(region) = found.primary() {
        if want.get("added").is_some() {
            let added = names(region, Some(CellSource::Embedded));
            check(added == strings(&want["added"]), format!("added {added:?}"));
        }
        if want.get("columns").is_some() {
            check(
                names(region, None) == strings(&want["columns"]),
                format!("columns {:?}", names(region, None)),
            );
        }
        let records = want["records"].as_array().unwrap();
        check(region.records.len() == records.len(), format!("{} records", region.records.len()));
        for (record, fields) in region.records.iter().zip(records) {
            for (name, text) in fields.as_object().unwrap() {
                let at = region.columns.iter().position(|column| column.name == *name);
                let cell = at.map(|at| record.cells[at].texts().collect::<Vec<_>>()).unwrap_or_default();
                let one = text.as_str().map(|text| vec![text]);
                check(cell == one.unwrap_or_else(|| strings(text)), format!("{name}: {cell:?}, not {text}"));
            }
        }
    }
    let warnings: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    let warned = want["warning"].as_str();
    check(warnings.len() == usize::from(warned.is_some()), format!("warnings {warnings:?}"));
    check(
        warned.is_none_or(|part| warnings.iter().any(|w| w.contains(part))),
        format!("warnings {warnings:?}"),
    );
    let reasons: Vec<String> =
        found.explanation.unwrap().reasons.into_iter().map(|reason| reason.text).collect();
    let reason = want["explain"].as_str();
    check(reason.is_none_or(|part| reasons.iter().any(|r| r.contains(part))), format!("reasons {reasons:?}"));
    faults
}

#[test]
fn every_case_passes() {
    let mut all = Vec::new();
    for case in cases() {
        all.extend(faults(&case).into_iter().map(|fault| format!("{}: {fault}", case.name)));
    }
    assert!(all.is_empty(), "{} faults\n{}", all.len(), all.join("\n"));
}

#[test]
fn nothing_is_invented() {
    for case in cases() {
        // as written, and with the escapes of one and of two levels of strings undone
        let once = case.html.replace("\\\"", "\"").replace("\\\\", "\\");
        let twice = once.replace("\\\"", "\"").replace("\\u00f6", "ö").replace("&quot;", "\"");
        let found = run(&case.html, true, None);
        for region in &found.regions {
            for (c, column) in region.columns.iter().enumerate() {
                for text in region.records.iter().flat_map(|record| record.cells[c].texts()) {
                    let there = [&case.html, &once, &twice].iter().any(|html| html.contains(text));
                    assert!(
                        there || column.source != CellSource::Embedded,
                        "{}: {} {text:?}",
                        case.name,
                        column.name
                    );
                }
            }
        }
    }
}

#[test]
fn records_that_are_not_shown_have_no_places_and_say_so() {
    let case = cases().into_iter().find(|case| case.name == "json-parse").unwrap();
    let found = run(&case.html, false, None);
    let region = found.primary().unwrap();
    assert_eq!(region.xpath(), "/html/body/script[1]");
    assert!(region.records.iter().all(|record| record.xpaths().is_empty() && record.place.parts.is_empty()));
    assert!(
        region.records[1].text.starts_with("Baker /apply/1 Crumb & Co 3.90 24500"),
        "{}",
        region.records[1].text
    );
    assert!(!found.is_partial());
}

#[test]
fn data_is_not_read_unless_asked_for_or_needed() {
    for case in cases().iter().filter(|case| case.expected["origin"] == "page") {
        let found = run(&case.html, false, None);
        assert!(found.warnings.is_empty(), "{}", case.name);
        assert_eq!(names(found.primary().unwrap(), Some(CellSource::Embedded)), [""; 0], "{}", case.name);
    }
}

#[test]
fn with_all_lists_the_shown_ones_stay() {
    let case = cases().into_iter().find(|case| case.name == "richer-data").unwrap();
    let mut request = Request::default();
    (request.embedded, request.all) = (true, true);
    let found = copal::extract(&case.html, &request);
    let origins: Vec<&str> = found.regions.iter().map(|region| region.origin.name()).collect();
    assert_eq!(origins[0], "embedded");
    assert!(origins[1..].contains(&"page"));
    assert_eq!(found.regions.iter().filter(|region| region.role == copal::Role::Primary).count(), 1);
}

/// Hostile scripts: reading each of them must end soon, with or without a result.
#[test]
fn hostile_data_is_bounded() {
    let objects =
        |n: usize| (0..n).map(|i| format!("{{\"a\":{i},\"b\":\"x{i}\"}}")).collect::<Vec<_>>().join(",");
    let scripts = [
        ("five megabytes", format!("x=[{}]", objects(200_000))),
        ("ten megabytes", format!("x=[{}]", objects(450_000))),
        ("many lists", format!("x=[{}]", "[{\"a\":1},{\"a\":2}],".repeat(200_000) + "1")),
        ("deep", format!("x={}", "[".repeat(3_000_000))),
        ("deep objects", format!("x={}1", "{\"a\":".repeat(500_000))),
        ("open at every level", format!("x={}", "{\"a\":[1,2,{\"b\":\"=[1\"}],\"c\":".repeat(100_000))),
        ("unclosed strings", "JSON.parse(\"".repeat(300_000)),
        ("openers", "=[{\"".repeat(700_000)),
        (
            "many keys",
            format!(
                "x=[{{{}\"z\":1}},{{\"z\":2}}]",
                (0..200_000).map(|i| format!("\"k{i}\":{i},")).collect::<String>()
            ),
        ),
        ("one long key", format!("x={{\"{}\":[{}]}}", "k".repeat(1_000_000), "[],".repeat(300_000) + "1")),
        (
            "same values",
            format!("x=[{}]", "{\"title\":\"Oak lamp\",\"url\":\"/p/1\",\"n\":1},".repeat(60_000) + "{}"),
        ),
        ("pushes", "s.push([1,\"1:[{\\\"a\\\":\"]);".repeat(150_000)),
    ];
    let cards = "<li><a href=/p/1>Oak lamp</a> <i>£1</i>".repeat(2000);
    for (what, script) in scripts {
        for page in [
            format!("<ul>{cards}</ul><script>{script}</script>"),
            format!("<div></div><script>{script}</script>"),
        ] {
            let start = Instant::now();
            run(&page, true, None);
            let took = start.elapsed();
            assert!(took < Duration::from_mins(1), "{what}: {took:?}");
        }
    }
}

#[test]
fn too_much_data_is_said() {
    let page = format!("<p>x</p><script>x=[{}]</script>", "1,".repeat(3_500_000));
    assert!(run(&page, true, None).warnings.contains(&Warning::Limit(Limit::Work)));
    assert!(run(&page, false, None).warnings.is_empty(), "what was not asked for is not missing");
}
