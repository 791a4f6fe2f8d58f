//! Hashes that show whether a text on the page and a text in its embedded data agree.
//!
//! In: a text or a URL. Out: its [`TextMark`]s, by which related texts are found, and its forms: two texts
//! count as equal if they have a form in common. Case, punctuation and white space do not matter. `£1,149.00`
//! and `1149` are the same number. Of a URL, the path counts, and the name and the numbers in it. O(length).

use copal_dom::hash::hash_of;
use copal_dom::url::path_and_query;
use copal_dom::{letters_and_digits, squash, squash_start};

/// A word, a number or a path that a text contains, as a hash.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextMark {
    pub(super) hash: u64,
    /// How much an agreement in this mark means: names mean more than numbers, and long numbers more than
    /// short ones.
    pub(super) weight: f32,
}

/// How many letters and digits of a text are compared.
const MAX_COMPARED_LETTERS: usize = 48;
/// How many numbers of one text are compared.
const MAX_COMPARED_NUMBERS: usize = 6;

/// True for an absolute URL, or a path that begins with a slash.
pub(super) fn looks_like_url(text: &str) -> bool {
    let start = ["http://", "https://", "//"].iter().any(|start| text.starts_with(start));
    let path = text.starts_with('/') && text.len() > 2;
    (start || path) && !text.contains(char::is_whitespace)
}

/// Adds the marks of a text.
pub(super) fn text_marks(text: &str, out: &mut Vec<TextMark>) {
    if looks_like_url(text) {
        return url_marks(text, out);
    }
    word(text, out);
    for number in numbers(text).take(MAX_COMPARED_NUMBERS) {
        out.push(of_number(&number));
    }
}

/// Adds the marks of a text that is known to be a URL, absolute or relative.
pub(super) fn url_marks(text: &str, out: &mut Vec<TextMark>) {
    let path = path_and_query(text);
    let whole = squash(path);
    let end = if whole.is_ascii() {
        whole.len().saturating_sub(MAX_COMPARED_LETTERS)
    } else {
        whole.char_indices().rev().nth(MAX_COMPARED_LETTERS - 1).map_or(0, |(at, _)| at)
    };
    let end = &whole[end..];
    word(end, out);
    let path = path.split('?').next().unwrap_or(path);
    let last = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("");
    let name = last.rsplit_once('.').map_or(last, |(name, _)| name);
    if letters_and_digits(name).count() < end.len() {
        word(name, out);
    }
    let runs = path.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() >= 4);
    out.extend(runs.take(MAX_COMPARED_NUMBERS).map(of_number));
}

/// How many letters a cell may have besides its number and still mean the same as the number alone: `149 kr`,
/// `86 reviews`.
const MAX_UNIT_LETTERS: usize = 8;

/// The forms of a value in the data. It repeats a cell that has one of these forms.
pub(super) fn forms(value: &str) -> Vec<u64> {
    forms_with(value, 0)
}

/// The forms of a cell on the page, where a number may have a unit.
pub(super) fn forms_of_cell(text: &str) -> Vec<u64> {
    forms_with(text, MAX_UNIT_LETTERS)
}

fn forms_with(text: &str, letters: usize) -> Vec<u64> {
    if looks_like_url(text) {
        return vec![hash_of(&squash(path_and_query(text)))];
    }
    let whole = squash(text);
    let mut forms = vec![hash_of(&whole)];
    let mut numbers = numbers(text);
    if whole.chars().filter(|c| c.is_alphabetic()).count() <= letters
        && let (Some(number), None) = (numbers.next(), numbers.next())
    {
        forms.push(hash_of(&number));
    }
    forms
}

fn word(text: &str, out: &mut Vec<TextMark>) {
    let word = squash_start(text, MAX_COMPARED_LETTERS);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let wide = !word.is_ascii();
    if letters >= 3 || letters >= 1 && wide {
        out.push(TextMark { hash: hash_of(&word), weight: if letters >= 5 || wide { 1.0 } else { 0.4 } });
    }
}

fn of_number(number: impl AsRef<str>) -> TextMark {
    let number = number.as_ref();
    let weight = match number.bytes().filter(u8::is_ascii_digit).count() {
        0 | 1 => 0.05,
        2 | 3 => 0.25,
        _ => 0.6,
    };
    TextMark { hash: hash_of(number), weight }
}

/// The numbers of a text in a uniform notation: `1,149.00` is `1149`, `4,50` is `4.5`.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let runs = text.split(move |c: char| !part(c)).map(|run| run.trim_matches(['.', ',']));
    runs.filter(|run| !run.is_empty()).map(|run| {
        let decimal = run.rfind(['.', ',']).filter(|at| run.len() - at - 1 != 3);
        let (whole, decimals) = decimal.map_or((run, ""), |at| (&run[..at], &run[at + 1..]));
        let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
        let decimals = decimals.trim_end_matches('0');
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        if decimals.is_empty() { whole.to_owned() } else { format!("{whole}.{decimals}") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(a: &str, b: &str) -> bool {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        text_marks(a, &mut one);
        text_marks(b, &mut other);
        one.iter().any(|mark| other.contains(mark))
    }

    #[test]
    fn what_says_the_same_shares_a_mark() {
        assert!(share("Oak  bedside-table", "oak bedside table"));
        assert!(share("£1,149.00", "1149"));
        assert!(share("4,50 €", "4.5"));
        assert!(share("https://a.example/p/oak-table-1201?x=1", "Oak table 1201"));
        assert!(share("https://a.example/p/1201-oak", "/p/1201-oak"));
        assert!(share("/item?id=88123", "https://b.example/item?id=88123"));
        assert!(share("橡木桌", "橡木桌"));
        assert!(!share("Oak table", "Pine table"));
        assert!(!share("", ""));
    }

    #[test]
    fn forms_are_the_whole_text() {
        let same =
            |cell: &str, value: &str| forms(value).iter().any(|form| forms_of_cell(cell).contains(form));
        assert!(same("£149.00", "149"));
        assert!(same("149 kr", "149.0"));
        assert!(!same("149 kr", "K-149"));
        assert!(!same("The old mill, number 149", "149"));
        assert!(same("/p/1", "https://a.example/p/1"));
        assert!(!same("Oak table, small", "Oak table"));
        assert!(!same("2 for 149", "149"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_marks(text in "[a-z0-9.,/:?#é价 ]{0,40}") {
            let mut out = Vec::new();
            text_marks(&text, &mut out);
            url_marks(&text, &mut out);
            forms(&text);
        }
    }
}
