//! Every direct dependency is reviewed: `docs/decisions/0029-each-direct-dependency.md` has a row for each, and no others.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const REVIEW: &str = "docs/decisions/0029-each-direct-dependency.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The packages that a manifest names in its sections of dependencies: normal, for tests, for builds, of a platform.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut is_list, mut name) = (false, String::new());
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
            let last = section.rsplit('.').next().unwrap();
            is_list = kinds.contains(&last) && !section.starts_with("workspace");
            // a dependency with a section of its own
            if let Some((_, own)) =
                section.rsplit_once('.').filter(|(before, _)| kinds.iter().any(|kind| before.ends_with(kind)))
            {
                own.clone_into(&mut name);
                found.insert(name.clone());
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
        if is_list {
            key.trim().split('.').next().unwrap().trim_matches('"').clone_into(&mut name);
            found.insert(name.clone());
        }
        // the name of the package, if its users call it otherwise
        let renamed = if key.trim() == "package" {
            Some(value)
        } else {
            value.split_once("package = ").map(|(_, rest)| rest)
        };
        if let Some(package) = renamed.and_then(|rest| rest.split('"').nth(1)) {
            found.remove(&name);
            found.insert(package.to_owned());
        }
    }
    found.retain(|name| name != "copal" && !name.starts_with("copal-"));
    found
}

/// Every manifest of the workspace, and that of the fuzzer, by its folder.
fn manifests() -> BTreeMap<String, String> {
    let root = root();
    let mut folders: Vec<PathBuf> =
        ["domains", "research/lab", "fuzz"].iter().map(|folder| root.join(folder)).collect();
    for parent in ["crates", "apps"] {
        folders.extend(fs::read_dir(root.join(parent)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let manifest = |folder: &PathBuf| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Some((folder.strip_prefix(&root).unwrap().display().to_string(), text))
    };
    folders.iter().filter_map(manifest).collect()
}

/// The crates that have a row of the review.
fn reviewed() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(REVIEW)).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    rows.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn each_direct_dependency_is_reviewed() {
    let manifests = manifests();
    assert!(manifests.len() >= 25, "{:?}", manifests.keys());
    let mut users: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (folder, manifest) in &manifests {
        for name in dependencies(manifest) {
            users.entry(name).or_default().push(folder);
        }
    }
    assert!(users.len() > 60 && users["http"] == ["crates/copal-fuzz-checks"], "{users:?}");
    let reviewed = reviewed();
    let missing: Vec<_> = users.iter().filter(|(name, _)| !reviewed.contains(*name)).collect();
    assert!(missing.is_empty(), "{REVIEW} has no row for {missing:?}");
    let gone: Vec<_> = reviewed.iter().filter(|name| !users.contains_key(*name)).collect();
    assert!(gone.is_empty(), "{REVIEW} has rows for what no crate depends on: {gone:?}");
}

#[test]
fn dependencies_are_found_in_every_form() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n# no = 1\na.workspace = true\nb = { version = \"1\" }\n\
        c = { package = \"d\", version = \"1\" }\ncopal-dom.workspace = true\n[features]\nf = [\"dep:a\"]\n\
        [target.'cfg(unix)'.dependencies]\ne = \"1\"\n[dev-dependencies]\ng = \"1\"\n[build-dependencies]\nh = \"1\"\n\
        [dependencies.i]\nversion = \"1\"\n[dependencies.j]\npackage = \"k\"\n[lib]\npath = \"p\"\n";
    let names: Vec<String> = dependencies(manifest).into_iter().collect();
    assert_eq!(names, ["a", "b", "d", "e", "g", "h", "i", "k"]);
}
