//! Wrappers: small files that say where a site's records and fields are.
//!
//! A wrapper is learned from sample pages and then reads the site's other pages, without running the
//! extractor:
//!
//! ```text
//! pages ─extract→ lists ─learn→ Wrapper ─to_string→ YAML
//! YAML ─parse→ Wrapper ─apply, page→ Answer
//! ```
//!
//! A wrapper is data: CSS selectors, labels, value types, names. Each thing has several locators of different
//! kinds, so that a wrapper survives most changes of a site. [`check`](fn@check) tells whether a site has
//! changed too much, [`repair`](fn@repair) then finds new locators, and [`mod@export`] writes a wrapper for
//! other tools.
//!
//! | module | job |
//! |---|---|
//! | `format` | the wrapper file: types, reading, writing, versions |
//! | `locate` | finding elements: [`css`] selectors with bounded cost, [`xpath`], fingerprints |
//! | `induce` | learning wrappers from lists, detail pages and sections |
//! | `apply` | reading pages with a wrapper |
//! | `drift` | profiles of the samples, and the check of later pages |
//! | `repair` | new locators after a redesign |
//! | [`mod@export`] | wrappers for Scrapy, Playwright, crawl4ai, OXPath and XPath engines |
//! | `page_sections` | the sections of a page that DEUDS can be pointed at |
//! | `corrections` | changes that a person makes to a wrapper while looking at a page |
//! | `example_records` | all records, from two that a person points at |
//! | `pattern_choice` | the patterns of an element, step by step |
//! | [`deuds`] | the DEUDS paper's own system, which works alone |
//!
//! Wrapper files may come from anybody. Their sizes are limited, selectors have fuel, and exported programs
//! contain their texts only as quoted strings.

mod apply;
mod corrections;
pub mod deuds;
mod drift;
mod error;
mod example_records;
pub mod export;
mod format;
mod induce;
mod locate;
mod page_sections;
mod pattern_choice;
mod proportions;
mod repair;
mod value_types;

pub use apply::{LocationFailure, apply, locate_records, next_page};
pub use corrections::{Corrected, Correction, MAX_CORRECTIONS, correct};
pub use drift::{Alarm, CheckReport, Checker, Drift, DriftLevel, Evidence, PageCheck, check};
pub use error::WrapperError;
pub use example_records::{ChosenElements, example_records};
pub use format::{
    ColumnProfile, ColumnRule, FORMAT_VERSION, Locator, Navigation, NavigationRoute, NavigationSearch,
    NavigationStep, PageKind, PageRule, Profile, ReadFrom, RecordRule, TextCut, Wrapper,
};
pub use induce::{
    Learned, common_next_selectors, element_selectors, learn, learn_fields, learn_objects, learn_records,
    learn_section,
};
pub use locate::css::Css;
pub use locate::fingerprint::Fingerprint;
pub use locate::{ElementIndex, css, select, xpath};
pub use page_sections::{PageSection, SectionKind, page_sections};
pub use pattern_choice::{CountedPattern, PatternChoice, pattern_choice};
pub use repair::{
    DEFAULT_TEST_PAGES, RepairChange, RepairError, Repaired, Resemblance, repair, resemblance,
    shared_examples, with_mended_navigation,
};
