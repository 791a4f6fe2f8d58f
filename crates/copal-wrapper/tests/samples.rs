//! Wrappers that are learned from several pages: no column of any page is lost.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::objects::{ObjectOptions, read};
use copal_extract::{Answer, Request, extract};
use copal_wrapper::{Wrapper, apply, learn, learn_objects};
use std::ops::Range;

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

fn shop(items: Range<usize>, extra: &str) -> Page {
    let item = |i: usize| {
        format!(
            "<li class=item><a class=name href='/p/{i}'>Lamp model {i} of oak</a>
             <p class=about>Bright {i}00 lumen, warm light</p>{} <span class=price>£{i}.50</span></li>",
            extra.replace('#', &i.to_string())
        )
    };
    let items: String = items.map(item).collect();
    page(&format!(
        "<title>Lamps</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>Help</a></ul></nav>
         <h1>Lamps</h1><ul class=results>{items}</ul><footer>All rights reserved</footer>"
    ))
}

fn names(wrapper: &Wrapper) -> Vec<&str> {
    wrapper.pages[0].columns.iter().map(|column| column.name.as_str()).collect()
}

fn column(wrapper: &Wrapper, page: &Page, name: &str) -> Vec<String> {
    let read = apply(wrapper, page);
    let list = read.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == name).unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).collect()
}

/// The extraction of a page, with other names for its columns.
fn renamed(page: &Page, renaming: &[(&str, &str)]) -> Answer {
    let mut known = extract(page, &Request::default());
    for column in &mut known.regions[0].columns {
        if let Some((_, new)) = renaming.iter().find(|(old, _)| *old == column.name) {
            (*new).clone_into(&mut column.name);
        }
    }
    known
}

#[test]
fn columns_are_joined_by_their_places_and_not_by_their_names() {
    let (first, second) = (shop(10..30, ""), shop(30..50, ""));
    let known = extract(&first, &Request::default());
    let alone = learn(&[(&first, &known)]).unwrap().wrapper;
    // On the second page the names of two columns are exchanged, and a third has a new one.
    let other = renamed(&second, &[("title", "about"), ("about", "title"), ("price", "amount")]);
    let both = learn(&[(&first, &known), (&second, &other)]).unwrap();
    assert_eq!(names(&both.wrapper), names(&alone), "{:?}", both.notes);
    assert_eq!(both.notes, [""; 0]);
    let third = shop(50..53, "");
    for name in names(&alone) {
        assert_eq!(column(&both.wrapper, &third, name), column(&alone, &third, name), "{name}");
    }
}

#[test]
fn a_column_of_one_page_stays() {
    let (first, second) = (shop(10..30, ""), shop(30..50, "<em class=stock># in stock</em>"));
    let known = [extract(&first, &Request::default()), extract(&second, &Request::default())];
    let wrapper = learn(&[(&first, &known[0]), (&second, &known[1])]).unwrap().wrapper;
    let wrapper = Wrapper::parse(&wrapper.to_string()).unwrap();
    assert!(names(&wrapper).contains(&"stock"), "{wrapper}");
    assert_eq!(column(&wrapper, &shop(60..62, "<em class=stock># in stock</em>"), "stock")[1], "61 in stock");
    let stock = wrapper.pages[0].columns.iter().find(|column| column.name == "stock").unwrap();
    assert_eq!(stock.presence, Some(0.5));
    // It comes where the second page has it: before the price.
    let at = |name: &str| names(&wrapper).iter().position(|other| *other == name).unwrap();
    assert!(at("about") < at("stock") && at("stock") < at("price"), "{:?}", names(&wrapper));
}

#[test]
fn pages_with_different_markup_both_give_locators() {
    let old = shop(10..30, "");
    let html = |items: Range<usize>| {
        let items: String = items
            .map(|i| {
                format!(
                    "<li class=item><a class=name href='/p/{i}'>Lamp model {i} of oak</a>
                     <p class=about>Bright {i}00 lumen, warm light</p>
                     <div class=cost><b>£{i}.50</b></div></li>"
                )
            })
            .collect();
        page(&format!("<title>Lamps</title><h1>Lamps</h1><ul class=results>{items}</ul>"))
    };
    let new = html(30..50);
    let known = [extract(&old, &Request::default()), renamed(&new, &[("cost", "price")])];
    let wrapper = learn(&[(&old, &known[0]), (&new, &known[1])]).unwrap().wrapper;
    assert_eq!(column(&wrapper, &shop(60..62, ""), "price"), ["£60.50", "£61.50"], "{wrapper}");
    assert_eq!(column(&wrapper, &html(60..62), "price"), ["£60.50", "£61.50"], "{wrapper}");
}

fn diner(number: usize, lines: &str) -> Page {
    page(&format!(
        "<html><head><title>Diner {number} of Oakham</title></head>
         <body><div id=top><a href=/>All diners</a></div>
         <h1>Diner {number} of Oakham</h1>
         <dl><dt>Phone</dt><dd>020 7946 0{number}</dd>
         <dt>Address</dt><dd class=place>{lines}</dd>
         <dt>Cuisine</dt><dd>Kitchen style {number}</dd></dl><p>All rights reserved</p></body></html>"
    ))
}

#[test]
fn a_block_of_lines_gives_one_value_per_line() {
    let block = |number: usize| format!("{number} Mill Street<br>Oakham<br>Rutland LE15 {number}AB");
    let pages: Vec<Page> = (100..104).map(|number| diner(number, &block(number))).collect();
    let all: Vec<&Page> = pages.iter().collect();
    let objects = read(&all, &ObjectOptions::default());
    let field = |at: usize| objects[at].fields.iter().find(|field| field.name == "address").unwrap();
    assert_eq!(field(0).texts.len(), 3, "{:?}", objects[0].fields);
    let samples: Vec<_> = all.iter().copied().zip(&objects).take(3).collect();
    let wrapper = learn_objects(&samples).unwrap().wrapper;
    let text = wrapper.to_string();
    assert!(text.contains("lines: true"), "{text}");
    assert_eq!(Wrapper::parse(&text).unwrap(), wrapper);
    let found = apply(&wrapper, all[3]).object.unwrap();
    let address = found.fields.iter().find(|field| field.name == "address").unwrap();
    assert_eq!(address.texts, field(3).texts);
    let wrong = text.replace("lines: true", "lines: true\n        many: true");
    assert!(Wrapper::parse(&wrong).unwrap_err().to_string().contains("lines: expected"), "{wrong}");
}
