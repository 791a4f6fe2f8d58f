//! What the output of a run will get.

/// What the output will get.
#[derive(Debug, Clone, Default)]
pub(crate) struct OutputPlan {
    /// More than one page may come.
    pub(crate) has_many_pages: bool,
    /// All lists of each page.
    pub(crate) has_all_lists: bool,
    /// What read the pages, if it was not one of the methods.
    pub(crate) method: Option<String>,
}
