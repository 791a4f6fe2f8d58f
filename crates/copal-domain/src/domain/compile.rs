//! Compiles a domain file.
//!
//! In: the text of `domain.yaml` and a function that reads gazetteers. Out: [`Domain`], or what is wrong in
//! the file, with a hint. O(terms) and the cost of compiling the rules.

use super::attribute::{AttributeType, DomainAttribute};
use super::built_in_tables::{BuiltInDomain, BuiltInNeeds};
use super::domain_file::{self, DomainFile, ReadGazetteer, ThresholdsEntry};
use super::model::{Domain, DomainThresholds};
use super::rules::{DomainRule, RuleSet};
use super::word_files::add_words;
use crate::error::DomainFileProblem;
use crate::gazetteer::Gazetteer;
use copal_values::ValueType;

/// Longest name of an annotator.
const MAX_ANNOTATOR_NAME_BYTES: usize = 40;

/// What is collected from the attributes of a file.
#[derive(Default)]
struct Recognisers {
    instances: Gazetteer,
    labels: Gazetteer,
    rules: Vec<DomainRule>,
    url_rules: Vec<DomainRule>,
    /// What the build script knows about the rules of a built-in domain, in the same order.
    known_needs: BuiltInNeeds,
}

/// Compiles the text of a domain file of a user, whose rules may be invalid. Checking them costs more than all
/// the rest, and the tests check those of built-in domains.
pub(super) fn compile_checked(
    text: &str,
    read_gazetteer: ReadGazetteer<'_>,
) -> Result<Domain, DomainFileProblem> {
    let domain = compile(text, read_gazetteer)?;
    domain.rules.check(|attribute| domain.attributes[attribute].name.clone())?;
    Ok(domain)
}

/// Compiles a built-in domain, from what the build script made of its files.
pub(super) fn compile_built_in(
    domain: &BuiltInDomain,
    read_gazetteer: ReadGazetteer<'_>,
) -> Result<Domain, DomainFileProblem> {
    let file = serde_json::from_str(domain.file)
        .map_err(|error| DomainFileProblem::Syntax { message: error.to_string() })?;
    compile_file(file, read_gazetteer, domain.needs)
}

/// Compiles the text of a domain file. Its rules are compiled when a text needs them.
fn compile(text: &str, read_gazetteer: ReadGazetteer<'_>) -> Result<Domain, DomainFileProblem> {
    let mut file = domain_file::parse(text)?;
    add_words(&mut file, read_gazetteer)?;
    compile_file(file, read_gazetteer, BuiltInNeeds::default())
}

fn compile_file(
    file: DomainFile,
    read_gazetteer: ReadGazetteer<'_>,
    known_needs: BuiltInNeeds,
) -> Result<Domain, DomainFileProblem> {
    let mut recognisers = Recognisers { known_needs, ..Recognisers::default() };
    let mut attributes = Vec::new();
    for (i, name) in file.attributes.keys().enumerate() {
        attributes.push(recognisers.add_attribute(&file, i, name, read_gazetteer)?);
    }
    let names = |list: &[String], key| indices(&file, list, key);
    let headline = if file.headline.is_empty() {
        let defaults = ["title", "name"];
        defaults.iter().filter_map(|name| file.attributes.keys().position(|known| known == name)).collect()
    } else {
        names(&file.headline, "headline")?
    };
    Ok(Domain {
        pivot: index(&file, &file.pivot, "pivot")?,
        characteristic: names(&file.characteristic, "characteristic")?,
        mandatory: names(&file.mandatory, "mandatory")?,
        together: file.together.iter().map(|group| names(group, "together")).collect::<Result<_, _>>()?,
        headline,
        attributes,
        name: file.domain.clone(),
        object: file.object.clone(),
        secondary_titles: file.secondary_titles.iter().map(|title| title.to_lowercase()).collect(),
        thresholds: thresholds(&file.thresholds)?,
        wildcards: file.wildcards,
        links_to_follow: file.site.follow,
        links_to_avoid: file.site.avoid,
        form_examples: file.site.fields.into_iter().map(|(name, field)| (name, field.examples)).collect(),
        annotators: Vec::new(),
        instances: recognisers.instances,
        labels: recognisers.labels,
        rules: RuleSet::of_built_in(recognisers.rules, known_needs.clauses),
        url_rules: RuleSet::of_built_in(recognisers.url_rules, known_needs.clauses),
    })
}

