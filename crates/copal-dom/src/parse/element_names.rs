//! Element names that the tokenizer or the tree builder treats in a special way.

/// True for elements whose content the tokenizer reads as text, although it is not text of the page.
pub(super) fn is_raw_text(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "title" | "textarea" | "iframe" | "noembed" | "noframes" | "xmp" | "plaintext"
    )
}

/// True for elements without an end tag. Unlike [`crate::tags::is_void`] this also knows names without a
/// fixed tag.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}
