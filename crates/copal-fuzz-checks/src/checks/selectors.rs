//! Any text as a CSS selector and as an XPath: refused, or elements of the page in document order, within the work
//! limit.

use copal_dom::{Limits, Page};
use copal_wrapper::{Css, ElementIndex, css, xpath};
use std::sync::LazyLock;

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    let item = |n: usize| {
        format!("<li class='item c{n}' id=i{n} data-x={n}><a href=/{n}>Lamp <b>{n}</b></a><i>£{n}</i>")
    };
    let items: String = (0..40).map(item).collect();
    let html = format!(
        "<div id=main class='a b'><p lang=en>one<p>two<ul>{items}</ul><table><tr><td>1<td>2</table></div>"
    );
    Page::from_text(&html, &Limits::default())
});

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let tree = &PAGE.tree;
    let check_found = |found: &[u32]| {
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{text:?}: not in document order, or twice");
        assert!(found.iter().all(|node| (*node as usize) < tree.len() && !tree.is_text(*node)), "{text:?}");
    };
    match Css::parse(&text) {
        Ok(selector) => {
            let index = ElementIndex::new(tree);
            let found = selector.select(&index);
            check_found(&found);
            if !index.is_spent() {
                assert_eq!(found, selector.select(&ElementIndex::new(tree)), "{text:?}: not deterministic");
            }
            check_found(&selector.select_below(&ElementIndex::new(tree), 1));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(found) = xpath::select(tree, &text) {
        check_found(&found);
    }
    // any text can be written as a part of a selector
    for written in [format!("[title={}]", css::quoted(&text)), format!(".{}", css::identifier(&text))] {
        if written.len() <= css::MAX_SELECTOR_BYTES && !text.is_empty() {
            assert!(Css::parse(&written).is_ok(), "{written:?}");
        }
    }
}
