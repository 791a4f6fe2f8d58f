//! Dependencies between our crates point one way, as listed in `ALLOWED`.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// Each crate may depend on those before it, as listed.
const ALLOWED: &[(&str, &[&str])] = &[
    ("domains", &[]),
    ("crates/copal-dom", &[]),
    ("crates/copal-values", &[]),
    ("crates/copal-model", &["copal-dom", "copal-values"]),
    ("crates/copal-domain", &["copal-dom", "copal-domains", "copal-values"]),
    ("crates/copal-extract", &["copal-dom", "copal-domain", "copal-model", "copal-values"]),
    ("crates/copal-output", &["copal-dom", "copal-domain", "copal-extract", "copal-model", "copal-values"]),
    ("crates/copal-store", &["copal-dom", "copal-extract", "copal-model", "copal-output"]),
    ("crates/copal-wrapper", &["copal-dom", "copal-extract", "copal-model", "copal-values"]),
    ("crates/copal-testserver", &[]),
    ("crates/copal-fetch", &["copal-testserver"]),
    ("crates/copal-site", &["copal-dom", "copal-extract", "copal-fetch", "copal-testserver"]),
    (
        "crates/copal",
        &[
            "copal-dom",
            "copal-domain",
            "copal-extract",
            "copal-fetch",
            "copal-model",
            "copal-output",
            "copal-site",
            "copal-store",
            "copal-values",
            "copal-wrapper",
        ],
    ),
    (
        "apps/cli",
        &[
            "copal",
            "copal-domain",
            "copal-fetch",
            "copal-output",
            "copal-site",
            "copal-store",
            "copal-testserver",
            "copal-values",
            "copal-wrapper",
        ],
    ),
    (
        "research/lab",
        &[
            "copal",
            "copal-dom",
            "copal-domain",
            "copal-extract",
            "copal-model",
            "copal-output",
            "copal-values",
            "copal-wrapper",
        ],
    ),
];

fn our_dependencies(manifest: &str) -> Vec<String> {
    let names = manifest.lines().filter_map(|line| line.split(['.', '=', ' ']).next());
    names.filter(|name| *name == "copal" || name.starts_with("copal-")).map(str::to_owned).collect()
}

#[test]
fn crates_depend_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (folder, allowed) in ALLOWED {
        let manifest = fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        for name in our_dependencies(&manifest) {
            assert!(allowed.contains(&name.as_str()), "{folder} must not depend on {name}");
        }
    }
}

#[test]
fn every_crate_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for parent in ["crates", "apps"] {
        for entry in fs::read_dir(root.join(parent)).unwrap() {
            let name = format!("{parent}/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(ALLOWED.iter().any(|(folder, _)| *folder == name), "{name} is in no layer");
        }
    }
}
