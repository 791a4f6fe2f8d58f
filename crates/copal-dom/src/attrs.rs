//! HTML attributes of all elements of a page, in one table.
//!
//! In: attribute lists from html5ever. Out: ranges of entries. Values are slices of one buffer and names are
//! small numbers, so that an element's attributes need no allocation of their own. A lookup is O(attributes
//! of the element).
//!
//! Names that code asks for have fixed numbers ([`HREF`]); other names get numbers per page.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The number of an attribute name within one page; the same on every page for the constants of this module.
pub type AttrName = u16;

macro_rules! fixed_attrs {
    ($($id:ident $name:literal),* $(,)?) => {
        fixed_attrs!(@consts 0u16; $($id $name,)*);
        const FIXED_ATTR_NAMES: &[&str] = &[$($name),*];
    };
    (@consts $n:expr; $id:ident $name:literal, $($rest:tt)*) => {
        #[doc = concat!("`", $name, "`")]
        pub const $id: AttrName = $n;
        fixed_attrs!(@consts $n + 1; $($rest)*);
    };
    (@consts $n:expr;) => {};
}

fixed_attrs! {
    CLASS "class", ID "id", HREF "href", SRC "src", STYLE "style", HIDDEN "hidden", TYPE "type", NAME "name",
    VALUE "value", ALT "alt", TITLE "title", LANG "lang", REL "rel", CONTENT "content", ROLE "role",
    ITEMPROP "itemprop", ARIA_LABEL "aria-label", COLSPAN "colspan", ROWSPAN "rowspan", WIDTH "width",
    HEIGHT "height", COLOR "color", SIZE "size", FACE "face", ALIGN "align", BGCOLOR "bgcolor",
    DATETIME "datetime", CHARSET "charset", HTTP_EQUIV "http-equiv", OPEN "open", DATA_SRC "data-src",
    SRCSET "srcset", ARIA_HIDDEN "aria-hidden", ITEMTYPE "itemtype", PROPERTY "property", TYPEOF "typeof",
}

/// The name of an HTML attribute whose number is the same on every page; `None` for names that only one page
/// has.
pub fn fixed_name(name: AttrName) -> Option<&'static str> {
    FIXED_ATTR_NAMES.get(name as usize).copied()
}

static FIXED_ATTR_IDS: LazyLock<FxHashMap<LocalName, AttrName>> = LazyLock::new(|| {
    FIXED_ATTR_NAMES.iter().enumerate().map(|(id, name)| (LocalName::from(*name), id as u16)).collect()
});

#[derive(Debug, Clone, Copy)]
struct AttrEntry {
    name: AttrName,
    start: u32,
    end: u32,
}

/// Which entries of [`Attrs`] belong to one element.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AttrRange {
    start: u32,
    len: u32,
}

/// All attributes of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attrs {
    entries: Vec<AttrEntry>,
    values: String,
    /// Names without a fixed number, in the order of their numbers.
    page_names: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, AttrName>,
}

impl Attrs {
    /// Distinct names that a page may have. Attributes with further names are dropped.
    const MAX_ATTR_NAMES: usize = 16_384;

    pub(crate) fn add(&mut self, attrs: &[Attribute]) -> AttrRange {
        let start = self.entries.len() as u32;
        for attr in attrs {
            self.push(attr);
        }
        AttrRange { start, len: self.entries.len() as u32 - start }
    }

    /// Copies a range and adds those of `attrs` whose names it lacks. html5ever asks for this when a page has
    /// a second `html` or `body` tag.
    pub(crate) fn add_missing(&mut self, range: AttrRange, attrs: &[Attribute]) -> AttrRange {
        let start = self.entries.len() as u32;
        self.entries.extend_from_within(range.start as usize..(range.start + range.len) as usize);
        for attr in attrs {
            let known = self.intern(attr);
            if !self.entries[start as usize..].iter().any(|entry| Some(entry.name) == known) {
                self.push(attr);
            }
        }
        AttrRange { start, len: self.entries.len() as u32 - start }
    }

    fn push(&mut self, attr: &Attribute) {
        if let Some(name) = self.intern(attr) {
            let start = self.values.len() as u32;
            let value: &StrTendril = &attr.value;
            self.values.push_str(value);
            self.entries.push(AttrEntry { name, start, end: self.values.len() as u32 });
        }
    }

    fn intern(&mut self, attr: &Attribute) -> Option<AttrName> {
        if attr.name.prefix.is_none()
            && let Some(&id) = FIXED_ATTR_IDS.get(&attr.name.local)
        {
            return Some(id);
        }
        let full: Box<str> = match &attr.name.prefix {
            Some(prefix) => format!("{prefix}:{}", attr.name.local).into(),
            None => {
                if let Some(&id) = self.ids.get(&*attr.name.local) {
                    return Some(id);
                }
                attr.name.local.to_string().into()
            }
        };
        if let Some(&id) = self.ids.get(&full) {
            return Some(id);
        }
        if self.page_names.len() + FIXED_ATTR_NAMES.len() >= Self::MAX_ATTR_NAMES {
            return None;
        }
        let id = (FIXED_ATTR_NAMES.len() + self.page_names.len()) as AttrName;
        self.page_names.push(full.clone());
        self.ids.insert(full, id);
        Some(id)
    }

    pub(crate) fn get(&self, range: AttrRange, name: AttrName) -> Option<&str> {
        let entries = &self.entries[range.start as usize..(range.start + range.len) as usize];
        entries.iter().find(|entry| entry.name == name).map(|entry| self.value(*entry))
    }

    pub(crate) fn iter(&self, range: AttrRange) -> impl Iterator<Item = (&str, &str)> {
        self.entries[range.start as usize..(range.start + range.len) as usize]
            .iter()
            .map(|entry| (self.name(entry.name), self.value(*entry)))
    }

    pub(crate) fn find(&self, name: &str) -> Option<AttrName> {
        let fixed = FIXED_ATTR_NAMES.iter().position(|fixed| *fixed == name);
        fixed.map(|at| at as AttrName).or_else(|| self.ids.get(name).copied())
    }

    fn value(&self, entry: AttrEntry) -> &str {
        &self.values[entry.start as usize..entry.end as usize]
    }

    fn name(&self, id: AttrName) -> &str {
        FIXED_ATTR_NAMES
            .get(id as usize)
            .copied()
            .unwrap_or_else(|| &self.page_names[id as usize - FIXED_ATTR_NAMES.len()])
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<AttrEntry>() + self.values.capacity()
    }

    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}
