//! Columns for the attributes of a domain.
//!
//! In: a table that was aligned by path, and the attributes of a list candidate. Out: a table with the
//! attributes as its first columns. The other columns stay if no attribute explains them, unless only the
//! attributes are wanted. O(text of the cells).

use super::alignment::AlignedTable;
use crate::lists::candidate::{Aligned, ListCandidate};
use copal_domain::Domain;
use copal_model::{Cell, CellSource, CellText, Column, NamedBy, Provenance};
use copal_values::Value;
use smallvec::smallvec;

/// A cell is explained if attributes of its record have at least this share of its text.
const MIN_EXPLAINED_TEXT: f64 = 0.6;
/// The same for a text with the values of at least [`MIN_REPEATED_VALUES`] attributes. It repeats the record.
const MIN_REPEATED_TEXT: f64 = 0.4;
const MIN_REPEATED_VALUES: usize = 3;
/// Words that a cell may have besides the value of an attribute: units, labels.
const MAX_UNIT_WORDS: usize = 2;
/// Longest text that is a value because of the name of its column.
const MAX_NAMED_VALUE_BYTES: usize = 120;
/// Share of a column's cells that must have the type of the attribute that the column is named after.
const MIN_READABLE_CELLS: f64 = 0.8;
/// A column is explained if at least this share of its cells is.
const MIN_EXPLAINED_CELLS: f64 = 0.5;

/// What becomes of the columns that are not attributes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OtherColumns<'a> {
    /// They stay, unless an attribute explains them. Those whose name is a label of an attribute of this domain
    /// have values of the attribute.
    Kept(Option<&'a Domain>),
    /// They are dropped: AMBER gives only the attributes of its domain.
    Dropped,
}

/// Puts the attributes of the candidate before the other columns, if it has any.
pub(crate) fn with_attribute_columns(
    table: AlignedTable,
    found: &ListCandidate,
    others: OtherColumns<'_>,
) -> AlignedTable {
    if found.attributes.is_empty() {
        return table;
    }
    let n = table.rows.len();
    let mut columns = Vec::new();
    let mut rows = vec![Vec::new(); n];
    for (name, value_type, cells) in &found.attributes {
        let with = cells.iter().flatten().count();
        if with == 0 {
            continue;
        }
        let source = match *value_type {
            "link" => CellSource::Href,
            "image" => CellSource::Src,
            _ => CellSource::Text,
        };
        columns.push(Column {
            value_type: Some(value_type),
            support: with as f64 / n.max(1) as f64,
            ..Column::new(name.as_str(), NamedBy::Domain, source)
        });
        for (row, aligned) in rows.iter_mut().zip(cells) {
            row.push(aligned.as_ref().map(attribute_cell).unwrap_or_default());
        }
    }
    let mut attributes = AlignedTable { columns, rows };
    match others {
        OtherColumns::Dropped => attributes,
        OtherColumns::Kept(domain) => {
            if let Some(domain) = domain {
                fill_by_name(&mut attributes, &table, domain);
            }
            with_unexplained(attributes, table)
        }
    }
}

/// Gives records without an attribute the cell of a column whose name is a label of the attribute: a class, a
/// header or a label says what the column is, and its values have the attribute's type.
fn fill_by_name(attributes: &mut AlignedTable, other: &AlignedTable, domain: &Domain) {
    for (c, column) in other.columns.iter().enumerate().filter(|(_, one)| one.source == CellSource::Text) {
        let says_what_it_is =
            matches!(column.named_by, NamedBy::Header | NamedBy::Property | NamedBy::Label | NamedBy::Class);
        let stem = column.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').replace('_', " ");
        let labelled = || domain.labelled(&stem).iter().map(|&one| &domain.attributes[usize::from(one)]);
        let Some(attribute) = labelled().find(|one| !one.detail_only).filter(|_| says_what_it_is) else {
            continue;
        };
        let read = |row: &Vec<Cell>| match &row[c].texts[..] {
            [one] if one.text.len() <= MAX_NAMED_VALUE_BYTES => attribute.read_text(&one.text),
            _ => None,
        };
        let values: Vec<Option<Value>> = other.rows.iter().map(read).collect();
        let filled = other.rows.iter().filter(|row| !row[c].is_empty()).count();
        if (values.iter().flatten().count() as f64) < MIN_READABLE_CELLS * filled as f64 || filled == 0 {
            continue;
        }
        let at = attributes.columns.iter().position(|known| known.name == attribute.name);
        let at = at.unwrap_or_else(|| {
            let value_type = Some(attribute.attribute_type.name());
            let new = Column::new(attribute.name.as_str(), NamedBy::Domain, CellSource::Text);
            attributes.columns.push(Column { value_type, ..new });
            attributes.rows.iter_mut().for_each(|row| row.push(Cell::default()));
            attributes.columns.len() - 1
        });
        for ((row, own), value) in other.rows.iter().zip(&mut attributes.rows).zip(values) {
            if own[at].is_empty() && value.is_some() {
                own[at] = Cell { value, ..row[c].clone() };
            }
        }
        let with = attributes.rows.iter().filter(|row| !row[at].is_empty()).count();
        attributes.columns[at].support = with as f64 / attributes.rows.len().max(1) as f64;
    }
}

fn attribute_cell(aligned: &Aligned) -> Cell {
    let text = CellText { text: aligned.text.clone(), source: aligned.source.clone() };
    let provenance = if aligned.inferred { Provenance::Inferred } else { Provenance::Found };
    Cell { texts: smallvec![text], value: aligned.value.clone(), provenance, confidence: None }
}

