//! Programs as annotators: a domain file names them, the user binds them, and bad ones cost a warning only.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, folder, run, style};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Books whose authors have names that no rule or gazetteer could know.
const PAGE: &str = "<!DOCTYPE html><html lang=en><title>Books</title><h1>Books</h1><ul class=books>\
    <li><h3><a href='/1'>The Long Field</a></h3><p class=x>a story, zorblax quimby</p><b>£4.50</b></li>\
    <li><h3><a href='/2'>Salt and Rope</a></h3><p class=x>a story, élodie vantrok</p><b>£6.20</b></li>\
    <li><h3><a href='/3'>Night Ferry</a></h3><p class=x>a story, wumpel drost</p><b>£3.10</b></li>\
    <li><h3><a href='/4'>Low Water</a></h3><p class=x>a story, yarrick pelm</p><b>£5.90</b></li></ul>";

const DOMAIN: &str = "domain: tales\nobject: book\npivot: price\ncharacteristic: [price, writer]\nattributes:\n  \
    price: {type: money}\n  title: {type: text}\n  url: {type: link}\n  writer: {type: text, annotators: [ner]}\n";

/// Finds what follows ", " in a text. Its first argument is a file in which it counts its starts.
const NER: &str = r#"
import json, sys
open(sys.argv[1], "a").write("started\n")
for line in sys.stdin:
    request = json.loads(line)
    assert request["copal"] == 1 and [a["name"] for a in request["attributes"]] == ["writer"], request
    found = []
    for number, text in enumerate(request["texts"]):
        at = text.find(", ")
        if at >= 0:
            found.append({"text": number, "attribute": "writer", "start": at + 2, "end": len(text)})
    print(json.dumps({"annotations": found}), flush=True)
    if "once" in sys.argv:
        break
"#;

fn books() -> TempDir {
    folder(&[("page.html", PAGE.as_bytes()), ("tales.yaml", DOMAIN.as_bytes()), ("ner.py", NER.as_bytes())])
}

fn extract(folder: &Path, options: &str) -> Run {
    run(folder, &format!("copal extract page.html --domain tales.yaml --format csv {options}"))
}

fn writers(csv: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let Some(at) = reader.headers().unwrap().iter().position(|name| name == "writer") else {
        return Vec::new();
    };
    reader.records().map(|record| record.unwrap()[at].to_owned()).collect()
}

const FOUND: [&str; 4] = ["zorblax quimby", "élodie vantrok", "wumpel drost", "yarrick pelm"];

#[test]
fn a_bound_annotator_fills_its_attribute() {
    let folder = books();
    let bound = extract(folder.path(), "--annotator ner='python3 ner.py starts.txt'");
    assert_eq!((bound.code, bound.stderr.as_str()), (0, ""));
    assert_eq!(writers(&bound.stdout), FOUND);
    let starts = fs::read_to_string(folder.path().join("starts.txt")).unwrap();
    assert_eq!(starts.lines().count(), 1, "one process for all requests");
    // the same from the user's configuration, for several pages
    fs::create_dir_all(folder.path().join("config/copal")).unwrap();
    let config = "[annotators]\nner = \"python3 ner.py 'more starts.txt'\"\nother = \"unused\"\n";
    fs::write(folder.path().join("config/copal/config.toml"), config).unwrap();
    fs::copy(folder.path().join("page.html"), folder.path().join("second.html")).unwrap();
    let configured = extract(folder.path(), "second.html");
    assert_eq!((configured.code, writers(&configured.stdout).len()), (0, 8), "{}", configured.stderr);
    assert_eq!(fs::read_to_string(folder.path().join("more starts.txt")).unwrap().lines().count(), 1);
    // the reasons say who found it
    let reasons = extract(folder.path(), "--explain");
    assert!(reasons.stderr.contains("annotator"), "{}", reasons.stderr);
    // domain test and learn have the option too
    let tested = run(folder.path(), "copal domain test tales.yaml page.html");
    assert!(tested.stdout.contains("élodie vantrok"), "{}", tested.stdout);
    let learned = run(folder.path(), "copal learn page.html --domain tales.yaml");
    assert!(learned.code == 0 && learned.stdout.contains("name: writer"), "{}", learned.stdout);
}

