//! The options of RDR.

/// The words, and the thresholds the paper leaves open.
#[derive(Debug, Clone)]
pub struct RdrOptions {
    /// The words of the query; else they are taken from the address, the search field, the title and the `h1`.
    pub query: Option<String>,
    /// Correlative words, given.
    pub related: Option<String>,
    /// Words with a keyword's stem count too.
    pub stems: bool,
    /// Words that keep company with keywords on the page count too.
    pub company: bool,
    /// Share of the deep elements that the rich data region must hold.
    pub share: f64,
    /// An element with more text elements than this (and more than one keyword) is divisible.
    pub divisible: u32,
    /// Siblings that look like a list are not divided further.
    pub stop_at_lists: bool,
    /// Least mean similarity of tag strings in a list.
    pub common: f64,
    /// An object whose normalised average common tag sequence is below this share of the median is noise.
    pub noise: f64,
    /// The same for an object whose first text element has another tag than most (OB10).
    pub noise_first: f64,
    /// A list with less formatting entropy than this, and only links, is a menu.
    pub entropy: f64,
    /// With less of the page's text in a list, links are taken for keywords.
    pub coverage: f64,
    /// Share of text in links above which a uniform list is a menu.
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
