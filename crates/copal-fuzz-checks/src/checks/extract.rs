//! Page to records, by every method: inside the tree, not overlapping, as many cells as columns, the same
//! each time.

use crate::variants::{is_repeated, variants};
use copal_dom::{Limits, Page};
use copal_extract::{Answer, Method, Origin, Record, Region, Request, extract};
use std::collections::HashSet;
use std::time::Duration;

pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut limits = Limits::default();
    // the clock would make results differ from run to run
    limits.time = Duration::from_hours(1);
    let mut page = Page::from_text(&text, &limits);
    // with an even length the words of a query are known
    page.url = data.len().is_multiple_of(2).then(|| "https://shop.example/search?q=red+shoes".to_owned());
    for way in variants(data, 2 * Method::ALL.len()) {
        let method = Method::ALL[way / 2];
        let mut options = Request::default();
        options.lists.method = method;
        options.all = true;
        // with the data of scripts, or compared with the answer to who asks for the main list only
        options.embedded = way % 2 == 1;
        let found = extract(&page, &options);
        check_regions(&page, &found);
        if is_repeated(data) {
            let again = extract(&page, &options);
            assert_eq!(format!("{found:?}"), format!("{again:?}"), "{method} is not deterministic");
        }
        if !options.embedded {
            options.all = false;
            let primary = extract(&page, &options);
            assert_eq!(main_list(&found), main_list(&primary), "{method}: primary alone");
        }
    }
}

/// Names of the columns, places and texts of the records. XPaths are of all lists that were asked for.
fn main_list(answer: &Answer) -> Option<(Vec<&str>, Vec<String>)> {
    let list = answer.primary()?;
    let names = list.columns.iter().map(|column| column.name.as_str()).collect();
    let record = |record: &Record| format!("{:?} {} {:?}", record.place.parts, record.text, record.cells);
    Some((names, list.records.iter().map(record).collect()))
}

pub(crate) fn check_regions(page: &Page, found: &Answer) {
    for region in &found.regions {
        check_region(page, region);
    }
}

fn check_region(page: &Page, region: &Region) {
    let method = region.method;
    let tree = &page.tree;
    assert!(!region.records.is_empty(), "{method}: a region without records");
    assert!(!region.score.is_nan(), "{method}: no score");
    let mut ranges = Vec::new();
    for record in &region.records {
        // hidden lists are made of elements, too
        let is_data = matches!(region.origin, Origin::Embedded | Origin::Data);
        assert_eq!(record.place.parts.is_empty(), is_data, "{method}: a record without parts, or data with");
        for part in &record.place.parts {
            assert!(0 < part.start && part.start < part.end, "{method}: empty part {part:?}");
            assert!(part.end as usize <= tree.len(), "{method}: {part:?} is outside the tree");
            // whole sibling subtrees
            let mut at = part.start;
            while at < part.end {
                assert_eq!(
                    tree.parent(at),
                    tree.parent(part.start),
                    "{method}: {part:?} is no run of siblings"
                );
                at = tree.end(at);
            }
            assert_eq!(at, part.end, "{method}: {part:?} cuts a subtree");
            ranges.push(part.clone());
        }
    }
    ranges.sort_by_key(|range| range.start);
    for pair in ranges.windows(2) {
        assert!(pair[0].end <= pair[1].start, "{method}: records overlap: {pair:?}");
    }
    check_cells(region);
}

/// As many cells as columns, and columns with names of their own.
pub(crate) fn check_cells(region: &Region) {
    let method = region.method;
    for record in &region.records {
        assert_eq!(record.cells.len(), region.columns.len(), "{method}: cells and columns");
    }
    let names: HashSet<&str> = region.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names.len(), region.columns.len(), "{method}: column names repeat");
    for column in &region.columns {
        assert!(column.support > 0.0 && column.support <= 1.0, "{method}: support of {}", column.name);
    }
}
