//! Types into a field of a search form in the browser, takes suggestions, and reads what the form would send.
//!
//! In: the URL of a page with the form. Out: one search per suggestion. The form itself is not sent here: what it sends is
//! fetched like any other page, with the same delays and the cache. A wildcard ("All areas") is taken alone. Bounded by
//! [`MAX_TYPING_TIME`], by the number of beginnings and suggestions, and by the waits of the browser.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use copal_dom::{Limits, Page};
use copal_fetch::Fetcher;
use copal_render::{ElementHandle, FormRequest, PageElements};
use url::Url;

use crate::error::{SiteError, catch_panic};
use crate::rendering::{OpenTab, Rendering};
use crate::stopper::Stopper;
use crate::suggested_search::{SearchField, SuggestedSearch, SuggestionQuery};
use crate::suggestion_list::{contains, find_suggestions};

/// Beginnings that are typed at most.
const MAX_BEGINNINGS: usize = 8;
/// After this time no further suggestion is asked for.
const MAX_TYPING_TIME: Duration = Duration::from_mins(2);

/// A suggestion and its element; `None` if it is typed instead of being chosen.
type Offered = (Option<ElementHandle>, String);

impl Rendering {
    /// The searches that suggestions of a page's form lead to. `None` if the page has no such form.
    pub(crate) fn suggested_searches(
        &self,
        url: &str,
        query: SuggestionQuery<'_>,
        fetcher: &Fetcher,
        stopper: &Stopper,
        limits: &Limits,
    ) -> Result<Option<Vec<SuggestedSearch>>, SiteError> {
        let open = || self.open(url, None, fetcher, stopper, limits);
        let (page, tab) = open()?;
        let Some(mut typing) = FieldTyping::begin(&page, tab, query)? else { return Ok(None) };
        let beginnings: Vec<String> = typing.field.beginnings.iter().take(MAX_BEGINNINGS).cloned().collect();
        let ends = Instant::now() + MAX_TYPING_TIME;
        let (mut searches, mut known) = (Vec::new(), HashSet::new());
        'beginnings: for typed in &beginnings {
            let mut offered = match tokio::task::block_in_place(|| typing.offered(typed)) {
                Ok(offered) => offered,
                // what was found before is kept
                Err(_) if !searches.is_empty() => break,
                Err(error) => return Err(error),
            };
            let wildcard = offered.iter().find(|(_, text)| (query.is_wildcard)(text)).cloned();
            let is_wild = wildcard.is_some();
            let wanted = wildcard.map_or_else(|| matching_first(&offered, typed), |one| vec![one.1]);
            for text in wanted {
                if searches.len() >= query.max_suggestions || Instant::now() >= ends {
                    break 'beginnings;
                }
                if !known.insert(text.clone()) {
                    continue;
                }
                let taken = tokio::task::block_in_place(|| typing.take(typed, &text, &mut offered));
                match taken {
                    Ok(search) => searches.extend(search),
                    Err(_) if !searches.is_empty() => break 'beginnings,
                    Err(error) => return Err(error),
                }
                if typing.has_left {
                    let (page, tab) = open()?;
                    match FieldTyping::begin(&page, tab, query)? {
                        Some(again) => typing = again,
                        None => break 'beginnings,
                    }
                    offered.clear();
                }
            }
            if is_wild && !searches.is_empty() {
                break;
            }
        }
        Ok(Some(searches))
    }
}

/// The texts of suggestions, those first that begin with what was typed, then those that contain it.
fn matching_first(offered: &[Offered], typed: &str) -> Vec<String> {
    let mut texts: Vec<String> = offered.iter().map(|(_, text)| text.clone()).collect();
    let begins = |text: &str| text.to_lowercase().starts_with(&typed.to_lowercase());
    texts.sort_by_key(|text| (!begins(text), !contains(text, typed)));
    // other entries of a list that was searched for are not suggestions: "use my location", "powered by"
    if texts.first().is_some_and(|first| contains(first, typed)) {
        texts.retain(|text| contains(text, typed));
    }
    texts
}

/// A page with a field that is typed into.
struct FieldTyping {
    tab: OpenTab,
    /// The URL of the page.
    url: String,
    field: SearchField,
    element: ElementHandle,
    /// The elements that were shown before anything was typed.
    shown: HashSet<ElementHandle>,
    /// A script has opened another page.
    has_left: bool,
}

impl FieldTyping {
    fn begin(
        page: &Page,
        tab: OpenTab,
        query: SuggestionQuery<'_>,
    ) -> Result<Option<FieldTyping>, SiteError> {
        let url = page.url.clone().unwrap_or_default();
        let Some(field) = catch_panic(&url, || (query.find_field)(page))? else { return Ok(None) };
        let Some(element) = tab.elements.get(field.node) else { return Ok(None) };
        let shown = shown_elements(page, &tab.elements);
        Ok(Some(FieldTyping { tab, url, field, element, shown, has_left: false }))
    }

