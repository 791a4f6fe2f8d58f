//! Pages that changed after their wrapper was learned: other names, other tags, other positions, adverts.
//! They also have other records, because nothing may depend on what single records say.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Request, extract};
use copal_wrapper::{Wrapper, apply, learn};
use std::time::{Duration, Instant};

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

const MENU: &str = "<nav><ul class=menu><li><a href=/home>Home</a><li><a href=/help>Help and contact</a>
    <li><a href=/terms>Terms</a></ul></nav><h1>Lamps</h1>";

fn item(i: usize) -> String {
    let stock = ["In stock", "Two left", "Sold out"][i % 3];
    format!(
        "<a class=name href='/p/{i}'>Lamp model {i} of {} oak</a>
         <p class=info>Bright {i}00 lumen, warm light</p>
         <i class=stock>{stock}</i> <span class=price>£{i}.50</span> <b class=buy>Add to basket</b>",
        ["fine", "old", "dark", "plain"][i % 4]
    )
}

fn list(items: std::ops::Range<usize>) -> String {
    let items: String = items.map(|i| format!("<li class=item>{}</li>", item(i))).collect();
    format!(
        "<title>Shop</title>{MENU}<ul class=results id=results>{items}</ul>
         <footer>All rights reserved</footer>"
    )
}

fn learned() -> Wrapper {
    let page = page(&list(10..30));
    let known = extract(&page, &Request::default());
    let text = learn(&[(&page, &known)]).unwrap().wrapper.to_string();
    Wrapper::parse(&text).unwrap()
}

fn read(html: &str) -> Answer {
    apply(&learned(), &page(html))
}

fn column(found: &Answer, name: &str) -> Vec<String> {
    let Some(list) = found.primary() else { return Vec::new() };
    let at = list.columns.iter().position(|column| column.name == name).unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).collect()
}

fn prices(items: std::ops::Range<usize>) -> Vec<String> {
    items.map(|i| format!("£{i}.50")).collect()
}

/// The page with another name for every class.
fn renamed(html: &str) -> String {
    let mut out = html.to_owned();
    for (old, new) in [
        ("item", "css-1x9f3k2"),
        ("name", "css-9a8b7c1"),
        ("info", "k0"),
        ("stock", "k1"),
        ("price", "css-77aa12x"),
        ("buy", "k2"),
        ("results", "css-000aa11"),
        ("menu", "k3"),
    ] {
        out = out.replace(&format!("class={old}"), &format!("class={new}"));
    }
    out.replace(" id=results", "")
}

#[test]
fn records_and_cells_are_found_without_any_name() {
    let found = read(&renamed(&list(40..52)));
    assert_eq!(column(&found, "price"), prices(40..52));
    assert_eq!(column(&found, "url")[3], "/p/43");
}

#[test]
fn a_list_becomes_a_grid_elsewhere() {
    let items: Vec<String> = (40..52).map(|i| format!("<section>{}</section>", item(i))).collect();
    let rows: String = items.chunks(3).map(|row| format!("<div class=row>{}</div>", row.concat())).collect();
    let html = renamed(&format!("{MENU}<main><div><div>{rows}</div></div></main>"));
    assert_eq!(column(&read(&html), "price"), prices(40..52));
}

#[test]
fn adverts_among_records_are_not_records() {
    let advert = "<li class=promo><a href=/offers/today>Free delivery on all orders this week</a></li>";
    for bare in [false, true] {
        let mut html = list(40..52).replace("</li>", &format!("</li>{advert}"));
        if bare {
            html =
                renamed(&html).replace("<li class=css-1x9f3k2>", "<li>").replace("<li class=promo>", "<li>");
        }
        assert_eq!(column(&read(&html), "price"), prices(40..52), "{bare}");
    }
}

#[test]
fn other_lists_are_not_mistaken_for_the_records() {
    let none = "<p>No lamps were found.</p>";
    let categories: String =
        (0..12).map(|i| format!("<li class=item><a href=/c/{i}>Category number {i}</a></li>")).collect();
    let articles: String = (0..9)
        .map(|i| {
            format!(
                "<article><h2>Story {i}</h2><p>{}</p></article>",
                "Many words are written here. ".repeat(20)
            )
        })
        .collect();
    for other in [format!("<ul>{categories}</ul>"), articles, String::new()] {
        let found = read(&format!("{MENU}{none}{other}"));
        assert!(found.regions.is_empty(), "{:?}", found.primary().map(|list| &list.records[0].text));
    }
}

#[test]
fn a_single_record_is_found_by_its_name() {
    assert_eq!(column(&read(&list(51..52)), "price"), prices(51..52));
}

#[test]
fn the_file_has_the_fingerprint_of_the_records() {
    let wrapper = learned();
    let fingerprint = wrapper.pages[0].record.as_ref().unwrap().fingerprint.as_ref().unwrap();
    assert_eq!(fingerprint.words, ["Add to basket"]);
    assert_eq!(fingerprint.types, ["money"]);
    assert_eq!(fingerprint.url_part.as_deref(), Some("/p/"));
    let text = wrapper.to_string().replace("types: [money]", "types: [monney]");
    assert!(Wrapper::parse(&text).unwrap_err().to_string().contains("monney"));
}

#[test]
fn huge_pages_without_names_take_bounded_time() {
    let html = renamed(&list(0..20_000));
    let (wrapper, page) = (learned(), page(&html));
    let start = Instant::now();
    let found = apply(&wrapper, &page);
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
    assert_eq!(found.primary().unwrap().records.len(), 20_000);
}
