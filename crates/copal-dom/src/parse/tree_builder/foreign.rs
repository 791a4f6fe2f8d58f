//! The rules for parsing tokens in foreign content (13.2.6.5), and when they apply.
//!
//! In: tags and text in SVG and `MathML`. Out: changes of the tree.

use super::element_classes::{
    ANNOTATION, Classes, FOREIGN, FOREIGN_NAME, HTML_ANNOTATION, HTML_POINT, IN_MATHML, IN_SVG, TEXT_POINT,
    foreign_classes,
};
use super::foreign_names::{mathml_attribute, svg_attribute, svg_element};
use super::{EndTag, StartTag, Step, TreeBuilder};
use crate::attrs;
use crate::tags::{self, Tag};

impl TreeBuilder {
    /// True if the current node is not an HTML element.
    #[inline]
    pub(super) fn is_foreign(&self) -> bool {
        self.stack.current().has(FOREIGN)
    }

    /// True if a start tag is for the rules of foreign content (13.2.6, "tree construction dispatcher").
    #[inline]
    pub(super) fn is_foreign_start_tag(&self, tag: Tag) -> bool {
        let classes = self.stack.current().classes;
        classes & FOREIGN != 0 && !enters_html(classes, tag)
    }

    /// True if text is for the rules of foreign content.
    #[inline]
    pub(super) fn is_foreign_text(&self) -> bool {
        let classes = self.stack.current().classes;
        classes & FOREIGN != 0 && classes & (TEXT_POINT | HTML_POINT | HTML_ANNOTATION) == 0
    }

    pub(super) fn foreign_text(&mut self, text: &str) {
        if self.frameset_ok && !super::body_start_tags::is_white_space(text) {
            self.frameset_ok = false;
        }
        self.insert_text(text);
    }

    pub(super) fn foreign_start_tag(&mut self, tag: StartTag) -> Step {
        if self.breaks_out(tag) {
            self.leave_foreign();
            return self.start_tag_by_mode(self.mode, tag);
        }
        let namespace = self.stack.current().classes & (IN_SVG | IN_MATHML);
        let own_tag = self.adjust_name(namespace, tag);
        self.insert_adjusted(tag, own_tag, namespace);
        Step::Done
    }

    /// An `svg` or `math` element in HTML.
    pub(super) fn insert_foreign_root(&mut self, tag: StartTag, namespace: Classes) {
        self.insert_adjusted(tag, tag.tag, namespace);
    }

    fn insert_adjusted(&mut self, tag: StartTag, own_tag: Tag, namespace: Classes) {
        let new_name = if namespace == IN_SVG { svg_attribute } else { mathml_attribute };
        self.draft.attrs().rename(tag.attrs, new_name);
        let mut classes = foreign_classes(namespace, tag.tag);
        if classes & ANNOTATION != 0 && self.contains_html(tag) {
            classes |= HTML_ANNOTATION;
        }
        self.insert_foreign(tag, own_tag, classes);
    }

    /// "Adjust SVG tag names".
    fn adjust_name(&mut self, namespace: Classes, tag: StartTag) -> Tag {
        let tags = self.draft.tags();
        match svg_element(tags.name(tag.tag)) {
            Some(name) if namespace == IN_SVG => Self::tag_of(tags.intern(name)),
            _ => tag.tag,
        }
    }

    /// True if an `annotation-xml` is an HTML integration point.
    fn contains_html(&self, tag: StartTag) -> bool {
        let table = self.draft.known_attrs();
        let encoding = table.find("encoding").and_then(|name| table.get(tag.attrs, name));
        encoding.is_some_and(|value| {
            value.eq_ignore_ascii_case("text/html") || value.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    /// True if the start tag cannot be in foreign content.
    fn breaks_out(&self, tag: StartTag) -> bool {
        use tags::*;
        let has = |name| self.draft.known_attrs().get(tag.attrs, name).is_some();
        match tag.tag {
            B | BIG | BLOCKQUOTE | BODY | BR | CENTER | CODE | DD | DIV | DL | DT | EM | EMBED | H1 | H2
            | H3 | H4 | H5 | H6 | HEAD | HR | I | IMG | LI | LISTING | MENU | META | NOBR | OL | P | PRE
            | RUBY | S | SMALL | SPAN | STRONG | STRIKE | SUB | SUP | TABLE | TT | U | UL | VAR => true,
            FONT => has(attrs::COLOR) || has(attrs::FACE) || has(attrs::SIZE),
            _ => false,
        }
    }

    fn leave_foreign(&mut self) {
        let stays = |classes: Classes| classes & FOREIGN != 0 && classes & (TEXT_POINT | HTML_POINT) == 0;
        while stays(self.stack.current().classes) {
            self.stack.pop();
        }
    }

    pub(super) fn foreign_end_tag(&mut self, tag: EndTag) -> Step {
        if matches!(tag.tag, tags::BR | tags::P) {
            self.leave_foreign();
            return self.end_tag_by_mode(self.mode, tag);
        }
        for at in (1..self.stack.len()).rev() {
            let element = self.stack.get(at);
            if !element.has(FOREIGN) {
                return self.end_tag_by_mode(self.mode, tag);
            }
            if element.name == tag.name | FOREIGN_NAME {
                self.stack.truncate(at);
                break;
            }
        }
        Step::Done
    }
}

/// True if a start tag in an integration point is for the rules of HTML.
fn enters_html(classes: Classes, tag: Tag) -> bool {
    if classes & ANNOTATION != 0 {
        return tag == tags::SVG || classes & HTML_ANNOTATION != 0;
    }
    classes & HTML_POINT != 0 || classes & TEXT_POINT != 0 && !matches!(tag, tags::MGLYPH | tags::MALIGNMARK)
}
