//! Copal turns web pages into tables: it finds the list of records on a page, splits it into records and
//! aligns their fields into typed columns, without rules or training for a site.
//!
//! ```
//! let html = "<ul>
//!   <li><a href='/1'>Blue lamp</a> <span class='price'>£12</span></li>
//!   <li><a href='/2'>Red lamp</a> <span class='price'>£14</span></li>
//!   <li><a href='/3'>Green lamp</a> <span class='price'>£9</span></li>
//! </ul>";
//! let answer = copal::extract(html, &copal::Request::default());
//! let list = answer.primary().expect("the page has a list");
//! assert_eq!(list.records.len(), 3);
//! assert_eq!(list.records[1].text, "Red lamp £14");
//! let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["url", "title", "price"]);
//! ```
//!
//! This crate only re-exports what the crates of the workspace offer. A [`Request`] says what is wanted, an
//! [`Answer`] is what was found.
//!
//! | to | use |
//! |---|---|
//! | extract one page | [`extract`], [`extract_bytes`], [`extract_page`] |
//! | choose another list, add a field by selector | [`Request::choice`], [`Request::fields`] with [`wrapper::Css`] |
//! | extract detail pages, or pages that belong together | [`read_details`], [`answer_set`] |
//! | write CSV, JSON, Parquet (feature `parquet`) or a report; read records with serde | [`mod@output`] |
//! | learn where a site's fields are, and read its other pages fast | [`wrapper`] |
//! | keep records over many runs (feature `store`) | `copal::store` |
//! | fetch pages politely, follow a list over its pages (feature `fetch`) | `copal::fetch`, `copal::site` |
//! | understand the forms of a page | [`forms`] |
//! | recognise typed values in text | [`values`] |
//!
//! # Untrusted input
//! Pages are untrusted. [`Request::limits`] act while a page is read; a page that exceeds one gives a partial
//! result and a warning that names the limit. No stage recurses over input or runs a page's scripts. The
//! stages after the parse are near-linear in the tree, which is bounded. Where strings are compared pair by
//! pair, the pairs and their lengths are bounded too (MDR has a budget per page, and reports when it is used
//! up).

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct GuideExamples;

pub use copal_dom::{DecodeError, Limit, Limits, Page, PageSource, Warning};
pub use copal_domain::{Domain, DomainError, DomainSummary};
#[cfg(feature = "serde")]
pub use copal_extract::TransferredNamedAnswer;
pub use copal_extract::gazetteer_learning;
pub use copal_extract::multipage;
pub use copal_extract::objects;
pub use copal_extract::objects::answers as read_details;
pub use copal_extract::paging;
#[cfg(feature = "research")]
pub use copal_extract::research;
pub use copal_extract::{AmberOptions, BuwOptions, MdrOptions, RdrOptions};
pub use copal_extract::{
    Document, ElementSelector, FieldRequest, KindRequest, KnownContent, LinkedObjects, LinkedRecord,
    ListChoice, NamedAnswer, ReadError, Received, Request, SetPage, answer_set, extract as extract_page,
    extract_bytes, extract_html as extract, extract_known, join_detail_pages, join_linked_objects, read,
    source_nodes, source_text,
};
#[cfg(feature = "fetch")]
pub use copal_fetch as fetch;
pub use copal_forms as forms;
pub use copal_model as model;
pub use copal_model::{
    Answer, Cell, CellSource, CellText, Column, Counter, FollowReport, Layout, ListPage, ListSummary, Method,
    NamedBy, Origin, PageInfo, Provenance, Record, RecordPlace, Region, RegionPlace, Role,
    Source as TextSource,
};
pub use copal_output as output;
#[cfg(feature = "fetch")]
pub use copal_site as site;
#[cfg(feature = "store")]
pub use copal_store as store;
pub use copal_values as values;
pub use copal_values::Value;
pub use copal_wrapper as wrapper;
