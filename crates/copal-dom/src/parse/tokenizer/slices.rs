//! Slices of a page in the form that html5ever's tree builder takes.
//!
//! In: ranges of the text, mostly forward. Out: tendrils that share a copy of the part around them, so that a
//! slice costs neither an allocation nor a copy of its own. Only the part in use is held. O(bytes) over a page.

use html5ever::tendril::StrTendril;
use std::ops::Range;

/// Bytes that are copied at once.
const PART_BYTES: usize = 1 << 16;
/// Tendrils hold texts up to this length without a shared copy.
const INLINE_BYTES: usize = 8;

pub(super) struct SharedSlices<'t> {
    text: &'t str,
    part: StrTendril,
    part_start: usize,
    part_bytes: usize,
}

impl<'t> SharedSlices<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self::with_part_bytes(text, PART_BYTES)
    }

    fn with_part_bytes(text: &'t str, part_bytes: usize) -> Self {
        SharedSlices { text, part: StrTendril::new(), part_start: 0, part_bytes }
    }

    pub(super) fn tendril(&mut self, range: Range<usize>) -> StrTendril {
        if range.len() <= INLINE_BYTES {
            return StrTendril::from_slice(&self.text[range]);
        }
        if range.start < self.part_start || range.end > self.part_start + self.part.len() {
            let end = self.text.floor_char_boundary(range.start.saturating_add(self.part_bytes));
            self.part = StrTendril::from_slice(&self.text[range.start..end.max(range.end)]);
            self.part_start = range.start;
        }
        self.part.subtendril((range.start - self.part_start) as u32, range.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedSlices;

    #[test]
    fn slices_are_those_of_the_text_wherever_parts_end() {
        let text: String =
            (0..400).map(|i| if i % 7 == 0 { '日' } else { 'é' }).chain("end".chars()).collect();
        let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for part_bytes in [1, 7, 64, 333, 5000] {
            let mut slices = SharedSlices::with_part_bytes(&text, part_bytes);
            for step in [1, 3, 17, 200] {
                for pair in boundaries.chunks(step) {
                    let range = pair[0]..pair[pair.len() - 1];
                    assert_eq!(&*slices.tendril(range.clone()), &text[range]);
                }
            }
        }
    }
}
