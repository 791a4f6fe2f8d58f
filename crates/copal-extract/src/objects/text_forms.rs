//! Words and letters of a text, as they are compared and counted.

/// The words of a text in lower case.
pub(super) fn lower_words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The number of letters in several texts.
pub(super) fn letter_count<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> usize {
    texts.into_iter().map(|text| text.as_ref().chars().filter(|c| c.is_alphabetic()).count()).sum()
}
