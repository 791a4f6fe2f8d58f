//! HTML attributes of all elements of a page, in one table.
//!
//! In: names and values, one attribute after the other. Out: ranges of entries. Values are slices of one buffer and
//! names are small numbers, so that an element's attributes need no allocation of their own. The tokenizer writes
//! here directly; a tag that becomes no element is taken back. A lookup is O(attributes of the element).
//!
//! Names that code asks for have fixed numbers ([`HREF`]); other names get numbers per page.

use crate::names::Names;
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

static NO_PAGE_NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(FIXED_ATTR_NAMES, 0));

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AttrEntry {
    pub(crate) name: AttrName,
    start: u32,
    end: u32,
}

/// The bit of a fixed name among those that a page uses; none for other names.
#[inline]
fn bit(name: AttrName) -> u64 {
    if usize::from(name) < FIXED_ATTR_NAMES.len() { 1 << name } else { 0 }
}

/// Every fixed name has a bit.
const _: () = assert!(FIXED_ATTR_NAMES.len() <= u64::BITS as usize);

/// Which entries of [`Attrs`] belong to one element.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AttrRange {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A state of the table to which it can be taken back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttrMark {
    entries: usize,
    values: usize,
}

/// All attributes of a page.
#[derive(Debug, Clone)]
pub(crate) struct Attrs {
    entries: Vec<AttrEntry>,
    /// One bit for each fixed name that an element may have. Most pages have few of them, and every stage asks for some of each
    /// element.
    used: u64,
    values: String,
    names: Names,
}

impl Default for Attrs {
    fn default() -> Attrs {
        Attrs { entries: Vec::new(), used: 0, values: String::new(), names: NO_PAGE_NAMES.clone() }
    }
}

impl Attrs {
    /// Distinct names that a page may have. Attributes with further names are dropped.
    pub(crate) const MAX_ATTR_NAMES: usize = 16_384;

    /// The number of a name; `None` if the page has too many.
    #[inline]
    pub(crate) fn intern(&mut self, name: &str) -> Option<AttrName> {
        self.names.intern(name, Self::MAX_ATTR_NAMES).map(|number| number as AttrName)
    }

    #[inline]
    pub(crate) fn push(&mut self, name: AttrName, value: &str) {
        let start = self.values.len() as u32;
        self.values.push_str(value);
        self.entries.push(AttrEntry { name, start, end: self.values.len() as u32 });
        self.used |= bit(name);
    }

    #[inline]
    pub(crate) fn mark(&self) -> AttrMark {
        AttrMark { entries: self.entries.len(), values: self.values.len() }
    }

    /// What was added since the mark.
    #[inline]
    pub(crate) fn since(&self, mark: AttrMark) -> AttrRange {
        AttrRange { start: mark.entries as u32, len: (self.entries.len() - mark.entries) as u32 }
    }

    pub(crate) fn take_back(&mut self, mark: AttrMark) {
        self.entries.truncate(mark.entries);
        self.values.truncate(mark.values);
    }

    pub(crate) fn add<'a>(&mut self, attributes: impl Iterator<Item = (&'a str, &'a str)>) -> AttrRange {
        let mark = self.mark();
        for (name, value) in attributes {
            if let Some(name) = self.intern(name) {
                self.push(name, value);
            }
        }
        self.since(mark)
    }

    /// Copies a range and adds those entries of `more` whose names it lacks. This happens when a page has a second
    /// `html` or `body` tag.
    pub(crate) fn add_missing(&mut self, range: AttrRange, more: &[AttrEntry]) -> AttrRange {
        let mark = self.mark();
        self.entries.extend_from_within(range.start as usize..(range.start + range.len) as usize);
        for entry in more {
            if self.entries[mark.entries..].iter().all(|known| known.name != entry.name) {
                self.entries.push(*entry);
            }
        }
        self.since(mark)
    }

    /// Replaces names of a range.
    pub(crate) fn rename(&mut self, range: AttrRange, new_name: impl Fn(&str) -> Option<&'static str>) {
        for at in range.start as usize..(range.start + range.len) as usize {
            // fixed names are those of HTML
            if self.entries[at].name as usize >= FIXED_ATTR_NAMES.len()
                && let Some(new) = new_name(self.name(self.entries[at].name))
                && let Some(name) = self.intern(new)
            {
                self.entries[at].name = name;
                self.used |= bit(name);
            }
        }
    }

    #[inline]
    pub(crate) fn entries(&self, range: AttrRange) -> &[AttrEntry] {
        &self.entries[range.start as usize..(range.start + range.len) as usize]
    }

    #[inline]
    pub(crate) fn get(&self, range: AttrRange, name: AttrName) -> Option<&str> {
        if range.len == 0 || self.used & bit(name) != bit(name) {
            return None;
        }
        self.search(range, name)
    }

    fn search(&self, range: AttrRange, name: AttrName) -> Option<&str> {
        self.entries(range).iter().find(|entry| entry.name == name).map(|entry| self.value(*entry))
    }

    /// Several attributes, in one pass.
    pub(crate) fn get_all<const N: usize>(
        &self,
        range: AttrRange,
        names: [AttrName; N],
    ) -> [Option<&str>; N] {
        let mut values = [None; N];
        for entry in self.entries(range) {
            if let Some(at) = names.iter().position(|name| *name == entry.name) {
                values[at] = Some(self.value(*entry));
            }
        }
        values
    }

    pub(crate) fn iter(&self, range: AttrRange) -> impl Iterator<Item = (&str, &str)> {
        self.entries(range).iter().map(|entry| (self.name(entry.name), self.value(*entry)))
    }

    pub(crate) fn find(&self, name: &str) -> Option<AttrName> {
        self.names.find(name).map(|number| number as AttrName)
    }

    pub(crate) fn value(&self, entry: AttrEntry) -> &str {
        &self.values[entry.start as usize..entry.end as usize]
    }

    fn name(&self, id: AttrName) -> &str {
        self.names.name(u32::from(id))
    }

    /// Bytes of the names and values of a range, with one more for each attribute.
    pub(crate) fn bytes(&self, range: AttrRange) -> usize {
        self.entries(range).iter().map(|entry| self.entry_bytes(*entry)).sum()
    }

    pub(crate) fn entry_bytes(&self, entry: AttrEntry) -> usize {
        self.name(entry.name).len() + (entry.end - entry.start) as usize + 1
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<AttrEntry>() + self.values.capacity()
    }

    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}
