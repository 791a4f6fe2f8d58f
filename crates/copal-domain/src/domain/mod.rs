//! Domains: which attributes an object has, and how their values and labels are recognised (AMBER sections 4.1, 4.2).
//!
//! In: a pack: `domain.yaml` with its gazetteers, built in or in a folder. Out: [`Domain`], compiled; [`annotate`] puts
//! its attributes on a page's nodes. A pack is data, never code; names that are not defined are refused with a hint.

pub mod annotate;
pub mod check;
mod compose;
mod elements;
mod file;
mod label_places;
mod learned;

use crate::gazetteer::Gazetteer;
use copal_values::ValueType;
use copal_values::labels::bare;
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::path::Path;

/// Largest compiled size of one rule: rules come from users.
const RULE_BYTES: usize = 1 << 20;

/// What an attribute's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeType {
    /// One of the generic types.
    Generic(ValueType),
    /// A whole number.
    Integer,
    /// Words.
    Text,
    /// A place.
    Place,
    /// Latitude and longitude.
    Coordinates,
}

impl AttributeType {
    fn named(name: &str) -> Option<AttributeType> {
        Some(match name {
            "integer" => AttributeType::Integer,
            "text" => AttributeType::Text,
            "place" => AttributeType::Place,
            "coordinates" => AttributeType::Coordinates,
            _ => AttributeType::Generic(ValueType::ALL.into_iter().find(|kind| kind.name() == name)?),
        })
    }

    /// Its values may stand in addresses: places on maps, links, images.
    fn is_address(self) -> bool {
        matches!(
            self,
            AttributeType::Coordinates
                | AttributeType::Generic(ValueType::Link | ValueType::Image | ValueType::Url)
        )
    }

    /// A value of one cannot be one of the other. Words may be anything, and a number may count what it measures.
    fn excludes(self, other: AttributeType) -> bool {
        let general = |kind: AttributeType| match kind {
            AttributeType::Integer => Some(AttributeType::Generic(ValueType::Number)),
            AttributeType::Generic(kind) => kind.general().map(AttributeType::Generic),
            _ => None,
        };
        // a postcode says a place
        let place = |kind| matches!(kind, AttributeType::Place | AttributeType::Generic(ValueType::Postcode));
        let related = (place(self) && place(other))
            || self == other
            || general(self) == Some(other)
            || general(other) == Some(self);
        !related && self != AttributeType::Text && other != AttributeType::Text
    }

    /// The name in domain files and outputs.
    pub fn name(self) -> &'static str {
        match self {
            AttributeType::Generic(kind) => kind.name(),
            AttributeType::Integer => "integer",
            AttributeType::Text => "text",
            AttributeType::Place => "place",
            AttributeType::Coordinates => "coordinates",
        }
    }
}

/// One attribute of a domain.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: AttributeType,
    /// Words that name it on pages.
    pub labels: Vec<String>,
    /// Least and largest numeric value.
    pub range: Option<(f64, f64)>,
    /// Its values are the crossed-out ones: an old price.
    pub old: bool,
    /// It is shown on an object's own page only, not in lists.
    pub detail: bool,
    /// Attributes its values are made of.
    pub parts: Vec<usize>,
    /// Most terms of its lists begin with a capital: they are names.
    pub names: bool,
    /// It has rules or terms of its own; else every value of its generic type is one of its.
    particular: bool,
}

impl Attribute {
    /// Its values are found in texts: by rules, terms or a recogniser. Others are found by their looks.
    pub fn is_recognised(&self) -> bool {
        let generic = matches!(self.kind, AttributeType::Generic(kind) if !matches!(kind, ValueType::Image | ValueType::Link));
        self.particular || generic
    }
}

