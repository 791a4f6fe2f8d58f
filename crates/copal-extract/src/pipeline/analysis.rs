//! The first stage: what is on a page, before anything is decided.
//!
//! In: a [`Page`] and a [`Request`]. Out: an [`AnalysedPage`]: ranked list candidates, the tables of those
//! that may be returned, and what the page's embedded data adds to them.

use crate::data::embedded::{self, EmbeddedFindings};
use crate::explain;
use crate::list_choice;
use crate::lists::candidate::RankedLists;
use crate::lists::find_with_signals;
use crate::request::Request;
use crate::requested_fields;
use crate::signals::Signals;
use crate::table::build_region::{PageContext, build_region};
use crate::table::{confidence, section_column};
use copal_dom::{Page, Warning};
use copal_model::{Explanation, ListSummary, Method, Region, Role};

/// What was found on a page.
#[derive(Debug)]
pub struct AnalysedPage {
    /// The list candidates, best first.
    pub(super) ranked: RankedLists,
    /// The tables of the candidates that the request may want, with the role that the ranking gives them.
    pub(super) regions: Vec<Region>,
    /// What the page's embedded data says, if it was read.
    pub(super) embedded: Option<EmbeddedFindings>,
    /// The page declares that it is about one object.
    pub(super) declares_object: bool,
    /// What the page shows was known before: nothing else is looked for.
    pub(super) is_known: bool,
    pub(super) explanation: Option<Explanation>,
    pub(super) warnings: Vec<Warning>,
    /// A description of all lists, if the page does not have the list that the user chose.
    pub(super) alternatives: Vec<ListSummary>,
}

impl AnalysedPage {
    /// The page's main list: the one it shows, unless its embedded data has the better one.
    pub(super) fn main_list(&self) -> Option<&Region> {
        let embedded = self.embedded.as_ref().and_then(|data| data.main_list.as_ref());
        embedded.or_else(|| self.regions.iter().find(|region| region.role.is_main()))
    }
}

/// Finds the lists of a page and reads their tables.
pub fn analyse(page: &Page, request: &Request) -> AnalysedPage {
    let signals = Signals::new(page);
    let ranked = find_with_signals(&signals, &request.lists);
    let mut analysed = analyse_lists(page, &signals, ranked, true, request);
    analysed.declares_object = signals.declared().names_one_object();
    analysed
}

/// Reads the tables of lists that were found; with `names_by_data`, the page's embedded data may name their columns. What the page declares itself to be is left open.
pub(super) fn analyse_lists(
    page: &Page,
    signals: &Signals<'_>,
    ranked: RankedLists,
    names_by_data: bool,
    request: &Request,
) -> AnalysedPage {
    // any list can be chosen, so the tables of all lists are needed
    let is_wanted = |role: Role| request.choice.is_some() || request.wants(role);
    let context = PageContext::new(page).with_domain(request.domain().cloned());
    let table = |(rank, candidate)| {
        let role = ranked.role(rank);
        is_wanted(role).then(|| {
            let mut region = build_region(&context, candidate, request.lists.method, role);
            region.confidence = ranked.confidence(rank);
            confidence::set_confidences(page, &mut region);
            section_column::add_section_column(page, &mut region);
            region
        })
    };
    let mut regions: Vec<Region> = ranked.regions.iter().enumerate().filter_map(table).collect();
    let mut warnings = page.warnings.clone();
    warnings.extend(ranked.warnings.iter().cloned());
    warnings.extend(context.cells.is_exceeded().then_some(Warning::LeftOut { what: "columns".into() }));
    let explanation = request.lists.explain.then(|| {
        let (explanation, is_partial) = explain::explain(page, &request.lists, &ranked);
        let what = "recognised texts of the explanation";
        warnings.extend(is_partial.then_some(Warning::LeftOut { what: what.into() }));
        explanation
    });
    // a single method only reads what the page shows, as in its paper
    let shows_none = ranked.no_primary && request.lists.method == Method::Combined;
    let mut embedded = (request.embedded || shows_none).then(|| {
        embedded::find(signals, request.embedded, request.lists.method, &context.base, &mut regions)
    });
    let is_plain = embedded.is_none() && request.domain().is_none();
    if is_plain && names_by_data && request.lists.method == Method::Combined {
        embedded::name_columns(signals, &context.base, &mut regions);
    }
    let mut alternatives = Vec::new();
    if let Some(choice) = &request.choice {
        let main_list = embedded.as_mut().and_then(|data| data.main_list.take());
        regions.splice(0..0, main_list);
        alternatives = list_choice::choose_on_page(page, &mut regions, choice, request);
    }
    for list in &mut regions {
        requested_fields::add_columns(&context, list, &request.fields);
    }
    AnalysedPage {
        ranked,
        regions,
        embedded,
        declares_object: false,
        is_known: false,
        explanation,
        warnings,
        alternatives,
    }
}
