//! Columns that a later run gives another name.
//!
//! In: the columns of a table and the rows of a page. Out: the same rows, with renamed columns under the
//! names that the table has. A site that renames `price` to `cost` (or a new version of copal that names it
//! so) would otherwise grow a second column and empty the first.
//!
//! A column of the page that the table does not have is compared with each column of the table that the page
//! does not have. It is the same column if the cells of the same keys agree ([`MIN_AGREEING_ROWS`],
//! [`MIN_DISTINCT_VALUES`], [`MIN_AGREEMENT`]). A name that the table has always means that column, so two
//! columns that swap their names are not swapped back: that is a change of values, and the history has it.
//! The alias is stored in `copal_aliases` and used by later pages and runs without evidence. O(new columns ×
//! missing columns × compared rows).

use crate::database::Database;
use crate::error::StoreError;
use crate::statements::{self, ALIASES_TABLE};
use copal_output::rows::{ColumnType, PageRows, RowValue, TableColumn, TableSchema};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Minimum number of rows whose cells must be equal. Four equal cells can be a coincidence on a small page.
const MIN_AGREEING_ROWS: usize = 5;
/// Minimum number of distinct texts among the equal cells. Two columns that say "in stock" everywhere need
/// not be the same.
const MIN_DISTINCT_VALUES: usize = 3;
/// Minimum share of equal cells among the rows in which at least one of the two columns has a cell. Not all
/// need be equal, because some prices may change at the same time as the name.
const MIN_AGREEMENT: f64 = 0.8;
/// Maximum number of rows that are compared: more do not change the decision.
const MAX_COMPARED_ROWS: usize = 1000;

/// A column of a page that is stored under another name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnAlias {
    /// The table.
    pub table: String,
    /// The name that the pages give the column.
    pub name: String,
    /// The name under which the table has it.
    pub stored_as: String,
}

impl fmt::Display for ColumnAlias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ColumnAlias { table, name, stored_as } = self;
        write!(
            f,
            "column {name:?} is stored as {stored_as:?} in table {table}: \
             it is the same column under a new name"
        )
    }
}

/// Renames the columns of a page to the names that the table has, and returns the renamed ones.
pub(crate) fn apply(
    database: &mut dyn Database,
    table: &str,
    schema: &TableSchema,
    rows: &mut PageRows,
    run: i64,
) -> Result<Vec<ColumnAlias>, StoreError> {
    let stored: HashSet<&str> = schema.columns.iter().map(|column| column.source_column.as_str()).collect();
    let on_page: HashSet<String> = rows.fields.iter().map(|field| normalised(&field.column)).collect();
    let is_text = |component: &str| component.is_empty();
    let mut new: Vec<String> = rows
        .fields
        .iter()
        .filter(|field| is_text(&field.component) && !stored.contains(normalised(&field.column).as_str()))
        .map(|field| field.column.clone())
        .collect();
    let mut missing: Vec<&TableColumn> = schema
        .columns
        .iter()
        .filter(|column| is_text(&column.component) && !on_page.contains(&column.source_column))
        .collect();
    if new.is_empty() || missing.is_empty() {
        return Ok(Vec::new());
    }
    let known = load(database, table)?;
    let mut found: Vec<(String, String)> = Vec::new();
    new.retain(|name| {
        let stored_as = known.get(&normalised(name));
        let index = missing.iter().position(|column| Some(&column.source_column) == stored_as);
        let Some(index) = index else { return true };
        found.push((name.clone(), missing.remove(index).source_column.clone()));
        false
    });
    if !new.is_empty() && !missing.is_empty() {
        for (name, stored_as) in renamed_columns(database, table, schema, rows, &new, &missing)? {
            save(database, table, &name, &stored_as, run)?;
            found.push((name, stored_as));
        }
    }
    for (name, stored_as) in &found {
        rows.rename_column(name, stored_as);
    }
    let alias = |(name, stored_as)| ColumnAlias { table: table.to_owned(), name, stored_as };
    Ok(found.into_iter().map(alias).collect())
}

