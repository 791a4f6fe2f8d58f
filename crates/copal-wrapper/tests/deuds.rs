//! The examples of the DEUDS paper: the table of trains (Figures 3 to 5), and two tables that differ only in
//! their parents (Figure 6).

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_wrapper::{Wrapper, apply, learn_section, select};

const ATTRIBUTES: &str = "width='100%' cellspacing=1 cellpadding=0 border=0 class=table_border";

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

fn rows(wrapper: &Wrapper, page: &Page) -> Vec<Vec<String>> {
    let found = apply(wrapper, page);
    let list = found.primary().map_or(&[][..], |list| &list.records);
    list.iter().map(|record| record.cells.iter().map(|cell| cell.join("|")).collect()).collect()
}

#[test]
fn a_pattern_has_the_tag_and_all_attributes() {
    let html = format!(
        "<p>Rajdhani trains<table><tr><td>menu</table><table {ATTRIBUTES}>
         <tr class=heading_table_top><th>Train Number<th>Train Name<th>Dest. Arr. Time
         <tr><td>12235<td>DBRG NDLS RAJ EXP<td>13:50 <tr><td>12236<td>NDLS DBRG RJDHN<td>05:30</table>"
    );
    let page = page(&html);
    let wrapper = learn_section(&page, "table:last-of-type").unwrap();
    assert_eq!(
        wrapper.pages[0].region,
        ["table[width=\"100%\"][cellspacing=\"1\"][cellpadding=\"0\"][border=\"0\"][class=\"table_border\"]"]
    );
    let list = apply(&wrapper, &page);
    let names: Vec<&str> =
        list.primary().unwrap().columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["train_number", "train_name", "dest._arr._time"]);
    assert_eq!(
        rows(&wrapper, &page),
        [["12235", "DBRG NDLS RAJ EXP", "13:50"], ["12236", "NDLS DBRG RJDHN", "05:30"]]
    );
    // The file survives a round trip, and the wrapper reads another page.
    let again = Wrapper::parse(&wrapper.to_string()).unwrap();
    assert_eq!(again, wrapper);
    let other = self::page(&format!(
        "<h1>Shatabdi</h1><div><table {ATTRIBUTES}><tr><td>12001<td>BPL SHTBDI<td>15:05</table></div>"
    ));
    assert_eq!(rows(&again, &other), [["12001", "BPL SHTBDI", "15:05"]]);
}

/// Figure 6.
#[test]
fn parents_are_added_until_the_pattern_is_unique() {
    let html = format!(
        "<div><table {ATTRIBUTES}><tr><td>first</table></div>
         <table><tr><td>x<tr><td><table {ATTRIBUTES}><tr><td>second</table><tr><td>y</table>"
    );
    let page = page(&html);
    let plain =
        "table[width=\"100%\"][cellspacing=\"1\"][cellpadding=\"0\"][border=\"0\"][class=\"table_border\"]";
    assert_eq!(select(&page, plain).unwrap().len(), 2);
    let second = learn_section(&page, "td > table").unwrap();
    assert_eq!(second.pages[0].region, [format!("td > {plain}")]);
    assert_eq!(rows(&second, &page), [["second"]]);
    let first = learn_section(&page, "/html/body/div[1]/table[1]").unwrap();
    assert_eq!(first.pages[0].region, [format!("div > {plain}")]);
    assert_eq!(rows(&first, &page), [["first"]]);
}

#[test]
fn equal_sections_are_distinguished_by_position() {
    let page = page("<div><ul><li>a<li>b</ul></div><div><ul><li>c<li>d</ul></div>");
    let wrapper = learn_section(&page, "div:last-of-type > ul").unwrap();
    assert_eq!(rows(&wrapper, &page), [["c"], ["d"]]);
}

#[test]
fn a_section_of_text_is_one_record() {
    let page = page("<h1>Fund</h1><p class=nav>Net asset value <b>12.5</b></p>");
    let wrapper = learn_section(&page, "p").unwrap();
    assert_eq!(wrapper.pages[0].region, ["p[class=\"nav\"]"]);
    assert_eq!(rows(&wrapper, &page), [["Net asset value 12.5"]]);
}

#[test]
fn selectors_that_find_nothing_are_reported() {
    let page = page("<p>x");
    assert!(learn_section(&page, "table").unwrap_err().to_string().contains("nothing on the page"));
    assert!(learn_section(&page, "p[").is_err() || select(&page, "p[").is_ok());
    assert!(learn_section(&page, "//p[foo()]").unwrap_err().to_string().contains("not an XPath"));
}