#[test]
fn a_program_that_answers_one_line_is_started_again() {
    let folder = books();
    fs::copy(folder.path().join("page.html"), folder.path().join("second.html")).unwrap();
    let bound = extract(folder.path(), "second.html --annotator ner='python3 ner.py starts.txt once'");
    assert_eq!((bound.code, writers(&bound.stdout).len()), (0, 8), "{}", bound.stderr);
    assert!(fs::read_to_string(folder.path().join("starts.txt")).unwrap().lines().count() > 1);
}

#[test]
fn only_the_user_says_what_is_run() {
    let folder = books();
    let unbound = extract(folder.path(), "");
    assert_eq!(unbound.code, 0, "{}", unbound.stderr);
    assert!(unbound.stderr.contains("names the annotator ner, which is not bound"), "{}", unbound.stderr);
    style(&unbound);
    let shown = run(folder.path(), "copal domain show tales.yaml");
    assert!(shown.stdout.contains("annotator ner (--annotator ner=COMMAND): writer"), "{}", shown.stdout);
    // neither a domain file nor a folder's configuration can run something
    let hostile = DOMAIN.replace("[ner]", "['touch owned.txt']");
    fs::write(folder.path().join("hostile.yaml"), hostile).unwrap();
    let refused = run(folder.path(), "copal extract page.html --domain hostile.yaml");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("is not a name"), "{}", refused.stderr);
    fs::write(folder.path().join("copal.toml"), "[annotators]\nner = \"touch owned.txt\"\n").unwrap();
    let refused = extract(folder.path(), "");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("only be set in the configuration of the user"), "{}", refused.stderr);
    fs::remove_file(folder.path().join("copal.toml")).unwrap();
    // no shell: a semicolon is an argument
    let shell = extract(folder.path(), "--annotator \"ner=true ; touch owned.txt\"");
    assert_eq!(shell.code, 4);
    assert!(!folder.path().join("owned.txt").exists());
    for wrong in ["ner", "ner=", "=x", "\"ner='x\""] {
        assert_eq!(extract(folder.path(), &format!("--annotator {wrong}")).code, 2, "{wrong}");
    }
}

#[test]
fn bad_annotators_cost_a_warning() {
    let folder = books();
    let huge = "import sys\nsys.stdin.readline()\nwhile True: sys.stdout.write('x' * 65536)\n";
    let wrong = "import sys\nsys.stdin.readline()\nprint('{\"annotations\": [{\"text\": 999999, \"attribute\": \
                 \"writer\", \"start\": 0, \"end\": 1}]}')\n";
    fs::write(folder.path().join("huge.py"), huge).unwrap();
    fs::write(folder.path().join("wrong.py"), wrong).unwrap();
    // a timeout of a minute never passes, so that only the answer decides
    for (command, seconds, reason) in [
        ("echo garbage", 60, "its answer is not"),
        ("echo {}", 60, "its answer is not"),
        ("python3 wrong.py", 60, "names text 999999"),
        ("python3 huge.py", 60, "longer than"),
        ("true", 60, "ended without an answer"),
        ("sh -c 'exit 3'", 60, "ended without an answer"),
        ("./no-such-program", 60, "cannot start"),
        ("sleep 600", 2, "no answer after 2 s"),
        // it neither reads nor answers, and what it starts holds the pipes open
        ("sh -c 'sleep 601 & sleep 602'", 2, "no answer after 2 s"),
    ] {
        let began = Instant::now();
        let options = format!("--annotator-timeout {seconds} --annotator \"ner={command}\"");
        let bad = extract(folder.path(), &options);
        assert!(began.elapsed() < Duration::from_mins(2), "{command}");
        assert_eq!(bad.code, 4, "{command}: {}", bad.stderr);
        assert!(bad.stderr.contains("warning: annotator ner: "), "{command}: {}", bad.stderr);
        assert!(bad.stderr.contains(reason), "{command}: {}", bad.stderr);
        assert_eq!(bad.stderr.matches("annotator ner").count(), 1, "{command}: {}", bad.stderr);
        assert_eq!(bad.stdout.lines().count(), 5, "the page is read without it: {command}: {}", bad.stdout);
        style(&bad);
    }
    for left in ["sleep 600", "sleep 601", "sleep 602"] {
        let running = run(folder.path(), &format!("pgrep -xf '{left}'"));
        assert_eq!(running.stdout, "", "{left} was not ended");
    }
}
