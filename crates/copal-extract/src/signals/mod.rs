//! What a page says about itself, read once per page and shared by all later stages.
//!
//! `scripts/` finds the JSON that a page carries for its scripts, `declared/` reads what it declares
//! (JSON-LD, microdata, Open Graph), `zones/` names its navigation, main part and boilerplate. The modules
//! here use only the tree, the value recognisers, the domain and `structure/`. Lists, tables, objects, paging
//! and data build on them, never the reverse.

pub(crate) mod declared;
pub(crate) mod scripts;
pub(crate) mod zones;

use copal_dom::Page;
use declared::Declared;
use std::cell::OnceCell;
use zones::Zones;

/// The signals of one page. Each is read when it is first asked for, since the methods of the papers need
/// none.
pub(crate) struct Signals<'p> {
    pub(crate) page: &'p Page,
    declared: OnceCell<Declared<'p>>,
    zones: OnceCell<Zones>,
}

impl<'p> Signals<'p> {
    /// Nothing is read yet.
    pub(crate) fn new(page: &'p Page) -> Signals<'p> {
        Signals { page, declared: OnceCell::new(), zones: OnceCell::new() }
    }

    /// What the page declares.
    pub(crate) fn declared(&self) -> &Declared<'p> {
        self.declared.get_or_init(|| Declared::read(self.page))
    }

    /// The zones of the page.
    pub(crate) fn zones(&self) -> &Zones {
        self.zones.get_or_init(|| Zones::read(self.page))
    }
}
