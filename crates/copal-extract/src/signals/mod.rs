//! What a page says about itself, read once per page and shared by all later stages.
//!
//! `scripts/` finds the JSON that a page carries for its scripts. The modules here use only the tree, the value
//! recognisers, the domain and `structure/`; lists, tables, objects, paging and data build on them, never the other way round.

pub(crate) mod scripts;
