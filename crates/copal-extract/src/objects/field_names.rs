//! Names of fields in outputs.

/// The name of a field in outputs: words in lower case, joined by underscores.
pub(super) fn snake_case(text: &str) -> String {
    let mut name = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !name.is_empty() {
            name.push('_');
        }
        name.extend(word.chars().flat_map(char::to_lowercase));
    }
    name
}
