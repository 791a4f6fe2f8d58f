//! Forms of a text in which it is compared with others, or in which it names a field.

/// The letters and digits of a text in lower case.
pub(super) fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a text in lower case.
pub(super) fn lower_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

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

/// The number of letters in several texts.
pub(super) fn letter_count<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> usize {
    texts.into_iter().map(|text| text.as_ref().chars().filter(|c| c.is_alphabetic()).count()).sum()
}
