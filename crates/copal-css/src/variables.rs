//! Custom properties (`--name`) and `var()`.
//!
//! In: a value with `var()` and the custom properties of an element. Out: the value with every `var()` replaced.
//! Replaced values may contain `var()` themselves. Values, steps and the length of the result are limited, so
//! that neither cycles nor values that double at each step do harm.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Custom properties of an element, those it inherits included.
pub(crate) type CustomProperties = FxHashMap<Arc<str>, Arc<str>>;

/// Longest value after replacement.
const MAX_EXPANDED_BYTES: usize = 8192;
/// How many `var()` may be replaced in one value.
const MAX_REPLACEMENTS: usize = 64;

/// True if a value refers to custom properties.
pub(crate) fn has_variables(text: &str) -> bool {
    find_variable(text).is_some()
}

/// Where the next `var(` begins.
fn find_variable(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_' || b >= 0x80;
    (0..bytes.len().saturating_sub(3))
        .find(|&at| bytes[at..at + 4].eq_ignore_ascii_case(b"var(") && !(at > 0 && is_word(bytes[at - 1])))
}

/// The names that a value refers to, including those inside fallbacks.
pub(crate) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[find_variable(rest)? + 4..];
        Some(variable_name(rest).0)
    })
}

/// The name at the beginning of the argument of `var(`, and how long it is with the white space around it.
fn variable_name(argument: &str) -> (&str, usize) {
    let start = argument.len() - argument.trim_start().len();
    let rest = &argument[start..];
    let end = rest.find([',', ')', '(', ' ', '\t', '\n', '\r', ';', '}']).unwrap_or(rest.len());
    (&rest[..end], start + end)
}

/// The value with every `var()` replaced; `None` if a property is missing without a fallback, or if a limit is
/// exceeded. Either makes the declaration invalid.
pub(crate) fn replaced(text: &str, custom: Option<&CustomProperties>) -> Option<String> {
    let mut out = text.to_owned();
    let mut from = 0;
    for _ in 0..MAX_REPLACEMENTS {
        let Some(at) = find_variable(&out[from..]) else { return Some(out) };
        // replaced values are scanned again, because they may refer to further properties
        let start = from + at;
        let argument = &out[start + 4..];
        let end = closing_bracket(argument)?;
        let (name, after) = variable_name(argument);
        if after > end {
            return None;
        }
        let fallback = argument[after..end].trim_start().strip_prefix(',').map(str::trim);
        let value: Arc<str> = match custom.and_then(|custom| custom.get(name)) {
            Some(value) => value.clone(),
            None => fallback?.into(),
        };
        if out.len() + value.len() > MAX_EXPANDED_BYTES {
            return None;
        }
        // comments keep neighbouring tokens apart
        out.replace_range(start..=start + 4 + end, &format!("/**/{value}/**/"));
        from = start;
    }
    None
}

/// Where the bracket that was open before the text closes.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 0 => return Some(at),
            (None, b')') => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn custom(pairs: &[(&str, &str)]) -> CustomProperties {
        pairs.iter().map(|(name, value)| (Arc::from(*name), Arc::from(*value))).collect()
    }

    fn plain(text: &str, pairs: &[(&str, &str)]) -> Option<String> {
        Some(replaced(text, Some(&custom(pairs)))?.replace("/**/", ""))
    }

    #[test]
    fn variables_and_fallbacks_are_replaced() {
        let pairs = [("--a", "1px"), ("--b", "calc(var(--a) + 2px)"), ("--c", "red")];
        assert_eq!(plain("var(--b) solid", &pairs).unwrap(), "calc(1px + 2px) solid");
        assert_eq!(plain("VAR( --none , var(--c))", &pairs).unwrap(), "red");
        assert_eq!(plain("var(--none,)", &pairs).unwrap(), "");
        assert_eq!(plain("my-var(--c)", &pairs).unwrap(), "my-var(--c)");
        assert_eq!(plain("var(--none)", &pairs), None);
        assert_eq!(plain("var(--a", &pairs), None);
        assert_eq!(names_in("a var(--x, var( --y)) var(").collect::<Vec<_>>(), ["--x", "--y", ""]);
    }

    #[test]
    fn cycles_and_doubling_values_end() {
        assert_eq!(plain("var(--a)", &[("--a", "var(--b)"), ("--b", "var(--a)")]), None);
        let names: Vec<String> = (0..40).map(|at| format!("--v{at}")).collect();
        let values: Vec<String> = (0..40).map(|at| format!("var(--v{0}) var(--v{0})", at + 1)).collect();
        let pairs: Vec<(&str, &str)> =
            names.iter().zip(&values).map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(plain("var(--v0)", &pairs), None);
    }
}