    /// Types a text, and returns what is offered for it.
    fn offered(&mut self, typed: &str) -> Result<Vec<Offered>, SiteError> {
        if !self.tab.tab.type_text(self.element, typed)? {
            return Ok(Vec::new());
        }
        let page = self.tab.read()?;
        let elements = &self.tab.elements;
        let Some(field) = elements.node(self.element) else { return Ok(Vec::new()) };
        let is_new = |node| elements.get(node).is_some_and(|element| !self.shown.contains(&element));
        let found = catch_panic(&self.url, || find_suggestions(&page, field, typed, &is_new))?;
        let offered = found.into_iter().filter_map(|one| match one.node {
            Some(node) => Some((Some(elements.get(node)?), one.text)),
            None => Some((None, one.text)),
        });
        Ok(offered.collect())
    }

    /// Takes a suggestion, and returns what the form would send then. `offered` is what the page shows, or empty if that
    /// is gone: then the text is typed again.
    fn take(
        &mut self,
        typed: &str,
        text: &str,
        offered: &mut Vec<Offered>,
    ) -> Result<Option<SuggestedSearch>, SiteError> {
        let list = std::mem::take(offered);
        let list = if list.is_empty() { self.offered(typed)? } else { list };
        let Some((element, text)) = list.into_iter().find(|(_, other)| other == text) else {
            return Ok(None);
        };
        let taken = match element {
            Some(element) => self.tab.tab.choose(element)?,
            None => self.tab.tab.type_text(self.element, &text)?,
        };
        if !taken {
            return Ok(None);
        }
        let found =
            |url: String, form| SuggestedSearch { typed: typed.to_owned(), suggestion: text, url, form };
        if let Some(url) = self.other_page()? {
            return Ok(Some(found(url, None)));
        }
        match self.tab.tab.form_request(self.element)? {
            Some(request) => Ok(sent_request(&self.field, &request).map(|(url, form)| found(url, form))),
            // a script may have sent it
            None => Ok(self.other_page()?.map(|url| found(url, None))),
        }
    }

    /// The URL of the page that a script has opened instead of the form's page, if it is of the same site.
    fn other_page(&mut self) -> Result<Option<String>, SiteError> {
        let url = self.tab.tab.url()?;
        let without_fragment = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
        if without_fragment(&url) == without_fragment(&self.url) {
            return Ok(None);
        }
        self.has_left = true;
        let (Ok(shown), Ok(own)) = (Url::parse(&url), Url::parse(&self.url)) else { return Ok(None) };
        let is_own = copal_dom::url::same_site(&shown, &own) && shown.port() == own.port();
        Ok(is_own.then_some(url))
    }
}

fn shown_elements(page: &Page, elements: &PageElements) -> HashSet<ElementHandle> {
    let shown = page.tree.nodes().filter(|&node| page.styles.is_shown(node));
    shown.filter_map(|node| elements.get(node)).collect()
}

/// The URL and the posted fields of a request. `None` if it goes to another place than the form of the field.
fn sent_request(field: &SearchField, request: &FormRequest) -> Option<(String, Option<String>)> {
    let (mut url, action) = (Url::parse(&request.url).ok()?, Url::parse(&field.action).ok()?);
    let is_same = url.origin() == action.origin() && url.path() == action.path();
    if !is_same || request.is_post != field.is_post {
        return None;
    }
    url.set_fragment(None);
    let fields = request.fields.iter().filter(|(name, _)| !name.is_empty());
    if request.is_post {
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        return Some((url.into(), Some(form)));
    }
    // a GET form replaces the query of its action
    url.set_query(None);
    url.query_pairs_mut().extend_pairs(fields);
    Some((url.into(), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(is_post: bool) -> SearchField {
        let action = "https://a.example/find?old=1".to_owned();
        SearchField { node: 1, beginnings: Vec::new(), action, is_post }
    }

    fn request(url: &str, is_post: bool) -> FormRequest {
        let fields = vec![("town".to_owned(), "Bad Ems".to_owned()), ("id".to_owned(), "7".to_owned())];
        FormRequest { url: url.to_owned(), is_post, fields }
    }

    #[test]
    fn only_the_judged_form_is_sent() {
        let sent = |is_post, url: &str| sent_request(&field(false), &request(url, is_post));
        let get = sent(false, "https://a.example/find?old=1#top").unwrap();
        assert_eq!(get, ("https://a.example/find?town=Bad+Ems&id=7".to_owned(), None));
        assert_eq!(sent(true, "https://a.example/find"), None);
        assert_eq!(sent(false, "https://a.example/order"), None);
        assert_eq!(sent(false, "https://b.example/find"), None);
        assert_eq!(sent(false, "javascript:void(0)"), None);
        let post = sent_request(&field(true), &request("https://a.example/find?old=1", true)).unwrap();
        assert_eq!(post, ("https://a.example/find?old=1".to_owned(), Some("town=Bad+Ems&id=7".to_owned())));
    }

    #[test]
    fn suggestions_that_match_come_first_and_others_only_without_them() {
        let offered =
            |texts: &[&str]| texts.iter().map(|text| (None, (*text).to_owned())).collect::<Vec<Offered>>();
        let order = matching_first(&offered(&["Use my location", "New Oxley", "Oxford"]), "ox");
        assert_eq!(order, ["Oxford", "New Oxley"]);
        assert_eq!(matching_first(&offered(&["Bath", "York"]), "ox"), ["Bath", "York"]);
    }
}
