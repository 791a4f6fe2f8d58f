//! Every text of a cell equals the text at its source, on all pages of the test data and for every method and
//! domain.

#![allow(clippy::unwrap_used)]

use copal_dom::url::BaseUrl;
use copal_dom::{Limits, Page, attrs};
use copal_domain::Domain;
use copal_extract::multipage::MultiPageList;
use copal_extract::{
    CellSource, CellText, Method, NamedBy, Provenance, Record, Region, Request, extract, source_nodes,
    source_text,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn pages() -> Vec<(PathBuf, Page)> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let bytes = fs::read(&path).unwrap();
            let source = copal_dom::PageSource { url: Some("https://a.example/b/".into()), charset: None };
            found.push((path, Page::from_bytes(&bytes, source, &Limits::default()).unwrap()));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(found.len() > 50, "{}", found.len());
    found
}

/// Text without white space, which does not depend on how the words of two nodes are joined.
fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\u{200b}' | '\u{feff}')).collect()
}

/// How many texts have a source, and how many have none.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    with: usize,
    without: usize,
}

impl Counts {
    fn region(&mut self, page: &Page, region: &Region) {
        let base = BaseUrl::of(page);
        for record in &region.records {
            for (column, cell) in region.columns.iter().zip(&record.cells) {
                let exact = column.named_by != NamedBy::Domain;
                // a section of two levels ("2021 / May") is at two places
                let own = matches!(cell.provenance, Provenance::Found | Provenance::Inferred)
                    && column.source != CellSource::Heading;
                for text in &cell.texts {
                    let has_source = check(page, &base, record, text, exact);
                    self.with += usize::from(has_source);
                    self.without += usize::from(own && !has_source);
                }
            }
            record.children.iter().for_each(|child| self.region(page, child));
        }
    }
}

/// Checks the source of a text. False if the text has none.
fn check(page: &Page, base: &BaseUrl, record: &Record, text: &CellText, exact: bool) -> bool {
    let Some(source) = &text.source else { return false };
    let whole = source_text(page, source);
    let there = &whole[source.span.start as usize..source.span.end as usize];
    assert!(!page.tree.is_text(source.node));
    assert!(record.place.xpaths.contains(source.node), "{text:?}");
    let is_url = matches!(source.attribute, Some(attrs::HREF | attrs::SRC | attrs::DATA_SRC));
    let same = if is_url && there != text.text {
        base.resolve(there) == text.text
    } else if exact {
        there == text.text
    } else {
        without_space(there) == without_space(&text.text)
    };
    assert!(same, "{there:?} is not {text:?}");
    if source.attribute.is_none() {
        let nodes = source_nodes(page, source).unwrap();
        assert!(page.tree.contains(source.node, nodes.start) && nodes.end <= page.tree.end(source.node));
        assert!(without_space(&page.visible_text(nodes)).contains(&without_space(&text.text)));
    } else {
        assert!(source.attribute_name().is_some());
    }
    true
}

#[test]
fn the_source_of_a_text_has_the_text() {
    for method in Method::ALL {
        let mut options = Request::default();
        (options.all, options.navigation, options.embedded) = (true, true, true);
        options.lists.method = method;
        let mut counts = Counts::default();
        for (name, page) in pages() {
            let before = counts.without;
            extract(&page, &options).regions.iter().for_each(|region| counts.region(&page, region));
            assert_eq!(counts.without, before, "{method}: {}", name.display());
        }
        assert!(counts.with > 1000, "{method}: {counts:?}");
    }
}

#[test]
fn the_attributes_of_a_domain_have_sources() {
    let mut counts = Counts::default();
    for (path, page) in pages() {
        for name in ["real-estate", "used-cars", "books", "jobs"] {
            if !path.to_string_lossy().contains(name) && !path.to_string_lossy().contains("amber") {
                continue;
            }
            let mut options = Request::default();
            options.all = true;
            options.lists.method = Method::Amber;
            options.lists.amber.domain = Some(Arc::new(Domain::load(name).unwrap()));
            extract(&page, &options).regions.iter().for_each(|region| counts.region(&page, region));
        }
    }
    // a position on a map comes from two HTML attributes
    assert!(counts.with > 300 && 20 * counts.without < counts.with, "{counts:?}");
}

#[test]
fn texts_of_following_pages_have_sources_on_those_pages() {
    let list = |from: usize| {
        let item = |n: usize| {
            format!("<li><h3><a href='/{n}'>Lamp {n}</a></h3><p>Old lamp of type {n}</p><b>£{n}</b></li>")
        };
        let items: String = (from..from + 8).map(item).collect();
        Page::from_text(&format!("<h1>Lamps</h1>{}<ul>{items}</ul>", "<hr>".repeat(from)), &Limits::default())
    };
    let (first, second) = (list(1), list(9));
    let options = Request::default();
    let mut series = MultiPageList::begin(first.clone(), &extract(&first, &options), &options).unwrap();
    assert_eq!(series.add(&second).unwrap().new, 8);
    let region = series.finish();
    let mut counts = Counts::default();
    let (mut own, mut further) = (region.clone(), region);
    further.records.drain(..8);
    own.records.truncate(8);
    counts.region(&first, &own);
    counts.region(&second, &further);
    assert!(counts.with >= 4 * 16 && counts.without == 0, "{counts:?}");
    assert_eq!(further.records[0].xpaths(), ["/html/body/ul[1]/li[1]"]);
    assert!(further.records[0].place.parts.is_empty());
}
