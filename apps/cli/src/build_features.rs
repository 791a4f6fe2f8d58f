//! The optional parts of this build.

use std::sync::LazyLock;

/// Cargo features of the command: their names, whether this build has them, and what they add.
const FEATURES: &[(&str, bool, &str)] = &[
    ("fetch", cfg!(feature = "fetch"), "URLs"),
    ("sqlite", cfg!(feature = "sqlite"), "SQLite databases"),
    ("postgres", cfg!(feature = "postgres"), "PostgreSQL databases"),
    ("parquet", cfg!(feature = "parquet"), "Parquet and Arrow files"),
    ("xlsx", cfg!(feature = "xlsx"), "Excel files"),
    ("render", cfg!(feature = "render"), "pages in a browser"),
    ("serve", cfg!(feature = "serve"), "the HTTP service"),
    ("mcp", cfg!(feature = "mcp"), "the server for agents"),
];

/// The features of this build, separated by commas.
pub(crate) fn present_features() -> String {
    let present = FEATURES.iter().filter(|(_, is_present, _)| *is_present);
    present.map(|(name, ..)| *name).collect::<Vec<_>>().join(", ")
}

/// Features that this build lacks, with what they add.
pub(crate) fn missing_features() -> impl Iterator<Item = (&'static str, &'static str)> {
    FEATURES.iter().filter(|(_, is_present, _)| !is_present).map(|(name, _, adds)| (*name, *adds))
}

/// The version with the features, as `--version` prints it.
pub(crate) fn long_version() -> &'static str {
    static VERSION: LazyLock<String> =
        LazyLock::new(|| format!("{}\nfeatures: {}", env!("CARGO_PKG_VERSION"), present_features()));
    &VERSION
}
