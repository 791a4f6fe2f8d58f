//! Repairs of wrappers that read objects or sections, and repairs that keep what the locators agree on.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::objects::{ObjectOptions, read};
use copal_extract::{Request, extract};
use copal_wrapper::{
    Checker, RepairError, Wrapper, apply, check, learn, learn_objects, learn_section, repair,
};
use std::ops::Range;

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

fn diner(number: usize) -> Page {
    page(&format!(
        "<html><head><title>Diner {number} of Oakham</title></head>
         <body><div id=top><a href=/>All diners</a></div>
         <h1>Diner {number} of Oakham</h1>
         <dl class=facts><dt>Phone</dt><dd class=tel>020 7946 0{number}</dd>
         <dt>Opened</dt><dd class=since>{} May 2014</dd>
         <dt>Cuisine</dt><dd class=food>Kitchen style {number}</dd></dl>
         <p>All rights reserved</p></body></html>",
        number % 28 + 1
    ))
}

/// The same diners after a redesign: a table with other words.
fn redesigned(number: usize) -> Page {
    page(&format!(
        "<html><head><title>Diner {number} of Oakham</title></head>
         <body><header><a href=/>All diners</a></header>
         <main><h2 class=head>Diner {number} of Oakham</h2>
         <table><tr><th>Cuisine</th><td>Kitchen style {number}</td></tr>
         <tr><th>Phone</th><td>020 7946 0{number}</td></tr>
         <tr><th>Opened</th><td>{} May 2014</td></tr></table></main></body></html>",
        number % 28 + 1
    ))
}

fn field(wrapper: &Wrapper, page: &Page, name: &str) -> Option<String> {
    let object = apply(wrapper, page).object?;
    object.fields.iter().find(|field| field.name == name).map(|field| field.texts.join("|"))
}

#[test]
fn objects_are_repaired() {
    let pages: Vec<Page> = (100..104).map(diner).collect();
    let all: Vec<&Page> = pages.iter().collect();
    let objects = read(&all, &ObjectOptions::default());
    let samples: Vec<_> = all.iter().copied().zip(&objects).collect();
    let mut wrapper = learn_objects(&samples).unwrap().wrapper;
    // Only names that the redesign does not keep.
    for column in &mut wrapper.pages[0].columns {
        column.find.retain(|locator| locator.css.as_ref().is_some_and(|css| css.contains(['.', '['])));
    }
    wrapper.pages[0].columns.retain(|column| !column.find.is_empty());
    assert!(field(&wrapper, &pages[0], "cuisine").is_some(), "{wrapper}");
    let new: Vec<Page> = (200..204).map(redesigned).collect();
    let new: Vec<&Page> = new.iter().collect();
    assert!(check(&wrapper, &new).drifted());
    let repaired = repair(&wrapper, &new, 3).unwrap();
    assert_eq!(repaired.wrapper.revision, 2);
    let wrapper = Wrapper::parse(&repaired.wrapper.to_string()).unwrap();
    let other = redesigned(300);
    assert_eq!(field(&wrapper, &other, "cuisine").as_deref(), Some("Kitchen style 300"), "{wrapper}");
    assert_eq!(field(&wrapper, &other, "phone").as_deref(), Some("020 7946 0300"));
    // Pages of the old design are still read.
    assert_eq!(field(&wrapper, &diner(301), "cuisine").as_deref(), Some("Kitchen style 301"));
    let none = page("<p>Under construction</p>");
    assert_eq!(repair(&wrapper, &[&none], 1).err(), Some(RepairError::NoSimilarObject));
}

fn board(class: &str, around: &str) -> Page {
    let rows: String = (1..9).map(|i| format!("<tr><td>0{i}:12<td>Harwick {i}<td>On time")).collect();
    page(&format!(
        "<h1>Departures</h1><table class=news><tr><td>News</table>
         <{around}><table {class}>{rows}</table></{around}>"
    ))
}

#[test]
fn sections_are_repaired() {
    let wrapper = learn_section(&board("class='times wide' id=board", "div"), "table.times").unwrap();
    let rows = |wrapper: &Wrapper, page: &Page| {
        apply(wrapper, page).primary().map_or(0, |section| section.records.len())
    };
    assert_eq!(rows(&wrapper, &board("class='times wide' id=board", "div")), 8);
    let new = board("class='times narrow' id=board7", "section");
    assert_eq!(rows(&wrapper, &new), 0);
    let repaired = repair(&wrapper, &[&new], 1).unwrap();
    assert_eq!(repaired.changes[0].what, "region");
    let wrapper = Wrapper::parse(&repaired.wrapper.to_string()).unwrap();
    assert_eq!(rows(&wrapper, &new), 8, "{wrapper}");
    assert_eq!(rows(&wrapper, &board("class='times wide' id=board", "div")), 8);
    assert_eq!(repair(&wrapper, &[&page("<p>Nothing")], 1).err(), Some(RepairError::NoSimilarSection));
}

fn shop(items: Range<usize>, advert: &str) -> String {
    let item = |i: usize| {
        format!(
            "<li class=item><a class=name href='/p/{i}'>Lamp model {i} of oak</a>
             <p class=info>Bright {i}00 lumen, warm light</p><span class=price>£{i}.50</span></li>{}",
            if i.is_multiple_of(4) { advert } else { "" }
        )
    };
    let items: String = items.map(item).collect();
    format!(
        "<title>Lamps</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>Help</a></ul></nav>
         <h1>Lamps</h1><ul class=results>{items}</ul><footer>All rights reserved</footer>"
    )
}

