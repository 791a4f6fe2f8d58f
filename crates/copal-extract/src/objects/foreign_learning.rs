//! Learning where the pages of a template show other objects.
//!
//! In: some pages of a template. Out: the tag paths of the lines that belong to lists of other objects on these pages
//! and to nothing else. A page of the template then leaves out the lines with these paths, as the full extraction
//! leaves out the lists. Costs the search for lists on each of the pages given.

use super::data_area::find_data_area;
use super::detail_page::split_into_lines;
use super::foreign_places::ForeignPlaces;
use super::headline::find_headlines;
use super::switches::Switches;
use crate::lists::{ListOptions, find_with_signals};
use crate::signals::Signals;
use copal_dom::Page;
use rustc_hash::FxHashSet;

/// Learns the places from pages of one template.
pub fn learn_foreign_places(pages: &[&Page]) -> ForeignPlaces {
    let (mut foreign, mut own) = (FxHashSet::default(), FxHashSet::default());
    for page in pages {
        let signals = Signals::new(page);
        let ranked = find_with_signals(&signals, &ListOptions::default());
        let mut detail_pages = split_into_lines(&[page]);
        let headline = find_headlines(&detail_pages).pop().flatten();
        let Some(mut detail_page) = detail_pages.pop() else { continue };
        let area = find_data_area(&mut detail_page, headline, &ranked, None, None, &Switches::default());
        let lists = area.into_iter().flat_map(|area| area.other_lists);
        let mut inside = vec![false; detail_page.lines.len()];
        for part in lists.flat_map(|rank| ranked.regions[rank].records.iter().flatten()) {
            for line in detail_page.lines_in(part) {
                inside[line] = true;
            }
        }
        for (line, is_foreign) in detail_page.lines.iter().zip(inside) {
            let paths = if is_foreign { &mut foreign } else { &mut own };
            paths.insert(line.path);
        }
    }
    ForeignPlaces::from_paths(foreign.difference(&own).copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{KnownContent, extract_known};
    use crate::{KindRequest, Request, extract};
    use copal_dom::Limits;
    use std::sync::Arc;

    fn page(number: usize) -> Page {
        let other = |n: usize| {
            let n = 10 * number + n;
            format!(
                "<li><a href=/book/{n}><img src=/{n}.jpg><b>Book number {n}</b></a><i>by Writer {n}</i><em>£{n}.50</em></li>"
            )
        };
        let others: String = (1..7).map(other).collect();
        let html = format!(
            "<html><head><title>The novel {number}</title></head><body><div id=main><h1>The novel {number}</h1>\
             <dl><dt>Pages</dt><dd>{}</dd><dt>Publisher</dt><dd>House {number}</dd><dt>ISBN</dt><dd>9780141439587</dd></dl>\
             <p class=price>Price: £{number}.99</p></div><section><h2>You may also like</h2><ul>{others}</ul></section>",
            100 + number
        );
        Page::from_text(&html, &Limits::default())
    }

    #[test]
    fn a_page_of_the_template_leaves_out_other_objects_as_in_full() {
        let samples = [page(1), page(2), page(3)];
        let places = learn_foreign_places(&samples.each_ref());
        assert!(!places.paths().is_empty());
        assert_eq!(ForeignPlaces::from_paths(places.paths()), places);
        let later = page(7);
        // what the page is about is not the question here
        let request = Request { kind: KindRequest::Object, ..Request::default() };
        let full = extract(&later, &request).object.expect("an object").fields;
        let known = |places: ForeignPlaces| {
            let known = KnownContent::Object { foreign: Arc::new(places) };
            extract_known(&later, known, &request).object.expect("an object").fields
        };
        assert_eq!(format!("{:?}", known(places)), format!("{full:?}"));
        assert!(full.iter().all(|field| field.texts.iter().all(|text| !text.contains("Writer"))));
    }
}
