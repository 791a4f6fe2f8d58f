//! What a SQLite database has after runs: typed tables that grow, one row per record, and a history of
//! changes.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)]

mod support;

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Request, extract};
use copal_store::{ChangedRecord, KeyedRecord, RowOptions, RunSummary, Store, StoreError, compare_runs};
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::HashMap;
use std::fs;
use support::{Case, LAMPS, Lamp, SITE, page, page_at};

/// Run, pages, records, new and changed records.
fn counts(summary: &RunSummary) -> (i64, usize, usize, usize, usize) {
    (summary.run, summary.pages, summary.records, summary.new, summary.changed)
}

/// Records by the numbers of their URL and price, after six constant ones (columns need distinct texts to get
/// a name).
fn generated_page(records: &[(usize, usize)]) -> Answer {
    let links = ["/1", "/2", "/1#2", "/3", "/4", "/5"];
    let titles = ["Blue lamp", "Red lamp", "Second blue lamp", "Green lamp", "White lamp", "Old lamp"];
    let prices = ["£1.00", "£2.50", "£3.00"];
    let row = |(link, price): &(usize, usize)| (links[*link], titles[*link], prices[*price], titles[*link]);
    let always = [
        ("/11", "Floor lamp", "£70.00", "Tall"),
        ("/12", "Desk lamp", "£80.00", "Small"),
        ("/13", "Wall lamp", "£90.00", "Flat"),
        ("/14", "Bed lamp", "£71.00", "Soft"),
        ("/15", "Door lamp", "£82.00", "Bright"),
        ("/16", "Bike lamp", "£93.00", "Light"),
    ];
    page(&always.into_iter().chain(records.iter().map(row)).collect::<Vec<_>>())
}

#[test]
fn records_become_typed_rows_with_their_origin() {
    let case = Case::new();
    let done = case.run(&[("lamps.html", &page(&LAMPS))]);
    assert_eq!(counts(&done), (1, 1, 4, 4, 0));
    let found = case.rows(
        "SELECT key, title, price, price_amount, price_currency, page, method, run, first_run \
         FROM records ORDER BY key",
    );
    assert_eq!(
        found[0],
        "https://shop.example/1|Blue lamp|£12.00|12.0|GBP|https://shop.example/|combined|1|1"
    );
    assert_eq!(found.len(), 4);
    let types = case.rows("SELECT name, type FROM pragma_table_info('records') WHERE name LIKE 'price%'");
    assert_eq!(types, ["price|TEXT", "price_amount|REAL", "price_currency|TEXT"]);
    assert_eq!(case.rows("SELECT pages, records, outcome, command FROM runs"), ["1|4|done|copal test"]);
    let times = case.rows("SELECT first_seen = last_seen, length(first_seen) FROM records GROUP BY 1, 2");
    assert_eq!(times, ["1|20"]);
}

#[test]
fn storing_the_same_page_again_changes_nothing() {
    let case = Case::new();
    let lamps = page(&LAMPS);
    case.run(&[("a", &lamps)]);
    let sql = "SELECT key, url, title, price, price_amount, first_seen, first_run FROM records ORDER BY key";
    let before = case.rows(sql);
    for _ in 0..3 {
        let done = case.run(&[("a", &lamps)]);
        assert_eq!((done.new, done.changed), (0, 0));
    }
    assert_eq!(case.rows(sql), before);
    assert_eq!(case.rows("SELECT count(*) FROM history"), ["0"]);
    assert_eq!(case.rows("SELECT DISTINCT run FROM records"), ["4"]);
}

