//! Columns that few records have: tables and CSV leave them out unless they are asked for.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use copal_model::{
    Answer, Cell, CellSource, Column, Layout, Method, NamedBy, Origin, PageKind, Record, Region, RegionPlace,
    Role,
};
use copal_output::{Csv, Format, TextTable, page_value};

/// A list of twenty lamps. One has a badge and one has an offer, whose column has a header.
fn answer(url: &str) -> Answer {
    let column = |name: &str, named_by: NamedBy, support: f64| Column {
        support,
        ..Column::new(name, named_by, CellSource::Text)
    };
    let cell = |text: String, is_there: bool| if is_there { Cell::found([text]) } else { Cell::default() };
    let record = |n: usize| Record {
        cells: vec![
            cell(format!("{url} lamp {n}"), true),
            cell("new".to_owned(), n == 3),
            cell("-10%".to_owned(), n == 4),
        ],
        ..Record::default()
    };
    let list = Region {
        role: Role::Primary,
        layout: Layout::List,
        method: Method::Combined,
        origin: Origin::Page,
        score: 1.0,
        confidence: None,
        place: RegionPlace::Unknown,
        columns: vec![
            column("title", NamedBy::Role, 1.0),
            column("badge", NamedBy::Class, 0.05),
            column("offer", NamedBy::Header, 0.05),
        ],
        records: (0..20).map(record).collect(),
        sections: Vec::new(),
    };
    Answer { kind: PageKind::List, regions: vec![list], ..Answer::default() }
}

fn written(format: &mut dyn Format, answers: &[Answer]) -> String {
    let mut out = Vec::new();
    for answer in answers {
        format.page(&mut out, "lamps.html", answer).unwrap();
    }
    format.finish(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn csv(leave_out_rare: bool) -> Csv {
    let mut csv = Csv::new();
    csv.leave_out_rare = leave_out_rare;
    csv
}

#[test]
fn csv_leaves_them_out_if_told_to() {
    let text = written(&mut csv(true), &[answer("a")]);
    assert_eq!(text.lines().next(), Some("title,offer"));
    assert_eq!(text.lines().nth(5), Some("a lamp 4,-10%"));
    let text = written(&mut csv(false), &[answer("a")]);
    assert_eq!(text.lines().next(), Some("title,badge,offer"));
    assert_eq!(text.lines().nth(4), Some("a lamp 3,new,"));
}

#[test]
fn csv_keeps_a_column_that_another_page_has_often() {
    let mut often = answer("b");
    often.regions[0].columns[1].support = 0.5;
    let text = written(&mut csv(true), &[answer("a"), often]);
    assert_eq!(text.lines().next(), Some("title,badge,offer"));
    assert_eq!(text.lines().nth(4), Some("a lamp 3,new,"));
}

#[test]
fn appended_rows_fill_the_columns_of_the_file() {
    let folder = std::env::temp_dir().join(format!("copal-rare-columns-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("lamps.csv");
    std::fs::write(&path, "badge,title\nold,first lamp\n").unwrap();
    let mut csv = csv(true);
    csv.append_to = Some(path);
    let text = written(&mut csv, &[answer("a")]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(text.lines().next(), Some("badge,title,offer"));
    assert_eq!(text.lines().nth(5), Some("new,a lamp 3,"));
}

#[test]
fn tables_say_what_they_leave_out() {
    let table = |all_columns: bool| {
        written(
            &mut TextTable { width: Some(100), headings: false, all_columns, max_rows: None, wide: false },
            &[answer("a")],
        )
    };
    let short = table(false);
    assert!(short.contains("offer") && !short.contains("badge"), "{short}");
    assert!(short.contains("20 records, 2 of 3 columns (--all-columns shows 1 rare column)"), "{short}");
    let long = table(true);
    assert!(long.contains("badge") && long.contains("20 records, 3 columns"), "{long}");
}

#[test]
fn a_table_of_rare_columns_only_is_shown() {
    let mut answer = answer("a");
    for column in &mut answer.regions[0].columns {
        (column.named_by, column.support) = (NamedBy::Class, 0.05);
    }
    let text = written(
        &mut TextTable { width: Some(100), headings: false, all_columns: false, max_rows: None, wide: false },
        &[answer],
    );
    assert!(text.contains("badge"), "{text}");
}

#[test]
fn json_has_all_columns() {
    let json = page_value("lamps.html", &answer("a"));
    let names: Vec<&str> = json["regions"][0]["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["title", "badge", "offer"]);
}
