//! The reference: plain html5ever with a tree sink that is as simple as possible, a list of nodes with lists
//! of children.
//!
//! It recurses over its tree, which is fine for pages that are within the limits.

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, TokenizerResult};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;

#[derive(Debug)]
enum NaiveContent {
    Document,
    Comment,
    Text(String),
    Element { name: QualName, attrs: Vec<Attribute>, integration_point: bool },
}

#[derive(Debug)]
struct NaiveNode {
    content: NaiveContent,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// The reference tree. It is meant to be obviously right, not fast.
#[derive(Debug)]
pub(crate) struct Naive {
    nodes: RefCell<Vec<NaiveNode>>,
}

#[derive(Debug)]
pub(crate) struct OwnedName(QualName);

impl ElemName for OwnedName {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

/// Drops parse errors: the tree builder would take one for the first token of a `pre` (`<pre></>`) and keep
/// the line feed after it.
struct WithoutErrors(TreeBuilder<usize, Naive>);

impl TokenSink for WithoutErrors {
    type Handle = usize;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<usize> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            token => self.0.process_token(token, line),
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl Naive {
    /// What `html5ever::parse_document` does, except for two details in which it deviates from the standard.
    pub(crate) fn parse(text: &str) -> Naive {
        let naive = Naive { nodes: RefCell::new(Vec::new()) };
        naive.create(NaiveContent::Document);
        let builder = TreeBuilder::new(
            naive,
            TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        );
        // html5ever discards a byte-order mark after every script too, not only at the beginning
        let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
        let tokenizer = Tokenizer::new(WithoutErrors(builder), options);
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(text.strip_prefix('\u{feff}').unwrap_or(text)));
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        tokenizer.end();
        tokenizer.sink.0.sink
    }

    fn create(&self, content: NaiveContent) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(NaiveNode { content, parent: None, children: Vec::new() });
        nodes.len() - 1
    }

    fn position(&self, child: usize) -> Option<(usize, usize)> {
        let nodes = self.nodes.borrow();
        let parent = nodes[child].parent?;
        let at = nodes[parent].children.iter().position(|&c| c == child).expect("a child of its parent");
        Some((parent, at))
    }

    /// Inserts `child` before the `at`th child of `parent`. Text is appended to a text before it.
    fn insert(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let id = match child {
            NodeOrText::AppendNode(id) => id,
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                if at > 0 {
                    let before = nodes[parent].children[at - 1];
                    if let NaiveContent::Text(known) = &mut nodes[before].content {
                        known.push_str(&text);
                        return;
                    }
                }
                drop(nodes);
                self.create(NaiveContent::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes[parent].children.insert(at, id);
        nodes[id].parent = Some(parent);
    }

    pub(crate) fn html(&self) -> String {
        let mut out = String::new();
        self.write_html(0, "", &mut out);
        out
    }

    fn write_html(&self, node: usize, parent: &str, out: &mut String) {
        let nodes = self.nodes.borrow();
        match &nodes[node].content {
            NaiveContent::Comment => {}
            NaiveContent::Text(text) if matches!(parent, "script" | "style" | "iframe" | "noframes") => {
                out.push_str(text);
            }
            NaiveContent::Text(text) => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                out.push_str(&text.replace('\u{a0}', "&nbsp;"));
            }
            NaiveContent::Document => {
                for &child in &nodes[node].children {
                    self.write_html(child, "", out);
                }
            }
            NaiveContent::Element { name, attrs, .. } => {
                write!(out, "<{}", name.local).expect("strings grow");
                for attr in attrs {
                    let value = attr.value.replace('&', "&amp;").replace('"', "&quot;");
                    let value = value.replace('\u{a0}', "&nbsp;");
                    write!(out, " {}=\"{value}\"", full_name(&attr.name)).expect("strings grow");
                }
                out.push('>');
                for &child in &nodes[node].children {
                    self.write_html(child, &name.local, out);
                }
                let void = ["meta", "link", "base", "embed", "source", "img", "area", "br", "hr", "wbr"];
                if !void.contains(&&*name.local) && !["input", "col"].contains(&&*name.local) {
                    write!(out, "</{}>", name.local).expect("strings grow");
                }
            }
        }
    }

    /// One line per node.
    pub(crate) fn outline(&self) -> Vec<String> {
        let mut out = Vec::new();
        self.write_outline(0, 0, &mut out);
        out
    }

    fn write_outline(&self, node: usize, depth: usize, out: &mut Vec<String>) {
        let nodes = self.nodes.borrow();
        match &nodes[node].content {
            NaiveContent::Comment => {}
            NaiveContent::Text(text) => out.push(format!("{depth} {text:?}")),
            NaiveContent::Document => out.push("0 #document false []".into()),
            NaiveContent::Element { name, attrs, .. } => {
                let foreign = name.ns != html5ever::ns!(html);
                let attrs: Vec<(String, String)> =
                    attrs.iter().map(|attr| (full_name(&attr.name), attr.value.to_string())).collect();
                out.push(format!("{depth} {} {foreign} {attrs:?}", name.local));
            }
        }
        for &child in &nodes[node].children {
            self.write_outline(child, depth + 1, out);
        }
    }
}

fn full_name(name: &QualName) -> String {
    match &name.prefix {
        // html5ever gives `xmlns` an empty prefix; in the standard it has none
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{}", name.local),
        _ => name.local.to_string(),
    }
}

impl TreeSink for Naive {
    type Handle = usize;
    type Output = Naive;
    type ElemName<'a> = OwnedName;

    fn finish(self) -> Naive {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> OwnedName {
        match &self.nodes.borrow()[*target].content {
            NaiveContent::Element { name, .. } => OwnedName(name.clone()),
            other => panic!("{other:?} has no name"),
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> usize {
        let integration_point = flags.mathml_annotation_xml_integration_point;
        self.create(NaiveContent::Element { name, attrs, integration_point })
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.create(NaiveContent::Comment)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.create(NaiveContent::Comment)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(id) = &child {
            self.remove_from_parent(id);
        }
        let end = self.nodes.borrow()[*parent].children.len();
        self.insert(*parent, end, child);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(id) = &child {
            self.remove_from_parent(id);
        }
        let (parent, at) = self.position(*sibling).expect("a sibling has a parent");
        self.insert(parent, at, child);
    }

    fn append_based_on_parent_node(&self, element: &usize, prev: &usize, child: NodeOrText<usize>) {
        let attached = self.nodes.borrow()[*element].parent.is_some();
        if attached { self.append_before_sibling(element, child) } else { self.append(prev, child) }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &usize, more: Vec<Attribute>) {
        if let NaiveContent::Element { attrs, .. } = &mut self.nodes.borrow_mut()[*target].content {
            for attr in more {
                if !attrs.iter().any(|known| known.name == attr.name) {
                    attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        if let Some((parent, at)) = self.position(*target) {
            let mut nodes = self.nodes.borrow_mut();
            nodes[parent].children.remove(at);
            nodes[*target].parent = None;
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let children = std::mem::take(&mut self.nodes.borrow_mut()[*node].children);
        let mut nodes = self.nodes.borrow_mut();
        for &child in &children {
            nodes[child].parent = Some(*new_parent);
        }
        nodes[*new_parent].children.extend(children);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &usize) -> bool {
        matches!(self.nodes.borrow()[*node].content, NaiveContent::Element { integration_point: true, .. })
    }
}
