//! Tables and terms: headers of several levels, cells that span rows, fields that are named inside the
//! record.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Method, Region, Request, extract};

fn list(html: &str) -> Region {
    let page = Page::from_text(html, &Limits::default());
    let mut options = Request::default();
    options.lists.method = Method::Buw;
    extract(&page, &options).regions.into_iter().next().unwrap()
}

fn column(region: &Region, name: &str) -> Vec<String> {
    let names = names(region);
    let at =
        names.iter().position(|&known| known == name).unwrap_or_else(|| panic!("no {name} in {names:?}"));
    region.records.iter().map(|record| record.cells[at].join(" + ")).collect()
}

fn names(region: &Region) -> Vec<&str> {
    region.columns.iter().map(|column| column.name.as_str()).collect()
}

/// Rows of plain cells.
fn rows(rows: &[&[&str]]) -> String {
    let row = |cells: &&[&str]| {
        format!("<tr>{}</tr>", cells.iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>())
    };
    rows.iter().map(row).collect()
}

const TREES: &[&[&str]] = &[
    &["Oak", "12 m", "3 m", "900"],
    &["Elm", "9 m", "2 m", "400"],
    &["Fir", "31 m", "5 m", "120"],
    &["Ash", "15 m", "4 m", "310"],
];

#[test]
fn the_lower_of_two_headers_names_a_column() {
    let head = "<thead><tr><th rowspan=2>Tree</th><th colspan=2>Size</th><th rowspan=2>Age</th></tr><tr><th>Height</th><th>Width</th></tr></thead>";
    let region = list(&format!("<table>{head}<tbody>{}</tbody></table>", rows(TREES)));
    assert_eq!(names(&region), ["tree", "height", "width", "age"]);
    assert!(region.columns.iter().all(|column| column.named_by.name() == "header"));
}

#[test]
fn the_upper_header_distinguishes_equal_lower_ones() {
    let head = "<tr><th rowspan=2>Tree</th><th>North</th><th>South</th><th rowspan=2>Age</th></tr><tr><th>Height</th><th>Height</th></tr>";
    let region = list(&format!("<table>{head}{}</table>", rows(TREES)));
    assert_eq!(names(&region), ["tree", "north_height", "south_height", "age"]);
}

#[test]
fn a_header_over_two_columns_names_both() {
    let head = "<thead><tr><th>Tree</th><th colspan=2>Size</th><th>Age</th></tr></thead>";
    let region = list(&format!("<table>{head}<tbody>{}</tbody></table>", rows(TREES)));
    assert_eq!(names(&region), ["tree", "size", "size_2", "age"]);
}

#[test]
fn headers_repeated_between_rows_still_name_columns() {
    let head = "<tr><th>Tree</th><th>Height</th><th>Width</th><th>Age</th></tr>";
    let region = list(&format!("<table>{head}{}{head}{}</table>", rows(&TREES[..2]), rows(&TREES[2..])));
    assert_eq!(names(&region)[..4], ["tree", "height", "width", "age"]);
    assert!(column(&region, "tree").contains(&"Fir".to_owned()));
}

#[test]
fn a_cell_that_spans_rows_is_a_value_of_each() {
    let html = "<table><thead><tr><th>Wood</th><th>Tree</th><th>Land</th><th>Age</th></tr></thead><tbody>
        <tr><td rowspan=2>Old wood</td><td>Oak tree</td><td rowspan=3>Hills</td><td>900</td></tr>
        <tr><td>Elm tree</td><td>400</td></tr>
        <tr><td>New wood</td><td>Fir tree</td><td>120</td></tr>
        <tr><td rowspan=0>Last wood</td><td>Ash tree</td><td>Lakes</td><td>310</td></tr>
        <tr><td>Box tree</td><td>Rivers</td><td>50</td></tr></tbody></table>";
    let region = list(html);
    assert_eq!(names(&region), ["wood", "tree", "land", "age"]);
    assert_eq!(column(&region, "wood"), ["Old wood", "Old wood", "New wood", "Last wood", "Last wood"]);
    assert_eq!(column(&region, "tree"), ["Oak tree", "Elm tree", "Fir tree", "Ash tree", "Box tree"]);
    assert_eq!(column(&region, "land"), ["Hills", "Hills", "Hills", "Lakes", "Rivers"]);
    assert_eq!(column(&region, "age"), ["900", "400", "120", "310", "50"]);
}

