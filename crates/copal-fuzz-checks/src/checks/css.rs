//! Stylesheets to styles: the input as a stylesheet, as an inline style and as a whole page.

use copal_css::{Stylesheets, style_page};
use copal_dom::style::Display;
use copal_dom::{Limits, NONE, Page};
use std::time::Duration;

const BODY: &str = "<body class=a><div id=x class='a b'><p class=b>one<b>two</b></p><ul><li>1<li class=a>2</ul>\
    <table><tr><td align=center>3<td>4</table></div><h1>t</h1><a href=u>l</a><input><font size=+1 color=red>f</font>";

pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_page(&format!("<style>{text}</style>{BODY}"), &text);
    let attribute = text.replace('&', "&amp;").replace('"', "&quot;");
    check_page(
        &format!(
            "<style>p{{color:red}}</style><link rel=stylesheet href=s.css><p style=\"{attribute}\">a<b>1"
        ),
        &text,
    );
    check_page(&text, "b{display:none}");
}

fn check_page(html: &str, sheet: &str) {
    let mut limits = Limits::default();
    limits.time = Duration::from_hours(1);
    let mut page = Page::from_text(html, &limits);
    let mut sheets = Stylesheets::new(Some("https://a.example/"));
    // a stylesheet that may import itself
    sheets.add("https://a.example/s.css", Some(sheet.to_owned()));
    let first = style_page(&mut page, &sheets);
    let styles = page.styles.clone();
    let second = style_page(&mut page, &sheets);
    assert_eq!((first.is_styled, first.missing), (second.is_styled, second.missing));
    let tree = &page.tree;
    for node in tree.nodes() {
        let parent = tree.parent(node);
        assert_eq!(styles.style(node), page.styles.style(node), "style of {node} differs the second time");
        assert_eq!(styles.is_shown(node), page.styles.is_shown(node));
        if styles.display(node) == Display::None || parent != NONE && !styles.is_shown(parent) {
            assert!(!styles.is_shown(node), "{node} is shown in what is hidden");
        }
        assert!(styles.style(node).size <= 6000, "font size of {node}");
    }
    let visible = page.visible_text(tree.nodes());
    let chars = visible.chars().filter(|c| !c.is_whitespace()).count();
    assert_eq!(chars, page.index.chars(&tree.nodes()) as usize, "visible text and its count differ");
}
