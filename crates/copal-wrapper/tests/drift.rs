//! A site changes: the check reports it, and the repair finds the records again.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use copal_wrapper::{DriftLevel, RepairError, Wrapper, apply, check, learn, repair};
use std::ops::Range;

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

const KINDS: [&str; 7] = ["oak", "brass", "paper", "glass", "steel", "linen", "clay"];

fn shop(items: Range<usize>) -> String {
    let item = |i: usize| {
        format!(
            "<li class='item'><a class=name href='/p/{i}'>Lamp model {i} of {}</a>
             <p class=info>Bright {i}00 lumen, warm light</p><span class=price>£{i}.50</span></li>",
            KINDS[i % 7]
        )
    };
    let items: String = items.map(item).collect();
    format!(
        "<title>Lamps</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>Help</a></ul></nav>
         <h1>Lamps</h1><ul class=results>{items}</ul><footer>All rights reserved</footer>"
    )
}

/// The same site after a redesign: other tags, other classes, another order.
fn redesigned(items: Range<usize>) -> String {
    let item = |i: usize| {
        format!(
            "<article><div class=cost><b>£{i}.50</b></div><h3><a href='/p/{i}'>Lamp model {i} of {}</a></h3>
             <section>Bright {i}00 lumen, warm light</section></article>",
            KINDS[i % 7]
        )
    };
    let items: String = items.map(item).collect();
    format!(
        "<title>Lamps</title><header><div class=top><a href=/a>Home</a> <a href=/b>Help</a></div></header>
         <main><h2>Our lamps</h2><div class=grid>{items}</div></main><footer>All rights reserved</footer>"
    )
}

fn learned() -> Wrapper {
    let page = page(&shop(10..30));
    let known = extract(&page, &Request::default());
    let wrapper = learn(&[(&page, &known)]).unwrap().wrapper;
    Wrapper::parse(&wrapper.to_string()).unwrap()
}

fn column(wrapper: &Wrapper, page: &Page, name: &str) -> Vec<String> {
    let read = apply(wrapper, page);
    let list = read.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == name).unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).collect()
}

fn checked(pages: &[String]) -> copal_wrapper::CheckReport {
    let pages: Vec<Page> = pages.iter().map(|html| page(html)).collect();
    check(&learned(), &pages.iter().collect::<Vec<_>>())
}

#[test]
fn unchanged_pages_give_no_alarm() {
    let state = checked(&[shop(30..50), shop(50..70), shop(70..89)]);
    assert_eq!(state.alarms, []);
    assert!(state.worn.is_empty(), "{:?}", state.worn);
    assert_eq!(state.pages.iter().map(|page| page.records).collect::<Vec<_>>(), [20, 20, 19]);
}

#[test]
fn one_unusual_page_is_reported_without_an_alarm() {
    let state = checked(&[shop(30..50), shop(0..0), shop(50..70), shop(70..90)]);
    assert!(!state.drifted(), "{:?}", state.alarms);
    assert_eq!(state.pages[1].drifts[0].level, DriftLevel::Structure);
}

#[test]
fn unusual_pages_in_a_row_give_an_alarm() {
    let mut pages: Vec<String> = (0..6).map(|_| shop(30..50)).collect();
    pages.extend((0..3).map(|_| shop(0..0)));
    let state = checked(&pages);
    assert_eq!(state.alarms[0].drift.level, DriftLevel::Structure);
    assert_eq!(state.alarms[0].pages, 3);
    // The same number of unusual pages, far apart.
    let mut pages: Vec<String> = (0..18).map(|_| shop(30..50)).collect();
    for at in [2, 8, 14] {
        pages[at] = shop(0..0);
    }
    assert!(!checked(&pages).drifted());
}

#[test]
fn a_single_broken_page_gives_an_alarm() {
    let state = checked(&["<p>Under construction</p>".into()]);
    assert_eq!(state.alarms[0].drift.message, "no records found");
}

