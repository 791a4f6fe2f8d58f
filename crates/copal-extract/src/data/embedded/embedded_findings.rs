//! What the embedded data of a page adds to the lists that it shows, and whether it holds the main list.
//!
//! In: the regions that the page shows. Out: further columns of these regions, and [`EmbeddedFindings`]:
//! warnings, decisions, and a list that only the data has. Such a list is used if the page shows no list that
//! is clearly the main one or, if data was requested, one with far less text.

use super::embedded_regions::{DataOnlyList, add_fields, data_only_list};
use crate::signals::Signals;
use copal_dom::url::BaseUrl;
use copal_dom::xpath::XPaths;
use copal_dom::{Limit, Node, Warning};
use copal_model::{Decision, Method, Region, RegionPlace, Role};

/// A list in the data that has nothing in common with the shown list becomes the main list if it has this
/// many times as much text.
const RICHER_DATA_FACTOR: usize = 4;
/// Maximum number of malformed texts that are reported. Each report has an XPath, and a page may have any
/// number of broken scripts.
const MAX_MALFORMED_COUNT: usize = 500;

/// What embedded data says about a page.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedFindings {
    /// The page's main list, if only the data has it.
    pub(crate) main_list: Option<Region>,
    /// What was joined or chosen, and why.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) warnings: Vec<Warning>,
}

/// Reads the embedded data of a page. With `join`, its fields become columns of the regions that show the
/// same records.
pub(crate) fn find(
    signals: &Signals<'_>,
    join: bool,
    method: Method,
    base: &BaseUrl,
    regions: &mut [Region],
) -> EmbeddedFindings {
    let page = signals.page;
    let data = super::read(signals);
    let xpaths = XPaths::new(&page.tree);
    let xpath = |node: Node| xpaths.bounded(node).unwrap_or_default();
    let mut findings = EmbeddedFindings::default();
    let mut is_main_joined = false;
    if join {
        for region in regions.iter_mut() {
            let joined = add_fields(region, &data, base);
            is_main_joined |= region.role == Role::Primary && !joined.is_empty();
            let decision = |(node, text)| Decision::stated(xpath(node), text);
            findings.decisions.extend(joined.into_iter().map(decision));
        }
        let malformed = data.malformed.iter().take(MAX_MALFORMED_COUNT);
        findings.warnings.extend(
            malformed.map(|(node, why)| Warning::Malformed { xpath: xpath(*node), why: why.clone() }),
        );
        findings.warnings.extend(data.cut.then_some(Warning::Limit(Limit::Work)));
    }
    // a list that is only possible does not compete with the data
    let shown = regions.iter().find(|region| region.role == Role::Primary);
    let shown = shown.map(|region| region.records.iter().map(|record| record.text.len()).sum::<usize>());
    let is_main = |found: &DataOnlyList| match shown {
        None => join || found.is_script_rendered,
        Some(shown) => join && !is_main_joined && found.text > RICHER_DATA_FACTOR * shown,
    };
    if let Some(found) = data_only_list(page, &data, base, method).filter(is_main) {
        findings.decisions.insert(0, Decision::stated(xpath(found.place), format!("primary: {}", found.why)));
        findings.warnings.push(Warning::NotShown { xpath: xpath(found.place) });
        findings.main_list = Some(Region { place: RegionPlace::element(found.place), ..found.region });
    }
    findings
}
