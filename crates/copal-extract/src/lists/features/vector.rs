//! The features of a candidate as a vector of numbers.
//!
//! The names are those in the fitted weights (`rank/weights.rs`) and in the files that the fit reads: a new
//! feature is added to the list below, and the weights are fitted again.

macro_rules! features {
    ($($id:ident $name:literal,)*) => {
        /// One feature.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Feature { $($id),* }
        /// The names of all features, in the order of [`Feature`].
        pub(crate) const FEATURE_NAMES: &[&str] = &[$($name),*];
        const FEATURE_COUNT: usize = FEATURE_NAMES.len();
    };
}

features! {
    Records "records",
    Coverage "coverage",
    MeanText "mean_text",
    CvText "cv_text",
    LinkDensity "link_density",
    Likeness "likeness",
    Paths "paths",
    Leaves "leaves",
    Fonts "fonts",
    HeadDiversity "head_diversity",
    TextDiversity "text_diversity",
    LinkDiversity "link_diversity",
    Images "images",
    InNavigation "in_navigation",
    Empty "empty",
    SharedPaths "shared_paths",
    Digits "digits",
    Depth "depth",
    Position "position",
    Parents "parents",
    Contiguous "contiguous",
    Nodes "nodes",
    WithLink "with_link",
    Proposers "proposers",
    ByBuw "by_buw",
    ByRdr "by_rdr",
    ByAmber "by_amber",
    ByMdr "by_mdr",
    ByGroup "by_group",
    CoverageRank "coverage_rank",
    MassRank "mass_rank",
    SharedRank "shared_rank",
    WithHeading "with_heading",
    SameRootTag "same_root_tag",
    WholeChildren "whole_children",
    OneLeaf "one_leaf",
    SingleLink "single_link",
    InMain "in_main",
    WithDigits "with_digits",
    WithCurrency "with_currency",
    Readable "readable",
    ProseOutside "prose_outside",
    PageText "page_text",
    OffMain "off_main",
    ProseBefore "prose_before",
    InAside "in_aside",
    Pager "pager",
    SaysOne "says_one",
    SaysList "says_list",
    Query "query",
    HeadFar "head_far",
    NoHead "no_head",
    Alternating "alternating",
    ContentCoverage "content_coverage",
    PlainBefore "plain_before",
    Labels "labels",
    HereLinks "here_links",
    Declared "declared",
    Finer "finer",
    FinerLikeness "finer_likeness",
    Coarser "coarser",
    CoarserLikeness "coarser_likeness",
    PartOfRecords "part_of_records",
    WiderRecords "wider_records",
    InsideRecord "inside_record",
    SamePlace "same_place",
    Rows "rows",
    Cells "cells",
    OneHeading "one_heading",
    ManyHeadings "many_headings",
    RepeatedPaths "repeated_paths",
    OneLink "one_link",
    LinksInRecord "links_in_record",
    ManyPrices "many_prices",
    OneDate "one_date",
    ManyDates "many_dates",
    LabelsOutside "labels_outside",
    LabelsInRecord "labels_in_record",
    DateShare "date_share",
    PriceShare "price_share",
    HeadingShare "heading_share",
    SameClass "same_class",
    SameStructure "same_structure",
    Inputs "inputs",
    Password "password",
    Score "score",
    Gap "gap",
}

/// The values of all features.
#[derive(Debug, Clone)]
pub(crate) struct Features([f64; FEATURE_COUNT]);

impl Default for Features {
    fn default() -> Self {
        Features([0.0; FEATURE_COUNT])
    }
}

impl Features {
    pub(crate) fn get(&self, feature: Feature) -> f64 {
        self.0[feature as usize]
    }

    /// All values, in the order of [`FEATURE_NAMES`].
    #[cfg(feature = "research")]
    pub(crate) fn values(&self) -> &[f64] {
        &self.0
    }

    pub(crate) fn set(&mut self, feature: Feature, value: f64) {
        self.0[feature as usize] = value;
    }
}
