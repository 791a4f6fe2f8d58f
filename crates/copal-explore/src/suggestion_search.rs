//! Asks for suggestions in the browser, for a search form that takes no other values.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). In: an item with the page of the form. Out: one item per suggestion
//! that was taken, with what the form sends then. They are visited like any other page, and a run that continues visits
//! them without the browser.

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::frontier_items::{FrontierItem, ItemEnd};
use crate::planner::{FILLED_FORM_PRIORITY, child};
use crate::suggestion_field::search_field;
use crate::suggestion_plan::{SUGGESTION_ROLE, is_wildcard};
use copal_dom::Page;
use copal_site::{SuggestedSearch, SuggestionQuery};

/// Suggestions of a form that are taken.
const MAX_SUGGESTIONS: usize = 12;

impl Explorer<'_> {
    /// Types into a form and queues what its suggestions lead to.
    pub(crate) fn ask_for_suggestions(&mut self, item: &FrontierItem) -> Result<(), ExploreError> {
        if self.since_large_list.is_some() {
            let why = "not needed: records were found without suggestions";
            return self.frontier.finish(item, ItemEnd::Discarded, why, &[], None);
        }
        let domain = self.options.domain.clone();
        let find_field = |page: &Page| search_field(page, domain.as_deref());
        let wildcards = domain.as_ref().map_or(&[][..], |domain| &domain.wildcards);
        let is_all = |text: &str| is_wildcard(text, wildcards);
        let query = SuggestionQuery {
            find_field: &find_field,
            is_wildcard: &is_all,
            max_suggestions: MAX_SUGGESTIONS,
        };
        let found = self.visitor.suggested_searches(&item.url, query);
        // the item stays in flight and is queued again by the next run
        if self.visitor.stopper().is_stopped() {
            return Ok(());
        }
        self.pages += 1;
        self.explored += 1;
        let searches = match found {
            Ok(searches) => searches.unwrap_or_default(),
            Err(error) => {
                self.errors += 1;
                return self.frontier.finish(item, ItemEnd::Failed, &error.to_string(), &[], None);
            }
        };
        let visits: Vec<FrontierItem> = searches.iter().map(|search| visit(item, search)).collect();
        let (end, outcome) = if visits.is_empty() {
            (ItemEnd::Discarded, "no suggestions appear, or none changes what the form sends".to_owned())
        } else {
            (ItemEnd::Done, format!("suggestions that were taken: {}", described(&searches)))
        };
        self.frontier.finish(item, end, &outcome, &visits, None)?;
        self.progress(&item.url)
    }
}

fn visit(item: &FrontierItem, search: &SuggestedSearch) -> FrontierItem {
    let reason = format!("search form with the suggestion \"{}\"", search.suggestion);
    let parent = FrontierItem { depth: item.depth.saturating_sub(1), ..item.clone() };
    let visit = child(&parent, &search.url, SUGGESTION_ROLE, FILLED_FORM_PRIORITY, reason);
    FrontierItem { form: search.form.clone(), ..visit }
}

/// What was typed and taken, in words.
fn described(searches: &[SuggestedSearch]) -> String {
    let one = |search: &SuggestedSearch| format!("\"{}\" for \"{}\"", search.suggestion, search.typed);
    searches.iter().map(one).collect::<Vec<_>>().join(", ")
}
