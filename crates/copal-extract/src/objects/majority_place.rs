//! One place for an attribute on all pages of a template.
//!
//! In: the candidates that were chosen for an attribute. Out: the same, after the place at which most pages
//! have the attribute was looked up on the others too. A page without a value gets the text at that place,
//! and a value with less evidence at another place is replaced by it. A place is the tag path of a text
//! node, together with the template's text before it; it counts only where a page has it once. O(lines).

use super::detail_page::{DetailPage, PageLine};
use super::field_candidates::{CandidateOrigin, FieldCandidate, ValueFitter};
use super::field_choice::ChosenCandidate;
use super::labelled_values::LabelLayout;
use super::page_findings::PageFindings;
use super::tag_paths::hash_beginning;
use copal_dom::hash::mix;
use copal_dom::squash;
use copal_values::labels::{COLONS, separating_colon};
use rustc_hash::FxHashMap;

/// Pages that must have the attribute at a place.
const MIN_PLACE_PAGES: usize = 3;
/// Share of all pages that must have it there, so that others may be filled in.
const FILLING_SHARE: f64 = 0.5;
/// The same, so that values at other places may be replaced.
const REPLACING_SHARE: f64 = 0.6;
/// What the score of a value found by its place alone lacks.
const PLACE_PENALTY: f64 = 0.3;
/// Longest text that is found by its place, in bytes.
const MAX_PLACED_BYTES: usize = 240;

/// A text node by its line and its position in the line.
type LeafPosition = (usize, usize);

/// The places of the texts of a page: `None` for a place that occurs more than once.
pub(super) struct PagePlaces {
    positions: FxHashMap<u64, Option<LeafPosition>>,
}

impl PagePlaces {
    pub(super) fn new(page: &DetailPage<'_>) -> PagePlaces {
        let mut positions: FxHashMap<u64, Option<LeafPosition>> = FxHashMap::default();
        let mut before = 0;
        for (at, line) in page.lines.iter().enumerate() {
            for (index, leaf) in line.leaves.iter().enumerate() {
                let place = place(page.paths[leaf.node as usize], before);
                let is_first = !positions.contains_key(&place);
                positions.insert(place, is_first.then_some((at, index)));
                // A text that differs between the pages would not be found again.
                let is_of_template = page.leaf_is_static(leaf);
                before = if is_of_template { hash_beginning(&line.text[leaf.span.clone()]) } else { 0 };
            }
        }
        PagePlaces { positions }
    }
}

fn place(path: u64, text_before: u64) -> u64 {
    mix(path ^ mix(text_before))
}

/// Fills gaps and replaces odd values of one attribute. `chosen` is in the order of the pages.
pub(super) fn agree_on_place(
    chosen: &mut Vec<ChosenCandidate>,
    pages: &[PageFindings<'_>],
    places: &[PagePlaces],
    attribute: usize,
    fitter: &mut ValueFitter<'_>,
) {
    if pages.len() < MIN_PLACE_PAGES {
        return;
    }
    let own_places: Vec<Option<u64>> =
        chosen.iter().map(|one| place_of(&pages[one.page].page, &places[one.page], &one.candidate)).collect();
    let mut support: FxHashMap<u64, (usize, f64)> = FxHashMap::default();
    for (one, place) in chosen.iter().zip(&own_places) {
        if let Some(place) = place {
            let known = support.entry(*place).or_default();
            *known = (known.0 + 1, known.1 + one.score);
        }
    }
    let best = support.into_iter().max_by_key(|&(place, (count, _))| (count, place));
    let Some((place, (count, sum))) = best.filter(|(_, (count, _))| *count >= MIN_PLACE_PAGES) else {
        return;
    };
    let share = count as f64 / pages.len() as f64;
    let score = sum / count as f64 - PLACE_PENALTY;
    for at in 0..pages.len() {
        let known = chosen.iter().position(|one| one.page == at);
        let may_be_placed = match known {
            None => share >= FILLING_SHARE,
            Some(known) => {
                share >= REPLACING_SHARE
                    && own_places[known] != Some(place)
                    && (chosen[known].score < score
                        || is_part_of(&chosen[known], &pages[at], &places[at], place))
            }
        };
        if !may_be_placed {
            continue;
        }
        let Some(candidate) = candidate_at(&pages[at].page, &places[at], place, attribute, fitter) else {
            continue;
        };
        let placed = ChosenCandidate { page: at, candidate, score };
        match known {
            Some(known) => chosen[known] = placed,
            None => chosen.push(placed),
        }
    }
    chosen.sort_by_key(|one| one.page);
}

/// True if a value is only a part of the text at a place: what a recogniser knows of it.
fn is_part_of(known: &ChosenCandidate, page: &PageFindings<'_>, places: &PagePlaces, place: u64) -> bool {
    let Some(Some((line, index))) = places.positions.get(&place) else { return false };
    let text = leaf_text(&page.page.lines[*line], *index);
    known.candidate.line == Some(*line)
        && known.candidate.texts.iter().all(|part| text.contains(part.as_str()))
}

/// The place of a candidate that is a whole text node.
fn place_of(page: &DetailPage<'_>, places: &PagePlaces, candidate: &FieldCandidate) -> Option<u64> {
    let line = &page.lines[candidate.line?];
    let [text] = candidate.texts.as_slice() else { return None };
    let is_whole = |index: &usize| squash(leaf_text(line, *index)) == squash(text);
    let index = (0..line.leaves.len()).find(is_whole)?;
    let own = (candidate.line?, index);
    let path = page.paths[line.leaves[index].node as usize];
    let before = text_before(page, own);
    let place = place(path, before);
    (places.positions.get(&place) == Some(&Some(own))).then_some(place)
}

fn leaf_text(line: &PageLine, index: usize) -> &str {
    &line.text[line.leaves[index].span.clone()]
}

/// The hash of the text before a text node, if it is the template's.
fn text_before(page: &DetailPage<'_>, (line, index): LeafPosition) -> u64 {
    let previous = match index.checked_sub(1) {
        Some(index) => Some((line, index)),
        None => {
            line.checked_sub(1).and_then(|line| Some((line, page.lines[line].leaves.len().checked_sub(1)?)))
        }
    };
    let Some((line, index)) = previous else { return 0 };
    let line = &page.lines[line];
    if page.leaf_is_static(&line.leaves[index]) { hash_beginning(leaf_text(line, index)) } else { 0 }
}

/// The text at a place, if it fits the attribute.
fn candidate_at(
    page: &DetailPage<'_>,
    places: &PagePlaces,
    place: u64,
    attribute: usize,
    fitter: &mut ValueFitter<'_>,
) -> Option<FieldCandidate> {
    let (at, index) = (*places.positions.get(&place)?)?;
    let line = &page.lines[at];
    let leaf = &line.leaves[index];
    let text = leaf_text(line, index);
    let text = separating_colon(text).map_or(text, |colon| text[colon..].trim_start_matches(COLONS)).trim();
    if page.leaf_is_static(leaf) || line.is_head || text.len() > MAX_PLACED_BYTES {
        return None;
    }
    let (texts, value) = fitter.fit(attribute, &[text.to_owned()], LabelLayout::Inline)?;
    Some(FieldCandidate {
        attribute,
        texts,
        value,
        line: Some(at),
        node: leaf.node,
        key: place,
        origin: CandidateOrigin::Place,
        is_labelled: false,
        has_weak_label: false,
        line_share: leaf.span.len() as f64 / line.text.len().max(1) as f64,
        is_static: false,
        is_outside: line.outside,
        label_rank: 0,
    })
}
