//! What a database has after runs: typed tables that grow, each record once, and what changed.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Options, extract};
use copal_store::{Error, Place, Reading, Store, Summary, diff};
use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SITE: &str = "https://shop.example/";

/// The page of a list, from the cells of its records: address, title, price, and more.
fn page(records: &[(&str, &str, &str, &str)]) -> Answer {
    at(SITE, records)
}

fn at(url: &str, records: &[(&str, &str, &str, &str)]) -> Answer {
    let row = |(link, title, price, more): &(&str, &str, &str, &str)| {
        let link =
            if link.is_empty() { (*title).to_owned() } else { format!("<a href='{link}'>{title}</a>") };
        format!("<li><h3>{link}</h3> <span class=price>{price}</span> <p class=about>{more}</p></li>")
    };
    let rows: String = records.iter().map(row).collect();
    let mut page = Page::from_text(&format!("<ul>{rows}</ul>"), &Limits::default());
    page.url = (!url.is_empty()).then(|| url.to_owned());
    let found = extract(&page, &Options::default());
    assert_eq!(found.primary().map_or(0, |list| list.records.len()), records.len(), "the list of the test");
    found
}

/// Records by their numbers (an address and a price) behind six that are always there: texts that do not differ name nothing.
fn drawn(records: &[(usize, usize)]) -> Answer {
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

const LAMPS: [(&str, &str, &str, &str); 4] = [
    ("/1", "Blue lamp", "£12.00", "Small and round"),
    ("/2", "Red lamp", "£14.50", "For the desk"),
    ("/3", "Green lamp", "£9.99", "Made of glass"),
    ("/4", "White lamp", "£30.00", "A tall one"),
];

struct Case {
    folder: TempDir,
}

impl Case {
    fn new() -> Case {
        Case { folder: tempfile::tempdir().unwrap() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("data.sqlite")
    }

    fn place(&self) -> Place {
        Place::Sqlite(self.file())
    }

    fn begin(&self, table: Option<&str>) -> Result<Store, Error> {
        Store::begin(&self.place(), table, "copal test", Reading::default())
    }

    /// A run over pages.
    fn run(&self, pages: &[(&str, &Answer)]) -> Summary {
        let mut store = self.begin(None).unwrap();
        for (name, page) in pages {
            store.page(name, page).unwrap();
        }
        store.finish("done").unwrap()
    }

    /// The rows of a query, cells joined by `|`.
    fn rows(&self, sql: &str) -> Vec<String> {
        rows(&self.file(), sql)
    }
}

fn rows(file: &Path, sql: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let text = |value: rusqlite::types::Value| match value {
        rusqlite::types::Value::Null => "-".to_owned(),
        rusqlite::types::Value::Integer(whole) => whole.to_string(),
        rusqlite::types::Value::Real(real) => format!("{real:?}"),
        rusqlite::types::Value::Text(text) => text,
        rusqlite::types::Value::Blob(_) => "blob".to_owned(),
    };
    let line = |row: &rusqlite::Row<'_>| {
        let cells: Vec<String> = (0..columns).map(|at| text(row.get(at).unwrap())).collect();
        Ok(cells.join("|"))
    };
    statement.query_map([], line).unwrap().map(Result::unwrap).collect()
}

#[test]
fn records_are_typed_rows_with_where_they_come_from() {
    let case = Case::new();
    let done = case.run(&[("lamps.html", &page(&LAMPS))]);
    assert_eq!(done, Summary { run: 1, pages: 1, records: 4, new: 4, changed: 0 });
    let found = case.rows(
        "SELECT key, title, price, price_amount, price_currency, page, method, run, first_run FROM records ORDER BY key",
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
fn the_same_again_changes_nothing() {
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
fn a_price_that_changed_is_history() {
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
    // and what diff says of it
    later[0].0 = "/5";
    case.run(&[("a", &page(&later))]);
    let (runs, found) = diff::between_runs(&case.place(), Some((1, 3)), None).unwrap();
    assert_eq!(runs.map(|run| run.id), [1, 3]);
    let keys = |entries: &[diff::Entry]| entries.iter().map(|entry| entry.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&found[0].new), ["https://shop.example/5"]);
    assert_eq!(keys(&found[0].gone), ["https://shop.example/1"]);
    assert_eq!(found[0].same, 2);
    let (key, changes) = &found[0].changed[0];
    assert_eq!(key, "https://shop.example/2");
    assert_eq!(changes.len(), 1, "the parts of a value say what its text says: {changes:?}");
    assert_eq!((changes[0].old.as_str(), changes[0].new.as_str()), ("£14.50", "£11.00"));
    let (_, found) = diff::between_runs(&case.place(), None, Some("records")).unwrap();
    assert_eq!((found[0].new.len(), found[0].gone.len(), found[0].changed.len()), (1, 1, 0));
    assert!(diff::between_runs(&case.place(), Some((1, 9)), None).is_err());
    assert!(diff::between_runs(&case.place(), None, Some("lamps")).is_err());
}

/// A page of lamps with what is off their price, and their tags.
fn tagged(lamps: &[(&str, &str, &[&str])]) -> Answer {
    let lamp = |(n, (title, off, tags)): (usize, &(&str, &str, &[&str]))| {
        let tags: String = tags.iter().map(|tag| format!("<li>{tag}</li>")).collect();
        let off = if off.is_empty() { String::new() } else { format!("<b class=off>{off}</b>") };
        format!(
            "<div class=lamp><h2><a href='/lamp/{n}'>{title}</a></h2><p class=about>About the {title}</p>{off}\
             <ul class=tags>{tags}</ul></div>"
        )
    };
    let lamps: String = lamps.iter().enumerate().map(lamp).collect();
    let mut page = Page::from_text(&format!("<div class=lamps>{lamps}</div>"), &Limits::default());
    page.url = Some(SITE.to_owned());
    extract(&page, &Options::default())
}

#[test]
fn new_columns_are_added_and_types_grow_wider() {
    let case = Case::new();
    let plain = [
        ("Blue lamp", "", &["desk"][..]),
        ("Red lamp", "", &["floor"]),
        ("Green lamp", "", &["say \"hi\""]),
        ("Old lamp", "", &["wood"]),
    ];
    case.run(&[("a", &tagged(&plain))]);
    let columns = "SELECT name, type FROM pragma_table_info('records') WHERE name LIKE 'off%' OR name = 'tags' ORDER BY name";
    assert_eq!(case.rows(columns), ["tags|TEXT"]);
    assert_eq!(case.rows("SELECT tags FROM records ORDER BY key"), ["desk", "floor", "say \"hi\"", "wood"]);

    // a column that was not there
    let mut later = plain;
    (later[0].1, later[1].1, later[2].1, later[3].1) = ("10%", "20%", "25%", "5%");
    assert_eq!(case.run(&[("a", &tagged(&later))]).changed, 4);
    assert_eq!(case.rows(columns), ["off|TEXT", "off_percent|INTEGER", "tags|TEXT"]);

    // a decimal among whole numbers, a list among texts: what was there is the same, in its new type
    (later[1].1, later[0].2) = ("12.5%", &["desk", "glass"]);
    assert_eq!(case.run(&[("a", &tagged(&later))]).changed, 2);
    assert_eq!(case.rows(columns), ["off|TEXT", "off_percent|REAL", "tags|TEXT"]);
    let found = case.rows("SELECT off_percent, tags FROM records ORDER BY key");
    let wanted =
        [r#"10.0|["desk","glass"]"#, r#"12.5|["floor"]"#, r#"25.0|["say \"hi\""]"#, r#"5.0|["wood"]"#];
    assert_eq!(found, wanted);
    let history = case.rows("SELECT column_name, old, new FROM history WHERE run = 3 ORDER BY 1");
    assert_eq!(history, ["off|20%|12.5%", "off_percent|20|12.5", r#"tags|["desk"]|["desk","glass"]"#]);

    // back to narrower values: nothing is made narrower, and nothing changed but what did
    case.run(&[("a", &tagged(&later))]);
    assert_eq!(case.rows("SELECT count(*) FROM history WHERE run = 4"), ["0"]);
    assert_eq!(case.run(&[("a", &tagged(&plain))]).changed, 4);
    assert_eq!(case.rows("SELECT tags, off FROM records ORDER BY key")[0], r#"["desk"]|-"#);
}

#[test]
fn two_records_with_one_address_are_two_rows() {
    let case = Case::new();
    let mut twins = LAMPS;
    twins[1].0 = "/1";
    let twins = page(&twins);
    assert_eq!(case.run(&[("a", &twins)]).new, 4);
    let keys = case.rows("SELECT key FROM records WHERE url = 'https://shop.example/1' ORDER BY key");
    assert_eq!(keys, ["https://shop.example/1", "https://shop.example/1#2"]);
    assert_eq!(case.run(&[("a", &twins)]), Summary { run: 2, pages: 1, records: 4, new: 0, changed: 0 });
}

#[test]
fn a_record_on_several_pages_is_one_row_if_they_agree() {
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
fn many_records_with_one_address_are_all_kept() {
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
fn records_without_an_address_are_known_by_what_stays() {
    let case = Case::new();
    let lamps = LAMPS.map(|(_, title, price, more)| ("", title, price, more));
    case.run(&[("a.html", &at("", &lamps))]);
    let mut later = lamps;
    later[3].2 = "£27.00";
    let done = case.run(&[("a.html", &at("", &later))]);
    assert_eq!((done.new, done.changed), (0, 1));
    assert!(case.rows("SELECT key FROM records").iter().all(|key| key.len() == 33 && key.starts_with('#')));
    // a page whose address is not known: its links are not enough, another site has the same
    let case = Case::new();
    case.run(&[("a.html", &at("", &LAMPS))]);
    let others = LAMPS.map(|(link, _, price, more)| (link, more, price, more));
    assert_eq!(case.run(&[("b.html", &at("", &others))]).new, 4);
}

#[test]
fn the_user_can_name_the_key_and_the_table() {
    let case = Case::new();
    let mut reading = Reading::default();
    reading.key = vec!["title".into()];
    for price in ["£1.00", "£2.00"] {
        let mut lamps = LAMPS;
        (lamps[0].0, lamps[0].2) = (if price == "£1.00" { "/1" } else { "/other" }, price);
        let mut store = Store::begin(&case.place(), Some("my \"lamps\""), "copal", reading.clone()).unwrap();
        store.page("a", &page(&lamps)).unwrap();
        store.finish("done").unwrap();
    }
    let keys = case.rows("SELECT key, price FROM \"my \"\"lamps\"\"\" ORDER BY key");
    assert_eq!(keys[0], "Blue lamp|£2.00");
    assert_eq!(keys.len(), 4);
    for name in ["runs", "History", "", "sqlite_x", &"x".repeat(70)] {
        assert!(case.begin(Some(name)).is_err(), "{name}");
    }
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let case = Case::new();
    fs::write(case.file(), "not a database, but long enough to look at: ".repeat(40)).unwrap();
    let before = fs::read(case.file()).unwrap();
    let error = case.begin(None).err().unwrap().to_string();
    assert!(error.contains("not a SQLite database"), "{error}");
    assert_eq!(fs::read(case.file()).unwrap(), before);
    for (table, foreign) in [("runs", "runs"), ("records", "records"), ("history", "history")] {
        fs::remove_file(case.file()).unwrap();
        Connection::open(case.file()).unwrap().execute_batch(&format!("CREATE TABLE {table} (a)")).unwrap();
        let before = fs::read(case.file()).unwrap();
        let error = case.begin(None).err().unwrap();
        assert!(matches!(&error, Error::Foreign(name) if name == foreign), "{error}");
        assert_eq!(fs::read(case.file()).unwrap(), before, "{table}");
    }
    // tables of other names may stand beside ours, also later
    fs::remove_file(case.file()).unwrap();
    Connection::open(case.file()).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap();
    case.run(&[("a", &page(&LAMPS))]);
    let error = case.begin(Some("mine")).err().unwrap();
    assert!(matches!(&error, Error::Foreign(name) if name == "mine"), "{error}");
    // a table of ours that the user dropped is made again
    Connection::open(case.file()).unwrap().execute_batch("DROP TABLE records").unwrap();
    assert_eq!(case.run(&[("a", &page(&LAMPS))]).new, 4);
}

#[test]
fn two_runs_at_once_take_turns() {
    let case = Case::new();
    let (mut one, mut two) = (case.begin(None).unwrap(), case.begin(None).unwrap());
    one.page("a", &page(&LAMPS)).unwrap();
    // the other knows nothing yet of the table and its columns
    let more = LAMPS.map(|(link, title, price, _)| (link, title, price, "<b>4 bedrooms</b>"));
    two.page("a", &page(&more)).unwrap();
    one.page("a", &page(&LAMPS)).unwrap();
    assert_eq!((one.finish("done").unwrap().run, two.finish("done").unwrap().run), (1, 2));
    assert_eq!(case.rows("SELECT count(*) FROM records"), ["4"]);
    assert_eq!(case.rows("PRAGMA integrity_check"), ["ok"]);
}

#[test]
fn a_page_that_fails_leaves_nothing_of_itself() {
    let case = Case::new();
    let mut store = case.begin(None).unwrap();
    store.page("a", &page(&LAMPS)).unwrap();
    let other = Connection::open(case.file()).unwrap();
    other
        .execute_batch(
            "CREATE TRIGGER no BEFORE INSERT ON records WHEN NEW.title = 'Lamp 3' BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        .unwrap();
    let more: Vec<(String, String)> = (1..=5).map(|n| (format!("/new/{n}"), format!("Lamp {n}"))).collect();
    let more: Vec<(&str, &str, &str, &str)> =
        more.iter().map(|(link, title)| (link.as_str(), title.as_str(), "£1.00", "A new one")).collect();
    assert!(store.page("b", &page(&more)).is_err());
    other.execute_batch("DROP TRIGGER no").unwrap();
    assert_eq!(case.rows("SELECT count(*) FROM records"), ["4"]);
    store.page("b", &page(&more)).unwrap();
    assert_eq!(store.finish("done").unwrap(), Summary { run: 1, pages: 2, records: 9, new: 9, changed: 0 });
}

#[test]
fn places_are_known_by_their_names() {
    let of = |name: &str| Place::of(Path::new(name));
    assert_eq!(of("a/data.sqlite"), Some(Place::Sqlite("a/data.sqlite".into())));
    assert!(of("data.db").is_some() && of("data.csv").is_none() && of("sqlite").is_none());
    let address = "postgres://ann:secret@db.example:5433/shop?password=hidden";
    assert_eq!(of(address).unwrap().shown(), "postgres://db.example:5433/shop");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Whatever runs there were: the last one is there as it was read, and once more changes nothing.
    #[test]
    fn the_last_run_is_there(
        runs in vec(vec(vec((0usize..6, 0usize..3), 3..7), 1..4), 1..4)
    ) {
        let case = Case::new();
        for pages in &runs {
            let read: Vec<Answer> = pages.iter().map(|page| drawn(page)).collect();
            let named: Vec<(&str, &Answer)> = read.iter().map(|page| ("a", page)).collect();
            let done = case.run(&named);
            let again = case.run(&named);
            prop_assert_eq!((again.new, again.changed), (0, 0));
            // of each thing as many rows as the page has that shows it most often
            let mut wanted: HashMap<String, usize> = HashMap::new();
            for page in pages {
                let mut counts: HashMap<String, usize> = HashMap::new();
                for (link, price) in page {
                    *counts.entry(format!("{link}|{price}")).or_default() += 1;
                }
                for (thing, count) in counts {
                    let most = wanted.entry(thing).or_default();
                    *most = count.max(*most);
                }
            }
            let found: usize = case.rows(&format!("SELECT key FROM records WHERE run = {}", again.run)).len();
            prop_assert!(found >= 6 + wanted.values().sum::<usize>(), "{} rows of {:?}", found, wanted);
            prop_assert!(found <= done.records);
            let things = case.rows(&format!(
                "SELECT DISTINCT title || price FROM records WHERE run = {}", again.run
            ));
            prop_assert_eq!(things.len(), 6 + wanted.len());
        }
        prop_assert_eq!(case.rows("SELECT count(*) FROM history WHERE old IS new"), ["0"]);
        prop_assert_eq!(case.rows("PRAGMA integrity_check"), ["ok"]);
    }
}
