//! The copy of a page that a person can be shown: nothing in it runs, loads or leads anywhere.
//!
//! In: a page. Out: [`PageCopy`]: the elements and texts of the page as lists, each with its number in the tree, its
//! parent, and what is left of it. A list and not HTML, so that whoever shows it creates element by element and no
//! parser can read anything into it. Only tags and HTML attributes of the lists below are kept: scripts, frames,
//! plug-ins, media, vector graphics, forms, handlers, links and sources of images are not among them. O(nodes).

use copal::Page;
use copal_dom::{Node, Tree};
use serde_json::{Map, Value, json};

/// Nodes that a copy has at most.
const MAX_COPIED_NODES: usize = 150_000;
/// Characters of an HTML attribute in the list of elements.
const MAX_VALUE_CHARS: usize = 300;
/// HTML attributes of one element in the list of elements.
const MAX_ATTRIBUTES: usize = 40;
/// Bytes of an image that is inside the page.
const MAX_IMAGE_BYTES: usize = 200_000;

/// Elements that are shown as they are.
const KEPT_TAGS: &[&str] = &[
    "a",
    "abbr",
    "acronym",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "font",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "menu",
    "nav",
    "nobr",
    "ol",
    "p",
    "picture",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "search",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
];
/// Elements that are left out with everything in them.
const DROPPED_TAGS: &[&str] = &[
    "applet",
    "area",
    "audio",
    "base",
    "canvas",
    "embed",
    "fencedframe",
    "frame",
    "frameset",
    "head",
    "iframe",
    "link",
    "map",
    "meta",
    "noembed",
    "noframes",
    "object",
    "param",
    "portal",
    "script",
    "source",
    "style",
    "template",
    "title",
    "track",
    "video",
];
/// Elements of forms and the like that are shown in a line of text.
const INLINE_TAGS: &[&str] = &[
    "button", "data", "input", "label", "meter", "option", "output", "progress", "select", "slot",
    "textarea", "legend", "svg", "math", "marquee", "blink",
];
/// HTML attributes that say how an element looks.
const KEPT_ATTRIBUTES: &[&str] = &[
    "align",
    "alt",
    "bgcolor",
    "border",
    "cellpadding",
    "cellspacing",
    "class",
    "color",
    "cols",
    "colspan",
    "datetime",
    "dir",
    "face",
    "height",
    "hidden",
    "id",
    "lang",
    "nowrap",
    "open",
    "reversed",
    "rowspan",
    "size",
    "span",
    "start",
    "style",
    "title",
    "valign",
    "width",
];
/// Kinds of images that may be inside a page. SVG is not one of them.
const IMAGE_KINDS: &[&str] = &[
    "data:image/png;base64,",
    "data:image/jpeg;base64,",
    "data:image/gif;base64,",
    "data:image/webp;base64,",
];

/// A page without everything that could run, load or lead somewhere.
#[derive(Debug)]
pub(super) struct PageCopy {
    /// Elements `[number, parent, tag, attributes]` and texts `[number, parent, text]`, in document order. The parent
    /// is the nearest one in the copy.
    pub(super) shown: Vec<Value>,
    /// All elements of the page as it is: `[number, parent, tag, attributes]`. These are texts to look at.
    pub(super) elements: Vec<Value>,
    /// The page has more nodes than were copied.
    pub(super) is_cut: bool,
}