fn thresholds(entry: &ThresholdsEntry) -> Result<DomainThresholds, DomainFileProblem> {
    let &ThresholdsEntry { types, fewest, fraction, keep, infer } = entry;
    for (key, share) in [("fraction", fraction), ("keep", keep), ("infer", infer)] {
        if let Some(found) = share.filter(|share| !(0.0..=1.0).contains(share)) {
            return Err(DomainFileProblem::InvalidShare { key, found });
        }
    }
    Ok(DomainThresholds { types, fewest, fraction, keep, infer })
}

impl Recognisers {
    /// Adds the rules, terms and labels of an attribute, and returns the attribute.
    fn add_attribute(
        &mut self,
        file: &DomainFile,
        i: usize,
        name: &str,
        read_gazetteer: ReadGazetteer<'_>,
    ) -> Result<DomainAttribute, DomainFileProblem> {
        let entry = &file.attributes[name];
        let attribute_type = AttributeType::named(&entry.type_name).ok_or_else(|| {
            let value_types: Vec<&str> = ValueType::ALL.iter().map(|known| known.name()).collect();
            DomainFileProblem::UnknownType {
                attribute: name.to_owned(),
                found: entry.type_name.clone(),
                value_types: value_types.join(", "),
            }
        })?;
        for rule in &entry.rules {
            let rule = file.expand_definitions(rule, name)?;
            let known = self.known_needs.rules.get(self.rules.len()).copied().unwrap_or_default();
            let rule = DomainRule::new(i, &rule).with_clauses(known);
            if attribute_type.is_in_urls() {
                self.url_rules.push(rule.clone());
            }
            self.rules.push(rule);
        }
        let (mut term_count, mut capitalised_count) = (0, 0);
        for gazetteer in &entry.gazetteers {
            let terms = read_gazetteer(gazetteer).map_err(|problem| DomainFileProblem::Gazetteer {
                attribute: name.to_owned(),
                gazetteer: gazetteer.clone(),
                problem,
            })?;
            term_count += terms.lines().count();
            capitalised_count += terms.lines().filter(|line| line.starts_with(char::is_uppercase)).count();
            self.instances.add_lines(&terms, i as u16);
        }
        term_count += entry.terms.len();
        capitalised_count += entry.terms.iter().filter(|term| term.starts_with(char::is_uppercase)).count();
        for term in &entry.terms {
            self.instances.add(term, i as u16);
        }
        for label in &entry.labels {
            self.labels.add(label, i as u16);
        }
        Ok(DomainAttribute {
            name: name.to_owned(),
            attribute_type,
            labels: entry.labels.clone(),
            range: entry.range,
            crossed_out: entry.old,
            detail_only: entry.detail,
            parts: indices(file, &entry.parts, "parts")?,
            annotators: annotator_names(name, &entry.annotators)?,
            has_annotator: false,
            proper_names: 5 * capitalised_count >= 4 * term_count && term_count > 0,
            has_own_recognisers: !entry.any && entry.has_recognisers(),
        })
    }
}

/// The annotators of an attribute. They are names and nothing else: a file cannot say what is run.
fn annotator_names(attribute: &str, names: &[String]) -> Result<Vec<String>, DomainFileProblem> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.len() <= MAX_ANNOTATOR_NAME_BYTES
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
    };
    match names.iter().find(|name| !is_name(name)) {
        Some(found) => Err(DomainFileProblem::InvalidAnnotator {
            attribute: attribute.to_owned(),
            found: found.chars().take(MAX_ANNOTATOR_NAME_BYTES).collect(),
        }),
        None => Ok(names.to_vec()),
    }
}

fn indices(file: &DomainFile, names: &[String], key: &'static str) -> Result<Vec<usize>, DomainFileProblem> {
    names.iter().map(|name| index(file, name, key)).collect()
}

