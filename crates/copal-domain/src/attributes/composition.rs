//! Makes the attribute annotations of one text consistent: resolves contradictions and joins parts to the
//! whole.
//!
//! In: the [`AttributeAnnotation`]s of one text. Out: the same without the losers of a weighted vote
//! ([`reconcile`]). A value that has parts, such as a location, then covers all adjacent parts: street, town,
//! county and postcode ([`compose`]).

use super::attribute_annotation::{AttributeAnnotation, FoundBy};
use crate::domain::attribute::AttributeType;
use crate::domain::model::Domain;
use crate::text_runs::TextRuns;
use crate::value_annotations::AnnotationPlace;
use copal_dom::Page;
use copal_values::Value;
use copal_values::reconcile::{Verdict, overlapping_pairs, resolve_by_vote};
use rustc_hash::FxHashSet;
use std::ops::Range;

fn span_of(found: &AttributeAnnotation) -> Range<usize> {
    match &found.place {
        AnnotationPlace::Text(span) => span.clone(),
        _ => 0..found.text.len(),
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Resolves contradictions between attributes by a weighted vote. Labels contradict nothing.
pub(super) fn reconcile(domain: &Domain, new: &mut Vec<AttributeAnnotation>) {
    without_weaker(domain, new);
    without_inner_parts(domain, new);
    let voting: Vec<usize> = (0..new.len()).filter(|&i| !new[i].label).collect();
    if voting.len() < 2 {
        return;
    }
    let spans: Vec<Range<usize>> = voting.iter().map(|&i| span_of(&new[i])).collect();
    // the more text a rule matched beyond its value, the more weight its vote has
    let claim = |found: &AttributeAnnotation| found.claim.max(1) as f64 / span_of(found).len().max(1) as f64;
    let weights: Vec<f64> = voting.iter().map(|&i| new[i].found_by.trust() * claim(&new[i])).collect();
    let verdict = |judge: usize, other: usize| {
        let (a, b) = (new[voting[judge]].attribute, new[voting[other]].attribute);
        if a == b {
            return Verdict::Entails;
        }
        let (judge, other) = (&domain.attributes[a], &domain.attributes[b]);
        let belong = judge.parts.contains(&b) || other.parts.contains(&a);
        if !belong && judge.attribute_type.excludes(other.attribute_type) {
            Verdict::Refutes
        } else {
            Verdict::Silent
        }
    };
    let kept = resolve_by_vote(&spans, &weights, verdict);
    let removed: FxHashSet<usize> =
        voting.into_iter().zip(kept).filter(|(_, kept)| !kept).map(|(i, _)| i).collect();
    let mut at = 0..;
    new.retain(|_| at.next().is_some_and(|i| !removed.contains(&i)));
}

/// Removes the values that an overlapping value beats: `beats(winner, loser)`.
fn without_beaten(
    new: &mut Vec<AttributeAnnotation>,
    beats: impl Fn(&AttributeAnnotation, &AttributeAnnotation) -> bool,
) {
    let spans: Vec<Range<usize>> = new.iter().map(span_of).collect();
    let mut removed = vec![false; new.len()];
    for (a, b) in overlapping_pairs(&spans) {
        if new[a].label || new[b].label {
            continue;
        }
        removed[a] |= beats(&new[b], &new[a]);
        removed[b] |= beats(&new[a], &new[b]);
    }
    let mut removed = removed.into_iter();
    new.retain(|_| !removed.next().unwrap_or(false));
}

/// Removes values with weak evidence. If a label or a rule assigns a text to one attribute, another attribute
/// does not get the same text merely because of its type, a gazetteer or an element. A label also beats a
/// rule. This only concerns attributes whose types are equal or exclude each other.
fn without_weaker(domain: &Domain, new: &mut Vec<AttributeAnnotation>) {
    let rank = |found: &AttributeAnnotation| match found.found_by {
        FoundBy::Label => 2,
        FoundBy::Rule => 1,
        FoundBy::Term | FoundBy::Type | FoundBy::Element | FoundBy::Annotator => 0,
    };
    without_beaten(new, |winner, loser| {
        let types = [winner, loser].map(|found| domain.attributes[found.attribute].attribute_type);
        winner.attribute != loser.attribute
            && rank(winner) > rank(loser)
            && !types.contains(&AttributeType::Text)
            && (types[0] == types[1] || types[0].excludes(types[1]))
    });
}

/// Removes a gazetteer term inside a longer value that a rule found for another part of the same whole, such
/// as the name of a town inside the name of a street.
fn without_inner_parts(domain: &Domain, new: &mut Vec<AttributeAnnotation>) {
    let siblings = |a: usize, b: usize| {
        a != b && domain.attributes.iter().any(|whole| whole.parts.contains(&a) && whole.parts.contains(&b))
    };
    without_beaten(new, |winner, loser| {
        let (outer, inner) = (span_of(winner), span_of(loser));
        let inside = outer.start <= inner.start && inner.end <= outer.end && outer.len() > inner.len();
        inside
            && winner.found_by == FoundBy::Rule
            && loser.found_by == FoundBy::Term
            && siblings(winner.attribute, loser.attribute)
    });
}

/// Joins values of attributes that have parts: a value and the parts next to it, with only punctuation
/// between them, become one value.
pub(super) fn compose(
    page: &Page,
    text_runs: &TextRuns,
    domain: &Domain,
    new: &mut Vec<AttributeAnnotation>,
) {
    for (attribute, known) in
        domain.attributes.iter().enumerate().filter(|(_, known)| !known.parts.is_empty())
    {
        let belongs = |found: &AttributeAnnotation| {
            !found.label && (found.attribute == attribute || known.parts.contains(&found.attribute))
        };
        let mut pieces: Vec<&AttributeAnnotation> = new.iter().filter(|found| belongs(found)).collect();
        pieces.sort_by_key(|found| (span_of(found).start, std::cmp::Reverse(span_of(found).end)));
        let mut whole: Vec<AttributeAnnotation> = Vec::new();
        let mut run: Vec<&AttributeAnnotation> = Vec::new();
        let mut end = 0;
        for piece in pieces {
            let span = span_of(piece);
            let joined =
                run.is_empty() || span.start < end || is_punctuation(text_runs.text(&(end..span.start)));
            if !joined {
                whole.extend(join(page, text_runs, domain, attribute, &run, new));
                run.clear();
                end = 0;
            }
            end = end.max(span.end);
            run.push(piece);
        }
        whole.extend(join(page, text_runs, domain, attribute, &run, new));
        new.retain(|found| found.label || found.attribute != attribute);
        new.extend(whole);
    }
}

fn is_punctuation(between: &str) -> bool {
    between
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '\u{2013}' | '(' | ')' | '.' | '\u{b7}'))
}

