//! What is known about a page after it was read: the input of the planner. Data only.

use crate::form_filling::FormPlan;
use crate::form_refusal::FormRefusal;
use copal_forms::FormType;

/// What a page is for the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum PageClass {
    /// It shows a list of records.
    List,
    /// It is about one object.
    Object,
    /// It has a search form and nothing else.
    SearchForm,
    /// It has links to other pages.
    Hub,
    /// Its content is in a frame.
    Frame,
    /// It asks for a login.
    Login,
    /// It asks visitors to prove that they are people.
    Challenge,
    /// It is empty until its scripts run.
    NeedsScripts,
    /// It asks for a message, an e-mail address or an order.
    OtherForm,
    /// A text to read, or nothing.
    Other,
}

impl PageClass {
    /// The class in words that follow "the page".
    pub fn describe(self) -> &'static str {
        match self {
            PageClass::List => "shows a list of records",
            PageClass::Object => "is about one object",
            PageClass::SearchForm => "has a search form",
            PageClass::Hub => "has links to other pages",
            PageClass::Frame => "has its content in a frame",
            PageClass::Login => "asks for a login",
            PageClass::Challenge => "asks visitors to prove that they are people",
            PageClass::NeedsScripts => "is empty until its scripts run",
            PageClass::OtherForm => "has a form that is not a search",
            PageClass::Other => "has no list, no search form and no useful links",
        }
    }
}

/// A page as the planner sees it.
#[derive(Debug, Clone)]
pub struct PageFacts {
    /// Its URL after redirects.
    pub url: String,
    /// What it is.
    pub class: PageClass,
    /// Its main list.
    pub list: Option<ListFacts>,
    /// How it fits the domain, if it is about one object.
    pub object: Option<DomainFit>,
    /// Its links, without those of pagers.
    pub links: Vec<LinkFacts>,
    /// Its forms and how they could be filled in.
    pub forms: Vec<FormPlan>,
    /// The pages in its frames, the largest first.
    pub frames: Vec<String>,
    /// Its feeds.
    pub feeds: Vec<String>,
    /// The page says that something was not filled in.
    pub complaint: Option<String>,
}

impl PageFacts {
    /// True if a search form needs a value that is not known: there is none to send, or what was sent is refused.
    pub fn lacks_value(&self, was_filled: bool) -> bool {
        let has_none = |form: &FormPlan| {
            form.form_type == FormType::Search && matches!(form.refused, Some(FormRefusal::NoValue { .. }))
        };
        let is_refused = || was_filled || self.forms.iter().any(|form| form.refused.is_some());
        self.forms.iter().any(has_none) || self.complaint.is_some() && is_refused()
    }
}

/// A number of records that a page announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Announced {
    /// The number.
    pub total: u64,
    /// It is a lower bound.
    pub at_least: bool,
}

/// How records fit a domain.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DomainFit {
    /// The attributes of the domain that most records have.
    pub found: Vec<String>,
    /// The mandatory attributes that they lack.
    pub missing: Vec<String>,
    /// There are enough of them. Always true without a domain.
    pub fits: bool,
}

/// The main list of a page.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ListFacts {
    /// Records on the page.
    pub records: usize,
    /// The probability that this is a list of records with right boundaries.
    pub confidence: f64,
    /// How many records the page announces.
    pub announced: Option<Announced>,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// How it fits the domain.
    pub fit: DomainFit,
    /// The URL template of the records' own pages.
    pub link_template: Option<String>,
    /// A next page is likely.
    pub has_next: bool,
    /// The URL of a page of the same list that has more records.
    #[serde(default)]
    pub larger_page: Option<String>,
    /// The keys of the records on the page.
    pub keys: Vec<String>,
    /// Pages, records and completeness, after the list was read.
    #[serde(default)]
    pub read: Option<ListRead>,
}

/// What came of a list that was read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ListRead {
    /// Pages of the list.
    pub pages: usize,
    /// Records on them.
    pub records: usize,
    /// Records that no list before it had.
    pub new: usize,
    /// The list is complete, as far as its pages tell.
    pub whole: bool,
    /// Reading it ended early: a page failed, or the run was stopped.
    pub cut: bool,
    /// Why it ended.
    pub stopped: String,
}

impl ListFacts {
    /// Lists of the same kind of records have the same kind: the template of the records' pages, or else the
    /// names of the columns.
    pub fn kind(&self) -> String {
        match &self.link_template {
            Some(template) => template.clone(),
            None => format!("columns {}", self.columns.join(", ")),
        }
    }

    /// How many records the list seems to have on all its pages.
    pub fn expected_records(&self) -> u64 {
        let on_page = self.records as u64;
        let beyond = if self.has_next { 2 * on_page } else { on_page };
        self.announced.map_or(beyond, |announced| announced.total.max(on_page))
    }

    /// True if it is not only an excerpt: it has a counter of its own, further pages, or many records.
    pub fn is_large(&self) -> bool {
        self.has_next || self.records >= 10 || self.announced.is_some_and(|announced| announced.total >= 10)
    }
}

/// Where on its page a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkPosition {
    /// In the navigation of the page.
    Navigation,
    /// In the main content.
    Main,
    /// In the header, outside the navigation.
    Header,
    /// In the footer or at the side.
    Margin,
    /// In a record of the page's main list: usually its own page, but a list of categories has lists there.
    Record,
}

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkFacts {
    /// The absolute URL.
    pub url: String,
    /// What it says.
    pub text: String,
    /// Where it is.
    pub position: LinkPosition,
    /// Its URL differs from that of the page only in the query: a filter or an order of the page's list.
    pub is_filter: bool,
}
