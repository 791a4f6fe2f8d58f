//! Decimal digits and numbers of the scripts that pages use.
//!
//! In: characters and words. Out: their values. O(length).

/// True for letters, digits and combining marks. The marks of Indic and Thai scripts are inside words.
pub(super) fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

/// The value of a whole number with at most six digits.
pub(super) fn number(word: &str) -> Option<u64> {
    let mut value = 0;
    let mut digits = 0;
    for c in word.chars() {
        value = value * 10 + u64::from(digit(c)?);
        digits += 1;
        if digits > 6 {
            return None;
        }
    }
    (digits > 0).then_some(value)
}

/// The value of a decimal digit: ASCII, full-width, Arabic, Persian, Devanagari, Bengali or Thai.
pub(super) fn digit(c: char) -> Option<u32> {
    const ZEROS: [u32; 6] = [0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
    c.to_digit(10).or_else(|| {
        let code = c as u32;
        ZEROS.iter().map(|zero| code.wrapping_sub(*zero)).find(|value| *value < 10)
    })
}
