//! Columns that only some records have: they are not lost silently.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use copal_wrapper::{DriftLevel, Wrapper, apply, check, learn, repair};
use std::ops::Range;

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

/// A shop in which every fourth item has a date until which its offer is valid.
fn shop(items: Range<usize>) -> String {
    let item = |i: usize| {
        let offer = if i.is_multiple_of(4) {
            format!("<em class=until>{} May 2026</em>", i % 28 + 1)
        } else {
            String::new()
        };
        format!(
            "<li class=item><a class=name href='/p/{i}'>Lamp model {i} of oak</a>
             <p class=info>Bright {i}00 lumen, warm light</p>{offer}<span class=price>£{i}.50</span></li>"
        )
    };
    let items: String = items.map(item).collect();
    format!(
        "<title>Lamps</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>Help</a></ul></nav>
         <h1>Lamps</h1><ul class=results>{items}</ul><footer>All rights reserved</footer>"
    )
}

fn learned() -> Wrapper {
    let page = page(&shop(10..76));
    let known = extract(&page, &Request::default());
    let wrapper = learn(&[(&page, &known)]).unwrap().wrapper;
    let until = wrapper.pages[0].columns.iter().find(|column| column.name == "date").unwrap();
    assert!((0.2..0.3).contains(&until.presence.unwrap()) && until.find.len() > 1, "{wrapper}");
    wrapper
}

fn until(wrapper: &Wrapper, html: &str) -> Vec<String> {
    let read = apply(wrapper, &page(html));
    let list = read.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == "date").unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).filter(|text| !text.is_empty()).collect()
}

#[test]
fn another_locator_finds_a_rare_column_that_the_first_does_not_find() {
    let wrapper = learned();
    let renamed = shop(100..120).replace("class=until", "class=ends");
    assert_eq!(until(&wrapper, &renamed), until(&wrapper, &shop(100..120)));
    assert_eq!(until(&wrapper, &renamed).len(), 5);
    // A text at the same place that is not a date is not the column.
    let other = shop(100..120).replace("class=until", "class=ends").replace(" May 2026", " pieces left");
    assert_eq!(until(&wrapper, &other), [""; 0]);
    // Neither is a text that all records have.
    let everywhere = shop(100..120).replace("<em class=until>", "<em class=ends>");
    let everywhere = everywhere.replace("<p class=info>", "<em class=seen>1 June 2026</em><p class=info>");
    assert!(until(&wrapper, &everywhere).len() <= 5, "{:?}", until(&wrapper, &everywhere));
}

#[test]
fn a_rare_column_that_is_gone_is_reported() {
    let wrapper = learned();
    let gone = |items| shop(items).replace("<em class=until>", "<em hidden>");
    let pages = [page(&gone(100..166)), page(&gone(166..232))];
    // One page may just have no offers: the difference is reported, without an alarm.
    let state = check(&wrapper, &[&pages[0]]);
    let drift = &state.pages[0].drifts[0];
    assert_eq!((drift.level, drift.column.as_deref()), (DriftLevel::Value, Some("date")));
    assert!(drift.message.starts_with("0% of the records have it"), "{}", drift.message);
    assert!(!state.drifted(), "{:?}", state.alarms);
    let state = check(&wrapper, &[&pages[0], &pages[1]]);
    let columns: Vec<Option<&str>> = state.alarms.iter().map(|alarm| alarm.drift.column.as_deref()).collect();
    assert_eq!(columns, [Some("date")], "{state:?}");
}

#[test]
fn records_of_all_pages_are_counted_together() {
    let wrapper = learned();
    let gone = |items| shop(items).replace("<em class=until>", "<em hidden>");
    // Ten records say nothing, a hundred do.
    let pages: Vec<Page> = (0..10).map(|number| page(&gone(100 + 10 * number..110 + 10 * number))).collect();
    let pages: Vec<&Page> = pages.iter().collect();
    let state = check(&wrapper, &pages[..2]);
    assert!(!state.drifted() && state.pages[0].drifts.is_empty(), "{state:?}");
    let state = check(&wrapper, &pages);
    assert_eq!(state.alarms[0].drift.column.as_deref(), Some("date"), "{state:?}");
    let there: Vec<Page> = (0..10).map(|number| page(&shop(100 + 10 * number..110 + 10 * number))).collect();
    assert!(!check(&wrapper, &there.iter().collect::<Vec<_>>()).drifted());
}

#[test]
fn a_rare_column_is_repaired() {
    let wrapper = learned();
    let renamed = |items| page(&shop(items).replace("class=until", "class=ends"));
    let pages = [renamed(100..140), renamed(140..180), renamed(180..220)];
    let repaired = repair(&wrapper, &pages.iter().collect::<Vec<_>>(), 3).unwrap();
    assert!(repaired.changes.iter().any(|change| change.what == "date"), "{:?}", repaired.changes);
}
