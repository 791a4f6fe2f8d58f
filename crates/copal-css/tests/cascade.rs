//! Which declaration wins, and what is visible then.

// sizes are exact: they are computed as written here
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use copal_css::{Colour, ComputedStyle, Stylesheets, computed_styles, style_page};
use copal_dom::style::Display;
use copal_dom::{Limits, Page, attrs};

fn page(html: &str) -> Page {
    Page::from_text(&format!("<!doctype html>{html}"), &Limits::default())
}

/// The computed style of the element with the id `x`.
fn style_of_x(html: &str) -> ComputedStyle {
    let page = page(html);
    let computed = computed_styles(&page.tree, &Stylesheets::default()).unwrap();
    let x = page.tree.nodes().find(|&node| page.tree.attr(node, attrs::ID) == Some("x")).unwrap();
    computed.of(x).clone()
}

fn colour(css: &str) -> Colour {
    Colour::from_css(css).unwrap()
}

fn visible_text(html: &str) -> String {
    let mut page = page(html);
    assert!(style_page(&mut page, &Stylesheets::default()).is_styled, "{html}");
    page.text_of(0)
}

#[test]
fn specificity_order_and_importance_decide() {
    let cases = [
        ("p{color:red} p{color:blue}", "blue"),
        (".a{color:red} p{color:blue}", "red"),
        ("#x{color:red} .a.b{color:blue}", "red"),
        ("p{color:red!important} #x{color:blue}", "red"),
        ("div p{color:red} p.a{color:blue}", "blue"),
        (":where(#x){color:red} p{color:blue}", "blue"),
        (":is(#x,q){color:red} .a.b{color:blue}", "red"),
        ("div>p{color:red} div+p{color:blue}", "red"),
        ("p:first-child{color:red}", "red"),
        ("p:nth-child(2){color:red} p{color:blue}", "blue"),
        ("p:not(.c){color:red}", "red"),
        ("div:has(> .a) p{color:red}", "red"),
        ("p:hover{color:red} p::before{color:green} p{color:blue}", "blue"),
        ("p, p::before{color:red}", "red"),
        ("p, p::-unknown{color:red} p{color:blue}", "blue"),
        ("@media print{p{color:red}} @media screen and (min-width:900px){p{color:blue}}", "blue"),
        ("@supports (display:grid){p{color:red}}", "red"),
        ("@layer one{#x{color:red}} p{color:blue}", "blue"),
        ("@layer two,one; @layer one{p{color:red}} @layer two{#x{color:blue}}", "red"),
        ("@layer one{p{color:red!important}} #x{color:blue!important}", "red"),
        ("div{color:green; p{color:red}}", "red"),
        ("div{.a&{color:green} & > .a{color:red}}", "red"),
        ("div{@media screen{color:red}}", "red"),
        (".A{color:red} p{color:blue}", "blue"),
        ("p{color:reddish} p{color:blue;color:nonsense}", "blue"),
        ("p{color:red;} } p{color:blue}", "red"),
        ("<!-- p{color:red} -->", "red"),
    ];
    for (css, wanted) in cases {
        let html = format!("<style>{css}</style><div><p id=x class='a b'>t</p></div>");
        assert_eq!(style_of_x(&html).colour, colour(wanted), "{css}");
    }
    let inline = "<style>#x{color:red} p{background:red!important}</style>\
        <p id=x style='color:blue;background:blue'>t";
    assert_eq!(style_of_x(inline).colour, colour("blue"));
    assert_eq!(style_of_x(inline).background, colour("red"));
}

#[test]
fn values_are_inherited_and_computed() {
    let size = |html: &str| style_of_x(html).font_size;
    assert_eq!(size("<style>div{font-size:20px} p{font-size:1.5em}</style><div><p id=x>t"), 30.0);
    assert_eq!(size("<style>html{font-size:62.5%} p{font-size:1.6rem}</style><p id=x>t"), 16.0);
    assert_eq!(size("<style>p{font-size:clamp(1rem, 1rem + 1vw, 2rem)}</style><p id=x>t"), 28.8);
    assert_eq!(size("<style>p{font:italic 700 14px/2 Arial,sans-serif}</style><p id=x>t"), 14.0);
    assert_eq!(size("<code id=x>t</code>"), 13.0);
    assert_eq!(size("<style>code{font-family:monospace,monospace}</style><code id=x>t</code>"), 16.0);
    assert_eq!(size("<h1><small id=x>t</small></h1>"), 32.0 / 1.2);
    assert_eq!(size("<font size=+2><b id=x>t"), 24.0);
    let weight = |html: &str| style_of_x(html).font_weight;
    assert_eq!(weight("<style>p{font-weight:300}</style><p><b id=x>t</b>"), 400);
    assert_eq!(weight("<b><b id=x>t</b></b>"), 900);
    assert_eq!(weight("<style>h2{font-weight:inherit}</style><h2 id=x>t"), 400);
    assert_eq!(weight("<style>h2{all:unset}</style><h2 id=x>t"), 400);
    assert_eq!(style_of_x("<style>h2{all:unset}</style><h2 id=x>t").display, "inline");
    assert_eq!(style_of_x("<style>p{display:flex;display:revert}</style><p id=x>t").display, "block");
    assert_eq!(style_of_x("<style>div{display:flex}</style><div><span id=x>t").display, "block");
    assert_eq!(style_of_x("<style>span{float:left}</style><span id=x>t").display, "block");
}

