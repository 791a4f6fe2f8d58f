//! The options of RDR.

/// The search words, and the thresholds that the paper leaves open.
#[derive(Debug, Clone)]
pub struct RdrOptions {
    /// The words of the query. Without them, keywords come from the URL, the search field, the title and the
    /// `h1`.
    pub query: Option<String>,
    /// Correlative words (OB8) that the user gives.
    pub related: Option<String>,
    /// Count words that have the stem of a keyword too.
    pub stems: bool,
    /// Count words that mostly occur next to keywords on the page too.
    pub company: bool,
    /// Minimum share of the deep elements that the rich data region must contain.
    pub share: f64,
    /// An element with more text elements than this and more than one keyword is divisible.
    pub divisible: u32,
    /// Do not divide siblings that already look like a list.
    pub stop_at_lists: bool,
    /// Minimum mean similarity of the tag strings of a list.
    pub common: f64,
    /// An object whose normalised average common tag sequence is below this share of the median is noise.
    pub noise: f64,
    /// The same threshold for an object whose first text element has an unusual tag (OB10).
    pub noise_first: f64,
    /// A list with less formatting entropy than this that consists of links is a menu.
    pub entropy: f64,
    /// If the largest list has a smaller share of the page's text than this, links count as keywords.
    pub coverage: f64,
    /// A uniform list with a larger share of its text in links than this is a menu.
    pub links: f64,
}

impl Default for RdrOptions {
    fn default() -> Self {
        RdrOptions {
            query: None,
            related: None,
            stems: true,
            company: false,
            share: 0.8,
            divisible: 3,
            stop_at_lists: true,
            common: 0.7,
            noise: 0.6,
            noise_first: 0.7,
            entropy: 0.5,
            coverage: 0.1,
            links: 0.8,
        }
    }
}