/// The index of an attribute that `key` names, or an error with the most similar name.
fn index(file: &DomainFile, name: &str, key: &'static str) -> Result<usize, DomainFileProblem> {
    file.attributes.keys().position(|known| known == name).ok_or_else(|| {
        DomainFileProblem::UnknownAttribute {
            key,
            name: name.to_owned(),
            nearest: file.nearest_attribute(name),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::GazetteerProblem;

    fn compiled(yaml: &str) -> Result<Domain, DomainFileProblem> {
        compile_checked(yaml, &|file| match file {
            "terms.txt" => Ok("red\nblue".into()),
            "words-de.yaml" => {
                Ok("language: de\nattributes:\n  colour: {labels: [farbe], terms: [rot, blau]}\n\
                                   wildcards: [alle]\n"
                    .into())
            }
            "words-fr.yaml" => Ok("language: fr\nattributes: {couleur: {labels: [couleur]}}".into()),
            "words-es.yaml" => Ok("idioma: es".into()),
            _ => Err(GazetteerProblem::Missing),
        })
    }

    const HEAD: &str = "domain: x\nobject: thing\npivot: price\nattributes:\n  price: {type: money}\n";

    #[test]
    fn a_small_domain_compiles() {
        let domain = compiled(&format!("{HEAD}  colour: {{type: text, gazetteers: [terms.txt]}}\n")).unwrap();
        assert_eq!((domain.attributes.len(), domain.terms()), (2, 2));
        assert_eq!(domain.attributes[domain.pivot].name, "price");
    }

    #[test]
    fn files_with_words_of_a_language_add_to_the_attributes() {
        let colour = "  colour: {type: text, labels: [colour], gazetteers: [terms.txt]}\n";
        let domain = compiled(&format!("{HEAD}{colour}words: [words-de.yaml]\n")).unwrap();
        let attribute = domain.attributes.iter().find(|attribute| attribute.name == "colour").unwrap();
        assert_eq!((attribute.labels.join(" "), domain.terms()), ("colour farbe".to_owned(), 4));
        assert_eq!(domain.wildcards, ["alle"]);
        for (file, want) in [
            (
                "words-fr.yaml",
                "words-fr.yaml: attributes: no attribute \"couleur\" (did you mean \"colour\"?)",
            ),
            ("words-es.yaml", "words-es.yaml: "),
            ("words-it.yaml", "words: words-it.yaml is not a file of the domain"),
        ] {
            let error = compiled(&format!("{HEAD}{colour}words: [{file}]\n")).unwrap_err().to_string();
            assert!(error.starts_with(want), "{error}");
        }
    }

    #[test]
    fn invalid_files_are_refused_with_a_hint() {
        for (more, want) in [
            ("mandatory: [prise]\n", "did you mean \"price\"?"),
            ("characteristics: [price]\n", "characteristics"),
            ("  size: {type: integr}\n", "attributes.size.type: no type \"integr\""),
            ("  size: {type: text, rules: ['(']}\n", "attributes.size.rules"),
            (
                "  size: {type: text, rules: ['\\d*']}\n",
                "attributes.size.rules: \"\\\\d*\" matches an empty text",
            ),
            ("  size: {type: text, rules: ['{unit}']}\n", "{unit} is not defined"),
            ("  size: {type: text, gazetteers: [no.txt]}\n", "no.txt is not a file of the domain"),
            ("  size: {typ: text}\n", "typ"),
            ("  size: {type: text, annotators: ['rm -rf /']}\n", "annotators: \"rm -rf /\" is not a name"),
            ("  size: {type: text, annotators: [{run: ls}]}\n", "line"),
            ("thresholds: {keep: 3}\n", "thresholds.keep: found 3: expected a share from 0 to 1"),
            ("thresholds: {kep: 0.3}\n", "kep"),
        ] {
            let error = compiled(&format!("{HEAD}{more}")).unwrap_err().to_string();
            assert!(error.contains(want), "{error}");
        }
        let error = compiled(&format!("{HEAD}characteristics: [price]\n")).unwrap_err().to_string();
        assert!(error.contains('6'), "the line is named: {error}");
    }

    #[test]
    fn keys_for_exploration_and_thresholds_are_read() {
        let plain = compiled(HEAD).unwrap();
        assert_eq!((plain.wildcards.len(), plain.thresholds), (0, DomainThresholds::default()));
        let full =
            "wildcards: [any]\nsite: {follow: [next]}\nthresholds: {types: 2, keep: 0.2, infer: 0.6}\n";
        let domain = compiled(&format!("{HEAD}{full}")).unwrap();
        assert_eq!(
            (domain.wildcards, domain.links_to_follow),
            (vec!["any".to_owned()], vec!["next".to_owned()])
        );
        assert_eq!((domain.thresholds.types, domain.thresholds.infer), (Some(2), Some(0.6)));
    }

    #[test]
    fn newer_versions_are_refused_even_if_they_have_unknown_keys() {
        assert!(compiled(&format!("version: 1\n{HEAD}")).is_ok());
        for file in [format!("version: 2\n{HEAD}"), format!("version: 2\nnovelty: yes\n{HEAD}")] {
            let error = compiled(&file).unwrap_err();
            assert!(matches!(error, DomainFileProblem::NewerVersion { found: 2, supported: 1 }), "{error}");
        }
    }
}
