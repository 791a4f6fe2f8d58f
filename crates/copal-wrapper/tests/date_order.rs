//! The order of dates: a wrapper keeps the one of its samples, for pages whose own dates leave it open.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Request, extract};
use copal_values::Value;
use copal_wrapper::{Wrapper, apply, learn};

fn page(dates: &[&str]) -> Page {
    let item = |(n, date): (usize, &&str)| {
        format!(
            "<li class=case><a href='/case/{n}'>Case number {n} of many</a><span class=filed>{date}</span></li>"
        )
    };
    let items: String = dates.iter().enumerate().map(item).collect();
    let html = format!("<title>Cases</title><h1>Cases</h1><ul class=cases>{items}</ul>");
    Page::from_text(&html, &Limits::default())
}

/// The values of the dates that a wrapper reads, and what it says about their order.
fn dates(wrapper: &Wrapper, page: &Page) -> (Vec<Value>, &'static str) {
    let read = apply(wrapper, page);
    let list = read.primary().unwrap();
    let at = list.columns.iter().position(|column| column.value_type == Some("date")).unwrap();
    let values = list.records.iter().filter_map(|record| record.cells[at].value.clone());
    (values.collect(), list.columns[at].date_order.unwrap().name())
}

fn date(iso: &str) -> Value {
    Value::Date(iso.to_owned())
}

const AMERICAN: [&str; 5] = ["10/12/2023", "10/31/2023", "03/04/2023", "11/05/2023", "12/25/2023"];
const OPEN: [&str; 5] = ["10/12/2023", "01/02/2023", "03/04/2023", "11/05/2023", "12/06/2023"];

#[test]
fn the_order_of_the_samples_is_learned_and_kept_in_the_file() {
    let sample = page(&AMERICAN);
    let known = extract(&sample, &Request::default());
    let wrapper = learn(&[(&sample, &known)]).unwrap().wrapper;
    let text = wrapper.to_string();
    assert!(text.contains("order: month-first"), "{text}");
    let wrapper = Wrapper::parse(&text).unwrap();
    let (values, order) = dates(&wrapper, &page(&OPEN));
    assert_eq!((&values[0], order), (&date("2023-10-12"), "month-first"));
}

#[test]
fn one_of_several_samples_is_enough() {
    let (open, american) = (page(&OPEN), page(&AMERICAN));
    let known = [extract(&open, &Request::default()), extract(&american, &Request::default())];
    let wrapper = learn(&[(&open, &known[0]), (&american, &known[1])]).unwrap().wrapper;
    assert_eq!(dates(&wrapper, &open).0[0], date("2023-10-12"));
}

#[test]
fn the_dates_of_a_page_come_before_what_was_learned() {
    let sample = page(&AMERICAN);
    let known = extract(&sample, &Request::default());
    let wrapper = learn(&[(&sample, &known)]).unwrap().wrapper;
    let british = page(&["10/12/2023", "31/10/2023", "03/04/2023", "11/05/2023", "25/12/2023"]);
    let (values, order) = dates(&wrapper, &british);
    assert_eq!((&values[0], order), (&date("2023-12-10"), "day-first"));
}

#[test]
fn an_unknown_order_is_refused() {
    let sample = page(&AMERICAN);
    let known = extract(&sample, &Request::default());
    let text = learn(&[(&sample, &known)]).unwrap().wrapper.to_string();
    let error = Wrapper::parse(&text.replace("order: month-first", "order: backwards")).unwrap_err();
    assert!(error.to_string().contains("day-first, month-first, year-first"), "{error}");
}
