//! Records of a list and the pages of their own, as objects.
//!
//! In: a list, and for some of its records the [`Detail`] of the page that the record's link leads to. Out: the same list with
//! the fields of these pages as further columns. A field of a name the list has too is left out where it says what the list
//! says, and stands beside it as `detail_…` where it does not. O(fields).

use crate::columns::names;
use crate::detail::{Detail, Field};
use crate::model::{CellSource, Column, NamedBy, Record, Region};
use rustc_hash::{FxHashMap, FxHashSet};

/// The column with the link to each record's own page: the record's link if that tells them apart, else the link that does
/// best.
pub fn link_column(list: &Region) -> Option<usize> {
    link_column_of(list, |link| link.starts_with("http"))
}

/// The same for links without a host, in pages whose own address is not known.
pub fn relative_link_column(list: &Region) -> Option<usize> {
    link_column_of(list, |link| !link.contains(':') && !link.starts_with('#'))
}

fn link_column_of(list: &Region, is_one: impl Fn(&str) -> bool) -> Option<usize> {
    let distinct = |c: usize| {
        let links = list.records.iter().filter_map(|record| record.cells[c].first());
        links.filter(|link| is_one(link)).collect::<FxHashSet<_>>().len()
    };
    let columns = (0..list.columns.len())
        .filter(|&c| matches!(list.columns[c].source, CellSource::Href | CellSource::Embedded));
    let named = |c: &usize| list.columns[*c].name == "url";
    let best = columns.map(|c| (distinct(c), c)).filter(|(count, _)| *count > 0);
    let best: Vec<(usize, usize)> = best.collect();
    let own = best.iter().find(|(count, c)| named(c) && 2 * count >= list.records.len());
    own.or_else(|| best.iter().rev().max_by_key(|(count, _)| *count)).map(|(_, c)| *c)
}

/// Adds the fields of pages to the records they belong to; `details` has the record's place in the list and its page. Gives how
/// many columns that made.
pub fn join(list: &mut Region, details: &[(usize, &Detail)]) -> usize {
    let own: FxHashMap<String, usize> =
        list.columns.iter().enumerate().map(|(c, column)| (column.name.clone(), c)).collect();
    let mut order: Vec<&str> = Vec::new();
    let mut fields: FxHashMap<&str, Vec<(usize, &Field)>> = FxHashMap::default();
    for (record, detail) in details {
        for field in detail.fields.iter().filter(|field| !field.texts.is_empty()) {
            let places = fields.entry(&field.name).or_insert_with(|| {
                order.push(&field.name);
                Vec::new()
            });
            places.push((*record, field));
        }
    }
    let first = list.columns.len();
    for name in order {
        let places = &fields[name];
        let name = match own.get(name) {
            None => name.to_owned(),
            Some(&c) if places.iter().all(|(record, field)| says(&list.records[*record], c, field)) => {
                continue;
            }
            Some(_) => format!("detail_{name}"),
        };
        add(list, name, places);
    }
    let given = list.columns.iter().map(|column| Some((column.name.clone(), column.named_by))).collect();
    for (column, (name, _)) in list.columns.iter_mut().zip(names::unique(given)) {
        column.name = name;
    }
    list.columns.len() - first
}

/// True if the record's cell says what the field says.
fn says(record: &Record, column: usize, field: &Field) -> bool {
    let plain = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let cell: Vec<String> = record.cells[column].iter().map(plain).collect();
    field.texts.iter().all(|text| cell.contains(&plain(text)))
}

fn add(list: &mut Region, name: String, places: &[(usize, &Field)]) {
    let (records, at) = (list.records.len().max(1), list.columns.len());
    list.columns.push(Column {
        name,
        named_by: NamedBy::Label,
        source: CellSource::Detail,
        kind: None,
        support: places.len() as f64 / records as f64,
        confidence: None,
    });
    for record in &mut list.records {
        record.cells.push(Vec::new());
        if !record.inferred.is_empty() {
            record.inferred.push(false);
        }
        if !record.sure.is_empty() {
            record.sure.push(None);
        }
    }
    for (record, field) in places {
        let record = &mut list.records[*record];
        record.cells[at].clone_from(&field.texts);
        if let Some(value) = &field.value {
            record.values.resize(at + 1, None);
            record.values[at] = Some(value.clone());
        }
    }
    for record in list.records.iter_mut().filter(|record| !record.values.is_empty()) {
        record.values.resize(at + 1, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detail::{self, DetailOptions};
    use crate::extract::{Options, extract};
    use copal_dom::{Limits, Page};

    fn list() -> Region {
        let items: String = (1..=4)
            .map(|n| format!("<li><a href='/b/{n}'>Volume {n}</a> <span class=price>£{n}.00</span><a href='/cart'>Buy</a></li>"))
            .collect();
        let mut page = Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default());
        page.url = Some("https://books.example/".to_owned());
        extract(&page, &Options::default()).regions.remove(0)
    }

    fn own_page(n: usize, price: &str) -> Page {
        let html = format!(
            "<title>Volume {n}</title><h1>Volume {n}</h1><p>Price: {price}</p><p>ISBN: 978014143954{n}</p><p>Pages: {}</p>",
            100 + n
        );
        Page::from_text(&html, &Limits::default())
    }

    #[test]
    fn the_link_that_tells_records_apart_leads_to_their_pages() {
        let list = list();
        assert_eq!(list.columns[link_column(&list).unwrap()].name, "url");
    }

    #[test]
    fn fields_of_own_pages_become_columns() {
        let mut list = list();
        let pages = [own_page(1, "£1.00"), own_page(3, "£3.50")];
        let details = detail::read(&pages.each_ref(), &DetailOptions::default());
        let joined = join(&mut list, &[(0, &details[0]), (2, &details[1])]);
        assert!(joined >= 3, "{joined}");
        let column = |name: &str| list.columns.iter().position(|column| column.name == name);
        // the title is known; a price that differs is kept beside the list's
        assert_eq!(column("detail_title"), None);
        let (isbn, price) = (column("isbn").unwrap(), column("detail_price").unwrap());
        assert_eq!(list.records[2].cells[isbn], ["9780141439543"]);
        assert_eq!(list.records[2].cells[price], ["£3.50"]);
        assert!(list.records[1].cells[isbn].is_empty());
        assert!((list.columns[isbn].support - 0.5).abs() < 1e-9);
        for record in &list.records {
            assert_eq!(record.cells.len(), list.columns.len());
            assert!(record.values.is_empty() || record.values.len() == list.columns.len());
        }
    }
}
