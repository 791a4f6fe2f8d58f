//! Which lists are the same list in another order, and which are another way to the same records.
//!
//! In: URLs of lists. Out: what differs. Pure. O(parameters), and O(lists squared) to compare what was read.

use crate::frontier_items::FoundList;
use crate::page_facts::{LinkFacts, ListFacts};
use crate::page_size::is_size_name;
use std::collections::HashSet;
use url::Url;

/// Names of parameters that change the order of a list, without separators.
const ORDER_PARAMETERS: &[&str] =
    &["sort", "sortby", "sorting", "order", "orderby", "ordering", "dir", "sortorder"];

fn pairs_of(url: &str) -> (String, Vec<(String, String)>) {
    let Ok(url) = Url::parse(url) else { return (String::new(), Vec::new()) };
    let pairs = url.query_pairs().into_owned().collect();
    (url.path().to_owned(), pairs)
}

fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// True if a link differs from its page in the order of the list, and in nothing else.
pub(crate) fn is_other_order(page: &str, link: &LinkFacts) -> bool {
    link.is_filter && differs_in_order(page, &link.url)
}

fn differs_in_order(page: &str, other: &str) -> bool {
    let ((path, own), (other_path, other)) = (pairs_of(page), pairs_of(other));
    let is_order = |(name, _): &(String, String)| ORDER_PARAMETERS.contains(&plain_name(name).as_str());
    let rest = |pairs: &[(String, String)]| -> HashSet<(String, String)> {
        pairs.iter().filter(|pair| !is_order(pair)).cloned().collect()
    };
    let order = |pairs: &[(String, String)]| -> HashSet<(String, String)> {
        pairs.iter().filter(|pair| is_order(pair)).cloned().collect()
    };
    path == other_path && rest(&own) == rest(&other) && order(&own) != order(&other)
}

/// The URL of a list that is another one in another order, and has records that no list before it had. Both were read to
/// their end, so that the first hides records.
pub(crate) fn order_with_more(lists: &[(FoundList, Option<ListFacts>)]) -> Option<&str> {
    let read = lists.iter().filter_map(|(list, facts)| Some((list, facts.as_ref()?.read.as_ref()?)));
    let whole: Vec<_> = read.filter(|(list, read)| list.state == "done" && read.whole).collect();
    let has_more = whole.iter().enumerate().find(|(at, (list, read))| {
        let mut before = whole[..*at].iter();
        read.new > 0
            && before.any(|(other, _)| other.form == list.form && differs_in_order(&other.url, &list.url))
    });
    has_more.map(|(_, (list, _))| list.url.as_str())
}

pub(crate) fn is_same_path(a: &FoundList, b: &FoundList) -> bool {
    a.form == b.form && pairs_of(&a.url).0 == pairs_of(&b.url).0
}

/// True if a list is not only another page of the main list: its path, its form or a value that is no number differs.
pub(crate) fn is_independent(main: &FoundList, list: &FoundList) -> bool {
    if main.form != list.form {
        return true;
    }
    let ((path, own), (other_path, other)) = (pairs_of(&main.url), pairs_of(&list.url));
    let is_number = |value: &str| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let differs = |a: &[(String, String)], b: &[(String, String)]| {
        let mut only_here = a.iter().filter(|pair| !b.contains(pair));
        only_here.any(|(name, value)| !is_number(value) || is_size_name(name))
    };
    path != other_path || differs(&own, &other) || differs(&other, &own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_facts::LinkPosition;

    #[test]
    fn orders_and_independent_lists_are_told_from_pages() {
        let order = |url: &str| {
            let url = format!("https://a.example{url}");
            let link = LinkFacts { url, text: String::new(), position: LinkPosition::Main, is_filter: true };
            is_other_order("https://a.example/list?town=Bath", &link)
        };
        assert!(order("/list?town=Bath&sort=price") && order("/list?town=Bath&order_by=price&dir=desc"));
        assert!(
            !order("/list?town=Bath&page=2") && !order("/list?town=Leeds") && !order("/other?sort=price")
        );
        assert!(!order("/list?town=Bath&sort=price&page=2"));
        let list = |url: &str, form: Option<&str>| FoundList {
            url: format!("https://a.example{url}"),
            form: form.map(str::to_owned),
            kind: String::new(),
            facts: String::new(),
            state: String::new(),
            outcome: String::new(),
        };
        let main = list("/list", None);
        for other in [
            list("/all", None),
            list("/list?beds=any", None),
            list("/list?per_page=50", None),
            list("/list", Some("q=")),
        ] {
            assert!(is_independent(&main, &other), "{other:?}");
        }
        for other in [list("/list?page=1", None), list("/list?start=20", None), list("/list", None)] {
            assert!(!is_independent(&main, &other), "{other:?}");
        }
    }
}
