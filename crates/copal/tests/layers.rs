//! Dependencies between our crates point one way, as listed in `ALLOWED`.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

/// Each crate may depend on those before it, as listed.
const ALLOWED: &[(&str, &[&str])] = &[
    ("domains", &[]),
    ("crates/copal-dom", &[]),
    ("crates/copal-css", &["copal-dom"]),
    ("crates/copal-values", &[]),
    ("crates/copal-model", &["copal-dom", "copal-values"]),
    ("crates/copal-domain", &["copal-dom", "copal-domains", "copal-values"]),
    ("crates/copal-extract", &["copal-css", "copal-dom", "copal-domain", "copal-model", "copal-values"]),
    ("crates/copal-output", &["copal-dom", "copal-model", "copal-values"]),
    ("crates/copal-store", &["copal-dom", "copal-model", "copal-output"]),
    ("crates/copal-wrapper", &["copal-css", "copal-dom", "copal-extract", "copal-model", "copal-values"]),
    ("crates/copal-forms", &["copal-dom"]),
    ("crates/copal-archive", &[]),
    ("crates/copal-testserver", &[]),
    ("crates/copal-fetch", &[]),
    ("crates/copal-render", &["copal-dom", "copal-fetch"]),
    ("crates/copal-site", &["copal-css", "copal-dom", "copal-extract", "copal-fetch", "copal-render"]),
    (
        "crates/copal-explore",
        &[
            "copal-dom",
            "copal-domain",
            "copal-extract",
            "copal-fetch",
            "copal-forms",
            "copal-site",
            "copal-values",
        ],
    ),
    (
        "crates/copal",
        &[
            "copal-dom",
            "copal-domain",
            "copal-extract",
            "copal-fetch",
            "copal-forms",
            "copal-model",
            "copal-output",
            "copal-site",
            "copal-store",
            "copal-values",
            "copal-wrapper",
        ],
    ),
    ("crates/copal-tasks", &["copal", "copal-output"]),
    (
        "apps/service",
        &[
            "copal",
            "copal-css",
            "copal-dom",
            "copal-fetch",
            "copal-output",
            "copal-render",
            "copal-site",
            "copal-store",
            "copal-tasks",
        ],
    ),
    ("apps/python", &["copal", "copal-archive", "copal-dom", "copal-output", "copal-tasks"]),
    ("apps/wasm", &["copal"]),
    (
        "apps/cli",
        &[
            "copal",
            "copal-css",
            "copal-archive",
            "copal-domain",
            "copal-explore",
            "copal-fetch",
            "copal-output",
            "copal-render",
            "copal-service",
            "copal-site",
            "copal-store",
            "copal-tasks",
            "copal-values",
            "copal-wrapper",
        ],
    ),
    (
        "crates/copal-fuzz-checks",
        &[
            "copal-archive",
            "copal-css",
            "copal-dom",
            "copal-domain",
            "copal-extract",
            "copal-forms",
            "copal-service",
            "copal-values",
            "copal-wrapper",
        ],
    ),
    (
        "research/lab",
        &[
            "copal",
            "copal-css",
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

/// What tests and examples of a crate may use in addition to what the crate itself depends on.
const ALLOWED_IN_TESTS: &[(&str, &[&str])] = &[
    ("crates/copal-output", &["copal-domain", "copal-extract"]),
    ("crates/copal-store", &["copal-extract"]),
    ("crates/copal-fetch", &["copal-testserver"]),
    ("crates/copal-render", &["copal-extract", "copal-testserver"]),
    ("crates/copal-site", &["copal-testserver"]),
    ("crates/copal-explore", &["copal-testserver"]),
    ("apps/cli", &["copal-dom", "copal-testserver"]),
    ("apps/wasm", &["copal-testserver"]),
];

/// Our crates in the tables of a manifest, each with whether only tests depend on it.
fn our_dependencies(manifest: &str) -> Vec<(String, bool)> {
    let mut only_tests = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            only_tests = line.contains("dev-dependencies");
        }
        let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
        if name == "copal" || name.starts_with("copal-") {
            found.push((name.to_owned(), only_tests));
        }
    }
    found
}

#[test]
fn crates_depend_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (folder, allowed) in ALLOWED {
        let manifest = fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        let in_tests =
            ALLOWED_IN_TESTS.iter().find(|(other, _)| other == folder).map_or(&[][..], |row| row.1);
        for (name, only_tests) in our_dependencies(&manifest) {
            let is_allowed =
                allowed.contains(&name.as_str()) || (only_tests && in_tests.contains(&name.as_str()));
            assert!(is_allowed, "{folder} must not depend on {name}");
        }
    }
}

#[test]
fn documents_name_the_rust_version_of_the_manifest() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    let expected = format!("Rust {} or later", version.trim_matches('"'));
    for document in ["README.md", "docs/guide/getting-started.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        assert!(text.contains(&expected), "{document} does not say: {expected}");
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
