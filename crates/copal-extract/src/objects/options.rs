//! What to read from detail pages, and how.

use super::foreign_places::ForeignPlaces;
use super::switches::Switches;
use copal_domain::Domain;
use std::sync::Arc;

/// What to read, and how.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ObjectOptions {
    /// What the objects are. Without a domain, every labelled text is a field.
    pub domain: Option<Arc<Domain>>,
    /// Also read the lists of other objects.
    pub lists: bool,
    /// Per page: names and texts of the record that links to it (feature RPR of thesis section 6.5).
    pub records: Vec<Vec<(String, String)>>,
    /// Where other objects are, if the template of the pages is known; their lists are then not searched for.
    pub(crate) foreign: Option<Arc<ForeignPlaces>>,
    pub(crate) switches: Switches,
}

#[cfg(feature = "research")]
impl ObjectOptions {
    /// The parts that are in use.
    pub fn switches_mut(&mut self) -> &mut Switches {
        &mut self.switches
    }
}