/// Joins adjacent annotations into one value. They must include a value of the whole attribute, two different
/// parts, or a part that has a label.
fn join(
    page: &Page,
    text_runs: &TextRuns,
    domain: &Domain,
    attribute: usize,
    run: &[&AttributeAnnotation],
    all: &[AttributeAnnotation],
) -> Option<AttributeAnnotation> {
    let parts: Vec<&&AttributeAnnotation> = run.iter().filter(|found| found.attribute != attribute).collect();
    let different = parts.windows(2).any(|pair| pair[0].attribute != pair[1].attribute);
    let labelled = parts.iter().any(|part| part.found_by == FoundBy::Label);
    if parts.len() == run.len() && !different && !labelled {
        return None;
    }
    let best = run.iter().max_by(|a, b| a.found_by.trust().total_cmp(&b.found_by.trust()))?;
    let mut start = run.iter().map(|found| span_of(found).start).min()?;
    let mut end = run.iter().map(|found| span_of(found).end).max()?;
    if let Some(name) = whole_name(text_runs, &(start..end), all, attribute, domain) {
        (start, end) = (name.start, name.end);
    }
    let mut named: Vec<(String, String)> = Vec::new();
    for part in parts {
        let name = &domain.attributes[part.attribute].name;
        if !named.iter().any(|(known, _)| known == name) {
            named.push((name.clone(), part.text.clone()));
        }
    }
    let text = text_runs.text(&(start..end)).to_owned();
    let value = if named.is_empty() { Value::Text(text.clone()) } else { Value::Parts(named) };
    let node = text_runs.element(page, &(start..end));
    Some(AttributeAnnotation {
        claim: end - start,
        attribute,
        label: false,
        node,
        place: AnnotationPlace::Text(start..end),
        text,
        value,
        crossed_out: best.crossed_out,
        found_by: best.found_by,
    })
}

/// Longest text that can be one name.
const MAX_NAME_BYTES: usize = 80;
/// Lower-case words inside names of places.
const LOWER_CASE_NAME_WORDS: &[&str] =
    &["of", "on", "upon", "the", "in", "le", "la", "de", "by", "next", "under", "&"];

