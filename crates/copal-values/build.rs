//! Sorts the labels of `src/label_names.txt`, so that a run searches them without building a map.
//!
//! In: entries `name = label, label*`. Out: `sorted_labels.txt` in the output folder, with lines
//! `label<tab>name`. A label that occurs twice keeps its last name, as in a map.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};

#[path = "src/plain_letters.rs"]
#[allow(dead_code, reason = "the library uses the other functions")]
mod plain_letters;

const LABEL_NAMES: &str = "src/label_names.txt";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={LABEL_NAMES}");
    println!("cargo::rerun-if-changed=src/plain_letters.rs");
    let listed = fs::read_to_string(LABEL_NAMES)?;
    let mut names = BTreeMap::new();
    let mut name = "";
    for line in listed.lines().filter(|line| !line.starts_with('#')) {
        let labels = match line.split_once(" = ") {
            Some((own, labels)) => {
                name = own.trim();
                labels
            }
            None => line,
        };
        for label in labels.split(',').map(str::trim).filter(|label| !label.is_empty()) {
            let (label, mark) = label.strip_suffix('*').map_or((label, ""), |label| (label, "*"));
            names.insert(plain_letters::lookup_key(label), format!("{name}{mark}"));
        }
    }
    let sorted: Vec<String> = names.iter().map(|(label, name)| format!("{label}\t{name}")).collect();
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("sorted_labels.txt"), sorted.join("\n"))
}
