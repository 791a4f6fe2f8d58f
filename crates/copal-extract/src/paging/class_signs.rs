//! What classes, ids and roles of a link and of the elements around it say about paging.
//!
//! In: a link. Out: [`OwnSigns`] and [`AroundSigns`]. Authors write these words for style sheets and scripts, so they are hints
//! in English on pages of any language; other evidence may overrule them. O(classes of a few elements).

use copal_dom::{NONE, Node, Page, attrs};

/// How many ancestors of a link have their classes examined.
const MAX_CLASS_ANCESTORS: usize = 5;
/// Maximum number of words that are read of one attribute.
const MAX_PAGER_CLASS_WORDS: usize = 24;

/// Words that begin the classes of pagers.
const PAGER_STARTS: [&str; 8] =
    ["pagin", "pager", "paging", "pagenav", "pagelink", "pagelist", "pages", "pagebar"];

/// Words that begin the classes of what turns pictures, slides or months: common names and those of the
/// widespread slider libraries.
const SLIDER_STARTS: [&str; 24] = [
    "carousel",
    "carrousel",
    "jcarousel",
    "slider",
    "slide",
    "slick",
    "swiper",
    "splide",
    "flickity",
    "glide",
    "flexslider",
    "bxslider",
    "nivo",
    "owl",
    "tns",
    "gallery",
    "lightbox",
    "fancybox",
    "rotator",
    "ticker",
    "marquee",
    "calendar",
    "datepicker",
    "month",
];

/// What the classes of comments begin with.
const COMMENT_START: &str = "comment";

/// Parts of classes around the links from one article to the next. Lists use "posts" for the same thing.
const ARTICLE_PARTS: [&str; 13] = [
    "post-nav",
    "post_nav",
    "postnav",
    "nav-post",
    "nav-single",
    "single-nav",
    "nav-article",
    "article-nav",
    "entry-nav",
    "next-post",
    "nextpost",
    "next-article",
    "adjacent-post",
];

/// Each of [`ARTICLE_PARTS`] contains one of these.
const ARTICLE_PART_WORDS: [&str; 3] = ["nav", "next", "adjacent"];

/// Letters with which the words of [`signs_around`] begin.
static INITIALS: [bool; 256] = {
    let mut initials = [false; 256];
    let mut at = 0;
    while at < PAGER_STARTS.len() + SLIDER_STARTS.len() {
        let word =
            if at < PAGER_STARTS.len() { PAGER_STARTS[at] } else { SLIDER_STARTS[at - PAGER_STARTS.len()] };
        initials[word.as_bytes()[0] as usize] = true;
        at += 1;
    }
    initials[COMMENT_START.as_bytes()[0] as usize] = true;
    initials
};

/// What classes and ids of a link and of the element around it say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnSigns {
    /// "next" on the link or on the element around it.
    pub(super) next: bool,
    /// "previous" in the same places.
    pub(super) back: bool,
    /// "current", "active" or `aria-current` in the same places.
    pub(super) current: bool,
}

/// What classes and ids of a link and its ancestors say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AroundSigns {
    /// "pagination", "pager".
    pub(super) pager: bool,
    /// "carousel", "calendar".
    pub(super) slider: bool,
    /// "post-navigation".
    pub(super) article: bool,
    /// "comments".
    pub(super) comments: bool,
}

/// The words of a class or id such as `nav-next` or `nextPage`.
fn class_words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let (mut at, mut is_rest) = (0, false);
    std::iter::from_fn(move || {
        // a word is of ASCII, and so are its ends
        let start = at + bytes[at..].iter().position(u8::is_ascii_alphanumeric)?;
        let ends = |byte: &u8| !byte.is_ascii_alphanumeric() || !is_rest && byte.is_ascii_uppercase();
        at = bytes[start + 1..].iter().position(ends).map_or(bytes.len(), |end| start + 1 + end);
        // what follows the first capital is the second word, whatever capitals it has
        is_rest = !is_rest && bytes.get(at).is_some_and(u8::is_ascii_uppercase);
        Some(&text[start..at])
    })
}

fn class_and_id(page: &Page, node: Node) -> impl Iterator<Item = &str> {
    [attrs::CLASS, attrs::ID].into_iter().filter_map(move |name| page.tree.attr(node, name))
}

fn each_word(page: &Page, node: Node, mut with: impl FnMut(&str)) {
    for value in class_and_id(page, node) {
        class_words(value).take(MAX_PAGER_CLASS_WORDS).for_each(&mut with);
    }
}

fn contains_ignoring_case(text: &str, part: &str) -> bool {
    let Some(&first) = part.as_bytes().first() else { return true };
    let begins = |window: &[u8]| window[0].eq_ignore_ascii_case(&first);
    let mut windows = text.as_bytes().windows(part.len());
    windows.any(|window| begins(window) && window.eq_ignore_ascii_case(part.as_bytes()))
}

/// How many bytes to go on in a text that is searched for "next" and "olde", by the byte where the last letter of a
/// word would be; 0 if one of the words may end there.
static NEXT_SKIPS: [u8; 256] = {
    let mut skip = [4; 256];
    let words = [*b"next", *b"olde"];
    let mut at = 0;
    while at < 8 {
        let (letter, after) = (words[at / 4][at % 4], 3 - (at % 4) as u8);
        let mut case = 0;
        while case < 2 {
            let byte = if case == 0 { letter } else { letter.to_ascii_uppercase() } as usize;
            if after < skip[byte] {
                skip[byte] = after;
            }
            case += 1;
        }
        at += 1;
    }
    skip
};

