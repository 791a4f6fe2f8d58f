//! Addresses of links and images, made absolute.
//!
//! In: a page with a known address or a `<base href>`. Out: [`Base`], which resolves what its links say. Without either,
//! addresses stay as the page has them.

use copal_dom::{Page, attrs, tags};
use url::Url;

/// What relative addresses of a page are relative to.
#[derive(Debug)]
pub(crate) struct Base(Option<Url>);

impl Base {
    /// The first `<base href>`, resolved with the page's own address; else that address.
    pub(crate) fn of(page: &Page) -> Base {
        let own = page.url.as_deref().and_then(|url| Url::parse(url).ok());
        let base = page.tree.find(tags::BASE).and_then(|node| page.tree.attr(node, attrs::HREF));
        let stated = base.and_then(|href| match &own {
            Some(own) => own.join(href.trim()).ok(),
            None => Url::parse(href.trim()).ok(),
        });
        Base(stated.or(own))
    }

    /// The address of what is no page.
    pub(crate) fn at(url: Option<&str>) -> Base {
        Base(url.and_then(|url| Url::parse(url).ok()))
    }

    /// Addresses stay as they are.
    pub(crate) fn unknown() -> Base {
        Base(None)
    }

    /// The absolute address; the text itself if there is none.
    pub(crate) fn resolve(&self, text: &str) -> String {
        let absolute = self.0.as_ref().and_then(|base| base.join(text.trim()).ok());
        absolute.map_or_else(|| text.to_owned(), String::from)
    }
}

#[cfg(test)]
mod tests {
    use super::Base;
    use copal_dom::{Limits, Page};

    fn resolve(html: &str, url: Option<&str>, text: &str) -> String {
        let mut page = Page::from_text(html, &Limits::default());
        page.url = url.map(str::to_owned);
        Base::of(&page).resolve(text)
    }

    #[test]
    fn addresses_are_resolved_with_the_page_and_its_base() {
        let url = Some("https://shop.example/list/?page=2");
        assert_eq!(resolve("<p>x", url, "../p/1?a=b#c"), "https://shop.example/p/1?a=b#c");
        assert_eq!(resolve("<p>x", url, "?page=3"), "https://shop.example/list/?page=3");
        assert_eq!(resolve("<p>x", url, "//cdn.example/i.png"), "https://cdn.example/i.png");
        assert_eq!(resolve("<base href=/de/><p>x", url, "p/1"), "https://shop.example/de/p/1");
        assert_eq!(resolve("<base href='https://other.example/'>", None, "p/1"), "https://other.example/p/1");
    }

    #[test]
    fn without_an_address_nothing_changes() {
        assert_eq!(resolve("<base href=/de/>", None, " p/1"), " p/1");
        assert_eq!(resolve("<p>x", Some("not an address"), "/p/1"), "/p/1");
        // what cannot be joined stays as it is
        assert_eq!(resolve("<p>x", Some("https://a.example/"), "https://[bad"), "https://[bad");
        assert_eq!(resolve("<p>x", Some("https://a.example/"), "mailto:a@b.example"), "mailto:a@b.example");
    }
}
