//! How messages write the name of an option: as the user of this program wrote it.

/// Where options come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionStyle {
    /// A command line: `--select`.
    CommandLine,
    /// Parameters of a request or of a function: `select`.
    Parameter,
}

impl OptionStyle {
    /// The option as the user writes it; `name` is in lower case, without dashes.
    pub fn written(self, name: &str) -> String {
        match self {
            OptionStyle::CommandLine => format!("--{name}"),
            OptionStyle::Parameter => name.to_owned(),
        }
    }
}
