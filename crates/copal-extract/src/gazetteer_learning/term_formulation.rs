//! Term formulation (AMBER section 4.7, gazetteer learning, step 1).
//!
//! In: the text of an instance of an attribute ("Oxford, Walton Street, top-floor apartment"). Out: its
//! pieces that have the shape of a term ("Oxford", "Walton Street"), with a confidence. O(text).

/// Longest term, in characters.
const MAX_LEARNED_TERM_CHARS: usize = 40;
/// Longest term, in words.
const MAX_LEARNED_TERM_WORDS: usize = 5;

/// Words before a place. They only split a text if they are in lower case and not inside a name ("Barrow in
/// Furness").
const WORDS_BEFORE_PLACES: &[&str] = &[
    "in", "at", "near", "nearby", "within", "outside", "around", "beside", "off", "from", "to", "for",
    "with", "à", "dans", "près", "bei", "nahe", "en", "cerca",
];

/// Lower-case words inside names.
const WORDS_INSIDE_NAMES: &[&str] = &[
    "of", "on", "the", "upon", "under", "and", "by", "in", "le", "la", "les", "de", "del", "della", "di",
    "du", "da", "do", "dos", "cum", "next", "with", "super", "sub", "juxta", "am", "an", "der", "im", "bei",
    "ob", "y", "e", "a", "en", "sur", "sous", "lès", "aan", "den", "op", "na", "nad",
];

/// What the terms of an attribute look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TermShape {
    /// They are names: capitalised, in scripts that have capitals.
    pub(super) names: bool,
    /// They may contain digits ("A4"). Places never do.
    pub(super) figures: bool,
}

/// The pieces of a text that may be terms, in order. `is_other` is true for what certainly is something else
/// ("flat"): after that, a word like "in" splits even between capitalised words.
pub(super) fn split<'a>(text: &'a str, is_other: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let is_separator = |c: char| {
        matches!(
            c,
            ',' | ';'
                | '/'
                | '|'
                | '\u{2013}'
                | '\u{2014}'
                | '('
                | ')'
                | '['
                | ']'
                | '\u{b7}'
                | '\u{2022}'
                | ':'
                | '"'
                | '\u{201c}'
                | '\u{201d}'
                | '!'
                | '?'
                | '\n'
                | '\u{3001}'
                | '\u{ff0c}'
                | '\u{ff1a}'
        )
    };
    let mut pieces = Vec::new();
    for piece in text.split(is_separator).flat_map(|piece| piece.split(" - ")).flat_map(sentences) {
        split_at_words(piece.trim_matches(is_edge), is_other, &mut pieces);
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Splits at full stops between sentences, but not after an abbreviation in a name ("St. Albans").
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.match_indices(". ").find(|(at, _)| {
            let word = text[..*at].rsplit(' ').next().unwrap_or_default();
            word.chars().count() > 3
        });
        rest = end.map(|(at, _)| &text[at + 2..]);
        Some(end.map_or(text, |(at, _)| &text[..at]))
    })
}

fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | '-' | '\'' | '*' | '+' | '&' | '>' | '<' | '#' | '\u{2019}')
}

fn split_at_words<'a>(piece: &'a str, is_other: &dyn Fn(&str) -> bool, pieces: &mut Vec<&'a str>) {
    let mut start = 0;
    let mut at = 0;
    for word in piece.split(' ') {
        let end = at + word.len();
        if at >= start && WORDS_BEFORE_PLACES.contains(&word) {
            let before = piece[start..at].trim_matches(is_edge);
            // also if there is nothing before it: "near Oxford"
            if is_other(before) || !is_name(before) {
                pieces.push(before);
                start = (end + 1).min(piece.len());
            }
        }
        at = end + 1;
    }
    pieces.push(piece[start..].trim_matches(is_edge));
}

/// True if every word begins with a capital (or has no case), except for the small words of names.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let capital = |word: &&str| !word.starts_with(char::is_lowercase);
    let Some((first, rest)) = words.split_first() else { return false };
    let last = words.len() - 1;
    // "Ashton in" is not a name; "d'Or" and "o'th'" are parts of names
    let small = |(i, word): (usize, &&str)| {
        i + 1 < last && WORDS_INSIDE_NAMES.contains(word) || word.contains('\'') || word.contains('\u{2019}')
    };
    capital(first) && rest.iter().enumerate().all(|(i, word)| capital(word) || small((i, word)))
}