/// A compiled domain.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Domain {
    /// Its name.
    pub name: String,
    /// What its records are.
    pub object: String,
    /// The mandatory, easily recognised attribute.
    pub pivot: usize,
    /// All attributes.
    pub attributes: Vec<Attribute>,
    /// Those that tell this domain from others.
    pub characteristic: Vec<usize>,
    /// Those every object has.
    pub mandatory: Vec<usize>,
    /// Those that appear only together.
    pub together: Vec<Vec<usize>>,
    /// Those that the headline of an object's own page says.
    pub headline: Vec<usize>,
    /// Titles of lists that are not the page's own.
    pub secondary_titles: Vec<String>,
    /// Form options that mean everything.
    pub wildcards: Vec<String>,
    /// Terms of attributes.
    instances: Gazetteer,
    /// Labels of attributes.
    labels: Gazetteer,
    /// Rules for texts.
    rules: Rules,
    /// Rules for addresses: of places on maps, links and images.
    address_rules: Rules,
}

/// Rules of attributes, and sets that say which of them a text matches. Rules with letters beyond ASCII have a set of
/// their own: one such rule makes a set slow on texts beyond ASCII.
#[derive(Debug, Clone, Default)]
struct Rules {
    groups: [(RegexSet, Vec<(usize, Regex)>); 2],
}

impl Rules {
    fn new(list: Vec<(usize, Regex)>) -> Result<Rules, String> {
        let (letters, plain): (Vec<_>, Vec<_>) =
            list.into_iter().partition(|(_, regex)| has_letters(regex.as_str()));
        let group = |list: Vec<(usize, Regex)>| {
            let mut set = RegexSetBuilder::new(list.iter().map(|(_, regex)| regex.as_str()));
            // a cache that is too small is thrown away again and again
            let set = set.case_insensitive(true).size_limit(64 * RULE_BYTES).dfa_size_limit(32 << 20).build();
            set.map(|set| (set, list)).map_err(|error| format!("rules: {error}"))
        };
        Ok(Rules { groups: [group(plain)?, group(letters)?] })
    }

    /// The rules that match somewhere in a text.
    fn matching<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a (usize, Regex)> + 'a {
        self.groups.iter().flat_map(move |(set, list)| set.matches(text).into_iter().map(move |i| &list[i]))
    }
}

/// Letters beyond ASCII.
fn has_letters(rule: &str) -> bool {
    rule.chars().any(|c| !c.is_ascii() && c.is_alphabetic())
}

/// Why a pack cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DomainError {
    /// No built-in pack of that name.
    #[error("no domain {name:?}: expected one of {known}, or the path of a domain.yaml")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is wrong.
    #[error("{path}: {message}")]
    Wrong {
        /// Which file.
        path: String,
        /// What is wrong, and what was expected.
        message: String,
    },
}

