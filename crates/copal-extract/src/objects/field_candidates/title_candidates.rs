//! Candidates from the title and from the headline of a page.
//!
//! In: a page. Out: the parts of its title that the domain recognises ("Name - Team - Site"), and the
//! headline for the attributes that name an object. O(title).

use super::super::detail_page::DetailPage;
use super::field_candidate::{CandidateOrigin, FieldCandidate};
use copal_dom::hash::mix;
use copal_dom::{Limits, Page};
use copal_domain::Domain;
use copal_domain::{FoundBy, annotate_object};

/// Longest title that is read, in bytes.
const MAX_TITLE_BYTES: usize = 400;
/// Smallest share of a title's part that a recognised value covers.
const MIN_PART_SHARE: f64 = 0.9;

/// Adds the parts of the title that are terms of the domain or match its rules.
pub(super) fn add_title_parts(page: &DetailPage<'_>, domain: &Domain, candidates: &mut Vec<FieldCandidate>) {
    if !page.title_varies || page.title.len() > MAX_TITLE_BYTES {
        return;
    }
    // Annotation works on pages, so every part becomes a paragraph of a small one.
    let escaped: String = page
        .title
        .split(['|', '\u{2013}', '\u{2014}', ':'])
        .flat_map(|part| part.split(" - "))
        .map(|part| format!("<p>{}</p>", part.replace('&', "&amp;").replace('<', "&lt;")))
        .collect();
    let parts_page = Page::from_text(&escaped, &Limits::default());
    for found in annotate_object(&parts_page, domain) {
        let part = parts_page.text_of(found.node);
        let share = found.text.len() as f64 / part.len().max(1) as f64;
        if found.label || !matches!(found.found_by, FoundBy::Term | FoundBy::Rule) || share < MIN_PART_SHARE {
            continue;
        }
        candidates.push(FieldCandidate {
            attribute: found.attribute,
            texts: vec![found.text.clone()],
            value: Some(found.value),
            line: None,
            node: 0,
            key: mix(u64::from(found.node)),
            origin: CandidateOrigin::Title,
            is_labelled: false,
            has_weak_label: false,
            line_share: share,
            is_static: false,
            is_outside: false,
            label_rank: 0,
        });
    }
}

/// Adds the name in the headline for every attribute that the domain reads from it.
pub(super) fn add_headline(
    page: &DetailPage<'_>,
    headline: usize,
    name: &str,
    domain: &Domain,
    candidates: &mut Vec<FieldCandidate>,
) {
    let line = &page.lines[headline];
    for &attribute in &domain.headline {
        candidates.push(FieldCandidate {
            attribute,
            texts: vec![name.to_owned()],
            value: None,
            line: Some(headline),
            node: line.first(),
            key: mix(line.path),
            origin: CandidateOrigin::Headline,
            is_labelled: false,
            has_weak_label: false,
            line_share: 1.0,
            is_static: false,
            is_outside: false,
            label_rank: 0,
        });
    }
}
