//! Tokens to a tree: section 13.2.6 of the HTML standard, "tree construction".
//!
//! In: tokens. Out: a [`Draft`], with limits acting on the way ([`admission`]). Parse errors are not reported, and
//! scripting is off. No recursion. O(tokens × open elements) in the worst case, where the number of open elements is
//! limited; nearly all tokens look at a few of them.
//!
//! The tree is that of html5ever, with which tests compare it. The contents of a `template` are its children; the style
//! stage hides them.
//!
//! The insertion modes are in [`head_modes`] (until the head ends), [`body_start_tags`] and [`body_end_tags`],
//! [`table_modes`] and [`late_modes`] (templates, framesets, after the body). They share [`open_elements`],
//! [`formatting`], [`adoption`] (the adoption agency) and [`insertion`] (foster parenting). [`foreign`] has the rules
//! for SVG and `MathML`.

mod admission;
mod adoption;
mod body_end_tags;
mod body_start_tags;
mod element_classes;
mod foreign;
mod foreign_names;
mod formatting;
mod head_modes;
mod insertion;
mod late_modes;
mod open_elements;
mod quirks;
mod table_modes;
mod tokens;

use crate::attrs::{AttrName, AttrRange};
use crate::cpu_clock::CpuClock;
use crate::draft::Draft;
use crate::limits::Limits;
use crate::parse::tokenizer::Content;
use crate::tags::{Tag, TagName, Tags};
use crate::tree::{NONE, Node};
use admission::Admission;
use formatting::ActiveFormatting;
use open_elements::OpenElements;
use rustc_hash::FxHashSet;

/// The insertion mode (13.2.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What becomes of a token after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
enum Step {
    Done,
    /// "Reprocess the token", in the mode that is set now.
    Again,
}

#[derive(Debug, Clone, Copy)]
struct StartTag {
    name: TagName,
    tag: Tag,
    attrs: AttrRange,
    self_closing: bool,
}

impl StartTag {
    /// A tag that is not in the page.
    fn implied(tag: Tag) -> StartTag {
        StartTag { name: TagName::from(tag), tag, attrs: AttrRange::default(), self_closing: false }
    }
}

#[derive(Debug, Clone, Copy)]
struct EndTag {
    /// [`UNKNOWN_NAME`] if no element has it.
    name: TagName,
    tag: Tag,
}

/// Equals no name that an element has.
const UNKNOWN_NAME: TagName = TagName::MAX >> 1;

pub(super) struct TreeBuilder {
    draft: Draft,
    admission: Admission,
    mode: Mode,
    /// Where "text" and "in table text" return to.
    original_mode: Mode,
    template_modes: Vec<Mode>,
    stack: OpenElements,
    formatting: ActiveFormatting,
    head: Node,
    form: Node,
    /// "Pending table character tokens".
    table_text: String,
    frameset_ok: bool,
    is_quirks: bool,
    fosters: bool,
    /// The next token is dropped if it is a line feed.
    skips_line_feed: bool,
    /// How the tokenizer has to read what follows a start tag.
    content: Content,
    /// Attributes that were already merged into `html` or `body`.
    merged_attributes: FxHashSet<(Node, AttrName)>,
    merge_count: usize,
}

impl TreeBuilder {
    pub(super) fn new(limits: &Limits, clock: CpuClock) -> TreeBuilder {
        TreeBuilder {
            draft: Draft::new(),
            admission: Admission::new(limits, clock),
            mode: Mode::Initial,
            original_mode: Mode::Initial,
            template_modes: Vec::new(),
            stack: OpenElements::new(),
            formatting: ActiveFormatting::default(),
            head: NONE,
            form: NONE,
            table_text: String::new(),
            frameset_ok: true,
            is_quirks: false,
            fosters: false,
            skips_line_feed: false,
            content: Content::Data,
            merged_attributes: FxHashSet::default(),
            merge_count: 0,
        }
    }

    fn process_start_tag(&mut self, tag: StartTag) {
        loop {
            let step = if self.is_foreign_start_tag(tag.tag) {
                self.foreign_start_tag(tag)
            } else {
                self.start_tag_by_mode(self.mode, tag)
            };
            if step == Step::Done {
                return;
            }
        }
    }