#[test]
fn cells_after_a_wide_cell_stay_in_their_columns() {
    let head = "<thead><tr><th>Tree</th><th>Height</th><th>Width</th><th>Age</th></tr></thead>";
    let wide = "<tr><td>Yew</td><td colspan=2>unknown</td><td>70</td></tr>";
    let region = list(&format!("<table>{head}<tbody>{}{wide}</tbody></table>", rows(TREES)));
    assert_eq!(column(&region, "age"), ["900", "400", "120", "310", "70"]);
    assert_eq!(column(&region, "height")[4], "unknown");
}

#[test]
fn the_header_of_a_row_is_its_title() {
    let row = |name: &str, town: &str| {
        format!("<tr><td>{town} city</td><th scope=row>{name}</th><td>in the {name} house</td></tr>")
    };
    let rows = [row("Ann Lee", "Leeds"), row("Bo Ek", "York"), row("Cy Day", "Hull"), row("Di Orr", "Bath")];
    let region = list(&format!("<table>{}</table>", rows.concat()));
    assert_eq!(column(&region, "title"), ["Ann Lee", "Bo Ek", "Cy Day", "Di Orr"]);
}

/// Records with fields, some of which are missing in some records.
fn fields(field: impl Fn(&str, &str) -> String, open: &str, close: &str) -> Region {
    let car = |name: &str, facts: &[(&str, &str)]| {
        let facts: String = facts.iter().map(|(term, value)| field(term, value)).collect();
        // different paths, so that the list consists of the records and not of the rows inside them
        let more: String = (1..8).map(|i| format!("<h{i}>{name} car</h{i}>")).collect();
        format!("<div class=car>{more}{open}{facts}{close}</div>")
    };
    let html = [
        car("Blue", &[("Make:", "Oak"), ("Colour:", "navy"), ("Doors:", "5")]),
        car("Red", &[("Colour:", "ruby"), ("Doors:", "3")]),
        car("Green", &[("Doors:", "4"), ("Make:", "Elm")]),
        car("Old", &[("Make:", "Fir"), ("Colour:", "rust"), ("Doors:", "2")]),
    ];
    list(&html.concat())
}

fn assert_fields(region: &Region) {
    assert_eq!(column(region, "make"), ["Oak", "", "Elm", "Fir"]);
    assert_eq!(column(region, "colour"), ["navy", "ruby", "", "rust"]);
    assert_eq!(column(region, "doors"), ["5", "3", "4", "2"]);
    assert_eq!(region.columns.len(), 4, "{:?}", names(region));
}

#[test]
fn fields_are_aligned_by_their_terms() {
    assert_fields(&fields(|term, value| format!("<dt>{term}</dt><dd>{value}</dd>"), "<dl>", "</dl>"));
}

#[test]
fn rows_inside_a_record_are_named_by_their_headers() {
    let row = |term: &str, value: &str| format!("<tr><th scope=row>{term}</th><td>{value}</td></tr>");
    assert_fields(&fields(row, "<table>", "</table>"));
}

#[test]
fn terms_that_differ_between_records_are_values() {
    let said = |name: &str, words: &str| {
        format!("<div class=said><dl><dt>{name}</dt><dd>{words} is what I think</dd></dl></div>")
    };
    let html = [said("Ann", "Good"), said("Bo", "Bad"), said("Cy", "Nothing"), said("Di", "Much")];
    let region = list(&html.concat());
    assert!(region.records[1].cells.iter().any(|cell| *cell == ["Bo"]), "{:?}", region.records[1].cells);
}

#[test]
fn cells_with_huge_spans_are_not_multiplied() {
    let cells = "<td rowspan=60000>far</td>".repeat(200);
    let rows: String = (0..20_000).map(|i| format!("<tr><td>Tree {i}</td><td>{i} m</td></tr>")).collect();
    let region = list(&format!("<table><tbody><tr>{cells}</tr>{rows}</tbody></table>"));
    let cells: usize = region.records.iter().map(|record| record.cell_texts().count()).sum();
    assert!(cells < 200_000, "{cells}");
}
