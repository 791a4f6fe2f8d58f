//! The examples of the DEUDS paper: the table of trains (Figures 3 to 5), and two tables that differ only in
//! their parents (Figure 6).

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_wrapper::{Wrapper, apply, learn_fields, learn_section, select};

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

#[test]
fn pairs_of_a_description_list_are_records() {
    let page = page(
        "<dl class=x><dt>Price<dd>£20<dt>Size<dt>Length<dd>10 cm<dd>4 in<div><dt>Colour<dd>red</div></dl>",
    );
    let wrapper = learn_section(&page, "dl").unwrap();
    assert_eq!(rows(&wrapper, &page), [["Price", "£20"], ["Size|Length", "10 cm|4 in"], ["Colour", "red"]]);
    let list = apply(&wrapper, &page);
    let names: Vec<&str> =
        list.primary().unwrap().columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["term", "description"]);
}

#[test]
fn the_head_of_a_table_has_the_names_even_if_its_cells_are_plain() {
    let page = page("<table><thead><tr><td>Town<td>Fare<tbody><tr><td>Bath<td>3<tr><td>Wells<td>4</table>");
    let wrapper = learn_section(&page, "table").unwrap();
    assert_eq!(rows(&wrapper, &page), [["Bath", "3"], ["Wells", "4"]]);
    let list = apply(&wrapper, &page);
    assert_eq!(list.primary().unwrap().columns[1].name, "fare");
}

#[test]
fn of_several_matching_sections_the_one_like_the_sample_is_read() {
    let sample = page("<p>x<table class=fares><tr><td>a<td>1<tr><td>b<td>2<tr><td>c<td>3</table>");
    let wrapper = learn_section(&sample, "table").unwrap();
    let other = page(
        "<table class=fares><tr><td>notice<td>!</table>
         <table class=fares><tr><td>d<td>4<tr><td>e<td>5<tr><td>f<td>6</table>",
    );
    assert_eq!(rows(&wrapper, &other), [["d", "4"], ["e", "5"], ["f", "6"]]);
    let warnings = apply(&wrapper, &other).warnings;
    assert_eq!(warnings, [copal_dom::Warning::SeveralSections { matches: 2 }]);
    assert!(apply(&wrapper, &sample).warnings.is_empty());
}

#[test]
fn several_fields_can_be_pointed_at() {
    let sample = page("<h1 class=name>Fund A</h1><div><p class=nav>12.5</p><p class=day>Monday</p></div>");
    let fields = [("name", "h1"), ("value", "p.nav"), ("day", "/html/body/div[1]/p[2]")];
    let fields = fields.map(|(name, path)| (name.to_owned(), path.to_owned()));
    let wrapper = Wrapper::parse(&learn_fields(&sample, &fields).unwrap().to_string()).unwrap();
    let other =
        page("<p>News</p><h1 class=name>Fund B</h1><div><p class=nav>7.1</p><p class=day>Friday</p></div>");
    let object = apply(&wrapper, &other).object.unwrap();
    let read: Vec<(&str, &str)> =
        object.fields.iter().map(|field| (field.name.as_str(), field.texts[0].as_str())).collect();
    assert_eq!(read, [("name", "Fund B"), ("value", "7.1"), ("day", "Friday")]);
    let missing = [("x".to_owned(), "table".to_owned())];
    assert!(learn_fields(&sample, &missing).unwrap_err().to_string().contains("nothing on the page"));
}
