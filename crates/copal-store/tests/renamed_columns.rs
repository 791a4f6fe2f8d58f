//! A column that a later run gives another name is stored in the column that it had.

#![cfg(feature = "sqlite")]
#![allow(clippy::unwrap_used)]

mod support;

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Request, extract};
use support::{Case, SITE};

/// A table page: one header row, then one row of texts per record. The first column is a link.
fn table(header: &[&str], rows: &[Vec<String>]) -> Answer {
    let head: String = header.iter().map(|name| format!("<th>{name}</th>")).collect();
    let row = |cells: &Vec<String>| {
        let link = format!("<td><a href='/{0}'>{0}</a></td>", cells[0]);
        let rest: String = cells[1..].iter().map(|text| format!("<td>{text}</td>")).collect();
        format!("<tr>{link}{rest}</tr>")
    };
    let rows: String = rows.iter().map(row).collect();
    let html = format!("<table><tr>{head}</tr>{rows}</table>");
    let mut page = Page::from_text(&html, &Limits::default());
    page.url = Some(SITE.to_owned());
    extract(&page, &Request::default())
}

/// Rows of an item, a price (£10, £11 …), a weight (100 g, 110 g …) and one of two words.
fn items(count: usize) -> Vec<Vec<String>> {
    let row = |n: usize| {
        let stock = if n.is_multiple_of(3) { "no" } else { "yes" };
        vec![format!("item{n}"), format!("£{}.50", 10 + n), format!("{} g", 100 + 10 * n), stock.to_owned()]
    };
    (0..count).map(row).collect()
}

fn column_names(case: &Case) -> Vec<String> {
    case.rows("SELECT column_name FROM copal_columns WHERE part = '' AND shown <> 'item' ORDER BY position")
        .into_iter()
        .filter(|name| !name.starts_with("url"))
        .collect()
}

const HEADER: [&str; 4] = ["item", "price", "weight", "stock"];

#[test]
fn a_renamed_column_uses_the_stored_one_and_the_run_says_so() {
    let case = Case::new();
    let rows = items(8);
    assert_eq!(case.run(&[("a", &table(&HEADER, &rows))]).aliases, []);
    let columns = column_names(&case);
    assert_eq!(columns, ["price", "weight", "stock"]);

    let renamed = ["item", "cost", "weight", "stock"];
    let done = case.run(&[("a", &table(&renamed, &rows))]);
    assert_eq!((done.new, done.changed), (0, 0));
    let messages: Vec<String> = done.aliases.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        ["column \"cost\" is stored as \"price\" in table records: it is the same column under a new name"]
    );
    assert_eq!(column_names(&case), columns);
    assert_eq!(case.rows("SELECT count(*) FROM history"), ["0"]);
    assert_eq!(case.rows("SELECT name, stored_as, run FROM copal_aliases"), ["cost|price|2"]);

    // Later pages need no evidence: these records are new, and most prices of the old ones have changed.
    let mut later = items(12);
    later.iter_mut().take(8).for_each(|row| row[1] = "£99.00".to_owned());
    let done = case.run(&[("a", &table(&renamed, &later[4..]))]);
    assert_eq!((done.new, done.changed, done.aliases.len()), (4, 4, 1));
    assert_eq!(column_names(&case), columns);
    assert_eq!(case.rows("SELECT price_amount FROM records WHERE item = 'item5'"), ["99.0"]);

    // The old name still means the old column.
    let done = case.run(&[("a", &table(&HEADER, &later[4..]))]);
    assert_eq!((done.changed, done.aliases.len()), (0, 0));
}

#[test]
fn some_values_may_change_while_the_column_is_renamed() {
    let case = Case::new();
    let mut rows = items(10);
    case.run(&[("a", &table(&HEADER, &rows))]);
    (rows[1][1], rows[6][1]) = ("£1.00".to_owned(), "£2.00".to_owned());
    let done = case.run(&[("a", &table(&["item", "cost", "weight", "stock"], &rows))]);
    assert_eq!((done.changed, done.aliases.len()), (2, 1));
    rows.iter_mut().take(5).for_each(|row| row[1] = "£7.00".to_owned());
    let done = case.run(&[("a", &table(&["item", "amount", "weight", "stock"], &rows))]);
    assert_eq!(done.aliases, [], "half of the values differ");
}