/// The whole text run around a span, if it looks like a name: capitalised words, numbers and commas, and no
/// value of another attribute. The known places in it are then parts of an address that is in no gazetteer.
fn whole_name(
    text_runs: &TextRuns,
    run: &Range<usize>,
    all: &[AttributeAnnotation],
    attribute: usize,
    domain: &Domain,
) -> Option<Range<usize>> {
    if domain.attributes[attribute].attribute_type != AttributeType::Place {
        return None;
    }
    let at = text_runs.runs().partition_point(|piece| piece.end <= run.start);
    let mut piece = text_runs.runs().get(at)?.clone();
    // Most texts are too long to be only a label and a name. They are rejected before any work is done.
    if piece.len() > 2 * MAX_NAME_BYTES {
        return None;
    }
    // The name begins after a label.
    let labels = all.iter().filter(|found| found.label).map(span_of);
    if let Some(label) =
        labels.filter(|label| piece.contains(&label.start) && label.end <= run.start).max_by_key(|l| l.end)
    {
        let rest = text_runs.text(&(label.end..piece.end));
        piece.start = piece.end - rest.trim_start_matches([':', ' ', '\u{ff1a}']).len();
    }
    let text = text_runs.text(&piece);
    let belongs = |other: usize| other == attribute || domain.attributes[attribute].parts.contains(&other);
    let foreign = |found: &AttributeAnnotation| {
        let span = span_of(found);
        !found.label
            && matches!(found.place, AnnotationPlace::Text(_))
            && !belongs(found.attribute)
            && overlap(&span, &piece)
            && !overlap(&span, run)
    };
    if text.len() > MAX_NAME_BYTES || text == text_runs.text(run) || all.iter().any(foreign) {
        return None;
    }
    let is_name = |word: &str| {
        let mut chars = word.chars();
        match chars.next() {
            Some(c) if c.is_uppercase() => {
                chars.all(|c| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}' | '-' | '.'))
            }
            Some(c) if c.is_ascii_digit() => word.len() <= 5,
            Some(_) => LOWER_CASE_NAME_WORDS.contains(&word),
            None => true,
        }
    };
    text.split([' ', ',', '(', ')']).all(is_name).then_some(piece)
}

#[cfg(test)]
mod tests {
    use super::super::annotate_page::annotate;
    use crate::domain::model::Domain;
    use copal_dom::{Limits, Page};
    use copal_values::Value;

    /// Attribute, text and value of everything found in a paragraph.
    fn values(pack: &str, text: &str) -> Vec<(String, String, Value)> {
        let domain = Domain::load(pack).unwrap();
        let page = Page::from_text(&format!("<p>{text}</p>"), &Limits::default());
        let found = annotate(&page, &domain).into_iter().filter(|found| !found.label);
        found
            .map(|found| (domain.attributes[found.attribute].name.clone(), found.text, found.value))
            .collect()
    }

    #[test]
    fn a_location_keeps_its_parts() {
        let found = values("real-estate", "14 Corn Street, Witney, Oxfordshire OX28 6BW");
        let (_, text, value) = found.iter().find(|value| value.0 == "location").unwrap();
        assert_eq!(text, "14 Corn Street, Witney, Oxfordshire OX28 6BW");
        let parts = ["street_address", "town", "county", "postcode"];
        let texts = ["14 Corn Street", "Witney", "Oxfordshire", "OX28 6BW"];
        let parts = parts.map(str::to_owned).into_iter().zip(texts.map(str::to_owned)).collect();
        assert_eq!(*value, Value::Parts(parts));
        // Every part is also a value of its own: one span may have two attributes.
        assert!(found.iter().any(|value| value.0 == "town" && value.1 == "Witney"));
    }

    #[test]
    fn places_in_different_sentences_are_separate() {
        let found = values("real-estate", "Near Witney station and shops, 20 minutes to Didcot");
        let locations: Vec<&String> = found.iter().filter(|v| v.0 == "location").map(|v| &v.1).collect();
        assert_eq!(locations, ["Witney", "Didcot"]);
    }

    #[test]
    fn a_tax_is_not_the_price() {
        let names: Vec<String> =
            values("used-cars", "Road tax: £180").into_iter().map(|value| value.0).collect();
        assert_eq!(names, ["road_tax"]);
    }
}