/// True if a text has "next" or "olde", in capitals or not. It looks only at every third byte or so, because the
/// classes of all links and of the elements around them are searched.
fn has_next_or_older(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut end = 3;
    while let Some(&last) = bytes.get(end) {
        let skip = NEXT_SKIPS[usize::from(last)];
        if skip == 0 {
            let word = &bytes[end - 3..=end];
            if word.eq_ignore_ascii_case(b"next") || word.eq_ignore_ascii_case(b"olde") {
                return true;
            }
        }
        end += usize::from(skip.max(1));
    }
    false
}

/// A fast check for the words of [`own_signs`] that mean "next".
pub(super) fn mentions_next(page: &Page, node: Node) -> bool {
    [node, page.tree.parent(node)].into_iter().any(|at| class_and_id(page, at).any(has_next_or_older))
}

/// Signs on the link, and on its parent if that contains hardly anything else.
pub(super) fn own_signs(page: &Page, node: Node) -> OwnSigns {
    let tree = &page.tree;
    let mut signs = OwnSigns::default();
    let parent = tree.parent(node);
    let around =
        (parent != NONE && tree.end(parent) - parent <= 2 * (tree.end(node) - node) + 4).then_some(parent);
    for at in [Some(node), around].into_iter().flatten() {
        each_word(page, at, |word| {
            let is = |list: &[&str]| list.iter().any(|other| word.eq_ignore_ascii_case(other));
            signs.next |= is(&["next", "older"]);
            signs.back |= is(&["prev", "previous", "newer", "back", "first", "last", "zurueck"]);
            signs.current |=
                is(&["current", "active", "selected", "curr", "cur", "highlight", "aktiv", "here"]);
        });
    }
    let aria = |at: Node| tree.attr_named(at, "aria-current").is_some_and(|value| value != "false");
    signs.current |= aria(node) || around.is_some_and(aria);
    signs
}

/// True if a script of Bootstrap's carousel uses the link or button. Such links work without a script too.
pub(super) fn is_slider_control(page: &Page, node: Node) -> bool {
    ["data-slide", "data-bs-slide"].iter().any(|name| page.tree.attr_named(node, name).is_some())
}

/// Signs on the link and its ancestors. Up to six elements have their classes read, so only links that other evidence
/// speaks for are asked.
pub(super) fn signs_around(page: &Page, node: Node) -> AroundSigns {
    let mut signs = AroundSigns { slider: is_slider_control(page, node), ..AroundSigns::default() };
    for at in std::iter::once(node).chain(page.tree.ancestors(node).take(MAX_CLASS_ANCESTORS)) {
        each_word(page, at, |word| {
            let word = word.as_bytes();
            if !INITIALS[usize::from(word[0].to_ascii_lowercase())] {
                return;
            }
            let begins = |list: &[&str]| {
                list.iter().map(|start| start.as_bytes()).any(|start| {
                    word[0].eq_ignore_ascii_case(&start[0])
                        && word.get(..start.len()).is_some_and(|w| w.eq_ignore_ascii_case(start))
                })
            };
            signs.pager |= begins(&PAGER_STARTS);
            signs.slider |= begins(&SLIDER_STARTS);
            signs.comments |= begins(&[COMMENT_START]);
        });
        signs.article |= class_and_id(page, at).any(|value| {
            // a cheap test first: most classes contain none of these
            ARTICLE_PART_WORDS.iter().any(|word| contains_ignoring_case(value, word))
                && ARTICLE_PARTS.iter().any(|part| contains_ignoring_case(value, part))
        });
        signs.slider |= page
            .tree
            .attr_named(at, "aria-roledescription")
            .is_some_and(|role| role.eq_ignore_ascii_case("carousel") || role.eq_ignore_ascii_case("slide"));
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::{class_words, contains_ignoring_case, has_next_or_older};
    use proptest::prelude::*;

    #[test]
    fn words_end_at_signs_and_at_their_first_capital() {
        let words = |class: &'static str| class_words(class).collect::<Vec<_>>();
        assert_eq!(
            words("nav-next  nextPageURL a1B-ü Über"),
            ["nav", "next", "next", "PageURL", "a1", "B", "ber"]
        );
        assert!(words("").is_empty() && words(" -é ").is_empty());
    }

    proptest! {
        #[test]
        fn next_and_older_are_found_in_any_text(class in "[neoxtldNEXT -é]{0,14}") {
            let expected = ["next", "olde"].iter().any(|word| contains_ignoring_case(&class, word));
            prop_assert_eq!(has_next_or_older(&class), expected);
        }

        #[test]
        fn words_are_those_of_the_definition(class in "[a-bA-B0 é-]{0,12}") {
            let runs = class.split(|c: char| !c.is_ascii_alphanumeric());
            let halves = runs.flat_map(|run| {
                let capital = run.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase());
                let (first, rest) = run.split_at(capital.map_or(run.len(), |(at, _)| at));
                [first, rest]
            });
            let expected: Vec<&str> = halves.filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(class_words(&class).collect::<Vec<_>>(), expected);
        }
    }
}
