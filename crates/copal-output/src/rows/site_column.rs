//! The site that records are from, for tables with records of several sites.
//!
//! In: a page and the name of its site, such as `shop.example` or `host.example/shop/`. Out: rows with a column
//! `site` before the others. The same URL or text may be the key of a record on another site, so that keys that do not
//! begin with the URL of their own site get its name. O(rows).

use crate::rows::page_rows::{PageRows, RowOptions, rows_of_page};
use crate::rows::record_keys::bounded;
use copal_model::Answer;

/// The name of the column.
pub const SITE_COLUMN: &str = "site";

/// The rows of a page. `name` is the file or URL that the page was read from.
pub fn page_rows(name: &str, extraction: &Answer, options: &RowOptions) -> Vec<PageRows> {
    let mut tables = rows_of_page(name, extraction, options);
    if let Some(site) = &options.site {
        for table in &mut tables {
            add(table, site);
        }
    }
    tables
}

/// Adds the column, and makes the keys those of the site.
fn add(table: &mut PageRows, site: &str) {
    let has = |name: &str| table.fields.iter().any(|field| field.column == name);
    if has(SITE_COLUMN) {
        // the records have such a column of their own
        let mut number = 2;
        while has(&format!("{SITE_COLUMN}_{number}")) {
            number += 1;
        }
        table.rename_column(SITE_COLUMN, &format!("{SITE_COLUMN}_{number}"));
    }
    table.put_first(SITE_COLUMN, site);
    for row in &mut table.rows {
        if !is_url_on(&row.key, site) {
            row.key = bounded(format!("{site} {}", row.key));
        }
    }
}

/// True if a key is a URL on a site that has its host for itself: no other site has such keys.
fn is_url_on(key: &str, site: &str) -> bool {
    let Some((_, rest)) = key.split_once("://") else { return false };
    !site.contains('/') && rest.strip_prefix(site).is_some_and(|path| path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::PageRow;
    use crate::rows::row_value::{ColumnType, RowValue};

    fn table(columns: &[&str], keys: &[&str]) -> PageRows {
        let mut table = PageRows::default();
        for column in columns {
            table.field(column, String::new(), ColumnType::Text);
        }
        table.rows = keys
            .iter()
            .map(|key| PageRow {
                key: (*key).to_owned(),
                page: String::new(),
                region: RowValue::Null,
                method: String::new(),
                values: columns.iter().map(|column| RowValue::text(column)).collect(),
            })
            .collect();
        table
    }

    #[test]
    fn keys_of_sites_differ() {
        let keys = |site| {
            let mut table = table(&["title"], &["https://a.example/1", "https://b.example/1", "#1f"]);
            add(&mut table, site);
            table.rows.into_iter().map(|row| row.key).collect::<Vec<_>>()
        };
        let a = keys("a.example");
        assert_eq!(a, ["https://a.example/1", "a.example https://b.example/1", "a.example #1f"]);
        let others = [keys("b.example"), keys("a.example/"), keys("a.example/1")];
        for other in others.iter().flatten() {
            assert!(!a.contains(other), "{other}");
        }
        assert!(keys("a.example/").iter().all(|key| !keys("a.example/1").contains(key)));
    }

    #[test]
    fn a_column_of_the_records_keeps_its_values() {
        let mut table = table(&["site", "site_2", "title"], &["k"]);
        add(&mut table, "a.example");
        let columns: Vec<&str> = table.fields.iter().map(|field| field.column.as_str()).collect();
        assert_eq!(columns, ["site", "site_3", "site_2", "title"]);
        let values = ["a.example", "site", "site_2", "title"].map(RowValue::text);
        assert_eq!(table.rows[0].values, values);
        assert_eq!(table.field("title", String::new(), ColumnType::Text), 3);
    }

    #[test]
    fn objects_have_the_site_too() {
        let page = "<h1>Oak table</h1><p class=price>£30</p><table><tr><th>Height<td>70 cm<tr><th>Colour<td>brown</table>";
        let page = copal_dom::Page::from_text(page, &copal_dom::Limits::default());
        let mut request = copal_extract::Request::default();
        request.kind = copal_extract::KindRequest::Object;
        let answer = copal_extract::extract(&page, &request);
        let options = RowOptions { site: Some("a.example".to_owned()), ..RowOptions::default() };
        let rows = page_rows("-", &answer, &options);
        assert!(rows[0].is_object && rows[0].rows[0].key.starts_with("a.example "), "{:?}", rows[0].rows);
    }
}