    fn start_tag_by_mode(&mut self, mode: Mode, tag: StartTag) -> Step {
        match mode {
            Mode::InBody => self.body_start_tag(tag),
            Mode::InCell => self.cell_start_tag(tag),
            Mode::InRow => self.row_start_tag(tag),
            Mode::InTableBody => self.table_body_start_tag(tag),
            Mode::InTable => self.table_start_tag(tag),
            Mode::InTableText => self.end_table_text(),
            Mode::InCaption => self.caption_start_tag(tag),
            Mode::InColumnGroup => self.column_group_start_tag(tag),
            Mode::InHead => self.head_start_tag(tag),
            Mode::AfterHead => self.after_head_start_tag(tag),
            Mode::InHeadNoscript => self.head_noscript_start_tag(tag),
            Mode::Initial => self.end_initial(),
            Mode::BeforeHtml => self.before_html_start_tag(tag),
            Mode::BeforeHead => self.before_head_start_tag(tag),
            // the tokenizer reads no start tag there
            Mode::Text => self.end_text(),
            Mode::InTemplate => self.template_start_tag(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body_start_tag(tag),
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                self.frameset_start_tag(mode, tag)
            }
        }
    }

    fn process_end_tag(&mut self, tag: EndTag) {
        loop {
            let step = if self.is_foreign() {
                self.foreign_end_tag(tag)
            } else {
                self.end_tag_by_mode(self.mode, tag)
            };
            if step == Step::Done {
                return;
            }
        }
    }

    fn end_tag_by_mode(&mut self, mode: Mode, tag: EndTag) -> Step {
        match mode {
            Mode::InBody => self.body_end_tag(tag),
            Mode::Text => {
                let _ = self.end_text();
                Step::Done
            }
            Mode::InCell => self.cell_end_tag(tag),
            Mode::InRow => self.row_end_tag(tag),
            Mode::InTableBody => self.table_body_end_tag(tag),
            Mode::InTable => self.table_end_tag(tag),
            Mode::InTableText => self.end_table_text(),
            Mode::InCaption => self.caption_end_tag(tag),
            Mode::InColumnGroup => self.column_group_end_tag(tag),
            Mode::InHead => self.head_end_tag(tag),
            Mode::AfterHead => self.after_head_end_tag(tag),
            Mode::InHeadNoscript => self.head_noscript_end_tag(tag),
            Mode::Initial => self.end_initial(),
            Mode::BeforeHtml => self.before_html_end_tag(tag),
            Mode::BeforeHead => self.before_head_end_tag(tag),
            Mode::InTemplate => self.template_end_tag(tag),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body_end_tag(mode, tag),
            Mode::InFrameset => self.frameset_end_tag(tag),
            Mode::AfterFrameset => self.after_frameset_end_tag(tag),
            Mode::AfterAfterFrameset => Step::Done,
        }
    }

    /// The end of the page: what must be there is created, whatever was read.
    fn process_end(&mut self) {
        loop {
            let step = match self.mode {
                Mode::Initial => self.end_initial(),
                Mode::BeforeHtml => self.end_before_html(),
                Mode::BeforeHead => self.end_before_head(),
                Mode::InHead => self.end_head(),
                Mode::InHeadNoscript => self.end_head_noscript(),
                Mode::AfterHead => self.end_after_head(),
                Mode::Text => self.end_text(),
                Mode::InTableText => self.end_table_text(),
                Mode::AfterBody
                | Mode::InFrameset
                | Mode::AfterFrameset
                | Mode::AfterAfterBody
                | Mode::AfterAfterFrameset => Step::Done,
                Mode::InBody
                | Mode::InTable
                | Mode::InCaption
                | Mode::InColumnGroup
                | Mode::InTableBody
                | Mode::InRow
                | Mode::InCell
                | Mode::InTemplate => self.end_template(),
            };
            if step == Step::Done {
                return;
            }
        }
    }

    fn tag_of(name: TagName) -> Tag {
        Tags::tag(name)
    }
}
