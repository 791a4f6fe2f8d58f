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