fn learned() -> Wrapper {
    let page = page(&shop(10..30, ""));
    let known = extract(&page, &Request::default());
    learn(&[(&page, &known)]).unwrap().wrapper
}

#[test]
fn adverts_that_are_read_as_records_give_an_alarm() {
    // With the class and the size of a record, but without its columns.
    let advert = "<li class=item><p>Subscribe to our newsletter and save ten per cent now</p></li>";
    let mut wrapper = learned();
    // A wrapper that was edited by hand may have no description that would sort adverts out.
    wrapper.pages[0].record.as_mut().unwrap().fingerprint = None;
    let changed = page(&shop(30..50, advert));
    assert_eq!(apply(&wrapper, &changed).primary().unwrap().records.len(), 25);
    let state = check(&wrapper, &[&changed]);
    let messages: Vec<&str> = state.alarms.iter().map(|alarm| alarm.drift.message.as_str()).collect();
    assert_eq!(messages, ["5 of 25 records lack most columns"]);
    assert!(!check(&wrapper, &[&page(&shop(30..50, ""))]).drifted());
}

#[test]
fn records_that_are_left_out_give_an_alarm() {
    let wrapper = learned();
    let html = shop(30..50, "");
    let (kept, rest) = html.split_at(html.find("Lamp model 42").unwrap());
    let changed = format!("{kept}{}", rest.replace("class=item", "class=entry"));
    let changed = page(&changed.replace("<ul class=results>", "<ul class=results id=x>"));
    assert_eq!(apply(&wrapper, &changed).primary().unwrap().records.len(), 13);
    let state = check(&wrapper, &[&changed]);
    let messages: Vec<&str> = state.alarms.iter().map(|alarm| alarm.drift.message.as_str()).collect();
    assert_eq!(messages, ["7 elements like the 13 records are not read"]);
}

#[test]
fn a_list_that_is_read_in_part_because_it_has_rows_gives_an_alarm() {
    let wrapper = learned();
    let html = shop(30..50, "");
    let ninth = html[..html.find("Lamp model 38").unwrap()].rfind("<li").unwrap();
    let rows = page(&format!("{}</ul><ul class=results>{}", &html[..ninth], &html[ninth..]));
    let one_list = page(&html);
    // the wrapper reads the longer row
    let alarm = "8 elements like the 12 records are not read, next to their list";
    for (page, expected) in [(&rows, Some(alarm)), (&one_list, None)] {
        let read = apply(&wrapper, page);
        let mut checker = Checker::new(&wrapper);
        let drifts = &checker.page(page, &read).drifts;
        let found =
            drifts.iter().map(|drift| drift.message.as_str()).find(|text| text.contains("elements like"));
        assert_eq!(found, expected, "{} records, {drifts:?}", read.regions[0].records.len());
    }
}

#[test]
fn a_repair_keeps_the_records_that_the_locators_agree_on() {
    let wrapper = learned();
    // The price has moved into an HTML attribute; the records are where they were.
    let change = |items| page(&shop(items, "").replace("class=price>£", "class=amount>on request "));
    let pages = [change(30..50), change(50..70), change(70..90)];
    let pages: Vec<&Page> = pages.iter().collect();
    let places = |wrapper: &Wrapper, page: &Page| -> Vec<_> {
        let read = apply(wrapper, page);
        read.primary().unwrap().records.iter().map(|record| record.place.parts.clone()).collect()
    };
    let repaired = repair(&wrapper, &pages, 3).unwrap();
    for page in &pages {
        assert_eq!(places(&repaired.wrapper, page), places(&wrapper, page));
    }
}

/// Twelve members without classes of their own, in rows of four if the list was divided.
fn members(is_divided: bool) -> Page {
    let member = |n: usize| {
        format!(
            "<div><a class=figure href=/m/{n}><img src=/p/{n}.jpg></a><h4>Member number {n}</h4>
             <p>Group of district {}</p></div>",
            n * 7
        )
    };
    let rows: Vec<String> = (1..=12).map(member).collect();
    let rows: Vec<String> = if is_divided {
        rows.chunks(4).map(|row| format!("<div>{}</div>", row.concat())).collect()
    } else {
        rows
    };
    page(&format!("<body><h1>Members</h1><div class=list>{}</div></body>", rows.concat()))
}

#[test]
fn rows_of_records_are_not_read_as_records() {
    let one_list = members(false);
    let wrapper = learn(&[(&one_list, &extract(&one_list, &Request::default()))]).unwrap().wrapper;
    let divided = members(true);
    let read = apply(&wrapper, &divided);
    assert_eq!(read.primary().unwrap().records.len(), 12, "{wrapper}");
    // Without the description of the records nothing tells rows from records; a check still does.
    let mut plain = wrapper.clone();
    plain.pages[0].record.as_mut().unwrap().fingerprint = None;
    let rows = apply(&plain, &divided);
    assert_eq!(rows.primary().unwrap().records.len(), 3);
    let mut checker = Checker::new(&wrapper);
    let drifts = &checker.page(&divided, &rows).drifts;
    assert!(drifts.iter().any(|drift| drift.message.contains("as large as several")), "{drifts:?}");
}
