//! Names of columns in snake case.

/// Longest name of a column, in bytes.
const MAX_COLUMN_NAME_BYTES: usize = 40;

/// `productTitle`, `Product title` and `product-title` are all `product_title`.
pub(crate) fn snake_case(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut before = ' ';
    for c in text.trim().chars() {
        if out.len() >= MAX_COLUMN_NAME_BYTES {
            break;
        }
        if is_invisible(c) {
            continue;
        }
        if c.is_alphanumeric() {
            if (c.is_uppercase() && before.is_lowercase()) && !out.ends_with('_') {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        before = c;
    }
    let out = out.trim_end_matches('_');
    out.chars().any(char::is_alphabetic).then(|| out.to_owned())
}

/// Soft hyphens and other characters without width do not separate words.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::snake_case;

    #[test]
    fn soft_hyphens_do_not_separate_words() {
        assert_eq!(snake_case("kj\u{f6}r\u{ad}d\u{e6}mi").as_deref(), Some("kjördæmi"));
    }
}
