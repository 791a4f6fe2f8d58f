//! Words of other languages: files that add labels, terms and rules to the attributes of a domain.
//!
//! In: the files that a domain file names under `words`. Out: the domain file with their words added. A domain
//! in one language stays readable this way, and who adds a language writes one file. O(words).

use super::domain_file::{DomainFile, ReadGazetteer, check_size, syntax_problem};
use crate::error::DomainFileProblem;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The keys of a file of words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordFile {
    /// The language as a code (`de`), for readers.
    #[serde(rename = "language")]
    _language: String,
    #[serde(default)]
    attributes: BTreeMap<String, WordEntry>,
    #[serde(default)]
    secondary_titles: Vec<String>,
    #[serde(default)]
    wildcards: Vec<String>,
    #[serde(default)]
    site: SiteWords,
}

/// The words of an attribute.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordEntry {
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    terms: Vec<String>,
    #[serde(default)]
    rules: Vec<String>,
}

/// Words of links.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SiteWords {
    #[serde(default)]
    follow: Vec<String>,
    #[serde(default)]
    avoid: Vec<String>,
}

/// Adds the words of all files that the domain file names.
pub(super) fn add_words(file: &mut DomainFile, read: ReadGazetteer<'_>) -> Result<(), DomainFileProblem> {
    for name in file.words.clone() {
        let about = |problem| DomainFileProblem::Words { file: name.clone(), problem: Box::new(problem) };
        let text =
            read(&name).map_err(|problem| DomainFileProblem::WordFile { file: name.clone(), problem })?;
        add_file(file, &text).map_err(about)?;
    }
    Ok(())
}

fn add_file(file: &mut DomainFile, text: &str) -> Result<(), DomainFileProblem> {
    check_size(text)?;
    let words: WordFile = serde_saphyr::from_str(text).map_err(|error| syntax_problem(&error))?;
    for (name, entry) in words.attributes {
        let Some(attribute) = file.attributes.get_mut(&name) else {
            return Err(DomainFileProblem::UnknownAttribute {
                key: "attributes",
                nearest: file.nearest_attribute(&name),
                name,
            });
        };
        attribute.labels.extend(entry.labels);
        attribute.terms.extend(entry.terms);
        attribute.rules.extend(entry.rules);
    }
    file.secondary_titles.extend(words.secondary_titles);
    file.wildcards.extend(words.wildcards);
    file.site.follow.extend(words.site.follow);
    file.site.avoid.extend(words.site.avoid);
    Ok(())
}
