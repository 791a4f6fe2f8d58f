//! The values found in one text, made consistent: contradictions decided, and parts joined to the whole they belong to.
//!
//! In: the [`Found`] values of one text. Out: the same without the losers of a weighted vote ([`reconcile`]), and with
//! values that are made of parts (a location of street, town, county and postcode) grown over all of them ([`compose`]).

use super::annotate::{By, Found};
use super::{AttributeType, Domain};
use crate::annotate::Place;
use crate::clob::Clob;
use crate::reconcile::{Verdict, repair};
use crate::value::Value;
use copal_dom::Page;
use rustc_hash::FxHashSet;
use std::ops::Range;

fn span_of(found: &Found) -> Range<usize> {
    match &found.place {
        Place::Text(span) => span.clone(),
        _ => 0..found.text.len(),
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Values of contradictory attributes: a weighted vote decides. Labels contradict nothing.
pub(super) fn reconcile(domain: &Domain, new: &mut Vec<Found>) {
    without_general(domain, new);
    let voting: Vec<usize> = (0..new.len()).filter(|&i| !new[i].label).collect();
    if voting.len() < 2 {
        return;
    }
    let spans: Vec<Range<usize>> = voting.iter().map(|&i| span_of(&new[i])).collect();
    let weights: Vec<f64> = voting.iter().map(|&i| new[i].by.trust()).collect();
    let verdict = |judge: usize, other: usize| {
        let (a, b) = (new[voting[judge]].attribute, new[voting[other]].attribute);
        if a == b {
            return Verdict::Entails;
        }
        let (judge, other) = (&domain.attributes[a], &domain.attributes[b]);
        let belong = judge.parts.contains(&b) || other.parts.contains(&a);
        if !belong && judge.kind.excludes(other.kind) { Verdict::Refutes } else { Verdict::Silent }
    };
    let stays = repair(&spans, &weights, verdict);
    let gone: FxHashSet<usize> =
        voting.into_iter().zip(stays).filter(|(_, stays)| !stays).map(|(i, _)| i).collect();
    let mut at = 0..;
    new.retain(|_| at.next().is_some_and(|i| !gone.contains(&i)));
}

/// An attribute that takes every value of its type leaves those that are another's of the same type by rule or label.
fn without_general(domain: &Domain, new: &mut Vec<Found>) {
    let kind = |found: &Found| domain.attributes[found.attribute].kind;
    let particular: Vec<(AttributeType, Range<usize>)> = new
        .iter()
        .filter(|found| !found.label && matches!(found.by, By::Rule | By::Label | By::Term))
        .map(|found| (kind(found), span_of(found)))
        .filter(|(kind, _)| matches!(kind, AttributeType::Generic(_)))
        .collect();
    if particular.is_empty() {
        return;
    }
    new.retain(|found| {
        let taken = |(other, span): &(AttributeType, Range<usize>)| {
            *other == kind(found) && overlap(span, &span_of(found))
        };
        found.label || found.by != By::Type || !particular.iter().any(taken)
    });
}

/// Grows values that have parts: own values and parts side by side, with nothing but punctuation between, are one.
pub(super) fn compose(page: &Page, clob: &Clob, domain: &Domain, new: &mut Vec<Found>) {
    for (attribute, known) in
        domain.attributes.iter().enumerate().filter(|(_, known)| !known.parts.is_empty())
    {
        let belongs = |found: &Found| {
            !found.label && (found.attribute == attribute || known.parts.contains(&found.attribute))
        };
        let mut pieces: Vec<&Found> = new.iter().filter(|found| belongs(found)).collect();
        pieces.sort_by_key(|found| (span_of(found).start, std::cmp::Reverse(span_of(found).end)));
        let mut whole: Vec<Found> = Vec::new();
        let mut run: Vec<&Found> = Vec::new();
        let mut end = 0;
        for piece in pieces {
            let span = span_of(piece);
            let joined = run.is_empty() || span.start < end || is_joint(clob.text(&(end..span.start)));
            if !joined {
                whole.extend(join(page, clob, domain, attribute, &run));
                run.clear();
                end = 0;
            }
            end = end.max(span.end);
            run.push(piece);
        }
        whole.extend(join(page, clob, domain, attribute, &run));
        new.retain(|found| found.label || found.attribute != attribute);
        new.extend(whole);
    }
}

fn is_joint(between: &str) -> bool {
    between
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '\u{2013}' | '(' | ')' | '.' | '\u{b7}'))
}

/// One value over a run of pieces, if one of them is a value of the whole, or two are different parts.
fn join(page: &Page, clob: &Clob, domain: &Domain, attribute: usize, run: &[&Found]) -> Option<Found> {
    let parts: Vec<&&Found> = run.iter().filter(|found| found.attribute != attribute).collect();
    let different = parts.windows(2).any(|pair| pair[0].attribute != pair[1].attribute);
    if parts.len() == run.len() && !different {
        return None;
    }
    let best = run.iter().max_by(|a, b| a.by.trust().total_cmp(&b.by.trust()))?;
    let start = run.iter().map(|found| span_of(found).start).min()?;
    let end = run.iter().map(|found| span_of(found).end).max()?;
    let mut named: Vec<(String, String)> = Vec::new();
    for part in parts {
        let name = &domain.attributes[part.attribute].name;
        if !named.iter().any(|(known, _)| known == name) {
            named.push((name.clone(), part.text.clone()));
        }
    }
    let text = clob.text(&(start..end)).to_owned();
    let value = if named.is_empty() { Value::Text(text.clone()) } else { Value::Parts(named) };
    let node = clob.element(page, &(start..end));
    Some(Found {
        attribute,
        label: false,
        node,
        place: Place::Text(start..end),
        text,
        value,
        old: best.old,
        by: best.by,
    })
}

#[cfg(test)]
mod tests {
    use crate::domain::Domain;
    use crate::domain::annotate::annotate;
    use crate::value::Value;
    use copal_dom::{Limits, Page};

    /// (attribute, text) of every value in a paragraph.
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
        // and every part is a value of its own: one span may have two types
        assert!(found.iter().any(|value| value.0 == "town" && value.1 == "Witney"));
    }

    #[test]
    fn places_in_different_sentences_are_apart() {
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
