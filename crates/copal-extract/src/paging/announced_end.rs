//! Whether a page says that it is the last one of its list.
//!
//! In: the counters of a page. Out: [`AnnouncedEnd`]. Many pagers keep a "next" link on the last page that
//! leads to an empty page, back to the start or to something else; "page 5 of 5" tells. O(1).

use copal_model::PageInfo;

/// How a page says that no page follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnnouncedEnd {
    /// "Page 5 of 5", "41-50 of 50".
    LastPage,
    /// "Page 1 of 1", "1-12 of 12". Weaker, because small parts of a page (reviews, adverts) have such
    /// counters too.
    OnlyPage,
}

/// What the counters of the list say about its end. They must not contradict each other.
pub(super) fn announced_end(info: &PageInfo) -> Option<AnnouncedEnd> {
    let end = |is_last: bool, is_first: bool| match (is_last, is_first) {
        (false, _) => None,
        (_, true) => Some(AnnouncedEnd::OnlyPage),
        _ => Some(AnnouncedEnd::LastPage),
    };
    let by_page = info.pages.and_then(|(page, pages)| Some((page, pages?)));
    let total = info.counter.as_ref().filter(|counter| !counter.at_least).map(|counter| counter.total);
    let by_range = info.range.and_then(|(first, last)| Some((first, last, total?)));
    match (by_page, by_range) {
        (Some((page, pages)), Some((_, last, total))) => end(page == pages && last >= total, page == 1),
        (Some((page, pages)), None) => end(page == pages, page == 1),
        (None, Some((first, last, total))) => end(last >= total, first == 1),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{AnnouncedEnd, announced_end};
    use copal_model::{Counter, PageInfo};

    #[test]
    fn counters_tell_the_last_page() {
        let last = Some(AnnouncedEnd::LastPage);
        for (pages, range, total, wanted) in [
            (Some((5, Some(5))), None, None, last),
            (Some((4, Some(5))), None, None, None),
            (Some((5, None)), None, None, None),
            (Some((1, Some(1))), None, None, Some(AnnouncedEnd::OnlyPage)),
            (None, Some((41, 50)), Some((50, false)), last),
            (None, Some((41, 50)), Some((50, true)), None),
            (None, Some((41, 50)), Some((60, false)), None),
            (None, Some((41, 50)), None, None),
            (None, Some((1, 12)), Some((12, false)), Some(AnnouncedEnd::OnlyPage)),
            (Some((5, Some(5))), Some((41, 50)), Some((50, false)), last),
            (Some((5, Some(5))), Some((1, 10)), Some((50, false)), None),
            (None, None, Some((50, false)), None),
        ] {
            let info = PageInfo {
                pages,
                range,
                counter: total.map(|(total, at_least)| Counter { total, at_least, text: String::new() }),
                ..PageInfo::default()
            };
            assert_eq!(announced_end(&info), wanted, "{pages:?} {range:?} {total:?}");
        }
    }
}
