//! Cells that a wrapper reads are what the page has at their sources.

#![allow(clippy::unwrap_used)]

use copal_dom::url::BaseUrl;
use copal_dom::{Limits, Page, PageSource};
use copal_extract::{Answer, CellSource, Request, extract, source_text};
use copal_wrapper::{Wrapper, apply, learn, learn_section};
use std::fs;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")];
    let mut pages = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "html") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

fn read(path: &Path) -> Page {
    let source = PageSource { url: Some("https://a.example/b/".into()), charset: None };
    Page::from_bytes(&fs::read(path).unwrap(), source, &Limits::default()).unwrap()
}

/// Checks every source of an answer; the numbers of texts with a source and without.
fn check(page: &Page, answer: &Answer) -> [usize; 2] {
    let base = BaseUrl::of(page);
    let mut counts = [0; 2];
    for region in &answer.regions {
        for (column, cell) in
            region.records.iter().flat_map(|record| region.columns.iter().zip(&record.cells))
        {
            for text in &cell.texts {
                let Some(source) = &text.source else {
                    counts[1] += 1;
                    continue;
                };
                counts[0] += 1;
                assert!(!page.tree.is_text(source.node));
                let whole = source_text(page, source);
                let there = &whole[source.span.start as usize..source.span.end as usize];
                assert_eq!(
                    source.attribute.is_some(),
                    matches!(column.source, CellSource::Href | CellSource::Src)
                );
                if source.attribute.is_some() {
                    assert_eq!(base.resolve(there), text.text);
                } else {
                    assert_eq!(there, text.text);
                }
            }
        }
    }
    counts
}

#[test]
fn the_source_of_a_text_has_the_text() {
    let mut all = [0; 2];
    for path in pages() {
        let page = read(&path);
        let Ok(learned) = learn(&[(&page, &extract(&page, &Request::for_lists()))]) else { continue };
        let counts = check(&page, &apply(&learned.wrapper, &page));
        all = [all[0] + counts[0], all[1] + counts[1]];
    }
    assert!(all[0] > 1000 && all[1] == 0, "{all:?}");
}

#[test]
fn parts_of_texts_have_sources() {
    let item = |n: usize| {
        format!(
            "<li><h3><a href=' /{n} '>Lamp {n}</a></h3><p>by <b>Ann</b> &bull; {n} m &bull; {n} kg<br>Old</p></li>"
        )
    };
    let html = format!("<ul>{}</ul>", (1..6).map(item).collect::<String>());
    let page = Page::from_text(&html, &Limits::default());
    let wrapper = "copal: 1\npages:\n  - kind: list\n    region: [ul]\n    record: {find: [li]}\n    columns:\n      \
        - {name: whole, find: [p]}\n      \
        - {name: own, find: [{css: p, text: 1}]}\n      \
        - {name: after, find: [p], cut: {after: by}}\n      \
        - {name: piece, find: [p], cut: {split: \" \u{2022} \", piece: 2}}\n      \
        - {name: between, find: [p], cut: {after: m, before: kg}}\n      \
        - {name: link, find: [a], from: href}\n";
    let answer = apply(&Wrapper::parse(wrapper).unwrap(), &page);
    let record = &answer.regions[0].records[1];
    let texts: Vec<&str> = record.cell_texts().collect();
    assert_eq!(
        texts,
        [
            "by Ann \u{2022} 2 m \u{2022} 2 kg Old",
            "by",
            "Ann \u{2022} 2 m \u{2022} 2 kg Old",
            "2 m",
            "\u{2022} 2",
            "/2"
        ]
    );
    assert_eq!(check(&page, &answer), [30, 0]);
}

#[test]
fn sections_have_sources() {
    let html = "<table><tr><th>Tree<th>Height<tr><td>Oak<td>12 m<tr><td>Ash<td> 9 <i>m</i></table>";
    let page = Page::from_text(html, &Limits::default());
    let learned = learn_section(&page, "//table").unwrap();
    assert_eq!(check(&page, &apply(&learned, &page)), [4, 0]);
}
