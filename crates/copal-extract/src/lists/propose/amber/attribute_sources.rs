//! Where the texts of a domain's attributes were read.
//!
//! In: annotations, whose spans are in the text runs of the page, and elements. Out: [`Source`]s, whose spans
//! are in line text. Both texts have the same visible characters in the same order and differ only in white
//! space, so a position is translated by counting characters inside one text node. O(text of the node) per
//! annotation.

use crate::structure::line_text::{LineIndex, attribute_source};
use copal_dom::{Node, Page, attrs, push_collapsed, tags};
use copal_domain::AttributeAnnotation;
use copal_domain::{AnnotationPlace, TextRuns};
use copal_model::Source;
use std::ops::Range;

/// Translates the positions of texts on one page.
pub(super) struct AttributeSources<'a> {
    page: &'a Page,
    run: TextRuns,
    lines: LineIndex,
}

impl<'a> AttributeSources<'a> {
    pub(super) fn new(page: &'a Page) -> AttributeSources<'a> {
        AttributeSources { page, run: TextRuns::new(page), lines: LineIndex::new(page) }
    }

    /// The source of an annotation's text. None if the text is made of several HTML attributes.
    pub(super) fn annotation(&self, found: &AttributeAnnotation) -> Option<Source> {
        match &found.place {
            AnnotationPlace::Text(span) => self.visible(found.node, span),
            AnnotationPlace::Attribute(name, span) => {
                let value = self.page.tree.attr(found.node, *name)?;
                let part = value.get(span.clone()).filter(|part| *part == found.text)?;
                Some(attribute_source(found.node, *name, value, part))
            }
            AnnotationPlace::Element => {
                let name = match self.page.tree.tag(found.node) {
                    tags::A => attrs::HREF,
                    tags::IMG => attrs::SRC,
                    _ => return None,
                };
                let value = self.page.tree.attr(found.node, name)?;
                let part = Some(value.trim()).filter(|part| *part == found.text)?;
                Some(attribute_source(found.node, name, value, part))
            }
        }
    }

    /// The source of all visible text of an element.
    pub(super) fn element(&self, node: Node) -> Option<Source> {
        let length = self.lines.len(&(node..self.page.tree.end(node)));
        (length > 0).then_some(Source { node, span: 0..length, attribute: None })
    }

    fn visible(&self, node: Node, span: &Range<usize>) -> Option<Source> {
        let text = self.run.text(span);
        let first = text.char_indices().find(|(_, c)| is_visible(*c))?.0;
        let last = text.char_indices().rfind(|(_, c)| is_visible(*c))?.0;
        let start = self.character(node, span.start + first)?.start;
        let end = self.character(node, span.start + last)?.end;
        (start < end).then_some(Source { node, span: start..end, attribute: None })
    }

    /// The bytes of a character of the text run in the line text of an element.
    fn character(&self, element: Node, at: usize) -> Option<Range<u32>> {
        let (text_node, before) = self.run.position(at)?;
        let count = before.chars().filter(|c| is_visible(*c)).count();
        let mut collapsed = String::new();
        push_collapsed(&mut collapsed, self.page.tree.raw_text(text_node));
        let (byte, c) = collapsed.char_indices().filter(|(_, c)| is_visible(*c)).nth(count)?;
        let start = self.lines.offset(element, text_node) + byte as u32;
        Some(start..start + c.len_utf8() as u32)
    }
}

/// Characters that both texts have; see [`push_collapsed`].
fn is_visible(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '\u{200b}' | '\u{feff}')
}
