//! Reads the records a second way, if nothing on the site says how many there are.
//!
//! Part of [`Explorer`]. In: lists that were read to their end, without a counter. Out: whether another way to the
//! records gives the same ones. Ways, the cheapest first: the number of record pages in the sitemap, which needs no
//! request; the list in another order; another list of the same records (of a form instead of a link, other page sizes);
//! and all values of a choice of its search form together. A list that hides records shows others in another order or
//! another filling, so that equal sets say more than one list that ends in good order. Records that only the second way
//! has are stored.
//!
//! At most [`MAX_COMPARED_PAGES`] pages, never more than twice those of the first reading, and never the last page or the
//! second half of the time that is left.

use crate::compared_records::{COMPARED, ComparedRecords, SecondReading};
use crate::error::ExploreError;
use crate::explorer::{Explorer, RecordSink, found_list, is_same_page};
use crate::frontier_items::{FoundList, page_request};
use crate::list_extraction::ReadingLimits;
use crate::list_orders::{is_independent, is_other_order, is_same_path, order_with_more};
use crate::page_facts::{ListFacts, PageFacts};
use crate::post_search::request_key;
use crate::verification::{ReasonCode, verify};
use copal_fetch::PageRequest;
use std::collections::HashSet;

/// Pages that a second reading may ask for.
const MAX_COMPARED_PAGES: usize = 60;
/// Pages besides twice those of the first reading: the first pages of ways that turn out to be others.
const SPARE_PAGES: usize = 4;
/// Ways that are tried.
const MAX_WAYS: usize = 3;
/// Values of a choice that are read one after the other.
const MAX_COMPARED_PARTS: usize = 8;
/// Fewer records than this are not worth requests, and a sitemap may have as many pages by chance.
const MIN_COMPARED_RECORDS: u64 = 3;

/// Another way to the records.
struct SecondWay {
    /// In words.
    name: String,
    parts: Vec<PageRequest>,
    /// The first page must show other records, or the server has ignored what makes the difference.
    must_differ: bool,
}

