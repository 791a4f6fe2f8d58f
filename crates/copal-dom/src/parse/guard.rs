//! The guard between tokenizer and tree builder: limits act here, during the parse.
//!
//! In: tokens. Out: the same tokens without those that exceed a limit. A count after the parse would come too
//! late (40 KB of reopened formatting tags become millions of nodes), and a limit in the sink alone is not
//! enough, because the tree builder goes on working (nested `div` is quadratic inside it). So:
//! * if nodes, text, attributes in total or time are used up, every further token is dropped;
//! * if a start tag is far too deep, it is dropped together with its end tag, but its text is kept
//!   ([`super::flatten`] does the same to elements that are only just too deep);
//! * if a value is too long, it is emptied;
//! * if one tag has too many attributes, the first of them are kept.

use super::element_names::{is_raw_text, is_void};
use super::flatten::flatten;
use super::sink::DraftSink;
use crate::cpu_clock::CpuClock;
use crate::limits::{Limit, Limits};
use crate::tree::{Node, Tree};
use html5ever::LocalName;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{Tracer, TreeBuilder};
use std::cell::{Cell, RefCell};

/// Tokens between two checks of the clock.
const TOKENS_PER_CLOCK_CHECK: u32 = 64;
/// Tags after which the elements of a full builder are counted again. Without it, each `</x><div>` would cost
/// a count.
const TAGS_PER_COUNT: u32 = 16;
/// Room for elements that the builder always has (`html`, `body` …), and a few more.
const ELEMENT_COUNT_MARGIN: usize = 8;
/// How many dropped start tags are searched for the one that an end tag closes.
const MAX_DROPPED_SEARCH: usize = 16;

pub(super) struct Guard {
    builder: TreeBuilder<Node, DraftSink>,
    limits: Limits,
    clock: CpuClock,
    stop: Cell<bool>,
    tokens_since_check: Cell<u32>,
    /// Elements that the builder had open or was going to reopen at the last count.
    open_elements: Cell<usize>,
    /// True if the builder got no tag since the last count.
    count_is_current: Cell<bool>,
    /// Tags since the last count, including dropped ones.
    tags_since_count: Cell<u32>,
    /// Bytes of text that were passed on. The builder may not have put them into the tree yet (text in
    /// tables).
    text_bytes: Cell<usize>,
    /// True inside a script or the like: the builder must get the end tag, or it panics at the next tag.
    in_raw: Cell<bool>,
    /// Names of dropped start tags that are not closed yet.
    dropped: RefCell<Vec<LocalName>>,
}

impl Guard {
    pub(super) fn new(builder: TreeBuilder<Node, DraftSink>, limits: Limits, clock: CpuClock) -> Self {
        Guard {
            builder,
            limits,
            clock,
            stop: Cell::new(false),
            tokens_since_check: Cell::new(0),
            open_elements: Cell::new(0),
            count_is_current: Cell::new(false),
            tags_since_count: Cell::new(TAGS_PER_COUNT),
            text_bytes: Cell::new(0),
            in_raw: Cell::new(false),
            dropped: RefCell::new(Vec::new()),
        }
    }

    pub(super) fn stopped(&self) -> bool {
        self.stop.get()
    }

    fn stop(&self, limit: Limit) {
        self.note(limit);
        self.stop.set(true);
    }

    fn note(&self, limit: Limit) {
        self.builder.sink.note(limit);
    }

    pub(super) fn check_clock(&self) {
        if self.clock.elapsed() > self.limits.time {
            self.stop(Limit::Time);
        }
    }

    /// Counts the elements that the builder holds: html5ever does not report when it closes one. O(their
    /// number).
    fn count_open_elements(&self) {
        let open_elements = HandleCounter(Cell::new(0));
        self.builder.trace_handles(&open_elements);
        self.open_elements.set(open_elements.0.get());
        self.count_is_current.set(true);
        self.tags_since_count.set(0);
    }

    /// True if the builder should get no more elements: for each token it walks over those it has.
    fn is_full(&self) -> bool {
        let max_open = self.limits.depth.saturating_mul(2).saturating_add(ELEMENT_COUNT_MARGIN);
        if self.builder.sink.depth() < self.limits.depth && self.open_elements.get() < max_open {
            return false;
        }
        if !self.count_is_current.get() && self.tags_since_count.get() >= TAGS_PER_COUNT {
            self.count_open_elements();
        }
        self.open_elements.get() >= max_open
    }

