//! Copal turns web pages into data: it finds the list of records on a page, cuts it into records and aligns their
//! fields into columns, with no rules and no training for a site.
//!
//! ```
//! let html = "<ul>
//!   <li><a href='/1'>Blue lamp</a> <span class='price'>£12</span></li>
//!   <li><a href='/2'>Red lamp</a> <span class='price'>£14</span></li>
//!   <li><a href='/3'>Green lamp</a> <span class='price'>£9</span></li>
//! </ul>";
//! let found = copal::extract(html, &copal::Options::default());
//! let list = found.primary().expect("the page has a list");
//! assert_eq!(list.records.len(), 3);
//! assert_eq!(list.records[1].text, "Red lamp £14");
//! let names: Vec<&str> = list.columns.iter().map(|column| column.name.as_str()).collect();
//! assert_eq!(names, ["url", "title", "price"]);
//! ```
//!
//! # Untrusted input
//! Pages are untrusted. [`Options::limits`] act while a page is read; a page that goes beyond one gives a partial
//! result and a warning that names the limit. No stage recurses over input or runs a page's scripts. The stages behind the
//! parse are near-linear in the tree, which is bounded; where strings are compared pair by pair the pairs and their
//! lengths are bounded too (MDR has a budget for a page, and says when it is used up).

mod document;

pub use copal_dom::{DecodeError, Limit, Limits, Page, PageSource, Warning};
pub use copal_domain::{Domain, DomainError};
pub use copal_extract::gazetteer_learning;
#[cfg(feature = "research")]
pub use copal_extract::lists::combined::describe;
pub use copal_extract::multipage;
pub use copal_extract::objects;
pub use copal_extract::paging;
#[cfg(feature = "research")]
pub use copal_extract::table::confidence::{Measures, RegionMeasures, measure_region};
pub use copal_extract::{
    AmberOptions, Answer, BuwOptions, Cell, CellSource, CellText, Column, Counter, FollowReport, Layout,
    ListPage, MdrOptions, Method, NamedBy, Origin, PageInfo, Provenance, RdrOptions, Record, RecordPlace,
    Region, RegionPlace, Role, Source as TextSource, source_nodes, source_text,
};
pub use copal_extract::{KindRequest, NamedAnswer, SetPage, answer_set, join_detail_pages};
pub use copal_values::Value;
pub use document::{Document, ReadError, Received, read};

/// What to extract, and within which limits.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The method and its constants.
    pub extract: copal_extract::Options,
    /// Caps on the page.
    pub limits: Limits,
    /// Where the page came from.
    pub url: Option<String>,
}

/// The lists of a page given as text. Never fails: a page without a list has no regions.
pub fn extract(html: &str, options: &Options) -> Answer {
    let mut page = Page::from_text(html, &options.limits);
    page.url.clone_from(&options.url);
    extract_page(&page, options)
}

/// The lists of a page given as bytes in any encoding (or as an MHTML archive); JSON and XML feeds are lists too.
pub fn extract_bytes(bytes: &[u8], options: &Options) -> Result<Answer, ReadError> {
    match read(bytes, &Received { url: options.url.clone(), ..Received::default() }, options)? {
        Document::Page(page) => Ok(extract_page(&page, options)),
        Document::Data(extraction) => Ok(*extraction),
    }
}

/// The lists of a page that was read before.
pub fn extract_page(page: &Page, options: &Options) -> Answer {
    copal_extract::extract(page, &options.extract)
}

/// The objects of detail pages, one a page, in the order given: [`Answer::detail`] has each page's kind, data area and fields, its
/// regions the lists of other things. Pages of one template are read together, so give all there are of a site.
///
/// ```
/// let page = |name: &str, price: &str, isbn: &str| {
///     let html = format!("<title>{name}</title><h1>{name}</h1><p>Price: {price}</p><p>ISBN: {isbn}</p><p>Free delivery</p>");
///     copal::Page::from_text(&html, &copal::Limits::default())
/// };
/// let pages = [page("Middlemarch", "£9.99", "9780141439549"), page("Emma", "£7.50", "9780141439587")];
/// let found = copal::read_details(&pages.each_ref(), &copal::objects::ObjectOptions::default());
/// let emma = found[1].object.as_ref().expect("an object");
/// let fields: Vec<(&str, &str)> = emma.fields.iter().map(|f| (f.name.as_str(), f.texts[0].as_str())).collect();
/// assert_eq!(fields, [("title", "Emma"), ("price", "£7.50"), ("isbn", "9780141439587")]);
/// ```
pub fn read_details(pages: &[&Page], options: &objects::ObjectOptions) -> Vec<Answer> {
    objects::extractions(pages, options)
}
