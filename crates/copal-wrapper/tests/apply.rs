//! Wrappers on other pages than those they were learned from, and wrapper files that are wrong.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limit, Limits, Page, Warning};
use copal_extract::{Answer, Request, extract};
use copal_wrapper::{Locator, Wrapper, apply, learn};
use std::time::{Duration, Instant};

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

fn shop(items: std::ops::Range<usize>) -> String {
    let item = |i: usize| {
        let old =
            if i.is_multiple_of(3) { format!("<em class=badge>Until {i} May</em>") } else { String::new() };
        format!(
            "<li class='item'><a class=name href='/p/{i}'>Lamp model {i} of oak</a>
             <p class=info>Bright {i}00 lumen, warm light</p>{old} <span class=price>£{i}.50</span></li>"
        )
    };
    let items: String = items.map(item).collect();
    format!(
        "<title>Lamps</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>Help</a></ul></nav>
         <h1>Lamps</h1><ul class=results>{items}</ul><footer>All rights reserved</footer>"
    )
}

fn learned() -> Wrapper {
    let page = page(&shop(10..30));
    let known = extract(&page, &Request::default());
    learn(&[(&page, &known)]).unwrap().wrapper
}

fn column(found: &Answer, name: &str) -> Vec<String> {
    let list = found.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == name).unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).collect()
}

#[test]
fn pages_with_many_records_one_or_none_are_read() {
    let wrapper = learned();
    let many = apply(&wrapper, &page(&shop(40..47)));
    assert_eq!(many.primary().unwrap().records.len(), 7);
    assert_eq!(column(&many, "price")[0], "£40.50");
    assert_eq!(column(&many, "url")[6], "/p/46");
    let one = apply(&wrapper, &page(&shop(51..52)));
    assert_eq!(column(&one, "price"), ["£51.50"]);
    assert!(apply(&wrapper, &page(&shop(0..0))).regions.is_empty());
}

#[test]
fn nothing_is_found_on_empty_pages_and_on_other_sites() {
    let wrapper = learned();
    for html in [
        "",
        "<p>An article with some words.</p>",
        "<ul><li>one<li>two<li>three</ul>",
        "<ul class=results></ul>",
    ] {
        let found = apply(&wrapper, &page(html));
        assert!(found.regions.is_empty(), "{html}");
    }
}

#[test]
fn other_locators_are_used_where_the_first_finds_nothing() {
    let wrapper = learned();
    let renamed = shop(40..50).replace("class=price", "class=amount").replace("class=results", "class=hits");
    let found = apply(&wrapper, &page(&renamed));
    assert_eq!(column(&found, "price").len(), 10);
    assert_eq!(column(&found, "price")[1], "£41.50");
}

#[test]
fn urls_are_absolute_and_values_are_typed() {
    let mut page = page(&shop(40..45));
    page.url = Some("https://shop.example/lamps".into());
    let found = apply(&learned(), &page);
    assert_eq!(column(&found, "url")[0], "https://shop.example/p/40");
    let list = found.primary().unwrap();
    let price = list.columns.iter().position(|column| column.name == "price").unwrap();
    assert_eq!(list.columns[price].value_type, Some("money"));
    assert!(list.records[0].cells[price].value.is_some());
}

#[test]
fn a_locator_that_matches_nothing_leaves_its_column_empty() {
    let mut wrapper = learned();
    for column in &mut wrapper.pages[0].columns {
        if column.name == "price" {
            column.find = vec![Locator { css: Some(".nowhere".into()), ..Locator::default() }];
        }
    }
    let found = apply(&wrapper, &page(&shop(40..45)));
    assert_eq!(column(&found, "price"), ["", "", "", "", ""]);
}

#[test]
fn labels_locate_cells() {
    let text = "copal: 1\npages:\n  - kind: list\n    region: [body]\n    record: {find: [div]}\n    columns:
      - {name: beds, find: [{label: 'Beds'}]}
      - {name: price, find: [{label: Price}], cut: {after: '£'}}\n";
    let wrapper = Wrapper::parse(text).unwrap();
    let found = apply(
        &wrapper,
        &page(
            "<div><b>Price:</b> £12 <b>Beds</b> <i>3</i></div>
             <div><span><b>Beds:</b></span><span>4</span></div>",
        ),
    );
    assert_eq!(column(&found, "beds"), ["3", "4"]);
    assert_eq!(column(&found, "price"), ["12", ""]);
}

#[test]
fn wrong_files_are_refused_with_a_hint() {
    let head = "copal: 1\npages:\n  - kind: list\n    region: [ul]\n    record: {find: [li]}\n";
    for (text, says) in [
        ("copal: 1\npages: []\n".to_owned(), "pages: has 0 entries"),
        ("pages: []\n".to_owned(), "copal"),
        (format!("{head}    colums: []\n"), "columns"),
        (format!("{head}    columns: [{{name: a, find: ['p[[']}}]\n"), "not a CSS selector"),
        (format!("{head}    columns: [{{name: a, find: [{{ccs: p}}]}}]\n"), "css"),
        (format!("{head}    columns: [{{name: a, find: [{{css: p, nth: 0}}]}}]\n"), "count from 1"),
        (format!("{head}    columns: [{{name: a, type: monney, find: [p]}}]\n"), "money"),
        (format!("{head}    columns: [{{name: a, find: [p]}}, {{name: a, find: [b]}}]\n"), "each name once"),
        (format!("{head}    columns: [{{name: a, find: [p], cut: {{piece: 1}}}}]\n"), "split"),
        ("copal: 1\npages: [{kind: list, region: [ul]}]\n".to_owned(), "record is missing"),
        ("copal: 1\npages: [{kind: other, region: [ul]}]\n".to_owned(), "section"),
        (format!("copal: 1\nurl: '{}'\n", "x".repeat(1_000_000)), "at most"),
        ("[".repeat(5000), ""),
    ] {
        let message = Wrapper::parse(&text).unwrap_err().to_string();
        assert!(message.contains(says), "{message} (expected {says})");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn hostile_wrappers_and_huge_pages_take_bounded_time() {
    let html = format!("<body><p>x</p>{}", "<li>a<b>1</b></li>".repeat(20_000));
    let page = page(&html);
    let text =
        "copal: 1\npages:\n  - kind: list\n    region: [body]\n    record: {find: ['p ~ li']}\n    columns:
      - {name: a, find: ['b, :not(b) ~ li ~ li b', ':has(~ li ~ p)']}\n";
    let start = Instant::now();
    let found = apply(&Wrapper::parse(text).unwrap(), &page);
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    assert!(found.warnings.contains(&Warning::Limit(Limit::Work)));
    let start = Instant::now();
    let big = Page::from_text(&shop(0..20_000), &Limits::default());
    let found = apply(&learned(), &big);
    assert_eq!(found.primary().unwrap().records.len(), 20_000);
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}
