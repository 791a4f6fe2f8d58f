//! What must not change unnoticed: the answers for the committed pages, and the accuracy on those with gold
//! answers.

#![allow(clippy::unwrap_used)]

mod common;

use common::{ARTICLE, SHOP, folder, root, run};
use std::fs;

/// If a change of answers is wanted: `make freeze` writes the record again. Say in the commit which pages
/// changed and why.
#[test]
fn answers_for_the_committed_pages_are_as_recorded() {
    let work = folder(&[]);
    let line = format!(
        "copal-lab freeze testdata --check research/frozen/testdata.txt --work {}",
        work.path().display()
    );
    let run = run(&root(), &line);
    assert_eq!(run.code, 0, "answers changed (make freeze records them)\n{}{}", run.stdout, run.stderr);
}

/// `make floors` raises floors; `make floors ALLOW_LOWER=1` also lowers them.
#[test]
fn accuracy_is_not_below_its_floors() {
    let run = run(&root(), "copal-lab floors testdata/corpus --file research/floors.json");
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_changed_answer_is_found_and_named() {
    let folder =
        folder(&[("pages/shop/a.html", SHOP.as_bytes()), ("pages/other/b.html", ARTICLE.as_bytes())]);
    let freeze = run(folder.path(), "copal-lab freeze pages -o record.txt --work work");
    assert_eq!(freeze.code, 0, "{freeze:?}");
    let check = "copal-lab freeze pages --check record.txt --work work";
    assert_eq!(run(folder.path(), check).code, 0);
    fs::write(folder.path().join("pages/shop/a.html"), SHOP.replace("£12", "£13")).unwrap();
    let differs = run(folder.path(), check);
    assert_eq!(differs.code, 1, "{differs:?}");
    let line = "lists combined list shop: 1 pages, 4 records";
    assert!(differs.stdout.contains(line), "{}", differs.stdout);
    assert!(differs.stdout.contains("\n  shop/a\n"), "{}", differs.stdout);
    assert!(!differs.stdout.contains("list other"), "{}", differs.stdout);
}

#[test]
fn times_do_not_count() {
    let folder = folder(&[("pages/shop/a.html", SHOP.as_bytes())]);
    let record = |name: &str| {
        let line = format!("copal-lab freeze pages -o {name} --work work --keep-predictions");
        assert_eq!(run(folder.path(), &line).code, 0);
        fs::read_to_string(folder.path().join(name)).unwrap()
    };
    assert_eq!(record("a.txt"), record("b.txt"));
    assert!(folder.path().join("work/a/lists.combined.auto.jsonl").exists());
}

const INDEX: &str = r#"{"id": "lists/a", "task": "lists"}"#;
const GOLD: &str = r#"{"records": [{"texts": ["Blue lamp", "Small, round and blue", "£12"]}]}"#;

#[test]
fn floors_rise_by_themselves_and_fall_only_on_request() {
    let folder = folder(&[
        ("corpus/index.jsonl", INDEX.as_bytes()),
        ("corpus/lists/a.html", SHOP.as_bytes()),
        ("corpus/lists/a.json", GOLD.as_bytes()),
    ]);
    let floors =
        |options: &str| run(folder.path(), &format!("copal-lab floors corpus --file floors.json {options}"));
    assert_eq!(floors("--write").code, 0);
    assert_eq!(floors("").code, 0);
    // the page loses its list: another corpus, and a lower score
    fs::write(folder.path().join("corpus/lists/a.html"), ARTICLE).unwrap();
    let changed = floors("");
    assert_eq!(changed.code, 1);
    assert!(
        changed.stderr.contains("is not the corpus that the floors were measured on"),
        "{}",
        changed.stderr
    );
    let refused = floors("--write");
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("lists combined auto: 0 is below its floor 1"), "{}", refused.stderr);
    assert!(refused.stderr.contains("nothing was written"), "{}", refused.stderr);
    assert_eq!(floors("--write --allow-lower").code, 0);
    assert_eq!(floors("").code, 0);
    let text = fs::read_to_string(folder.path().join("floors.json")).unwrap();
    assert!(text.contains(r#""method":"combined","kind":"auto","floor":0.0"#), "{text}");
}

#[test]
fn a_score_below_its_floor_fails() {
    let folder = folder(&[
        ("corpus/index.jsonl", INDEX.as_bytes()),
        ("corpus/lists/a.html", ARTICLE.as_bytes()),
        ("corpus/lists/a.json", GOLD.as_bytes()),
    ]);
    let line = "copal-lab floors corpus --file floors.json";
    assert_eq!(run(folder.path(), &format!("{line} --write")).code, 0);
    let path = folder.path().join("floors.json");
    let raised = fs::read_to_string(&path).unwrap().replace("\"floor\":0.0", "\"floor\":0.5");
    fs::write(&path, raised).unwrap();
    let below = run(folder.path(), line);
    assert_eq!(below.code, 1);
    assert!(below.stderr.contains("0.000 is below its floor 0.5\n  lists/a: 0 of 1\n"), "{}", below.stderr);
}