/// Adds the columns that no attribute explains.
fn with_unexplained(mut attributes: AlignedTable, other: AlignedTable) -> AlignedTable {
    let is_kept: Vec<bool> = (0..other.columns.len())
        .map(|c| {
            let cells = || other.rows.iter().zip(&attributes.rows).filter(|(row, _)| !row[c].is_empty());
            let explained = cells().filter(|(row, own)| is_explained(&row[c], own)).count();
            explained as f64 <= MIN_EXPLAINED_CELLS * cells().count() as f64
        })
        .collect();
    for (row, other) in attributes.rows.iter_mut().zip(other.rows) {
        row.extend(other.into_iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell));
    }
    for (mut column, _) in other.columns.into_iter().zip(is_kept).filter(|(_, kept)| *kept) {
        column.name = free_name(&column.name, &attributes.columns);
        attributes.columns.push(column);
    }
    attributes
}

/// True if attributes of the record have the text of a cell, or nearly all of it.
fn is_explained(cell: &Cell, attributes: &[Cell]) -> bool {
    let texts = || attributes.iter().filter_map(Cell::first).filter(|text| !text.is_empty());
    let explains = |text: &str| {
        // a longer value of an attribute contains the text; shorter values add up
        if texts().any(|known| known.contains(text)) {
            return true;
        }
        let mut rest = text.to_owned();
        let mut known: Vec<&str> = texts().collect();
        known.sort_by_key(|known| std::cmp::Reverse(known.len()));
        let mut values = 0;
        for known in known {
            let before = rest.len();
            rest = rest.replacen(known, "", 1);
            values += usize::from(rest.len() < before);
        }
        let least = if values >= MIN_REPEATED_VALUES { MIN_REPEATED_TEXT } else { MIN_EXPLAINED_TEXT };
        let is_short = (rest.trim().len() as f64) <= (1.0 - least) * text.len() as f64;
        // "3 bedrooms" says no more than the value 3
        let words = rest.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        let is_unit = words <= MAX_UNIT_WORDS && !rest.contains(|c: char| c.is_ascii_digit());
        is_short || is_unit && rest.len() < text.len()
    };
    cell.texts.iter().all(|one| explains(&one.text))
}

/// The name, or the name with a number if an attribute has it.
fn free_name(name: &str, columns: &[Column]) -> String {
    let is_free = |name: &str| columns.iter().all(|column| column.name != name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Cell {
        let texts = if text.is_empty() {
            smallvec![]
        } else {
            smallvec![CellText { text: text.to_owned(), source: None }]
        };
        Cell { texts, ..Cell::default() }
    }

    fn table(columns: &[&str], rows: &[&[&str]]) -> AlignedTable {
        AlignedTable {
            columns: columns
                .iter()
                .map(|name| Column::new(*name, NamedBy::Class, CellSource::Text))
                .collect(),
            rows: rows.iter().map(|row| row.iter().map(|text| cell(text)).collect()).collect(),
        }
    }

    #[test]
    fn columns_that_no_attribute_explains_stay() {
        let attributes = table(&["price", "bedrooms"], &[&["£200", "3"], &["£300", "2"]]);
        let other = table(
            &["price", "beds", "agent", "note"],
            &[
                &["£200", "3 bedrooms", "Alder & Co", ""],
                &["£300 pcm", "2 bedrooms", "Fell", "now £300, was £350 until May"],
            ],
        );
        let all = with_unexplained(attributes, other);
        let names: Vec<&str> = all.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["price", "bedrooms", "agent", "note"]);
        assert_eq!(all.rows[1][2].first(), Some("Fell"));
    }

    #[test]
    fn the_text_of_a_whole_record_is_explained() {
        let attributes = table(
            &["price", "bedrooms", "town"],
            &[&["£750 pcm", "1", "Didcot"], &["£900 pcm", "2", "Witney"]],
        );
        let lines = ["£800 pcm £750 pcm 1 bedroom Didcot", "£950 pcm £900 pcm 2 bedrooms Witney"];
        let prose = "A bright flat on the third floor, 2 minutes from the station of Witney, with a garden that \
                     all tenants share and a lift; £900 pcm.";
        let other = table(&["details", "description"], &[&[lines[0], ""], &[lines[1], prose]]);
        let names: Vec<String> =
            with_unexplained(attributes, other).columns.into_iter().map(|column| column.name).collect();
        assert_eq!(names, ["price", "bedrooms", "town", "description"]);
    }

    #[test]
    fn a_column_named_like_an_attribute_fills_it() {
        let domain = Domain::load("real-estate").unwrap();
        let mut attributes = table(&["price"], &[&["£200"], &["£300"], &["£400"]]);
        let other = table(&["beds", "bathrooms_2"], &[&["3", "garden"], &["2", "patio"], &["", ""]]);
        fill_by_name(&mut attributes, &other, &domain);
        let names: Vec<&str> = attributes.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["price", "bedrooms"]);
        assert_eq!(attributes.rows[1][1].first(), Some("2"));
        assert!(attributes.rows[1][1].value.is_some() && attributes.rows[2][1].is_empty());
        // the column says no more than the attribute
        assert_eq!(with_unexplained(attributes, other).columns.len(), 3);
    }

    #[test]
    fn a_column_that_stays_gets_a_name_of_its_own() {
        let attributes = table(&["title"], &[&["Corn Street"], &["High Street"]]);
        let other = table(&["title"], &[&["For sale by auction"], &["New instruction"]]);
        let names: Vec<String> =
            with_unexplained(attributes, other).columns.into_iter().map(|column| column.name).collect();
        assert_eq!(names, ["title", "title_2"]);
    }
}
