//! What the tree builder does with each kind of token (13.2.6, "tree construction dispatcher").
//!
//! In: tokens from the tokenizer. Out: calls of the rules, for tokens that are admitted.

use super::{EndTag, Mode, StartTag, Step, TreeBuilder, UNKNOWN_NAME, quirks};
use crate::attrs::Attrs;
use crate::limits::Limit;
use crate::parse::flatten::flatten;
use crate::parse::tokenizer::{Content, Doctype, TagParts, TokenSink};
use crate::tree::Tree;

impl TreeBuilder {
    /// True if a limit ended the page.
    #[inline]
    pub(in crate::parse) fn is_stopped(&self) -> bool {
        self.admission.is_stopped()
    }

    /// The tree and the limits that were hit.
    pub(in crate::parse) fn finish(self) -> (Tree, Vec<Limit>) {
        let max_depth = self.admission.max_depth();
        let mut hit = self.admission.into_hit();
        let tree = self.draft.finish();
        let Some(flat) = flatten(&tree, max_depth) else { return (tree, hit) };
        if !hit.contains(&Limit::Depth) {
            hit.push(Limit::Depth);
        }
        (flat, hit)
    }

    /// Text in the modes that treat white space and other characters differently.
    fn split_text(&mut self, mut text: &str) {
        while !text.is_empty() {
            if !splits_text(self.mode) {
                return self.whole_text(text);
            }
            let after = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
            let (space, rest) = text.split_at(text.len() - after.len());
            if !space.is_empty() {
                self.white_space(space);
            }
            text = rest;
            if !rest.is_empty() && self.other_characters() == Step::Done {
                let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
                text = &rest[end..];
            }
        }
    }

    /// Only white space, in a mode that [`splits_text`].
    fn white_space(&mut self, text: &str) {
        match self.mode {
            Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => {}
            Mode::AfterBody | Mode::AfterAfterBody | Mode::AfterAfterFrameset => self.body_text(text),
            _ => self.insert_text(text),
        }
    }

    /// Characters that are not white space, or NUL, in a mode that [`splits_text`]: it ends, or they are ignored.
    fn other_characters(&mut self) -> Step {
        match self.mode {
            Mode::Initial => self.end_initial(),
            Mode::BeforeHtml => self.end_before_html(),
            Mode::BeforeHead => self.end_before_head(),
            Mode::InHead => self.end_head(),
            Mode::InHeadNoscript => self.end_head_noscript(),
            Mode::AfterHead => self.end_after_head(),
            Mode::InColumnGroup => self.end_column_group(),
            Mode::AfterBody | Mode::AfterAfterBody => self.return_to_body(),
            _ => Step::Done,
        }
    }

    fn whole_text(&mut self, text: &str) {
        match self.mode {
            Mode::Text => self.insert_text(text),
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.text_in_table(text),
            Mode::InTableText => self.table_text.push_str(text),
            _ => self.body_text(text),
        }
    }
}

/// Modes whose rules treat white space and other characters differently.
fn splits_text(mode: Mode) -> bool {
    match mode {
        Mode::Initial
        | Mode::BeforeHtml
        | Mode::BeforeHead
        | Mode::InHead
        | Mode::InHeadNoscript
        | Mode::AfterHead
        | Mode::InColumnGroup
        | Mode::AfterBody
        | Mode::InFrameset
        | Mode::AfterFrameset
        | Mode::AfterAfterBody
        | Mode::AfterAfterFrameset => true,
        Mode::InBody
        | Mode::Text
        | Mode::InTable
        | Mode::InTableText
        | Mode::InCaption
        | Mode::InTableBody
        | Mode::InRow
        | Mode::InCell
        | Mode::InTemplate => false,
    }
}

impl TokenSink for TreeBuilder {
    fn attributes(&mut self) -> &mut Attrs {
        self.draft.attrs()
    }

    fn start_tag(&mut self, name: &str, parts: TagParts) -> Content {
        self.skips_line_feed = false;
        self.content = Content::Data;
        if !self.begin_token() {
            return Content::Data;
        }
        let name = self.draft.tags().intern(name);
        let TagParts { attrs, self_closing, .. } = parts;
        let tag = StartTag { name, tag: Self::tag_of(name), attrs, self_closing };
        if !self.admit_start_tag(tag) {
            return Content::Data;
        }
        if parts.too_many {
            self.admission.note(Limit::Attributes);
        }
        if parts.too_long {
            self.admission.note(Limit::AttributeBytes);
        }
        self.process_start_tag(tag);
        self.content
    }

    fn end_tag(&mut self, name: &str) {
        self.skips_line_feed = false;
        if !self.begin_token() {
            return;
        }
        let name = self.draft.known_tags().number(name).unwrap_or(UNKNOWN_NAME);
        let tag = EndTag { name, tag: Self::tag_of(name) };
        if self.admit_end_tag(tag) {
            self.process_end_tag(tag);
        }
    }

    fn text(&mut self, text: &str) {
        let skips_line_feed = std::mem::take(&mut self.skips_line_feed);
        if !self.begin_token() {
            return;
        }
        let mut text = self.admit_text(text);
        if skips_line_feed {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        if text.is_empty() {
            return;
        }
        if self.is_foreign_text() {
            self.foreign_text(text);
        } else if splits_text(self.mode) {
            self.split_text(text);
        } else {
            self.whole_text(text);
        }
    }

    fn null(&mut self) {
        self.skips_line_feed = false;
        if !self.begin_token() {
            return;
        }
        if !self.is_foreign_text() {
            // the other modes ignore it
            while splits_text(self.mode) && self.other_characters() == Step::Again {}
        } else if self.admit_replacement() {
            self.insert_text("\u{fffd}");
        }
    }

    fn comment(&mut self, _: &str) {
        self.skips_line_feed = false;
        if !self.begin_token() {
            return;
        }
        if self.mode == Mode::InTableText {
            let _ = self.end_table_text();
        }
        self.insert_comment();
    }

    fn doctype(&mut self, doctype: &Doctype) {
        self.skips_line_feed = false;
        if self.begin_token() && self.mode == Mode::Initial {
            self.set_quirks(quirks::has_quirks(doctype));
            self.mode = Mode::BeforeHtml;
        }
    }

    fn end(&mut self) {
        // a page that ends where a limit is reached hits it
        let _ = self.begin_token();
        self.process_end();
    }

    fn is_in_foreign_content(&self) -> bool {
        self.is_foreign()
    }
}
