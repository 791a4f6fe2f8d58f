//! Texts of pages as they may be shown to people: on a terminal, and in the HTML report.
//!
//! In: a character of a page. Out: the character to show. Control characters move the cursor. Directional
//! overrides, embeddings and isolates show a text in another order than it has, also beyond its own end: both
//! become U+FFFD, so that a reader sees that there was something. Characters without any width (zero-width
//! spaces, joiners, marks of direction, tags) make different texts look alike, and are omitted. Data files
//! keep all of them: programs compare texts as they are.

/// What is shown for a character; `None` if nothing is.
fn shown_char(c: char) -> Option<char> {
    match c {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(char::REPLACEMENT_CHARACTER),
        c if c.is_control() => Some(char::REPLACEMENT_CHARACTER),
        c if is_invisible(c) => None,
        c => Some(c),
    }
}

/// True for characters that have no width and no meaning of their own. The joiners U+200C and U+200D are not
/// among them: Persian and the languages of India are spelt with them, and emoji are made of them.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// The characters that are shown of a text.
pub(crate) fn shown_chars(text: &str) -> impl Iterator<Item = char> {
    let mut before = ' ';
    let mut rest = text.chars();
    let shown = move || {
        let c = rest.next()?;
        let is_joiner = matches!(c, '\u{200c}' | '\u{200d}');
        // Latin letters and digits are never joined: between them a joiner only hides.
        let is_between_others =
            || !before.is_ascii() && rest.clone().next().is_some_and(|next| !next.is_ascii());
        let shown = if is_joiner && !is_between_others() { None } else { shown_char(c) };
        before = c;
        Some(shown)
    };
    std::iter::from_fn(shown).flatten()
}

/// A text as it may be shown to people; see the module.
pub fn shown_text(text: &str) -> String {
    shown_chars(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_shown_hides_or_reorders_text() {
        assert_eq!(shown_text("pay\u{202e}lap\u{202c}"), "pay\u{fffd}lap\u{fffd}");
        assert_eq!(
            shown_text("pay\u{200b}pal\u{feff}\u{2060} \u{ad}\u{200d}x\u{200c}y\u{e0041}"),
            "paypal xy"
        );
        assert_eq!(shown_text("a\u{1b}[31m\nb\u{2028}c\u{9b}"), "a\u{fffd}[31m b c\u{fffd}");
        for kept in ["می\u{200c}خواهم", "👩\u{200d}👧", "שלום", "naïve", "क्\u{200d}ष"]
        {
            assert_eq!(shown_text(kept), kept);
        }
    }
}
