//! Selectors: what they select, which are refused, and that hostile ones end.

use super::{Css, ElementIndex, identifier, quoted};
use copal_dom::{Limits, Page};
use std::time::{Duration, Instant};

fn texts(html: &str, css: &str) -> Vec<String> {
    let page = Page::from_text(html, &Limits::default());
    let index = ElementIndex::new(&page.tree);
    let nodes = Css::parse(css).unwrap().select(&index);
    nodes.into_iter().map(|node| page.text_of(node)).collect()
}

#[test]
fn selectors_select() {
    let html = "<ul id=a><li class='x y'>1<li data-k='v w'>2<li lang=en-GB class=X>3</ul><ol><li>4</ol><p>5";
    for (css, expected) in [
        ("li", "1 2 3 4"),
        ("#a > li", "1 2 3"),
        ("li.x", "1"),
        ("[data-k]", "2"),
        ("li[data-k=\"v w\"], p", "2 5"),
        ("[data-k~=w]", "2"),
        ("[lang|=en]", "3"),
        ("li + li", "2 3"),
        ("li:nth-child(2)", "2"),
        ("ul > :last-child", "3"),
        ("body :not(ul):not(ol):not(li)", "5"),
        ("ol:has(li) li", "4"),
        ("LI:first-child", "1 4"),
        ("table", ""),
        ("nosuchtag li", ""),
    ] {
        assert_eq!(texts(html, css).join(" "), expected, "{css}");
    }
}

#[test]
fn scope_is_the_element_that_is_searched() {
    let page = Page::from_text("<div><p>1</p><div><p>2</p></div></div><p>3</p>", &Limits::default());
    let index = ElementIndex::new(&page.tree);
    let outer = Css::parse("body > div").unwrap().select(&index)[0];
    let below = |css: &str| -> Vec<String> {
        let nodes = Css::parse(css).unwrap().select_below(&index, outer);
        nodes.into_iter().map(|node| page.text_of(node)).collect()
    };
    assert_eq!(below("p"), ["1", "2"]);
    assert_eq!(below(":scope > p"), ["1"]);
    assert_eq!(below(":scope > div > p"), ["2"]);
}

#[test]
fn names_and_values_are_quoted() {
    let html = "<p id='1a' title='say \"a\\b\"\n)]'>x<p class='md:w-1/2'>y";
    assert_eq!(texts(html, &format!("#{}", identifier("1a"))), ["x"]);
    assert_eq!(texts(html, &format!("p[title={}]", quoted("say \"a\\b\"\n)]"))), ["x"]);
    assert_eq!(texts(html, &format!(".{}", identifier("md:w-1/2"))), ["y"]);
}

#[test]
fn long_deep_and_malformed_selectors_are_refused() {
    let deep = format!("{}p{}", ":not(".repeat(40), ")".repeat(40));
    let steps = vec!["p"; 100].join(">");
    for (css, says) in [
        ("p".repeat(5000), "expected at most 4096"),
        (deep, "nested brackets: expected at most 32"),
        (steps, "99 steps: expected at most 64"),
        ("p[".into(), ""),
        (String::new(), "not a CSS selector"),
        ("p:hover".into(), "not a CSS selector"),
        ("p::before".into(), "not a CSS selector"),
        ("p >".into(), "not a CSS selector"),
    ] {
        match Css::parse(&css) {
            Ok(_) => assert!(says.is_empty(), "{css}"),
            Err(error) => assert!(error.to_string().contains(says), "{error}"),
        }
    }
}

#[test]
fn hostile_selectors_run_out_of_fuel() {
    let html = format!("<p>{}", "<li>x".repeat(20_000));
    let page = Page::from_text(&format!("<body>{html}"), &Limits::default());
    for css in ["p ~ li ~ li ~ b", "li ~ li ~ li ~ li ~ p", ":has(~ li ~ li ~ b)", "* ~ * ~ * ~ * b"] {
        let index = ElementIndex::new(&page.tree);
        let start = Instant::now();
        let _ = Css::parse(css).unwrap().select(&index);
        assert!(start.elapsed() < Duration::from_secs(5), "{css}");
    }
    let index = ElementIndex::new(&page.tree);
    Css::parse("b ~ li").unwrap().select(&index);
    assert!(index.is_spent());
}
