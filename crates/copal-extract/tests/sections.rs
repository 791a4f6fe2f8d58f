//! Lists in several sections, their headings, and lists that are hidden until a script shows them.
#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page, Warning};
use copal_extract::{Answer, Request, extract};
use copal_model::{CellSource, Origin, Region, Role};

fn answer(body: &str) -> Answer {
    let html = format!("<html><head><title>Lamps</title></head><body><h1>All lamps</h1>{body}</body></html>");
    extract(&Page::from_text(&html, &Limits::default()), &Request::default())
}

fn cards(from: u32, count: u32) -> String {
    let card = |n: u32| {
        format!(
            "<li class=card><a href='/lamp/{n}'>Lamp number {n} with a long name</a><p>A lamp for room {n}, made of \
             oak and brass.</p><span class=price>£{n}9.00</span></li>"
        )
    };
    (from..from + count).map(card).collect()
}

fn rows(from: u32, count: u32) -> String {
    let row = |n: u32| {
        format!("<tr><td><a href='/m/{n}'>Meeting number {n}</a><td>Town hall, room {n}<td>{n} May 2021</tr>")
    };
    (from..from + count).map(row).collect()
}

/// The cells of the column `section`.
fn sections(list: &Region) -> Vec<&str> {
    let column = list.columns.iter().position(|column| column.source == CellSource::Heading);
    let Some(column) = column else { return Vec::new() };
    assert_eq!(list.columns[column].name, "section");
    list.records.iter().map(|record| record.cells[column].first().unwrap_or_default()).collect()
}

#[test]
fn grids_below_headings_are_one_list() {
    let part = |title: &str, from: u32, count: u32| {
        format!("<section class=part><h2>{title}</h2><ul class=grid>{}</ul></section>", cards(from, count))
    };
    let body = part("Desk lamps", 1, 5) + &part("Floor lamps", 10, 8) + &part("Night lights", 20, 1);
    let found = answer(&body);
    let list = found.primary().unwrap();
    assert_eq!(list.records.len(), 14);
    let sections = sections(list);
    assert_eq!(
        [sections[0], sections[5], sections[12], sections[13]],
        ["Desk lamps", "Floor lamps", "Floor lamps", "Night lights"]
    );
    assert_eq!(found.regions.iter().filter(|list| list.role != Role::Navigation).count(), 1);
}

#[test]
fn tables_by_year_are_one_list_with_the_year_in_each_row() {
    let head = "<thead><tr><th>Meeting<th>Place<th>Date</thead>";
    let part = |year: u32, from: u32, count: u32| {
        format!("<h3>{year}</h3><table class=m>{head}<tbody>{}</tbody></table>", rows(from, count))
    };
    let found = answer(&(part(2023, 1, 6) + &part(2022, 10, 9) + &part(2021, 20, 4)));
    let list = found.primary().unwrap();
    assert_eq!(list.records.len(), 19);
    let sections = sections(list);
    assert_eq!([sections[0], sections[6], sections[18]], ["2023", "2022", "2021"]);
    let column = list.columns.iter().find(|column| column.source == CellSource::Heading).unwrap();
    assert!((column.support - 1.0).abs() < 1e-9);
}

#[test]
fn headings_inside_one_container_give_the_column_too() {
    let body =
        format!("<ul class=grid><h2>Desk lamps</h2>{}<h2>Floor lamps</h2>{}</ul>", cards(1, 5), cards(10, 6));
    let found = answer(&body);
    let list = found.primary().unwrap();
    assert_eq!(list.records.len(), 11);
    assert_eq!((sections(list)[0], sections(list)[10]), ("Desk lamps", "Floor lamps"));
}

#[test]
fn other_lists_of_the_same_look_are_not_sections() {
    let part = |title: &str, from: u32, count: u32| {
        format!("<section class=part><h2>{title}</h2><ul class=grid>{}</ul></section>", cards(from, count))
    };
    for (first, second) in [("Our lamps", "Related lamps"), ("Our lamps", "You may also like")] {
        let found = answer(&(part(first, 1, 12) + "<p>A text about lamps.</p>" + &part(second, 20, 4)));
        let list = found.primary().unwrap();
        assert_eq!(list.records.len(), 12, "{first} {second}");
        assert_eq!(sections(list), [""; 0]);
    }
}

#[test]
fn a_list_that_a_script_shows_is_found_and_marked() {
    let text = "<p>Choose one of the tabs to see what we have. All prices include tax and delivery.</p>";
    for hidden in [
        format!("<div class=tab style='display: none'><ul>{}</ul></div>", cards(1, 12)),
        format!("<div class=tab hidden><ul>{}</ul></div>", cards(1, 12)),
        format!("<table style='visibility:hidden'><tbody>{}</tbody></table>", rows(1, 12)),
    ] {
        let found = answer(&format!("{text}{hidden}"));
        let list = found.primary().expect(&hidden);
        assert_eq!(
            (list.records.len(), list.origin, list.role),
            (12, Origin::Hidden, Role::Primary),
            "{hidden}"
        );
        assert!(list.records[0].cells.iter().any(|cell| !cell.is_empty()));
        assert!(found.warnings.contains(&Warning::HiddenList));
    }
}

#[test]
fn hidden_content_does_not_matter_if_the_page_shows_a_list() {
    let hidden = format!("<div hidden><ul>{}</ul></div>", cards(100, 30));
    let found = answer(&format!("<ul>{}</ul>{hidden}", cards(1, 12)));
    let list = found.primary().unwrap();
    assert_eq!((list.records.len(), list.origin), (12, Origin::Page));
    assert!(!found.warnings.contains(&Warning::HiddenList));
    // a menu that a script opens is not the main list
    let links: String = (1..30).map(|n| format!("<li><a href='/c/{n}'>Country {n}</a></li>")).collect();
    let menu = format!("<p>A page about nothing much.</p><nav hidden><ul>{links}</ul></nav>");
    assert!(answer(&menu).primary().is_none());
}

#[test]
fn a_hidden_list_replaces_a_doubtful_object_but_not_a_clear_one() {
    let hidden = format!("<div class=tab style='display: none'><ul>{}</ul></div>", cards(1, 12));
    let doubtful = answer(&format!("<h1>Our lamps</h1><p>Phone: 555 0100</p>{hidden}"));
    assert!(doubtful.object.is_none());
    assert_eq!(doubtful.primary().map(|list| list.origin), Some(Origin::Hidden));
    let declared =
        "<script type='application/ld+json'>{\"@type\": \"Product\", \"name\": \"Desk lamp\"}</script>";
    let shown = "<h1>Desk lamp</h1><p>Colour: black</p><div>Weight: 2 kg</div>";
    let clear = answer(&format!("{declared}{shown}{hidden}"));
    assert!(clear.object.is_some());
    assert!(clear.primary().is_none());
}
