//! Names of two columns of one type that only their values tell apart.
//!
//! In: finished columns with their values. Out: better names: of two prices, the higher one of every record is
//! the old price; of two dates next to each other, the earlier one of every record is the start; a second number
//! in a rating that is too large for one counts the reviews. Names that the page itself gives are not changed.
//! O(cells).

use super::column_names::NamedColumn;
use super::column_values::ColumnValues;
use super::leftover_columns::FinishedColumn;
use copal_model::NamedBy;
use copal_values::{Value, ValueType};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Fewer records with both values do not show an order.
const MIN_PAIRED_RECORDS: usize = 2;
/// The same where one of several prices may be the old one: some pair of three has an order by chance.
const MIN_PAIRED_OF_SEVERAL: usize = 4;
/// How far apart start and end may be within a record.
const MAX_PAIR_DISTANCE: f64 = 1.5;
/// Ratings are out of five, ten or a hundred.
const MAX_RATING: f64 = 100.0;
/// Words of prices that hold unless there is a lower one.
const LIST_PRICE_WORDS: &[&str] =
    &["list", "msrp", "normal", "original", "regular", "retail", "rrp", "usual"];

/// Renames pairs of prices and dates; see the module.
pub(super) fn name_value_pairs(columns: &mut [FinishedColumn], values: &[ColumnValues]) {
    name_price_pair(columns, values);
    name_date_pair(columns, values);
    name_rating_count(columns, values);
}

fn is_free(named: &NamedColumn) -> bool {
    matches!(named.by, NamedBy::ValueType | NamedBy::Position)
        || named.base.is_some()
        || matches!(named.name.as_str(), "amount" | "price") && named.by == NamedBy::Class
}

fn name_price_pair(columns: &mut [FinishedColumn], values: &[ColumnValues]) {
    let money: Vec<usize> =
        (0..columns.len()).filter(|&c| columns[c].value_type == Some(ValueType::Money)).collect();
    if money.len() < 2 || columns.iter().any(|column| column.named.name == "old_price") {
        return;
    }
    let last_word = |c: usize| columns[c].named.name.rsplit('_').next().unwrap_or_default().to_owned();
    let Some(&price) = money.iter().find(|&&c| columns[c].named.name == "price" || last_word(c) == "price")
    else {
        return;
    };
    let min_records = if money.len() == 2 { MIN_PAIRED_RECORDS } else { MIN_PAIRED_OF_SEVERAL };
    for &other in money.iter().filter(|&&c| c != price) {
        let is_list_price = |named: &NamedColumn| {
            named.name.strip_suffix("_price").is_some_and(|word| LIST_PRICE_WORDS.contains(&word))
        };
        let order = common_order(columns, values, (price, other), min_records);
        let (old, new) = match order {
            Some(Ordering::Less) => (other, price),
            Some(Ordering::Greater) => (price, other),
            _ => continue,
        };
        let may_be_old = is_free(&columns[old].named) || is_list_price(&columns[old].named);
        if !may_be_old || !is_free(&columns[new].named) && old == price && !is_list_price(&columns[old].named)
        {
            continue;
        }
        rename(columns, old, "old_price", "it is higher than the price in every record");
        if is_free(&columns[new].named) {
            rename(columns, new, "price", "the lower one of two prices");
        }
        return;
    }
}

fn name_date_pair(columns: &mut [FinishedColumn], values: &[ColumnValues]) {
    let is_date = |c: &usize| {
        columns[*c].value_type == Some(ValueType::Date)
            && matches!(columns[*c].named.name.as_str(), "date" | "date_2" | "time" | "time_2")
            && is_free(&columns[*c].named)
    };
    let dates: Vec<usize> = (0..columns.len()).filter(is_date).collect();
    for pair in dates.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let kind = columns[start].named.name.trim_end_matches("_2").to_owned();
        let apart = columns[end].draft.mean_position() - columns[start].draft.mean_position();
        if apart > 0.0
            && apart <= MAX_PAIR_DISTANCE
            && columns[end].named.base.as_deref() == Some(kind.as_str())
            && common_order(columns, values, (start, end), MIN_PAIRED_RECORDS) == Some(Ordering::Less)
        {
            let reason = "the earlier one of two dates next to each other";
            rename(columns, start, &format!("start_{kind}"), reason);
            rename(columns, end, &format!("end_{kind}"), "the later one of two dates next to each other");
            return;
        }
    }
}

