//! The methods' constants by name, for measuring: `rdr.share=0.6`.
//!
//! In: a name and a value as text. Out: the option set, or what was expected.

use super::options::ListOptions;
use std::fmt;
use std::str::FromStr;

/// Why a constant could not be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// No constant has this name.
    #[error("unknown constant {0:?}: expected one of {names}", names = ListOptions::SETTINGS.join(", "))]
    UnknownName(String),
    /// The value has another type than the constant.
    #[error("cannot set {name} to {value:?}: expected a value such as {default}")]
    InvalidValue {
        /// The constant.
        name: String,
        /// The value that was given.
        value: String,
        /// The value that the constant has by default.
        default: String,
    },
}

impl ListOptions {
    /// Names that [`ListOptions::set`] knows.
    pub const SETTINGS: &[&str] = &[
        "mdr.longest",
        "mdr.threshold",
        "mdr.budget",
        "buw.fewest",
        "buw.mu",
        "buw.unwrap-formatting",
        "buw.union-score",
        "buw.open-groups",
        "amber.areas",
        "amber.fewest",
        "amber.fraction",
        "amber.likeness",
        "amber.centre",
        "amber.types",
        "amber.keep",
        "amber.infer",
        "amber.whole",
        "amber.apart",
        "combined.ranker",
        "combined.records",
        "combined.refine",
        "rdr.stems",
        "rdr.company",
        "rdr.share",
        "rdr.divisible",
        "rdr.stop-at-lists",
        "rdr.common",
        "rdr.noise",
        "rdr.noise-first",
        "rdr.entropy",
        "rdr.coverage",
        "rdr.links",
    ];

    /// Sets one constant of a method.
    ///
    /// ```
    /// let mut options = copal_extract::ListOptions::default();
    /// options.set("mdr.threshold", "0.25")?;
    /// assert!(options.set("mdr.treshold", "0.25").is_err());
    /// # Ok::<(), copal_extract::SettingError>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        match name {
            "mdr.longest" => set_value(name, value, &mut self.mdr.longest),
            "mdr.threshold" => set_value(name, value, &mut self.mdr.threshold),
            "mdr.budget" => set_value(name, value, &mut self.mdr.budget),
            "buw.fewest" => set_value(name, value, &mut self.buw.fewest),
            "buw.mu" => set_value(name, value, &mut self.buw.mu),
            "buw.unwrap-formatting" => set_value(name, value, &mut self.buw.unwrap_formatting),
            "buw.union-score" => set_value(name, value, &mut self.buw.union_score),
            "buw.open-groups" => set_value(name, value, &mut self.buw.open_groups),
            "amber.areas" => set_value(name, value, &mut self.amber.areas),
            "amber.fewest" => set_value(name, value, &mut self.amber.fewest),
            "amber.fraction" => set_value(name, value, &mut self.amber.fraction),
            "amber.likeness" => set_value(name, value, &mut self.amber.likeness),
            "amber.centre" => set_value(name, value, &mut self.amber.centre),
            "amber.types" => set_value(name, value, &mut self.amber.types),
            "amber.keep" => set_value(name, value, &mut self.amber.alignment.keep),
            "amber.infer" => set_value(name, value, &mut self.amber.alignment.infer),
            "amber.whole" => set_value(name, value, &mut self.amber.alignment.whole),
            "amber.apart" => set_value(name, value, &mut self.amber.alignment.apart),
            "combined.ranker" => set_value(name, value, &mut self.combined.ranker),
            "combined.records" => set_value(name, value, &mut self.combined.records),
            "combined.refine" => set_value(name, value, &mut self.combined.refine),
            "rdr.stems" => set_value(name, value, &mut self.rdr.stems),
            "rdr.company" => set_value(name, value, &mut self.rdr.company),
            "rdr.share" => set_value(name, value, &mut self.rdr.share),
            "rdr.divisible" => set_value(name, value, &mut self.rdr.divisible),
            "rdr.stop-at-lists" => set_value(name, value, &mut self.rdr.stop_at_lists),
            "rdr.common" => set_value(name, value, &mut self.rdr.common),
            "rdr.noise" => set_value(name, value, &mut self.rdr.noise),
            "rdr.noise-first" => set_value(name, value, &mut self.rdr.noise_first),
            "rdr.entropy" => set_value(name, value, &mut self.rdr.entropy),
            "rdr.coverage" => set_value(name, value, &mut self.rdr.coverage),
            "rdr.links" => set_value(name, value, &mut self.rdr.links),
            _ => Err(SettingError::UnknownName(name.to_owned())),
        }
    }
}

fn set_value<T: FromStr + fmt::Display>(name: &str, value: &str, into: &mut T) -> Result<(), SettingError> {
    *into = value.parse().map_err(|_| SettingError::InvalidValue {
        name: name.to_owned(),
        value: value.to_owned(),
        default: into.to_string(),
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::ListOptions;

    #[test]
    fn every_listed_name_can_be_set() {
        for name in ListOptions::SETTINGS {
            let set =
                ["true", "1", "fixed"].iter().any(|value| ListOptions::default().set(name, value).is_ok());
            assert!(set, "{name}");
        }
        let error = ListOptions::default().set("x", "1").unwrap_err().to_string();
        assert!(error.contains("expected one of mdr.longest"), "{error}");
        let error = ListOptions::default().set("rdr.share", "much").unwrap_err().to_string();
        assert_eq!(error, "cannot set rdr.share to \"much\": expected a value such as 0.8");
    }
}