/// Pairs of a new and a missing column whose cells agree, each column at most once.
fn renamed_columns(
    database: &mut dyn Database,
    table: &str,
    schema: &TableSchema,
    rows: &PageRows,
    new: &[String],
    missing: &[&TableColumn],
) -> Result<Vec<(String, String)>, StoreError> {
    let mut key_counts: HashMap<&str, usize> = HashMap::new();
    for row in &rows.rows {
        *key_counts.entry(&row.key).or_default() += 1;
    }
    // A key that several records of the page share does not say which stored row is meant.
    let keys: Vec<String> = rows
        .rows
        .iter()
        .map(|row| &row.key)
        .filter(|key| key_counts[key.as_str()] == 1)
        .take(MAX_COMPARED_ROWS)
        .cloned()
        .collect();
    let stored = statements::rows_with_keys(database, table, schema, &keys)?;
    let shared: Vec<(&[RowValue], &[RowValue])> = rows
        .rows
        .iter()
        .filter_map(|row| Some((row.values.as_slice(), stored.get(&row.key)?.values.as_slice())))
        .collect();
    if shared.len() < MIN_AGREEING_ROWS {
        return Ok(Vec::new());
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (n, name) in new.iter().enumerate() {
        let field = rows.fields.iter().position(|field| field.column == *name && field.component.is_empty());
        for (m, column) in missing.iter().enumerate() {
            let place = schema.columns.iter().position(|other| other.name == column.name);
            let (Some(field), Some(place)) = (field, place) else { continue };
            let texts = shared.iter().map(|(values, stored)| {
                let value = values.get(field).cloned().unwrap_or(RowValue::Null);
                (value.fit(column.column_type).to_text(), stored[place].to_text())
            });
            pairs.extend(agreement(texts).map(|share| (share, n, m)));
        }
    }
    // The best agreement first; among equals the order of the page, then that of the table.
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut used_new, mut used_missing) = (HashSet::new(), HashSet::new());
    let mut renamed = Vec::new();
    for (_, n, m) in pairs {
        if !used_new.contains(&n) && !used_missing.contains(&m) {
            used_new.insert(n);
            used_missing.insert(m);
            renamed.push((new[n].clone(), missing[m].source_column.clone()));
        }
    }
    Ok(renamed)
}

/// The share of equal texts, if there is enough evidence that the columns are the same.
fn agreement(texts: impl Iterator<Item = (String, String)>) -> Option<f64> {
    let (mut filled, mut equal) = (0, 0);
    let mut distinct: HashSet<String> = HashSet::new();
    for (new, stored) in texts.filter(|(new, stored)| !new.is_empty() || !stored.is_empty()) {
        filled += 1;
        if new == stored {
            equal += 1;
            distinct.insert(new);
        }
    }
    let share = f64::from(equal) / f64::from(filled.max(1));
    let enough = equal as usize >= MIN_AGREEING_ROWS && distinct.len() >= MIN_DISTINCT_VALUES;
    (enough && share >= MIN_AGREEMENT).then_some(share)
}

/// A name as the database returns it.
fn normalised(name: &str) -> String {
    name.replace('\0', "\u{fffd}")
}

/// The aliases of a table: the name on the page, and the name that the table has.
fn load(database: &mut dyn Database, table: &str) -> Result<HashMap<String, String>, StoreError> {
    let sql =
        format!("SELECT name, stored_as FROM {} WHERE table_name = $1", database.quoted_table(ALIASES_TABLE));
    let rows = database.query(&sql, &[RowValue::text(table)], &[ColumnType::Text; 2])?;
    let alias = |row: Vec<RowValue>| match row.as_slice() {
        [name, stored_as] => Some((name.to_text(), stored_as.to_text())),
        _ => None,
    };
    Ok(rows.into_iter().filter_map(alias).collect())
}

fn save(
    database: &mut dyn Database,
    table: &str,
    name: &str,
    stored_as: &str,
    run: i64,
) -> Result<(), StoreError> {
    // An alias of this name that could not be used (its column is gone) is replaced.
    let sql = format!(
        "INSERT INTO {} (table_name, name, stored_as, run) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (table_name, name) DO UPDATE SET stored_as = excluded.stored_as, run = excluded.run",
        database.quoted_table(ALIASES_TABLE)
    );
    let [table, name, stored_as] = [table, name, stored_as].map(RowValue::text);
    database.execute(&sql, &[table, name, stored_as, RowValue::Integer(run)])
}

#[cfg(test)]
mod tests {
    use super::agreement;

    fn share(pairs: &[(&str, &str)]) -> Option<f64> {
        agreement(pairs.iter().map(|(new, stored)| ((*new).to_owned(), (*stored).to_owned())))
    }

    #[test]
    fn enough_equal_cells_are_evidence() {
        let same = [("a", "a"), ("b", "b"), ("c", "c"), ("d", "d"), ("e", "e")];
        assert_eq!(share(&same), Some(1.0));
        assert_eq!(share(&same[..4]), None, "too few rows");
        let one_changed: Vec<_> = same.into_iter().chain([("f", "x")]).collect();
        assert!(share(&one_changed).is_some());
        let many_changed: Vec<_> = same.into_iter().chain([("f", "x"), ("g", "y")]).collect();
        assert_eq!(share(&many_changed), None, "5 of 7 is too little");
    }

    #[test]
    fn equal_cells_that_say_little_are_not_evidence() {
        assert_eq!(share(&[("yes", "yes"); 20]), None, "one distinct text");
        assert_eq!(share(&[("", ""); 20]), None, "no texts");
        let sparse = [("a", "a"), ("b", "b"), ("c", "c"), ("d", "d"), ("e", "e"), ("f", ""), ("", "g")];
        assert_eq!(share(&sparse), None, "cells that only one of them has count against it");
    }
}
