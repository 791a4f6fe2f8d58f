//! The JSON output follows its JSON Schema, and the schema does not break its readers.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/json_schema.rs"]
mod json_schema;

use copal_dom::{Limits, Page};
use copal_domain::Domain;
use copal_extract::objects::{self, ObjectOptions};
use copal_extract::{Answer, FollowReport, Method, Request, Role, extract};
use copal_output::{ANSWER_SCHEMA, Format, Json, page_value};
use json_schema::faults;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Minimum number of pages that the tests must find, so that a moved folder does not make them pass with
/// nothing.
const MIN_PAGE_COUNT: usize = 80;

fn schema() -> Value {
    serde_json::from_str(ANSWER_SCHEMA).unwrap()
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// All HTML files in a folder and its subfolders.
fn html_files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "html") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn page(path: &Path) -> Page {
    let mut page = Page::from_text(&fs::read_to_string(path).unwrap(), &Limits::default());
    page.url = Some("https://pages.example/list?page=1".to_owned());
    page
}

/// Everything that can be asked of a page that needs no domain.
fn all_options() -> Request {
    let mut options = Request::default();
    (options.all, options.navigation, options.embedded, options.lists.explain) = (true, true, true, true);
    options
}

/// A page as it is written with `--sources`.
fn value_with_sources(name: &str, extraction: &Answer) -> Value {
    let mut format = Json::new(false);
    format.options.sources = true;
    let mut out = Vec::new();
    format.page(&mut out, name, extraction).unwrap();
    format.finish(&mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn assert_valid(schema: &Value, name: &str, extraction: &Answer) {
    let found = faults(schema, &page_value(name, extraction));
    assert!(found.is_empty(), "{name}\n{}", found.join("\n"));
}

#[test]
fn lists_and_embedded_data_of_all_pages_follow_the_schema() {
    let schema = schema();
    let files = html_files(&testdata());
    assert!(files.len() >= MIN_PAGE_COUNT, "{} pages", files.len());
    for path in files {
        let name = path.display().to_string();
        let page = page(&path);
        assert_valid(&schema, &name, &extract(&page, &Request::default()));
        assert_valid(&schema, &name, &extract(&page, &all_options()));
    }
}

#[test]
fn objects_follow_the_schema() {
    let schema = schema();
    let files = html_files(&testdata().join("objects"));
    let pages: Vec<Page> = files.iter().map(|path| page(path)).collect();
    let pages: Vec<&Page> = pages.iter().collect();
    let mut options = ObjectOptions::default();
    for domain in [None, Some("books")] {
        options.domain = domain.map(|name| Arc::new(Domain::load(name).unwrap()));
        for (path, extraction) in files.iter().zip(objects::answers(&pages, &options)) {
            assert!(extraction.object.is_some());
            assert_valid(&schema, &path.display().to_string(), &extraction);
        }
    }
}

#[test]
fn answers_with_a_domain_follow_the_schema() {
    let schema = schema();
    for folder in fs::read_dir(testdata().join("domains")).unwrap().map(|entry| entry.unwrap().path()) {
        let domain = folder.file_name().unwrap().to_string_lossy().into_owned();
        let mut options = all_options();
        options.lists.method = Method::Amber;
        options.set_domain(Some(Arc::new(Domain::load(&domain).unwrap())));
        for path in html_files(&folder) {
            assert_valid(&schema, &path.display().to_string(), &extract(&page(&path), &options));
        }
    }
}

#[test]
fn keys_that_only_other_crates_fill_follow_the_schema() {
    let path = testdata().join("pages/nested-list/page.html");
    let mut extraction = extract(&page(&path), &all_options());
    extraction.followed = Some(FollowReport::default());
    extraction.page.range = Some((1, 20));
    extraction.page.pages = Some((1, None));
    extraction.page.next = Some("https://pages.example/list?page=2".to_owned());
    assert_valid(&schema(), "nested", &extraction);
    assert!(page_value("nested", &extraction).get("follow").is_some());
    assert!(extraction.regions.iter().any(|region| region.role == Role::Primary));
}

#[test]
fn sources_of_cells_follow_the_schema() {
    let schema = schema();
    let (mut sources, mut attributes) = (0, 0);
    for path in html_files(&testdata().join("pages")) {
        let name = path.display().to_string();
        let answer = value_with_sources(&name, &extract(&page(&path), &all_options()));
        let found = faults(&schema, &answer);
        assert!(found.is_empty(), "{name}\n{}", found.join("\n"));
        let records = answer["regions"].as_array().unwrap().iter();
        let records = records.flat_map(|region| region["records"].as_array().unwrap());
        let cells = records.flat_map(|record| record["sources"].as_object().unwrap().values());
        for source in cells.flat_map(|cell| cell.as_array().unwrap()).filter(|source| !source.is_null()) {
            sources += 1;
            attributes += usize::from(source.get("attribute").is_some());
        }
    }
    assert!(attributes > 0 && sources > attributes, "{sources} {attributes}");

    let path = testdata().join("pages/card-grid/page.html");
    let mut answer = value_with_sources("a", &extract(&page(&path), &Request::default()));
    let sources = answer.pointer_mut("/regions/0/records/0/sources").unwrap().as_object_mut().unwrap();
    let source = sources.values_mut().next().unwrap();
    source[0]["span"] = json!([0]);
    assert_eq!(faults(&schema, &answer).len(), 1);
}

#[test]
fn invalid_answers_are_found() {
    let extraction = extract(&page(&testdata().join("pages/card-grid/page.html")), &Request::default());
    let answer = page_value("a", &extraction);
    let mut broken = Vec::new();
    for (pointer, value) in [
        ("/copal", json!(2)),
        ("/page/title", json!(7)),
        ("/regions/0/role", json!("best")),
        ("/regions/0/columns/0/support", json!(1.5)),
        ("/regions/0/records/0/fields", json!([])),
        ("/page/kind", Value::Null),
    ] {
        let mut answer = answer.clone();
        *answer.pointer_mut(pointer).unwrap() = value;
        broken.push(answer);
    }
    let mut answer = answer;
    answer.as_object_mut().unwrap().remove("warnings");
    broken.push(answer);
    for answer in broken {
        assert_eq!(faults(&schema(), &answer).len(), 1, "{answer}");
    }
}

/// The keys of the schema with their types, and whether they are required: what readers rely on.
fn contract(schema: &Value) -> Map<String, Value> {
    let mut contract = Map::new();
    let mut open = vec![(String::new(), schema)];
    while let Some((path, rules)) = open.pop() {
        let mut entry = Map::new();
        for keyword in ["type", "const", "$ref", "required", "enum", "minItems", "maxItems"] {
            if let Some(rule) = rules.get(keyword) {
                entry.insert(keyword.to_owned(), rule.clone());
            }
        }
        contract.insert(if path.is_empty() { "/".to_owned() } else { path.clone() }, Value::Object(entry));
        for group in ["properties", "$defs"] {
            for (name, rules) in rules.get(group).and_then(Value::as_object).into_iter().flatten() {
                open.push((format!("{path}/{group}/{name}"), rules));
            }
        }
        for keyword in ["items", "additionalProperties"] {
            open.extend(rules.get(keyword).map(|rules| (format!("{path}/{keyword}"), rules)));
        }
    }
    contract.sort_keys();
    contract
}

/// What a reader of `old` could no longer rely on in `new`.
fn breaking_changes(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<String> {
    let mut changes = Vec::new();
    for (path, old) in old {
        let Some(new) = new.get(path) else {
            changes.push(format!("{path} is removed"));
            continue;
        };
        for (keyword, old) in old.as_object().unwrap() {
            let new = new.get(keyword).unwrap_or(&Value::Null);
            // More required keys, and more values of an enumeration, are additions.
            let is_addition = matches!(keyword.as_str(), "required" | "enum")
                && old
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|item| new.as_array().is_some_and(|n| n.contains(item)));
            if new != old && !is_addition {
                changes.push(format!("{path}: {keyword} was {old}, is {new}"));
            }
        }
    }
    changes
}

#[test]
fn the_schema_keeps_what_its_version_promises() {
    let schema = schema();
    let version = schema.pointer("/properties/copal/const").unwrap();
    assert_eq!(schema["$id"], format!("urn:copal:answer:{version}"));
    assert_eq!(page_value("a", &Answer::default())["copal"], *version);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/answer.v{version}.lock.json"));
    let new = contract(&schema);
    let old: Option<Map<String, Value>> =
        fs::read_to_string(&path).ok().map(|text| serde_json::from_str(&text).unwrap());
    let breaking = old.as_ref().map(|old| breaking_changes(old, &new)).unwrap_or_default();
    assert!(
        breaking.is_empty(),
        "readers of version {version} break: raise the version in json.rs and in the schema, or undo\n{}",
        breaking.join("\n")
    );
    if std::env::var_os("COPAL_UPDATE_LOCK").is_some() {
        fs::write(&path, format!("{:#}\n", Value::Object(new.clone()))).unwrap();
        return;
    }
    assert_eq!(old, Some(new), "COPAL_UPDATE_LOCK=1 adds the new keys to {}", path.display());
}

#[test]
fn removed_and_retyped_keys_break_readers_and_new_keys_do_not() {
    let old = contract(&schema());
    let changed = |pointer: &str, value: Option<Value>| {
        let mut schema = schema();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let parent = schema.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match value {
            Some(value) => parent.insert(name.to_owned(), value),
            None => parent.remove(name),
        };
        breaking_changes(&old, &contract(&schema))
    };
    assert_eq!(changed("/$defs/record/properties/text", None).len(), 1);
    assert_eq!(changed("/$defs/page/properties/title/type", Some(json!("string"))).len(), 1);
    assert_eq!(changed("/$defs/record/required", Some(json!(["xpaths", "fields"]))).len(), 1);
    assert!(changed("/$defs/record/properties/rank", Some(json!({"type": "integer"}))).is_empty());
    assert!(changed("/$defs/record/required", Some(json!(["xpaths", "text", "fields", "page"]))).is_empty());
}
