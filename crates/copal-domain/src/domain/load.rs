//! Loads domains: built in, or from a folder.
//!
//! In: the name of a built-in domain, or the path of a `domain.yaml` or of its folder. Out: [`Domain`]. A
//! domain is data, never code, and may only read gazetteers in its own folder and the shared ones.

use super::built_in_tables;
use super::compile::{compile_built_in, compile_checked};
use super::domain_file;
use super::model::Domain;
use crate::error::{DomainError, DomainFileProblem, GazetteerProblem};
use std::path::Path;

/// What a built-in domain knows about an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttributeTerms {
    /// Labels that name it on pages.
    pub labels: Vec<String>,
    /// The terms of its gazetteers.
    pub terms: Vec<&'static str>,
}

/// What a list of domains shows of a built-in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DomainSummary {
    /// Its name.
    pub name: &'static str,
    /// What a record is called: "book".
    pub object: &'static str,
    /// Names and types of its attributes, by name.
    pub attributes: &'static [(&'static str, &'static str)],
    /// The number of terms in all gazetteers.
    pub terms: usize,
}

impl Domain {
    /// The built-in domains, by name, as a list shows them. Nothing is loaded.
    pub fn summaries() -> Vec<DomainSummary> {
        let summary = |domain: &built_in_tables::BuiltInDomain| DomainSummary {
            name: domain.name,
            object: domain.object,
            attributes: domain.attributes,
            terms: domain.term_count,
        };
        built_in_tables::all().iter().map(summary).collect()
    }

    /// The names of the built-in domains.
    pub fn built_in() -> Vec<&'static str> {
        copal_domains::names()
    }

    /// The text of a file of a built-in domain.
    pub fn built_in_file(domain: &str, file: &str) -> Option<&'static str> {
        copal_domains::file(domain, file)
    }

    /// The gazetteers that any domain may use: `shared/gb-towns.txt`.
    pub fn shared_lists() -> Vec<String> {
        copal_domains::shared_gazetteers()
    }

    /// The labels of an attribute of a built-in domain, and the terms in its gazetteers. `None` if there is no such
    /// attribute.
    pub fn built_in_terms(domain: &str, attribute: &str) -> Result<Option<AttributeTerms>, DomainError> {
        let Some(text) = Self::built_in_file(domain, "domain.yaml") else { return Ok(None) };
        let file = domain_file::parse(text)
            .map_err(|problem| DomainError::Invalid { path: domain.to_owned(), problem })?;
        let Some(entry) = file.attributes.get(attribute) else { return Ok(None) };
        let texts = entry.gazetteers.iter().filter_map(|file| built_in_text(domain, file));
        let terms = texts.flat_map(str::lines).map(str::trim);
        let terms = terms.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        Ok(Some(AttributeTerms { labels: entry.labels.clone(), terms }))
    }

    /// Loads a built-in domain by its name, or a domain by the path of its `domain.yaml` or of its folder.
    pub fn load(name: &str) -> Result<Domain, DomainError> {
        if let Some(domain) = built_in_tables::built_in(name) {
            return compile_built_in(domain, &|file| built_in_gazetteer(name, file))
                .map_err(|problem| DomainError::Invalid { path: name.to_owned(), problem });
        }
        let path = Path::new(name);
        if !path.exists() {
            return Err(DomainError::Unknown { name: name.to_owned(), known: Self::built_in().join(", ") });
        }
        let path = if path.is_dir() { path.join("domain.yaml") } else { path.to_owned() };
        let text = read_file(&path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        compile_checked(&text, &|file| gazetteer_in(folder, file))
            .map_err(|problem| DomainError::Invalid { path: path.display().to_string(), problem })
    }

    /// A domain from the text of a domain file, which may only use shared gazetteers.
    pub fn parse(text: &str) -> Result<Domain, DomainFileProblem> {
        compile_checked(text, &|file| match file.strip_prefix("shared/") {
            Some(_) => built_in_gazetteer(copal_domains::SHARED_FOLDER, file),
            None => Err(GazetteerProblem::Missing),
        })
    }

    /// The text of a domain's `tests.yaml`: strings in which attributes must and must not be found.
    pub fn tests(name: &str) -> Result<String, DomainError> {
        if let Some(text) = Self::built_in_file(name, "tests.yaml") {
            return Ok(text.to_owned());
        }
        let path = Path::new(name);
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
        read_file(&folder.join("tests.yaml"))
    }
}

fn read_file(path: &Path) -> Result<String, DomainError> {
    std::fs::read_to_string(path)
        .map_err(|source| DomainError::Unreadable { path: path.display().to_string(), source })
}

/// A gazetteer of a built-in domain: from its own folder, or `shared/…`.
fn built_in_gazetteer(domain: &str, file: &str) -> Result<String, GazetteerProblem> {
    built_in_text(domain, file).map(str::to_owned).ok_or(GazetteerProblem::Missing)
}

fn built_in_text(domain: &str, file: &str) -> Option<&'static str> {
    match file.strip_prefix("shared/") {
        Some(shared) => copal_domains::file(copal_domains::SHARED_FOLDER, shared),
        None => copal_domains::file(domain, file),
    }
}

/// A gazetteer of a domain in a folder: a shared one, or a file next to `domain.yaml`.
fn gazetteer_in(folder: &Path, file: &str) -> Result<String, GazetteerProblem> {
    if let Some(shared) = file.strip_prefix("shared/").filter(|name| !name.contains(['/', '\\'])) {
        return built_in_gazetteer(copal_domains::SHARED_FOLDER, shared)
            .map_err(|_| GazetteerProblem::UnknownShared { known: Domain::shared_lists().join(", ") });
    }
    if Path::new(file).components().count() != 1 || file.starts_with('.') {
        return Err(GazetteerProblem::NotAPlainName);
    }
    std::fs::read_to_string(folder.join(file)).map_err(GazetteerProblem::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_of_a_built_in_attribute_can_be_read() {
        let has_terms = |name: &str| {
            let domain = Domain::load(name).unwrap();
            domain.attributes.iter().any(|attribute| {
                let found = Domain::built_in_terms(name, &attribute.name).unwrap().unwrap();
                found.terms.iter().any(|term| !term.starts_with('#') && !term.is_empty())
            })
        };
        assert!(Domain::built_in().into_iter().any(has_terms));
        assert!(Domain::built_in_terms("boats", "name").unwrap().is_none());
        assert!(Domain::built_in_terms(Domain::built_in()[0], "no such attribute").unwrap().is_none());
    }

    #[test]
    fn summaries_say_what_the_loaded_domains_say() {
        let summaries = Domain::summaries();
        assert_eq!(summaries.iter().map(|summary| summary.name).collect::<Vec<_>>(), Domain::built_in());
        for summary in summaries {
            let domain = Domain::load(summary.name).unwrap();
            assert_eq!((summary.object, summary.terms), (domain.object.as_str(), domain.terms()));
            let attributes = domain.attributes.iter();
            let attributes: Vec<(&str, &str)> =
                attributes.map(|known| (known.name.as_str(), known.attribute_type.name())).collect();
            assert_eq!(summary.attributes, attributes);
        }
    }

    #[test]
    fn built_in_domains_compile_and_unknown_names_list_them() {
        for name in Domain::built_in() {
            let domain = Domain::load(name).unwrap();
            domain.rules.check(|attribute| domain.attributes[attribute].name.clone()).unwrap();
        }
        let error = Domain::load("boats").unwrap_err().to_string();
        assert!(error.contains("used-cars"), "{error}");
    }
}
