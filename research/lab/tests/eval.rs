//! `copal-lab eval`: the shape of predictions, the page-kind decision, parts of a corpus, the call of a
//! scorer, errors.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{ARTICLE, SHOP, folder, root, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["id"].as_str().unwrap()).collect()
}

/// The predictions of a method for our own corpus.
fn predictions(method: &str, more: &str) -> Vec<Value> {
    let folder = folder(&[]);
    let path = folder.path().join("a.pred.jsonl");
    let line = format!("copal-lab eval testdata/corpus --method {method} {more} -o {}", path.display());
    let run = run(&root(), &line);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.stdout, "");
    json_lines(&path)
}

#[test]
fn there_is_one_line_per_page_in_the_order_of_the_index() {
    let index = json_lines(&root().join("testdata/corpus/index.jsonl"));
    for jobs in ["", "--jobs 1", "--jobs 3"] {
        assert_eq!(ids(&predictions("buw", jobs)), ids(&index), "{jobs}");
    }
    let thai = predictions("buw", "--only lists/own/th-");
    let wanted: Vec<&str> = ids(&index).into_iter().filter(|id| id.starts_with("lists/own/th-")).collect();
    assert!(wanted.len() > 1);
    assert_eq!(ids(&thai), wanted);
}

/// The help text of `copal-lab eval` describes this shape.
#[test]
fn predictions_have_the_documented_shape() {
    let has = |value: &Value, keys: &[&str]| {
        let object = value.as_object().unwrap();
        assert!(keys.iter().all(|key| object.contains_key(*key)), "{keys:?} in {:?}", object.keys());
    };
    for page in predictions("buw", "") {
        has(&page, &["id", "regions", "warnings", "ms", "error"]);
        assert!(page["ms"].as_f64().unwrap() > 0.0);
        assert!(page["error"].is_null());
        let regions = page["regions"].as_array().unwrap();
        let primary = regions.iter().filter(|region| region["role"] == "primary").count();
        assert_eq!(primary, 1, "{}", page["id"]);
        for region in regions {
            has(region, &["role", "layout", "records", "columns", "methods"]);
            assert!(["list", "grid", "table"].contains(&region["layout"].as_str().unwrap()));
            let columns: Vec<&Value> =
                region["columns"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
            for record in region["records"].as_array().unwrap() {
                has(record, &["text", "fields", "xpaths"]);
                assert!(record["text"].is_string());
                let xpaths = record["xpaths"].as_array().unwrap();
                assert!(xpaths.iter().all(|xpath| xpath.as_str().unwrap().starts_with("/html")));
                let mut names = record["fields"].as_object().unwrap().keys();
                assert!(names.all(|name| columns.iter().any(|column| *column == name)));
            }
        }
    }
}

#[test]
fn the_summary_goes_to_standard_error() {
    let folder = folder(&[]);
    let out = folder.path().join("a.jsonl");
    let line = format!("copal-lab eval testdata/corpus -o {}", out.display());
    let said = run(&root(), &line).stderr;
    assert!(
        said.starts_with("16 pages by combined: 16 with a list, 0 failed; ms per page: median "),
        "{said}"
    );
    assert!(said.ends_with(&format!("predictions: {}\n", out.display())), "{said}");
    assert_eq!(run(&root(), &format!("{line} --quiet")).stderr, "");
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn the_scorer_gets_task_corpus_and_predictions() {
    if !has_python() {
        return;
    }
    // prints its arguments, and the number of predictions unless --only is given
    let scorer = b"import json, sys
print(json.dumps(sys.argv))
path = sys.argv[-2 if sys.argv[-1].startswith('--') else -1]
print(len(open(path).readlines()) if '--only' not in sys.argv else '')
";
    let index = concat!(
        "{\"id\": \"lists/a\", \"task\": \"lists\"}\n",
        "{\"id\": \"negatives/b\", \"task\": \"negatives\"}\n",
        "{\"id\": \"lists/c\", \"task\": \"lists\"}\n",
    );
    let folder = folder(&[
        ("score.py", scorer),
        ("failing.py", b"import sys\nsys.exit(7)\n"),
        ("corpus/index.jsonl", index.as_bytes()),
        ("corpus/lists/a.html", SHOP.as_bytes()),
        ("corpus/lists/c.html", SHOP.as_bytes()),
        ("corpus/negatives/b.html", ARTICLE.as_bytes()),
    ]);
    let printed = |line: &str| {
        let run = run(folder.path(), line);
        assert_eq!(run.code, 0, "{run:?}");
        run.stdout
    };
    assert_eq!(
        printed("copal-lab eval corpus --scorer score.py -o p.jsonl --quiet"),
        "[\"score.py\", \"lists\", \"corpus\", \"p.jsonl\", \"--by-source\"]\n2\n"
    );
    assert_eq!(
        printed("copal-lab eval corpus --scorer score.py --only lists/a --quiet"),
        "[\"score.py\", \"lists\", \"corpus\", \"copal.pred.jsonl\", \"--by-source\", \
         \"--only\", \"lists/a\"]\n\n"
    );
    assert_eq!(
        printed("copal-lab eval corpus --scorer score.py --task negatives -o n.jsonl --quiet"),
        "[\"score.py\", \"negatives\", \"n.jsonl\"]\n1\n"
    );
    let failed = run(folder.path(), "copal-lab eval corpus --scorer failing.py --quiet");
    assert_eq!(failed.code, 3);
    assert_eq!(failed.stderr, "error: scorer failing.py ended with exit status: 7\n");
}

/// The link is reported as the page writes it, and the page is read in the charset of the index.
#[test]
fn pagination_gives_the_next_link_as_written() {
    let index = concat!(
        "{\"id\": \"pagination/a\", \"task\": \"pagination\", \"encoding\": \"cp1251\"}\n",
        "{\"id\": \"pagination/b\", \"task\": \"pagination\"}\n",
    );
    // "след." in Windows-1251
    let mut russian = SHOP.as_bytes().to_vec();
    russian.extend(b"<p><a href='?PAGEN_1=2'>\xf1\xeb\xe5\xe4.</a></p>");
    let folder = folder(&[
        ("corpus/index.jsonl", index.as_bytes()),
        ("corpus/pagination/a.html", &russian),
        ("corpus/pagination/b.html", ARTICLE.as_bytes()),
    ]);
    let run = run(folder.path(), "copal-lab eval corpus --task pagination -o p.jsonl");
    assert_eq!(run.code, 0, "{run:?}");
    let lines = json_lines(&folder.path().join("p.jsonl"));
    assert_eq!(ids(&lines), ["pagination/a", "pagination/b"]);
    assert_eq!((&lines[0]["next"], &lines[1]["next"]), (&Value::from("?PAGEN_1=2"), &Value::Null));
    assert!(lines[0]["links"][0]["score"].as_f64().unwrap() > 4.0);
    assert!(run.stderr.contains("2 pages by combined: 1 with a next link, 0 failed"), "{}", run.stderr);
}

/// A page that cannot be read does not end the run.
#[test]
fn a_page_that_is_missing_has_an_error_in_its_line() {
    let index = "{\"id\": \"lists/a\", \"task\": \"lists\"}\n{\"id\": \"lists/gone\", \"task\": \"lists\"}\n";
    let folder =
        folder(&[("corpus/index.jsonl", index.as_bytes()), ("corpus/lists/a.html", SHOP.as_bytes())]);
    let run = run(folder.path(), "copal-lab eval corpus -o p.jsonl");
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("error: lists/gone: no such file or folder\n"), "{}", run.stderr);
    assert!(run.stderr.contains("2 pages by combined: 1 with a list, 1 failed"), "{}", run.stderr);
    let lines = json_lines(&folder.path().join("p.jsonl"));
    assert_eq!(ids(&lines), ["lists/a", "lists/gone"]);
    assert!(lines[0]["error"].is_null() && !lines[0]["regions"].as_array().unwrap().is_empty());
    assert_eq!((&lines[1]["error"], &lines[1]["ms"]), (&Value::from("no such file or folder"), &Value::Null));
}

/// Pages of one site are read together with the domain of their vertical, and the gold is not needed.
#[test]
fn details_are_read_site_by_site() {
    let book = |title: &str, isbn: &str| {
        format!("<title>{title} - Quill</title><h1>{title}</h1><p>ISBN-13: {isbn}</p><p>Price: £9.99</p>")
    };
    let row = |id: &str, site: &str| {
        format!(r#"{{"id": "{id}", "task": "details", "site": "{site}", "vertical": "book"}}"#)
    };
    let index =
        [row("b/1", "quill"), row("c/1", "other"), row("b/2", "quill"), row("b/3", "quill")].join("\n");
    let (one, two) = (book("Tide Tables", "9780306406157"), book("Salt Roads", "9783161484100"));
    let corpus = folder(&[
        ("index.jsonl", index.as_bytes()),
        ("b/1.html", one.as_bytes()),
        ("b/2.html", two.as_bytes()),
        ("c/1.html", b"<p>x"),
    ]);
    let path = corpus.path().join("a.pred.jsonl");
    let line = format!("copal-lab eval . --task details --vertical book=books -q -o {}", path.display());
    let run = run(corpus.path(), &line);
    // one page is missing
    assert_eq!(run.code, 3, "{run:?}");
    let found = json_lines(&path);
    assert_eq!(ids(&found), ["b/1", "c/1", "b/2", "b/3"]);
    assert_eq!(found[0]["fields"]["isbn_13"][0], "9780306406157");
    assert_eq!(found[2]["fields"]["title"][0], "Salt Roads");
    assert_eq!(found[1]["fields"].as_object().unwrap().len(), 0);
    assert!(found[3]["error"].is_string());
}

const KETTLE: &str = "<!DOCTYPE html><html lang='en'><title>Copper kettle</title><h1>Copper kettle</h1>
<p>A kettle of hammered copper for the stove.</p><p>Price: £45.00</p>
<p>Colour: copper</p><p>Volume: 1.5 l</p>";

/// The corpus of the tests about page kinds: one list and one object.
fn two_kinds() -> tempfile::TempDir {
    let row =
        |id: &str, task: &str, site: &str| format!(r#"{{"id": "{id}", "task": "{task}", "site": "{site}"}}"#);
    let index = [
        row("lists/shop", "lists", "shop.example"),
        row("negatives/kettle", "negatives", "kettle.example"),
        row("objects/kettle", "objects", "kettle.example"),
        row("objects/shop", "objects", "shop.example"),
        row("forms/kettle", "forms", "kettle.example"),
    ];
    folder(&[
        ("corpus/index.jsonl", index.join("\n").as_bytes()),
        ("corpus/lists/shop.html", SHOP.as_bytes()),
        ("corpus/objects/shop.html", SHOP.as_bytes()),
        ("corpus/objects/kettle.html", KETTLE.as_bytes()),
        ("corpus/negatives/kettle.html", KETTLE.as_bytes()),
        ("corpus/forms/kettle.html", KETTLE.as_bytes()),
        ("unopened.txt", b"kettle.example\n"),
    ])
}

fn evaluated(folder: &Path, options: &str) -> Vec<Value> {
    let run = run(folder, &format!("copal-lab eval corpus -q -o out.jsonl {options}"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{options}");
    json_lines(&folder.join("out.jsonl"))
}

#[test]
fn objects_are_read_as_users_get_them() {
    let folder = two_kinds();
    let found = evaluated(folder.path(), "--task objects");
    assert_eq!(ids(&found), ["objects/kettle", "objects/shop"]);
    assert_eq!((&found[0]["fields"]["price"], &found[0]["kind"]), (&"£45.00".into(), &"object".into()));
    // the list is not read as an object unless the kind is forced
    assert_eq!(found[1]["fields"].as_object().unwrap().len(), 0);
    let forced = evaluated(folder.path(), "--task objects --kind object");
    assert!(!forced[1]["fields"].as_object().unwrap().is_empty());
}

#[test]
fn an_object_has_no_primary_region() {
    let folder = two_kinds();
    let primary = |options: &str| {
        let page = evaluated(folder.path(), options).remove(0);
        page["regions"].as_array().unwrap().iter().filter(|region| region["role"] == "primary").count()
    };
    assert_eq!(primary("--task negatives"), 0);
    assert_eq!(primary("--task lists"), 1);
    assert_eq!(primary("--task lists --kind object"), 0);
    assert_eq!(primary("--task lists --kind list"), 1);
}

#[test]
fn forms_are_predicted_by_the_number_of_their_element() {
    let folder = two_kinds();
    let page = folder.path().join("corpus/forms/kettle.html");
    let form = "<form action=/find><input name=q><button name=go>Search</button></form>";
    let html = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, format!("{html}{form}")).unwrap();
    let found = evaluated(folder.path(), "--task forms").remove(0);
    assert_eq!(found["id"], "forms/kettle");
    assert_eq!((&found["forms"][0]["index"], &found["forms"][0]["type"]), (&json!(0), &json!("search")));
    assert_eq!(found["forms"][0]["fields"], json!({"q": "search query", "go": "submit button"}));
}

#[test]
fn parts_are_chosen_by_site() {
    let folder = two_kinds();
    let objects = |part: &str| {
        let found =
            evaluated(folder.path(), &format!("--task objects --part {part} --unopened unopened.txt"));
        ids(&found).join(" ")
    };
    assert_eq!(objects("all"), "objects/kettle objects/shop");
    assert_eq!(objects("opened"), "objects/shop");
    assert_eq!(objects("unopened"), "objects/kettle");
    // a folder of its own, so that no ../shared is beside it by chance
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let run = run(&inner, "copal-lab eval ../corpus --part opened");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--part opened needs --unopened FILE"), "{}", run.stderr);
}

#[test]
fn bad_corpora_are_reported() {
    let line = r#"{"id": "lists/a", "task": "lists"}"#;
    let no_index =
        "no such file or folder: expected a corpus folder with index.jsonl (see copal-lab eval --help)";
    let row = "expected a JSON object with an id and a task on each line";
    let outside = "is not a path inside the corpus";
    let cases: [(&str, Option<String>, String); 9] = [
        ("missing", None, format!("missing/index.jsonl: {no_index}")),
        ("bad", Some(format!("{line}\n{{\"id\": lists/b}}")), format!("bad/index.jsonl:2: {row}")),
        ("list", Some(format!("{line}\n[1, 2]")), format!("list/index.jsonl:2: {row}")),
        ("no-id", Some("{\"task\": \"lists\"}".into()), format!("no-id/index.jsonl:1: {row}")),
        (
            "up",
            Some(format!("{line}\n\n{{\"id\": \"../secret\"}}")),
            format!("up/index.jsonl:3: id \"../secret\" {outside}"),
        ),
        (
            "root",
            Some("{\"id\": \"/etc/passwd\"}".into()),
            format!("root/index.jsonl:1: id \"/etc/passwd\" {outside}"),
        ),
        (
            "middle",
            Some("{\"id\": \"a/../../b\"}".into()),
            format!("middle/index.jsonl:1: id \"a/../../b\" {outside}"),
        ),
        ("empty", Some("\n".into()), "empty: no page with task lists".into()),
        (
            "good --only forms/",
            Some(line.into()),
            "good: no page with task lists and an id that starts with forms/".into(),
        ),
    ];
    for (arguments, index, message) in cases {
        let name = arguments.split(' ').next().unwrap();
        let path = format!("{name}/index.jsonl");
        let files: Vec<(&str, &[u8])> = index.iter().map(|index| (path.as_str(), index.as_bytes())).collect();
        let folder = folder(&files);
        let run = run(folder.path(), &format!("copal-lab eval {arguments}"));
        assert_eq!((run.code, run.stderr), (3, format!("error: {message}\n")));
        assert!(!folder.path().join("copal.pred.jsonl").exists());
    }
    let folder = folder(&[("index.jsonl", line.as_bytes())]);
    let run = run(folder.path(), "copal-lab eval . -o missing/a.jsonl");
    assert_eq!(
        run.stderr,
        "error: cannot write missing/a.jsonl: folder missing does not exist: create it first\n"
    );
}
