//! What to read from detail pages, and how.

use super::switches::Switches;
use super::template_places::TemplatePlaces;
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
    /// The places of the template of the pages, if they are known; lists of other objects are then not searched for.
    pub(crate) places: Option<Arc<TemplatePlaces>>,
    pub(crate) switches: Switches,
}

#[cfg(feature = "research")]
impl ObjectOptions {
    /// The parts that are in use.
    pub fn switches_mut(&mut self) -> &mut Switches {
        &mut self.switches
    }
}
