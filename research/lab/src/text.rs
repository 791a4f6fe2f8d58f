//! How texts are compared with gold answers.

/// Letters and digits only.
pub(crate) fn letters_and_digits<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().flat_map(str::chars).filter(|c| c.is_alphanumeric()).collect()
}

/// Letters and digits only, in lower case.
pub(crate) fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
