//! The URLs that elements carry: targets of links, addresses of images.
//!
//! In: a node. Out: the URL as the page writes it, with the HTML attribute that has it. O(1).

use copal_dom::{AttrName, Node, Page, attrs, tags};

/// A link's target; `None` if it only runs a script.
pub(crate) fn link(page: &Page, node: Node) -> Option<&str> {
    link_value(page, node).map(|(_, href)| href)
}

pub(crate) fn link_value(page: &Page, node: Node) -> Option<(AttrName, &str)> {
    let is_link = page.tree.tag(node) == tags::A;
    let href = page.tree.attr(node, attrs::HREF).filter(|_| is_link)?.trim();
    let script = href.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("javascript:"));
    (!href.is_empty() && href != "#" && !script).then_some((attrs::HREF, href))
}

/// The URL of an image.
pub(crate) fn image_address(page: &Page, image: Node) -> Option<&str> {
    image_value(page, image).map(|(_, src)| src)
}

/// The HTML attribute that has the URL of an image, and the URL. Lazy pages keep the URL aside and put a
/// placeholder into `src`.
pub(crate) fn image_value(page: &Page, image: Node) -> Option<(AttrName, &str)> {
    if page.tree.tag(image) != tags::IMG {
        return None;
    }
    [attrs::DATA_SRC, attrs::SRC]
        .into_iter()
        .filter_map(|name| Some((name, page.tree.attr(image, name)?.trim())))
        .find(|(_, src)| !src.is_empty() && !src.starts_with("data:"))
}