impl Domain {
    /// Names of the built-in packs.
    pub fn built_in() -> Vec<&'static str> {
        copal_domains::names()
    }

    /// The text of a built-in pack's file.
    pub fn built_in_file(pack: &str, file: &str) -> Option<&'static str> {
        copal_domains::file(pack, file)
    }

    /// A list of a pack: of its own folder, or `shared/…`.
    fn built_in_list(pack: &str, file: &str) -> Result<String, String> {
        let text = match file.strip_prefix("shared/") {
            Some(shared) => copal_domains::file(copal_domains::SHARED_FOLDER, shared),
            None => copal_domains::file(pack, file),
        };
        text.map(str::to_owned).ok_or("is not in the pack".to_owned())
    }

    /// A built-in pack by name, or a pack by the path of its `domain.yaml` or folder.
    pub fn load(name: &str) -> Result<Domain, DomainError> {
        if let Some(text) = Self::built_in_file(name, "domain.yaml") {
            return Self::compile(text, &|file| Self::built_in_list(name, file))
                .map_err(|message| DomainError::Wrong { path: name.to_owned(), message });
        }
        let path = Path::new(name);
        if !path.exists() {
            return Err(DomainError::Unknown { name: name.to_owned(), known: Self::built_in().join(", ") });
        }
        let path = if path.is_dir() { path.join("domain.yaml") } else { path.to_owned() };
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|source| DomainError::Unreadable { path: shown.clone(), source })?;
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        let read = |file: &str| {
            // a gazetteer is a shared one or a file beside the domain's, nothing else
            if let Some(shared) = file.strip_prefix("shared/").filter(|name| !name.contains(['/', '\\'])) {
                return Self::built_in_list(copal_domains::SHARED_FOLDER, shared).map_err(|_| {
                    format!("is not one of the shared lists ({})", Self::shared_lists().join(", "))
                });
            }
            if Path::new(file).components().count() != 1 || file.starts_with('.') {
                return Err("is not a plain file name".to_owned());
            }
            std::fs::read_to_string(folder.join(file)).map_err(|error| error.to_string())
        };
        Self::compile(&text, &read).map_err(|message| DomainError::Wrong { path: shown, message })
    }

    /// The strings a pack is tried with: its `tests.yaml`.
    pub fn tests(name: &str) -> Result<String, DomainError> {
        if let Some(text) = Self::built_in_file(name, "tests.yaml") {
            return Ok(text.to_owned());
        }
        let path = Path::new(name);
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
        let path = folder.join("tests.yaml");
        std::fs::read_to_string(&path)
            .map_err(|source| DomainError::Unreadable { path: path.display().to_string(), source })
    }

    /// The attributes that a text names as a label, all of it: "Date posted:".
    pub fn labelled(&self, text: &str) -> &[u16] {
        self.labels.get(bare(text))
    }

    /// Names of the lists any pack may use.
    pub fn shared_lists() -> Vec<String> {
        copal_domains::shared_gazetteers()
    }

    fn compile(text: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<Domain, String> {
        let file = file::parse(text)?;
        let names: Vec<&String> = file.attributes.keys().collect();
        let find = |name: &String, key: &str| {
            names.iter().position(|known| *known == name).ok_or_else(|| unknown_attribute(name, key, &names))
        };
        let all = |list: &[String], key: &str| {
            list.iter().map(|name| find(name, key)).collect::<Result<Vec<_>, _>>()
        };
        let (mut instances, mut labels) = (Gazetteer::default(), Gazetteer::default());
        let (mut rules, mut address_rules, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (name, entry)) in file.attributes.iter().enumerate() {
            let kind = AttributeType::named(&entry.kind).ok_or_else(|| {
                let kinds: Vec<&str> = ValueType::ALL.iter().map(|kind| kind.name()).collect();
                format!(
                    "attributes.{name}.type: no type {:?}: expected integer, text, place, coordinates, {}",
                    entry.kind,
                    kinds.join(", ")
                )
            })?;
            for rule in &entry.rules {
                let rule = file.expand(rule).map_err(|why| format!("attributes.{name}.rules: {why}"))?;
                let regex = RegexBuilder::new(&with_ascii_boundaries(&rule))
                    .case_insensitive(true)
                    .size_limit(RULE_BYTES)
                    .build();
                let regex = regex.map_err(|error| format!("attributes.{name}.rules: {error}"))?;
                if kind.is_address() {
                    address_rules.push((i, regex.clone()));
                }
                rules.push((i, regex));
            }
            let (mut terms_read, mut capitals) = (0, 0);
            for gazetteer in &entry.gazetteers {
                let terms = read(gazetteer)
                    .map_err(|why| format!("attributes.{name}.gazetteers: {gazetteer} {why}"))?;
                terms_read += terms.lines().count();
                capitals += terms.lines().filter(|line| line.starts_with(char::is_uppercase)).count();
                instances.add_lines(&terms, i as u16);
            }
            for label in &entry.labels {
                labels.add(label, i as u16);
            }
            attributes.push(Attribute {
                name: name.clone(),
                kind,
                labels: entry.labels.clone(),
                range: entry.range,
                old: entry.old,
                detail: entry.detail,
                parts: all(&entry.parts, "parts")?,
                names: 5 * capitals >= 4 * terms_read && terms_read > 0,
                particular: !entry.any && (!entry.rules.is_empty() || !entry.gazetteers.is_empty()),
            });
        }
        Ok(Domain {
            pivot: find(&file.pivot, "pivot")?,
            characteristic: all(&file.characteristic, "characteristic")?,
            mandatory: all(&file.mandatory, "mandatory")?,
            together: file.together.iter().map(|group| all(group, "together")).collect::<Result<_, _>>()?,
            name: file.domain,
            object: file.object,
            attributes,
            headline: if file.headline.is_empty() {
                ["title", "name"]
                    .iter()
                    .filter_map(|name| names.iter().position(|known| *known == name))
                    .collect()
            } else {
                all(&file.headline, "headline")?
            },
            secondary_titles: file.secondary_titles.iter().map(|title| title.to_lowercase()).collect(),
            wildcards: file.wildcards,
            instances,
            labels,
            rules: Rules::new(rules)?,
            address_rules: Rules::new(address_rules)?,
        })
    }

    /// The index of an attribute.
    pub fn attribute(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|attribute| attribute.name == name)
    }

    /// Terms in all gazetteers.
    pub fn terms(&self) -> usize {
        self.instances.len()
    }
}

