//! Choosing a list and adding fields: `--list`, `--near`, `--select`, `--field`; and lists that are in doubt:
//! `--min-confidence`.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, SHOP, folder, golden, run, style};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A page whose boxes do not look like a list to the extractor.
const BOXES: &str = r#"<!DOCTYPE html><html><head><title>Boxes</title></head><body>
<div id="boxes"><section data-id="7"><h3>First box</h3><p>Alpha</p><img src="/a.png" alt="A picture"></section>
<section data-id="8"><h3>Second box</h3><p>Beta</p><img src="/b.png" alt="B picture"></section></div>
</body></html>"#;

/// A story with walks and links to other stories: two lists, and neither is clearly what the page is for.
/// The tests ask for as little certainty as [`DOUBTFUL`] says, because how probable it is depends on the fit.
const STORY: &str = r#"<!DOCTYPE html><html lang="en"><head><title>The mill</title></head><body><h1>The mill</h1>
<p>The mill stood empty for forty years before anybody asked who owned the wheel. Then the council wrote three
letters, and all of them came back unopened, which in this town counts as an answer.</p>
<p>The miller's daughter kept the key in a jar of buttons. She had been told to give it to nobody, and nobody had
come, so that the question of who was meant by it did not arise until the spring of the flood.</p>
<h2>Walks</h2>
<ul class="walks">
<li><h3>The hare gate</h3><p>A walk along the old path, 2 miles</p><i>3 May 2021</i></li>
<li><h3>The weir</h3><p>A walk along the old path, 3 miles</p><i>4 May 2021</i></li>
<li><h3>Second stile</h3><p>A walk along the old path, 4 miles</p><i>5 May 2021</i></li>
<li><h3>Long meadow</h3><p>A walk along the old path, 5 miles</p><i>6 May 2021</i></li>
<li><h3>Old quarry</h3><p>A walk along the old path, 6 miles</p><i>7 May 2021</i></li>
</ul>
<h2>More stories</h2>
<ul class="more"><li><a href="/s/0">The lock keeper</a> <i>3 May</i></li><li><a href="/s/1">Two bridges</a> <i>9 May</i></li>
<li><a href="/s/2">Salt road</a> <i>12 May</i></li></ul>
</body></html>
"#;

/// Shows even the least probable list, also if the page looks like an object.
const DOUBTFUL: &str = "story.html --kind list --min-confidence 0.001";

/// What is said about the list of [`STORY`]; its probability follows.
const DOUBT: &str = "warning: story.html: not sure that this is the page's main list (0.";

/// The texts of the records of the one list that is returned.
fn records(folder: &Path, line: &str) -> Vec<String> {
    let run = run(folder, &format!("{line} --format json"));
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    let regions = answer["regions"].as_array().unwrap();
    assert_eq!(regions.len(), 1, "{line}");
    assert_eq!(regions[0]["role"], "primary");
    let records = regions[0]["records"].as_array().unwrap().iter();
    records.map(|record| record["text"].as_str().unwrap().to_owned()).collect()
}

/// The values of one column, with an empty text for absent cells.
fn column(folder: &Path, line: &str, name: &str) -> Vec<String> {
    let run = run(folder, &format!("{line} --format csv"));
    assert_eq!(run.code, 0, "{line}: {}", run.stderr);
    let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
    let at = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}

#[test]
fn a_list_is_chosen_by_rank_text_or_selector() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("boxes.html", BOXES.as_bytes())]);
    let of = |options: &str| records(folder.path(), &format!("copal extract shop.html {options}"));
    let main = of("");
    assert_eq!(main.len(), 4);
    assert!(main[0].starts_with("Blue lamp"));
    assert_eq!(of("--list 1"), main);
    let seen = of("--list 2");
    assert_eq!(seen[0], "Paper lamp £5");
    // case and white space make no difference
    assert_eq!(of("--near 'oil   LAMP £21'"), seen);
    assert_eq!(of("--near 'at work'"), main);
    assert_eq!(of("--select ol.seen"), seen);
    assert_eq!(of("--select '.seen > li'"), seen);
    assert_eq!(of("--select .lamps"), main);
    assert_eq!(of("--select 'ul.tags li'").len(), 8);
    let boxes = records(folder.path(), "copal extract boxes.html --select section");
    assert_eq!(boxes, ["First box Alpha", "Second box Beta"]);
    assert_eq!(records(folder.path(), "copal extract boxes.html --select '#boxes'"), boxes);
    assert_eq!(records(folder.path(), "cat boxes.html | copal extract - --select section"), boxes);
}

