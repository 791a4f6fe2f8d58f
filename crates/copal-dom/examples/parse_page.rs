//! Prints the tree of an HTML or MHTML file: one line per node with its tag and its XPath or text.
//!
//! ```sh
//! cargo run -p copal-dom --example parse_page -- page.html
//! ```

use copal_dom::xpath::XPathTable;
use copal_dom::{Limits, Node, Page, PageSource, push_collapsed};
use std::error::Error;
use std::io::{self, BufWriter, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("no file given: expected the name of an HTML or MHTML file")?;
    let page = Page::from_bytes(&std::fs::read(file)?, PageSource::default(), &Limits::default())?;
    for warning in &page.warnings {
        eprintln!("warning: {warning}");
    }
    let mut builder = XPathTable::builder(&page.tree);
    page.tree.nodes().for_each(|node| builder.add(node));
    match print(&page, &builder.finish(), &mut BufWriter::new(io::stdout().lock())) {
        // the reader has seen enough: `parse_page page.html | head`
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

fn print(page: &Page, xpaths: &XPathTable, out: &mut impl Write) -> io::Result<()> {
    for node in page.tree.nodes() {
        let text = text(page, node);
        if text.as_deref() == Some("") {
            continue;
        }
        let indent = 2 * page.tree.depth(node) as usize;
        write!(out, "{:indent$}{}", "", page.tree.tag_name(node))?;
        match text {
            Some(text) if page.styles.is_shown(node) => writeln!(out, "  {text:?}")?,
            Some(text) => writeln!(out, "  {text:?} (hidden)")?,
            None => writeln!(out, "  {}", xpaths.xpath(node).as_deref().unwrap_or("(XPath too long)"))?,
        }
    }
    out.flush()
}

/// The text of a text node, with its white space collapsed.
fn text(page: &Page, node: Node) -> Option<String> {
    let mut text = String::new();
    page.tree.is_text(node).then(|| push_collapsed(&mut text, page.tree.raw_text(node)))?;
    Some(text)
}
