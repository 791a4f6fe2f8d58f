//! `copal repair` of the wrapper of a site: its navigation, then its locators, then the rule for the next page.
//!
//! In: a wrapper that names the lists of a site. Out: its next revision, and the steps that could not be mended. Pages
//! are opened once, from the lists that the wrapper names, or where they are now.

use super::{MAX_REPAIR_LISTS, RepairArguments, cannot_repair, describe, write_revision};
use crate::commands::site::navigation::{
    NavigationChange, OpenedPage, SitePages, check_navigation, mend_lists_and_routes, mend_next,
};
use crate::error::{CliError, catch_panic};
use crate::navigation_finding::NavigationFinding;
use crate::outcome::Outcome;
use crate::reporting;
use copal::wrapper::{RepairError, Repaired, Wrapper, next_page, repair, with_mended_navigation};
use copal::{Page, Request};
use copal_explore::canonical_key;
use std::collections::HashSet;
use std::rc::Rc;

pub(super) fn run(
    arguments: &RepairArguments,
    wrapper: &Wrapper,
    urls: &[&str],
) -> Result<Outcome, CliError> {
    let reading = &arguments.pages.reading;
    let quiet = reading.run.quiet;
    let mut pages = SitePages::new(reading, &reading.request(), urls)?;
    let checked = check_navigation(&mut pages, wrapper, MAX_REPAIR_LISTS);
    let mut errors = checked.errors();
    let mended = mend_lists_and_routes(&mut pages, wrapper, &checked);
    if mended.pages.is_empty()
        && mended.unmended.is_empty()
        && let Some(error) = errors.pop()
    {
        return Err(error.with_hint("the site may be down, or may have moved: run copal site again"));
    }
    let mut worst = errors.iter().map(CliError::outcome).max().unwrap_or(Outcome::Done);
    errors.iter().for_each(reporting::error);
    let mut unmended = mended.unmended;
    let samples = sample_pages(&mut pages, &mended.wrapper, &mended.pages, arguments.verify);
    for sample in &samples {
        worst = worst.max(reporting::partial_page(&sample.url, &sample.page, quiet));
    }
    let repaired = repaired_layout(&mended.wrapper, &samples, arguments.verify);
    let repaired = repaired.inspect_err(|_| report_unmended(&unmended))?;
    let current = repaired.as_ref().map_or(&mended.wrapper, |repaired| &repaired.wrapper).clone();
    let mut changes = mended.changes;
    let mut navigation = current.navigation.clone().unwrap_or_default();
    match mend_next(&mut pages, &current, &mended.pages) {
        Some(Ok((mended, change))) => {
            changes.push(change);
            navigation = mended.navigation.unwrap_or_default();
        }
        Some(Err(finding)) => unmended.push(finding),
        None => {}
    }
    if !unmended.is_empty() {
        worst = worst.max(Outcome::Changed);
    }
    if repaired.is_none() && changes.is_empty() {
        report_unmended(&unmended);
        if unmended.is_empty() && !quiet {
            reporting::line(RepairError::Healthy);
        }
        return Ok(worst);
    }
    let new = if changes.is_empty() {
        current
    } else {
        let steps: Vec<String> = changes.iter().map(|change| change.step.clone()).collect();
        with_mended_navigation(current, navigation, wrapper, &steps)
    };
    reporting::print(&text_of(
        wrapper,
        &new,
        repaired.as_ref(),
        &changes,
        samples.len(),
        reading.run.is_verbose(),
    ))?;
    report_unmended(&unmended);
    if !arguments.dry_run {
        write_revision(arguments, wrapper, &new)?;
    }
    Ok(worst)
}

/// New locators for the records and columns, if the pages need them.
fn repaired_layout(
    wrapper: &Wrapper,
    samples: &[Rc<OpenedPage>],
    verify: usize,
) -> Result<Option<Repaired>, CliError> {
    // without a page, only the navigation is known to be broken
    if samples.is_empty() {
        return Ok(None);
    }
    let samples: Vec<&Page> = samples.iter().map(|opened| &opened.page).collect();
    match catch_panic(|| Ok(repair(wrapper, &samples, verify)))? {
        Ok(repaired) => Ok(Some(repaired)),
        Err(RepairError::Healthy) => Ok(None),
        Err(error) => Err(cannot_repair(error)),
    }
}

/// The first pages of the lists, with as many following pages as are needed to verify a repair.
fn sample_pages(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    first: &[Rc<OpenedPage>],
    verify: usize,
) -> Vec<Rc<OpenedPage>> {
    let key = |url: &str| canonical_key(url).unwrap_or_else(|| url.to_owned());
    let mut seen: HashSet<String> = first.iter().map(|opened| key(&opened.url)).collect();
    let mut samples = first.to_vec();
    for opened in first {
        let mut at = Rc::clone(opened);
        while samples.len() < verify {
            // the wrapper's own next link may be what has changed
            let found = || copal::extract_page(&at.page, &Request::default()).page.next;
            let Some(url) = next_page(wrapper, &at.page).or_else(found) else { break };
            let Some(next) = pages.page(&url).filter(|next| seen.insert(key(&next.url))) else { break };
            samples.push(Rc::clone(&next));
            at = next;
        }
    }
    samples
}

fn text_of(
    old: &Wrapper,
    new: &Wrapper,
    repaired: Option<&Repaired>,
    changes: &[NavigationChange],
    pages: usize,
    verbose: bool,
) -> String {
    let mut text = match repaired {
        Some(repaired) => describe(old, repaired, verbose),
        None => {
            let pages = reporting::count(pages, "page");
            format!("version {} -> {}, tested on {pages}\n", old.revision, new.revision)
        }
    };
    for change in changes {
        let line = format!("{}: {} -> {} ({})", change.step, change.before, change.after, change.why);
        text.push_str(&(reporting::printable(&line) + "\n"));
    }
    text
}

fn report_unmended(unmended: &[NavigationFinding]) {
    for (at, finding) in unmended.iter().enumerate() {
        let message = reporting::printable(&format!("{}: {}", finding.step, finding.cause));
        let mut error = CliError::new(Outcome::Changed, format_args!("cannot be mended: {message}"));
        if at + 1 == unmended.len() {
            error = error.with_hint("run copal site again: it explores the site without the wrapper");
        }
        reporting::error(&error);
    }
}
