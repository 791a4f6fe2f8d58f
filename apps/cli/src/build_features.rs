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
    ("serve", cfg!(feature = "serve"), "the studio and the HTTP service"),
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

/// Features that the default build has.
const DEFAULT_FEATURES: &[&str] = &["fetch", "sqlite"];

/// How to get a build with all features.
pub(crate) fn install_command() -> String {
    let others = FEATURES.iter().map(|(name, ..)| *name).filter(|name| !DEFAULT_FEATURES.contains(name));
    let others: Vec<&str> = others.collect();
    format!("cargo install --path apps/cli --features {}", others.join(","))
}

/// The version with the features, as `--version` prints it.
pub(crate) fn long_version() -> &'static str {
    static VERSION: LazyLock<String> =
        LazyLock::new(|| format!("{}\nfeatures: {}", env!("CARGO_PKG_VERSION"), present_features()));
    &VERSION
}
