//! html5ever alone: the yardstick for our parser.

use html5ever::interface::ElemName;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};
use std::borrow::Cow;
use std::cell::RefCell;

/// Parses a page with html5ever's tokenizer and tree builder, and returns the number of its elements.
pub(crate) fn parse_with_html5ever(text: &str) -> usize {
    parse_document(Bare::default(), ParseOpts::default()).one(text)
}

/// A sink that does as little as possible: names and parents, no texts, no attributes. Its time is that of
/// html5ever.
#[derive(Default)]
struct Bare {
    names: RefCell<Vec<QualName>>,
}

#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Bare {
    type Handle = usize;
    type Output = usize;
    type ElemName<'a> = Name;

    fn finish(self) -> usize {
        self.names.borrow().len()
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> usize {
        usize::MAX
    }
    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        Name(self.names.borrow()[*target].clone())
    }
    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> usize {
        self.names.borrow_mut().push(name);
        self.names.borrow().len() - 1
    }
    fn create_comment(&self, _: StrTendril) -> usize {
        usize::MAX
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        usize::MAX
    }
    fn append(&self, _: &usize, _: NodeOrText<usize>) {}
    fn append_based_on_parent_node(&self, _: &usize, _: &usize, _: NodeOrText<usize>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }
    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &usize, _: NodeOrText<usize>) {}
    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &usize) {}
    fn reparent_children(&self, _: &usize, _: &usize) {}
}