impl Explorer<'_> {
    /// True if the records would only be complete because their lists ended.
    pub(crate) fn wants_second_reading(&self) -> Result<bool, ExploreError> {
        if !self.options.reads_twice || self.second_reading.is_some() {
            return Ok(false);
        }
        let (kind, lists) = self.chosen_lists()?;
        Ok(verify(&self.evidence(kind.is_none(), &lists)?).1 == ReasonCode::ListsComplete)
    }

    /// Reads the records a second way.
    pub(crate) async fn read_a_second_way(&mut self, sink: RecordSink<'_>) -> Result<(), ExploreError> {
        self.is_settled = true;
        let result = self.second_reading_of(sink).await;
        self.compared = None;
        if !self.visitor.stopper().is_stopped() {
            self.second_reading = Some(result?);
        }
        Ok(())
    }

    async fn second_reading_of(&mut self, sink: RecordSink<'_>) -> Result<SecondReading, ExploreError> {
        let nothing = |way: &str| SecondReading {
            way: way.to_owned(),
            records: 0,
            pages: 0,
            agrees: false,
            has_more: false,
        };
        let (kind, lists) = self.chosen_lists()?;
        let Some((kind, _)) = kind else { return Ok(nothing("none: there is no list")) };
        let unique = self.frontier.record_count()?;
        if unique < MIN_COMPARED_RECORDS {
            return Ok(nothing("none: there are too few records"));
        }
        if self.in_sitemap(&kind)? == Some(unique) {
            let way = "the pages of records in the sitemap".to_owned();
            return Ok(SecondReading { way, records: unique, pages: 0, agrees: true, has_more: false });
        }
        let was_read = |(list, facts): &(FoundList, Option<ListFacts>)| {
            let read = facts.as_ref().filter(|_| list.state == "done")?.read.clone()?;
            Some((read.records, read.pages))
        };
        let first_pages: usize = lists.iter().filter_map(was_read).map(|(_, pages)| pages).sum();
        let main = lists.iter().max_by_key(|one| was_read(one).map_or(0, |(records, _)| records));
        let Some((main, Some(main_facts))) = main else { return Ok(nothing("none: no list was read")) };
        let max_pages = self.pages_for_comparing(first_pages);
        if max_pages <= first_pages {
            return Ok(nothing("none: a second reading may ask for fewer pages than the first needed"));
        }
        let before = self.pages;
        let mut reading = nothing("none: the site offers no other way");
        // the same list was read in two orders already, and the second had records that the first had not
        if let Some(order) = order_with_more(&lists) {
            (reading.way, reading.has_more) = (format!("its list in another order, {order}"), true);
            reading.records = unique;
        }
        let ways = self.second_ways(main, main_facts, &lists, unique).await?;
        for way in ways.into_iter().take(MAX_WAYS) {
            let known = self.frontier.record_count()?;
            self.compared = Some(ComparedRecords::default());
            for part in &way.parts {
                let used = self.pages - before;
                if used >= max_pages || self.must_stop() {
                    break;
                }
                let other_than = way.must_differ.then_some(main_facts);
                let limits = ReadingLimits { pages: max_pages - used, has_details: false };
                self.read_to_compare(part, &kind, other_than, limits, sink).await?;
            }
            let compared = self.compared.take().unwrap_or_default();
            let records = compared.keys.len() as u64;
            // records that the first reading did not have mean that it was not complete
            let has_same = records == known && self.frontier.record_count()? == known;
            let agrees = has_same && compared.has_distinct_pictures();
            let has_more = self.frontier.record_count()? > known;
            // the way that had more is what counts, unless another one confirms the records of both
            if agrees || !reading.has_more {
                reading = SecondReading { way: way.name, records, pages: 0, agrees, has_more };
            }
            if agrees || self.must_stop() {
                break;
            }
        }
        reading.pages = self.pages - before;
        Ok(reading)
    }

    /// Pages that a second reading may ask for.
    fn pages_for_comparing(&self, first_pages: usize) -> usize {
        let left = self.options.max_pages.saturating_sub(self.pages + 1);
        let elapsed = self.began.elapsed();
        let time_left = self.options.max_time.saturating_sub(elapsed).as_secs_f64();
        let per_page = elapsed.as_secs_f64() / self.pages.max(1) as f64;
        let in_time = (time_left / 2.0 / per_page.max(1e-6)).min(1e9) as usize;
        MAX_COMPARED_PAGES.min(2 * first_pages + SPARE_PAGES).min(left).min(in_time)
    }

    /// Reads one part of a second way. Lists that bring nothing new do not count for the result of the run.
    async fn read_to_compare(
        &mut self,
        part: &PageRequest,
        kind: &str,
        other_than: Option<&ListFacts>,
        limits: ReadingLimits,
        sink: RecordSink<'_>,
    ) -> Result<(), ExploreError> {
        let key = request_key(&part.url, part.form.as_deref());
        let same = |list: &FoundList| request_key(&list.url, list.form.as_deref()) == key;
        let known = self.frontier.lists()?.into_iter().find(|list| same(list));
        let facts = match known.as_ref().and_then(|list| serde_json::from_str(&list.facts).ok().flatten()) {
            Some(facts) => facts,
            None => match self.page_facts(part).await?.and_then(|page| page.list) {
                Some(facts) => facts,
                None => return Ok(()),
            },
        };
        let facts: ListFacts = facts;
        if facts.kind() != kind || other_than.is_some_and(|other| other.keys == facts.keys) {
            return Ok(());
        }
        let list = known
            .unwrap_or_else(|| FoundList { form: part.form.clone(), ..found_list(&part.url, kind, &facts) });
        self.frontier.add_list(&list)?;
        let before = self.frontier.record_count()?;
        self.extract_list(&list, facts, limits, sink).await?;
        if self.frontier.record_count()? == before
            && let Some(read) = self.frontier.lists()?.into_iter().find(|list| same(list))
        {
            self.frontier.finish_list(&list, COMPARED, &read.outcome, &read.facts, &[])?;
        }
        Ok(())
    }

    /// The ways that the site offers, the cheapest first.
    async fn second_ways(
        &mut self,
        main: &FoundList,
        main_facts: &ListFacts,
        lists: &[(FoundList, Option<ListFacts>)],
        unique: u64,
    ) -> Result<Vec<SecondWay>, ExploreError> {
        let mut ways = Vec::new();
        let Some(page) = self.page_facts(&main.request()).await? else { return Ok(ways) };
        let known = |url: &str| lists.iter().any(|(list, _)| is_same_page(&list.url, url));
        let orders = page.links.iter().filter(|link| is_other_order(&page.url, link));
        for link in orders.filter(|link| !known(&link.url)) {
            ways.push(SecondWay {
                name: format!("its list in another order, {}", link.url),
                parts: vec![PageRequest::get(&link.url)],
                must_differ: true,
            });
        }
        for (list, facts) in lists {
            let Some(facts) = facts.as_ref().filter(|_| list.state == "skipped") else { continue };
            // a single page with fewer records is an excerpt
            let may_have_all = facts.has_next || facts.records as u64 >= unique;
            // an order or a size that the server ignores shows the same page
            let is_other_page = !is_same_path(main, list) || facts.keys != main_facts.keys;
            if may_have_all && is_other_page && is_independent(main, list) {
                ways.push(SecondWay {
                    name: format!("the list {}", list.shown()),
                    parts: vec![list.request()],
                    must_differ: false,
                });
            }
        }
        if self.options.uses_forms {
            ways.extend(self.parts_of_forms(&page)?);
        }
        Ok(ways)
    }

    /// All values of a choice in the search form of a page.
    fn parts_of_forms(&self, page: &PageFacts) -> Result<Vec<SecondWay>, ExploreError> {
        let forms = page.forms.iter().filter(|form| form.refused.is_none());
        let groups = forms.flat_map(|form| &form.splits).filter(|group| group.len() <= MAX_COMPARED_PARTS);
        let mut ways: Vec<SecondWay> = Vec::new();
        for group in groups {
            let parts: Vec<PageRequest> =
                group.iter().map(|one| page_request(&one.url, one.body.as_deref())).collect();
            // what was read part by part is no other way
            let keys: HashSet<String> =
                parts.iter().map(|part| request_key(&part.url, part.form.as_deref())).collect();
            let was_read = |list: &FoundList| keys.contains(&request_key(&list.url, list.form.as_deref()));
            if self.frontier.lists()?.iter().any(|list| list.state == "done" && was_read(list)) {
                continue;
            }
            let choices: Vec<&str> = group.iter().map(|one| one.choice.as_str()).collect();
            let name = format!("its search form with {}", choices.join("; "));
            ways.push(SecondWay { name, parts, must_differ: false });
        }
        ways.sort_by_key(|way| way.parts.len());
        Ok(ways)
    }
}
