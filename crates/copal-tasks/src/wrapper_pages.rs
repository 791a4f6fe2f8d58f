//! Reads whole lists with a wrapper: the following pages by its next link, the detail pages by its rule for
//! objects.
//!
//! In: the URL and the answer of a list's first page. Out: the same answer with the records of all pages and
//! the fields of the records' own pages. Only pages of the list's own site are asked for, each once.

use crate::error::{TaskError, catch_panic};
use crate::option_style::OptionStyle;
use copal::model::{FollowReport, ListPage};
use copal::objects::Object;
use copal::objects::join::{OwnPage, join};
use copal::wrapper::{PageKind, Wrapper, apply, next_page};
use copal::{Answer, Page, Warning};
use std::collections::HashSet;
use std::sync::Arc;

/// Reads the page at a URL.
pub type PageFetch<'a> = dyn Fn(&str) -> Result<Page, TaskError> + Sync + 'a;

/// A wrapper, and how far lists are read with it.
#[allow(missing_debug_implementations)]
pub struct WrapperPages<'a> {
    /// The wrapper.
    pub wrapper: &'a Wrapper,
    /// How further pages are read.
    pub read_page: &'a PageFetch<'a>,
    /// Pages of a list at most.
    pub max_pages: usize,
    /// Detail pages at most.
    pub max_details: usize,
}

impl WrapperPages<'_> {
    /// Refuses what the wrapper does not know.
    pub fn check(&self, style: OptionStyle) -> Result<(), TaskError> {
        let knows_next =
            self.wrapper.navigation.as_ref().is_some_and(|navigation| !navigation.next.is_empty());
        if self.max_pages > 1 && !knows_next {
            let follow = style.written("follow");
            let message = format!("{follow}: the wrapper has no next link (navigation.next)");
            return Err(TaskError::usage(message).with_hint("learn it again from a page with a next link"));
        }
        if self.max_details > 0 && self.wrapper.pages.iter().all(|rule| rule.kind != PageKind::Detail) {
            let details = style.written("details");
            let message = format!("{details}: the wrapper has no rule for pages of single objects");
            return Err(TaskError::usage(message)
                .with_hint("learn it from a list and some of its detail pages together"));
        }
        Ok(())
    }

    /// Adds the following pages and the detail pages to the answer for a list's first page.
    pub fn complete(&self, first: &Page, url: &str, answer: &mut Answer) {
        if self.max_pages > 1 && answer.primary().is_some() {
            self.follow(first, url, answer);
        }
        if self.max_details > 0 {
            self.add_details(url, answer);
        }
    }

    fn read(&self, url: &str) -> Result<(Page, Answer), TaskError> {
        let page = (self.read_page)(url)?;
        let answer = catch_panic(|| Ok(apply(self.wrapper, &page)))?;
        Ok((page, answer))
    }

    fn follow(&self, first: &Page, url: &str, answer: &mut Answer) {
        let mut report = FollowReport { pages: vec![url.to_owned()], whole: true, ..FollowReport::default() };
        let mut seen: HashSet<String> = HashSet::from([url.to_owned()]);
        let mut known: HashSet<String> = HashSet::new();
        let Some(list) = answer.regions.iter_mut().find(|list| list.role.is_main()) else { return };
        let first_page = ListPage { number: 1, url: Arc::from(url) };
        for record in &mut list.records {
            record.page = Some(first_page.clone());
            known.insert(record.text.clone());
        }
        let mut next = next_page(self.wrapper, first);
        report.stopped = loop {
            let Some(url) = next.take() else { break "there is no next link".to_owned() };
            if report.pages.len() >= self.max_pages {
                report.whole = false;
                break "as many pages were read as were asked for".to_owned();
            }
            if !is_same_site(&url, &report.pages[0]) || !seen.insert(url.clone()) {
                break format!("the next link leads to a page that is not a further page: {url}");
            }
            let (page, mut read) = match self.read(&url) {
                Ok(read) => read,
                Err(error) => {
                    (report.whole, report.cut) = (false, true);
                    break format!("{url}: {error}");
                }
            };
            let same_columns = |found: &copal::Region| {
                found
                    .columns
                    .iter()
                    .map(|column| &column.name)
                    .eq(list.columns.iter().map(|column| &column.name))
            };
            let found = read.regions.iter_mut().find(|found| found.role.is_main() && same_columns(found));
            let Some(found) = found else { break format!("{url} has no such list") };
            let before = list.records.len();
            let list_page = ListPage { number: report.pages.len() as u32 + 1, url: Arc::from(url.as_str()) };
            for mut record in std::mem::take(&mut found.records) {
                if known.insert(record.text.clone()) {
                    record.page = Some(list_page.clone());
                    list.records.push(record);
                } else {
                    report.repeated += 1;
                }
            }
            if list.records.len() == before {
                break format!("{url} has no new records");
            }
            answer.warnings.extend(read.warnings.into_iter().filter(Warning::is_about_partial_result));
            next = next_page(self.wrapper, &page);
            report.pages.push(url);
        };
        answer.followed = Some(report);
    }

    fn add_details(&self, url: &str, answer: &mut Answer) {
        let Some(list) = answer.regions.iter_mut().find(|list| list.role.is_main()) else { return };
        let Some(column) = list.link_column() else {
            answer
                .warnings
                .push(Warning::Note("no detail pages were read: the records have no links".into()));
            return;
        };
        let links = list.records.iter().enumerate().filter_map(|(at, record)| {
            let link = record.cells[column].first()?;
            is_same_site(link, url).then(|| (at, link.to_owned()))
        });
        let links: Vec<(usize, String)> = links.take(self.max_details).collect();
        let mut objects: Vec<(usize, &str, Object)> = Vec::new();
        let mut failed = 0;
        for (at, link) in &links {
            match self.read(link).map(|(_, read)| read.object) {
                Ok(Some(object)) => objects.push((*at, link, object)),
                Ok(None) | Err(_) => failed += 1,
            }
        }
        let pages: Vec<OwnPage<'_>> =
            objects.iter().map(|(at, name, detail)| OwnPage { record: *at, name, detail }).collect();
        join(list, &pages);
        if failed > 0 {
            let text = format!("{failed} of {} detail pages could not be read with the wrapper", links.len());
            answer.warnings.push(Warning::Note(text));
        }
    }
}

/// True if two URLs have the same scheme and host.
fn is_same_site(a: &str, b: &str) -> bool {
    let site = |url: &str| {
        let (scheme, rest) = url.split_once("://")?;
        Some((scheme.to_owned(), rest.split(['/', '?', '#']).next()?.to_ascii_lowercase()))
    };
    site(a).is_some() && site(a) == site(b)
}
