//! The image of the object.
//!
//! In: a [`DetailPage`], its headline, its data area. Out: the absolute URL of one image in the area. An
//! `img` element may have several URLs: the largest of its `srcset`, the one that scripts load later
//! (`data-src`), and `src` are tried in this order. The evidence for an image: the page declares it
//! (`og:image`), its `alt` is the headline, it is large, it is near the headline. O(elements).

use super::detail_page::DetailPage;
use crate::signals::declared::Declared;
use copal_dom::url::{BaseUrl, split_query};
use copal_dom::{Node, attrs, squash, tags};

/// The URL of an image and its element.
#[derive(Debug, Clone)]
pub(super) struct ObjectImage {
    pub(super) url: String,
    pub(super) node: Node,
}

/// Words in the URLs of images that are symbols, not photographs.
const SYMBOL_WORDS: &[&str] = &[
    "sprite", "logo", "icon", "pixel", "spacer", "blank", "button", "btn", "avatar", "arrow", "star",
    "banner",
];
/// HTML attributes with the URL that a script loads later.
const LAZY_ATTRIBUTES: &[&str] =
    &["data-src", "data-original", "data-lazy-src", "data-lazy", "data-image", "data-zoom-image"];
/// Smallest stated width and height, in pixels.
const MIN_SIDE: f64 = 80.0;
/// Width or height of a large image, in pixels.
const LARGE_SIDE: f64 = 150.0;
/// Longest URL, in bytes.
const MAX_IMAGE_URL_BYTES: usize = 2000;
/// Images of one `srcset` that are compared.
const MAX_SRCSET_IMAGES: usize = 40;

/// Finds the image of the page's object.
pub(super) fn find_image(
    page: &DetailPage<'_>,
    headline: Option<usize>,
    area: Option<Node>,
    declared: &Declared<'_>,
) -> Option<ObjectImage> {
    let tree = &page.dom.tree;
    let area = area.map_or(0..tree.len() as Node, |area| area..tree.end(area));
    let headline = headline.map(|line| &page.lines[line]);
    let name = headline.map(|line| squash(&line.text)).unwrap_or_default();
    let declared_file = declared.meta("og:image").map(file_name).unwrap_or_default();
    let mut best: Option<(f64, &str, Node)> = None;
    for node in area.filter(|&node| tree.tag(node) == tags::IMG) {
        let Some(url) = image_url(page, node) else { continue };
        let lower = url.to_ascii_lowercase();
        if url.starts_with("data:") || SYMBOL_WORDS.iter().any(|word| lower.contains(word)) {
            continue;
        }
        let side = |name| {
            tree.attr(node, name).and_then(|text| text.trim().trim_end_matches("px").parse::<f64>().ok())
        };
        let sides = [side(attrs::WIDTH), side(attrs::HEIGHT)];
        if sides.iter().flatten().any(|&side| side < MIN_SIDE) {
            continue;
        }
        let alt = squash(tree.attr(node, attrs::ALT).unwrap_or_default());
        let is_named = alt.len() > 3 && !name.is_empty() && (alt.contains(&name) || name.contains(&alt));
        let near = headline.map_or(0.0, |line| (-f64::from(node.abs_diff(line.first())) / 200.0).exp());
        let is_large = sides.iter().flatten().any(|&side| side >= LARGE_SIDE);
        let mut score = near + if is_named { 1.5 } else { 0.0 } + if is_large { 0.7 } else { 0.0 };
        score += if !declared_file.is_empty() && file_name(url) == declared_file { 2.0 } else { 0.0 };
        if best.is_none_or(|(known, ..)| score > known) {
            best = Some((score, url, node));
        }
    }
    best.map(|(_, url, node)| ObjectImage { url: BaseUrl::of(page.dom).resolve(url), node })
}

/// The file name of a URL, without the query in which servers ask for a size.
fn file_name(url: &str) -> &str {
    let (path, _) = split_query(url);
    path.rsplit('/').next().unwrap_or(path)
}

/// The best URL of an image.
fn image_url<'p>(page: &DetailPage<'p>, node: Node) -> Option<&'p str> {
    let tree = &page.dom.tree;
    let srcset = tree.attr(node, attrs::SRCSET).or_else(|| tree.attr_named(node, "data-srcset"));
    let lazy = LAZY_ATTRIBUTES.iter().find_map(|name| tree.attr_named(node, name));
    let url = srcset.and_then(largest_of_srcset).or(lazy).or_else(|| tree.attr(node, attrs::SRC));
    url.map(str::trim).filter(|url| !url.is_empty() && url.len() <= MAX_IMAGE_URL_BYTES)
}

/// The URL in a `srcset` with the largest width or density.
fn largest_of_srcset(srcset: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    for image in srcset.split(", ").take(MAX_SRCSET_IMAGES) {
        let mut parts = image.split_ascii_whitespace();
        let Some(url) = parts.next() else { continue };
        let size = parts
            .next()
            .map_or(1.0, |size| size.trim_end_matches(['w', 'x', 'h', ',']).parse().unwrap_or(1.0));
        if best.is_none_or(|(known, _)| size > known) {
            best = Some((size, url.trim_end_matches(',')));
        }
    }
    best.map(|(_, url)| url)
}

#[cfg(test)]
mod tests {
    use super::largest_of_srcset;

    #[test]
    fn the_largest_image_of_a_srcset_is_taken() {
        assert_eq!(largest_of_srcset("a.jpg 320w, b.jpg 1280w, c.jpg 640w"), Some("b.jpg"));
        assert_eq!(largest_of_srcset("a.jpg, b.jpg 2x"), Some("b.jpg"));
        assert_eq!(largest_of_srcset(""), None);
    }
}