#[test]
fn changed_values_are_in_the_history_and_the_difference() {
    let case = Case::new();
    case.run(&[("a", &page(&LAMPS))]);
    let mut later = LAMPS;
    later[1].2 = "£11.00";
    let done = case.run(&[("a", &page(&later))]);
    assert_eq!((done.new, done.changed), (0, 1));
    let history = case.rows("SELECT table_name, key, column_name, old, new, run FROM history");
    assert_eq!(
        history,
        [
            "records|https://shop.example/2|price|£14.50|£11.00|2",
            "records|https://shop.example/2|price_amount|14.5|11|2"
        ]
    );
    assert_eq!(case.rows("SELECT price_amount FROM records WHERE title = 'Red lamp'"), ["11.0"]);
    later[0].0 = "/5";
    case.run(&[("a", &page(&later))]);
    let (runs, found) = compare_runs(&case.location(), Some((1, 3)), None).unwrap();
    assert_eq!(runs.map(|run| run.id), [1, 3]);
    let keys = |records: &[KeyedRecord]| records.iter().map(|r| r.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&found[0].new), ["https://shop.example/5"]);
    assert_eq!(keys(&found[0].gone), ["https://shop.example/1"]);
    assert_eq!(found[0].same, 2);
    let ChangedRecord { key, title, changes } = &found[0].changed[0];
    assert_eq!((key.as_str(), title.as_deref()), ("https://shop.example/2", Some("Red lamp")));
    assert_eq!(changes.len(), 1, "components of a value are not listed: {changes:?}");
    assert_eq!((changes[0].old.as_str(), changes[0].new.as_str()), ("£14.50", "£11.00"));
    let (_, found) = compare_runs(&case.location(), None, Some("records")).unwrap();
    assert_eq!((found[0].new.len(), found[0].gone.len(), found[0].changed.len()), (1, 1, 0));
    assert!(compare_runs(&case.location(), Some((1, 9)), None).is_err());
    assert!(compare_runs(&case.location(), None, Some("lamps")).is_err());
}

/// A page of lamps with a percent and tags.
fn tagged_page(lamps: &[(&str, &str, &[&str])]) -> Answer {
    let lamp = |(n, (title, off, tags)): (usize, &(&str, &str, &[&str]))| {
        let tags: String = tags.iter().map(|tag| format!("<li>{tag}</li>")).collect();
        let off = if off.is_empty() { String::new() } else { format!("<b class=off>{off}</b>") };
        format!(
            "<div class=lamp><h2><a href='/lamp/{n}'>{title}</a></h2>\
             <p class=about>About the {title}</p>{off}\
             <ul class=tags>{tags}</ul></div>"
        )
    };
    let lamps: String = lamps.iter().enumerate().map(lamp).collect();
    let mut page = Page::from_text(&format!("<div class=lamps>{lamps}</div>"), &Limits::default());
    page.url = Some(SITE.to_owned());
    extract(&page, &Request::default())
}

