//! Stylesheets that want too much: every one ends, and either gives styles or a warning.

#![allow(clippy::unwrap_used)]

use copal_css::{Stylesheets, style_page};
use copal_dom::{Limits, Page, Warning};

fn styled(css: &str, body: &str) -> Page {
    let mut page = Page::from_text(&format!("<style>{css}</style><body>{body}"), &Limits::default());
    style_page(&mut page, &Stylesheets::default());
    page
}

fn is_cut(page: &Page) -> bool {
    page.warnings.iter().any(|warning| matches!(warning, Warning::LeftOut { what } if what == "styles"))
}

#[test]
fn rules_that_match_everything_use_up_their_fuel() {
    let css: String = (0..20_000).map(|n| format!("*{{color:#{n:06x}}}")).collect();
    let page = styled(&css, &"<p>x</p>".repeat(20_000));
    assert!(is_cut(&page));
    // the page is read as without stylesheets
    assert_eq!(page.text_of(page.tree.find(copal_dom::tags::P).unwrap()), "x");
}

#[test]
fn slow_selectors_use_up_their_fuel() {
    let many = "<li>x</li>".repeat(20_000);
    for css in ["p ~ li{color:red}", "li:has(~ b){color:red}", "* * * * * * b ~ li{color:red}"] {
        let page = styled(&format!("{css} {css} i{{color:red}}").repeat(200), &many);
        assert!(page.text_of(0).len() > 20_000, "{css}");
    }
}

#[test]
fn nesting_is_limited() {
    let deep = 50_000;
    for css in [
        "@media all{".repeat(deep),
        "a{".repeat(deep),
        format!("a{}{{color:red}}", ":not(a".repeat(deep)),
        format!("a{}{{color:red}}", ":is(a,b".repeat(deep)),
        format!("a{{font-size:{}1px}}", "calc(".repeat(deep)),
        format!("a{{color:{}}}", "var(--a,".repeat(deep)),
        format!("@media {}", "(".repeat(deep)),
        format!("@supports {}", "(not ".repeat(deep)),
        "@layer a{".repeat(deep),
        format!("@layer {};", "a.".repeat(deep)),
        "{[(".repeat(deep),
        format!("{} b{{color:red}}", "a ".repeat(deep)),
        format!("{} b{{color:red}}", "a > ".repeat(deep)),
        "a{& &{& &{& &{& &{& &{& &{& &{color:red}}}}}}}}".repeat(100),
    ] {
        let css = css + "}p{color:blue}";
        let run = move || styled(&css, "<a><b>x</b></a><p>y").text_of(0);
        let small_stack = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
        assert!(small_stack.join().unwrap().contains('x'));
    }
}

#[test]
fn deep_trees_need_no_stack() {
    let page = styled("div div{color:red} div > p{color:blue}", &"<div>".repeat(400));
    assert!(page.tree.len() > 400 && !is_cut(&page));
}

#[test]
fn too_many_rules_and_bytes_are_cut_with_a_warning() {
    assert!(is_cut(&styled(&"q{color:red}".repeat(70_000), "x")));
    assert!(is_cut(&styled(&format!("q{{color:red}}/*{}*/", "x".repeat(5_000_000)), "x")));
}

#[test]
fn custom_properties_are_limited() {
    let names: String = (0..3000).map(|n| format!("--v{n}:var(--v{}) var(--v{});", n + 1, n + 2)).collect();
    let css = format!(":root{{{names}}} p{{color:var(--v0)}} div{{{names}}}");
    let page = styled(&css, &"<div><p>x".repeat(2000));
    assert!(page.text_of(0).starts_with('x'));
}

#[test]
fn stylesheets_that_import_themselves_end() {
    let mut page = Page::from_text("<link rel=stylesheet href=a.css><p>x", &Limits::default());
    let mut sheets = Stylesheets::new(Some("https://a.example/"));
    sheets.add("https://a.example/a.css", Some("@import 'a.css';".repeat(300) + "p{display:none}"));
    assert!(style_page(&mut page, &sheets).is_styled);
    assert_eq!(page.text_of(0), "");
}

#[test]
fn broken_stylesheets_do_no_harm() {
    for css in [
        "",
        "}",
        "{}",
        "p{",
        "p{color",
        "p{color:",
        "p{color:}",
        "@",
        "@media",
        "@media{",
        "@import",
        "@import ''",
        "@import url(",
        "@layer",
        "@layer;",
        "@layer ,;",
        "/*",
        "p{color:red/*",
        "\"",
        "p{color:\"",
        "\\",
        "p{\\",
        "p{font:}",
        "p{font:1px}",
        "p{--:1}",
        "p{--a}",
        "p{color:var()}",
        "p{color:var(}",
        "p{color:var(--a,}",
        "p{font-size:calc(1px/0)}",
        "p{font-size:1e40px}",
        "p{font-size:calc(1e40em*1e40)}",
        "p{clip:rect(}",
        "p{font-weight:99999}",
        "p{color:rgb(}",
        "p{color:hsl(1e40,1e40%,1e40%)}",
        "&{color:red}",
        "p{&{}}",
        "é{ü:ß}",
        "p{color:rgb(nan,0,0)}",
        "\u{0}p{color:red}",
        "p{display:none!}",
        "p{display:none!!important}",
        "::{}",
        ":{}",
        ":not(){color:red}",
        ":has(){color:red}",
        "p:nth-child(99999999999n+1){color:red}",
        "[a={color:red}",
        "|p{}",
    ] {
        styled(css, "<p class='p' style='color:var(--a);font-size:calc(1em'>x</p>");
    }
}
