//! The seven features of a field candidate (thesis section 6.5).

/// A yes/no feature of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldFeature {
    /// DC: the value differs between the pages.
    DynamicContent,
    /// RPR: the record that links to the page has the same value.
    ResultPage,
    /// TA: the value is in the title of the page.
    InTitle,
    /// TPS: other pages have the attribute at this path.
    PathSupport,
    /// LP: a label of the attribute is next to the value.
    Label,
    /// CE: the value has the same role in the same structure on all pages.
    Context,
    /// IR: the page shows the value more than once.
    Redundancy,
}

impl FieldFeature {
    /// All features with their weights. The weights differ so little that the number of features decides.
    /// Ties follow the order of section 6.5: DC, then RPR and TA, then TPS, then the others.
    pub(super) const WEIGHTS: [(FieldFeature, f64); 7] = [
        (FieldFeature::DynamicContent, 1.06),
        (FieldFeature::ResultPage, 1.03),
        (FieldFeature::InTitle, 1.03),
        (FieldFeature::PathSupport, 1.01),
        (FieldFeature::Label, 1.0),
        (FieldFeature::Context, 1.0),
        (FieldFeature::Redundancy, 1.0),
    ];

    /// The abbreviation of the thesis, in lower case.
    #[cfg(feature = "research")]
    pub(super) fn name(self) -> &'static str {
        match self {
            FieldFeature::DynamicContent => "dc",
            FieldFeature::ResultPage => "rpr",
            FieldFeature::InTitle => "ta",
            FieldFeature::PathSupport => "tps",
            FieldFeature::Label => "lp",
            FieldFeature::Context => "ce",
            FieldFeature::Redundancy => "ir",
        }
    }
}
