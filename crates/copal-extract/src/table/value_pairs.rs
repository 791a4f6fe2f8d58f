//! Names of two columns of one type that only their values tell apart.
//!
//! In: finished columns with their values. Out: better names: of two prices, the higher one of every record is
//! the old price; of two dates next to each other, the earlier one of every record is the start. Names that the
//! page itself gives are not changed. O(cells).

use super::column_names::NamedColumn;
use super::column_values::ColumnValues;
use super::leftover_columns::FinishedColumn;
use copal_model::NamedBy;
use copal_values::{Value, ValueType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// Fewer records with both values do not show an order.
const MIN_PAIRED_RECORDS: usize = 2;
/// How far apart start and end may be within a record.
const MAX_PAIR_DISTANCE: f64 = 1.5;
/// Words of prices that hold unless there is a lower one.
const LIST_PRICE_WORDS: &[&str] = &["list", "msrp", "normal", "original", "regular", "retail", "rrp", "usual"];

/// Renames pairs of prices and dates; see the module.
pub(super) fn name_value_pairs(columns: &mut [FinishedColumn], values: &[ColumnValues]) {
    name_price_pair(columns, values);
    name_date_pair(columns, values);
}

fn is_free(named: &NamedColumn) -> bool {
    matches!(named.by, NamedBy::ValueType | NamedBy::Position) || named.base.is_some()
}

fn name_price_pair(columns: &mut [FinishedColumn], values: &[ColumnValues]) {
    let money: Vec<usize> =
        (0..columns.len()).filter(|&c| columns[c].value_type == Some(ValueType::Money)).collect();
    if money.len() < 2 || columns.iter().any(|column| column.named.name == "old_price") {
        return;
    }
    let last_word = |c: usize| columns[c].named.name.rsplit('_').next().unwrap_or_default().to_owned();
    let Some(&price) = money.iter().find(|&&c| columns[c].named.name == "price" || last_word(c) == "price") else {
        return;
    };
    for &other in money.iter().filter(|&&c| c != price) {
        let is_list_price = |named: &NamedColumn| {
            named.name.strip_suffix("_price").is_some_and(|word| LIST_PRICE_WORDS.contains(&word))
        };
        let order = common_order(columns, values, price, other);
        let (old, new) = match order {
            Some(Ordering::Less) => (other, price),
            Some(Ordering::Greater) => (price, other),
            _ => continue,
        };
        let may_be_old = is_free(&columns[old].named) || is_list_price(&columns[old].named);
        if !may_be_old || !is_free(&columns[new].named) && old == price && !is_list_price(&columns[old].named) {
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
            && common_order(columns, values, start, end) == Some(Ordering::Less)
        {
            let reason = "the earlier one of two dates next to each other";
            rename(columns, start, &format!("start_{kind}"), reason);
            rename(columns, end, &format!("end_{kind}"), "the later one of two dates next to each other");
            return;
        }
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

/// How the values of `a` compare with those of `b` in the records that have both, if it is the same in all of
/// them, apart from equal values.
fn common_order(columns: &[FinishedColumn], values: &[ColumnValues], a: usize, b: usize) -> Option<Ordering> {
    let keys = |c: usize| -> FxHashMap<usize, &Value> {
        let cells = columns[c].draft.cells.iter().zip(&values[c].values);
        cells.filter_map(|(cell, value)| Some((cell.record, value.as_ref()?))).collect()
    };
    let (left, right) = (keys(a), keys(b));
    let mut found: FxHashSet<Ordering> = FxHashSet::default();
    let mut paired = 0;
    for (record, value) in &left {
        if let Some(order) = right.get(record).and_then(|other| compare(value, other)) {
            paired += 1;
            found.insert(order);
        }
    }
    found.remove(&Ordering::Equal);
    let only = found.iter().next().copied().filter(|_| found.len() == 1);
    only.filter(|_| paired >= MIN_PAIRED_RECORDS)
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
    fn the_later_date_is_the_end() {
        let found = names(|n| {
            format!("<h3><a href=/show{n}>Show number {n}</a></h3><p>{n} May 2020</p><div>{n} June 2020</div>")
        });
        assert_eq!(found, ["url", "title", "start_date", "end_date"]);
    }
}
