//! Choosing a list and adding fields: `--list`, `--near`, `--select`, `--field`.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, SHOP, folder, golden, run, style};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A page whose boxes do not look like a list to the extractor.
const BOXES: &str = r#"<!DOCTYPE html><html><head><title>Boxes</title></head><body>
<div id="boxes"><section data-id="7"><h3>First box</h3><p>Alpha</p><img src="/a.png" alt="A picture"></section>
<section data-id="8"><h3>Second box</h3><p>Beta</p><img src="/b.png" alt="B picture"></section></div>
</body></html>"#;

/// The texts of the records of the one list that is returned.
fn records(folder: &Path, line: &str) -> Vec<String> {
    let run = run(folder, &format!("{line} --format json"));
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let regions = answer["regions"].as_array().unwrap();
    assert_eq!(regions.len(), 1, "{line}");
    assert_eq!(regions[0]["role"], "primary");
    let records = regions[0]["records"].as_array().unwrap().iter();
    records.map(|record| record["text"].as_str().unwrap().to_owned()).collect()
}

/// The values of one column, with an empty text for absent cells.
fn column(folder: &Path, line: &str, name: &str) -> Vec<String> {
    let run = run(folder, &format!("{line} --format csv"));
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
    let at = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

#[test]
fn a_list_is_chosen_by_rank_text_or_selector() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("boxes.html", BOXES.as_bytes())]);
    let of = |options: &str| records(folder.path(), &format!("copal extract shop.html {options}"));
    let main = of("");
    assert_eq!(main.len(), 4);
    assert!(main[0].starts_with("Blue lamp"));
    assert_eq!(of("--list 1"), main);
    let seen = of("--list 2");
    assert_eq!(seen[0], "Paper lamp £5");
    // case and white space make no difference
    assert_eq!(of("--near 'oil   LAMP £21'"), seen);
    assert_eq!(of("--near 'at work'"), main);
    assert_eq!(of("--select ol.seen"), seen);
    assert_eq!(of("--select '.seen > li'"), seen);
    assert_eq!(of("--select .lamps"), main);
    assert_eq!(of("--select 'ul.tags li'").len(), 8);
    let boxes = records(folder.path(), "copal extract boxes.html --select section");
    assert_eq!(boxes, ["First box Alpha", "Second box Beta"]);
    assert_eq!(records(folder.path(), "copal extract boxes.html --select '#boxes'"), boxes);
    assert_eq!(records(folder.path(), "cat boxes.html | copal extract - --select section"), boxes);
}

#[test]
fn data_documents_have_ranks_and_texts_too() {
    let json = br#"{"lamps": [{"name": "Blue", "price": 1}, {"name": "Red", "price": 2}, {"name": "Green", "price": 3}],
        "shops": [{"city": "Rome"}, {"city": "Oslo"}]}"#;
    let folder = folder(&[("data.json", json)]);
    let near = records(folder.path(), "copal extract data.json --near oslo");
    assert_eq!(near.len(), 2);
    assert_eq!(records(folder.path(), "copal extract data.json --list 2"), near);
    assert_eq!(run(folder.path(), "copal extract data.json --select ul").code, 1);
}

#[test]
fn fields_are_columns_at_a_selector() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("boxes.html", BOXES.as_bytes())]);
    let line = "copal extract shop.html --field reduced=.off --field link='h2 a@href' --field kind=@class --url https://a.example/x";
    assert_eq!(column(folder.path(), line, "reduced"), ["-10%", "", "-25%", ""]);
    assert_eq!(column(folder.path(), line, "link")[2], "https://a.example/lamp/3");
    assert_eq!(column(folder.path(), line, "kind"), ["lamp"; 4]);
    // a column of that name is replaced
    assert_eq!(
        column(folder.path(), "copal extract shop.html --field title=.about", "title")[2],
        "@home and at work"
    );
    let line = "copal extract boxes.html --select section --field alt=img@alt";
    assert_eq!(column(folder.path(), line, "alt"), ["A picture", "B picture"]);
    let json = run(folder.path(), "copal extract shop.html --field cost=.price --format json");
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(answer["regions"][0]["records"][0]["values"]["cost"]["amount"], "12");
    let object = run(folder.path(), "copal extract boxes.html --kind object --field first=h3 --format json");
    let answer: Value = serde_json::from_str(&object.stdout).unwrap();
    assert_eq!(answer["fields"]["first"], "First box");
}

#[test]
fn the_chosen_list_is_learned() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let learn = "copal learn shop.html --near 'Paper lamp' -o seen.yaml && copal apply seen.yaml shop.html";
    let seen = records(folder.path(), learn);
    assert_eq!(seen, records(folder.path(), "copal extract shop.html --list 2"));
    let missing = run(folder.path(), "copal learn shop.html --near 'no such lamp' -o none.yaml");
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("hint: "), "{}", missing.stderr);
    assert!(!fs::exists(folder.path().join("none.yaml")).unwrap());
}

#[test]
fn missing_lists_and_contradictory_options_are_errors() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let lines = [
        ("copal extract shop.html --list 9", 1),
        ("copal extract shop.html --near 'no such lamp' --format csv", 1),
        ("copal extract shop.html --select .none --quiet", 1),
        ("copal extract shop.html --select '['", 2),
        ("copal extract shop.html --list 0", 2),
        ("copal extract shop.html --near ''", 2),
        ("copal extract shop.html --list 1 --near lamp", 2),
        ("copal extract shop.html --near lamp --select ul", 2),
        ("copal extract shop.html --list 1 --all", 2),
        ("copal extract shop.html --list 1 --kind object", 2),
        ("copal extract shop.html --near lamp --navigation", 2),
        ("copal extract shop.html --field price", 2),
        ("copal extract shop.html --field price=[", 2),
        ("copal learn shop.html --list 1 --select ul", 2),
        ("copal learn shop.html --method deuds", 2),
    ];
    let runs: Vec<Run> = golden("choice", folder.path(), &lines.map(|(line, _)| line));
    for (run, (line, code)) in runs.iter().zip(lines) {
        style(run);
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
    }
}
