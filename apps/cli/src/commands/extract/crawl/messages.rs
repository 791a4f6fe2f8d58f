//! The messages between the command and its page workers.

use copal_tasks::{FullReason, KnownTemplate, TemplateContent, TemplateSketch, template_site};
use serde::{Deserialize, Serialize};

/// A page without its content, which is a body of the frame.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PageHead {
    pub(super) name: String,
    pub(super) url: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) charset: Option<String>,
    pub(super) is_cut: bool,
}

impl PageHead {
    /// The host of the page: templates are those of a site.
    pub(super) fn host(&self) -> &str {
        template_site(self.url.as_deref().unwrap_or_default())
    }
}

/// What a worker does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum WorkerTask {
    Page(PageHead),
    /// Learn a template from pages that share it.
    Learn {
        pages: Vec<PageHead>,
    },
    /// Use these templates from now on.
    Templates {
        reset: bool,
        learned: Vec<KnownTemplate>,
    },
}

/// What a page has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PageKindFound {
    List,
    Object,
    #[default]
    Nothing,
}

/// What a worker answers; the rows or lines are the body of the frame.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PageReport {
    /// The page cannot be read, and why.
    pub(super) error: Option<String>,
    pub(super) found: PageKindFound,
    pub(super) records: usize,
    pub(super) is_partial: bool,
    pub(super) is_other_language: bool,
    pub(super) confidence: f64,
    /// The page was read with a template.
    pub(super) is_by_template: bool,
    /// Why it was not, in a run by template.
    pub(super) full_reason: Option<FullReason>,
    /// The template of the page, if it was not read with a known one.
    pub(super) sketch: Option<TemplateSketch>,
    /// The answer to [`WorkerTask::Learn`].
    pub(super) template: Option<TemplateContent>,
}

/// A report and its body.
pub(super) type TaskReply = (PageReport, Vec<u8>);