    pub(super) fn finish(self) -> (Tree, Vec<Limit>) {
        let (draft, mut hit) = self.builder.sink.finish();
        let tree = draft.finish();
        let Some(flat) = flatten(&tree, self.limits.depth) else { return (tree, hit) };
        if !hit.contains(&Limit::Depth) {
            hit.push(Limit::Depth);
        }
        (flat, hit)
    }

    /// Returns false if the tag has to be dropped.
    fn admit(&self, tag: &mut Tag) -> bool {
        let mut dropped = self.dropped.borrow_mut();
        self.tags_since_count.set(self.tags_since_count.get() + 1);
        let was_raw = self.in_raw.replace(false);
        match tag.kind {
            TagKind::StartTag => {
                if self.is_full() && !self.starts_raw(&tag.name) {
                    self.note(Limit::Depth);
                    if !tag.self_closing && !is_void(&tag.name) {
                        dropped.push(tag.name.clone());
                    }
                    return false;
                }
                self.in_raw.set(is_raw_text(&tag.name));
                self.shorten(tag);
            }
            TagKind::EndTag if was_raw || dropped.is_empty() => {}
            TagKind::EndTag => {
                if !self.is_full() {
                    dropped.clear();
                }
                let from = dropped.len().saturating_sub(MAX_DROPPED_SEARCH);
                if let Some(at) = dropped[from..].iter().rposition(|name| *name == tag.name) {
                    dropped.truncate(from + at);
                    return false;
                }
            }
        }
        self.count_is_current.set(false);
        true
    }

    /// True if the tokenizer will read what follows as text. Without its start tag, a script would become
    /// tags and text of the page. In SVG, these names are ordinary elements.
    fn starts_raw(&self, name: &LocalName) -> bool {
        is_raw_text(name) && !self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// Drops attributes and values beyond the limits.
    fn shorten(&self, tag: &mut Tag) {
        if tag.attrs.len() > self.limits.attributes {
            tag.attrs.truncate(self.limits.attributes);
            self.note(Limit::Attributes);
        }
        for attr in &mut tag.attrs {
            if attr.value.len() > self.limits.attribute_bytes {
                attr.value = StrTendril::new();
                self.note(Limit::AttributeBytes);
            }
        }
    }
}

/// Counts the elements that the tree builder holds.
struct HandleCounter(Cell<usize>);

impl Tracer for HandleCounter {
    type Handle = Node;

    fn trace_handle(&self, _: &Node) {
        self.0.set(self.0.get() + 1);
    }
}

impl TokenSink for Guard {
    type Handle = Node;

    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Node> {
        self.tokens_since_check.set(self.tokens_since_check.get() + 1);
        if self.tokens_since_check.get() >= TOKENS_PER_CLOCK_CHECK {
            self.tokens_since_check.set(0);
            self.check_clock();
            self.count_open_elements();
        }
        let sink = &self.builder.sink;
        if sink.nodes() >= self.limits.nodes {
            self.stop(Limit::Nodes);
        }
        if !sink.has_attribute_room() {
            self.stop(Limit::Attributes);
        }
        match &mut token {
            Token::EOFToken => return self.builder.process_token(token, line),
            // a limit ended the page: drop its remaining text and tags
            _ if self.stop.get() => return TokenSinkResult::Continue,
            Token::TagToken(tag) => {
                if !self.admit(tag) {
                    return TokenSinkResult::Continue;
                }
            }
            Token::CharacterTokens(text) => {
                let used = self.text_bytes.get().max(sink.text_len());
                let room = self.limits.text_bytes.saturating_sub(used);
                if text.len() > room {
                    self.stop(Limit::TextBytes);
                    let keep = (0..=room).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
                    *text = StrTendril::from_slice(&text[..keep]);
                }
                self.text_bytes.set(used + text.len());
            }
            // in foreign content, NUL becomes a character of three bytes
            Token::NullCharacterToken if sink.text_len() + 3 > self.limits.text_bytes => {
                self.stop(Limit::TextBytes);
                return TokenSinkResult::Continue;
            }
            _ => {}
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
