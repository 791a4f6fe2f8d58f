//! Words in `class` and `id` attributes: those that a person chose and those that a tool generated.
//!
//! In: one word. Out: whether it is stable, that is, the same on other pages and after the next build.
//! O(length).

/// Longer words are taken for generated ones.
const MAX_STABLE_WORD_BYTES: usize = 64;

/// False for words that look generated: three or more digits, six consonants in a row, suffixes of CSS
/// modules (`title__x1Yz`), or letters and digits that alternate.
pub fn is_stable_word(word: &str) -> bool {
    let bytes = word.as_bytes();
    if bytes.is_empty() || bytes.len() > MAX_STABLE_WORD_BYTES {
        return false;
    }
    if bytes.len() < 4 {
        return true;
    }
    let (mut run, mut longest, mut switches, mut digits) = (0, 0, 0, 0);
    let mut before = LetterKind::Other;
    for &b in bytes {
        let kind = LETTER_KINDS[usize::from(b)];
        run = if kind == LetterKind::Consonant { run + 1 } else { 0 };
        longest = longest.max(run);
        digits += usize::from(kind == LetterKind::Digit);
        // a switch between letters and digits; a switch of case is only camel case
        switches += usize::from(
            (kind == LetterKind::Digit && before.is_letter())
                || (kind.is_letter() && before == LetterKind::Digit),
        );
        before = kind;
    }
    if digits >= 3 || longest >= 6 || switches >= 3 {
        return false;
    }
    // CSS modules put a hash after the last `__`, `--` or `-`
    let after_two = |sign: u8| bytes.windows(2).rposition(|pair| pair == [sign, sign]).map(|at| at + 2);
    let after_one = || bytes.iter().rposition(|&b| b == b'-').map(|at| at + 1);
    match after_two(b'_').or_else(|| after_two(b'-')).or_else(after_one) {
        Some(at) => !is_hash_tail(&bytes[at..]),
        None => !is_hash_tail(bytes) || digits == 0,
    }
}

/// What a byte of a word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterKind {
    Vowel,
    Consonant,
    Digit,
    Other,
}

impl LetterKind {
    fn is_letter(self) -> bool {
        matches!(self, LetterKind::Vowel | LetterKind::Consonant)
    }

    const fn of(byte: u8) -> LetterKind {
        match byte.to_ascii_lowercase() {
            b'a' | b'e' | b'i' | b'o' | b'u' | b'y' => LetterKind::Vowel,
            b'a'..=b'z' => LetterKind::Consonant,
            b'0'..=b'9' => LetterKind::Digit,
            _ => LetterKind::Other,
        }
    }
}

static LETTER_KINDS: [LetterKind; 256] = {
    let mut kinds = [LetterKind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = LetterKind::of(byte as u8);
        byte += 1;
    }
    kinds
};

/// True for 5 to 12 characters that mix digits or capitals with small letters as words do not.
fn is_hash_tail(bytes: &[u8]) -> bool {
    if !(5..=12).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    let inner_capitals = bytes[1..].iter().filter(|b| b.is_ascii_uppercase()).count();
    let small = bytes.iter().filter(|b| b.is_ascii_lowercase()).count();
    (digits >= 1 && inner_capitals + small >= 2 && !bytes[bytes.len() - 1].is_ascii_digit())
        || (inner_capitals >= 2 && small >= 1 && small < bytes.len() - 2)
}

/// The stable words of a `class` attribute, in their order.
pub fn stable_classes(class: &str) -> impl Iterator<Item = &str> {
    class.split_ascii_whitespace().filter(|word| is_stable_word(word))
}

#[cfg(test)]
mod tests {
    use super::is_stable_word;

    #[test]
    fn words_that_people_choose_are_stable() {
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
    fn generated_words_are_not_stable() {
        for word in
            ["css-1a2b3c", "item-48213", "title__x1Yzq", "sc-fzqBZW", "bcdfghjk", "a1b2c3d4", "post-1234", ""]
        {
            assert!(!is_stable_word(word), "{word}");
        }
    }
}