#[test]
fn a_new_column_is_added_even_if_another_one_is_missing() {
    let case = Case::new();
    let mut rows = items(8);
    case.run(&[("a", &table(&HEADER, &rows))]);
    rows.iter_mut().enumerate().for_each(|(n, row)| row[1] = format!("{} reviews", 3 + 7 * n));
    let done = case.run(&[("a", &table(&["item", "reviews", "weight", "stock"], &rows))]);
    assert_eq!(done.aliases, []);
    assert_eq!(column_names(&case), ["price", "weight", "stock", "reviews"]);
}

#[test]
fn two_distinct_words_are_not_evidence() {
    let case = Case::new();
    let rows = items(8);
    case.run(&[("a", &table(&HEADER, &rows))]);
    let done = case.run(&[("a", &table(&["item", "price", "weight", "delivery"], &rows))]);
    assert_eq!(done.aliases, [], "all cells say yes or no");
}

#[test]
fn too_few_records_are_not_evidence() {
    let case = Case::new();
    let rows = items(4);
    case.run(&[("a", &table(&HEADER, &rows))]);
    let done = case.run(&[("a", &table(&["item", "cost", "weight", "stock"], &rows))]);
    assert_eq!(done.aliases, []);
    assert_eq!(column_names(&case), ["price", "weight", "stock", "cost"]);
}

#[test]
fn other_records_are_not_evidence() {
    let case = Case::new();
    let rows = items(16);
    case.run(&[("a", &table(&HEADER, &rows[..8]))]);
    let done = case.run(&[("a", &table(&["item", "cost", "weight", "stock"], &rows[8..]))]);
    assert_eq!((done.new, done.aliases.len()), (8, 0));
}

#[test]
fn names_that_swap_their_columns_are_changes_of_values() {
    let case = Case::new();
    let rows = items(8);
    case.run(&[("a", &table(&HEADER, &rows))]);
    let swapped: Vec<Vec<String>> =
        rows.iter().map(|row| vec![row[0].clone(), row[2].clone(), row[1].clone(), row[3].clone()]).collect();
    let done = case.run(&[("a", &table(&HEADER, &swapped))]);
    assert_eq!((done.changed, done.aliases.len()), (8, 0));
}

#[test]
fn two_columns_renamed_at_once_are_matched_by_their_cells() {
    let case = Case::new();
    let rows = items(8);
    case.run(&[("a", &table(&HEADER, &rows))]);
    // The columns also change places, so that only the cells can tell which is which.
    let moved: Vec<Vec<String>> =
        rows.iter().map(|row| vec![row[0].clone(), row[2].clone(), row[1].clone(), row[3].clone()]).collect();
    let done = case.run(&[("a", &table(&["item", "mass", "cost", "stock"], &moved))]);
    let aliases: Vec<(&str, &str)> =
        done.aliases.iter().map(|alias| (alias.name.as_str(), alias.stored_as.as_str())).collect();
    assert_eq!(aliases, [("mass", "weight"), ("cost", "price")]);
    assert_eq!(done.changed, 0);
    assert_eq!(column_names(&case), ["price", "weight", "stock"]);
}

#[test]
fn a_name_gets_its_own_column_when_both_are_on_the_page() {
    let case = Case::new();
    let rows = items(8);
    case.run(&[("a", &table(&HEADER, &rows))]);
    case.run(&[("a", &table(&["item", "cost", "weight", "stock"], &rows))]);
    let both: Vec<Vec<String>> = rows
        .iter()
        .enumerate()
        .map(|(n, row)| vec![row[0].clone(), row[1].clone(), row[2].clone(), format!("£{n}.25")])
        .collect();
    let done = case.run(&[("a", &table(&["item", "price", "weight", "cost"], &both))]);
    assert_eq!(done.aliases, []);
    assert_eq!(column_names(&case), ["price", "weight", "stock", "cost"]);
    assert_eq!(case.rows("SELECT price, cost FROM records WHERE item = 'item2'"), ["£12.50|£2.25"]);
}
