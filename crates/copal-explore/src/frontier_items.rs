//! What the frontier holds: URLs to visit, lists that were found, and what became of them. Data only.

use copal_fetch::PageRequest;

/// A URL to visit.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierItem {
    /// The URL.
    pub url: String,
    /// The fields of a search form that is sent by POST.
    pub form: Option<String>,
    /// What it is: `start`, `link`, `frame`, `form`, `filled form`, `larger page`, `sitemap`, `feed`,
    /// `autocomplete` (a form whose field is typed into) or `suggestion` (what that form sends with one of them).
    pub role: String,
    /// The page that it was found on.
    pub parent: String,
    /// Items with a higher priority are visited first.
    pub priority: f64,
    /// Links between it and the start page.
    pub depth: usize,
    /// The kind of page, for bounds and yields.
    pub template: String,
    /// Why it is visited, in words.
    pub reason: String,
}

impl FrontierItem {
    /// What is asked for.
    pub fn request(&self) -> PageRequest {
        page_request(&self.url, self.form.as_deref())
    }

    /// The URL for people, with what is sent to it.
    pub fn shown(&self) -> String {
        shown_request(&self.url, self.form.as_deref())
    }
}

impl FoundList {
    /// What is asked for.
    pub fn request(&self) -> PageRequest {
        page_request(&self.url, self.form.as_deref())
    }

    /// The URL for people, with what is sent to it.
    pub fn shown(&self) -> String {
        shown_request(&self.url, self.form.as_deref())
    }
}

/// A GET request, or a form that is sent by POST.
pub(crate) fn page_request(url: &str, form: Option<&str>) -> PageRequest {
    match form {
        Some(form) => PageRequest::post(url, form),
        None => PageRequest::get(url),
    }
}

fn shown_request(url: &str, form: Option<&str>) -> String {
    form.map_or_else(|| url.to_owned(), |form| format!("POST {url} {form}"))
}

/// An item and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontierEntry {
    /// The item.
    pub item: FrontierItem,
    /// `queued`, `in flight`, `done`, `failed` or `discarded`.
    pub state: String,
    /// What was found there, or why it was discarded.
    pub outcome: String,
}

/// A list that was found, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundList {
    /// The URL of its first page.
    pub url: String,
    /// The fields of the search form that leads to it, if that is sent by POST.
    pub form: Option<String>,
    /// Lists of the same kind of records have the same text here.
    pub kind: String,
    /// What is known about it, in the form that the caller wrote.
    pub facts: String,
    /// `queued`, `in flight`, `done` or `skipped`.
    pub state: String,
    /// What came of it, in words.
    pub outcome: String,
}

/// How an item ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemEnd {
    /// The page was read.
    Done,
    /// The page could not be read.
    Failed,
    /// The page is of no use.
    Discarded,
}

impl ItemEnd {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ItemEnd::Done => "done",
            ItemEnd::Failed => "failed",
            ItemEnd::Discarded => "discarded",
        }
    }
}
