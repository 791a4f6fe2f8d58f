//! What a page without a list or an object seems to be, so that a user learns why nothing was found.
//!
//! In: a page on which nothing was found. Out: an [`Impression`], or nothing if no evidence is strong. Words are those
//! that such pages use everywhere, not those of a site. O(nodes).

use copal_dom::{Node, Page};
use copal_model::Impression;

/// A page with more visible text than this has content of its own.
const MAX_SHELL_CHARS: usize = 600;
/// A challenge or a login form stands on a page of few words.
const MAX_FORM_PAGE_CHARS: usize = 4000;
/// Shortest paragraph that is part of an article.
const MIN_PARAGRAPH_CHARS: usize = 120;
/// Paragraphs of an article, at least; or one of `LONG_PARAGRAPH_CHARS`.
const MIN_PARAGRAPHS: usize = 3;
const LONG_PARAGRAPH_CHARS: usize = 600;

/// Phrases of pages that ask visitors to prove that they are people.
const CHALLENGE_PHRASES: &[&str] = &[
    "verify you are human",
    "verify that you are human",
    "verifying you are human",
    "are you a robot",
    "you are not a robot",
    "i'm not a robot",
    "unusual traffic",
    "automated requests",
    "checking your browser",
    "security check",
    "just a moment",
    "attention required",
    "please complete the captcha",
    "bot detection",
    "access to this page has been denied",
];
/// Parts of script and frame URLs of such pages.
const CHALLENGE_SOURCES: &[&str] =
    &["captcha", "challenge-platform", "/challenge", "turnstile", "arkoselabs"];

/// What the page seems to be.
pub(super) fn impression(page: &Page) -> Option<Impression> {
    let evidence = Evidence::collect(page);
    let text = page.visible_text(page.tree.nodes());
    let chars = text.trim().chars().count();
    let lower = text.to_lowercase();
    let title = page.title().unwrap_or_default().to_lowercase();
    let has_phrase = CHALLENGE_PHRASES.iter().any(|phrase| lower.contains(phrase) || title.contains(phrase));
    if chars <= MAX_FORM_PAGE_CHARS && (has_phrase || evidence.challenge_source && chars <= MAX_SHELL_CHARS) {
        return Some(Impression::Challenge);
    }
    if evidence.has_password && chars <= MAX_FORM_PAGE_CHARS {
        return Some(Impression::Login);
    }
    if chars <= MAX_SHELL_CHARS
        && (evidence.asks_for_scripts || evidence.scripts > 0 && evidence.empty_container)
    {
        return Some(Impression::NeedsScripts);
    }
    if chars == 0 {
        return Some(Impression::Empty);
    }
    let is_article =
        evidence.paragraphs >= MIN_PARAGRAPHS || evidence.longest_paragraph >= LONG_PARAGRAPH_CHARS;
    is_article.then_some(Impression::Article)
}

#[derive(Default)]
struct Evidence {
    has_password: bool,
    challenge_source: bool,
    scripts: usize,
    /// A `noscript` asks for scripts.
    asks_for_scripts: bool,
    /// An element with an id and nothing in it, directly in the body: where a script puts the page.
    empty_container: bool,
    paragraphs: usize,
    longest_paragraph: usize,
}

impl Evidence {
    fn collect(page: &Page) -> Evidence {
        let tree = &page.tree;
        let mut evidence = Evidence::default();
        for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
            let attr = |name: &str| tree.attr_named(node, name).unwrap_or_default();
            match tree.tag_name(node) {
                "input" => evidence.has_password |= attr("type").eq_ignore_ascii_case("password"),
                "script" => {
                    evidence.scripts += 1;
                    evidence.challenge_source |= is_challenge_source(attr("src"));
                }
                "iframe" => evidence.challenge_source |= is_challenge_source(attr("src")),
                "noscript" => {
                    let text = raw_texts(page, node).to_lowercase();
                    evidence.asks_for_scripts |=
                        text.contains("javascript") || text.contains("enable script");
                }
                "p" => {
                    let chars = page.visible_text(node..tree.end(node)).trim().chars().count();
                    evidence.paragraphs += usize::from(chars >= MIN_PARAGRAPH_CHARS);
                    evidence.longest_paragraph = evidence.longest_paragraph.max(chars);
                }
                "div" | "main" | "section" => {
                    let is_container = tree.tag_name(tree.parent(node)) == "body" && !attr("id").is_empty();
                    evidence.empty_container |=
                        is_container && page.visible_text(node..tree.end(node)).trim().is_empty();
                }
                _ => {}
            }
        }
        evidence
    }
}

fn is_challenge_source(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    CHALLENGE_SOURCES.iter().any(|part| url.contains(part))
}

/// The texts below a node, shown or not.
fn raw_texts(page: &Page, node: Node) -> String {
    let nodes = node..page.tree.end(node);
    nodes.filter(|&node| page.tree.is_text(node)).map(|node| page.tree.raw_text(node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn seen(html: &str) -> Option<Impression> {
        impression(&Page::from_text(html, &Limits::default()))
    }

    #[test]
    fn pages_without_lists_are_recognised() {
        let shell = "<title>App</title><body><noscript>You need to enable JavaScript.</noscript>\
                     <div id=root></div><script src=/main.js></script>";
        assert_eq!(seen(shell), Some(Impression::NeedsScripts));
        assert_eq!(
            seen("<body><div id=app></div><script src=a.js></script>"),
            Some(Impression::NeedsScripts)
        );
        let login = "<h1>Sign in</h1><form><input name=user><input type=password><button>Go</button></form>";
        assert_eq!(seen(login), Some(Impression::Login));
        assert_eq!(seen("<title>Just a moment...</title><p>Checking"), Some(Impression::Challenge));
        assert_eq!(
            seen("<p>Please wait<script src='https://x.example/captcha/api.js'></script>"),
            Some(Impression::Challenge)
        );
        let paragraph = format!("<p>{}</p>", "Some words of a long story. ".repeat(8));
        assert_eq!(seen(&paragraph.repeat(4)), Some(Impression::Article));
        assert_eq!(seen("<p>Short"), None);
        assert_eq!(seen("<body></body>"), Some(Impression::Empty));
    }

    #[test]
    fn a_long_text_about_captchas_is_an_article() {
        let paragraph = format!("<p>{}</p>", "A site asks: are you a robot? People hate it. ".repeat(40));
        assert_eq!(seen(&paragraph.repeat(5)), Some(Impression::Article));
    }
}
