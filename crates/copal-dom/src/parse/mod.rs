//! Text to [`Tree`], bounded while it happens.
//!
//! In: decoded text and [`Limits`]. Out: the HTML5 tree and the limits that were hit. The `tokenizer` reads the text,
//! and the `tree_builder`, in which the limits act, builds the tree. Scripting is off, so that the content of
//! `noscript` is parsed.

mod element_names;
mod flatten;
mod tokenizer;
mod tree_builder;

use crate::cpu_clock::CpuClock;
use crate::limits::{Limit, Limits};
use crate::tree::Tree;
use tokenizer::{TagLimits, TokenSink, Tokenizer, with_line_feeds};
use tree_builder::TreeBuilder;

/// Parses a page. Never fails: what exceeds a limit is dropped, and the limits that were hit are returned.
pub fn parse(text: &str, limits: &Limits) -> (Tree, Vec<Limit>) {
    let builder = TreeBuilder::new(limits, CpuClock::start());
    let text = with_line_feeds(text.strip_prefix('\u{feff}').unwrap_or(text));
    let tag_limits = TagLimits { attributes: limits.attributes, value_bytes: limits.attribute_bytes };
    let mut tokenizer = Tokenizer::new(&text, builder, tag_limits);
    while !tokenizer.sink.is_stopped() && tokenizer.step() {}
    tokenizer.sink.end();
    tokenizer.sink.finish()
}
