//! Whether a page is a list or an object, and which pages share the columns of their tables.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{PageKind, Region, Request, Role, SetPage, answer_set, extract_html};
use std::fmt::Write;

fn kind(html: &str) -> PageKind {
    extract_html(html, &Request::default()).kind
}

/// A park with a list of names and values.
fn park(items: &[(&str, &str)]) -> String {
    let items: String = items.iter().map(|(name, value)| format!("<li><b>{name}</b> {value}</li>")).collect();
    format!("<title>Park</title><h1>Park</h1><ul>{items}</ul>")
}

#[test]
fn names_with_values_of_one_kind_are_a_list() {
    assert_eq!(kind(&park(&[("Oak", "12 m"), ("Elm", "9.5 m"), ("Ash", "15 m")])), PageKind::List);
    assert_eq!(kind(&park(&[("Tea", "£2"), ("Cake", "£3.50"), ("Soup", "£4")])), PageKind::List);
}

#[test]
fn names_of_properties_are_labels_of_an_object() {
    assert_eq!(kind(&park(&[("Height", "12 m"), ("Width", "9 m"), ("Depth", "15 m")])), PageKind::Object);
    assert_eq!(
        kind(&park(&[("Planted", "1902"), ("Owner", "the town"), ("Crown", "15 m")])),
        PageKind::Object
    );
}

/// A lamp with its properties, above a list of other lamps.
fn lamp(head: &str) -> String {
    let mut html =
        format!("<head><title>Brass lamp</title>{head}</head><h1>Brass lamp</h1><p>£19.50</p><dl>");
    let properties =
        [("Height", "40 cm"), ("Width", "20 cm"), ("Colour", "gold"), ("Bulb", "E27"), ("Cable", "2 m")];
    let more = [
        ("Switch", "foot"),
        ("Shade", "linen"),
        ("Voltage", "230 V"),
        ("Weight", "2 kg"),
        ("Made in", "Leeds"),
    ];
    for (label, value) in properties.iter().chain(&more) {
        let _ = write!(html, "<dt>{label}</dt><dd>{value}</dd>");
    }
    html.push_str("</dl><h2>More from this shop</h2><ul class=lamps>");
    for n in 1..=12 {
        let _ = write!(
            html,
            "<li class=lamp><a href='/lamp/{n}'><img src='/{n}.jpg'><h3>Lamp number {n}</h3></a>\
             <p class=note>A lamp for the desk or the wall, with cable {n}</p>\
             <span class=price>£{n}9.50</span></li>"
        );
    }
    html + "</ul>"
}

#[test]
fn the_list_of_a_page_that_declares_one_object_may_be_of_similar_objects() {
    let plain = extract_html(&lamp(""), &Request::default());
    assert_eq!((plain.kind, plain.regions[0].role), (PageKind::List, Role::Primary));
    assert_eq!(kind(&lamp("<meta property=og:type content=product>")), PageKind::Object);
}

#[test]
fn a_thing_in_microdata_is_declared_as_one_in_json_is() {
    let page = |item: &str, name: &str| {
        format!("<title>Old map</title><div {item}><h1 {name}>Old map</h1><p>Drawn by hand.</p></div>")
    };
    assert_eq!(kind(&page("", "")), PageKind::Nothing);
    let marked = page("itemscope itemtype='https://schema.org/Product'", "itemprop=name");
    assert_eq!(kind(&marked), PageKind::Object);
}

/// A table of decisions with a link in the last column.
fn decisions(headers: &[&str], cells: &dyn Fn(u32) -> Vec<String>) -> String {
    let header: String = headers.iter().map(|text| format!("<th>{text}</th>")).collect();
    let row = |n: u32| {
        let cells: String = cells(n).iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr>{cells}<td><a href='/file/{n}.pdf'>PDF</a></td></tr>")
    };
    let rows: String = (1..9).map(row).collect();
    format!("<h1>Decisions</h1><table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>")
}

#[test]
fn tables_with_other_headers_keep_their_own_columns() {
    let short =
        decisions(&["Case", "Caption", "View"], &|n| vec![format!("A{n}"), format!("Hill v. Dale {n}")]);
    let long = decisions(&["Case", "Caption", "County", "View"], &|n| {
        vec![format!("B{n}"), format!("Oak v. Elm {n}"), format!("Northshire {n}")]
    });
    let request = Request::for_lists();
    let set = [("a", &short), ("b", &long)].map(|(name, html)| {
        SetPage::analyse(name.to_owned(), Page::from_text(html, &Limits::default()), &request)
    });
    let answers = answer_set(set.into(), &request);
    let first_cell = |at: usize, name: &str| -> Option<String> {
        let list: &Region = answers[at].1.answer.primary()?;
        let column = list.columns.iter().position(|column| column.name == name)?;
        Some(list.records[0].cells[column].join(" "))
    };
    assert_eq!(first_cell(0, "view").as_deref(), Some("PDF"));
    assert_eq!(first_cell(1, "county").as_deref(), Some("Northshire 1"));
    assert_eq!(first_cell(1, "view").as_deref(), Some("PDF"));
}
