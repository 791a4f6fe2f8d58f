//! Exact borders of a region's records.
//!
//! In: a region. Out: the same with its records repaired, in this order: climb (an element that holds but one record
//! belongs to it), add and drop members ([`members`]), join
//! what takes turns ([`turns`]), drop odd ends.

use crate::model::Found;
use copal_dom::{NONE, Node, Page, tags};

mod members;
mod turns;

use super::shape::{Shape, jaccard, shape};

/// Repairs the regions of one page.
pub(super) struct Refiner<'a> {
    page: &'a Page,
    signatures: members::Signatures,
}

impl<'a> Refiner<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        Refiner { page, signatures: members::signatures(page) }
    }

    pub(super) fn refine(&self, found: &mut Found) {
        climb(self.page, found);
        members::add_members(self.page, &self.signatures, found);
        members::drop_strangers(self.page, found);
        turns::join_turns(self.page, found);
        drop_odd_ends(self.page, found);
    }
}

/// Likeness to the middle records below which an end of the list is not of it, and that the others must have.
const ODD: f64 = 0.2;
const EVEN: f64 = 0.6;
/// Records in the middle that are looked at.
const SAMPLE: usize = 10;
/// Records at each end that may be odd.
const ENDS: usize = 2;

/// The first and last records that are built quite unlike all others: heads, forms, pagers in the same element.
fn drop_odd_ends(page: &Page, found: &mut Found) {
    let n = found.records.len();
    if n < 2 * ENDS + 3 {
        return;
    }
    let set = |i: usize| shape(page, &found.records[i]);
    let step = ((n - 2 * ENDS) / SAMPLE).max(1);
    let middle: Vec<Shape> = (ENDS..n - ENDS).step_by(step).take(SAMPLE).map(set).collect();
    let usual = |set: &Shape| {
        let mut all: Vec<f64> = middle.iter().map(|other| jaccard(set, other)).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let is_odd = |i: usize| usual(&set(i)) < ODD;
    let ends: Vec<usize> = (0..ENDS).chain(n - ENDS..n).filter(|&i| is_odd(i)).collect();
    let even = || middle.iter().map(&usual).sum::<f64>() / middle.len() as f64;
    if ends.is_empty() || even() < EVEN {
        return;
    }
    let first = ends.iter().rev().find(|&&i| i < ENDS).map_or(0, |i| i + 1);
    let last = ends.iter().copied().find(|&i| i >= n - ENDS).unwrap_or(n);
    found.records.truncate(last);
    found.records.drain(..first);
}

/// While every record is alone in its parent, its parent is the record: images and prices outside the link come along.
fn climb(page: &Page, found: &mut Found) {
    let tree = &page.tree;
    for _ in 0..8 {
        let mut above: Vec<Node> = Vec::with_capacity(found.records.len());
        for parts in &found.records {
            let [part] = parts.as_slice() else { return };
            if tree.end(part.start) != part.end {
                return;
            }
            let parent = tree.parent(part.start);
            if parent == NONE
                || tree.tag(parent) == tags::BODY
                || !tree.contains(found.root, parent)
                || parent == found.root
            {
                return;
            }
            above.push(parent);
        }
        if above.windows(2).any(|pair| {
            pair[0] == pair[1] || tree.contains(pair[0], pair[1]) || tree.contains(pair[1], pair[0])
        }) {
            return;
        }
        found.records = above.iter().map(|&node| vec![node..tree.end(node)]).collect();
    }
}

#[cfg(test)]
mod tests {
    use crate::{Method, Options, find};
    use copal_dom::{Limits, Page};

    fn texts(html: &str) -> Vec<String> {
        let page = Page::from_text(html, &Limits::default());
        let options = Options { method: Method::Combined, ..Options::default() };
        let findings = find(&page, &options);
        findings.regions[0].records.iter().map(|parts| page.visible_text(parts[0].clone())).collect()
    }

    #[test]
    fn the_element_around_one_record_belongs_to_it() {
        let item = |n: u32| format!("<li><a href=/{n}><b>Lamp number {n}</b></a> <i>{n}2 pounds</i></li>");
        let html = format!("<ul>{}</ul>", (1..9).map(item).collect::<String>());
        assert_eq!(texts(&html)[0], "Lamp number 1 12 pounds");
    }

    #[test]
    fn heads_of_tables_and_odd_ends_are_no_records() {
        let row = |n: u32| format!("<tr><td><a href=/{n}>Lamp {n}</a><td>{n} pounds<td>{n}{n} in stock</tr>");
        let rows: String = (1..9).map(row).collect();
        let head = "<tr><th>Name<th>Price<th>Stock</tr>";
        let pager = "<tr><td colspan=3><form><select><option>1</select> pages</form></tr>";
        let records = texts(&format!("<table>{head}{rows}{pager}</table>"));
        assert_eq!((records.len(), records[0].as_str()), (8, "Lamp 1 1 pounds 11 in stock"));
    }
}
