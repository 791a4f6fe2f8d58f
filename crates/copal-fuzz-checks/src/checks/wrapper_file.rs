//! Any text as a wrapper file: refused with one line, or a wrapper that is written and read back, reads pages, is
//! checked against them and exported to every tool.

use copal_dom::{Limits, Page};
use copal_wrapper::export::{Target, export};
use copal_wrapper::{Wrapper, apply, check as check_drift, next_page};
use std::sync::LazyLock;

const TARGETS: [Target; 5] =
    [Target::Scrapy, Target::Crawl4ai, Target::Oxpath, Target::Playwright, Target::XpathJson];

static PAGES: LazyLock<[Page; 2]> = LazyLock::new(|| {
    let item = |n: usize| {
        format!(
            "<li class='item c{n}'><img src={n}.png><h3><a href=/{n}>Lamp {n}</a></h3><i class=price>£{n}.50</i> \
             Maker: Fox {n}<br>Size: {n} cm, {n} kg</li>"
        )
    };
    let list = format!(
        "<main id=m><ul class=list>{}</ul><a rel=next href=?p=2>Next</a></main>",
        (1..9).map(item).collect::<String>()
    );
    let detail = "<main id=m><h1>Lamp</h1><dl><dt>Price</dt><dd>£3</dd><dt>Size</dt><dd>4 cm</dd></dl>\
        <table><tr><th>a<th>b<tr><td>1<td>2</table></main>";
    [&list, detail].map(|html| Page::from_text(html, &Limits::default()))
});

pub(crate) fn check(bytes: &[u8]) {
    check_text(&String::from_utf8_lossy(bytes));
}

/// Checks the text of a wrapper file. True if it is valid.
pub(crate) fn check_text(text: &str) -> bool {
    let wrapper = match Wrapper::parse(text) {
        Ok(wrapper) => wrapper,
        Err(error) => {
            assert!(!error.to_string().is_empty() && error.to_string().len() < 20_000, "{error}");
            return false;
        }
    };
    let written = wrapper.to_string();
    let again = Wrapper::parse(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again.to_string(), written, "a wrapper changes when it is written twice");
    for page in &*PAGES {
        let answer = apply(&wrapper, page);
        for region in &answer.regions {
            for record in &region.records {
                assert_eq!(record.cells.len(), region.columns.len());
            }
        }
        assert_eq!(format!("{answer:?}"), format!("{:?}", apply(&wrapper, page)), "not deterministic");
        let _ = next_page(&wrapper, page);
    }
    let _ = check_drift(&wrapper, &PAGES.iter().collect::<Vec<_>>());
    for target in TARGETS {
        let _ = export(&wrapper, target, Some("https://a.example/"));
    }
    true
}
