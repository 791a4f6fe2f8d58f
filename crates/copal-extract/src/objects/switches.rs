//! Parts of the pipeline that can be left out, to measure what each contributes (thesis Figures 7.29 to
//! 7.31).
//!
//! Outside the cargo feature `research` every part is in use.

#[cfg(feature = "research")]
use super::field_features::FieldFeature;

/// The parts that are in use.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "research"), allow(unreachable_pub, reason = "public only with `research`"))]
pub struct Switches {
    pub(super) boilerplate: bool,
    pub(super) lists: bool,
    pub(super) dissimilarity: bool,
    pub(super) declared: bool,
    pub(super) features: [bool; 7],
}

impl Default for Switches {
    fn default() -> Self {
        Switches { boilerplate: true, lists: true, dissimilarity: true, declared: true, features: [true; 7] }
    }
}

#[cfg(feature = "research")]
impl Switches {
    /// Names of the parts that can be left out.
    pub const NAMES: [&'static str; 11] =
        ["boilerplate", "lists", "dissimilarity", "declared", "dc", "rpr", "ta", "tps", "lp", "ce", "ir"];

    /// Switches one part off. Returns false if no part has that name.
    pub fn off(&mut self, name: &str) -> bool {
        match name {
            "boilerplate" => self.boilerplate = false,
            "lists" => self.lists = false,
            "dissimilarity" => self.dissimilarity = false,
            "declared" => self.declared = false,
            _ => match FieldFeature::ALL.iter().position(|feature| feature.name() == name) {
                Some(at) => self.features[at] = false,
                None => return false,
            },
        }
        true
    }
}