#[test]
fn data_documents_have_ranks_and_texts_too() {
    let json = br#"{"lamps": [{"name": "Blue", "price": 1}, {"name": "Red", "price": 2}, {"name": "Green", "price": 3}],
        "shops": [{"city": "Rome"}, {"city": "Oslo"}]}"#;
    let folder = folder(&[("data.json", json)]);
    let near = records(folder.path(), "copal extract data.json --near oslo");
    assert_eq!(near.len(), 2);
    assert_eq!(records(folder.path(), "copal extract data.json --list 2"), near);
    assert_eq!(run(folder.path(), "copal extract data.json --select ul").code, 1);
}

#[test]
fn fields_are_columns_at_a_selector() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("boxes.html", BOXES.as_bytes())]);
    let line = "copal extract shop.html --field reduced=.off --field link='h2 a@href' --field kind=@class --url https://a.example/x";
    assert_eq!(column(folder.path(), line, "reduced"), ["-10%", "", "-25%", ""]);
    assert_eq!(column(folder.path(), line, "link")[2], "https://a.example/lamp/3");
    assert_eq!(column(folder.path(), line, "kind"), ["lamp"; 4]);
    // a column of that name is replaced
    assert_eq!(
        column(folder.path(), "copal extract shop.html --field title=.about", "title")[2],
        "@home and at work"
    );
    let line = "copal extract boxes.html --select section --field alt=img@alt";
    assert_eq!(column(folder.path(), line, "alt"), ["A picture", "B picture"]);
    let json = run(folder.path(), "copal extract shop.html --field cost=.price --format json");
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(answer["regions"][0]["records"][0]["values"]["cost"]["amount"], "12");
    let object = run(folder.path(), "copal extract boxes.html --kind object --field first=h3 --format json");
    let answer: Value = serde_json::from_str(&object.stdout).unwrap();
    assert_eq!(answer["fields"]["first"], "First box");
}

#[test]
fn the_chosen_list_is_learned() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let learn = "copal learn shop.html --near 'Paper lamp' -o seen.yaml && copal apply seen.yaml shop.html";
    let seen = records(folder.path(), learn);
    assert_eq!(seen, records(folder.path(), "copal extract shop.html --list 2"));
    let missing = run(folder.path(), "copal learn shop.html --near 'no such lamp' -o none.yaml");
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("hint: "), "{}", missing.stderr);
    assert!(!fs::exists(folder.path().join("none.yaml")).unwrap());
}