/// `\b` between ASCII words in rules that have no letters beyond ASCII: the automaton for Unicode's gives up on texts with a
/// `£` or an `é` in them, and what comes then is many times slower.
fn with_ascii_boundaries(rule: &str) -> String {
    if has_letters(rule) {
        return rule.to_owned();
    }
    let mut out = String::with_capacity(rule.len() + 16);
    let mut chars = rule.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push_str("(?-u:\\b)"),
            Some(escaped) => out.extend(['\\', escaped]),
            None => out.push('\\'),
        }
    }
    out
}

/// The message for a name that is not an attribute, with the nearest one.
fn unknown_attribute(name: &str, key: &str, known: &[&String]) -> String {
    let near = known.iter().min_by_key(|other| differing(name, other));
    let hint = near.map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
    format!("{key}: no attribute {name:?}{hint}: expected one of those under attributes")
}

/// Letters that are not shared, for hints.
fn differing(a: &str, b: &str) -> usize {
    let missing = |a: &str, b: &str| a.chars().filter(|c| !b.contains(*c)).count();
    missing(a, b) + missing(b, a) + a.len().abs_diff(b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(yaml: &str) -> Result<Domain, String> {
        Domain::compile(yaml, &|file| {
            if file == "terms.txt" { Ok("red\nblue".into()) } else { Err("is not there".into()) }
        })
    }

    #[test]
    fn boundaries_are_ascii_in_rules_of_ascii_letters() {
        assert_eq!(with_ascii_boundaries(r"\bbed\b \\b"), r"(?-u:\b)bed(?-u:\b) \\b");
        assert_eq!(with_ascii_boundaries(r"\bétage\b"), r"\bétage\b");
    }

    #[test]
    fn a_small_domain_compiles() {
        let domain = compiled("domain: x\nobject: thing\npivot: price\nattributes:\n  price: {type: money}\n  colour: {type: text, gazetteers: [terms.txt]}\n").unwrap();
        assert_eq!((domain.attributes.len(), domain.terms()), (2, 2));
        assert_eq!(domain.attributes[domain.pivot].name, "price");
    }

    #[test]
    fn wrong_files_are_refused_with_a_hint() {
        let head = "domain: x\nobject: thing\npivot: price\nattributes:\n  price: {type: money}\n";
        for (more, want) in [
            ("mandatory: [prise]\n", "did you mean \"price\"?"),
            ("characteristics: [price]\n", "characteristics"),
            ("  size: {type: integr}\n", "attributes.size.type: no type \"integr\""),
            ("  size: {type: text, rules: ['(']}\n", "attributes.size.rules"),
            ("  size: {type: text, gazetteers: [no.txt]}\n", "no.txt is not there"),
            ("  size: {typ: text}\n", "typ"),
        ] {
            let error = compiled(&format!("{head}{more}")).unwrap_err();
            assert!(error.contains(want), "{error}");
        }
        let error = compiled(&format!("{head}characteristics: [price]\n")).unwrap_err();
        assert!(error.contains('6'), "the line is named: {error}");
    }

    #[test]
    fn built_in_packs_compile_and_unknown_names_list_them() {
        for name in Domain::built_in() {
            Domain::load(name).unwrap();
        }
        let error = Domain::load("boats").unwrap_err().to_string();
        assert!(error.contains("used-cars"), "{error}");
    }
}
