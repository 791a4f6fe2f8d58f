//! What a worker process is asked to do, and what it answers: the types of the protocol between the two.
//!
//! A task is JSON and the bodies of its pages. All checks of what a user may ask for (names of databases, private
//! networks) are made before a task is built: a worker trusts its task, and nothing in its pages.

use crate::options::ExtractOptions;
use copal_tasks::{TaskError, TaskErrorKind};
use serde::{Deserialize, Serialize};

/// What is done with the pages.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Operation {
    /// Lists and objects.
    Extract,
    /// The sections of each page.
    Sections,
    /// A wrapper.
    Learn,
    /// What a wrapper reads.
    Apply { wrapper: String },
    /// Whether the pages still match a wrapper.
    Check { wrapper: String },
    /// The next version of a wrapper.
    Repair { wrapper: String, verify: Option<usize> },
    /// A wrapper for another tool.
    Export { wrapper: String, to: ExportTool, url: Option<String>, follow: bool },
    /// Nothing but whether a text is a wrapper.
    ParseWrapper { wrapper: String },
    /// A copy of the page that can be shown.
    View { styles: bool },
    /// Images that a page shows.
    Images { urls: Vec<String> },
    /// The pattern of an element.
    Point { target: PointTarget },
    /// A wrapper that follows corrections.
    Correct { wrapper: Option<String>, examples: Vec<u32>, corrections: Vec<CorrectionBody> },
    /// What the learner of a gazetteer asks.
    Questions { attribute: String, known: Vec<String>, labels: Vec<String>, refused: Vec<String> },
}

/// What a person points at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PointTarget {
    /// An element, by its number.
    Node(u32),
    /// The elements of a CSS selector or an XPath.
    Pattern(String),
}

/// One change of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum CorrectionBody {
    /// Give a column another name
    Rename { column: String, to: String },
    /// Give a column a value type, or none
    Type { column: String, to: Option<String> },
    /// Remove a column
    Hide { column: String },
    /// Put columns first, in this order
    Order { columns: Vec<String> },
    /// Replace a column by the pieces of its text; a piece with an empty name is left out
    Split { column: String, at: String, names: Vec<String> },
    /// Replace columns by one that reads the smallest element around them
    Merge { columns: Vec<String>, to: String },
    /// Add a column that reads an element of one record and its counterparts; `from` is `text`, `href` or `src`
    Add { name: String, node: u32, from: Option<String> },
    /// Leave out the records that contain these elements, and all that are like them
    Exclude { records: Vec<u32> },
    /// Take in the records that contain these elements, and those next to them that are like them
    Include { records: Vec<u32> },
}

/// A tool that wrappers are exported for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExportTool {
    /// A spider in Python
    Scrapy,
    /// A schema with CSS selectors
    Crawl4ai,
    /// An `OXPath` expression
    Oxpath,
    /// A script for Node
    Playwright,
    /// XPaths as JSON
    XpathJson,
}

/// A page of a task.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct TaskPage {
    /// How answers and errors name it.
    pub(crate) name: String,
    /// Where it came from, or what is fetched.
    pub(crate) url: Option<String>,
    /// The body of the task that it is; `None` if it is fetched.
    pub(crate) body: Option<usize>,
    /// The type that its sender stated.
    pub(crate) content_type: Option<String>,
    /// The charset that its sender stated.
    pub(crate) charset: Option<String>,
}

/// Where records are stored, as the service resolved it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoreTarget {
    /// A file or the URL of a server.
    pub(crate) location: String,
    pub(crate) table: Option<String>,
    pub(crate) key: Vec<String>,
    /// How the run is described in the database.
    pub(crate) command: String,
}

/// One task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) operation: Operation,
    pub(crate) pages: Vec<TaskPage>,
    pub(crate) options: ExtractOptions,
    pub(crate) store: Option<StoreTarget>,
    /// Name the page in each record, as where there are several pages.
    pub(crate) names_pages: bool,
}

impl Task {
    pub(crate) fn new(operation: Operation) -> Task {
        Task {
            operation,
            pages: Vec::new(),
            options: ExtractOptions::default(),
            store: None,
            names_pages: false,
        }
    }

    /// The URLs that are fetched.
    pub(crate) fn fetched_urls(&self) -> impl Iterator<Item = &str> {
        let pages = self.pages.iter().filter(|page| page.body.is_none());
        let images = if let Operation::Images { urls } = &self.operation { urls.as_slice() } else { &[] };
        pages.filter_map(|page| page.url.as_deref()).chain(images.iter().map(String::as_str))
    }
}

/// How a task ended, if it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TaskOutcome {
    /// Everything that was asked for.
    #[default]
    Done,
    /// There is no list and no object.
    NothingFound,
    /// A limit was hit.
    Partial,
    /// The site has changed.
    Changed,
}

impl TaskOutcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            TaskOutcome::Done => "done",
            TaskOutcome::NothingFound => "nothing-found",
            TaskOutcome::Partial => "partial",
            TaskOutcome::Changed => "changed",
        }
    }
}

/// The answer of a worker; its body comes after it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct TaskReport {
    pub(crate) outcome: TaskOutcome,
    /// The media type of the body.
    pub(crate) content_type: String,
    /// Records of the main list before rows were chosen.
    pub(crate) records: usize,
    /// Pages that were read.
    pub(crate) pages: usize,
    /// What the user should know.
    pub(crate) warnings: Vec<String>,
    /// What was stored in a database.
    #[serde(default)]
    pub(crate) stored: Option<String>,
}

/// Why a worker could not do a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TaskFailure {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FailureKind {
    Usage,
    NothingFound,
    Unreadable,
    Changed,
    /// The address is private, or forbidden for another reason.
    Forbidden,
    /// The site did not send the page.
    Fetch,
    /// The database did not take the records.
    Store,
}

impl TaskFailure {
    pub(crate) fn new(kind: FailureKind, message: impl std::fmt::Display) -> TaskFailure {
        TaskFailure { kind, message: message.to_string(), hint: None }
    }
}

impl From<TaskError> for TaskFailure {
    fn from(error: TaskError) -> TaskFailure {
        let kind = match error.kind {
            TaskErrorKind::Usage => FailureKind::Usage,
            TaskErrorKind::NothingFound => FailureKind::NothingFound,
            TaskErrorKind::Changed => FailureKind::Changed,
            _ => FailureKind::Unreadable,
        };
        TaskFailure { kind, message: error.message, hint: error.hint }
    }
}

/// What a worker sends.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WorkerMessage {
    /// A page of a list was read: the worker is alive.
    Progress {
        pages: usize,
        records: usize,
    },
    Done(TaskReport),
    Failed(TaskFailure),
}

/// What a worker receives when it starts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WorkerSettings {
    /// Memory beyond that of the idle worker; `None` for no limit.
    pub(crate) memory_bytes: Option<u64>,
    /// Bytes of one page.
    pub(crate) page_bytes: usize,
    pub(crate) network: NetworkSettings,
}

/// How pages are fetched.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct NetworkSettings {
    pub(crate) allow_private: bool,
    pub(crate) obey_robots: bool,
    /// Milliseconds between two requests to one host.
    pub(crate) delay_ms: u64,
    /// Seconds for one page.
    pub(crate) timeout_s: u64,
    /// How to reach the operator; part of the user agent.
    pub(crate) contact: Option<String>,
    /// Where pages are cached.
    pub(crate) cache: Option<std::path::PathBuf>,
    /// The program of the browser.
    pub(crate) browser: Option<std::path::PathBuf>,
    pub(crate) browser_sandbox: bool,
}
