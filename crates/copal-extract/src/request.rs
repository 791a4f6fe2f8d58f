//! What the user asks for: one struct of options for every way to extract.
//!
//! A [`Request`] is data: what pages are read as, which list is wanted, which fields are added, which method
//! finds lists, and within which limits. CSS selectors are matched by another crate, so that they come in as
//! [`ElementSelector`]s.

use crate::lists::ListOptions;
use copal_dom::{Limits, Node, Page};
use copal_domain::Domain;
use std::fmt::Debug;
use std::sync::Arc;

/// What pages are to be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum KindRequest {
    /// Every page is read as what it is.
    #[default]
    Auto,
    /// Every page is read as a list, even where an object is more likely.
    List,
    /// Every page is read as one object.
    Object,
}

/// Finds elements of a page, such as a CSS selector does (`copal_wrapper::Css`).
pub trait ElementSelector: Debug + Send + Sync {
    /// The selector as the user wrote it.
    fn text(&self) -> &str;

    /// For each scope the elements that are selected in it, the scope itself included, in document order.
    fn select_in(&self, page: &Page, scopes: &[Node]) -> Vec<Vec<Node>>;
}

/// Which list of a page is wanted, instead of its main list.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ListChoice {
    /// The list of this rank, from 1, in the order of [`Request::all`]. 1 is the main list if there is one.
    Rank(usize),
    /// The list that has a record with this text; the one with the shortest such record if there are several.
    /// Upper and lower case and white space make no difference.
    Near(String),
    /// The list at an element: the selector matches the element around the list, or each of its records.
    Select(Arc<dyn ElementSelector>),
}

/// A field that is read at a selector, in every record or on the page of an object.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FieldRequest {
    /// The name of the column. A column of that name that copal found is replaced.
    pub name: String,
    /// The first element that it selects in a record has the value.
    pub selector: Arc<dyn ElementSelector>,
    /// The HTML attribute that is read; the element's text if there is none.
    pub html_attribute: Option<String>,
}

impl FieldRequest {
    /// A field with the text of an element.
    pub fn new(name: impl Into<String>, selector: Arc<dyn ElementSelector>) -> FieldRequest {
        FieldRequest { name: name.into(), selector, html_attribute: None }
    }

    /// The same field, read from an HTML attribute of the element.
    #[must_use]
    pub fn from_attribute(mut self, name: impl Into<String>) -> FieldRequest {
        self.html_attribute = Some(name.into());
        self
    }
}

/// What to look for on a page, and how. Start with `Request::default()`.
///
/// ```
/// let mut request = copal_extract::Request::default();
/// request.all = true;
/// request.url = Some("https://shop.example/lamps".into());
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Request {
    /// What pages are to be read as. A [`choice`](Self::choice) makes every page a list.
    pub kind: KindRequest,
    /// All lists of records, not only the main one.
    pub all: bool,
    /// With `all`: menus and other lists that hold no records as well.
    pub navigation: bool,
    /// The list that is returned as the main one. If there is no such list the answer has no regions, and
    /// [`Answer::alternatives`](copal_model::Answer::alternatives) says what there is.
    pub choice: Option<ListChoice>,
    /// Further columns of the lists that are returned, or fields of the object.
    pub fields: Vec<FieldRequest>,
    /// Read the data that the page carries for its scripts, and add its fields to the records that show it.
    /// Without this it is only looked at if no list on the page is clearly the main one.
    pub embedded: bool,
    /// Fill [`Answer::outline`](copal_model::Answer::outline): the page as a tree with its lists marked.
    pub outline: bool,
    /// Read the stylesheets that are in the page or were saved with it, so that what they hide is not read.
    /// Without this only inline styles and HTML attributes count.
    pub stylesheets: bool,
    /// Which method finds the lists, and its constants.
    pub lists: ListOptions,
    /// Caps on the page, which act while it is read.
    pub limits: Limits,
    /// Where the page came from. It makes links absolute.
    pub url: Option<String>,
}

impl Request {
    /// A request that reads every page as a list.
    pub fn for_lists() -> Request {
        Request { kind: KindRequest::List, ..Request::default() }
    }

    /// The domain that the records belong to.
    pub fn domain(&self) -> Option<&Arc<Domain>> {
        self.lists.amber.domain.as_ref()
    }

    /// The same request with the domain that the records belong to. The method is not changed:
    /// [`Method::Combined`](copal_model::Method::Combined) adds the domain's lists to its candidates and its
    /// attributes to the columns, and [`Method::Amber`](copal_model::Method::Amber) gives nothing else.
    #[must_use]
    pub fn with_domain(mut self, domain: Arc<Domain>) -> Request {
        self.set_domain(Some(domain));
        self
    }

    /// Sets the domain that the records belong to, or none, with the thresholds that its file sets.
    pub fn set_domain(&mut self, domain: Option<Arc<Domain>>) {
        let amber = &mut self.lists.amber;
        if let Some(own) = domain.as_ref().map(|domain| domain.thresholds) {
            amber.types = own.types.unwrap_or(amber.types);
            amber.fewest = own.fewest.unwrap_or(amber.fewest);
            amber.fraction = own.fraction.unwrap_or(amber.fraction);
            amber.alignment.keep = own.keep.unwrap_or(amber.alignment.keep);
            amber.alignment.infer = own.infer.unwrap_or(amber.alignment.infer);
        }
        amber.domain = domain;
    }

    /// True if a list has this role and may be in the answer.
    pub(crate) fn wants(&self, role: copal_model::Role) -> bool {
        match role {
            copal_model::Role::Primary | copal_model::Role::Possible => true,
            copal_model::Role::Secondary => self.all,
            copal_model::Role::Navigation => self.all && self.navigation,
        }
    }
}
