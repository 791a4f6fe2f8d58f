//! Whether the lists that a wrapper names are still where it says.
//!
//! In: a wrapper. Out: for each list its first page, or why it is not there any more. One request per list, two for a
//! search that is sent by POST.

use super::site_pages::{OpenedPage, PageProblem, SitePages};
use crate::error::CliError;
use copal::wrapper::{Navigation, NavigationRoute, Resemblance, Wrapper, resemblance};
use copal_explore::{SentSearch, canonical_key};
use std::rc::Rc;

/// The place of a list in a wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListSlot {
    Open,
    List(usize),
    Search(usize),
}

impl ListSlot {
    /// The keys of the wrapper file.
    pub(super) fn name(self) -> String {
        match self {
            ListSlot::Open => "navigation.open".to_owned(),
            ListSlot::List(at) => format!("navigation.lists[{at}]"),
            ListSlot::Search(at) => format!("navigation.searches[{at}]"),
        }
    }
}

/// A list of a wrapper and what was found at its place.
pub(super) struct CheckedList {
    pub(super) slot: ListSlot,
    /// What is asked for, with the texts that its route enters and chooses.
    pub(super) search: SentSearch,
    /// The page of the form of a search that is sent by POST.
    pub(super) form_page: Option<String>,
    /// Its first page, if it could be read.
    pub(super) opened: Option<Rc<OpenedPage>>,
    pub(super) resemblance: Resemblance,
    /// Why it is not there any more.
    pub(super) cause: Option<String>,
    /// Why it cannot be read now.
    pub(super) unread: Option<CliError>,
}

impl CheckedList {
    /// The URL that the site redirects to, if the list is still there.
    pub(super) fn moved_to(&self) -> Option<&str> {
        let opened = self.opened.as_ref().filter(|_| self.cause.is_none() && self.search.form.is_none())?;
        let is_same = canonical_key(&opened.url) == canonical_key(&self.search.url);
        (!is_same).then_some(opened.url.as_str())
    }
}

/// The lists of a wrapper, at most `max_lists`, as the site has them now.
pub(super) fn check_lists(pages: &mut SitePages, wrapper: &Wrapper, max_lists: usize) -> Vec<CheckedList> {
    let Some(navigation) = &wrapper.navigation else { return Vec::new() };
    let slots = navigation.open.iter().map(|_| ListSlot::Open);
    let slots = slots.chain((0..navigation.lists.len()).map(ListSlot::List));
    let slots = slots.chain((0..navigation.searches.len()).map(ListSlot::Search));
    slots.take(max_lists).map(|slot| check_list(pages, wrapper, navigation, slot)).collect()
}

fn check_list(
    pages: &mut SitePages,
    wrapper: &Wrapper,
    navigation: &Navigation,
    slot: ListSlot,
) -> CheckedList {
    let (url, form, form_page) = match slot {
        ListSlot::Open => (navigation.open.clone().unwrap_or_default(), None, None),
        ListSlot::List(at) => (navigation.lists[at].clone(), None, None),
        ListSlot::Search(at) => {
            let search = &navigation.searches[at];
            (search.url.clone(), Some(search.form.clone()), Some(search.page.clone()))
        }
    };
    let opened = match slot {
        ListSlot::Search(at) => pages.search(&navigation.searches[at]),
        _ => pages.get(&url),
    };
    let route = route_of(navigation, slot, &url);
    let steps = route.map_or(&[][..], |route| route.steps.as_slice());
    let chosen = steps.iter().filter_map(|step| step.with.clone()).collect();
    let mut list = CheckedList {
        slot,
        search: SentSearch { url, form, chosen },
        form_page,
        opened: None,
        resemblance: Resemblance::Different,
        cause: None,
        unread: None,
    };
    match opened {
        Ok(opened) => {
            list.resemblance = resemblance(wrapper, &opened.page);
            if list.resemblance == Resemblance::Different {
                let is_moved = canonical_key(&opened.url) != canonical_key(&list.search.url);
                let target =
                    if is_moved { format!("it leads to {}, which", opened.url) } else { "it".to_owned() };
                list.cause = Some(format!("{target} shows no records like those of the samples"));
            }
            list.opened = Some(opened);
        }
        Err(PageProblem::Gone(why)) => list.cause = Some(why),
        Err(PageProblem::Unreadable(error)) => list.unread = Some(error),
    }
    list
}

/// The route to a list. Searches by POST may share a URL: then they come in the order of their routes.
pub(super) fn route_of<'a>(
    navigation: &'a Navigation,
    slot: ListSlot,
    url: &str,
) -> Option<&'a NavigationRoute> {
    let earlier = match slot {
        ListSlot::Search(at) => navigation.searches[..at].iter().filter(|search| search.url == url).count(),
        _ => 0,
    };
    navigation.routes.iter().filter(|route| route.to == url).nth(earlier)
}
