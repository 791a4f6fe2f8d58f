//! What a run knows about itself: the lists that it reads, the situation that the planner asks for, and the report.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). Reads the frontier; sends nothing.

use crate::compared_records::COMPARED;
use crate::error::ExploreError;
use crate::explorer::{Explorer, OBJECT_KIND, is_same_page};
use crate::frontier_items::FoundList;
use crate::page_facts::{Announced, ListFacts};
use crate::planner::{MIN_SCORE_AFTER_LIST, SiteState, Situation, choose_kind};
use crate::site_report::SiteReport;
use crate::verification::{Evidence, ListEvidence, verify};
use std::collections::HashSet;

/// The kind that was chosen with the reason, and its lists with what is known about them, in the order in which they are read.
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
        order_for_reading(&mut lists, self.start.as_str());
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
        now.wants_second_reading = self.wants_second_reading()?;
        let (_, lists) = self.chosen_lists()?;
        now.lists_left = lists.iter().filter(|(list, _)| list.state == "queued").count();
        let records = self.frontier.record_count()?;
        now.lacks_records = announced(&lists).is_some_and(|announced| announced.total > records);
        Ok(now)
    }

    /// What is known about the records of these lists. Without a kind, an object was read instead.
    pub(crate) fn evidence(
        &self,
        has_no_kind: bool,
        lists: &[(FoundList, Option<ListFacts>)],
    ) -> Result<Evidence, ExploreError> {
        let records = self.frontier.record_count()?;
        let is_object = has_no_kind && lists.iter().any(|(list, _)| list.state == "done");
        let is_spent = self.is_budget_spent();
        // what confirms complete lists may need the rest of the budget
        let budget_spent = is_spent && !self.is_settled;
        Ok(Evidence {
            unique: if is_object && records <= 1 { 0 } else { records },
            announced: announced(lists),
            lists: lists
                .iter()
                .filter(|(list, _)| list.state != COMPARED)
                .filter_map(|(_, facts)| {
                    let facts = facts.as_ref()?;
                    Some(ListEvidence { announced: facts.announced, read: facts.read.clone()? })
                })
                .collect(),
            two_ways_agree: self.second_reading.as_ref().is_some_and(|reading| reading.agrees),
            ways_differ: self
                .second_reading
                .as_ref()
                .is_some_and(|reading| reading.has_more && !reading.agrees),
            unexplored: self.frontier.promising_count(MIN_SCORE_AFTER_LIST)?,
            has_object: is_object,
            has_other_lists: self.has_other_lists,
            classes: self.classes.clone(),
            lacks_value: self.lacks_value,
            budget_spent,
            // a host that stopped responding: the same command continues later
            interrupted: (self.visitor.stopper().is_stopped() || self.has_host_failed()) && !is_spent,
            unreachable: self.start_error.is_some(),
            disallowed: self.disallowed,
        })
    }

    /// How many pages of records of a kind the sitemap lists.
    pub(crate) fn in_sitemap(&self, kind: &str) -> Result<Option<u64>, ExploreError> {
        let text = self.frontier.meta("sitemap")?;
        let counts: Vec<(String, u64)> =
            text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Ok(counts.into_iter().find(|(template, _)| template == kind).map(|(_, count)| count))
    }

    pub(crate) fn report(&mut self) -> Result<SiteReport, ExploreError> {
        let (kind, lists) = self.chosen_lists()?;
        let records = self.frontier.record_count()?;
        let evidence = self.evidence(kind.is_none(), &lists)?;
        let (status, reason) = verify(&evidence);
        let in_sitemap = kind.as_ref().map(|(kind, _)| self.in_sitemap(kind)).transpose()?.flatten();
        Ok(SiteReport {
            start: self.start.to_string(),
            status,
            reason,
            start_error: self.start_error.clone(),
            records,
            announced: evidence.announced,
            in_sitemap,
            second_reading: self.second_reading.clone(),
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
/// Columns that make a list better than another one with the same records.
const MAX_RATED_COLUMNS: usize = 8;

/// Sorts lists so that the first ones have the most, because a record is stored as the first list shows it.
///
/// What the user pointed at comes first, but in its largest pages. A list that announces its records comes before one
/// whose number is a guess, unless that guess is much larger.
fn order_for_reading(lists: &mut [(FoundList, Option<ListFacts>)], start: &str) {
    let mut replaced: HashSet<String> = HashSet::new();
    let mut is_start: HashSet<String> = HashSet::new();
    for (list, facts) in lists.iter() {
        let larger = facts.as_ref().filter(|facts| has_larger_page(facts, lists));
        if is_same_page(&list.url, start) {
            is_start.insert(list.shown());
            let page = larger.and_then(|facts| facts.larger_page.as_ref());
            is_start.extend(page.and_then(|page| {
                let (list, _) = lists.iter().find(|(list, _)| is_same_page(&list.url, page))?;
                Some(list.shown())
            }));
        }
        if larger.is_some() {
            replaced.insert(list.shown());
        }
    }
    let expected = |facts: &Option<ListFacts>| facts.as_ref().map_or(0, ListFacts::expected_records);
    let most = lists.iter().map(|(_, facts)| expected(facts)).max().unwrap_or(0);
    lists.sort_by_key(|(list, facts)| {
        let announced = facts.as_ref().and_then(|facts| facts.announced).map_or(0, |counter| counter.total);
        let is_certain = announced > 0 && announced.saturating_mul(2) >= most;
        let columns = facts.as_ref().map_or(0, |facts| facts.columns.len().clamp(1, MAX_RATED_COLUMNS));
        let cells = expected(facts).saturating_mul(columns as u64);
        let shown = list.shown();
        (replaced.contains(&shown), !is_start.contains(&shown), !is_certain, std::cmp::Reverse(cells))
    });
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn list(url: &str, records: usize, announced: u64, columns: usize) -> (FoundList, Option<ListFacts>) {
        let facts = ListFacts {
            records,
            confidence: 0.9,
            announced: (announced > 0).then_some(Announced { total: announced, at_least: false }),
            columns: (0..columns).map(|at| format!("c{at}")).collect(),
            fit: crate::page_facts::DomainFit::default(),
            link_template: None,
            has_next: true,
            larger_page: None,
            keys: (0..records).map(|at| at.to_string()).collect(),
            read: None,
        };
        (crate::explorer::found_list(url, "k", &facts), Some(facts))
    }

    fn order(mut lists: Vec<(FoundList, Option<ListFacts>)>, start: &str) -> Vec<String> {
        order_for_reading(&mut lists, start);
        lists.iter().map(|(list, _)| list.url.rsplit('/').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn the_list_of_the_start_is_read_in_its_largest_pages() {
        let mut start = list("http://a.example/issues", 25, 192, 7);
        start.1.as_mut().unwrap().larger_page = Some("http://a.example/issues?each=100".to_owned());
        let lists = vec![
            list("http://a.example/gantt", 124, 0, 9),
            start,
            list("http://a.example/issues?each=100", 100, 192, 7),
        ];
        assert_eq!(order(lists, "http://a.example/issues"), ["issues?each=100", "gantt", "issues"]);
    }

    #[test]
    fn counters_come_before_guesses_of_the_same_size_and_columns_count() {
        let lists = vec![
            list("http://a.example/gantt", 124, 0, 7),
            list("http://a.example/short", 100, 192, 3),
            list("http://a.example/issues", 100, 124, 7),
        ];
        assert_eq!(order(lists, "http://a.example/"), ["issues", "short", "gantt"]);
        let lists = vec![list("http://a.example/part", 12, 12, 4), list("http://a.example/all", 40, 0, 4)];
        assert_eq!(order(lists, "http://a.example/"), ["all", "part"]);
    }
}
