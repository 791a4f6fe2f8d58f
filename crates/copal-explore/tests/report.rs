//! The HTML report of a site: nothing that a site writes becomes markup, and nothing is loaded.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_explore::{
    ExploreOptions, Explorer, Frontier, PageOutline, ReportParts, ReportSample, page_outline, report_html,
};
use copal_extract::Request;
use copal_fetch::{FetchOptions, Politeness};
use copal_site::{VisitOptions, Visitor};
use copal_testserver::{Server, html};

/// What an attacker writes where a text, a name or a URL is expected.
const PAYLOADS: &[&str] = &[
    "<script>alert(1)</script>",
    "</pre></table></svg></style></title><script src=//bad.example></script>",
    "'><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "</title><meta http-equiv=refresh content='0;url=//bad.example'>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<style>@import '//bad.example'</style>",
    "<base href=//bad.example/>",
    "&lt;script&gt;alert(1)&lt;/script&gt;&#60;script&#62;",
    "<!--<script>--><script>alert(1)</script>",
    "\u{202e}\u{0}\u{1b}[31m<b>x</b>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "]]><xmp><script>alert(1)</script>",
];

/// A page in whose texts, names, labels and URLs the payload is, as text.
fn hostile_page(payload: &str) -> String {
    let text = payload.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let text = text.replace('\'', "&#39;");
    let items: String = (1..=8)
        .map(|n| {
            format!(
                "<li class=item><h3><a href='/kettle/{n}?q={text}'>Kettle {n} {text}</a></h3><b class='price'>£{n}.50</b>\
                 <dl><dt>{text}</dt><dd>{text} {n}</dd></dl><p>Made by hand in workshop {n}. {text}</p></li>"
            )
        })
        .collect();
    format!(
        "<!doctype html><title>{text}</title><nav aria-label='{text}'><a href='/?x={text}'>{text}</a></nav><main><h1>{text}</h1>\
         <form action='/find?{text}' role=search><label>{text} <input type=search name='{text}' placeholder='{text}'></label>\
         <select name='s{text}'><option value='{text}'>{text}<option>b</select><button>Search {text}</button></form>\
         <p class=count>8 kettles {text}</p><ul>{items}</ul><a rel=next href='?page=2&{text}'>Next page</a></main>\
         <footer>{text}</footer>"
    )
}

/// The tags and attributes of a report may only be those that the report itself writes.
fn assert_harmless(report: &str, payload: &str) {
    let page = Page::from_text(report, &Limits::default());
    let tree = &page.tree;
    for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
        let name = tree.tag_name(node);
        assert!(
            ![
                "script", "iframe", "img", "base", "object", "embed", "a", "link", "form", "input", "audio",
                "video", "frame"
            ]
            .contains(&name),
            "<{name}> for {payload}"
        );
        for (attribute, value) in tree.attributes(node) {
            assert!(!attribute.starts_with("on"), "{attribute} for {payload}");
            assert!(
                attribute != "src" && attribute != "style" && attribute != "srcdoc",
                "{attribute} for {payload}"
            );
            assert!(
                attribute != "href" || value.starts_with("data:image/png;base64,"),
                "{value} for {payload}"
            );
            assert!(attribute != "http-equiv" || value == "Content-Security-Policy", "{value} for {payload}");
        }
    }
    assert!(!report.contains('\u{0}') && !report.contains('\u{1b}'), "control characters for {payload}");
    assert!(report.contains("default-src 'none'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_site_becomes_markup() {
    for payload in PAYLOADS {
        let hostile = hostile_page(payload);
        let shown = hostile.clone();
        let server = Server::start(move |_| html(&shown));
        let mut fetch = FetchOptions::default();
        fetch.allow_private = true;
        fetch.politeness = Politeness::Off;
        fetch.retries = 0;
        let visitor = Visitor::new(fetch, VisitOptions::default()).unwrap();
        let mut options = ExploreOptions::default();
        (options.max_pages, options.explore_pages) = (12, 4);
        let frontier = Frontier::in_memory().unwrap();
        let mut explorer = Explorer::new(&server.url("/"), visitor, frontier, options, &|_| {}).unwrap();
        let report = explorer.run(&mut |_, _| Ok(())).await.unwrap();
        let mut page = Page::from_text(&hostile, &Limits::default());
        page.url = Some(format!("{}?{payload}", server.url("/")));
        let answer = copal_extract::extract(&page, &Request::default());
        let outline = page_outline(&page, &answer, payload);
        assert!(outline.blocks.len() > 10, "{outline:?}");
        let pictured = PageOutline {
            picture: Some(format!("<script>{payload}").into_bytes()),
            title: (*payload).to_owned(),
            url: (*payload).to_owned(),
            ..outline.clone()
        };
        let row = vec![(*payload).to_owned(); 3];
        let sample = ReportSample { columns: row.clone(), rows: vec![row] };
        let parts =
            ReportParts { sample: Some(&sample), wrapper: Some(payload), outlines: &[outline, pictured] };
        assert_harmless(&report_html(&report, parts), payload);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn outlines_say_where_things_are() {
    let server = Server::start(|_| html(&hostile_page("plain words")));
    let mut fetch = FetchOptions::default();
    fetch.allow_private = true;
    fetch.politeness = Politeness::Off;
    let visitor = Visitor::new(fetch, VisitOptions::default()).unwrap();
    let mut options = ExploreOptions::default();
    (options.max_pages, options.explore_pages) = (12, 4);
    let mut explorer =
        Explorer::new(&server.url("/"), visitor, Frontier::in_memory().unwrap(), options, &|_| {}).unwrap();
    let report = explorer.run(&mut |_, _| Ok(())).await.unwrap();
    let mut page = Page::from_text(&hostile_page("plain words"), &Limits::default());
    page.url = Some(server.url("/"));
    let answer = copal_extract::extract(&page, &Request::default());
    let mut outline = page_outline(&page, &answer, "the list");
    let parts = |outline: &PageOutline| {
        let outlines = std::slice::from_ref(outline);
        report_html(&report, ReportParts { outlines, ..ReportParts::default() })
    };
    let text = parts(&outline);
    for part in [
        "Where it was found",
        "class='b record'",
        "record 1",
        "class='b field'",
        "5 more records",
        "next page",
        "class='b search'",
        "announces 8 records",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("<svg") && !text.contains("img-src"), "without a browser there is no drawing");
    // a browser knows where each node is, and takes a picture
    let rect = copal_dom::Rect { x: 10.0, y: 20.0, width: 300.0, height: 50.0 };
    for block in &mut outline.blocks {
        block.rect = Some(rect);
    }
    let drawn = parts(&outline);
    assert!(
        drawn.contains("viewBox='0 0 310 70'") && drawn.contains("class='s-record' x='10' y='20'"),
        "{drawn}"
    );
    assert!(!drawn.contains("img-src"));
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    png.extend(1280_u32.to_be_bytes());
    png.extend(900_u32.to_be_bytes());
    outline.picture = Some(png);
    outline.blocks[0].rect = Some(copal_dom::Rect { x: f32::NAN, y: -1.0, width: 1e30, height: 1.0 });
    let pictured = parts(&outline);
    assert!(pictured.contains("img-src data:") && pictured.contains("data:image/png;base64,iVBORw0KGgo"));
    assert!(pictured.contains("viewBox='0 0 1280 900'") && !pictured.contains("NaN"));
    outline.picture = Some(b"<svg onload=x>".to_vec());
    assert!(!parts(&outline).contains("img-src"));
}
