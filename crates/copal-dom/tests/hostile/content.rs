//! What is kept of a hostile page: limits drop as little as they can, and need no stack.

use crate::common::check_arena;
use crate::support::{each, hits, limits, limits_with, nested, on_a_small_stack, read, use_everything};
use copal_dom::Limit::{AttributeBytes, Attributes, Depth};
use copal_dom::xpath::XPaths;
use copal_dom::{Draft, Page, serialise, tags};

/// The text of the page's elements with this name, one string each.
fn texts(page: &Page, name: &str) -> Vec<String> {
    let tag = page.tree.tags().find(name);
    page.tree.nodes().filter(|&n| Some(page.tree.tag(n)) == tag).map(|n| page.text_of(n)).collect()
}

#[test]
fn content_after_hostile_markup_is_kept() {
    let nested = |n| nested("<div>", "deep", "</div>", n);
    for (name, before, expected) in [
        ("deep elements", nested(100_000), &[Depth][..]),
        ("deep lists", "<ul><li>".repeat(16_000) + &"</ul>".repeat(16_000), &[Depth]),
        ("deep tables", "<table><td>".repeat(10_000) + &"</table>".repeat(10_000), &[Depth]),
        ("a comment", format!("<!-- {} -->", "<p> a = b / c <!-- x ".repeat(15_000)), &[]),
        (
            "a comment after 4 KB of text",
            format!("{}<!--{}-->", "x".repeat(4093), " a=b/".repeat(60_000)),
            &[],
        ),
        ("a data URI", format!("<img src='data:image/png;base64,{}'>", "AAA/+B= ".repeat(112_500)), &[]),
        ("JSON", format!("<i data-page=\"{}\"></i>", "{ 'a': '/b = c' }, ".repeat(50_000)), &[]),
        ("a long value", format!("<i title='{}'></i>", "v".repeat(2_000_000)), &[AttributeBytes]),
        ("a long script", format!("<script>{}</script>", "if (a<b) { '</p>' } ".repeat(50_000)), &[]),
        ("a long style", format!("<style>{}</style>", "p > a { color: red } ".repeat(50_000)), &[]),
        ("many names", each(5000, |i| format!("<x-{i} a{i}=x></x-{i}>")), &[]),
        ("many comments", "<!-- a --><!b><?c>".repeat(50_000), &[]),
        ("equal attributes", format!("<p {}>x</p {}>", "a=b ".repeat(100_000), "a c d ".repeat(50_000)), &[]),
        ("many attributes", format!("<p {}>x</p>", each(50_000, |i| format!("a{i}=x "))), &[Attributes]),
        ("a tag in an unfinished tag", "<p a=<b c='>'".repeat(1000) + ">", &[]),
    ] {
        let page = read(name, &format!("<p>before</p>{before}<h1>after</h1>"), &limits());
        assert_eq!(hits(&page), expected, "{name}");
        assert_eq!(texts(&page, "h1"), ["after"], "{name}");
        let heading = page.tree.find(tags::H1).expect("the heading is there");
        if !expected.contains(&Depth) && name != "a tag in an unfinished tag" {
            assert_eq!(XPaths::new(&page.tree).of(heading), "/html/body/h1[1]", "{name}");
        }
    }
    let page = read("deep", &(nested(100_000) + "<p>after"), &limits());
    let after = page.tree.find(tags::P).expect("the paragraph is there");
    assert_eq!(page.tree.depth(after), 3, "all elements were closed, dropped ones included");
}

#[test]
fn values_are_kept_whole_or_emptied() {
    let uri = format!("data:,{}", "AAA/+B= ".repeat(112_500));
    let page = read("URI", &format!("<img src='{uri}' title='{}' alt=x>", "t".repeat(1_000_001)), &limits());
    let img = page.tree.find(tags::IMG).expect("the image is there");
    let values: Vec<(&str, &str)> = page.tree.attributes(img).collect();
    assert_eq!(values, [("src", &*uri), ("title", ""), ("alt", "x")]);
}

/// Start tags below the maximum depth are dropped. That must not turn the text of scripts into text of the
/// page.
#[test]
fn scripts_below_the_deepest_element_stay_scripts() {
    for raw in ["script", "style", "iframe", "noframes"] {
        let text = format!("{}<{raw}>a<p>hidden</p>'</{raw}>shown", "<div>".repeat(5000));
        let page = read(raw, &text, &limits());
        assert_eq!(page.visible_text(page.tree.nodes()), "shown", "{raw}");
        assert_eq!(hits(&page), [Depth], "{raw}");
    }
}

/// The end tag of a script must not be taken for that of a dropped one, so both of its tags are dropped or neither.
/// Here the title in the drawing is dropped and the title after it is not.
#[test]
fn titles_are_dropped_whole_or_not_at_all() {
    let drawing = "<svg>".to_owned() + &"<g>".repeat(40) + "<title></x><g></svg>";
    let page = read("title", &(drawing + "<title>-</title>\0x"), &limits_with(|l| l.depth = 2));
    assert_eq!((page.title().as_deref(), hits(&page)), (Some("-"), vec![Depth]));
    assert!(page.tree.raw_text(0).ends_with('x'));
}

/// Real pages contain everything that is expensive to parse, in small numbers.
#[test]
fn common_mistakes_hit_nothing() {
    for (name, text) in [
        ("unclosed fonts", "<p><font face='Arial, Helvetica' size=2>x".repeat(2000)),
        (
            "pages in a page",
            "<!DOCTYPE html><html lang=en><head><title>t</title></head><body class=a>x</body></html>"
                .repeat(500),
        ),
        ("misnested links", "<a href=x><div><a href=y>x</div></a>".repeat(150)),
        ("a table of tables", nested("<table><tr><td>", "x", "</table>", 60)),
    ] {
        assert_eq!(hits(&read(name, &text, &limits())), [], "{name}");
    }
}

#[test]
fn a_depth_of_100_000_needs_no_stack() {
    on_a_small_stack(|| {
        for text in ["<div>".repeat(100_000), "<b><div>".repeat(50_000), "<table><td>".repeat(50_000)] {
            let page = read("deep", &(text + "x"), &limits());
            assert_eq!((hits(&page), page.visible_text(page.tree.nodes())), (vec![Depth], "x".to_owned()));
        }
    });
}

/// A draft has no depth limit, so nothing that reads its tree may rely on one.
#[test]
fn a_draft_of_depth_100_000_needs_no_stack() {
    on_a_small_stack(|| {
        let mut draft = Draft::new();
        let mut at = draft.element(Draft::DOCUMENT_NODE, "html");
        for depth in 0..100_000 {
            draft.text(at, "x");
            at = draft.element(at, ["div", "a", "x-y", "li"][depth % 4]);
        }
        draft.text(at, "deep");
        let page = Page::from_tree(draft.finish());
        check_arena(&page.tree);
        use_everything(&page);
        let last = page.tree.len() as u32 - 1;
        assert_eq!(page.tree.depth(last), 100_002);
        assert!(page.visible_text(page.tree.nodes()).ends_with("x deep"));
        assert_eq!(XPaths::new(&page.tree).of(last).matches('/').count(), 100_001);
        let html = serialise::html(&page.tree, 0);
        assert!(html.contains("xdeep</li>") || html.contains("deep</li></x-y>"));
        assert_eq!(page.index.leaves(&page.tree.nodes()), 100_001);
    });
}
