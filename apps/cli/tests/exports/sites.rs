//! Exported programs of whole sites, run against the sites: they must read the records that `copal site` reads.

use crate::common::kettle_site::{OWN, all_titles, run, shop, titles};
use crate::common::searched_shop::searched_shop;
use crate::generated_sites::suggestions::{SUGGESTED_HOMES, SuggestionStyle};
use crate::generated_sites::{other_page, properties};
use crate::{chromium, lines, text, tools};
use copal_testserver::Server;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The titles that a spider reads, sorted.
fn spider_titles(folder: &Path, spider: &Path) -> Vec<String> {
    let out = folder.join("out.jsonl");
    let mut command = Command::new(tools().join("bin/scrapy"));
    command.arg("runspider").arg(spider).arg("-O").arg(&out).env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = fs::read_to_string(&out).unwrap();
    sorted_titles(read.lines().map(|line| serde_json::from_str(line).unwrap()))
}

/// The titles that a script of Playwright reads, sorted.
fn script_titles(script: &Path) -> Vec<String> {
    let arguments = [text(script), "--chromium".to_owned(), chromium()];
    sorted_titles(lines(Path::new("node"), arguments).into_iter())
}

fn sorted_titles(records: impl Iterator<Item = Value>) -> Vec<String> {
    let title = |record: Value| record["title"].as_str().unwrap_or_default().to_owned();
    let mut titles: Vec<String> = records.map(title).collect();
    titles.sort();
    titles
}

/// Learns a wrapper of the site, exports it, runs both programs, and compares them with what `copal site` has stored.
fn programs_read_the_site(server: &Server, options: &str, wanted: &[String]) {
    let folder = tempfile::tempdir().unwrap();
    symlink(tools().join("node_modules"), folder.path().join("node_modules")).unwrap();
    let line = format!("copal site $SITE/ {OWN} {options} -o site.sqlite --wrapper site.copal.yaml");
    let site = run(server, folder.path(), &line);
    assert_eq!(site.code, 0, "{}", site.stderr);
    let stored = titles(&folder.path().join("site.sqlite"));
    assert_eq!(stored, wanted);
    let wrapper = fs::read_to_string(folder.path().join("site.copal.yaml")).unwrap();
    for (target, file) in [("scrapy", "exported_site.py"), ("playwright", "exported_site.mjs")] {
        let line = format!("copal export site.copal.yaml --to {target} -o {file}");
        let exported = run(server, folder.path(), &line);
        assert_eq!(exported.code, 0, "{target}: {}", exported.stderr);
        let program = folder.path().join(file);
        let is_complete = !fs::read_to_string(&program).unwrap().contains("MISSING");
        assert!(is_complete, "{target}: {}{wrapper}", exported.stderr);
        let read =
            if target == "scrapy" { spider_titles(folder.path(), &program) } else { script_titles(&program) };
        assert_eq!(read, stored, "{target}: {wrapper}");
    }
}

#[test]
#[ignore = "needs Scrapy, Playwright and Chromium: make exports"]
fn programs_read_all_pages_of_a_list() {
    programs_read_the_site(&Server::start(shop), "", &all_titles());
}

#[test]
#[ignore = "needs Scrapy, Playwright and Chromium: make exports"]
fn programs_send_searches_by_post() {
    let names = (0..16).flat_map(|n| ["new", "used"].map(|state| format!("Kettle {state} {n}")));
    let mut wanted: Vec<String> = names.collect();
    wanted.sort();
    programs_read_the_site(&Server::start(searched_shop), "", &wanted);
}

#[test]
#[ignore = "needs Scrapy, Playwright and Chromium: make exports"]
fn programs_take_suggestions() {
    let mut wanted: Vec<String> = properties(SUGGESTED_HOMES).into_iter().map(|one| one.title).collect();
    wanted.sort();
    for style in [SuggestionStyle::Combobox, SuggestionStyle::Plain] {
        let server =
            Server::start(move |request| style.answer(request).unwrap_or_else(|| other_page(request)));
        let options = "--domain real-estate --render auto --no-browser-sandbox";
        programs_read_the_site(&server, options, &wanted);
    }
}
