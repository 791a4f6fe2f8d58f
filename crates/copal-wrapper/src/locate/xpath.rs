//! XPaths as copal writes them and as browsers copy them.
//!
//! In: `/html/body/div[2]/ul[1]` or `//*[@id="list"]/li[3]`. Out: the elements, in document order. Steps go
//! to children or (`//`) descendants by name or `*`, with a number, `last()`, `@name`, `@name='value'` or
//! `name()='value'` in brackets. This subset needs no XPath engine. At most 4 KB and 64 steps, O(nodes) per
//! step.

use crate::error::WrapperError;
use copal_dom::{NONE, Node, Tree};

/// Longest XPath that is read.
const MAX_XPATH_BYTES: usize = 4096;
/// Maximum number of steps of an XPath.
const MAX_XPATH_STEPS: usize = 64;

struct XPathStep {
    /// After `//`: the step goes to descendants.
    deep: bool,
    name: String,
    tests: Vec<XPathTest>,
}

enum XPathTest {
    Position(usize),
    Last,
    HasAttribute(String),
    AttributeIs(String, String),
    NameIs(String),
}

/// The elements that an XPath selects.
pub fn select(tree: &Tree, path: &str) -> Result<Vec<Node>, WrapperError> {
    let steps = parse(path)?;
    let mut at: Vec<Node> = vec![0];
    for step in &steps {
        let parents = if step.deep { with_descendants(tree, &at) } else { at };
        let mut next = Vec::new();
        for parent in parents {
            next.extend(children(tree, parent, step));
        }
        next.sort_unstable();
        at = next;
    }
    Ok(at)
}

fn children(tree: &Tree, parent: Node, step: &XPathStep) -> Vec<Node> {
    let named = |&node: &Node| step.name == "*" || tree.tag_name(node) == step.name;
    let mut found: Vec<Node> = tree.elements(parent).filter(named).collect();
    for test in &step.tests {
        match test {
            XPathTest::Position(position) => found = found.get(*position - 1).copied().into_iter().collect(),
            XPathTest::Last => found = found.last().copied().into_iter().collect(),
            XPathTest::HasAttribute(name) => found.retain(|&node| attribute(tree, node, name).is_some()),
            XPathTest::AttributeIs(name, value) => {
                found.retain(|&node| attribute(tree, node, name) == Some(value));
            }
            XPathTest::NameIs(name) => found.retain(|&node| tree.tag_name(node) == name),
        }
    }
    found
}

fn attribute<'t>(tree: &'t Tree, node: Node, name: &str) -> Option<&'t str> {
    tree.attributes(node).find(|(own, _)| *own == name).map(|(_, value)| value)
}

/// The elements and all their descendants, each once.
fn with_descendants(tree: &Tree, from: &[Node]) -> Vec<Node> {
    let (mut out, mut covered) = (Vec::new(), 0);
    for &node in from {
        let start = node.max(covered);
        let end = tree.end(node);
        out.extend((start..end).filter(|&inner| !tree.is_text(inner) && inner != NONE));
        covered = covered.max(end);
    }
    out
}

fn parse(path: &str) -> Result<Vec<XPathStep>, WrapperError> {
    let wrong = |reason: &'static str| WrapperError::XPath { reason, path: path.to_owned() };
    if path.len() > MAX_XPATH_BYTES {
        let found = format!("{} bytes", path.len());
        return Err(WrapperError::XPathLimit { found, max: MAX_XPATH_BYTES });
    }
    let mut steps = Vec::new();
    let mut rest = path.trim();
    while !rest.is_empty() {
        let step = rest.strip_prefix('/').ok_or_else(|| wrong("expected /"))?;
        let (deep, step) = step.strip_prefix('/').map_or((false, step), |step| (true, step));
        let end = step.find(['/', '[']).unwrap_or(step.len());
        let (name, mut tail) = step.split_at(end);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '*' | ':' | '.');
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(wrong("expected a name or *"));
        }
        let mut tests = Vec::new();
        while let Some(inner) = tail.strip_prefix('[') {
            let end = closing(inner).ok_or_else(|| wrong("a bracket is not closed"))?;
            tests.push(test(inner[..end].trim()).ok_or_else(|| wrong("unknown test in brackets"))?);
            tail = &inner[end + 1..];
        }
        steps.push(XPathStep { deep, name: name.to_ascii_lowercase(), tests });
        if steps.len() > MAX_XPATH_STEPS {
            let found = "too many steps".to_owned();
            return Err(WrapperError::XPathLimit { found, max: MAX_XPATH_STEPS });
        }
        rest = tail;
    }
    if steps.is_empty() { Err(wrong("it is empty")) } else { Ok(steps) }
}

/// The position of the bracket that closes the one before `text`, outside quotes.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == ']' => return Some(at),
            _ => {}
        }
    }
    None
}

fn test(text: &str) -> Option<XPathTest> {
    if text == "last()" {
        return Some(XPathTest::Last);
    }
    if let Ok(position) = text.parse::<usize>() {
        return (position > 0).then_some(XPathTest::Position(position));
    }
    let value = |text: &str| {
        let text = text.trim().strip_prefix('=')?.trim();
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        text[1..].strip_suffix(quote).map(str::to_owned)
    };
    if let Some(rest) = text.strip_prefix("name()") {
        return value(rest).map(XPathTest::NameIs);
    }
    let rest = text.strip_prefix('@')?;
    match rest.find([' ', '=']) {
        None => Some(XPathTest::HasAttribute(rest.to_owned())),
        Some(end) => value(&rest[end..]).map(|value| XPathTest::AttributeIs(rest[..end].to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::select;
    use copal_dom::{Limits, Page, xpath::XPaths};

    #[test]
    fn xpaths_that_copal_writes_are_read() {
        let html = "<ul><li>1<li>2</ul><div id=a><p>3<svg><g/></svg><p title='x]y'>4</div>";
        let page = Page::from_text(html, &Limits::default());
        let xpaths = XPaths::new(&page.tree);
        for node in page.tree.nodes().skip(1).filter(|&node| !page.tree.is_text(node)) {
            assert_eq!(select(&page.tree, &xpaths.of(node)).unwrap(), [node], "{}", xpaths.of(node));
        }
    }

    #[test]
    fn xpaths_that_browsers_copy_are_read() {
        let html = "<ul><li>1<li>2</ul><div id=a><p>3<p title='x]y'>4</div><ol><li>5</ol>";
        let page = Page::from_text(html, &Limits::default());
        for (path, expected) in [
            ("//*[@id=\"a\"]/p[2]", "4"),
            ("//p[@title='x]y']", "4"),
            ("//li[1]", "1 5"),
            ("//li[last()]", "2 5"),
            ("//div//p", "3 4"),
            ("//*[@title]", "4"),
            ("/html/body/table", ""),
        ] {
            let texts: Vec<String> =
                select(&page.tree, path).unwrap().into_iter().map(|node| page.text_of(node)).collect();
            assert_eq!(texts.join(" "), expected, "{path}");
        }
        for wrong in ["", "li", "//", "//li[", "//li[count(a)=2]", "//li[0]", "/html/li[@a=b]"] {
            assert!(select(&page.tree, wrong).is_err(), "{wrong}");
        }
    }
}
