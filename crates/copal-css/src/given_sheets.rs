//! The stylesheets that a caller has read for a page.

use copal_dom::Page;
use copal_dom::url::BaseUrl;
use rustc_hash::FxHashMap;
use url::Url;

/// What is known about a stylesheet.
pub(crate) enum GivenSheet<'s> {
    Text(&'s str),
    /// It could not be read.
    Unreadable,
    /// Nobody has tried to read it.
    Missing,
}

/// Stylesheets that were read for a page, by URL.
#[derive(Debug, Default)]
pub struct Stylesheets {
    base: Option<Url>,
    /// `None` for those that could not be read.
    texts: FxHashMap<String, Option<String>>,
}

impl Stylesheets {
    /// No stylesheets yet. Links of the page are resolved against `base`, without which they are ignored.
    pub fn new(base: Option<&str>) -> Stylesheets {
        Stylesheets { base: base.and_then(|base| Url::parse(base).ok()), texts: FxHashMap::default() }
    }

    /// The stylesheets that were saved in one file with the page. Links are resolved like all links of the page.
    pub fn saved_with(page: &Page) -> Stylesheets {
        let mut sheets = Stylesheets { base: BaseUrl::of(page).url().cloned(), ..Stylesheets::default() };
        for sheet in &page.stylesheets {
            sheets.add(sheet.url.clone(), Some(sheet.text.clone()));
        }
        sheets
    }

    /// Adds a stylesheet; `None` if it could not be read, so that it is not asked for again.
    pub fn add(&mut self, url: impl Into<String>, text: Option<String>) {
        self.texts.insert(url.into(), text);
    }

    /// The stylesheet at a URL.
    pub(crate) fn sheet(&self, url: &Url) -> GivenSheet<'_> {
        match self.texts.get(url.as_str()) {
            Some(Some(text)) => GivenSheet::Text(text),
            Some(None) => GivenSheet::Unreadable,
            None => GivenSheet::Missing,
        }
    }

    pub(crate) fn resolve(&self, base: Option<&Url>, reference: &str) -> Option<Url> {
        let reference = reference.trim();
        if reference.is_empty() || reference.len() > 4096 {
            return None;
        }
        match base.or(self.base.as_ref()) {
            Some(base) => base.join(reference).ok(),
            None => Url::parse(reference).ok(),
        }
    }
}
