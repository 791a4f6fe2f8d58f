//! What all records of a list have, at whatever depth it stands.
//!
//! In: elements. Out: [`Common`]: the tags right around their texts that all have ("a heading with a link, a paragraph, a
//! link"), and how much text. A record of a second template has them too, though its shape is another one.
//! O(nodes of a few records).

use copal_dom::{Node, Page, tags};

/// Records that are looked at, and nodes of each.
const SAMPLE: usize = 7;
const NODES: usize = 1000;
/// Elements around a text that are looked at.
const ABOVE: usize = 8;
/// Marks from which on they tell a record from other things.
const TELLING: usize = 3;
/// How many times as much text, or as little, a record may have.
const SIZES: u32 = 3;

/// See the module.
pub(super) struct Common {
    marks: Vec<u32>,
    chars: u32,
}

impl Common {
    pub(super) fn of(page: &Page, records: impl ExactSizeIterator<Item = Node>) -> Common {
        let step = (records.len() / SAMPLE).max(1);
        let mut common: Option<Vec<u32>> = None;
        let (mut chars, mut sample) = (0, 0);
        for record in records.step_by(step).take(SAMPLE) {
            let own = marks(page, record);
            chars += page.index.chars(&(record..page.tree.end(record)));
            sample += 1;
            match &mut common {
                Some(common) => common.retain(|mark| own.binary_search(mark).is_ok()),
                None => common = Some(own),
            }
        }
        Common { marks: common.unwrap_or_default(), chars: chars / sample.max(1) }
    }

    /// True if an element has what all records have, and about as much text.
    pub(super) fn is_in(&self, page: &Page, node: Node) -> bool {
        let chars = page.index.chars(&(node..page.tree.end(node)));
        if self.marks.len() < TELLING || chars > SIZES * self.chars || self.chars > SIZES * chars {
            return false;
        }
        let own = marks(page, node);
        self.marks.iter().all(|mark| own.binary_search(mark).is_ok())
    }
}

/// The tags right around the texts of an element, with the heading above, sorted, none twice.
fn marks(page: &Page, top: Node) -> Vec<u32> {
    let tree = &page.tree;
    let mut out: Vec<u32> = Vec::new();
    for node in (top..tree.end(top)).take(NODES) {
        if tree.tag(node) == tags::IMG && page.styles.is_shown(node) {
            out.push(u32::from(tags::IMG));
        }
        if !tree.is_text(node) || page.index.leaves(&(node..node + 1)) == 0 {
            continue;
        }
        let mut around = tree.ancestors(node).take_while(|&up| up > top).take(ABOVE);
        let own = around.find(|&up| !tags::is_formatting(tree.tag(up))).map_or(0, |up| tree.tag(up));
        let heading = around.take(2).map(|up| tree.tag(up)).find(|&tag| tags::is_heading(tag)).unwrap_or(0);
        out.push(u32::from(own) << 16 | u32::from(heading));
    }
    out.sort_unstable();
    out.dedup();
    out
}
