//! What `page_sections` says about a section is what reading it gives, and empty sections have nothing.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_wrapper::{deuds, page_sections};

#[test]
fn records_and_columns_are_those_of_the_section() {
    let html = "<body><h1>Fund</h1><div>Net asset value <b>12.5</b> <i>+0.3</i></div>
        <table><tr><th>Day<th>Value<tr><td>Mon<td>12<tr><td>Tue<td>13</table><ul><li>one<li>two<li>three</ul>
        <dl><dt>Size<dd>3 cm<dt>Weight<dd>2 kg</dl><dl><p hidden>x</p>text</dl><table><tr><td hidden>a</table></body>";
    let page = Page::from_text(html, &Limits::default());
    let sections = page_sections(&page);
    assert!(sections.len() >= 5, "{sections:?}");
    for section in sections {
        let read = deuds::read(&page, section.node);
        let counts = read.primary().map_or((0, 0), |list| (list.records.len(), list.columns.len()));
        assert_eq!((section.records, section.columns), counts, "{section:?}");
    }
}
