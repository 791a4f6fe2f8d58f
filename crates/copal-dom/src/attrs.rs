//! Attributes of all elements in one table.
//!
//! In: attribute lists from html5ever. Out: ranges of entries; values live in one buffer, names are small numbers
//! (fixed for the names below). O(attributes of the element) a lookup, no allocation.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// An attribute name within one page; fixed for the names below.
pub type AttrName = u16;

macro_rules! known_attrs {
    ($($id:ident $name:literal),* $(,)?) => {
        known_attrs!(@consts 0u16; $($id $name,)*);
        const KNOWN: &[&str] = &[$($name),*];
    };
    (@consts $n:expr; $id:ident $name:literal, $($rest:tt)*) => {
        #[doc = concat!("`", $name, "`")]
        pub const $id: AttrName = $n;
        known_attrs!(@consts $n + 1; $($rest)*);
    };
    (@consts $n:expr;) => {};
}

known_attrs! {
    CLASS "class", ID "id", HREF "href", SRC "src", STYLE "style", HIDDEN "hidden", TYPE "type", NAME "name",
    VALUE "value", ALT "alt", TITLE "title", LANG "lang", REL "rel", CONTENT "content", ROLE "role",
    ITEMPROP "itemprop", ARIA_LABEL "aria-label", COLSPAN "colspan", ROWSPAN "rowspan", WIDTH "width",
    HEIGHT "height", COLOR "color", SIZE "size", FACE "face", ALIGN "align", BGCOLOR "bgcolor",
    DATETIME "datetime", CHARSET "charset", HTTP_EQUIV "http-equiv", OPEN "open", DATA_SRC "data-src",
    SRCSET "srcset", ARIA_HIDDEN "aria-hidden", ITEMTYPE "itemtype", PROPERTY "property", TYPEOF "typeof",
}

/// The name of an attribute whose number is the same on every page; none for names that only one page knows.
pub fn fixed_name(name: AttrName) -> Option<&'static str> {
    KNOWN.get(name as usize).copied()
}

static KNOWN_IDS: LazyLock<FxHashMap<LocalName, AttrName>> = LazyLock::new(|| {
    KNOWN.iter().enumerate().map(|(id, name)| (LocalName::from(*name), id as u16)).collect()
});

#[derive(Debug, Clone, Copy)]
struct Entry {
    name: AttrName,
    start: u32,
    end: u32,
}

/// The place of one element's attributes in [`Attrs`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AttrRange {
    start: u32,
    len: u32,
}

/// All attributes of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attrs {
    entries: Vec<Entry>,
    values: String,
    own: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, AttrName>,
}

impl Attrs {
    /// Distinct names a page may have; attributes with further names are left out.
    const NAMES: usize = 16_384;

    pub(crate) fn add(&mut self, attrs: &[Attribute]) -> AttrRange {
        let start = self.entries.len() as u32;
        for attr in attrs {
            self.push(attr);
        }
        AttrRange { start, len: self.entries.len() as u32 - start }
    }

    /// The range with those of `attrs` added whose names it does not have (`html` and `body` given twice).
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
            self.entries.push(Entry { name, start, end: self.values.len() as u32 });
        }
    }

    fn intern(&mut self, attr: &Attribute) -> Option<AttrName> {
        if attr.name.prefix.is_none()
            && let Some(&id) = KNOWN_IDS.get(&attr.name.local)
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
        if self.own.len() + KNOWN.len() >= Self::NAMES {
            return None;
        }
        let id = (KNOWN.len() + self.own.len()) as AttrName;
        self.own.push(full.clone());
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
        KNOWN_IDS.get(&LocalName::from(name)).or_else(|| self.ids.get(name)).copied()
    }

    fn value(&self, entry: Entry) -> &str {
        &self.values[entry.start as usize..entry.end as usize]
    }

    fn name(&self, id: AttrName) -> &str {
        KNOWN.get(id as usize).copied().unwrap_or_else(|| &self.own[id as usize - KNOWN.len()])
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.values.capacity()
    }

    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}
