//! Keywords of CSS values.

use cssparser::Parser;

/// One of the keywords.
pub(crate) fn keyword(input: &mut Parser<'_>, known: &'static [&'static str]) -> Option<&'static str> {
    let word = input.expect_ident().ok()?;
    known.iter().find(|known| known.eq_ignore_ascii_case(word)).copied()
}
