//! Joins detail pages to the records that link to them.
//!
//! In: a list, and the [`Object`]s of the detail pages of some of its records. Out: the same list with the
//! fields of these objects as further columns. If the list already has a column with the name of a field,
//! equal values are left out, and different ones go to a column `detail_…`. O(fields).

use crate::table::column_names::unique_names;
use copal_model::{Cell, CellSource, Column, DetailJoin, Field, NamedBy, Object, Provenance, Record, Region};
use rustc_hash::FxHashMap;

/// Shortest text that shows, under another name or as the beginning of a longer one, what a page is about.
const MIN_SHARED_CHARS: usize = 8;

/// The detail page of a record.
#[derive(Debug, Clone, Copy)]
pub struct OwnPage<'a> {
    /// The index of the record in the list.
    pub record: usize,
    /// The file or URL of the page.
    pub name: &'a str,
    /// The object that the page is about.
    pub detail: &'a Object,
}

/// Adds the fields of detail pages to their records, and notes in each record which columns agree with its
/// page. Returns the number of new columns.
pub fn join(list: &mut Region, pages: &[OwnPage<'_>]) -> usize {
    let own: FxHashMap<String, usize> =
        list.columns.iter().enumerate().map(|(c, column)| (column.name.clone(), c)).collect();
    let mut order: Vec<&str> = Vec::new();
    let mut fields: FxHashMap<&str, Vec<(usize, &Field)>> = FxHashMap::default();
    for page in pages {
        let joined = DetailJoin { page: page.name.into(), both: Vec::new(), differ: Vec::new() };
        list.records[page.record].joined = Some(joined);
        for field in page.detail.fields.iter().filter(|field| !field.texts.is_empty()) {
            let places = fields.entry(&field.name).or_insert_with(|| {
                order.push(&field.name);
                Vec::new()
            });
            places.push((page.record, field));
        }
    }
    let first = list.columns.len();
    for name in order {
        let Some(&column) = own.get(name) else {
            add(list, name.to_owned(), &fields[name]);
            continue;
        };
        let mut beside: Vec<(usize, &Field)> = Vec::new();
        for &(at, field) in &fields[name] {
            let record = &mut list.records[at];
            let (same, silent) = (says(record, column, field), record.cells[column].is_empty());
            if !same {
                beside.push((at, field));
            }
            if let Some(joined) = record.joined.as_mut().filter(|_| !silent) {
                let list = if same { &mut joined.both } else { &mut joined.differ };
                list.push(name.to_owned());
            }
        }
        if !beside.is_empty() {
            add(list, format!("detail_{name}"), &beside);
        }
    }
    let given = list.columns.iter().map(|column| Some((column.name.clone(), column.named_by))).collect();
    for (column, (name, _)) in list.columns.iter_mut().zip(unique_names(given)) {
        column.name = name;
    }
    list.columns.len() - first
}

/// Column names and texts of a record, as the list shows them: evidence for the fields of its own page.
pub fn record_texts(list: &Region, record: usize) -> Vec<(String, String)> {
    let cells = list.columns.iter().zip(&list.records[record].cells);
    cells.filter_map(|(column, cell)| Some((column.name.clone(), cell.first()?.to_owned()))).collect()
}

/// True if a page and the record that links to it agree in at least one field. A link alone proves nothing:
/// saved pages of different sites may have equal file names. The link itself does not count, because it led
/// here.
pub fn agrees(list: &Region, page: &OwnPage<'_>) -> bool {
    let record = &list.records[page.record];
    let is_text = |c: &usize| {
        !matches!(list.columns[*c].source, CellSource::Href | CellSource::Src) && !record.cells[*c].is_empty()
    };
    let columns: Vec<usize> = (0..list.columns.len()).filter(is_text).collect();
    page.detail.fields.iter().filter(|field| !field.texts.is_empty()).any(|field| {
        columns.iter().any(|&c| {
            list.columns[c].name == field.name && says(record, c, field) || shares_text(record, c, field)
        })
    })
}

/// True if a text of the field and one of the cell are the same long text, or one is the beginning of the
/// other: lists cut long titles, and pages add the name of the site to theirs.
fn shares_text(record: &Record, column: usize, field: &Field) -> bool {
    let folded = |text: &str| folded_text(text).trim_end_matches(['…', '.', ' ']).to_owned();
    let begins =
        |long: &str, short: &str| short.chars().count() >= MIN_SHARED_CHARS && long.starts_with(short);
    let cell: Vec<String> = record.cells[column].texts().map(folded).collect();
    field
        .texts
        .iter()
        .map(|text| folded(text))
        .any(|text| cell.iter().any(|known| begins(known, &text) || begins(&text, known)))
}

/// A text without differences in case and white space.
fn folded_text(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// True if the cell of a record contains the texts of a field. Of two URLs, one may be the end of the other,
/// because they may be relative to different pages.
fn says(record: &Record, column: usize, field: &Field) -> bool {
    let cell: Vec<String> = record.cells[column].texts().map(folded_text).collect();
    let ends = |long: &str, short: &str| {
        let short = short.trim_start_matches(['.', '/']);
        short.contains('/') && long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'))
    };
    let same = |known: &String, text: &String| known == text || ends(known, text) || ends(text, known);
    field.texts.iter().all(|text| cell.iter().any(|known| same(known, &folded_text(text))))
}

fn add(list: &mut Region, name: String, places: &[(usize, &Field)]) {
    let (records, at) = (list.records.len().max(1), list.columns.len());
    let support = places.len() as f64 / records as f64;
    list.columns.push(Column { support, ..Column::new(name, NamedBy::Label, CellSource::Detail) });
    for record in &mut list.records {
        record.cells.push(Cell::default());
    }
    for (record, field) in places {
        let cell = Cell::with(field.texts.iter().cloned(), Provenance::Detail);
        list.records[*record].cells[at] = Cell { value: field.value.clone(), ..cell };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::{self, ObjectOptions};
    use crate::pipeline::extract;
    use crate::request::Request;
    use copal_dom::{Limits, Page};

    fn list() -> Region {
        let items: String = (1..=4)
            .map(|n| format!("<li><a href='/b/{n}'>Volume {n}</a> <span class=price>£{n}.00</span><a href='/cart'>Buy</a></li>"))
            .collect();
        let mut page = Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default());
        page.url = Some("https://books.example/".to_owned());
        extract(&page, &Request::default()).regions.remove(0)
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
        assert_eq!(list.columns[list.link_column().unwrap()].name, "url");
    }

    #[test]
    fn addresses_may_be_relative_to_different_pages() {
        let cells = vec![Cell::found(["books/covers/1.jpg".to_owned()])];
        let record = Record { cells, ..Record::default() };
        let mut field = own_field("covers/1.jpg");
        assert!(says(&record, 0, &field));
        field.texts = vec!["1.jpg".to_owned()];
        assert!(!says(&record, 0, &field));
    }

    fn own_field(text: &str) -> Field {
        let page = own_page(1, text);
        let mut details = objects::read(&[&page], &ObjectOptions::default());
        let mut field = details.remove(0).fields.remove(0);
        field.texts = vec![text.to_owned()];
        field
    }

    #[test]
    fn fields_of_own_pages_become_columns() {
        let mut list = list();
        let pages = [own_page(1, "£1.00"), own_page(3, "£3.50")];
        let details = objects::read(&pages.each_ref(), &ObjectOptions::default());
        let own = |record: usize, detail| OwnPage { record, name: "own.html", detail };
        let joined = join(&mut list, &[own(0, &details[0]), own(2, &details[1])]);
        assert!(joined >= 3, "{joined}");
        let column = |name: &str| list.columns.iter().position(|column| column.name == name);
        // the title is the same as in the list; the price differs and gets a column of its own
        assert_eq!(column("detail_title"), None);
        let (isbn, price) = (column("isbn").unwrap(), column("detail_price").unwrap());
        assert_eq!(list.records[2].cells[isbn], ["9780141439543"]);
        assert_eq!(list.records[2].cells[price], ["£3.50"]);
        assert_eq!(list.records[2].cells[price].provenance, Provenance::Detail);
        assert!(list.records[0].cells[price].is_empty() && list.records[1].cells[isbn].is_empty());
        let told = |record: usize| list.records[record].joined.clone();
        assert_eq!(told(0).unwrap().both, ["title", "price"]);
        assert_eq!(
            (told(2).unwrap().both, told(2).unwrap().differ),
            (vec!["title".to_owned()], vec!["price".to_owned()])
        );
        assert_eq!(told(1), None);
        assert!((list.columns[isbn].support - 0.5).abs() < 1e-9);
        for record in &list.records {
            assert_eq!(record.cells.len(), list.columns.len());
        }
    }
}