/// A second number in the element of a rating that is too large for one counts the reviews.
fn name_rating_count(columns: &mut [FinishedColumn], values: &[ColumnValues]) {
    let is_large = |value: &Value| match value {
        Value::Number { value, unit: None, .. } => value.parse::<f64>().is_ok_and(|n| n > MAX_RATING),
        _ => false,
    };
    let counts = (0..columns.len()).find(|&c| {
        let class = columns[c].named.class.as_deref().unwrap_or_default().to_ascii_lowercase();
        (columns[c].named.base.as_deref() == Some("rating") || class.contains("rating"))
            && is_free(&columns[c].named)
            && columns[c].value_type == Some(ValueType::Number)
            && values[c].values.iter().flatten().any(is_large)
    });
    if let Some(c) = counts.filter(|_| columns.iter().all(|column| column.named.name != "reviews")) {
        rename(columns, c, "reviews", "whole numbers next to a rating, too large for one");
    }
}

/// Gives a name, if no other column has it.
fn rename(columns: &mut [FinishedColumn], c: usize, name: &str, reason: &str) {
    if columns.iter().enumerate().any(|(at, column)| at != c && column.named.name == name) {
        return;
    }
    let named = &mut columns[c].named;
    name.clone_into(&mut named.name);
    reason.clone_into(&mut named.reason);
    named.by = NamedBy::ValueType;
    named.base = None;
}

/// How the values of column `a` compare with those of `b` in the records that have both, if it is the same in
/// nearly all of them, apart from equal values, and in at least `min_records`.
fn common_order(
    columns: &[FinishedColumn],
    values: &[ColumnValues],
    (a, b): (usize, usize),
    min_records: usize,
) -> Option<Ordering> {
    let keys = |c: usize| -> FxHashMap<usize, &Value> {
        let cells = columns[c].draft.cells.iter().zip(&values[c].values);
        cells.filter_map(|(cell, value)| Some((cell.record, value.as_ref()?))).collect()
    };
    let (left, right) = (keys(a), keys(b));
    let (mut less, mut greater) = (0, 0);
    for (record, value) in &left {
        match right.get(record).and_then(|other| compare(value, other)) {
            Some(Ordering::Less) => less += 1,
            Some(Ordering::Greater) => greater += 1,
            _ => {}
        }
    }
    let nearly_all = |count: usize| count >= min_records && 10 * count >= 9 * (less + greater);
    match (nearly_all(less), nearly_all(greater)) {
        (true, _) => Some(Ordering::Less),
        (_, true) => Some(Ordering::Greater),
        _ => None,
    }
}

fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Money { amount: a, per: None, .. }, Value::Money { amount: b, per: None, .. }) => {
            a.parse::<f64>().ok()?.partial_cmp(&b.parse::<f64>().ok()?)
        }
        // ISO texts of the same length are ordered like their dates
        (Value::Date(a), Value::Date(b)) if a.len() == b.len() => Some(a.cmp(b)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};

    fn names(item: impl Fn(usize) -> String) -> Vec<String> {
        let items: String = (1..=8).map(|n| format!("<li>{}</li>", item(n))).collect();
        let page = Page::from_text(&format!("<body><ul>{items}</ul>"), &Limits::default());
        let answer = extract(&page, &Request::default());
        let list = answer.primary().expect("a list");
        list.columns.iter().map(|column| column.name.clone()).collect()
    }

    #[test]
    fn the_higher_price_is_the_old_one() {
        let found = names(|n| {
            format!("<h3><a href=/lamp{n}>Lamp number {n}</a></h3><p>£{n}9.00</p><div>£{n}5.00</div>")
        });
        assert_eq!(found, ["url", "title", "old_price", "price"]);
    }

    #[test]
    fn large_numbers_in_a_rating_count_reviews() {
        let found = names(|n| {
            format!(
                "<h3><a href=/lamp{n}>Lamp number {n}</a></h3><p class=rating>{n} out of 10 stars</p>\
                 <div class=rating>( {n}17 )</div>"
            )
        });
        assert_eq!(found, ["url", "title", "rating", "reviews"]);
    }

    #[test]
    fn the_later_date_is_the_end() {
        let found = names(|n| {
            format!(
                "<h3><a href=/show{n}>Show number {n}</a></h3><p>{n} May 2020</p><div>{n} June 2020</div>"
            )
        });
        assert_eq!(found, ["url", "title", "start_date", "end_date"]);
    }
}
