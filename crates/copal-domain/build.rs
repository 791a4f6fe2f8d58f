//! Reads the files of the built-in domains, so that a run does not have to.
//!
//! In: the files of the crate `copal-domains`. Out: `built_in_domains.rs` in the output folder with one
//! `BuiltInDomain` per domain (`src/domain/built_in_tables.rs`), and its file as JSON next to it. The same code
//! reads the domains of users.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses the other items of the files that are shared with it"
)]

use std::error::Error;

#[path = "src/error.rs"]
mod error;
#[path = "src/gazetteer.rs"]
mod gazetteer;

#[path = "src/domain"]
mod domain {
    pub(super) mod domain_file;
    pub(super) mod rule_needs;
    pub(super) mod rule_spelling;
    pub(super) mod word_files;

    use self::rule_needs::{NeedClause, RuleNeeds};
    use super::error::GazetteerProblem;
    use super::gazetteer::Gazetteer;
    use std::error::Error;
    use std::fmt::Write;
    use std::path::Path;
    use std::{env, fs};

    pub(super) fn write_tables() -> Result<(), Box<dyn Error>> {
        let folder = env::var_os("OUT_DIR").ok_or("no output folder")?;
        let folder = Path::new(&folder);
        let mut code =
            String::from("#[allow(clippy::unreadable_literal, reason = \"masks are not for reading\")]\n");
        code.push_str("static BUILT_IN_DOMAINS: &[BuiltInDomain] = &[\n");
        for name in copal_domains::names() {
            let read = |file: &str| text_of(name, file).map(str::to_owned).ok_or(GazetteerProblem::Missing);
            let mut file = domain_file::parse(&read("domain.yaml")?)?;
            word_files::add_words(&mut file, &read)?;
            let mut terms = Gazetteer::default();
            let mut rules = Vec::new();
            for (tag, (attribute, entry)) in file.attributes.iter().enumerate() {
                for gazetteer in &entry.gazetteers {
                    terms.add_lines(&read(gazetteer)?, tag as u16);
                }
                for term in &entry.terms {
                    terms.add(term, tag as u16);
                }
                for rule in &entry.rules {
                    rules.push(rule_spelling::with_ascii_boundaries(
                        &file.expand_definitions(rule, attribute)?,
                    ));
                }
            }
            writeln!(code, "BuiltInDomain {{ name: {name:?}, object: {:?},", file.object)?;
            let attributes: Vec<_> =
                file.attributes.iter().map(|(name, entry)| (name, &entry.type_name)).collect();
            writeln!(code, "attributes: &{attributes:?}, term_count: {},", terms.len())?;
            writeln!(code, "file: include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}.json\")),")?;
            write_needs(&mut code, &rules)?;
            code.push_str("},\n");
            // the words are in the file now
            file.words.clear();
            fs::write(folder.join(format!("{name}.json")), serde_json::to_string(&file)?)?;
        }
        code.push_str("];\n");
        fs::write(folder.join("built_in_domains.rs"), code)?;
        Ok(())
    }

    fn text_of(domain: &str, file: &str) -> Option<&'static str> {
        match file.strip_prefix("shared/") {
            Some(shared) => copal_domains::file(copal_domains::SHARED_FOLDER, shared),
            None => copal_domains::file(domain, file),
        }
    }

    /// Writes the clauses of all rules once each, and their indices per rule.
    fn write_needs(code: &mut String, rules: &[String]) -> Result<(), Box<dyn Error>> {
        let mut clauses: Vec<NeedClause> = Vec::new();
        let mut indices = String::new();
        for rule in rules {
            let mut own = Vec::new();
            for clause in RuleNeeds::of(rule).clauses {
                let known = clauses.iter().position(|known| *known == clause);
                own.push(known.unwrap_or(clauses.len()));
                if known.is_none() {
                    clauses.push(clause);
                }
            }
            writeln!(indices, "&{own:?},")?;
        }
        code.push_str("needs: BuiltInNeeds { clauses: &[\n");
        for NeedClause { words, chars } in clauses {
            writeln!(
                code,
                "BuiltInClause {{ words: &{words:?}, ascii: {}, other: {} }},",
                chars.ascii, chars.other
            )?;
        }
        writeln!(code, "], rules: &[\n{indices}] }},")?;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src");
    domain::write_tables()
}
