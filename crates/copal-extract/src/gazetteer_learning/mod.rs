//! Gazetteer learning (AMBER section 4.7): from a few terms of an attribute to those the pages show.
//!
//! In: a domain, one of its attributes, pages, and perhaps a list to begin with. Out: terms and labels that were learned.
//! Every round reads all pages with what is known so far: a [`Reader`] gives the [`TermEvidence`] of each page (pages may be
//! read in parallel), and [`Learner::finish`] adds the terms that are sure enough and drops learned ones that no longer
//! occur. It ends when a round changes nothing; a term is added at most once and dropped at most once, so it does end.
//!
//! ```
//! use copal_extract::gazetteer_learning::{LearnOptions, Learner};
//! let domain = copal_domain::Domain::load("real-estate").unwrap();
//! let mut learner = Learner::new(&domain, "location", Some(&["Witney".into()]), LearnOptions::default())?;
//! let page = copal_dom::Page::from_text("<p>no records</p>", &copal_dom::Limits::default());
//! let round = learner.finish(&[learner.reader().read(&page)], None);
//! assert!(round.is_last());
//! # Ok::<(), copal_extract::gazetteer_learning::LearnError>(())
//! ```

mod evidence;
mod labels;
mod rounds;
mod terms;
mod truth;

pub use evidence::{Reader, TermEvidence};
pub use rounds::{Ask, Learned, Learner, Question, Round, TermVerdict};

use crate::lists::propose::amber::AmberOptions;

/// Thresholds of learning.
#[derive(Debug, Clone)]
pub struct LearnOptions {
    /// Below this confidence a term is left out (the thesis' l).
    pub lower: f64,
    /// From this confidence a term is added without a question (u).
    pub upper: f64,
    /// Share of a page's records that must have the attribute at a path before anything is inferred there (g).
    pub support: f64,
    /// How records are found; thresholds of inference are set by `support`.
    pub amber: AmberOptions,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions { lower: 0.5, upper: 0.5, support: 0.3, amber: AmberOptions::default() }
    }
}

/// Why an attribute cannot be learned.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LearnError {
    /// The domain has no such attribute.
    Unknown {
        /// What was asked for.
        name: String,
        /// What can be learned.
        known: String,
    },
    /// Its values are no words.
    NotWords {
        /// What was asked for.
        name: String,
        /// What its values are.
        kind: &'static str,
        /// What can be learned.
        known: String,
    },
    /// There is nothing to begin with.
    NoSeed(String),
}

impl std::fmt::Display for LearnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LearnError::Unknown { name, known } => {
                write!(f, "no attribute {name:?}: expected one of {known}")
            }
            LearnError::NotWords { name, kind, known } => {
                write!(f, "values of {name} ({kind}) are not in lists of terms: expected one of {known}")
            }
            LearnError::NoSeed(name) => {
                write!(f, "{name} has no list of terms to begin with: give some terms with --from FILE")
            }
        }
    }
}

impl std::error::Error for LearnError {}
