//! Names of fields in the output.

/// A name for outputs: words in small letters joined by underscores.
pub(super) fn snake(text: &str) -> String {
    let mut name = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !name.is_empty() {
            name.push('_');
        }
        name.extend(word.chars().flat_map(char::to_lowercase));
    }
    name
}