#[test]
fn custom_properties_are_inherited() {
    let html = "<style>:root{--main:red;--size:calc(var(--step)*2)} div{--main:blue;--step:10px} \
        p{color:var(--main,green);font-size:var(--size)} b{color:var(--none,green)} i{color:var(--none)}</style>\
        <div><p id=x>t</p></div>";
    let style = style_of_x(html);
    assert_eq!(style.colour, colour("blue"));
    // `--size` refers to a property that does not exist where it is declared
    assert_eq!(style.font_size, 16.0);
    assert_eq!(style_of_x(&html.replace("<p id=x>t</p>", "<b id=x>t</b>")).colour, colour("green"));
    assert_eq!(style_of_x(&html.replace("<p id=x>t</p>", "<i id=x>t</i>")).colour, Colour::BLACK);
    assert_eq!(
        style_of_x("<style>:root{--c:red}</style><p id=x style='color:var(--c)'>").colour,
        colour("red")
    );
}

#[test]
fn what_stylesheets_hide_is_not_visible() {
    for (css, wanted) in [
        (".a{display:none}", "one three"),
        (".a{visibility:hidden}", "one three"),
        (".a{display:none} p.a{display:block}", "one two three"),
        ("@media (max-width:600px){.a{display:none}} b{color:red}", "one two three"),
        (".a{position:absolute;left:-9999px}", "one three"),
        (".a{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}", "one three"),
        (".a{clip:rect(0,0,0,0)}", "one two three"),
        (".a{text-indent:-9999px}", "one three"),
        (".a{font-size:0}", "one three"),
        ("div{visibility:hidden} .a{visibility:visible}", "two"),
        ("div{display:none} .a{display:block!important}", ""),
    ] {
        let html = format!("<style>{css}</style><div><p>one</p><p class=a>two</p><p>three</p></div>");
        assert_eq!(visible_text(&html), wanted, "{css}");
    }
}

#[test]
fn pages_without_stylesheets_keep_their_styles() {
    let mut page = page("<p hidden>a<p style='display:none'>b<p>c<span style='display:block'>d</span>");
    assert!(!style_page(&mut page, &Stylesheets::default()).is_styled);
    assert_eq!(page.text_of(0), "c d");
}

#[test]
fn elements_keep_what_extraction_needs() {
    let mut page = page(
        "<style>b{display:block;text-decoration:line-through} a{color:#123}</style>\
         <p>x<b>y <i>z</i></b><a href=q>w</a><select><option>no</select>",
    );
    style_page(&mut page, &Stylesheets::default());
    let text = |wanted: &str| {
        page.tree.nodes().find(|&n| page.tree.is_text(n) && page.tree.raw_text(n) == wanted).unwrap()
    };
    assert_eq!(page.text_of(0), "x y z w");
    assert!(page.styles.style(text("z")).strike && page.styles.style(text("z")).italic);
    assert_ne!(page.styles.style(text("w")).colour, page.styles.style(text("x")).colour);
    assert_eq!(page.styles.display(page.tree.parent(text("y "))), Display::Block);
}

#[test]
fn linked_and_imported_stylesheets_are_asked_for_and_used() {
    let mut page = page(
        "<link rel=stylesheet href=/a.css><link rel=stylesheet media=print href=p.css>\
         <link rel='alternate stylesheet' href=c.css><link rel=icon href=i.png><p class=a>one<p class=b>two",
    );
    let mut sheets = Stylesheets::new(Some("https://shop.example/list/"));
    assert_eq!(style_page(&mut page, &sheets).missing, ["https://shop.example/a.css"]);
    sheets.add("https://shop.example/a.css", Some("@import 'css/b.css' screen; .a{display:none}".into()));
    assert_eq!(style_page(&mut page, &sheets).missing, ["https://shop.example/css/b.css"]);
    assert_eq!(page.text_of(0), "two");
    sheets.add("https://shop.example/css/b.css", Some(".b{display:none}".into()));
    assert!(style_page(&mut page, &sheets).missing.is_empty());
    assert_eq!(page.text_of(0), "");
    let mut sheets = Stylesheets::new(Some("https://shop.example/list/"));
    sheets.add("https://shop.example/a.css", None);
    assert!(style_page(&mut page, &sheets).missing.is_empty());
}