#[test]
fn new_columns_are_added_and_types_are_widened() {
    let case = Case::new();
    let plain = [
        ("Blue lamp", "", &["desk"][..]),
        ("Red lamp", "", &["floor"]),
        ("Green lamp", "", &["say \"hi\""]),
        ("Old lamp", "", &["wood"]),
    ];
    case.run(&[("a", &tagged_page(&plain))]);
    let columns = "SELECT name, type FROM pragma_table_info('records') \
                   WHERE name LIKE 'percent%' OR name = 'tags' ORDER BY name";
    assert_eq!(case.rows(columns), ["tags|TEXT"]);
    assert_eq!(case.rows("SELECT tags FROM records ORDER BY key"), ["desk", "floor", "say \"hi\"", "wood"]);

    // A new column.
    let mut later = plain;
    (later[0].1, later[1].1, later[2].1, later[3].1) = ("10%", "20%", "25%", "5%");
    assert_eq!(case.run(&[("a", &tagged_page(&later))]).changed, 4);
    assert_eq!(case.rows(columns), ["percent|TEXT", "percent_percent|INTEGER", "tags|TEXT"]);

    // A real among integers, a list among texts: the existing values are the same, in the new type.
    (later[1].1, later[0].2) = ("12.5%", &["desk", "glass"]);
    assert_eq!(case.run(&[("a", &tagged_page(&later))]).changed, 2);
    assert_eq!(case.rows(columns), ["percent|TEXT", "percent_percent|REAL", "tags|TEXT"]);
    let found = case.rows("SELECT percent_percent, tags FROM records ORDER BY key");
    let wanted =
        [r#"10.0|["desk","glass"]"#, r#"12.5|["floor"]"#, r#"25.0|["say \"hi\""]"#, r#"5.0|["wood"]"#];
    assert_eq!(found, wanted);
    let history = case.rows("SELECT column_name, old, new FROM history WHERE run = 3 ORDER BY 1");
    assert_eq!(
        history,
        ["percent|20%|12.5%", "percent_percent|20|12.5", r#"tags|["desk"]|["desk","glass"]"#]
    );

    // Narrower values again: no column becomes narrower, and only the changed values are reported.
    case.run(&[("a", &tagged_page(&later))]);
    assert_eq!(case.rows("SELECT count(*) FROM history WHERE run = 4"), ["0"]);
    assert_eq!(case.run(&[("a", &tagged_page(&plain))]).changed, 4);
    assert_eq!(case.rows("SELECT tags, percent FROM records ORDER BY key")[0], r#"["desk"]|-"#);
}

#[test]
fn two_records_with_one_url_are_two_rows() {
    let case = Case::new();
    let mut twins = LAMPS;
    twins[1].0 = "/1";
    let twins = page(&twins);
    assert_eq!(case.run(&[("a", &twins)]).new, 4);
    let keys = case.rows("SELECT key FROM records WHERE url = 'https://shop.example/1' ORDER BY key");
    assert_eq!(keys, ["https://shop.example/1", "https://shop.example/1#2"]);
    assert_eq!(counts(&case.run(&[("a", &twins)])), (2, 1, 4, 0, 0));
}

#[test]
fn a_record_on_several_pages_is_one_row_if_the_pages_agree() {
    let case = Case::new();
    let mut sale = LAMPS;
    sale[2].2 = "£5.00";
    let (lamps, sale) = (page(&LAMPS), page(&sale));
    for _ in 0..3 {
        case.run(&[("lamps", &lamps), ("again", &lamps), ("sale", &sale)]);
        let green = case.rows("SELECT key, price FROM records WHERE title = 'Green lamp' ORDER BY key");
        assert_eq!(green, ["https://shop.example/3|£9.99", "https://shop.example/3#2|£5.00"]);
    }
    assert_eq!(case.rows("SELECT count(*) FROM records"), ["5"]);
    assert_eq!(case.rows("SELECT count(*) FROM history"), ["0"]);
}

#[test]
fn many_records_with_one_url_are_all_stored() {
    let case = Case::new();
    let pages: Vec<Answer> = (0..30)
        .map(|n| {
            let title = format!("Lamp of page {n}");
            let mut lamps = LAMPS;
            (lamps[0].1, lamps[0].3) = (&title, &title);
            page(&lamps)
        })
        .collect();
    let named: Vec<(&str, &Answer)> = pages.iter().map(|page| ("a", page)).collect();
    case.run(&named);
    assert_eq!(case.rows("SELECT count(DISTINCT title) FROM records"), ["33"]);
    assert_eq!(case.run(&named).new, 0);
    assert_eq!(case.rows("SELECT count(*) FROM history"), ["0"]);
}

#[test]
fn records_without_a_url_are_identified_by_their_stable_texts() {
    let case = Case::new();
    let lamps = LAMPS.map(|(_, title, price, more)| ("", title, price, more));
    case.run(&[("a.html", &page_at("", &lamps))]);
    let mut later = lamps;
    later[3].2 = "£27.00";
    let done = case.run(&[("a.html", &page_at("", &later))]);
    assert_eq!((done.new, done.changed), (0, 1));
    assert!(case.rows("SELECT key FROM records").iter().all(|key| key.len() == 33 && key.starts_with('#')));
    // The URL of the page is unknown: its relative links are not enough, another site may have the same.
    let case = Case::new();
    case.run(&[("a.html", &page_at("", &LAMPS))]);
    let others = LAMPS.map(|(link, _, price, more)| (link, more, price, more));
    assert_eq!(case.run(&[("b.html", &page_at("", &others))]).new, 4);
}

#[test]
fn the_user_can_name_the_key_and_the_table() {
    let case = Case::new();
    let mut options = RowOptions::default();
    options.key_columns = vec!["title".into()];
    for price in ["£1.00", "£2.00"] {
        let mut lamps = LAMPS;
        (lamps[0].0, lamps[0].2) = (if price == "£1.00" { "/1" } else { "/other" }, price);
        let table = Some("my \"lamps\"");
        let mut store = Store::begin(&case.location(), table, "copal", options.clone()).unwrap();
        store.page("a", &page(&lamps)).unwrap();
        store.finish("done").unwrap();
    }
    let keys = case.rows("SELECT key, price FROM \"my \"\"lamps\"\"\" ORDER BY key");
    assert_eq!(keys[0], "Blue lamp|£2.00");
    assert_eq!(keys.len(), 4);
    for name in ["runs", "History", "copal_meta", "", "sqlite_x", &"x".repeat(70)] {
        assert!(case.begin(Some(name)).is_err(), "{name}");
    }
}

#[test]
fn foreign_files_and_tables_are_not_touched() {
    let case = Case::new();
    fs::write(case.file(), "not a database, but long enough to be read: ".repeat(40)).unwrap();
    let before = fs::read(case.file()).unwrap();
    let error = case.begin(None).err().unwrap().to_string();
    assert!(error.contains("not a SQLite database"), "{error}");
    assert_eq!(fs::read(case.file()).unwrap(), before);
    for (table, foreign) in [("runs", "runs"), ("records", "records"), ("history", "history")] {
        fs::remove_file(case.file()).unwrap();
        Connection::open(case.file()).unwrap().execute_batch(&format!("CREATE TABLE {table} (a)")).unwrap();
        let before = fs::read(case.file()).unwrap();
        let error = case.begin(None).err().unwrap();
        assert!(matches!(&error, StoreError::ForeignTable(name) if name == foreign), "{error}");
        assert_eq!(fs::read(case.file()).unwrap(), before, "{table}");
    }
    // Foreign tables with other names are fine.
    fs::remove_file(case.file()).unwrap();
    Connection::open(case.file()).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap();
    case.run(&[("a", &page(&LAMPS))]);
    let error = case.begin(Some("mine")).err().unwrap();
    assert!(matches!(&error, StoreError::ForeignTable(name) if name == "mine"), "{error}");
    // A dropped table is created again.
    Connection::open(case.file()).unwrap().execute_batch("DROP TABLE records").unwrap();
    assert_eq!(case.run(&[("a", &page(&LAMPS))]).new, 4);
}

#[test]
fn two_runs_at_once_take_turns() {
    let case = Case::new();
    let (mut one, mut two) = (case.begin(None).unwrap(), case.begin(None).unwrap());
    one.page("a", &page(&LAMPS)).unwrap();
    // The second run has not seen the table and its columns yet.
    let more = LAMPS.map(|(link, title, price, _)| (link, title, price, "<b>4 bedrooms</b>"));
    two.page("a", &page(&more)).unwrap();
    one.page("a", &page(&LAMPS)).unwrap();
    assert_eq!((one.finish("done").unwrap().run, two.finish("done").unwrap().run), (1, 2));
    assert_eq!(case.rows("SELECT count(*) FROM records"), ["4"]);
    assert_eq!(case.rows("PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_page_that_fails_leaves_no_rows() {
    let case = Case::new();
    let mut store = case.begin(None).unwrap();
    store.page("a", &page(&LAMPS)).unwrap();
    let other = Connection::open(case.file()).unwrap();
    other
        .execute_batch(
            "CREATE TRIGGER no BEFORE INSERT ON records WHEN NEW.title = 'Lamp 3' \
             BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        .unwrap();
    let more: Vec<(String, String)> = (1..=5).map(|n| (format!("/new/{n}"), format!("Lamp {n}"))).collect();
    let more: Vec<Lamp<'_>> =
        more.iter().map(|(link, title)| (link.as_str(), title.as_str(), "£1.00", "A new one")).collect();
    assert!(store.page("b", &page(&more)).is_err());
    other.execute_batch("DROP TRIGGER no").unwrap();
    assert_eq!(case.rows("SELECT count(*) FROM records"), ["4"]);
    store.page("b", &page(&more)).unwrap();
    assert_eq!(counts(&store.finish("done").unwrap()), (1, 2, 9, 9, 0));
}

#[test]
fn a_database_of_version_1_is_read_and_upgraded() {
    let case = Case::new();
    case.run(&[("a", &page(&LAMPS))]);
    case.run(&[("a", &page(&LAMPS))]);
    // Version 1 had neither a version nor aliases.
    case.execute("DROP TABLE copal_meta; DROP TABLE copal_aliases");
    let (runs, _) = compare_runs(&case.location(), None, None).unwrap();
    assert_eq!(runs.map(|run| run.id), [1, 2]);
    assert_eq!(case.rows("SELECT count(*) FROM sqlite_master WHERE name = 'copal_meta'"), ["0"], "reading");
    assert_eq!(case.run(&[("a", &page(&LAMPS))]).new, 0);
    assert_eq!(case.rows("SELECT name, value FROM copal_meta"), ["schema_version|2"]);
    assert_eq!(case.rows("SELECT count(*) FROM copal_aliases"), ["0"]);
}

#[test]
fn other_versions_are_refused_with_a_hint_and_not_changed() {
    for (version, hint) in [
        ("3", "written by a newer copal (schema version 3, this build knows 2): update copal"),
        (
            "0",
            "its schema version is \"0\", expected a number from 1 to 2: use the copal version that wrote it",
        ),
        ("x", "its schema version is \"x\", expected a number"),
    ] {
        let case = Case::new();
        case.run(&[("a", &page(&LAMPS))]);
        case.execute(&format!("UPDATE copal_meta SET value = '{version}'"));
        let write = case.begin(None).err().unwrap().to_string();
        let read = compare_runs(&case.location(), None, None).unwrap_err().to_string();
        assert!(write.contains(hint) && read.contains(hint), "{write}\n{read}");
        assert_eq!(case.rows("SELECT value FROM copal_meta"), [version]);
        assert_eq!(case.rows("SELECT count(*) FROM runs"), ["1"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// After any sequence of runs the table has the records of the last one, and repeating that run changes
    /// nothing.
    #[test]
    fn the_last_run_is_stored(
        runs in vec(vec(vec((0usize..6, 0usize..3), 3..7), 1..4), 1..4)
    ) {
        let case = Case::new();
        for pages in &runs {
            let read: Vec<Answer> = pages.iter().map(|page| generated_page(page)).collect();
            let named: Vec<(&str, &Answer)> = read.iter().map(|page| ("a", page)).collect();
            let done = case.run(&named);
            let again = case.run(&named);
            prop_assert_eq!((again.new, again.changed), (0, 0));
            // Each variant has as many rows as on the page that shows it most often.
            let mut wanted: HashMap<String, usize> = HashMap::new();
            for page in pages {
                let mut counts: HashMap<String, usize> = HashMap::new();
                for (link, price) in page {
                    *counts.entry(format!("{link}|{price}")).or_default() += 1;
                }
                for (variant, count) in counts {
                    let maximum = wanted.entry(variant).or_default();
                    *maximum = count.max(*maximum);
                }
            }
            let found: usize = case.rows(&format!("SELECT key FROM records WHERE run = {}", again.run)).len();
            prop_assert!(found >= 6 + wanted.values().sum::<usize>(), "{} rows of {:?}", found, wanted);
            prop_assert!(found <= done.records);
            let variants = case.rows(&format!(
                "SELECT DISTINCT title || price FROM records WHERE run = {}", again.run
            ));
            prop_assert_eq!(variants.len(), 6 + wanted.len());
        }
        prop_assert_eq!(case.rows("SELECT count(*) FROM history WHERE old IS new"), ["0"]);
        prop_assert_eq!(case.rows("PRAGMA integrity_check"), ["ok"]);
    }
}
