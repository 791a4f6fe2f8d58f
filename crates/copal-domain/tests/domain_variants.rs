//! Copies of a domain with other terms and labels, as gazetteer learning makes them.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_domain::{Domain, annotate};

fn locations(domain: &Domain, text: &str) -> Vec<String> {
    let page = Page::from_text(&format!("<p>{text}</p>"), &Limits::default());
    let location = domain.attribute("location");
    let found = annotate(&page, domain).into_iter().filter(|f| Some(f.attribute) == location && !f.label);
    found.map(|found| found.text).collect()
}

#[test]
fn terms_are_replaced_and_added() {
    let domain = Domain::load("real-estate").unwrap();
    let location = domain.attribute("location").unwrap();
    assert_eq!(locations(&domain, "Witney"), ["Witney"]);
    let bare = domain.with_terms(location, ["Chadlow"], true);
    assert_eq!(locations(&bare, "Witney, Oxfordshire"), [""; 0]);
    assert_eq!(locations(&bare, "Chadlow"), ["Chadlow"]);
    assert!(bare.is_listed(location) && !bare.is_listed(bare.attribute("town").unwrap()));
    let more = bare.with_terms(location, ["Witney"], false);
    assert_eq!(locations(&more, "Witney and Chadlow"), ["Witney", "Chadlow"]);
    assert_eq!(more.terms_in(location, "to Witney"), [3..9]);
}

#[test]
fn labels_are_added() {
    let domain = Domain::load("real-estate").unwrap();
    let location = domain.attribute("location").unwrap();
    assert_eq!(locations(&domain, "Parish served: Chadlow"), [""; 0]);
    let more = domain.with_labels(location, ["parish served"]);
    assert_eq!(locations(&more, "Parish served: Chadlow"), ["Chadlow"]);
}
