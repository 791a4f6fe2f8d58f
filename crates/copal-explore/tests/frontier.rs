//! The frontier: order, deduplication, what survives kills, and random sequences of operations against a model.

#![allow(clippy::unwrap_used)]

use copal_explore::{FoundList, Frontier, FrontierItem, ItemEnd, canonical_key, trap_key};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

fn item(path: &str, priority: f64) -> FrontierItem {
    let url = format!("https://a.example{path}");
    FrontierItem {
        template: trap_key(&url),
        url,
        form: None,
        role: "link".into(),
        parent: "https://a.example/".into(),
        priority,
        depth: 1,
        reason: "a test".into(),
    }
}

fn list(path: &str) -> FoundList {
    FoundList {
        url: format!("https://a.example{path}"),
        form: None,
        kind: "/item/*".into(),
        facts: "null".into(),
        state: "queued".into(),
        outcome: String::new(),
    }
}

#[test]
fn the_best_item_comes_first_and_pages_are_queued_once() {
    let mut frontier = Frontier::in_memory().unwrap();
    assert!(frontier.add(&item("/a", 1.0)).unwrap());
    assert!(frontier.add(&item("/b", 3.0)).unwrap());
    assert!(frontier.add(&item("/c", 3.0)).unwrap());
    assert!(!frontier.add(&item("/b/?utm_source=x#y", 9.0)).unwrap(), "the same page");
    assert!(frontier.discard(&item("/login", 9.0), "another kind of page").unwrap());
    assert!(!frontier.add(&item("/login", 9.0)).unwrap());
    let order: Vec<String> = std::iter::from_fn(|| frontier.take().unwrap()).map(|item| item.url).collect();
    assert_eq!(order, ["https://a.example/b", "https://a.example/c", "https://a.example/a"]);
    let left: Vec<String> = frontier.entries().unwrap().into_iter().map(|entry| entry.outcome).collect();
    assert!(left.contains(&"another kind of page".to_owned()));
}

#[test]
fn what_was_in_flight_is_queued_again_and_what_was_done_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.frontier");
    let mut frontier = Frontier::open(&path).unwrap();
    for name in ["/a", "/b", "/c"] {
        frontier.add(&item(name, 1.0)).unwrap();
    }
    let first = frontier.take().unwrap().unwrap();
    frontier.finish(&first, ItemEnd::Done, "a list", &[item("/d", 0.5)], Some(&list("/a"))).unwrap();
    let second = frontier.take().unwrap().unwrap();
    frontier.begin_list(&list("/a")).unwrap();
    drop(frontier);
    let mut again = Frontier::open(&path).unwrap();
    assert_eq!(again.item_count("in flight").unwrap(), 0);
    assert_eq!(again.take().unwrap().unwrap().url, second.url);
    assert_eq!(again.lists().unwrap()[0].state, "queued");
    let keys: Vec<String> = ["1", "2", "1"].map(str::to_owned).into();
    assert_eq!(again.new_record_keys(&keys).unwrap(), ["1", "2"]);
    again.finish_list(&list("/a"), "done", "2 records", "null", &keys[..2]).unwrap();
    assert_eq!((again.record_count().unwrap(), again.new_record_keys(&keys).unwrap().len()), (2, 0));
    assert_eq!(again.template_yield("/a").unwrap().lists, 1);
    // a list that is read a second time gives all its records again
    again.begin_list(&list("/a")).unwrap();
    assert_eq!(again.new_record_keys(&keys).unwrap(), ["1", "2"]);
}

#[test]
fn a_file_of_another_version_or_kind_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.frontier");
    Frontier::open(&path).unwrap().set_meta("layout", "99").unwrap();
    let error = Frontier::open(&path).unwrap_err().to_string();
    assert!(error.contains("another version") && error.contains("layout 99, expected 2"), "{error}");
    // the tables of that version are not touched, whatever they look like
    let before = std::fs::read(&path).unwrap();
    assert!(Frontier::open(&path).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let other = rusqlite::Connection::open(folder.path().join("y.frontier")).unwrap();
    let tables = "CREATE TABLE meta (name TEXT, value TEXT); INSERT INTO meta VALUES ('layout', '3'); CREATE TABLE items (id)";
    other.execute_batch(tables).unwrap();
    let error = Frontier::open(&folder.path().join("y.frontier")).unwrap_err().to_string();
    assert!(error.contains("layout 3, expected 2"), "{error}");
    std::fs::write(&path, "this is a text and not a database, whatever its name says").unwrap();
    let error = Frontier::open(&path).unwrap_err().to_string();
    assert!(error.contains("not a database"), "{error}");
}

/// Pages that the killed process has to visit, and the links of each to others.
const PAGES: usize = 400;