/// True if a piece may be a term: neither too short nor too long, and of the attribute's shape.
pub(super) fn is_shaped(piece: &str, shape: TermShape) -> bool {
    let chars = piece.chars().count();
    let letters = piece.chars().filter(|c| c.is_alphabetic()).count();
    // one ideograph carries as much as several letters
    let fewest = if piece.chars().any(is_ideograph) { 2 } else { 3 };
    (fewest..=MAX_LEARNED_TERM_CHARS).contains(&chars)
        && 2 * letters > chars
        && piece.split_whitespace().count() <= MAX_LEARNED_TERM_WORDS
        && (shape.figures || !piece.chars().any(char::is_numeric))
        && (!shape.names || is_name(piece))
        && !piece.contains('@')
}

fn is_ideograph(c: char) -> bool {
    let is_cjk = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    is_cjk || matches!(c, '\u{ac00}'..='\u{d7af}')
}

/// The confidence from one occurrence: `support * n / (n + 1) * (1 + share) / 2`, from 0 to 1. `support` is
/// the share of the records of the page that have the attribute at that path, `n` their number (the support
/// set), and `share` the part of the instance that the term makes up. A term that is the whole instance
/// counts twice as much as a small part of one.
pub(super) fn confidence(support: f64, n: usize, term: &str, instance: &str) -> f64 {
    let n = n as f64;
    let share = (term.chars().count() as f64 / instance.trim().chars().count().max(1) as f64).min(1.0);
    (support * n / (n + 1.0) * f64::midpoint(1.0, share)).clamp(0.0, 1.0)
}

/// The confidence from several pages: the probability that all of them are wrong is the product of their
/// doubts.
pub(super) fn combined_confidence(confidences: impl IntoIterator<Item = f64>) -> f64 {
    1.0 - confidences.into_iter().map(|confidence| 1.0 - confidence).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE_SHAPE: TermShape = TermShape { names: true, figures: false };

    fn terms(text: &str) -> Vec<&str> {
        let is_other =
            |piece: &str| ["flat", "house", "terraced house"].contains(&piece.to_lowercase().as_str());
        let pieces = split(text, &is_other);
        pieces.into_iter().filter(|piece| is_shaped(piece, PLACE_SHAPE) && !is_other(piece)).collect()
    }

    #[test]
    fn instances_are_split_into_terms() {
        for (text, want) in [
            ("Oxford, Walton Street, top-floor apartment", &["Oxford", "Walton Street"][..]),
            ("The Old Barn, St. Thomas Street - Oxford", &["The Old Barn", "St. Thomas Street", "Oxford"]),
            ("3 bed house in North Oxford", &["North Oxford"]),
            ("Terraced House in Reading", &["Reading"]),
            ("Barrow in Furness", &["Barrow in Furness"]),
            ("Stoke-on-Trent (Staffs)", &["Stoke-on-Trent", "Staffs"]),
            ("Weston-super-Mare / Somerset | UK", &["Weston-super-Mare", "Somerset"]),
            ("OX28 6BW", &[]),
            ("a, de, 12", &[]),
            ("Newcastle upon Tyne", &["Newcastle upon Tyne"]),
            ("Close to shops", &[]),
            ("Witney (near Oxford)", &["Witney", "Oxford"]),
            ("in", &[]),
            ("成都市、武侯区", &["成都市", "武侯区"]),
            ("Sold. Chipping Norton.", &["Sold", "Chipping Norton"]),
            ("", &[]),
        ] {
            assert_eq!(terms(text), want, "{text}");
        }
    }

    #[test]
    fn shapes_of_terms() {
        let model = TermShape { names: false, figures: true };
        assert!(is_shaped("320d xDrive", model) && !is_shaped("320", model));
        assert!(is_shaped("semi-detached house", model) && !is_shaped("semi-detached house", PLACE_SHAPE));
        assert!(!is_shaped("One Two Three Four Five Six", PLACE_SHAPE));
        assert!(!is_shaped(&"Long".repeat(11), PLACE_SHAPE));
        assert!(!is_shaped("Ashton in", PLACE_SHAPE));
    }

    #[test]
    fn confidence_grows_with_support_and_share() {
        let of = |support, n, term, instance| confidence(support, n, term, instance);
        assert!(of(0.9, 9, "Oxford", "Oxford") > 0.8);
        assert!(of(0.9, 9, "Oxford", "Oxford") > of(0.6, 6, "Oxford", "Oxford"));
        assert!(of(0.6, 20, "Oxford", "Oxford") > of(0.6, 2, "Oxford", "Oxford"));
        assert!(of(0.9, 9, "Oxford", "Oxford") > of(0.9, 9, "Oxford", "Walton Street, Oxford"));
        for confidence in
            [of(0.0, 0, "", ""), of(1.0, 1_000_000, "Oxford", "Ox"), of(0.3, 3, "a", "abcdefgh")]
        {
            assert!((0.0..=1.0).contains(&confidence));
        }
        assert!((combined_confidence([0.5, 0.5]) - 0.75).abs() < 1e-9 && combined_confidence([]) == 0.0);
    }
}
