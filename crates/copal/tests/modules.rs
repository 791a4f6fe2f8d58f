//! The modules of every crate form an acyclic graph: no stage looks back at one that is built on it.
//!
//! In every folder, the modules (each with everything below it) may only use each other in one direction.
//! This test is the first to notice a file that was split although its parts need each other. It reads
//! sources in a deliberately simple way: it looks at paths that start with `crate::` or `super::`, outside
//! comments and tests.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Folders with Rust sources of our own.
const SOURCES: &[&str] = &["crates", "apps", "research"];

/// A module as the names of its path: `["lists", "rank"]`.
type ModulePath = Vec<String>;

#[test]
fn modules_depend_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut faults = Vec::new();
    for parent in SOURCES {
        for entry in fs::read_dir(root.join(parent)).unwrap().map(Result::unwrap) {
            let source = entry.path().join("src");
            if source.is_dir() {
                let crate_name = entry.file_name().to_string_lossy().into_owned();
                faults.extend(cycles_of(&source).into_iter().map(|cycle| format!("{crate_name}: {cycle}")));
            }
        }
    }
    assert!(faults.is_empty(), "modules that use each other:\n{}", faults.join("\n"));
}

#[test]
fn paths_of_imports_are_read() {
    let modules = BTreeSet::from([module("a"), module("a::b"), module("a::c"), module("d")]);
    let uses = |from: &str, text: &str| -> Vec<String> {
        used_modules(&module(from), text, &modules).into_iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(uses("d", "use crate::a::{b::X, c};"), ["a::b", "a::c"]);
    assert_eq!(uses("a::b", "use super::c::X; fn f() { super::super::d::g() }"), ["a::c", "d"]);
    assert_eq!(uses("d", "// use crate::a;\n/// [`crate::a::b`]\nfn f() {}"), Vec::<String>::new());
    assert_eq!(uses("a", "fn f() {}\n#[cfg(test)]\nmod tests { use crate::d; }"), Vec::<String>::new());
}

fn module(name: &str) -> ModulePath {
    name.split("::").map(str::to_owned).collect()
}

/// The cycles of a crate, one line each.
fn cycles_of(source: &Path) -> Vec<String> {
    let mut files: BTreeMap<ModulePath, String> = BTreeMap::new();
    collect(source, &mut Vec::new(), &mut files);
    let modules: BTreeSet<ModulePath> = files.keys().cloned().collect();
    // for every folder: which of its modules uses which
    let mut graphs: BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (from, text) in &files {
        for to in used_modules(from, text, &modules) {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(user), Some(used)) = (from.get(common), to.get(common)) {
                let graph = graphs.entry(from[..common].to_vec()).or_default();
                graph.entry(user.clone()).or_default().insert(used.clone());
            }
        }
    }
    let mut cycles = Vec::new();
    for (folder, graph) in graphs {
        let in_cycle: Vec<&String> = graph.keys().filter(|name| reaches(&graph, name, name)).collect();
        if !in_cycle.is_empty() {
            let names: Vec<&str> = in_cycle.into_iter().map(String::as_str).collect();
            cycles.push(format!("{}::{{{}}}", folder.join("::"), names.join(", ")));
        }
    }
    cycles
}

fn reaches(graph: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(name) = open.pop() {
        for next in graph.get(name).into_iter().flatten() {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

fn collect(folder: &Path, path: &mut ModulePath, files: &mut BTreeMap<ModulePath, String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            path.push(name);
            collect(&entry.path(), path, files);
            path.pop();
        } else if let Some(name) = name.strip_suffix(".rs") {
            let own = match name {
                "lib" | "main" | "mod" => path.clone(),
                "tests" => continue,
                other => [path.as_slice(), &[other.to_owned()]].concat(),
            };
            files.insert(own, fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// The modules that a file's paths lead to.
fn used_modules(from: &ModulePath, text: &str, modules: &BTreeSet<ModulePath>) -> BTreeSet<ModulePath> {
    let code: String = text
        .split("#[cfg(test)]\nmod ")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut used = BTreeSet::new();
    for (start, word) in [("crate::", 0), ("super::", 1)].into_iter().flat_map(|(word, up)| {
        code.match_indices(word).map(move |(at, _)| (at + word.len(), up)).collect::<Vec<_>>()
    }) {
        let before = code[..start - 7].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
            continue;
        }
        let mut base: ModulePath =
            if word == 0 { Vec::new() } else { from[..from.len().saturating_sub(1)].to_vec() };
        let mut rest = &code[start..];
        while let Some(after) = rest.strip_prefix("super::") {
            base.pop();
            rest = after;
        }
        for path in expand(rest) {
            let mut full = base.clone();
            full.extend(path);
            while !full.is_empty() && !modules.contains(&full) {
                full.pop();
            }
            if !full.is_empty() && full != *from {
                used.insert(full);
            }
        }
    }
    used
}

/// The paths of `a::{b::X, c}`: `a::b::X` and `a::c`.
fn expand(text: &str) -> Vec<ModulePath> {
    let mut paths = Vec::new();
    let mut stack: Vec<ModulePath> = vec![Vec::new()];
    let mut current: ModulePath = Vec::new();
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            ':' if chars.peek() == Some(&':') => {
                chars.next();
                current.push(std::mem::take(&mut word));
            }
            '{' if word.is_empty() && !current.is_empty() || stack.len() > 1 && c == '{' => {
                stack.push(current.clone());
            }
            ',' | '}' if stack.len() > 1 => {
                if !word.is_empty() {
                    current.push(std::mem::take(&mut word));
                    paths.push(current.clone());
                }
                if c == '}' {
                    stack.pop();
                    if stack.len() == 1 {
                        return paths;
                    }
                }
                current = stack.last().cloned().unwrap_or_default();
            }
            c if stack.len() > 1 && (c.is_whitespace() || c == '*') => {
                if word == "as" {
                    word.clear();
                }
            }
            _ => break,
        }
    }
    if !word.is_empty() {
        current.push(word);
    }
    paths.push(current);
    paths
}
