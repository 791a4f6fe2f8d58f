//! The methods' constants by name, for measuring: `rdr.share=0.6`.
//!
//! In: a name and a value as text. Out: the option set, or what was expected.

use super::options::ListOptions;
use std::str::FromStr;

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
        "combined.ranker",
        "combined.records",
        "combined.refine",
        "combined.sure",
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
    /// # Ok::<(), String>(())
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "mdr.longest" => read(value, &mut self.mdr.longest),
            "mdr.threshold" => read(value, &mut self.mdr.threshold),
            "mdr.budget" => read(value, &mut self.mdr.budget),
            "buw.fewest" => read(value, &mut self.buw.fewest),
            "buw.mu" => read(value, &mut self.buw.mu),
            "buw.unwrap-formatting" => read(value, &mut self.buw.unwrap_formatting),
            "buw.union-score" => read(value, &mut self.buw.union_score),
            "buw.open-groups" => read(value, &mut self.buw.open_groups),
            "amber.areas" => read(value, &mut self.amber.areas),
            "amber.fewest" => read(value, &mut self.amber.fewest),
            "amber.fraction" => read(value, &mut self.amber.fraction),
            "amber.likeness" => read(value, &mut self.amber.likeness),
            "combined.ranker" => read(value, &mut self.combined.ranker),
            "combined.records" => read(value, &mut self.combined.records),
            "combined.refine" => read(value, &mut self.combined.refine),
            "combined.sure" => read(value, &mut self.combined.sure),
            "rdr.stems" => read(value, &mut self.rdr.stems),
            "rdr.company" => read(value, &mut self.rdr.company),
            "rdr.share" => read(value, &mut self.rdr.share),
            "rdr.divisible" => read(value, &mut self.rdr.divisible),
            "rdr.stop-at-lists" => read(value, &mut self.rdr.stop_at_lists),
            "rdr.common" => read(value, &mut self.rdr.common),
            "rdr.noise" => read(value, &mut self.rdr.noise),
            "rdr.noise-first" => read(value, &mut self.rdr.noise_first),
            "rdr.entropy" => read(value, &mut self.rdr.entropy),
            "rdr.coverage" => read(value, &mut self.rdr.coverage),
            "rdr.links" => read(value, &mut self.rdr.links),
            _ => Err(format!("no constant {name:?}: expected one of {}", Self::SETTINGS.join(", "))),
        }
    }
}

fn read<T: FromStr>(value: &str, into: &mut T) -> Result<(), String> {
    *into = value.parse().map_err(|_| format!("{value:?} is no value for this constant"))?;
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
        let error = ListOptions::default().set("x", "1").unwrap_err();
        assert!(error.contains("expected one of mdr.longest"), "{error}");
    }
}
