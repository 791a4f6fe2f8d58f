//! Recognises records that a list writes with a second template, by the tags that its known records share.
//!
//! In: the elements of some records. Out: [`CommonTags`]: the tags of the elements that directly contain
//! text, but only those that all records have ("a heading with a link, a paragraph, a link"), and the usual
//! amount of text. Depth does not matter: a record of a second template nests its elements differently but
//! has the same tags. O(nodes of a few records).

use copal_dom::{Node, Page, tags};

/// How many records are read, and how many nodes of each.
const SAMPLED_FOR_TAGS: usize = 7;
const MAX_SAMPLED_NODES: usize = 1000;
/// How many ancestors of a text are searched for its element (formatting tags do not count) and the heading
/// around it.
const MAX_TAGS_ABOVE: usize = 8;
/// With fewer common tags than this, records cannot be told from other elements.
const MIN_COMMON_TAGS: usize = 3;
/// The text of a record is at most this many times longer or shorter than usual.
const MAX_SIZE_RATIO: u32 = 3;

/// The common tags of some records; see the module.
pub(super) struct CommonTags {
    text_tags: Vec<u32>,
    chars: u32,
}

impl CommonTags {
    pub(super) fn of(page: &Page, records: impl ExactSizeIterator<Item = Node>) -> CommonTags {
        let step = (records.len() / SAMPLED_FOR_TAGS).max(1);
        let mut common: Option<Vec<u32>> = None;
        let (mut chars, mut sample) = (0, 0);
        for record in records.step_by(step).take(SAMPLED_FOR_TAGS) {
            let own = text_tags(page, record);
            chars += page.index.chars(&(record..page.tree.end(record)));
            sample += 1;
            match &mut common {
                Some(common) => common.retain(|tag| own.binary_search(tag).is_ok()),
                None => common = Some(own),
            }
        }
        CommonTags { text_tags: common.unwrap_or_default(), chars: chars / sample.max(1) }
    }

    /// True if an element has what all records have, and about as much text.
    pub(super) fn are_in(&self, page: &Page, node: Node) -> bool {
        let chars = page.index.chars(&(node..page.tree.end(node)));
        if self.text_tags.len() < MIN_COMMON_TAGS
            || chars > MAX_SIZE_RATIO * self.chars
            || self.chars > MAX_SIZE_RATIO * chars
        {
            return false;
        }
        let own = text_tags(page, node);
        self.text_tags.iter().all(|tag| own.binary_search(tag).is_ok())
    }
}

/// The tags of the elements that directly contain a text of `top`, each combined with the heading around it,
/// and the tag of images if there are visible ones. Sorted, without duplicates.
fn text_tags(page: &Page, top: Node) -> Vec<u32> {
    let tree = &page.tree;
    let mut out: Vec<u32> = Vec::new();
    for node in (top..tree.end(top)).take(MAX_SAMPLED_NODES) {
        if tree.tag(node) == tags::IMG && page.styles.is_shown(node) {
            out.push(u32::from(tags::IMG));
        }
        if !tree.is_text(node) || page.index.leaves(&(node..node + 1)) == 0 {
            continue;
        }
        let mut around = tree.ancestors(node).take_while(|&up| up > top).take(MAX_TAGS_ABOVE);
        let own = around.find(|&up| !tags::is_formatting(tree.tag(up))).map_or(0, |up| tree.tag(up));
        let heading = around.take(2).map(|up| tree.tag(up)).find(|&tag| tags::is_heading(tag)).unwrap_or(0);
        out.push(u32::from(own) << 16 | u32::from(heading));
    }
    out.sort_unstable();
    out.dedup();
    out
}
