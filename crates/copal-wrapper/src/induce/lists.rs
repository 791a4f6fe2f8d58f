//! Learning a wrapper from pages whose main list is known.
//!
//! In: pages with their extractions. Out: a [`Wrapper`] with several locators for the region, the records and
//! every column. A locator is kept if on the samples it finds what the extraction found: the same elements
//! for records, the same texts and URLs for columns. The work is bounded: few records are looked at for
//! candidates, and selectors have fuel.

use super::candidates::{LocatorFamily, best_of_families, selector_candidates};
use super::column_groups::column_groups;
use super::columns::column_rules;
use super::navigation::learn_navigation;
use super::records::record_rule;
use super::sample::{MAX_SAMPLED_RECORDS, Sample};
use crate::apply::apply;
use crate::apply::regions::{ANYWHERE, MAX_REGION_ELEMENTS, is_named, records_by_selector};
use crate::deuds;
use crate::drift::profile::fill_profiles;
use crate::error::WrapperError;
use crate::format::{ColumnRule, MAX_LOCATORS, PageKind, PageRule, ReadFrom, RecordRule, Wrapper};
use crate::locate::css::Css;
use crate::locate::fingerprint::Fingerprint;
use crate::value_types::value_type_named;
use copal_dom::{Node, Page, tags};
use copal_extract::{Answer, Origin, Parts, Region};
use rustc_hash::FxHashSet;

/// A wrapper that was learned.
#[derive(Debug)]
pub struct Learned {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// What it leaves out, and why, in sentences for users.
    pub notes: Vec<String>,
}

/// Learns a wrapper from list pages of one kind and their extractions.
pub fn learn(samples: &[(&Page, &Answer)]) -> Result<Learned, WrapperError> {
    let mut notes = Vec::new();
    let mut known = Vec::new();
    for (page, extraction) in samples {
        match extraction
            .primary()
            .filter(|list| list.origin == Origin::Page)
            .and_then(|list| Sample::of(page, list))
        {
            Some(sample) => known.push(sample),
            None => notes.push("a page was left out: it has no list that can be learned".into()),
        }
    }
    let Some(first) = known.first() else {
        return Err(WrapperError::NoList);
    };
    let (region, mut record) = region_and_records(&known)?;
    let columns = column_rules(&known, &column_groups(&known), &mut notes);
    record.fingerprint = fingerprint(&known, &columns);
    let rule = PageRule { kind: PageKind::List, region, record: Some(record), columns, profile: None };
    let mut wrapper = Wrapper::new(first.page.url.as_deref().and_then(site_pattern), rule);
    wrapper.navigation = learn_navigation(first.page, first.list);
    // The profile describes what the wrapper reads, which may be less than what was extracted.
    let read: Vec<(&Page, Answer)> =
        known.iter().map(|sample| (sample.page, apply(&wrapper, sample.page))).collect();
    let lists: Vec<(&Page, &Region)> =
        read.iter().filter_map(|(page, read)| Some((*page, read.primary()?))).collect();
    fill_profiles(&mut wrapper.pages[0], &lists);
    Ok(Learned { wrapper, notes })
}

/// Finds region and records of a rule anew, for the records that its list shall have. The columns stay.
pub(crate) fn renew_records(page: &Page, list: &Region, rule: &mut PageRule) -> Result<(), WrapperError> {
    let samples = [Sample::of(page, list).ok_or(WrapperError::NoList)?];
    let (region, mut record) = region_and_records(&samples)?;
    record.fingerprint = fingerprint(&samples, &rule.columns);
    (rule.region, rule.record) = (region, Some(record));
    Ok(())
}

/// Measures the records of a rule anew.
pub(crate) fn renew_fingerprint(page: &Page, list: &Region, rule: &mut PageRule) {
    let measured = Sample::of(page, list).and_then(|sample| fingerprint(&[sample], &rule.columns));
    if let Some(record) = &mut rule.record {
        record.fingerprint = measured;
    }
}

/// Learns where the records of list pages are, without their columns: a wrapper for
/// [`locate_records`](crate::locate_records). Much cheaper than [`learn`], whose work is mostly that of the columns.
pub fn learn_records(samples: &[(&Page, &Region)]) -> Result<Wrapper, WrapperError> {
    let known: Vec<Sample<'_>> = samples.iter().filter_map(|(page, list)| Sample::of(page, list)).collect();
    let first = known.first().filter(|_| known.len() == samples.len()).ok_or(WrapperError::NoList)?;
    let (region, mut record) = region_and_records(&known)?;
    let kinds = samples.iter().flat_map(|(_, list)| &list.columns).filter_map(|column| column.value_type);
    record.fingerprint =
        Fingerprint::of(&records_by_page(&known), &kinds.filter_map(value_type_named).collect());
    let rule =
        PageRule { kind: PageKind::List, region, record: Some(record), columns: Vec::new(), profile: None };
    Ok(Wrapper::new(first.page.url.as_deref().and_then(site_pattern), rule))
}

