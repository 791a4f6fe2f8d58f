//! Text to [`Tree`], bounded while it happens.
//!
//! In: decoded text and [`Limits`]. Out: the HTML5 tree and the limits that were hit. html5ever does the work; a
//! `guard` in front of its tree builder drops what would go beyond a limit, and the text is fed in chunks, so
//! that the clock is looked at even inside one enormous tag. Scripting is off, so `noscript` has elements.

mod flatten;
mod guard;
mod long_tag;
mod sink;

use crate::limits::{Limit, Limits};
use crate::tree::Tree;
use guard::Guard;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use std::rc::Rc;
use std::time::Instant;

/// Bytes handed to the tokenizer at once.
const CHUNK: usize = 4096;

/// Parses a page. Never fails: what is beyond a limit is left out and the limit is named.
pub fn parse(text: &str, limits: &Limits) -> (Tree, Vec<Limit>) {
    parse_chunked(text, limits, CHUNK)
}

/// [`parse`] with another chunk size; the result does not depend on it.
pub fn parse_chunked(text: &str, limits: &Limits, chunk: usize) -> (Tree, Vec<Limit>) {
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let builder = TreeBuilder::new(sink::Sink::new(limits), options);
    let queue = Rc::new(BufferQueue::default());
    let guard = Guard::new(builder, Rc::clone(&queue), limits.clone(), Instant::now());
    // html5ever discards a byte-order mark at the beginning of every chunk, so it is done here, once
    let options = TokenizerOpts { discard_bom: false, ..Default::default() };
    let tokenizer = Tokenizer::new(guard, options);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);

    let mut at = 0;
    while at < text.len() && !tokenizer.sink.stopped() {
        let len = floor_char_boundary(&text[at..], chunk);
        tokenizer.sink.chunk(text, at, len);
        queue.push_back(StrTendril::from_slice(&text[at..at + len]));
        at += len;
        // html5ever stops after each script for one that could be run; none is
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    }
    tokenizer.end();
    tokenizer.sink.finish()
}

fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.max(4);
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(text.len())
}

/// Elements whose content the tokenizer reads as text, though it is not what a page says.
fn is_raw(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "title" | "textarea" | "iframe" | "noembed" | "noframes" | "xmp" | "plaintext"
    )
}