#[test]
fn changed_cells_give_an_alarm() {
    let column_of = |pages: [String; 2]| {
        let state = checked(&pages);
        let named = state
            .alarms
            .iter()
            .map(|alarm| (alarm.drift.level, alarm.drift.column.clone().unwrap_or_default()));
        named.collect::<Vec<_>>()
    };
    let no_price = |items| shop(items).replace("£", "from ").replace(".50<", " on request<");
    let found = column_of([no_price(30..50), no_price(50..70)]);
    assert!(found.contains(&(DriftLevel::Value, "price".into())), "{found:?}");
    let gone = |items| shop(items).replace("<span class=price>", "<span hidden>");
    let found = column_of([gone(30..50), gone(50..70)]);
    assert!(found.contains(&(DriftLevel::Value, "price".into())), "{found:?}");
    let same: Vec<String> = (30..50).map(|i| format!("£{i}.50")).collect();
    let constant = same.iter().fold(shop(30..50), |html, price| html.replace(price.as_str(), "£9.99"));
    let found = column_of([constant.clone(), constant]);
    assert!(found.contains(&(DriftLevel::Value, "price".into())), "{found:?}");
}

#[test]
fn the_number_of_records_that_a_page_announces_is_checked() {
    let with = |items: Range<usize>, says: &str| {
        shop(items).replace("<h1>Lamps</h1>", &format!("<h1>Lamps</h1><p>{says}</p>"))
    };
    let state = checked(&[with(30..42, "Showing 1-20 of 345 results")]);
    assert_eq!(
        state.alarms.iter().map(|alarm| alarm.drift.level).collect::<Vec<_>>(),
        [DriftLevel::Count],
        "{state:?}"
    );
    assert!(!checked(&[with(30..50, "Showing 1-20 of 345 results")]).drifted());
}

#[test]
fn a_worn_locator_is_reported_and_another_promoted() {
    let wrapper = learned();
    let change = |items| shop(items).replace("class=price", "class=amount");
    let pages: Vec<Page> = [30..50, 50..70, 70..90].map(|items| page(&change(items))).into();
    let pages: Vec<&Page> = pages.iter().collect();
    let state = check(&wrapper, &pages);
    assert!(!state.drifted() && state.worn.contains(&"price".to_owned()), "{state:?}");
    let repaired = repair(&wrapper, &pages, 3).unwrap();
    assert_eq!((repaired.wrapper.revision, repaired.pages), (2, 3));
    assert!(repaired.changes.iter().any(|change| change.what == "price"));
    let again = check(&repaired.wrapper, &pages);
    assert!(!again.drifted() && again.worn.is_empty(), "{again:?}");
    // No locator is lost; only their order changes.
    let sorted = |wrapper: &Wrapper| {
        let mut all: Vec<String> = wrapper.pages[0]
            .columns
            .iter()
            .flat_map(|column| &column.find)
            .map(ToString::to_string)
            .collect();
        all.sort();
        all
    };
    assert_eq!(sorted(&repaired.wrapper), sorted(&wrapper));
}

#[test]
fn a_redesigned_site_is_read_again() {
    let wrapper = learned();
    let pages: Vec<Page> = [30..50, 50..70, 70..90].map(|items| page(&redesigned(items))).into();
    let pages: Vec<&Page> = pages.iter().collect();
    let repaired = repair(&wrapper, &pages, 3).unwrap();
    let text = repaired.wrapper.to_string();
    let new = Wrapper::parse(&text).unwrap();
    assert_eq!(new.revision, 2);
    assert_eq!(new.changes.len(), 1, "{text}");
    let other = page(&redesigned(5..8));
    assert_eq!(column(&new, &other, "price"), ["£5.50", "£6.50", "£7.50"]);
    assert_eq!(column(&new, &other, "title")[0], "Lamp model 5 of linen");
    // While the site serves both designs, both are read.
    assert_eq!(column(&new, &page(&shop(5..8)), "price"), ["£5.50", "£6.50", "£7.50"]);
    let again = repair(&new, &pages, 3);
    assert_eq!(again.err(), Some(RepairError::Healthy));
}

#[test]
fn repairs_need_enough_pages_and_a_similar_list() {
    let wrapper = learned();
    let new = page(&redesigned(30..50));
    assert_eq!(repair(&wrapper, &[&new], 3).err(), Some(RepairError::TooFewPages { pages: 1, min_pages: 3 }));
    assert!(repair(&wrapper, &[&new], 1).is_ok());
    assert_eq!(repair(&wrapper, &[&page(&shop(30..50))], 3).err(), Some(RepairError::Healthy));
    let rows: String = (1..30).map(|i| format!("<tr><td>{i}<td>Ann Smith {i}<td>Room {i}")).collect();
    let other = page(&format!("<h1>Staff</h1><table>{rows}</table>"));
    assert!(matches!(repair(&wrapper, &[&other], 1), Err(RepairError::NoSimilarList)));
    assert!(matches!(repair(&wrapper, &[&page("")], 1), Err(RepairError::NoSimilarList)));
}
