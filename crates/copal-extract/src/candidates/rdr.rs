//! RDR
use crate::model::Findings;
use copal_dom::Page;
/// o
#[derive(Debug, Clone, Default)]
pub struct RdrOptions {
    /// q
    pub query: Option<String>,
    /// r
    pub related: Option<String>,
}
/// f
pub fn find(_page: &Page, _options: &RdrOptions) -> Findings {
    Findings::default()
}
