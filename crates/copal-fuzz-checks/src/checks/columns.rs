//! Any texts as the cells of a list and of a table: columns have unique names, records as many cells as columns, and
//! the answer is the same twice.

use crate::checks::extract::check_regions;
use crate::variants::{is_repeated, variants};
use copal_dom::{Limits, Page};
use copal_extract::{KindRequest, Request, extract};
use std::time::Duration;

/// Cells of one record.
const WIDTH: usize = 4;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).replace('<', "&lt;");
    let cells: Vec<&str> = text.lines().take(400).collect();
    let mut list = String::from("<h1>Lamps</h1><ul>");
    let mut table = String::from("<table>");
    for record in cells.chunks(WIDTH) {
        list.push_str("<li>");
        table.push_str("<tr>");
        for (number, cell) in record.iter().enumerate() {
            // an empty line is a cell that the record does not have
            if !cell.is_empty() {
                list.push_str(&format!("<span class=c{number}>{cell}</span> "));
            }
            table.push_str(&format!("<td>{cell}</td>"));
        }
        list.push_str("</li>");
        table.push_str("</tr>");
    }
    let mut request = Request::default();
    request.kind = KindRequest::List;
    request.all = true;
    for html in &[list, table][variants(bytes, 2)] {
        let mut limits = Limits::default();
        limits.time = Duration::from_hours(1);
        let page = Page::from_text(html, &limits);
        let found = extract(&page, &request);
        check_regions(&page, &found);
        if is_repeated(bytes) {
            assert_eq!(format!("{found:?}"), format!("{:?}", extract(&page, &request)), "not deterministic");
        }
    }
}
