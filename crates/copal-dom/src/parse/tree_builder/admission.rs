//! Limits that act while the tree is built: which tokens the rules get.
//!
//! In: tokens. Out: whether they are admitted, and the limits that were hit. A count after the parse would come too
//! late (40 KB of reopened formatting tags become millions of nodes), and a limit on the nodes alone is not enough,
//! because the rules walk over the open elements (nested `div` is quadratic). So:
//! * if nodes, text, attributes in total or time are used up, every further token is dropped;
//! * if a start tag is far too deep, it is dropped together with its end tag, but its text is kept
//!   ([`flatten`](crate::parse::flatten) does the same to elements that are only just too deep);
//! * what is too much of one tag was already left out by the tokenizer.
//!
//! Everything but time is counted, so that a page gives the same tree on every machine. O(1) per token.

use super::{EndTag, Mode, StartTag, TreeBuilder};
use crate::attrs::AttrRange;
use crate::cpu_clock::CpuClock;
use crate::limits::{Limit, Limits};
use crate::parse::element_names::{is_raw_text, is_void};
use crate::tags::TagName;

/// Tokens between two checks of the clock.
const TOKENS_PER_CLOCK_CHECK: u32 = 64;
/// Room for elements that are always there (`html`, `body` …).
const ELEMENT_COUNT_MARGIN: usize = 4;
/// How many dropped start tags are searched for the one that an end tag closes.
const MAX_DROPPED_SEARCH: usize = 16;
/// Bytes of attributes that any page may have, however small its limits are.
const MIN_ATTRIBUTE_BYTES: usize = 1 << 20;

pub(super) struct Admission {
    limits: Limits,
    clock: CpuClock,
    is_stopped: bool,
    tokens_since_check: u32,
    /// Bytes of text that were admitted. They may not be in the tree yet (text in tables), or never.
    text_bytes: usize,
    /// Bytes of attributes (names and values) that elements may still have. Elements that are created again count
    /// again.
    attribute_room: usize,
    /// Names of dropped start tags that are not closed yet.
    dropped: Vec<TagName>,
    hit: Vec<Limit>,
}

impl Admission {
    pub(super) fn new(limits: &Limits, clock: CpuClock) -> Admission {
        // without elements that are created again, attributes are hardly longer than the page; character
        // references may grow a little
        let attribute_room = limits.bytes.saturating_mul(2).clamp(MIN_ATTRIBUTE_BYTES, u32::MAX as usize / 2);
        let mut admission = Admission {
            limits: limits.clone(),
            clock,
            is_stopped: false,
            tokens_since_check: 0,
            text_bytes: 0,
            attribute_room,
            dropped: Vec::new(),
            hit: Vec::new(),
        };
        // a limit of no time must hold for small pages too
        admission.check_clock();
        admission
    }

    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    pub(super) fn max_depth(&self) -> usize {
        self.limits.depth
    }

    pub(super) fn into_hit(self) -> Vec<Limit> {
        self.hit
    }

    #[cold]
    pub(super) fn note(&mut self, limit: Limit) {
        if !self.hit.contains(&limit) {
            self.hit.push(limit);
        }
    }

    #[cold]
    fn stop(&mut self, limit: Limit) {
        self.note(limit);
        self.is_stopped = true;
    }

    #[cold]
    fn check_clock(&mut self) {
        self.tokens_since_check = 0;
        if self.clock.elapsed() > self.limits.time {
            self.stop(Limit::Time);
        }
    }
}

impl TreeBuilder {
    /// False if a limit has ended the page.
    #[inline]
    pub(super) fn begin_token(&mut self) -> bool {
        let admission = &mut self.admission;
        admission.tokens_since_check += 1;
        if admission.tokens_since_check >= TOKENS_PER_CLOCK_CHECK {
            admission.check_clock();
        }
        if self.draft.len() >= admission.limits.nodes {
            admission.stop(Limit::Nodes);
        }
        if admission.attribute_room == 0 {
            admission.stop(Limit::Attributes);
        }
        !admission.is_stopped
    }

    /// True if there should be no more elements: the rules may walk over all that are open or will be opened again.
    #[inline]
    fn is_full(&self) -> bool {
        let (max_depth, formatting) = (self.admission.limits.depth, self.formatting.element_count());
        // together, the formatting elements alone would be too deep when they are opened again
        formatting > max_depth
            || self.stack.len() + formatting
                >= max_depth.saturating_mul(2).saturating_add(ELEMENT_COUNT_MARGIN)
    }

    /// False if the tag has to be dropped.
    #[inline]
    pub(super) fn admit_start_tag(&mut self, tag: StartTag) -> bool {
        // Without its start tag, a script would become tags and text of the page. In SVG, it is an ordinary element.
        if !self.is_full() || is_raw_text(tag.tag) && !self.is_foreign() {
            return true;
        }
        self.admission.note(Limit::Depth);
        if !tag.self_closing && !is_void(tag.tag) {
            self.admission.dropped.push(tag.name);
        }
        false
    }

    /// False if the tag has to be dropped, because it closes a start tag that was.
    #[inline]
    pub(super) fn admit_end_tag(&mut self, tag: EndTag) -> bool {
        self.mode == Mode::Text || self.admission.dropped.is_empty() || !self.closes_dropped(tag)
    }

    #[cold]
    fn closes_dropped(&mut self, tag: EndTag) -> bool {
        let is_full = self.is_full();
        let dropped = &mut self.admission.dropped;
        if !is_full {
            dropped.clear();
        }
        let from = dropped.len().saturating_sub(MAX_DROPPED_SEARCH);
        let found = dropped[from..].iter().rposition(|name| *name == tag.name);
        if let Some(at) = found {
            dropped.truncate(from + at);
        }
        found.is_some()
    }

    /// As much of a text as there is room for.
    #[inline]
    pub(super) fn admit_text<'t>(&mut self, text: &'t str) -> &'t str {
        let used = self.admission.text_bytes.max(self.draft.text_len());
        let room = self.admission.limits.text_bytes.saturating_sub(used);
        let mut kept = text;
        if text.len() > room {
            self.admission.stop(Limit::TextBytes);
            kept = &text[..text.floor_char_boundary(room)];
        }
        self.admission.text_bytes = used + kept.len();
        kept
    }

    /// False if there is no room for a replacement character.
    pub(super) fn admit_replacement(&mut self) -> bool {
        let fits = self.draft.text_len() + '\u{fffd}'.len_utf8() <= self.admission.limits.text_bytes;
        if !fits {
            self.admission.stop(Limit::TextBytes);
        }
        fits
    }

    /// Those of an element's attributes for which there is room.
    #[inline]
    pub(super) fn admit_attributes(&mut self, attrs: AttrRange) -> AttrRange {
        if attrs.len == 0 {
            return attrs;
        }
        let table = self.draft.known_attrs();
        match self.admission.attribute_room.checked_sub(table.bytes(attrs)) {
            Some(room) => {
                self.admission.attribute_room = room;
                attrs
            }
            None => self.cut_attributes(attrs),
        }
    }

    #[cold]
    fn cut_attributes(&mut self, attrs: AttrRange) -> AttrRange {
        let table = self.draft.known_attrs();
        let mut room = std::mem::take(&mut self.admission.attribute_room);
        let fits = |entry: &_| {
            let left = room.checked_sub(table.entry_bytes(*entry));
            room = left.unwrap_or(0);
            left.is_some()
        };
        let len = table.entries(attrs).iter().copied().take_while(fits).count();
        AttrRange { len: len as u32, ..attrs }
    }
}
