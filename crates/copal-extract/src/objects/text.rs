//! Texts compared and joined.

/// Letters and digits of a text in small letters.
pub(super) fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

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

/// A text that says that there is no value.
pub(super) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    let none = [
        "n/a",
        "na",
        "none",
        "tbc",
        "tba",
        "unknown",
        "not specified",
        "not known",
        "not available",
        "null",
        "--",
    ];
    !text.contains(char::is_alphanumeric) || text.len() <= 14 && none.contains(&&*text.to_lowercase())
}
