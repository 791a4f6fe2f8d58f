//! `copal export`: the files that it writes, and its messages. `exports.rs` runs the exported programs.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, golden, run, style};

const LAMPS: &str = "\
copal: 1
pages:
  - kind: list
    region: ['.lamps', main]
    record: {find: ['.lamp'], needs: h2}
    columns:
      - {name: title, find: ['h2 a', h2], presence: 1}
      - {name: url, from: href, find: ['h2 a'], presence: 1}
      - {name: 'prix €', find: [{label: Price}, '.price'], cut: {after: '£', before: ' each'}}
      - {name: tags, find: ['.tags li'], many: true}
      - {name: second, find: [{css: p, nth: 2}]}
";

#[test]
fn each_target_has_its_form() {
    let folder = folder(&[("lamps.yaml", LAMPS.as_bytes())]);
    let runs = golden(
        "export",
        folder.path(),
        &[
            "copal export lamps.yaml --to crawl4ai",
            "copal export lamps.yaml --to oxpath --url https://shop.example/lamps",
            "copal export lamps.yaml --to xpath-json",
            "copal export lamps.yaml --to scrapy | sed -n '/^WRAPPER/,/^]/p'",
            "copal export lamps.yaml --to playwright | sed -n '/^const WRAPPER/,/^];/p'",
        ],
    );
    runs.iter().for_each(style);
}

#[test]
fn what_cannot_be_exported_is_reported() {
    let section = "{copal: 1, pages: [{kind: section, region: [table]}]}";
    let both = LAMPS.to_owned() + "  - {kind: section, region: [table]}\n";
    let folder = folder(&[("section.yaml", section.as_bytes()), ("both.yaml", both.as_bytes())]);
    let runs = golden(
        "export-errors",
        folder.path(),
        &[
            "copal export section.yaml --to scrapy",
            "copal export both.yaml --to scrapy -o spider.py",
            "copal export both.yaml --to oxpath -o lamps.oxpath",
            "copal export nothing.yaml --to scrapy",
            "copal export both.yaml --to perl",
            "copal export -q both.yaml --to oxpath -o no/such/folder/lamps.oxpath",
        ],
    );
    runs.iter().for_each(style);
    let quiet = run(folder.path(), "copal export -q both.yaml --to crawl4ai");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
}
