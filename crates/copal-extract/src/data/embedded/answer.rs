//! The page's data in the page's answer.
//!
//! In: an [`Answer`] of what the page shows. Out: the same with what its data adds: columns of the regions, a region where
//! the page shows no main list (or, if data was asked for, one that is far poorer), warnings, and why.

use super::region::{Alone, add_fields, alone};
use crate::pipeline::Options;
use crate::signals::Signals;
use copal_dom::url::BaseUrl;
use copal_dom::xpath::XPaths;
use copal_dom::{Limit, Warning};
use copal_model::Decision;
use copal_model::{Answer, Role};

/// Data that has this many times the text of the list that is shown, and nothing in common with it, is the page's list.
const RICHER: usize = 4;

/// Adds what the page's data says.
pub(crate) fn add(
    signals: &Signals<'_>,
    options: &Options,
    (xpaths, base): (&XPaths<'_>, &BaseUrl),
    extraction: &mut Answer,
) {
    let page = signals.page;
    let data = super::read(signals);
    let mut reasons: Vec<Decision> = Vec::new();
    let mut primary_joined = false;
    if options.embedded {
        for region in &mut extraction.regions {
            let joined = add_fields(region, &data, base);
            primary_joined |= region.role == Role::Primary && !joined.is_empty();
            reasons.extend(joined.into_iter().map(|(node, text)| Decision::told(xpaths.of(node), text)));
        }
        let malformed = data.malformed.iter();
        extraction.warnings.extend(
            malformed.map(|(node, why)| Warning::Malformed { xpath: xpaths.of(*node), why: why.clone() }),
        );
        extraction.warnings.extend(data.cut.then_some(Warning::Limit(Limit::Work)));
    }
    let shown = extraction
        .primary()
        .map(|region| region.records.iter().map(|record| record.text.len()).sum::<usize>());
    let wanted = |found: &Alone| match shown {
        None => options.embedded || found.surely,
        Some(shown) => options.embedded && !primary_joined && found.text > RICHER * shown,
    };
    if let Some(found) = alone(page, &data, base, options.lists.method).filter(wanted) {
        let xpath = xpaths.of(found.place);
        reasons.insert(0, Decision::told(xpath.clone(), format!("primary: {}", found.why)));
        extraction.warnings.push(Warning::NotShown { xpath: xpath.clone() });
        if options.all {
            let shown = extraction.regions.iter_mut().filter(|region| region.role == Role::Primary);
            shown.for_each(|region| region.role = Role::Secondary);
        } else {
            extraction.regions.clear();
        }
        let mut region = found.region;
        region.xpath = xpath;
        extraction.regions.insert(0, region);
    }
    if let Some(explanation) = &mut extraction.explanation {
        explanation.reasons.splice(0..0, reasons);
    }
}
