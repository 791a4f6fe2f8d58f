//! An [`XPathTable`] on its way between two processes.
//!
//! In: a table, or what another process sent. Out: what is sent, or a table. Positions are checked, so that a
//! damaged message gives an error and not a table that panics or has no end.

use super::{NONE, Step, XPathTable};
use crate::tree::Node;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Nodes, steps (parent, name test, index) and name tests.
type TableParts<S> = (Vec<Node>, Vec<(u32, u32, u32)>, Vec<S>);

impl Serialize for XPathTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let steps = self.steps.iter().map(|step| (step.parent, step.name_test, step.index)).collect();
        let names = self.name_tests.iter().map(|name| &**name).collect();
        let parts: TableParts<&str> = (self.nodes.clone(), steps, names);
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for XPathTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<XPathTable, D::Error> {
        let (nodes, steps, names): TableParts<String> = Deserialize::deserialize(deserializer)?;
        // parents come before their children in document order
        let fits = |(position, step): (usize, &(u32, u32, u32))| {
            let (parent, name_test, _) = *step;
            (parent == NONE || (parent as usize) < position) && (name_test as usize) < names.len()
        };
        let is_sorted = nodes.is_sorted_by(|one, next| one < next);
        if nodes.len() != steps.len() || !is_sorted || !steps.iter().enumerate().all(fits) {
            return Err(D::Error::custom("the positions of an XPath table do not fit"));
        }
        let step = |(parent, name_test, index)| Step { parent, name_test, index };
        Ok(XPathTable {
            nodes,
            steps: steps.into_iter().map(step).collect(),
            name_tests: names.into_iter().map(Into::into).collect(),
        })
    }
}
