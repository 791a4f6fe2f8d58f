//! Reads the pages of the frontier's items, and judges what it means if that fails.
//!
//! Part of [`Explorer`](crate::explorer::Explorer). In: an item. Out: its page. A form whose token is no longer valid is
//! sent again with a new one; a page that the host does not respond to is left for the next run if the host has failed.

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::frontier_items::{FrontierItem, ItemEnd};
use crate::post_search::renewed_form;
use copal_fetch::{FetchError, FetchErrorKind, PageRequest};
use copal_site::{ReadDocument, SiteError};

/// Statuses of servers that miss a valid token in a form.
const REFUSED_FORM_STATUSES: [u16; 4] = [400, 403, 419, 422];

impl Explorer<'_> {
    /// Reads the page of an item. A form whose token an earlier process got may be refused; then its page is read again,
    /// and the form is sent with the token that is valid now.
    pub(crate) async fn read_item(
        &mut self,
        item: &mut FrontierItem,
    ) -> Result<Option<ReadDocument>, SiteError> {
        let visitor = self.visitor.with_limits(1, 0);
        let read = visitor.read(&item.request()).await;
        let (Some(form), Err(SiteError::Fetch(FetchError::Status { status, .. }))) = (&item.form, &read)
        else {
            let fetched = read.as_ref().ok().and_then(Option::as_ref).filter(|read| !read.from_cache);
            self.own_pages.extend(fetched.map(|read| read.url.clone()));
            return read;
        };
        if !REFUSED_FORM_STATUSES.contains(status) || self.own_pages.contains(&item.parent) {
            return read;
        }
        let Some(shown) = visitor.read(&PageRequest::get(&item.parent).fresh()).await? else {
            return Ok(None);
        };
        self.pages += 1;
        self.own_pages.insert(item.parent.clone());
        match shown.page.as_ref().and_then(|page| renewed_form(page, &item.url, form)) {
            Some(renewed) if renewed != *form => {
                self.pages += 1;
                item.form = Some(renewed);
                visitor.read(&item.request()).await
            }
            _ => read,
        }
    }

    /// The host responds to other pages: those that it did not respond to have failed for good.
    pub(crate) fn finish_unanswered(&mut self) -> Result<(), ExploreError> {
        for (item, error) in std::mem::take(&mut self.unanswered) {
            self.frontier.finish(&item, ItemEnd::Failed, &error, &[], None)?;
        }
        Ok(())
    }

    /// Counts a page that could not be read. Returns whether the host has a problem, and not only the page.
    pub(crate) fn note_error(&mut self, item: &FrontierItem, error: &SiteError) -> bool {
        self.pages += 1;
        self.explored += 1;
        self.errors += 1;
        let kind = if let SiteError::Fetch(error) = error { Some(error.kind()) } else { None };
        // a page that is missing does not mean that the host has a problem
        let is_of_host = match error {
            SiteError::Fetch(error) => error.is_temporary() || kind == Some(FetchErrorKind::Network),
            _ => false,
        };
        if item.role == "start" {
            self.start_error = Some(error.to_string());
            self.disallowed |= kind == Some(FetchErrorKind::Robots);
        }
        is_of_host
    }
}
