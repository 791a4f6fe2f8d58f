//! Pages of a list that is still being read: they are there if the run ends early, and leave no trace in the
//! end.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)]

mod support;

use copal_extract::Answer;
use copal_store::RunSummary;
use support::{Case, LAMPS, Lamp, SITE, page};

const MORE_LAMPS: [Lamp<'_>; 4] = [
    ("/5", "Floor lamp", "£70.00", "Tall"),
    ("/6", "Desk lamp", "£80.00", "Small"),
    ("/7", "Wall lamp", "£90.00", "Flat"),
    ("/8", "Bed lamp", "£71.00", "Soft"),
];

/// The list of both pages.
fn whole() -> Answer {
    page(&[LAMPS, MORE_LAMPS].concat())
}

/// A page whose alignment gave a column another name than the whole list has.
fn renamed(records: &[Lamp<'_>]) -> Answer {
    let mut answer = page(records);
    for column in answer.regions.iter_mut().flat_map(|region| &mut region.columns) {
        if column.name == "about" {
            "column_9".clone_into(&mut column.name);
        }
    }
    assert!(answer.primary().unwrap().columns.iter().any(|column| column.name == "column_9"));
    answer
}

/// A run that stores two pages of the list before the list.
fn run_page_by_page(case: &Case, list: &Answer) -> RunSummary {
    let mut store = case.begin(None).unwrap();
    store.provisional_page(SITE, &renamed(&LAMPS)).unwrap();
    store.provisional_page(SITE, &renamed(&MORE_LAMPS)).unwrap();
    store.page(SITE, list).unwrap();
    store.finish("done").unwrap()
}

/// Everything but the times.
fn dump(case: &Case) -> Vec<String> {
    let mut all = case.rows("SELECT name, type FROM pragma_table_info('records')");
    all.extend(case.rows(
        "SELECT key, title, price, price_amount, about, page, run, first_run FROM records ORDER BY key",
    ));
    all.extend(case.rows("SELECT table_name, key, column_name, old, new, run FROM history ORDER BY 2, 3"));
    all.extend(case.rows("SELECT position, column_name, shown, part, type FROM copal_columns ORDER BY 1"));
    all.extend(case.rows("SELECT id, pages, records, outcome FROM runs"));
    all
}

#[test]
fn the_complete_list_replaces_its_pages() {
    let (one, other) = (Case::new(), Case::new());
    let mut cheaper = [LAMPS, MORE_LAMPS].concat();
    cheaper[1].2 = "£11.00";
    // the first run makes the table, the second one changes it
    for list in [whole(), page(&cheaper)] {
        let by_page = run_page_by_page(&one, &list);
        let at_once = other.run(&[(SITE, &list)]);
        assert_eq!(by_page, at_once);
        assert_eq!(dump(&one), dump(&other));
    }
    assert_eq!(one.rows("SELECT old, new FROM history WHERE column_name = 'price'"), ["£14.50|£11.00"]);
}

#[test]
fn pages_stay_if_the_run_ends_early_and_the_next_run_completes_them() {
    let case = Case::new();
    let mut store = case.begin(None).unwrap();
    store.provisional_page(SITE, &page(&LAMPS)).unwrap();
    drop(store);
    assert_eq!(case.rows("SELECT count(*), count(DISTINCT key) FROM records"), ["4|4"]);
    assert_eq!(case.rows("SELECT pages, records, outcome FROM runs"), ["1|4|-"]);
    let mut store = case.begin(None).unwrap();
    store.provisional_page(SITE, &page(&LAMPS)).unwrap();
    store.provisional_page(SITE, &page(&MORE_LAMPS)).unwrap();
    store.page(SITE, &whole()).unwrap();
    let done = store.finish("done").unwrap();
    assert_eq!((done.pages, done.records, done.new, done.changed), (1, 8, 4, 0));
    assert_eq!(
        case.rows("SELECT count(*), count(DISTINCT key), count(DISTINCT run) FROM records"),
        ["8|8|1"]
    );
    assert_eq!(case.rows("SELECT count(*) FROM history"), ["0"]);
}

#[test]
fn other_lists_of_the_run_are_not_touched() {
    let case = Case::new();
    let mut store = case.begin(None).unwrap();
    store.provisional_page("a", &page(&LAMPS)).unwrap();
    store.page("b", &page(&MORE_LAMPS)).unwrap();
    // the complete list has other records: what was provisional goes
    store.page("a", &page(&LAMPS[1..])).unwrap();
    let done = store.finish("done").unwrap();
    assert_eq!((done.pages, done.records, done.new), (2, 7, 7));
    let keys = case.rows("SELECT key FROM records ORDER BY key");
    assert_eq!(keys, (2..=8).map(|n| format!("{SITE}{n}")).collect::<Vec<_>>());
}