/// Visits all pages, as a child process that the parent kills. Each page has two records, one of which is shared.
fn visit_all(path: &Path) {
    let mut frontier = Frontier::open(path).unwrap();
    frontier.add(&item("/page/0", 1.0)).unwrap();
    while let Some(taken) = frontier.take().unwrap() {
        let number: usize = taken.url.rsplit('/').next().unwrap().parse().unwrap();
        let found: Vec<FrontierItem> = [2 * number + 1, 2 * number + 2]
            .into_iter()
            .filter(|&next| next < PAGES)
            .map(|next| item(&format!("/page/{next}"), next as f64 % 7.0))
            .collect();
        frontier.finish(&taken, ItemEnd::Done, "read", &found, None).unwrap();
        let keys = [format!("record {number}"), "shared record".to_owned()];
        frontier.finish_list(&list(&format!("/page/{number}")), "done", "", "null", &keys).unwrap();
    }
}

#[test]
fn child_of_the_kill_test() {
    if let Some(path) = std::env::var_os("COPAL_FRONTIER_TO_VISIT") {
        visit_all(Path::new(&path));
    }
}

/// How often the process is killed.
const KILLS: usize = 25;

#[test]
fn kills_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("killed.frontier");
    let spawn = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_of_the_kill_test"])
            .env("COPAL_FRONTIER_TO_VISIT", &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut done_before = BTreeSet::new();
    let mut killed_alive = 0;
    for round in 0..KILLS {
        let mut child = spawn();
        std::thread::sleep(std::time::Duration::from_millis(15 + 7 * (round as u64 % 9)));
        killed_alive += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        let frontier = Frontier::open(&path).unwrap();
        let done: BTreeSet<String> = frontier
            .entries()
            .unwrap()
            .into_iter()
            .filter(|entry| entry.state == "done")
            .map(|entry| entry.item.url)
            .collect();
        assert!(done.is_superset(&done_before), "what was done stays done");
        done_before = done;
    }
    assert!(spawn().wait().unwrap().success());
    let frontier = Frontier::open(&path).unwrap();
    assert_eq!(frontier.item_count("done").unwrap(), PAGES as u64);
    assert_eq!((frontier.item_count("queued").unwrap(), frontier.item_count("in flight").unwrap()), (0, 0));
    assert_eq!(frontier.entries().unwrap().len(), PAGES, "no page is there twice");
    assert!(killed_alive > 0, "the test killed no running process");
}

#[derive(Debug, Clone)]
enum Operation {
    Add(u8, u8),
    Take,
    Finish(u8),
    Reopen,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let operation = prop_oneof![
        (0..40_u8, 0..5_u8).prop_map(|(page, priority)| Operation::Add(page, priority)),
        Just(Operation::Take),
        (0..40_u8).prop_map(Operation::Finish),
        Just(Operation::Reopen),
    ];
    prop::collection::vec(operation, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_file_behaves_like_a_map(operations in operations()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.frontier");
        let mut frontier = Frontier::open(&path).unwrap();
        // per key: state and priority
        let mut model: BTreeMap<String, (&str, f64)> = BTreeMap::new();
        let mut in_flight: Vec<FrontierItem> = Vec::new();
        for operation in operations {
            match operation {
                Operation::Add(page, priority) => {
                    let item = item(&format!("/p/{page}"), f64::from(priority));
                    let key = canonical_key(&item.url).unwrap();
                    let is_new = !model.contains_key(&key);
                    prop_assert_eq!(frontier.add(&item).unwrap(), is_new);
                    model.entry(key).or_insert(("queued", item.priority));
                }
                Operation::Take => {
                    let best = model.values().filter(|one| one.0 == "queued").map(|one| one.1).fold(-1.0, f64::max);
                    let taken = frontier.take().unwrap();
                    let priority = taken.as_ref().map_or(-1.0, |one| one.priority);
                    prop_assert!((priority - best).abs() < 1e-9, "{} {}", priority, best);
                    if let Some(taken) = taken {
                        let key = canonical_key(&taken.url).unwrap();
                        prop_assert_eq!(model.insert(key, ("in flight", taken.priority)).unwrap().0, "queued");
                        in_flight.push(taken);
                    }
                }
                Operation::Finish(which) => {
                    if !in_flight.is_empty() {
                        let item = in_flight.remove(which as usize % in_flight.len());
                        frontier.finish(&item, ItemEnd::Done, "", &[], None).unwrap();
                        model.insert(canonical_key(&item.url).unwrap(), ("done", item.priority));
                    }
                }
                Operation::Reopen => {
                    drop(frontier);
                    frontier = Frontier::open(&path).unwrap();
                    in_flight.clear();
                    model.values_mut().filter(|one| one.0 == "in flight").for_each(|one| one.0 = "queued");
                }
            }
            for state in ["queued", "in flight", "done"] {
                let expected = model.values().filter(|one| one.0 == state).count() as u64;
                prop_assert_eq!(frontier.item_count(state).unwrap(), expected);
            }
        }
    }
}
