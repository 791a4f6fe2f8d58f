//! What can be switched off, to measure what each part is good for (thesis Figures 7.29 to 7.31).

/// The features of section 6.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// DC: the value differs between pages.
    DynamicContent,
    /// RPR: the list's record has it too.
    ResultPage,
    /// TA: the title has it too.
    InTitle,
    /// TPS: other pages have the attribute at this path.
    PathSupport,
    /// LP: a label of the attribute is beside it.
    Label,
    /// CE: it has the same role in the same structure on all pages.
    Context,
    /// IR: the page says it more than once.
    Redundancy,
}

impl Feature {
    /// All features, and the weight each has. The weights differ by less than their number needs, so the count decides and ties go in the
    /// order of section 6.5: DC, then RPR and TA, then TPS, then the others.
    pub(super) const ALL: [(Feature, f64); 7] = [
        (Feature::DynamicContent, 1.06),
        (Feature::ResultPage, 1.03),
        (Feature::InTitle, 1.03),
        (Feature::PathSupport, 1.01),
        (Feature::Label, 1.0),
        (Feature::Context, 1.0),
        (Feature::Redundancy, 1.0),
    ];

    fn name(self) -> &'static str {
        match self {
            Feature::DynamicContent => "dc",
            Feature::ResultPage => "rpr",
            Feature::InTitle => "ta",
            Feature::PathSupport => "tps",
            Feature::Label => "lp",
            Feature::Context => "ce",
            Feature::Redundancy => "ir",
        }
    }
}

/// Parts that are in use.
#[derive(Debug, Clone)]
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

impl Switches {
    /// Names of what can be switched off.
    pub const NAMES: [&'static str; 11] =
        ["boilerplate", "lists", "dissimilarity", "declared", "dc", "rpr", "ta", "tps", "lp", "ce", "ir"];

    /// Switches one part off; false if there is none of that name.
    pub fn off(&mut self, name: &str) -> bool {
        match name {
            "boilerplate" => self.boilerplate = false,
            "lists" => self.lists = false,
            "dissimilarity" => self.dissimilarity = false,
            "declared" => self.declared = false,
            _ => match Feature::ALL.iter().position(|(feature, _)| feature.name() == name) {
                Some(at) => self.features[at] = false,
                None => return false,
            },
        }
        true
    }
}
