//! Class and id words: which ones a person chose and which a build tool made up.
//!
//! In: one token. Out: whether it is stable between pages and builds. O(length of the token).

/// False for words that look generated: three or more digits, long runs without vowels, CSS-module suffixes
/// (`title__x1Yz`), or mixed letters and digits of high entropy.
pub fn is_stable_word(word: &str) -> bool {
    let bytes = word.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 {
        return false;
    }
    if bytes.len() < 4 {
        return true;
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    if digits >= 3 {
        return false;
    }
    let (mut run, mut longest, mut switches) = (0, 0, 0);
    let mut before = 0u8;
    for &b in bytes {
        let letter = b.is_ascii_alphabetic();
        let vowel = matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
        run = if letter && !vowel { run + 1 } else { 0 };
        longest = longest.max(run);
        // aB, Ab within a word is camel case; a1, 1a is not
        switches += usize::from(
            (b.is_ascii_digit() && before.is_ascii_alphabetic()) || (letter && before.is_ascii_digit()),
        );
        before = b;
    }
    if longest >= 6 || switches >= 3 {
        return false;
    }
    // a CSS module's hash: behind the last `__`, `--` or `-`, mixed case or digits inside
    match word.rsplit_once("__").or_else(|| word.rsplit_once("--")).or_else(|| word.rsplit_once('-')) {
        Some((_, tail)) => !is_hash_tail(tail),
        None => !is_hash_tail(word) || digits == 0,
    }
}

/// Five or more characters that mix digits or capitals into small letters without being words.
fn is_hash_tail(tail: &str) -> bool {
    let bytes = tail.as_bytes();
    if !(5..=12).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let inner_capitals = bytes[1..].iter().filter(|b| b.is_ascii_uppercase()).count();
    let small = bytes.iter().filter(|b| b.is_ascii_lowercase()).count();
    (digits >= 1 && inner_capitals + small >= 2 && !bytes[bytes.len() - 1].is_ascii_digit())
        || (inner_capitals >= 2 && small >= 1 && small < bytes.len() - 2)
}

/// The stable words of a `class` attribute, in the order written.
pub fn stable_classes(class: &str) -> impl Iterator<Item = &str> {
    class.split_ascii_whitespace().filter(|word| is_stable_word(word))
}

#[cfg(test)]
mod tests {
    use super::is_stable_word;

    #[test]
    fn people_choose_words() {
        for word in [
            "price",
            "product-title",
            "col-md-6",
            "s-result-item",
            "h2",
            "searchResult",
            "row",
            "listing_item",
            "js-tile",
            "Title",
            "btn-lg",
            "nav2",
        ] {
            assert!(is_stable_word(word), "{word}");
        }
    }

    #[test]
    fn tools_make_hashes() {
        for word in
            ["css-1a2b3c", "item-48213", "title__x1Yzq", "sc-fzqBZW", "bcdfghjk", "a1b2c3d4", "post-1234", ""]
        {
            assert!(!is_stable_word(word), "{word}");
        }
    }
}
