//! The trees that html5lib's tests of tree construction expect (`testdata/html5lib/tree-construction`).
//!
//! Comments, DOCTYPEs and namespaces of foreign elements are left out of the comparison, as a finished tree has none of
//! them; tests of fragments and of pages with scripting are skipped.

use crate::limits;
use copal_dom::{Tree, parse, tags};
use std::path::Path;

/// Inputs for which our tree is not the expected one. The tests are of 2020: the standard has changed what a `select`
/// may contain since then, and html5ever, whose tree ours equals, has changed with it.
const CHANGED_SINCE: &[&str] = &[
    "<!DOCTYPE html><select><menuitem></select>",
    "<!DOCTYPE html><body><select><svg></svg></select>",
    "<!DOCTYPE html><body><select><option><svg></svg></option></select>",
    "<!DOCTYPE html><body><table><tr><td><select><svg><g>foo</g><g>bar</g><p>baz</table><p>quux",
    "<!DOCTYPE html><body><table><select><svg><g>foo</g><g>bar</g><p>baz</table><p>quux",
    "<select><b><option><select><option></b></select>X",
    "<select><b><option><select><option></b></select>",
    "<!DOCTYPE html><body><select><math></math></select>",
    "<!DOCTYPE html><body><select><option><math></math></option></select>",
    "<!DOCTYPE html><body><table><tr><td><select><math><mi>foo</mi><mi>bar</mi><p>baz</table><p>quux",
    "<!DOCTYPE html><body><table><select><math><mi>foo</mi><mi>bar</mi><p>baz</table><p>quux",
    "<select><keygen>",
    "<!doctype html><select><plaintext></plaintext>X",
    "<!doctype html><table><select><plaintext>a<caption>b",
];

/// The expected tree in lines, without what a finished tree does not have.
fn expected(document: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in document.trim_end_matches('\n').split('\n') {
        match (line.strip_prefix("| "), lines.last_mut()) {
            (Some(line), _) => lines.push(line.to_owned()),
            // a text with line feeds
            (None, Some(last)) => *last = format!("{last}\n{line}"),
            (None, None) => {}
        }
    }
    lines.retain(|line| !line.trim_start().starts_with("<!") && !line.trim_start().starts_with("<?"));
    for line in &mut lines {
        *line = line.replacen("<svg ", "<foreign ", 1).replacen("<math ", "<foreign ", 1);
        let name_end = line.find('=').unwrap_or(0);
        if !line.trim_start().starts_with(['<', '"'])
            && let Some((prefix, name)) = line[..name_end].trim_start().split_once(' ')
        {
            let indent = line.len() - line.trim_start().len();
            *line = format!("{}{prefix}:{name}{}", &line[..indent], &line[name_end..]);
        }
    }
    lines
}

/// Our tree in the same form.
fn lines_of(tree: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    for node in tree.nodes().skip(1) {
        let is_template = |node| tree.tag(node) == tags::TEMPLATE && !tree.is_foreign(node);
        let templates = tree.ancestors(node).filter(|&above| is_template(above)).count();
        let indent = " ".repeat(2 * (tree.depth(node) as usize - 1 + templates));
        if tree.is_text(node) {
            lines.push(format!("{indent}\"{}\"", tree.raw_text(node)));
            continue;
        }
        let foreign = if tree.is_foreign(node) { "foreign " } else { "" };
        lines.push(format!("{indent}<{foreign}{}>", tree.tag_name(node)));
        let mut attributes: Vec<(&str, &str)> = tree.attributes(node).collect();
        attributes.sort_by_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
        lines.extend(attributes.iter().map(|(name, value)| format!("{indent}  {name}=\"{value}\"")));
        if is_template(node) {
            lines.push(format!("{indent}  content"));
        }
    }
    lines
}

#[test]
fn html5lib_tests_give_the_expected_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/html5lib/tree-construction");
    let (mut count, mut failures) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).expect("the folder of the tests") {
        let path = entry.expect("an entry").path();
        let file = std::fs::read_to_string(&path).expect("a test file");
        for test in file.split("#data\n").skip(1) {
            let (text, rest) = test.split_once("#errors\n").expect("the errors after the data");
            let (before, document) = rest.split_once("#document\n").expect("the tree at the end");
            if before.contains("#document-fragment") || before.contains("#script-on") {
                continue;
            }
            let text = text.strip_suffix('\n').unwrap_or(text);
            let (tree, _) = parse::parse(text, &limits());
            let (mut got, mut want) = (lines_of(&tree), expected(document));
            // the order of attributes does not count
            for lines in [&mut got, &mut want] {
                sort_attributes(lines);
            }
            count += 1;
            if (got == want) == CHANGED_SINCE.contains(&text) {
                failures.push(format!(
                    "{}: {text:?}:\n{}\n-- expected --\n{}",
                    path.display(),
                    got.join("\n"),
                    want.join("\n")
                ));
            }
        }
    }
    assert!(count > 1200, "only {count} tests were found");
    assert!(failures.is_empty(), "{} of {count} trees:\n{}", failures.len(), failures.join("\n\n"));
}

/// Attributes of one element, which are lines next to each other, in one order.
fn sort_attributes(lines: &mut [String]) {
    let is_attribute = |line: &String| !line.trim_start().starts_with(['<', '"']) && line.contains('=');
    for run in lines.chunk_by_mut(|a, b| is_attribute(a) && is_attribute(b)) {
        run.sort();
    }
}
