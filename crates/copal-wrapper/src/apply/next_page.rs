//! The next page of a list, by a wrapper's navigation.

use crate::format::Wrapper;
use crate::locate::ElementIndex;
use crate::locate::css::Css;
use copal_dom::Page;
use copal_extract::located::{Addresses, link_target};

/// The absolute URL of the next page of the list: that of the first link that the selectors of the wrapper's
/// `navigation.next` find. None on the last page.
pub fn next_page(wrapper: &Wrapper, page: &Page) -> Option<String> {
    let navigation = wrapper.navigation.as_ref()?;
    let (index, addresses) = (ElementIndex::new(&page.tree), Addresses::of(page));
    let found = navigation.next.iter().filter_map(|css| Css::parse(css).ok());
    let links = found.filter_map(|css| {
        let first = css.select(&index).into_iter().find(|&node| page.styles.is_shown(node))?;
        link_target(page, first).map(|target| addresses.resolve(target))
    });
    links.into_iter().find(|url| url.starts_with("http://") || url.starts_with("https://"))
}

#[cfg(test)]
mod tests {
    use super::next_page;
    use crate::format::Wrapper;
    use copal_dom::{Limits, Page};

    #[test]
    fn the_first_selector_that_finds_a_link_is_followed() {
        let wrapper = Wrapper::parse(
            "{copal: 1, navigation: {next: ['a[rel=next]', 'li.next > a']}, pages: [{kind: list, region: [ul], \
             record: {find: [li]}, columns: [{name: x, find: [b]}]}]}",
        )
        .unwrap();
        let next = |html: &str| {
            let mut page = Page::from_text(html, &Limits::default());
            page.url = Some("https://a.example/list/1".into());
            next_page(&wrapper, &page)
        };
        assert_eq!(next("<li class=next><a href=2>next</a>").as_deref(), Some("https://a.example/list/2"));
        assert_eq!(
            next("<a rel=next href='?p=3'>x</a><li class=next><a href=2>y</a>").as_deref(),
            Some("https://a.example/list/1?p=3")
        );
        assert_eq!(next("<li class=next hidden><a href=2>next</a><p>end"), None);
        assert_eq!(next("<a rel=next href='mailto:a@b.example'>x</a>"), None);
    }
}