#[test]
fn a_doubtful_list_is_shown_with_a_warning() {
    let folder = folder(&[("story.html", STORY.as_bytes())]);
    let of = |options: &str| run(folder.path(), &format!("copal extract {DOUBTFUL} {options}"));
    let table = of("");
    style(&table);
    assert_eq!(table.code, 0);
    assert!(table.stdout.contains(", possible main list"), "{}", table.stdout);
    assert!(table.stderr.starts_with(DOUBT), "{}", table.stderr);
    assert!(table.stderr.contains("\nhint: another list? --list 2 ("), "{}", table.stderr);
    let all = of("--all --format json");
    assert!(all.stderr.starts_with(DOUBT) && !all.stderr.contains("--all"), "{}", all.stderr);
    let answer: Value = serde_json::from_str(&all.stdout).unwrap();
    let roles: Vec<&str> =
        answer["regions"].as_array().unwrap().iter().map(|list| list["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["possible", "secondary"]);
    assert!(
        answer["warnings"][0].as_str().unwrap().starts_with("not sure that this is the page's main list")
    );
    assert_eq!(of("--quiet").stderr, "");
    let report = of("--format html").stdout;
    assert!(report.contains("Possible main list") && report.contains("A possible main list of 5 records"));
    // what the user chose is not in doubt
    assert_eq!(records(folder.path(), "copal extract story.html --kind list --list 1").len(), 5);
    assert_eq!(run(folder.path(), "copal extract story.html --kind list --list 1").stderr, "");
}

#[test]
fn a_doubtful_list_is_written_stored_and_learned_like_any_other() {
    let folder = folder(&[("story.html", STORY.as_bytes())]);
    let titles = ["The hare gate", "The weir", "Second stile", "Long meadow", "Old quarry"];
    assert_eq!(column(folder.path(), &format!("copal extract {DOUBTFUL}"), "title"), titles);
    let stored =
        run(folder.path(), &format!("copal extract {DOUBTFUL} --url https://mill.example/ -o story.sqlite"));
    assert_eq!(stored.code, 0, "{}", stored.stderr);
    assert!(stored.stderr.starts_with(DOUBT), "{}", stored.stderr);
    let database = rusqlite::Connection::open(folder.path().join("story.sqlite")).unwrap();
    let mut statement = database.prepare("SELECT title FROM records ORDER BY rowid").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(rows.map(Result::unwrap).collect::<Vec<_>>(), titles);
    let learned = run(folder.path(), &format!("copal learn {DOUBTFUL} -o story.yaml"));
    assert_eq!(learned.code, 0, "{}", learned.stderr);
    assert!(learned.stderr.starts_with(DOUBT), "{}", learned.stderr);
    assert!(learned.stderr.contains("); copal extract --all shows 1 other\n"), "{}", learned.stderr);
    assert_eq!(column(folder.path(), "copal apply story.yaml story.html", "title"), titles);
}

#[test]
fn a_least_probability_asks_for_certainty() {
    let folder = folder(&[("story.html", STORY.as_bytes()), ("shop.html", SHOP.as_bytes())]);
    let doubtful = run(folder.path(), "copal extract story.html --kind list --min-confidence 0.9");
    assert_eq!((doubtful.code, doubtful.stdout.as_str()), (1, ""));
    assert!(doubtful.stderr.starts_with("warning: story.html: no list found\n"), "{}", doubtful.stderr);
    assert_eq!(
        run(folder.path(), "copal learn story.html --kind list --min-confidence 0.9 -o story.yaml").code,
        1
    );
    assert!(!fs::exists(folder.path().join("story.yaml")).unwrap());
    assert_eq!(records(folder.path(), "copal extract shop.html --min-confidence 0.5").len(), 4);
}

#[test]
fn columns_are_chosen_and_renamed() {
    let folder = folder(&[("shop.html", SHOP.as_bytes()), ("books.html", common::BOOKS.as_bytes())]);
    let lines = [
        ("copal extract shop.html --fields price,title --format csv", 0),
        ("copal extract shop.html --fields price,title --rename price=cost,title=name --format csv", 0),
        ("copal extract shop.html --rename title=name --format records", 0),
        ("copal extract shop.html --fields url,title", 0),
        ("copal extract shop.html books.html --fields title,year --format csv", 0),
        ("copal extract shop.html --fields title,prise", 2),
        ("copal extract shop.html --fields colour -o list.csv", 2),
        ("copal extract shop.html books.html --fields titel --format csv -q", 2),
        ("copal extract shop.html --rename title", 2),
        ("copal extract shop.html --rename title=", 2),
        ("copal learn shop.html --fields titel", 2),
    ];
    let runs: Vec<Run> = golden("columns", folder.path(), &lines.map(|(line, _)| line));
    for (run, (line, code)) in runs.iter().zip(lines) {
        style(run);
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
    }
    assert!(!fs::exists(folder.path().join("list.csv")).unwrap(), "nothing is written");
    // a wrapper's columns too
    let applied =
        "copal learn shop.html -o shop.yaml && copal apply shop.yaml shop.html --fields price --format csv";
    assert_eq!(run(folder.path(), applied).stdout, "price\n£12\n£14\n£9\n\n".replace("\n\n", "\n\"\"\n"));
}

/// The next command is obvious if the list is not the wanted one.
#[test]
fn the_table_names_the_other_lists() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let table = run(folder.path(), "copal extract shop.html");
    let advice = table.stdout.lines().find(|line| line.starts_with("other lists: ")).unwrap();
    assert_eq!(advice, "other lists: --list 2 (4 records, \"Paper lamp £5\")");
    let other = records(folder.path(), "copal extract shop.html --list 2");
    assert!(other[0].starts_with("Paper lamp"), "{other:?}");
    assert!(!run(folder.path(), "copal extract shop.html --list 2").stdout.contains("other lists"));
}

#[test]
fn missing_lists_and_contradictory_options_are_errors() {
    let folder = folder(&[("shop.html", SHOP.as_bytes())]);
    let lines = [
        ("copal extract shop.html --list 9", 1),
        ("copal extract shop.html --near 'no such lamp' --format csv", 1),
        ("copal extract shop.html --select .none --quiet", 1),
        ("copal extract shop.html --select '['", 2),
        ("copal extract shop.html --list 0", 2),
        ("copal extract shop.html --near ''", 2),
        ("copal extract shop.html --list 1 --near lamp", 2),
        ("copal extract shop.html --near lamp --select ul", 2),
        ("copal extract shop.html --list 1 --all", 2),
        ("copal extract shop.html --list 1 --kind object", 2),
        ("copal extract shop.html --near lamp --navigation", 2),
        ("copal extract shop.html --list 1 --min-confidence 0.5", 2),
        ("copal extract shop.html --min-confidence 2", 2),
        ("copal extract shop.html --field price", 2),
        ("copal extract shop.html --field price=[", 2),
        ("copal learn shop.html --list 1 --select ul", 2),
        ("copal learn shop.html --method deuds", 2),
    ];
    let runs: Vec<Run> = golden("choice", folder.path(), &lines.map(|(line, _)| line));
    for (run, (line, code)) in runs.iter().zip(lines) {
        style(run);
        assert_eq!(run.code, code, "{line}: {}", run.stderr);
    }
}
