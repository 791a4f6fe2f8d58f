//! The picture of the object.
//!
//! In: a [`Sheet`], its headline, its area. Out: the address of one picture in the area, made absolute. The largest source of `srcset`, the
//! source that scripts would load later (`data-src`), else `src`. Speaks for a picture: it is the one the page declares
//! (`og:image`), its `alt` is the headline, it is large, it stands near the headline. O(elements).

use super::sheet::Sheet;
use crate::signals::declared::Declared;
use copal_dom::url::{BaseUrl, split_query};
use copal_dom::{Node, attrs, squash, tags};

/// Words in addresses of pictures that are signs, not photographs.
const SIGNS: &[&str] = &[
    "sprite", "logo", "icon", "pixel", "spacer", "blank", "button", "btn", "avatar", "arrow", "star",
    "banner",
];
/// Attributes that hold what is loaded later.
const LATER: &[&str] =
    &["data-src", "data-original", "data-lazy-src", "data-lazy", "data-image", "data-zoom-image"];
/// Least side of a picture whose size is stated.
const SMALL: f64 = 80.0;

/// The picture of the page's object and its element.
pub(super) fn find(
    sheet: &Sheet<'_>,
    headline: Option<usize>,
    area: Option<Node>,
    declared: &Declared<'_>,
) -> Option<(String, Node)> {
    let tree = &sheet.page.tree;
    let area = area.map_or(0..tree.len() as Node, |area| area..tree.end(area));
    let named = headline.map(|line| &sheet.lines[line]);
    let name = named.map(|line| squash(&line.text)).unwrap_or_default();
    let declared = declared.meta("og:image").map(file).unwrap_or_default();
    let mut best: Option<(f64, &str, Node)> = None;
    for node in area.filter(|&node| tree.tag(node) == tags::IMG) {
        let Some(address) = source(sheet, node) else { continue };
        let lower = address.to_ascii_lowercase();
        if address.starts_with("data:") || SIGNS.iter().any(|sign| lower.contains(sign)) {
            continue;
        }
        let side = |name| {
            tree.attr(node, name).and_then(|text| text.trim().trim_end_matches("px").parse::<f64>().ok())
        };
        let sides = [side(attrs::WIDTH), side(attrs::HEIGHT)];
        if sides.iter().flatten().any(|&side| side < SMALL) {
            continue;
        }
        let alt = squash(tree.attr(node, attrs::ALT).unwrap_or_default());
        let alike = alt.len() > 3 && !name.is_empty() && (alt.contains(&name) || name.contains(&alt));
        let near = named.map_or(0.0, |line| (-f64::from(node.abs_diff(line.first())) / 200.0).exp());
        let large = sides.iter().flatten().any(|&side| side >= 150.0);
        let mut score = near + if alike { 1.5 } else { 0.0 } + if large { 0.7 } else { 0.0 };
        score += if !declared.is_empty() && file(address) == declared { 2.0 } else { 0.0 };
        if best.is_none_or(|(known, ..)| score > known) {
            best = Some((score, address, node));
        }
    }
    best.map(|(_, address, node)| (BaseUrl::of(sheet.page).resolve(address), node))
}

/// The name of the file without what servers add for sizes.
fn file(address: &str) -> &str {
    let (path, _) = split_query(address);
    path.rsplit('/').next().unwrap_or(path)
}

/// The best address an image has.
fn source<'p>(sheet: &Sheet<'p>, node: Node) -> Option<&'p str> {
    let tree = &sheet.page.tree;
    let set = tree.attr(node, attrs::SRCSET).or_else(|| tree.attr_named(node, "data-srcset"));
    let later = LATER.iter().find_map(|name| tree.attr_named(node, name));
    let found = set.and_then(largest).or(later).or_else(|| tree.attr(node, attrs::SRC));
    found.map(str::trim).filter(|address| !address.is_empty() && address.len() <= 2000)
}

/// The source of a `srcset` with the largest width or density.
fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    for candidate in set.split(", ").take(40) {
        let mut parts = candidate.split_ascii_whitespace();
        let Some(address) = parts.next() else { continue };
        let size = parts
            .next()
            .map_or(1.0, |size| size.trim_end_matches(['w', 'x', 'h', ',']).parse().unwrap_or(1.0));
        if best.is_none_or(|(known, _)| size > known) {
            best = Some((size, address.trim_end_matches(',')));
        }
    }
    best.map(|(_, address)| address)
}

#[cfg(test)]
mod tests {
    use super::largest;

    #[test]
    fn the_largest_source_is_taken() {
        assert_eq!(largest("a.jpg 320w, b.jpg 1280w, c.jpg 640w"), Some("b.jpg"));
        assert_eq!(largest("a.jpg, b.jpg 2x"), Some("b.jpg"));
        assert_eq!(largest(""), None);
    }
}
