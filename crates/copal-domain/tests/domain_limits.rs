//! Domain files that are small and want much.

#![allow(clippy::unwrap_used)]

use copal_domain::Domain;

const HEAD: &str = "domain: x\nobject: thing\npivot: price\nattributes:\n  price: {type: money}\n";

fn problem(text: &str) -> String {
    Domain::parse(text).map(drop).unwrap_err().to_string()
}

/// 300 KB of names, each of which stands for 300 KB.
#[test]
fn definitions_that_multiply_the_file_are_refused() {
    let (names, word) = ("{word}".repeat(50_000), "a".repeat(300_000));
    let text = format!("{HEAD}  size: {{type: text, rules: ['{names}']}}\ndefine: {{word: '{word}'}}\n");
    let problem = problem(&text);
    assert!(problem.contains("attributes.size.rules: definitions are nested"), "{problem}");
}

#[test]
fn too_many_attributes_are_refused() {
    let many: String = (0..500).map(|n| format!("  a{n}: {{type: money}}\n")).collect();
    assert_eq!(problem(&format!("{HEAD}{many}")), "attributes: has 501 entries: expected at most 500");
    let fewer: String = (0..30).map(|n| format!("  a{n}: {{type: money}}\n")).collect();
    assert!(Domain::parse(&format!("{HEAD}{fewer}")).is_ok());
}