/// What becomes of an element.
enum CopiedElement {
    /// It is shown with this tag.
    As(&'static str),
    /// It is shown with this tag and this text instead of what is in it.
    Instead(&'static str, String),
    /// Only what is in it is shown.
    Inside,
    /// Nothing of it is shown.
    Nothing,
}

/// Copies a page.
pub(super) fn copy_page(page: &Page) -> PageCopy {
    let tree = &page.tree;
    let mut copy = PageCopy { shown: Vec::new(), elements: Vec::new(), is_cut: false };
    // ends and numbers of the copied elements around the current node
    let mut open: Vec<(Node, Node)> = Vec::new();
    let mut skipped_until = 0;
    for node in tree.nodes() {
        if copy.shown.len() + copy.elements.len() >= 2 * MAX_COPIED_NODES {
            copy.is_cut = true;
            break;
        }
        while open.last().is_some_and(|&(end, _)| node >= end) {
            open.pop();
        }
        let parent = open.last().map_or(0, |&(_, number)| number);
        if tree.is_text(node) {
            if node >= skipped_until {
                copy.shown.push(json!([node, parent, tree.raw_text(node)]));
            }
            continue;
        }
        if node == 0 {
            continue;
        }
        copy.elements.push(json!([node, tree.parent(node), tree.tag_name(node), all_attributes(tree, node)]));
        if node < skipped_until {
            continue;
        }
        match copied(tree, node) {
            CopiedElement::As(tag) => {
                copy.shown.push(json!([node, parent, tag, safe_attributes(tree, node, tag)]));
                open.push((tree.end(node), node));
            }
            CopiedElement::Instead(tag, text) => {
                copy.shown.push(json!([node, parent, tag, safe_attributes(tree, node, tag)]));
                copy.shown.push(json!([node, node, text]));
                skipped_until = tree.end(node);
            }
            CopiedElement::Inside => {}
            CopiedElement::Nothing => skipped_until = tree.end(node),
        }
    }
    copy
}

fn copied(tree: &Tree, node: Node) -> CopiedElement {
    let tag = tree.tag_name(node);
    if tree.is_foreign(node) {
        // a graphic: a place holder shows that there is one
        return CopiedElement::Instead("span", "◇".to_owned());
    }
    if tag == "html" {
        return CopiedElement::Inside;
    }
    if DROPPED_TAGS.contains(&tag) {
        return CopiedElement::Nothing;
    }
    let value = |name: &str| tree.attr_named(node, name).unwrap_or_default();
    match tag {
        "input" => match value("type").to_ascii_lowercase().as_str() {
            "hidden" | "password" | "file" | "image" => CopiedElement::Nothing,
            "checkbox" | "radio" => CopiedElement::Instead("span", "☐".to_owned()),
            _ => {
                let text = if value("value").is_empty() { value("placeholder") } else { value("value") };
                CopiedElement::Instead("span", text.to_owned())
            }
        },
        _ => match KEPT_TAGS.iter().find(|kept| **kept == tag) {
            Some(kept) => CopiedElement::As(kept),
            None if INLINE_TAGS.contains(&tag) => CopiedElement::As("span"),
            // forms, noscript, custom elements, the body
            None => CopiedElement::As("div"),
        },
    }
}

fn safe_attributes(tree: &Tree, node: Node, tag: &str) -> Value {
    let mut kept = Map::new();
    for (name, value) in tree.attributes(node) {
        if KEPT_ATTRIBUTES.contains(&name) || name == "src" && tag == "img" && is_inside_image(value) {
            kept.insert(name.to_owned(), value.into());
        }
    }
    Value::Object(kept)
}

/// True for the data of an image, in base64.
fn is_inside_image(value: &str) -> bool {
    let data = IMAGE_KINDS.iter().find_map(|kind| value.strip_prefix(kind));
    let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    data.is_some_and(|data| data.len() <= MAX_IMAGE_BYTES && data.bytes().all(is_base64))
}

fn all_attributes(tree: &Tree, node: Node) -> Value {
    let cut = |value: &str| -> Value {
        match value.char_indices().nth(MAX_VALUE_CHARS) {
            Some((end, _)) => format!("{}…", &value[..end]).into(),
            None => value.into(),
        }
    };
    let attributes = tree.attributes(node).take(MAX_ATTRIBUTES);
    Value::Object(attributes.map(|(name, value)| (name.to_owned(), cut(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal::Limits;

    fn shown(html: &str) -> String {
        let page = Page::from_text(html, &Limits::default());
        Value::from(copy_page(&page).shown).to_string()
    }

    #[test]
    fn elements_keep_their_numbers_and_what_they_look_like() {
        let page = Page::from_text("<p class=a onclick=b()>Hi <b>you</b>", &Limits::default());
        let copy = copy_page(&page);
        let p = page.tree.find(copal_dom::tags::P).unwrap();
        let body = page.tree.parent(p);
        let expected = [
            json!([body, 0, "div", {}]),
            json!([p, body, "p", {"class": "a"}]),
            json!([p + 1, p, "Hi "]),
            json!([p + 2, p, "b", {}]),
            json!([p + 3, p + 2, "you"]),
        ];
        assert_eq!(copy.shown, expected);
        assert_eq!(copy.elements.last().unwrap()[2], "b");
        assert_eq!(copy.elements[copy.elements.len() - 2][3]["onclick"], "b()");
    }

    #[test]
    fn nothing_runs_loads_or_leads_anywhere() {
        let html = "<base href=//e><link rel=stylesheet href=//e><script>e()</script><style>a{}</style>
            <a href='javascript:e()' ping=//e target=_top>x</a><img src=//e srcset='//e 1x' onerror=e()>
            <form action=//e><input name=q value=v><button formaction=//e>go</button></form>
            <iframe src=//e srcdoc='<script>e()</script>'></iframe><object data=//e></object><embed src=//e>
            <video src=//e poster=//e></video><svg><script>e()</script><a xlink:href=//e></a></svg>
            <math><mtext><img src=x onerror=e()></mtext></math><template><img src=//e></template>
            <div background=//e style='color:red'>y</div><meta http-equiv=refresh content='0;url=//e'>
            <noscript><img src=//e></noscript><img src='data:image/svg+xml;base64,AA=='><x-y is=e>z</x-y>";
        let shown = shown(html);
        for word in [
            "//e",
            "e()",
            "javascript",
            "script",
            "iframe",
            "form",
            "object",
            "embed",
            "video",
            "svg",
            "meta",
            "base",
            "onerror",
            "href",
            "src",
            "ping",
            "target",
            "action",
            "poster",
            "background",
            "is=",
            "\"name\"",
            "x-y",
        ] {
            assert!(!shown.contains(word), "{word}: {shown}");
        }
        for word in ["color:red", "\"x\"", "\"y\"", "\"z\"", "\"v\"", "\"go\""] {
            assert!(shown.contains(word), "{word}: {shown}");
        }
    }

    #[test]
    fn small_images_inside_the_page_stay() {
        assert!(shown("<img src='data:image/png;base64,iVBORw0KGgo='>").contains("\"src\""));
        assert!(!shown("<img src='data:image/png;base64,\"><script>'>").contains("src"));
        assert!(!shown("<p src='data:image/png;base64,AA=='>x").contains("src"));
    }
}
