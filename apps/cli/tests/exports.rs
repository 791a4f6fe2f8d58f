//! Runs exported wrappers with the real tools: Scrapy and parsel, crawl4ai's strategy, lxml, and Playwright
//! with Chromium. Each must return the same records as `copal apply`.
//!
//! `make exports` (part of `make test`) installs the tools into a folder of their own and runs this file. The
//! scripts in `exports/` call the tools. [`NOT_EXPRESSIBLE`] lists the pages that a tool is known not to
//! read.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;
#[path = "../../../crates/copal-explore/tests/generated/mod.rs"]
mod generated_sites;
#[path = "exports/sites.rs"]
mod sites;

use common::{folder, root, run};
use serde_json::{Map, Value};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The URL that all pages are said to have.
const URL: &str = "https://shop.example/a/list.html";

/// Pages whose title is the first link that has a text. No selector can express this, and crawl4ai takes the
/// first link, which has none.
const NOT_EXPRESSIBLE: [&str; 3] = ["buw-fig03d", "grid-table-cells", "hn-rows"];

/// A page and a wrapper for it.
struct Case {
    name: String,
    page: PathBuf,
    wrapper: PathBuf,
}

/// The folder in which the tools are installed.
fn tools() -> PathBuf {
    std::env::var_os("COPAL_EXPORTS").map_or_else(|| root().join(".venv-exports"), PathBuf::from)
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports")
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// All test pages with a list that can be learned, and the difficult ones, which have hand-written wrappers.
fn cases(folder: &Path) -> Vec<Case> {
    let pages = fs::read_dir(root().join("testdata/pages")).unwrap();
    let mut pages: Vec<PathBuf> = pages.map(|entry| entry.unwrap().path().join("page.html")).collect();
    pages.sort();
    pages.push(root().join("examples/shop.html"));
    let mut cases = Vec::new();
    // its only column is located by value type alone, which only copal recognises
    pages.retain(|page| !page.parent().unwrap().ends_with("table-rowspan"));
    for page in pages {
        let name = page.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        let wrapper = folder.join(format!("{name}.yaml"));
        let line = format!("copal learn -q --kind list {} -o {}", text(&page), text(&wrapper));
        let learned = run(folder, &line);
        if learned.code == 0 && fs::read_to_string(&wrapper).unwrap().contains("columns:") {
            cases.push(Case { name, page, wrapper });
        }
    }
    assert!(cases.len() > 40, "only {} pages were learned", cases.len());
    cases.extend(own());
    cases.push(book(folder));
    cases
}

/// The case of a detail page.
fn book(folder: &Path) -> Case {
    let page = |number: usize| root().join(format!("testdata/objects/books/{number}.html"));
    let wrapper = folder.join("book.yaml");
    let pages: Vec<String> = (1..=3).map(|number| text(&page(number))).collect();
    let learned =
        run(folder, &format!("copal learn -q --kind detail {} -o {}", pages.join(" "), text(&wrapper)));
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    Case { name: "book".into(), page: page(4), wrapper }
}

/// The pages with every kind of locator.
fn own() -> Vec<Case> {
    let case = |name: &str| Case {
        name: name.to_owned(),
        page: scripts().join(format!("{name}.html")),
        wrapper: scripts().join("offers.copal.yaml"),
    };
    vec![case("offers"), case("moved")]
}

/// What `copal apply` reads.
fn applied(folder: &Path, case: &Case, url: &str) -> Vec<Value> {
    let line =
        format!("copal apply -q {} {} --format json --url {url}", text(&case.wrapper), text(&case.page));
    let run = run(folder, &line);
    let answer: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{line}: {}", run.stderr));
    if answer["fields"].is_object() {
        return vec![answer["fields"].clone()];
    }
    let records = answer["regions"][0]["records"].as_array().cloned().unwrap_or_default();
    records.into_iter().map(|mut record| record["fields"].take()).collect()
}

/// Exports each wrapper and returns the files, one per case.
fn exported(folder: &Path, cases: &[Case], target: &str, ending: &str) -> Vec<PathBuf> {
    let export = |case: &Case| {
        let file = folder.join(format!("{}.{ending}", case.name));
        let run =
            run(folder, &format!("copal export -q {} --to {target} -o {}", text(&case.wrapper), text(&file)));
        assert_eq!(run.code, 0, "{}: {}", case.name, run.stderr);
        file
    };
    cases.iter().map(export).collect()
}

/// Runs a program whose lines are JSON, and parses them.
fn lines(program: &Path, arguments: impl IntoIterator<Item = String>) -> Vec<Value> {
    let mut command = Command::new(program);
    command.args(arguments).env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONIOENCODING", "utf-8");
    let output =
        command.output().unwrap_or_else(|error| panic!("{}: {error} (make exports)", program.display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Each exported file followed by its page.
fn pairs(files: &[PathBuf], cases: &[Case]) -> Vec<String> {
    files.iter().zip(cases).flat_map(|(file, case)| [text(file), text(&case.page)]).collect()
}

/// Compares the records that a Python script reads with those of `copal apply`.
fn python_reads_the_same(script: &Path, target: &str, ending: &str, cases: &[Case], folder: &TempDir) {
    let files = exported(folder.path(), cases, target, ending);
    let arguments = [text(script), URL.to_owned()].into_iter().chain(pairs(&files, cases));
    let read = lines(&tools().join("bin/python"), arguments);
    assert_eq!(read.len(), cases.len());
    for (case, read) in cases.iter().zip(read) {
        let wanted = applied(folder.path(), case, URL);
        assert_eq!(read.as_array().unwrap(), &wanted, "{target}: {}", case.name);
    }
}

#[test]
#[ignore = "needs Scrapy: make exports"]
fn spiders_read_what_apply_reads() {
    let folder = folder(&[]);
    let cases = cases(folder.path());
    python_reads_the_same(&scripts().join("spider_records.py"), "scrapy", "py", &cases, &folder);
}

#[test]
#[ignore = "needs lxml: make exports"]
fn xpaths_read_what_apply_reads() {
    let folder = folder(&[]);
    let cases = cases(folder.path());
    python_reads_the_same(&root().join("examples/read_xpath_json.py"), "xpath-json", "json", &cases, &folder);
}

#[test]
#[ignore = "needs Scrapy: make exports"]
fn a_spider_runs() {
    let folder = folder(&[]);
    let cases = own();
    let spider = exported(folder.path(), &cases[..1], "scrapy", "py").remove(0);
    let out = folder.path().join("out.jsonl");
    let mut command = Command::new(tools().join("bin/scrapy"));
    command.arg("runspider").arg(&spider).arg("-a").arg(format!("start=file://{}", text(&cases[0].page)));
    let output = command.arg("-O").arg(&out).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Vec<Value> =
        fs::read_to_string(&out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, applied(folder.path(), &cases[0], URL));
}

/// A record in a form in which it can be compared with crawl4ai's: only the fields of the schema, without
/// URLs, and texts without spaces.
fn comparable(record: &Value, schema: &Value) -> Map<String, Value> {
    let squeezed =
        |value: &Value| -> Value { value.as_str().unwrap().split_whitespace().collect::<String>().into() };
    let texts = schema["fields"].as_array().unwrap().iter().filter(|field| {
        let addresses = |field: &Value| field["attribute"].is_string();
        !addresses(field) && !field["fields"].as_array().is_some_and(|fields| fields.iter().any(addresses))
    });
    let mut out = Map::new();
    for name in texts.map(|field| field["name"].as_str().unwrap()) {
        let value = match &record[name] {
            Value::Array(items) => {
                let plain = |item: &Value| squeezed(item.get("value").unwrap_or(item));
                Value::Array(items.iter().map(plain).collect())
            }
            Value::String(_) => squeezed(&record[name]),
            _ => continue,
        };
        if value != "" && value != Value::Array(Vec::new()) {
            out.insert(name.to_owned(), value);
        }
    }
    out
}

#[test]
#[ignore = "needs crawl4ai: make exports"]
fn schemas_of_crawl4ai_read_what_apply_reads() {
    let folder = folder(&[]);
    let mut cases = cases(folder.path());
    // `moved` needs the second locator of its records, and a schema has only one
    cases.retain(|case| !NOT_EXPRESSIBLE.contains(&case.name.as_str()) && case.name != "moved");
    let files = exported(folder.path(), &cases, "crawl4ai", "json");
    let script = scripts().join("crawl4ai_records.py");
    let read =
        lines(&tools().join("bin/python"), std::iter::once(text(&script)).chain(pairs(&files, &cases)));
    for ((case, file), read) in cases.iter().zip(&files).zip(read) {
        let schema: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let all = |records: &[Value]| records.iter().map(|one| comparable(one, &schema)).collect::<Vec<_>>();
        let wanted = all(&applied(folder.path(), case, URL));
        assert_eq!(all(read.as_array().unwrap()), wanted, "{}", case.name);
    }
}

#[test]
#[ignore = "needs lxml: make exports"]
fn expressions_of_oxpath_mean_what_apply_reads() {
    let folder = folder(&[]);
    let mut cases = cases(folder.path());
    // `moved` needs the second locator of its records, and OXPath has only one
    cases.retain(|case| case.name != "moved");
    let files = exported(folder.path(), &cases, "oxpath", "oxpath");
    let script = scripts().join("oxpath_records.py");
    let read =
        lines(&tools().join("bin/python"), std::iter::once(text(&script)).chain(pairs(&files, &cases)));
    for ((case, file), read) in cases.iter().zip(&files).zip(read) {
        let expression = fs::read_to_string(file).unwrap();
        let wanted = applied(folder.path(), case, URL);
        let read = read.as_array().unwrap();
        assert_eq!(read.len(), wanted.len(), "{}", case.name);
        for (read, wanted) in read.iter().zip(&wanted) {
            for (name, values) in read.as_object().unwrap() {
                // URLs are not made absolute, and hidden parts of visible elements are read too (such as
                // scripts)
                let hidden_part = (case.name.as_str(), name.as_str()) == ("offers", "made");
                if expression.contains(&format!(":<{name}=string(@")) || hidden_part {
                    continue;
                }
                let texts = |value: &Value| match value {
                    Value::Array(items) => items.iter().map(squeezed).collect(),
                    one => vec![squeezed(one)],
                };
                let own = wanted.as_object().unwrap().iter().find(|(own, _)| named(own) == *name);
                let wanted = own.map(|(_, value)| texts(value)).unwrap_or_default();
                assert_eq!(texts(values), wanted, "{}: {name}", case.name);
            }
            let names = wanted.as_object().unwrap().keys();
            let missing: Vec<&String> = names.filter(|name| read.get(named(name)).is_none()).collect();
            assert!(missing.is_empty(), "{}: {missing:?}", case.name);
        }
    }
}

/// The name of a column in OXPath.
fn named(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' }).collect()
}

/// A text without spaces and separators.
fn squeezed(value: &Value) -> String {
    let separates =
        |c: char| c.is_whitespace() || matches!(c, '|' | '\u{b7}' | '\u{bb}' | '\u{2022}' | '\u{203a}');
    value.as_str().unwrap_or_default().chars().filter(|&c| !separates(c)).collect()
}

/// Chromium: the path in the environment, or where Debian installs it.
fn chromium() -> String {
    std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".into())
}

#[test]
#[ignore = "needs Playwright and Chromium: make exports"]
fn scripts_of_playwright_read_what_apply_reads() {
    let folder = folder(&[]);
    symlink(tools().join("node_modules"), folder.path().join("node_modules")).unwrap();
    let mut cases = cases(folder.path());
    let some = [
        "table-repeated-heads",
        "hn-rows",
        "buw-fig06",
        "nested-list",
        "grid-table-cells",
        "offers",
        "moved",
    ];
    cases.retain(|case| some.contains(&case.name.as_str()));
    let files = exported(folder.path(), &cases, "playwright", "mjs");
    for (case, file) in cases.iter().zip(&files) {
        let url = format!("file://{}", text(&case.page.canonicalize().unwrap()));
        let arguments = [text(file), url.clone(), "--chromium".into(), chromium()];
        let read = lines(Path::new("node"), arguments);
        assert_eq!(read, applied(folder.path(), case, &url), "{}", case.name);
    }
}

/// A wrapper for each form of selector that is allowed. Its records are the selected elements.
const SELECTORS: [&str; 38] = [
    "p",
    "p, li",
    "#top > p",
    "ul li",
    "div li.x",
    ".a.b",
    ".B",
    "p + h2",
    "h2 + p",
    "h2 ~ p",
    "li + li + li",
    "[title]",
    "[title=\"one two\"]",
    "[title~=two]",
    "[title|=one]",
    "[lang|=en]",
    "[title^=one]",
    "[title$=two]",
    "[title*=\"e t\"]",
    "[title=\"ONE TWO\" i]",
    "[data-k=\"\"]",
    "[align=right] td",
    "[title=\"it's \\\"so\\\"\"]",
    "li:first-child",
    "li:last-child",
    "li:nth-child(2n)",
    "li:nth-child(2n+1)",
    "li:nth-child(-n+3)",
    "li:nth-child(n+4)",
    "li:nth-last-child(2)",
    "p:first-of-type",
    "p:nth-of-type(2n)",
    "em:only-of-type",
    "p:not(.a, .B)",
    "li:has(> a)",
    "section:has(h2 + p)",
    ":is(ul, section) > :not(:first-child)",
    ":scope > div > ul > li, em",
];

#[test]
#[ignore = "needs Scrapy and lxml: make exports"]
fn selectors_select_the_same() {
    let folder = folder(&[]);
    let mut cases = Vec::new();
    for (number, css) in SELECTORS.iter().enumerate() {
        let wrapper = folder.path().join(format!("s{number}.yaml"));
        let css = css.replace('\'', "''");
        let yaml = format!(
            "{{copal: 1, pages: [{{kind: list, region: [body], record: {{find: ['{css}']}}, \
             columns: [{{name: text, find: [':scope']}}]}}]}}"
        );
        fs::write(&wrapper, yaml).unwrap();
        cases.push(Case { name: format!("s{number}"), page: scripts().join("selectors.html"), wrapper });
    }
    for case in &cases {
        assert!(
            !applied(folder.path(), case, URL).is_empty(),
            "{} finds nothing",
            fs::read_to_string(&case.wrapper).unwrap()
        );
    }
    python_reads_the_same(&scripts().join("spider_records.py"), "scrapy", "py", &cases, &folder);
    python_reads_the_same(&root().join("examples/read_xpath_json.py"), "xpath-json", "json", &cases, &folder);
}

/// Column names that would end a string literal early if they were not quoted correctly.
#[test]
#[ignore = "needs Scrapy, Playwright and Chromium: make exports"]
fn hostile_names_are_names() {
    let folder = folder(&[("page.html", b"<!DOCTYPE html><ul><li>a \"b\" 1</li><li>a \"b\" 2</li></ul>")]);
    symlink(tools().join("node_modules"), folder.path().join("node_modules")).unwrap();
    let names = [
        "\"; raise SystemExit(7) #",
        "\"\"\"\nraise SystemExit(7)\n\"\"\"",
        "'''\\",
        "\\\" + process.exit(7) + \\\"",
        "</script><script>process.exit(7)</script>",
        "`${process.exit(7)}`",
        "line\r\u{2028}\u{85}\u{202e}\u{7f}",
        "constructor",
        "item",
        "emoji \u{1f600}",
    ];
    let escaped =
        |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\U{:08x}", c as u32) };
    let column = |name: &&str| {
        let name: String = name.chars().map(escaped).collect();
        format!("{{name: \"{name}\", find: [':scope'], cut: {{after: \"\\U00000022b\\U00000022\"}}}}")
    };
    let columns: Vec<String> = names.iter().map(column).collect();
    let yaml = format!(
        "{{copal: 1, pages: [{{kind: list, region: [ul], record: {{find: [li]}}, columns: [{}]}}]}}",
        columns.join(", ")
    );
    let case = Case {
        name: "hostile".into(),
        page: folder.path().join("page.html"),
        wrapper: folder.path().join("w.yaml"),
    };
    fs::write(&case.wrapper, yaml).unwrap();
    let wanted = applied(folder.path(), &case, URL);
    assert_eq!(wanted.len(), 2);
    assert!(names.iter().all(|name| wanted[1][name] == "2"), "{wanted:?}");
    let cases = [case];
    python_reads_the_same(&scripts().join("spider_records.py"), "scrapy", "py", &cases, &folder);
    python_reads_the_same(&root().join("examples/read_xpath_json.py"), "xpath-json", "json", &cases, &folder);
    let schema = exported(folder.path(), &cases, "crawl4ai", "json").remove(0);
    let script = scripts().join("crawl4ai_records.py");
    let read = lines(&tools().join("bin/python"), [text(&script), text(&schema), text(&cases[0].page)]);
    assert_eq!(read[0].as_array().unwrap(), &wanted);
    let file = exported(folder.path(), &cases, "playwright", "mjs").remove(0);
    let url = format!("file://{}", text(&cases[0].page));
    let read = lines(Path::new("node"), [text(&file), url, "--chromium".into(), chromium()]);
    assert_eq!(read, wanted);
}
