//! The guard between tokenizer and tree builder: limits act here, during the parse.
//!
//! In: tokens. Out: the same tokens, less those beyond a limit. A count after the parse would come too late (40 KB of
//! reopened formatting tags become millions of nodes), and a cap in the sink alone is not enough, because the tree
//! builder goes on working (nested `div` is quadratic inside it). So:
//! * nodes, text, attributes in all, or time used up: every further token is dropped;
//! * far too deep: the start tag is dropped, and so is its end tag; its text stays ([`super::flatten`] does the same
//!   to what is only just too deep);
//! * a value that is too long is emptied;
//! * one tag with too many attributes: the input ends before it (the tokenizer compares each with all before it).

use super::flatten::flatten;
use super::is_raw;
use super::long_tag::LongTag;
use super::sink::Sink;
use crate::limits::{Limit, Limits};
use crate::tree::{Node, Tree};
use html5ever::LocalName;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{Tracer, TreeBuilder};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

/// Tokens between two looks at the clock.
const TICK: u32 = 64;
/// Tags after which the elements of a full builder are counted again: `</x><div>` must not cost a count each.
const COUNT_AFTER: u32 = 16;
/// Bytes without a token after which their attributes are counted.
const LONG: usize = 16_384;
/// Elements that the builder always has (`html`, `body`, …), and a few more.
const ROOM: usize = 8;
/// How far below the top a dropped start tag may lie to be closed by an end tag.
const REACH: usize = 16;

pub(super) struct Guard {
    builder: TreeBuilder<Node, Sink>,
    limits: Limits,
    start: Instant,
    stop: Cell<bool>,
    ticks: Cell<u32>,
    /// Elements that the builder had open or was to reopen when they were counted last.
    held: Cell<usize>,
    /// No tag went to the builder since.
    counted: Cell<bool>,
    /// Tags since then, those included that were dropped.
    tags: Cell<u32>,
    /// What the tokenizer reads from.
    queue: Rc<BufferQueue>,
    /// Where the chunk ends that is being tokenized.
    chunk_end: Cell<usize>,
    /// Where the input begins that has not become a token yet.
    silent_from: Cell<usize>,
    /// What that is, once it is long, and how far it was looked at.
    long_tag: Cell<(LongTag, usize)>,
    /// Bytes of text that were let through; the builder may not have put them into the tree yet (text in tables).
    text_bytes: Cell<usize>,
    /// The builder is inside a script or the like: it must get the end tag, or it panics at the next tag.
    in_raw: Cell<bool>,
    /// Start tags that were dropped and not closed yet.
    dropped: RefCell<Vec<LocalName>>,
}

impl Guard {
    pub(super) fn new(
        builder: TreeBuilder<Node, Sink>,
        queue: Rc<BufferQueue>,
        limits: Limits,
        start: Instant,
    ) -> Self {
        Guard {
            builder,
            limits,
            start,
            stop: Cell::new(false),
            ticks: Cell::new(0),
            held: Cell::new(0),
            counted: Cell::new(false),
            tags: Cell::new(COUNT_AFTER),
            queue,
            chunk_end: Cell::new(0),
            silent_from: Cell::new(0),
            long_tag: Cell::new((LongTag::new(), 0)),
            text_bytes: Cell::new(0),
            in_raw: Cell::new(false),
            dropped: RefCell::new(Vec::new()),
        }
    }

    pub(super) fn stopped(&self) -> bool {
        self.stop.get()
    }

    /// `text[at..at + len]` is about to be tokenized.
    pub(super) fn chunk(&self, text: &str, at: usize, len: usize) {
        self.look_at_clock();
        self.chunk_end.set(at + len);
        let (text, from) = (text.as_bytes(), self.silent_from.get());
        if at - from < LONG {
            return;
        }
        let (mut tag, mut done) = self.long_tag.get();
        if done <= from {
            // the tokenizer looks one character ahead: the `<` may have gone with the token before
            done = from - usize::from(text[..from].ends_with(b"<"));
            tag = LongTag::new();
        }
        tag.read(&text[done..at + len]);
        self.long_tag.set((tag, at + len));
        if tag.attributes > self.limits.attributes {
            self.stop(Limit::Attributes);
        }
    }

    /// A token came: what was read before it is done with.
    fn end_silence(&self) {
        let left = self.queue.pop_front().map_or(0, |buffer| {
            // behind it there is another one only if the tokenizer put something back
            let behind = if self.queue.is_empty() { 0 } else { self.left_behind() };
            let left = buffer.len() + behind;
            self.queue.push_front(buffer);
            left
        });
        self.silent_from.set(self.chunk_end.get().saturating_sub(left));
    }

    #[cold]
    fn left_behind(&self) -> usize {
        let buffers: Vec<StrTendril> = std::iter::from_fn(|| self.queue.pop_front()).collect();
        let left = buffers.iter().map(|buffer| buffer.len()).sum();
        for buffer in buffers {
            self.queue.push_back(buffer);
        }
        left
    }

    fn stop(&self, limit: Limit) {
        self.note(limit);
        self.stop.set(true);
    }

    fn note(&self, limit: Limit) {
        self.builder.sink.note(limit);
    }

    fn look_at_clock(&self) {
        if self.start.elapsed() > self.limits.time {
            self.stop(Limit::Time);
        }
    }

    /// Counts the elements that the builder works with: html5ever does not tell when it closes one. O(their number).
    fn look_at_builder(&self) {
        let held = Count(Cell::new(0));
        self.builder.trace_handles(&held);
        self.held.set(held.0.get());
        self.counted.set(true);
        self.tags.set(0);
    }

    /// True if the builder should get no more elements: each token costs it a walk over those it has.
    fn is_full(&self) -> bool {
        let most = self.limits.depth.saturating_mul(2).saturating_add(ROOM);
        if self.builder.sink.depth() < self.limits.depth && self.held.get() < most {
            return false;
        }
        if !self.counted.get() && self.tags.get() >= COUNT_AFTER {
            self.look_at_builder();
        }
        self.held.get() >= most
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

    /// False if the tag is to be dropped.
    fn admit(&self, tag: &mut Tag) -> bool {
        let mut dropped = self.dropped.borrow_mut();
        self.tags.set(self.tags.get() + 1);
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
                self.in_raw.set(is_raw(&tag.name));
                self.shorten(tag);
            }
            TagKind::EndTag if was_raw || dropped.is_empty() => {}
            TagKind::EndTag => {
                if !self.is_full() {
                    dropped.clear();
                }
                let reach = dropped.len().saturating_sub(REACH);
                if let Some(at) = dropped[reach..].iter().rposition(|name| *name == tag.name) {
                    dropped.truncate(reach + at);
                    return false;
                }
            }
        }
        self.counted.set(false);
        true
    }

    /// True if the tokenizer will read what follows as text. Without the start tag a script would become tags and text
    /// of the page; in SVG it is an element like others.
    fn starts_raw(&self, name: &LocalName) -> bool {
        is_raw(name) && !self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

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

/// Counts what the tree builder holds.
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Node;

    fn trace_handle(&self, _: &Node) {
        self.0.set(self.0.get() + 1);
    }
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        &**name,
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

impl TokenSink for Guard {
    type Handle = Node;

    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Node> {
        if let Token::ParseError(_) = token {
            return TokenSinkResult::Continue;
        }
        self.end_silence();
        self.ticks.set(self.ticks.get() + 1);
        if self.ticks.get() >= TICK {
            self.ticks.set(0);
            self.look_at_clock();
            self.look_at_builder();
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
            // the text of a stopped page is no longer wanted, nor are its tags
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
            // in foreign content it becomes a character of three bytes
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
