//! Checks that the bounded parser builds the tree that plain html5ever builds, whatever the page and the chunk size.
//!
//! The reference is a tree sink that is as simple as possible: a list of nodes, each with a list of its children. It
//! is compared with `copal_dom::parse` by the HTML that both write and by an outline that says more than the HTML
//! does (depth, name space, adjacent texts). Pages: generated ones, those below `testdata`, and those below the
//! folders that the variable `COPAL_CORPUS` names (separated like those of `PATH`).

mod common;

use common::check_arena;
use copal_dom::{Limits, Tree, decode, parse, serialise};
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, TokenizerResult};
use proptest::prelude::*;
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug)]
enum Kind {
    Document,
    Comment,
    Text(String),
    Element { name: QualName, attrs: Vec<Attribute>, integration_point: bool },
}

#[derive(Debug)]
struct NaiveNode {
    kind: Kind,
    parent: Option<usize>,
    children: Vec<usize>,
}

/// The reference: nothing is clever here.
#[derive(Debug)]
struct Naive {
    nodes: RefCell<Vec<NaiveNode>>,
}

#[derive(Debug)]
struct OwnedName(QualName);

impl ElemName for OwnedName {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

/// The tree builder takes a reported error for the first token of a `pre` (`<pre></>`), so that the line feed behind
/// it stays.
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
    /// What `html5ever::parse_document` does, but for two things in which it is not as the standard says.
    fn parse(text: &str) -> Naive {
        let naive = Naive { nodes: RefCell::new(Vec::new()) };
        naive.create(Kind::Document);
        let builder = TreeBuilder::new(
            naive,
            TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        );
        // html5ever discards a byte-order mark behind every script too, not only at the beginning
        let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
        let tokenizer = Tokenizer::new(WithoutErrors(builder), options);
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(text.strip_prefix('\u{feff}').unwrap_or(text)));
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        tokenizer.end();
        tokenizer.sink.0.sink
    }

    fn create(&self, kind: Kind) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(NaiveNode { kind, parent: None, children: Vec::new() });
        nodes.len() - 1
    }

    fn position(&self, child: usize) -> Option<(usize, usize)> {
        let nodes = self.nodes.borrow();
        let parent = nodes[child].parent?;
        let at = nodes[parent].children.iter().position(|&c| c == child).expect("a child of its parent");
        Some((parent, at))
    }

    /// Puts `child` before the `at`th child of `parent`; text joins the text before it.
    fn insert(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let id = match child {
            NodeOrText::AppendNode(id) => id,
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                if at > 0 {
                    let before = nodes[parent].children[at - 1];
                    if let Kind::Text(known) = &mut nodes[before].kind {
                        known.push_str(&text);
                        return;
                    }
                }
                drop(nodes);
                self.create(Kind::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes[parent].children.insert(at, id);
        nodes[id].parent = Some(parent);
    }

    fn html(&self) -> String {
        let mut out = String::new();
        self.write_html(0, "", &mut out);
        out
    }

    fn write_html(&self, node: usize, parent: &str, out: &mut String) {
        let nodes = self.nodes.borrow();
        match &nodes[node].kind {
            Kind::Comment => {}
            Kind::Text(text) if matches!(parent, "script" | "style" | "iframe" | "noframes") => {
                out.push_str(text);
            }
            Kind::Text(text) => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                out.push_str(&text.replace('\u{a0}', "&nbsp;"));
            }
            Kind::Document => {
                for &child in &nodes[node].children {
                    self.write_html(child, "", out);
                }
            }
            Kind::Element { name, attrs, .. } => {
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

    /// One line a node.
    fn outline(&self) -> Vec<String> {
        let mut out = Vec::new();
        self.write_outline(0, 0, &mut out);
        out
    }

    fn write_outline(&self, node: usize, depth: usize, out: &mut Vec<String>) {
        let nodes = self.nodes.borrow();
        match &nodes[node].kind {
            Kind::Comment => {}
            Kind::Text(text) => out.push(format!("{depth} {text:?}")),
            Kind::Document => out.push("0 #document false []".into()),
            Kind::Element { name, attrs, .. } => {
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
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.to_string(),
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
        match &self.nodes.borrow()[*target].kind {
            Kind::Element { name, .. } => OwnedName(name.clone()),
            other => panic!("{other:?} has no name"),
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> usize {
        let integration_point = flags.mathml_annotation_xml_integration_point;
        self.create(Kind::Element { name, attrs, integration_point })
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.create(Kind::Comment)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.create(Kind::Comment)
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
        if let Kind::Element { attrs, .. } = &mut self.nodes.borrow_mut()[*target].kind {
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
        matches!(self.nodes.borrow()[*node].kind, Kind::Element { integration_point: true, .. })
    }
}

fn outline(tree: &Tree) -> Vec<String> {
    let line = |node| {
        let depth = tree.depth(node);
        if tree.is_text(node) {
            return format!("{depth} {:?}", tree.raw_text(node));
        }
        let attrs: Vec<(&str, &str)> = tree.attributes(node).collect();
        format!("{depth} {} {} {attrs:?}", tree.tag_name(node), tree.is_foreign(node))
    };
    tree.nodes().map(line).collect()
}

/// The default limits without the clock: a busy machine must not change a result.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.time = Duration::from_secs(3600);
    limits
}

/// What differs between the reference and our tree, in words.
fn compare(text: &str, chunks: impl IntoIterator<Item = usize>) -> Result<(), String> {
    let (tree, hit) = parse::parse(text, &limits());
    if !hit.is_empty() {
        return Err(format!("limits were hit: {hit:?}"));
    }
    check_arena(&tree);
    let naive = Naive::parse(text);
    let ours = outline(&tree);
    same_lines(&ours, &naive.outline())?;
    if serialise::html(&tree, 0) != naive.html() {
        return Err("equal outlines, but not equal HTML".into());
    }
    for chunk in chunks {
        let (tree, hit) = parse::parse_chunked(text, &limits(), chunk);
        if !hit.is_empty() {
            return Err(format!("limits were hit in chunks of {chunk}: {hit:?}"));
        }
        check_arena(&tree);
        same_lines(&outline(&tree), &ours).map_err(|error| format!("in chunks of {chunk}, {error}"))?;
    }
    Ok(())
}

fn same_lines(got: &[String], want: &[String]) -> Result<(), String> {
    if got == want {
        return Ok(());
    }
    let at = got.iter().zip(want).take_while(|(a, b)| a == b).count();
    let show = |lines: &[String]| {
        let line = lines.get(at).map_or("nothing", String::as_str);
        line.chars().take(300).collect::<String>()
    };
    Err(format!("node {at}: got {}, expected {}", show(got), show(want)))
}

/// Names that make the tree builder work: formatting, tables, lists, foreign content, raw text, page structure.
const NAMES: &[&str] = &[
    "a",
    "a",
    "b",
    "b",
    "i",
    "em",
    "nobr",
    "font",
    "code",
    "u",
    "s",
    "p",
    "p",
    "div",
    "div",
    "span",
    "center",
    "h1",
    "h3",
    "pre",
    "listing",
    "ul",
    "ol",
    "li",
    "li",
    "dl",
    "dt",
    "dd",
    "blockquote",
    "address",
    "table",
    "table",
    "caption",
    "colgroup",
    "col",
    "thead",
    "tbody",
    "tr",
    "tr",
    "td",
    "td",
    "th",
    "select",
    "option",
    "optgroup",
    "button",
    "input",
    "textarea",
    "label",
    "keygen",
    "template",
    "template",
    "svg",
    "svg",
    "g",
    "path",
    "foreignObject",
    "desc",
    "title",
    "circle",
    "math",
    "math",
    "mi",
    "mo",
    "mtext",
    "annotation-xml",
    "mglyph",
    "malignmark",
    "form",
    "form",
    "frameset",
    "frame",
    "noframes",
    "html",
    "head",
    "body",
    "script",
    "style",
    "xmp",
    "iframe",
    "noembed",
    "noscript",
    "br",
    "hr",
    "img",
    "image",
    "wbr",
    "embed",
    "param",
    "source",
    "track",
    "link",
    "meta",
    "base",
    "applet",
    "marquee",
    "object",
    "ruby",
    "rb",
    "rt",
    "rtc",
    "rp",
    "main",
    "details",
    "summary",
    "dialog",
    "search",
    "menu",
    "x-card",
    "A:b",
    "DIV",
    "selectedcontent",
];

const ATTRIBUTES: &[&str] = &[
    "",
    "",
    "",
    "",
    " a=1",
    " a=2",
    " a=3 b",
    " a=1 a=2 A=3",
    " class='x y' id=z",
    " href=\"/?a=1&copy=2&amp;b\"",
    " title=\"a > b <i>\"",
    " title='&lt;&nbsp&notit;&quot;'",
    " type=hidden",
    " type=text",
    " encoding=text/html",
    " encoding='application/xhtml+xml'",
    " xlink:href=u xml:lang=de xmlns:x=y",
    " definitionurl=d viewbox=v",
    " color=red size=1",
    " /",
    " /a/ =b",
    " \"=x",
    " a\"b'c<d",
    " a = \"v\"b=w",
    " a=\0 \0=b",
    " ä=\u{feff} 日=本",
    " shadowrootmode=open",
    " charset=koi8-r",
    "\r\na=\"\r\n\r\"\t",
];

const PIECES: &[&str] = &[
    "x",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t\u{c}",
    "text",
    "one two",
    "é",
    "日本",
    "😀",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "&",
    "&amp;",
    "&lt",
    "&#0;",
    "&#xD800;",
    "&#x80;",
    "&#x110000;",
    "&#",
    "&#xg",
    "&notit;",
    "&notin;",
    "&nLt;",
    "&CounterClockwiseContourIntegral;",
    "&nosuchname;",
    "<",
    ">",
    "a < b",
    "<3",
    "</",
    "</>",
    "</ x>",
    "<p",
    "</div",
    "<a href=\"",
    "<td a='",
    "\"",
    "'",
    "=",
    "/>",
    "]]>",
    "<!-- c -->",
    "<!-- <p> -- <!-- x --!>",
    "<!--",
    "-->",
    "<!-->",
    "<!--->",
    "<![CDATA[x]]>",
    "<![CDATA[",
    "<![endif]>",
    "<?php x ?>",
    "<!DOCTYPE html>",
    "<!doctype html public \"-//W3C//DTD HTML 3.2//EN\">",
    "<!DOCTYPE\r\nhtml\r\nSYSTEM 'about:legacy-compat'",
    "<!x",
    "<script><!--<script>",
    "<!--</script>",
    "<textarea>\n\n",
    "<pre>\r\n",
    "<title>&amp;<b>",
    "<svg><style><b>",
    "<math><annotation-xml encoding=text/html><p>",
    "<plaintext>",
];

/// A page's parts: tags from the vocabulary, their ends, and odd things between them.
fn page() -> impl Strategy<Value = String> {
    let start = (prop::sample::select(NAMES), prop::sample::select(ATTRIBUTES))
        .prop_map(|(name, attributes)| format!("<{name}{attributes}>"));
    let end = prop::sample::select(NAMES).prop_map(|name| format!("</{name}>"));
    // the last piece ends the page for the tree, so it comes less often
    let odd = (0..PIECES.len() * 8).prop_map(|at| {
        let plaintext = at == PIECES.len() * 8 - 1;
        PIECES[if plaintext { PIECES.len() - 1 } else { at % (PIECES.len() - 1) }].to_owned()
    });
    let part = prop_oneof![5 => start, 3 => end, 3 => odd];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// More than the default: a case takes a tenth of a millisecond. `PROPTEST_CASES` may ask for even more.
fn many_cases() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(10_000), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(many_cases())]

    #[test]
    fn generated_pages_give_the_same_tree(text in page(), chunk in 4..70_usize) {
        if let Err(error) = compare(&text, [chunk]) {
            return Err(TestCaseError::fail(format!("{error}\n{text:?}")));
        }
    }
}

/// Pages whose parts lie across the end of a chunk in every possible way.
#[test]
fn every_chunk_size_gives_the_same_tree() {
    let all: String = PIECES[..PIECES.len() - 1].iter().map(|piece| format!("{piece}<b>-</b>")).collect();
    let tags: String = ATTRIBUTES.iter().map(|attributes| format!("<p{attributes}>日")).collect();
    let marks =
        "\u{feff}<p>\u{feff}\u{feff}\u{feff}<script>\u{feff}</script>\u{feff}a&amp\u{feff};\r\r\n\n\r";
    let lines =
        "<pre>\r\n\r\n</pre><textarea>\r\r</textarea><p a='\r\n'>\r<!DOCTYPE\r\nhtml\r\nPUBLIC\r\n'x'>";
    for text in [&*all, &tags, marks, lines, &marks.repeat(20), &lines.repeat(20)] {
        if let Err(error) = compare(text, 4..=70) {
            panic!("{error}\n{text:?}");
        }
    }
}

/// All `.html` files below a folder, in order of their names.
fn html_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("html")) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compares all pages below a folder; returns how many there were.
fn compare_files(folder: &Path) -> usize {
    let files = html_files(folder);
    let mut different = Vec::new();
    for file in &files {
        let bytes = std::fs::read(file).expect("a file that was listed");
        let text = match decode::decode(&bytes, None, Limits::default().bytes) {
            Ok(decoded) => decoded.text,
            Err(error) => {
                println!("{}: not read: {error}", file.display());
                continue;
            }
        };
        // one chunk size a page is enough: there are many pages
        if let Err(error) = compare(&text, [4 + text.len() % 67]) {
            different.push(format!("{}: {error}", file.display()));
        }
    }
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), files.len(), different.join("\n"));
    files.len()
}

#[test]
fn pages_of_the_test_data_give_the_same_tree() {
    compare_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata"));
}

#[test]
fn pages_of_the_corpora_give_the_same_tree() {
    let Some(folders) = std::env::var_os("COPAL_CORPUS") else { return };
    for folder in std::env::split_paths(&folders) {
        println!("{} pages below {}", compare_files(&folder), folder.display());
    }
}
