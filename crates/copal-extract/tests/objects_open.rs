//! Objects without a domain: which fields they have, and what the fields are called.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "test code")]

use copal_dom::{Limits, Page, PageSource};
use copal_domain::Domain;
use copal_extract::objects::{Object, ObjectOptions, read};
use copal_extract::{Request, SetPage, answer_set, join_detail_pages};
use std::sync::Arc;

fn read_one(body: &str) -> Object {
    let html = format!("<title>Oak table - Shop</title><body>{body}</body>");
    let page = Page::from_text(&html, &Limits::default());
    read(&[&page], &ObjectOptions::default()).remove(0)
}

fn texts<'o>(object: &'o Object, name: &str) -> Vec<&'o str> {
    let field = object.fields.iter().find(|field| field.name == name);
    field.map_or(Vec::new(), |field| field.texts.iter().map(String::as_str).collect())
}

fn names(object: &Object) -> Vec<&str> {
    object.fields.iter().map(|field| field.name.as_str()).collect()
}

#[test]
fn labels_in_headings_have_short_values() {
    let object = read_one(
        "<h1>Oak table</h1><div><h4>Design:</h4><a href=/p/1>Ida Berg</a></div>\
         <div><h4>Fabric:</h4> <a href=/p/2>Linen</a></div>",
    );
    assert_eq!(texts(&object, "design"), ["Ida Berg"]);
    assert_eq!(texts(&object, "fabric"), ["Linen"]);
}

#[test]
fn classes_name_lines_by_common_field_words() {
    let object = read_one(
        "<h1>Oak table</h1><p class=item-location>North hall</p><p class=pub_author>Ida Berg</p>\
         <p class=red>Nice and new</p>",
    );
    assert_eq!(texts(&object, "location"), ["North hall"]);
    assert_eq!(texts(&object, "pub_author").len() + texts(&object, "author").len(), 1);
    assert!(!names(&object).contains(&"red"), "{:?}", names(&object));
}

#[test]
fn several_links_are_several_values_and_marked_dates_stand_alone() {
    let object = read_one(
        "<h1>Oak table</h1><p class=genres><a href=/1>Rustic</a> / <a href=/2>Modern</a></p>\
         <p class=listing-date>Listed since <time>3 May 2026</time></p>",
    );
    assert_eq!(texts(&object, "genres"), ["Rustic", "Modern"]);
    assert_eq!(texts(&object, "date"), ["3 May 2026"]);
}

#[test]
fn short_lines_say_what_they_are() {
    let object = read_one("<h1>Oak table</h1><p>In stock</p><p>(12 reviews)</p><p>Tel.: 0131 496 0000</p>");
    assert_eq!(texts(&object, "availability"), ["In stock"]);
    assert_eq!(texts(&object, "reviews"), ["(12 reviews)"]);
    assert_eq!(texts(&object, "tel").len() + texts(&object, "phone").len(), 1);
}

#[test]
fn the_trail_gives_the_category() {
    let object = read_one(
        "<ul class=breadcrumb><li><a href=/>Home</a><li><a href=/t>Tables</a><li>Oak table</ul>\
         <h1>Oak table</h1><p>Price: 10 EUR</p>",
    );
    assert_eq!(texts(&object, "category"), ["Tables"]);
}

#[test]
fn what_readers_fill_in_is_not_a_field() {
    let object = read_one(
        "<h1>Oak table</h1><p>Made of solid oak with four turned legs, oiled by hand in our workshop.</p>\
         <p>Colour: brown</p><p>Quantity: <input type=text> pieces</p>\
         <form><p>Password: <input type=password></p><p>Status: new customer</p></form>",
    );
    assert_eq!(texts(&object, "colour"), ["brown"]);
    for name in ["quantity", "password", "status"] {
        assert!(texts(&object, name).is_empty(), "{name}: {:?}", names(&object));
    }
}

#[test]
fn other_objects_have_their_own_fields() {
    let object = read_one(
        "<h1>Oak table</h1><p>Colour: brown</p><p><a href=/b>Colossus: The Forbin Project</a></p>\
         <div><h3>Ähnliche Artikel</h3><p>Material: Glas</p></div>",
    );
    assert_eq!(texts(&object, "colour"), ["brown"]);
    assert!(texts(&object, "colossus").is_empty() && texts(&object, "material").is_empty());
}

#[test]
fn a_heading_that_repeats_the_name_opens_the_description() {
    let text = "Made of solid oak with four turned legs and a drawer, oiled by hand in a small workshop.";
    let object = read_one(&format!(
        "<h1>Oak table</h1><p>Colour: brown</p><div><h2>Oak table</h2><p>{text}</p></div>"
    ));
    assert_eq!(texts(&object, "description"), [text]);
    assert!(texts(&object, "oak_table").is_empty());
}

#[test]
fn papers_name_their_authors_in_bibliographic_tags() {
    let page = Page::from_text(
        "<title>On oak</title><meta name=citation_author content='Ida Berg'>\
         <meta name=citation_author content='Jon Holm'><h1>On oak</h1><p>Ida Berg &amp; Jon Holm</p>\
         <pre>year = {2022},</pre>",
        &Limits::default(),
    );
    let object = read(&[&page], &ObjectOptions::default()).remove(0);
    assert_eq!(texts(&object, "author"), ["Ida Berg", "Jon Holm"]);
    assert_eq!(texts(&object, "year"), ["2022"]);
}

/// A list of three cottages and their own pages, which show two prices each.
fn list_and_own_pages() -> Vec<(String, String)> {
    let cottages =
        [("Elm Cottage", "£900", "£700"), ("Ash Cottage", "£850", "£650"), ("Oak Cottage", "£990", "£780")];
    let items: String = cottages
        .iter()
        .enumerate()
        .map(|(n, (name, price, _))| {
            format!(
                "<li><a href='{n}.html'>{name}</a> <span class=price>{price}</span> <em>{n} bedrooms</em></li>"
            )
        })
        .collect();
    let mut pages = vec![("list.html".to_owned(), format!("<title>Homes</title><ul>{items}</ul>"))];
    for (n, (name, price, other)) in cottages.iter().enumerate() {
        let html = format!(
            "<title>{name}</title><h1>{name}</h1><div><p>{other}</p></div><section><p>{price}</p></section>\
             <p>Bedrooms: {n}</p><p>Tenure: freehold</p><p>Heating: gas</p><p>Garden: large</p>"
        );
        pages.push((format!("{n}.html"), html));
    }
    pages
}

fn prices(pages: Vec<(String, String)>, request: &Request) -> Vec<String> {
    let analysed = |(name, html): (String, String)| {
        let page = Page::from_bytes(html.as_bytes(), PageSource::default(), &Limits::default()).unwrap();
        SetPage::analyse(name, page, request)
    };
    let set: Vec<SetPage> = pages.into_iter().map(analysed).collect();
    let mut answers: Vec<_> = answer_set(set, request).into_iter().map(|(_, answer)| answer).collect();
    join_detail_pages(&mut answers);
    let objects = answers.iter().filter_map(|one| one.answer.object.as_ref());
    objects.map(|object| texts(object, "price").join(" ")).collect()
}

#[test]
fn records_are_evidence_for_their_own_pages_in_a_set() {
    let domain = Arc::new(Domain::load("real-estate").expect("a built-in domain"));
    for request in [Request::default().with_domain(domain), Request::default()] {
        assert_eq!(prices(list_and_own_pages(), &request), ["£900", "£850", "£990"]);
        let without_list = list_and_own_pages().split_off(1);
        assert_eq!(prices(without_list, &request), ["£700", "£650", "£780"]);
    }
}
