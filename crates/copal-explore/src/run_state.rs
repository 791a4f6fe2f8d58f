//! What a run knows about itself: the lists that it reads, the situation that the planner asks for, and the report.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). Reads the frontier; sends nothing.

use crate::error::ExploreError;
use crate::explorer::{Explorer, OBJECT_KIND, is_same_page};
use crate::frontier_items::FoundList;
use crate::page_facts::{Announced, ListFacts};
use crate::planner::{MIN_SCORE_AFTER_LIST, SiteState, Situation, choose_kind};
use crate::site_report::SiteReport;
use crate::verification::{Evidence, ListEvidence, verify};
use std::collections::HashSet;

/// The kind that was chosen with the reason, and its lists with what is known about them, the largest first.
pub(crate) type ChosenLists = (Option<(String, String)>, Vec<(FoundList, Option<ListFacts>)>);

impl Explorer<'_> {
    /// The lists of the kind that is read: those of the best kind, or else the objects.
    pub(crate) fn chosen_lists(&self) -> Result<ChosenLists, ExploreError> {
        let all: Vec<(FoundList, Option<ListFacts>)> = self
            .frontier
            .lists()?
            .into_iter()
            .map(|list| {
                let facts = serde_json::from_str(&list.facts).ok().flatten();
                (list, facts)
            })
            .collect();
        let with_facts = all.iter().filter_map(|(list, facts)| Some((list.kind.as_str(), facts.as_ref()?)));
        let chosen = choose_kind(with_facts);
        let kind = chosen.as_ref().map_or(OBJECT_KIND, |(kind, _)| kind);
        let mut lists: Vec<_> = all.iter().filter(|(list, _)| list.kind == kind).cloned().collect();
        let expected = |facts: &Option<ListFacts>| facts.as_ref().map_or(0, ListFacts::expected_records);
        // what the user pointed at comes first, but in its largest pages
        let start = self.start.as_str();
        let is_replaced: HashSet<String> = lists
            .iter()
            .filter(|(_, facts)| facts.as_ref().is_some_and(|facts| has_larger_page(facts, &lists)))
            .map(|(list, _)| list.shown())
            .collect();
        lists.sort_by_key(|(list, facts)| {
            let rank = (is_replaced.contains(&list.shown()), !is_same_page(&list.url, start));
            (rank, std::cmp::Reverse(expected(facts)))
        });
        Ok((chosen, lists))
    }

    pub(crate) fn situation(&mut self, splits_left: bool) -> Result<Situation, ExploreError> {
        let mut now = Situation {
            explored: self.explored,
            // every list that is found pays for further pages
            max_explored: self.options.explore_pages + 3 * self.productive,
            since_large_list: self.since_large_list,
            must_stop: self.must_stop(),
            splits_left,
            ..Situation::default()
        };
        if self.state == SiteState::Exploring {
            now.best_priority = self.frontier.best_priority()?;
            return Ok(now);
        }
        let (_, lists) = self.chosen_lists()?;
        now.lists_left = lists.iter().filter(|(list, _)| list.state == "queued").count();
        let records = self.frontier.record_count()?;
        now.lacks_records = announced(&lists).is_some_and(|announced| announced.total > records);
        Ok(now)
    }

    pub(crate) fn report(&mut self) -> Result<SiteReport, ExploreError> {
        let (kind, lists) = self.chosen_lists()?;
        let records = self.frontier.record_count()?;
        let announced = announced(&lists);
        let is_object = kind.is_none() && lists.iter().any(|(list, _)| list.state == "done");
        let budget_spent = self.is_budget_spent();
        let evidence = Evidence {
            unique: if is_object && records <= 1 { 0 } else { records },
            announced,
            lists: lists
                .iter()
                .filter_map(|(_, facts)| {
                    let facts = facts.as_ref()?;
                    Some(ListEvidence { announced: facts.announced, read: facts.read.clone()? })
                })
                .collect(),
            unexplored: self.frontier.promising_count(MIN_SCORE_AFTER_LIST)?,
            has_object: is_object,
            has_other_lists: self.has_other_lists,
            classes: self.classes.clone(),
            lacks_value: self.lacks_value,
            budget_spent,
            // a host that stopped responding: the same command continues later
            interrupted: (self.visitor.stopper().is_stopped() || self.has_host_failed()) && !budget_spent,
            unreachable: self.start_error.is_some(),
            disallowed: self.disallowed,
        };
        let (status, reason) = verify(&evidence);
        let sitemap: Vec<(String, u64)> = self
            .frontier
            .meta("sitemap")?
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let in_sitemap =
            kind.as_ref().and_then(|(kind, _)| sitemap.iter().find(|(template, _)| template == kind));
        Ok(SiteReport {
            start: self.start.to_string(),
            status,
            reason,
            start_error: self.start_error.clone(),
            records,
            announced,
            in_sitemap: in_sitemap.map(|(_, count)| *count),
            pages: self.pages,
            errors: self.errors,
            seconds: self.began.elapsed().as_secs_f64(),
            kind,
            states: self.states.clone(),
            lists: lists.into_iter().map(|(list, _)| list).collect(),
            map: self.frontier.entries()?,
        })
    }
}

/// True if a list was found on a larger page too, which has all its records and more.
fn has_larger_page(facts: &ListFacts, lists: &[(FoundList, Option<ListFacts>)]) -> bool {
    let Some(url) = &facts.larger_page else { return false };
    let larger = lists.iter().find(|(list, _)| is_same_page(&list.url, url));
    larger.and_then(|(_, facts)| facts.as_ref()).is_some_and(|larger| {
        let keys: HashSet<&String> = larger.keys.iter().collect();
        larger.records > facts.records && facts.keys.iter().all(|key| keys.contains(key))
    })
}

/// The largest number that one of the lists announces.
fn announced(lists: &[(FoundList, Option<ListFacts>)]) -> Option<Announced> {
    lists.iter().filter_map(|(_, facts)| facts.as_ref()?.announced).max_by_key(|announced| announced.total)
}
