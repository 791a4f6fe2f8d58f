//! Which page of a site is the list that has moved.
//!
//! In: lists that are not where the wrapper says, and pages that may be them. Out: at most one page per list, if the
//! page's records resemble the samples and no other page could be it as well.

use super::list_check::{CheckedList, ListSlot};
use super::site_pages::OpenedPage;
use copal::wrapper::{Resemblance, Wrapper, apply, shared_examples};
use copal_explore::SentSearch;
use copal_fetch::PageRequest;
use std::collections::HashSet;
use std::rc::Rc;

/// Weight of a page that a form leads to with the choice of the list.
const SAME_CHOICE_WEIGHT: f64 = 10.0;
/// Weight of a page that shows all example records of the samples.
const EXAMPLES_WEIGHT: f64 = 5.0;
/// Weight of each value that both URLs send.
const VALUE_WEIGHT: f64 = 2.0;
/// Weight of URLs with the same words.
const WORDS_WEIGHT: f64 = 2.0;
/// Weight of the largest of several lists that are alike.
const LARGEST_WEIGHT: f64 = 0.3;
/// A page is chosen only if its score is higher than that of the others by this.
const MIN_LEAD: f64 = 0.2;

/// A page that may be a list that has moved.
pub(super) struct CandidateList {
    pub(super) request: PageRequest,
    /// The page of the form that leads to it.
    pub(super) form_page: Option<String>,
    /// The list whose choice was made in a form, by its number.
    pub(super) choice_of: Option<usize>,
    pub(super) opened: Rc<OpenedPage>,
    pub(super) resemblance: Resemblance,
    /// How many records it seems to have.
    pub(super) expected: u64,
}

/// What the lists were assigned: for each list the number of a candidate, or why there is none.
pub(super) fn assign(
    wrapper: &Wrapper,
    lists: &[&CheckedList],
    candidates: &[CandidateList],
) -> Vec<Result<usize, String>> {
    let largest = candidates.iter().map(|candidate| candidate.expected).max().unwrap_or(0);
    let examples: Vec<f64> = candidates
        .iter()
        .map(|candidate| shared_examples(wrapper, &apply(wrapper, &candidate.opened.page)))
        .collect();
    let score = |list: usize, at: usize| {
        let candidate = &candidates[at];
        let own = f64::from(candidate.choice_of == Some(list));
        let other_choice = candidate.choice_of.is_some_and(|other| other != list);
        let url = &lists[list].search;
        // the examples are those of the wrapper's first list
        let is_first = matches!(lists[list].slot, ListSlot::Open | ListSlot::Search(0));
        let examples = if is_first { examples[at] } else { 0.0 };
        let likeness = EXAMPLES_WEIGHT * examples
            + VALUE_WEIGHT * shared_values(url, &candidate.request)
            + WORDS_WEIGHT * shared_words(&url.url, &candidate.request.url);
        // being the largest list is no evidence of its own
        let is_largest = likeness > 0.0 && candidate.expected == largest;
        let score = SAME_CHOICE_WEIGHT * own + likeness + LARGEST_WEIGHT * f64::from(is_largest);
        if other_choice { f64::NEG_INFINITY } else { score }
    };
    let mut found: Vec<Result<usize, String>> = lists
        .iter()
        .map(|_| Err("no page of the site shows records like those of the samples".to_owned()))
        .collect();
    let mut free: HashSet<usize> = (0..candidates.len()).collect();
    let mut open: HashSet<usize> = (0..lists.len()).collect();
    loop {
        let pairs = open.iter().flat_map(|&list| free.iter().map(move |&at| (list, at)));
        let mut pairs: Vec<(f64, usize, usize)> =
            pairs.map(|(list, at)| (score(list, at), list, at)).collect();
        pairs.retain(|(score, ..)| score.is_finite());
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let Some(&(best, list, at)) = pairs.first() else { return found };
        let second = pairs.iter().find(|(_, other, rival)| *other == list && *rival != at);
        if let Some((_, _, rival)) = second.filter(|(score, ..)| best - score < MIN_LEAD) {
            let urls = [&candidates[at].request.url, &candidates[*rival].request.url];
            found[list] = Err(format!("{} and {} could both be it", urls[0], urls[1]));
            open.remove(&list);
            continue;
        }
        found[list] = Ok(at);
        open.remove(&list);
        free.remove(&at);
    }
}

/// How many of the values that were sent are sent again.
fn shared_values(old: &SentSearch, new: &PageRequest) -> f64 {
    let values = |url: &str, form: Option<&str>| -> HashSet<String> {
        let query = url.split_once('?').map(|(_, query)| query);
        let fields = form.or(query).unwrap_or_default().to_lowercase();
        let pairs = url::form_urlencoded::parse(fields.as_bytes()).into_owned();
        pairs.map(|(_, value)| value).filter(|value| !value.is_empty()).collect()
    };
    let (before, now) = (values(&old.url, old.form.as_deref()), values(&new.url, new.form.as_deref()));
    before.intersection(&now).count() as f64
}

/// The share of the words of two URLs' paths that they have in common.
fn shared_words(old: &str, new: &str) -> f64 {
    let words = |url: &str| -> HashSet<String> {
        let path = url::Url::parse(url).map(|url| url.path().to_lowercase()).unwrap_or_default();
        path.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_owned).collect()
    };
    let (before, now) = (words(old), words(new));
    before.intersection(&now).count() as f64 / before.union(&now).count().max(1) as f64
}
