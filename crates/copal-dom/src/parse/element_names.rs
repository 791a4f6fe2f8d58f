//! Element names that the tokenizer or the tree builder treats in a special way.

use crate::tags::{self, Tag};

/// True for elements whose content the tokenizer reads as text, although it is not text of the page.
pub(super) fn is_raw_text(tag: Tag) -> bool {
    use tags::*;
    matches!(tag, SCRIPT | STYLE | TITLE | TEXTAREA | IFRAME | NOEMBED | NOFRAMES | XMP | PLAINTEXT)
}

/// True for elements that never have content in a page that is being read. Unlike [`tags::is_void`] this includes
/// those that are unknown to later stages.
pub(super) fn is_void(tag: Tag) -> bool {
    tags::is_void(tag) || tag == tags::TRACK
}
