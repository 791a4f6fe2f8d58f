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
    /// All features, in the order of their values.
    pub(super) const ALL: [FieldFeature; 7] = [
        FieldFeature::DynamicContent,
        FieldFeature::ResultPage,
        FieldFeature::InTitle,
        FieldFeature::PathSupport,
        FieldFeature::Label,
        FieldFeature::Context,
        FieldFeature::Redundancy,
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
