//! A wrapper that is learned from a page and applied to it finds the records and cells of the extraction.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page, PageSource};
use copal_extract::{Answer, CellSource, Request, extract};
use copal_wrapper::{Wrapper, apply, learn};
use std::fs;
use std::path::{Path, PathBuf};

/// Pages whose lists are not learned completely, and why.
const NOT_YET: &[(&str, &str)] = &[
    ("cameras/page.html", "a column whose cells are in the middle of lines"),
    ("mdr-fig17/page.html", "records whose parts are not neighbours"),
    ("mdr-fig17-three-rows/page.html", "records whose parts are not neighbours"),
    ("mdr-fig17-two-rows/page.html", "records whose parts are not neighbours"),
    ("products/page.html", "a labelled item that a single record has"),
    ("table-bold-heads/page.html", "rows that differ from records only in their bold texts"),
    ("table-rowspan/page.html", "cells that span several rows"),
    ("template-other-tag/page.html", "records of two tags with little in common"),
];

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<PathBuf> = Vec::new();
    for folder in ["examples", "testdata/pages", "testdata/corpus/lists", "testdata/domains"] {
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "html") {
                    pages.push(path);
                }
            }
        }
    }
    pages.sort();
    pages
}

fn read(path: &Path) -> Page {
    Page::from_bytes(&fs::read(path).unwrap(), PageSource::default(), &Limits::default()).unwrap()
}

/// Equal records, all records, equal cells, all cells.
fn compare(known: &Answer, again: &Answer) -> [usize; 4] {
    let known = known.primary().unwrap();
    let Some(again) = again.primary() else { return [0, known.records.len(), 0, 1] };
    let mut counts = [0, known.records.len().max(again.records.len()), 0, 0];
    for (a, b) in known.records.iter().zip(&again.records) {
        counts[0] +=
            usize::from(a.place.parts == b.place.parts && a.text == b.text && a.xpaths() == b.xpaths());
        // headings are outside the record, and `other` collects texts of many places: no locator finds them
        let columns = known.columns.iter().enumerate().filter(|(_, column)| column.name != "other");
        for (c, column) in columns.filter(|(_, column)| column.source != CellSource::Heading) {
            let same = again.columns.iter().position(|other| other.name == column.name);
            counts[2] += usize::from(same.is_some_and(|same| b.cells[same].same_texts(&a.cells[c])));
            counts[3] += 1;
        }
    }
    counts
}

#[test]
fn learned_lists_are_found_again() {
    let mut all = [0; 4];
    let mut failed = Vec::new();
    for path in pages() {
        let page = read(&path);
        let known = extract(&page, &Request::default());
        if known.primary().is_none_or(|list| list.origin != copal_extract::Origin::Page) {
            continue;
        }
        let name = path
            .components()
            .rev()
            .take(2)
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>();
        let name = format!("{}/{}", name[1], name[0]);
        let learned = match learn(&[(&page, &known)]) {
            Ok(learned) => learned,
            Err(why) => {
                failed.push(format!("{name}: {why}"));
                continue;
            }
        };
        let text = learned.wrapper.to_string();
        let wrapper = Wrapper::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(wrapper.to_string(), text, "{name}");
        let counts = compare(&known, &apply(&wrapper, &page));
        if counts[0] < counts[1] || counts[2] < counts[3] {
            failed.push(format!(
                "{name}: records {} of {}, cells {} of {}; {}",
                counts[0],
                counts[1],
                counts[2],
                counts[3],
                learned.notes.join("; ")
            ));
        }
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    println!("records {} of {}, cells {} of {}\n{}", all[0], all[1], all[2], all[3], failed.join("\n"));
    let unexpected = |line: &&String| !NOT_YET.iter().any(|(name, _)| line.starts_with(name));
    assert_eq!(failed.iter().find(unexpected), None);
    assert!(all[1] > 900 && 100 * all[0] >= 99 * all[1] && 100 * all[2] >= 98 * all[3], "{all:?}");
}
