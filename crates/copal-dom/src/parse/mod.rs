//! Text to [`Tree`], bounded while it happens.
//!
//! In: decoded text and [`Limits`]. Out: the HTML5 tree and the limits that were hit. Our `tokenizer` reads the
//! text, html5ever builds the tree, and a guard between them drops what would exceed a limit. Scripting is off,
//! so that the content of `noscript` is parsed.

mod element_names;
mod flatten;
mod guard;
mod sink;
mod tokenizer;

use crate::cpu_clock::CpuClock;
use crate::limits::{Limit, Limits};
use crate::tree::Tree;
use guard::Guard;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use sink::DraftSink;
use tokenizer::{TagLimits, Tokenizer, with_line_feeds};

/// Parses a page. Never fails: what exceeds a limit is dropped, and the limits that were hit are returned.
pub fn parse(text: &str, limits: &Limits) -> (Tree, Vec<Limit>) {
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let builder = TreeBuilder::new(DraftSink::new(limits), options);
    let guard = Guard::new(builder, limits.clone(), CpuClock::start());
    // a limit of no time must hold for small pages too
    guard.check_clock();
    let text = with_line_feeds(text.strip_prefix('\u{feff}').unwrap_or(text));
    let tag_limits = TagLimits { attributes: limits.attributes, value_bytes: limits.attribute_bytes };
    let mut tokenizer = Tokenizer::new(&text, guard, tag_limits);
    while !tokenizer.sink.stopped() && tokenizer.step() {}
    tokenizer.end();
    tokenizer.sink.finish()
}
