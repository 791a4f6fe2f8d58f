//! Gazetteer learning (AMBER section 4.7): from a few terms of an attribute to those that the pages show.
//!
//! In: a domain, one of its attributes, pages, and optionally a list of terms to begin with. Out: learned
//! terms and labels. Every round reads all pages with what is known so far: a [`Reader`] gives the
//! [`TermEvidence`] of each page (pages may be read in parallel), and [`Learner::finish`] adds the terms that
//! are certain enough and drops learned ones that no longer occur. Learning ends when a round changes
//! nothing. It always ends, because a term is added at most once and dropped at most once.
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
mod learn_error;
mod learn_options;
mod learned_labels;
mod rounds;
mod term_evidence;
mod term_formulation;
mod truth;

pub use evidence::Reader;
pub use learn_error::LearnError;
pub use learn_options::LearnOptions;
pub use rounds::{Ask, Learned, Learner, Question, Round, TermVerdict};
pub use term_evidence::TermEvidence;
