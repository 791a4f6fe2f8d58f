//! A step of the navigation of a site's wrapper and what is wrong with it. Data only.

/// A step of the navigation and what is wrong with it.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "fetch"), allow(dead_code))]
pub(crate) struct NavigationFinding {
    /// The keys of the wrapper file: `navigation.lists[0]`.
    pub(crate) step: String,
    /// What is wrong.
    pub(crate) cause: String,
    /// False if the step still works, but not as the wrapper says.
    pub(crate) is_broken: bool,
}
