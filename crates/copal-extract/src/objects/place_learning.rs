//! Learning which lines of a template are about other objects, and which are the same on all pages.
//!
//! In: some pages of a template, with the areas of their objects. Out: evidence for [`TemplatePlaces`]. A line about other
//! objects belongs to a list of them on the pages given; a page of the template then leaves out the lines with its path, as
//! the full extraction leaves out the lists. Costs the search for lists on each of the pages.

use super::data_area::find_data_area;
use super::detail_page::{DetailPage, split_into_lines};
use super::headline::find_headlines;
use super::switches::Switches;
use super::template_places::{TemplatePlaces, path_and_line};
use crate::lists::{ListOptions, find_with_signals};
use crate::signals::Signals;
use copal_dom::{Node, Page, tags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Evidence for the places of a template.
#[derive(Debug, Default)]
pub struct PlaceEvidence {
    /// By tag path: lines in lists of other objects, and all lines.
    paths: FxHashMap<u64, (usize, usize)>,
    /// Lines that all pages show outside the areas of their objects.
    furniture: FxHashSet<u64>,
}

impl PlaceEvidence {
    /// The evidence of pages of one template, each with the area of its object.
    pub fn new(pages: &[(&Page, Option<Node>)]) -> PlaceEvidence {
        let mut evidence = PlaceEvidence::default();
        for (number, &(page, area)) in pages.iter().enumerate() {
            let mut detail_pages = split_into_lines(&[page]);
            let headline = find_headlines(&detail_pages).pop().flatten();
            let Some(mut detail_page) = detail_pages.pop() else { continue };
            let own = furniture(&detail_page, headline, area);
            if number == 0 {
                evidence.furniture = own;
            } else {
                evidence.furniture.retain(|line| own.contains(line));
            }
            evidence.add_lists(&mut detail_page, headline);
        }
        evidence
    }

    /// Counts the lines of a page that are in lists of other objects.
    fn add_lists(&mut self, page: &mut DetailPage<'_>, headline: Option<usize>) {
        let signals = Signals::new(page.dom);
        let ranked = find_with_signals(&signals, &ListOptions::default());
        let area = find_data_area(page, headline, &ranked, None, None, &Switches::default());
        let lists = area.into_iter().flat_map(|area| area.other_lists);
        let mut inside = vec![false; page.lines.len()];
        for part in lists.flat_map(|rank| ranked.regions[rank].records.iter().flatten()) {
            for line in page.lines_in(part) {
                inside[line] = true;
            }
        }
        for (line, is_foreign) in page.lines.iter().zip(inside) {
            let (foreign, all) = self.paths.entry(line.path).or_default();
            *foreign += usize::from(is_foreign);
            *all += 1;
        }
    }

    /// The places: paths of which at least this share of the lines are about other objects, with or without the lines that
    /// all pages show.
    pub fn places(&self, min_share: f64, with_furniture: bool) -> TemplatePlaces {
        let is_of_others =
            |(foreign, all): &(usize, usize)| *foreign > 0 && *foreign as f64 >= min_share * *all as f64;
        let others = self.paths.iter().filter(|(_, counts)| is_of_others(counts)).map(|(path, _)| *path);
        TemplatePlaces::new(others, self.furniture.iter().copied().filter(|_| with_furniture))
    }
}

/// The lines of a page outside the area of its object. Headings stay, because they say where sections begin.
fn furniture(page: &DetailPage<'_>, headline: Option<usize>, area: Option<Node>) -> FxHashSet<u64> {
    let tree = &page.dom.tree;
    let Some(area) = area.map(|node| node..tree.end(node)) else { return FxHashSet::default() };
    let lines = page.lines.iter().enumerate().filter(|(at, line)| {
        let is_heading = tree.ancestors(line.first()).any(|above| tags::is_heading(tree.tag(above)));
        Some(*at) != headline && !area.contains(&line.first()) && !is_heading
    });
    lines.map(|(_, line)| path_and_line(line)).collect()
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
            "<html><head><title>The novel {number}</title></head><body><nav><a href=/>Home</a><p><a href=/cart>Cart</a></nav><div id=main><h1>The novel {number}</h1>\
             <dl><dt>Pages</dt><dd>{}</dd><dt>Publisher</dt><dd>House {number}</dd><dt>ISBN</dt><dd>9780141439587</dd></dl>\
             <p class=price>Price: £{number}.99</p></div><section><h2>You may also like</h2><ul>{others}</ul></section>",
            100 + number
        );
        Page::from_text(&html, &Limits::default())
    }

    #[test]
    fn a_page_of_the_template_leaves_out_other_objects_as_in_full() {
        let samples = [page(1), page(2), page(3)];
        let later = page(7);
        // what the page is about is not the question here
        let request = Request { kind: KindRequest::Object, ..Request::default() };
        let full = extract(&later, &request).object.expect("an object").fields;
        let known = |places: TemplatePlaces| {
            let known = KnownContent::Object { places: Arc::new(places) };
            extract_known(&later, known, &request).object.expect("an object").fields
        };
        let area = |page: &Page| extract(page, &request).object.and_then(|object| object.area_node);
        let evidence = PlaceEvidence::new(&samples.each_ref().map(|page| (page, area(page))));
        for with_furniture in [false, true] {
            let places = evidence.places(1.0, with_furniture);
            assert!(!places.others().is_empty());
            assert_eq!(places.furniture().is_empty(), !with_furniture);
            assert_eq!(TemplatePlaces::new(places.others(), places.furniture()), places);
            assert_eq!(format!("{:?}", known(places)), format!("{full:?}"));
        }
        assert!(full.iter().all(|field| field.texts.iter().all(|text| !text.contains("Writer"))));
    }
}
