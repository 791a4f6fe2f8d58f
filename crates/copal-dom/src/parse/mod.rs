//! Text to [`Tree`], bounded while it happens.
//!
//! In: decoded text and [`Limits`]. Out: the HTML5 tree and the limits that were hit. html5ever parses; a
//! guard in front of its tree builder drops what would exceed a limit. The text is fed in chunks, so that the
//! clock is checked even inside one enormous tag. Scripting is off, so that the content of `noscript` is
//! parsed.

mod element_names;
mod flatten;
mod guard;
mod long_tag;
mod sink;

use crate::cpu_clock::CpuClock;
use crate::limits::{Limit, Limits};
use crate::tree::Tree;
use guard::Guard;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use sink::DraftSink;
use std::rc::Rc;

/// Bytes that the tokenizer gets at once.
const CHUNK_BYTES: usize = 4096;

/// Parses a page. Never fails: what exceeds a limit is dropped, and the limits that were hit are returned.
pub fn parse(text: &str, limits: &Limits) -> (Tree, Vec<Limit>) {
    parse_chunked(text, limits, CHUNK_BYTES)
}

/// [`parse`] with another chunk size, for tests: the result must not depend on it.
pub fn parse_chunked(text: &str, limits: &Limits, chunk: usize) -> (Tree, Vec<Limit>) {
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let builder = TreeBuilder::new(DraftSink::new(limits), options);
    let queue = Rc::new(BufferQueue::default());
    let guard = Guard::new(builder, Rc::clone(&queue), limits.clone(), CpuClock::start());
    // html5ever would discard a byte-order mark at the beginning of every chunk; only the first one is a mark
    let options = TokenizerOpts { discard_bom: false, ..Default::default() };
    let tokenizer = Tokenizer::new(guard, options);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);

    let mut at = 0;
    while at < text.len() && !tokenizer.sink.stopped() {
        let len = floor_char_boundary(&text[at..], chunk);
        tokenizer.sink.chunk(text, at, len);
        queue.push_back(StrTendril::from_slice(&text[at..at + len]));
        at += len;
        // html5ever pauses after each script so that it could be run
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    }
    tokenizer.end();
    tokenizer.sink.finish()
}

/// The last character boundary at or before `at`, but at least one character: a chunk must not be empty.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.max(4);
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(text.len())
}