/// Locators of the region and of its records.
fn region_and_records(known: &[Sample<'_>]) -> Result<(Vec<String>, RecordRule), WrapperError> {
    let mut record = record_rule(known)?;
    let region = region_locators(known, &record);
    if region.is_empty() {
        return Err(WrapperError::NoRegionSelector);
    }
    // Records that are found anywhere need a name. If the records are children of `body` and none has a name, `body` is
    // just the element that holds them.
    if region[0] == ANYWHERE && record.find.iter().any(|css| is_named(css)) {
        record.find.retain(|css| is_named(css));
    }
    Ok((region, record))
}

fn records_by_page<'a>(samples: &[Sample<'a>]) -> Vec<(&'a Page, Vec<Parts>)> {
    let records = |list: &Region| list.records.iter().map(|record| record.place.parts.clone()).collect();
    samples.iter().map(|sample| (sample.page, records(sample.list))).collect()
}

/// The fingerprint of the samples' records.
fn fingerprint(samples: &[Sample<'_>], columns: &[ColumnRule]) -> Option<Fingerprint> {
    let texts = columns.iter().filter(|column| column.read_from == ReadFrom::Text);
    Fingerprint::of(
        &records_by_page(samples),
        &texts.filter_map(|column| value_type_named(column.value_type.as_deref()?)).collect(),
    )
}

/// A pattern for all pages of the site of a URL: scheme and host, then `/*`.
pub(super) fn site_pattern(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    Some(format!("{scheme}://{host}/*"))
}

/// Selectors of the element that holds the records.
fn region_locators(samples: &[Sample<'_>], record: &RecordRule) -> Vec<String> {
    let mut all = Vec::new();
    // The best name that also finds other elements. The records decide between them when the wrapper is
    // applied.
    let mut ambiguous: Option<(f64, String)> = None;
    let mut seen = FxHashSet::default();
    for sample in samples.iter().take(MAX_SAMPLED_RECORDS) {
        for candidate in selector_candidates(&sample.page.tree, 0, sample.root) {
            if !seen.insert(candidate.css.clone()) {
                continue;
            }
            let Ok(css) = Css::parse(&candidate.css) else { continue };
            let found: Vec<Vec<Node>> = samples.iter().map(|sample| css.select(&sample.index)).collect();
            let count = |is: &dyn Fn(&[Node], Node) -> bool| {
                found.iter().zip(samples).filter(|(found, sample)| is(found, sample.root)).count() as f64
            };
            let share = count(&|found, root| found == [root]) / samples.len() as f64;
            let among = count(&|found, root| found.len() <= MAX_REGION_ELEMENTS && found.contains(&root));
            if share > 0.0 {
                all.push((candidate.family, candidate.score * share, candidate.css));
            } else if among as usize == samples.len()
                && candidate.family == LocatorFamily::Name
                && ambiguous.as_ref().is_none_or(|(score, _)| candidate.score > *score)
            {
                ambiguous = Some((candidate.score, candidate.css));
            }
        }
    }
    // Records that have a name of their own need no region around them.
    let anywhere = are_found_anywhere(samples, record).then(|| ANYWHERE.to_owned());
    if all.iter().all(|(family, ..)| *family == LocatorFamily::Position) {
        // A DEUDS pattern adds ancestors until it is unique.
        let first = &samples[0];
        let pattern = deuds::pattern(&first.index, first.root).ok();
        let ambiguous = ambiguous.map(|(_, css)| css);
        let found = anywhere.into_iter().chain(best_of_families(all, 1)).chain(ambiguous).chain(pattern);
        return found.take(MAX_LOCATORS).collect();
    }
    let mut found = best_of_families(all, MAX_LOCATORS);
    if found.len() == MAX_LOCATORS && anywhere.is_some() {
        found.pop();
    }
    found.extend(anywhere);
    found
}

/// True if the records' first selector has a name in it and finds the same records inside `body`.
fn are_found_anywhere(samples: &[Sample<'_>], record: &RecordRule) -> bool {
    is_named(&record.find[0])
        && samples.iter().all(|sample| {
            let body = sample.page.tree.find(tags::BODY);
            let starts = |region: Node| -> Vec<Node> {
                let records = records_by_selector(sample.page, &sample.index, region, record, 0);
                records.iter().map(|parts| parts[0].start).collect()
            };
            body.is_some_and(|body| starts(body) == starts(sample.root))
        })
}
