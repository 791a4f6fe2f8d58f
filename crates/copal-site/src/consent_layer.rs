//! Consent layers: the button that closes one without agreeing to anything.
//!
//! In: a page that a browser shows. Out: the button to press, if there is one. A button is pressed only if its whole
//! label says that the visitor refuses, or that the layer is closed; "accept", "OK" and "got it" agree to something and
//! are never pressed. Where a layer says that closing it means agreeing, only a refusal counts. O(nodes + text of the
//! elements around such buttons).

use copal_dom::{Node, Page, attrs, tags};

use crate::consent_words::{
    ACCEPT_WORDS, CLOSE_LABELS, CLOSING_AGREES, CONSENT_WORDS, LAYER_NAMES, REFUSE_LABELS,
};

/// Nodes inside a button.
const MAX_BUTTON_NODES: u32 = 40;
/// Characters of a label.
const MAX_LABEL_CHARS: usize = 60;
/// Bytes of the text of a layer. What has more is a page about cookies.
const MAX_LAYER_BYTES: usize = 6000;
/// Levels between a button and the outermost element of its layer.
const MAX_LEVELS: usize = 14;
/// Buttons that are looked at.
const MAX_CANDIDATES: usize = 200;

/// What a button does to its layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LayerButton {
    Close,
    Refuse,
}

/// The button that dismisses a consent layer without agreement. Refusing comes before closing.
pub(crate) fn dismissing_button(page: &Page) -> Option<Node> {
    let buttons = page.tree.nodes().filter(|&node| is_button(page, node));
    let candidates = buttons.filter_map(|node| Some((meaning(page, node)?, node))).take(MAX_CANDIDATES);
    let mut best: Option<(LayerButton, Node)> = None;
    for (button, node) in candidates {
        if best.is_none_or(|(known, _)| button > known) && is_in_consent_layer(page, node, button) {
            best = Some((button, node));
        }
    }
    best.map(|(_, node)| node)
}

/// True for visible elements that a script reacts to. Links lead to other pages and are left alone.
fn is_button(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    if tree.is_text(node) || !page.styles.is_shown(node) || tree.end(node) - node > MAX_BUTTON_NODES {
        return false;
    }
    match tree.tag(node) {
        tags::BUTTON => true,
        tags::A => {
            tree.attr(node, attrs::HREF).is_none_or(|href| href.trim().is_empty() || href.trim() == "#")
        }
        tags::INPUT => tree.attr(node, attrs::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("button")),
        _ => tree.attr(node, attrs::ROLE).is_some_and(|role| role.eq_ignore_ascii_case("button")),
    }
}

/// What the label of a button says; `None` for everything that is not a known way to dismiss a layer.
fn meaning(page: &Page, node: Node) -> Option<LayerButton> {
    let text = label(&page.text_of(node));
    let named = [attrs::ARIA_LABEL, attrs::TITLE, attrs::VALUE].into_iter();
    let named = named.filter_map(|name| page.tree.attr(node, name)).map(label);
    let labels: Vec<String> = std::iter::once(text).chain(named).filter(|text| !text.is_empty()).collect();
    // "×" with the label "Accept and close"
    if labels.iter().any(|label| agrees(label)) {
        return None;
    }
    let one = |label: &String| {
        if REFUSE_LABELS.contains(&label.as_str()) {
            Some(LayerButton::Refuse)
        } else if CLOSE_LABELS.contains(&label.as_str()) {
            Some(LayerButton::Close)
        } else {
            None
        }
    };
    labels.iter().filter_map(one).max()
}

/// A text in lower case with single spaces, without what stands around its words. Symbols stay.
fn label(text: &str) -> String {
    let text: String = text.chars().take(MAX_LABEL_CHARS + 1).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").to_lowercase().replace('’', "'");
    text.trim_matches(|c: char| matches!(c, '.' | '!' | ':' | '"' | '[' | ']' | '(' | ')' | '>' | '›'))
        .to_owned()
}

fn agrees(label: &str) -> bool {
    !REFUSE_LABELS.contains(&label) && ACCEPT_WORDS.iter().any(|word| has_word(label, word))
}

/// True if the text has the word, or a word that begins with it.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        // scripts without spaces have no beginnings of words
        !word.is_ascii() || before.is_none_or(|c| !c.is_ascii_alphanumeric())
    })
}

/// True if an element around the button is a layer that asks for consent.
fn is_in_consent_layer(page: &Page, button: Node, what: LayerButton) -> bool {
    let tree = &page.tree;
    let mut node = button;
    for _ in 0..MAX_LEVELS {
        node = tree.parent(node);
        if matches!(tree.tag(node), tags::BODY | tags::HTML | tags::DOCUMENT) {
            return false;
        }
        let text = page.text_of(node).to_lowercase();
        if text.len() > MAX_LAYER_BYTES {
            return false;
        }
        if !CONSENT_WORDS.iter().any(|word| has_word(&text, word)) {
            continue;
        }
        let is_named = is_named_as_layer(page, node);
        match what {
            // who can refuse was asked to accept
            LayerButton::Refuse if is_named || has_accept_button(page, node) => return true,
            LayerButton::Close if is_named => {
                return !CLOSING_AGREES.iter().any(|phrase| text.contains(phrase));
            }
            _ => {}
        }
    }
    false
}

/// True if the element says that it is a dialog or a cookie banner.
fn is_named_as_layer(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    let is_dialog = tree
        .attr(node, attrs::ROLE)
        .is_some_and(|role| role.eq_ignore_ascii_case("dialog") || role.eq_ignore_ascii_case("alertdialog"));
    let names = [attrs::ID, attrs::CLASS].into_iter().filter_map(|name| tree.attr(node, name));
    let mut names = names.map(str::to_ascii_lowercase);
    is_dialog
        || tree.attr_named(node, "aria-modal").is_some_and(|value| value == "true")
        || tree.tag_name(node) == "dialog"
        || names.any(|name| LAYER_NAMES.iter().any(|known| name.contains(known)))
}

/// True if there is a button inside that agrees.
fn has_accept_button(page: &Page, layer: Node) -> bool {
    let inside = (layer..page.tree.end(layer)).filter(|&node| is_button(page, node));
    inside.take(MAX_CANDIDATES).any(|node| agrees(&label(&page.text_of(node))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn pressed(html: &str) -> Option<String> {
        let page = Page::from_text(html, &Limits::default());
        let button = dismissing_button(&page)?;
        Some(page.text_of(button))
    }

    #[test]
    fn layers_are_refused_or_closed() {
        for (layer, label) in [
            ("<p>We use cookies.</p><button>Accept all</button><button>Reject all</button>", "Reject all"),
            ("<p>Wir nutzen Cookies</p><button>Zustimmen</button><a>Ablehnen</a>", "Ablehnen"),
            (
                "<p>Cookies</p><button>J'accepte</button><button>Continuer sans accepter</button>",
                "Continuer sans accepter",
            ),
            (
                "<p>Utilizamos cookies</p><a href='#'>Rechazar todo</a><button>Aceptar</button>",
                "Rechazar todo",
            ),
            (
                "<p>当サイトはCookieを使用します</p><button>同意する</button><button>拒否する</button>",
                "拒否する",
            ),
        ] {
            assert_eq!(pressed(&format!("<div>{layer}</div><p>page")).as_deref(), Some(label), "{layer}");
        }
        let close = "<div class=cookie-banner><p>This site uses cookies.</p><button aria-label=Close>×</button></div>";
        assert_eq!(pressed(close).as_deref(), Some("×"));
        let both = "<div role=dialog>Your privacy: cookies<button>×</button><button>Decline</button></div>";
        assert_eq!(pressed(both).as_deref(), Some("Decline"));
    }

    #[test]
    fn nothing_is_agreed_to() {
        for layer in [
            "<p>We use cookies.</p><button>Accept</button>",
            "<p>We use cookies.</p><button>OK</button><button>Got it</button><button>Settings</button>",
            "<p>We use cookies.</p><button>Accept</button><button aria-label='Accept and close'>×</button>",
            "<p>By closing this notice you agree to our cookies.</p><button>×</button>",
            "<p>We use cookies.</p><a href='/reject'>Reject</a><button>Accept</button>",
            "<p>We use cookies.</p><button>Accept only necessary</button>",
            "<p>We use cookies.</p><button hidden>Reject</button><button>Accept</button>",
        ] {
            let html = format!("<div class=cookie-consent role=dialog>{layer}</div>");
            assert_eq!(pressed(&html), None, "{layer}");
        }
    }

    #[test]
    fn other_buttons_are_left_alone() {
        for html in [
            "<div role=dialog>Filters <button>Close</button></div>",
            "<div>Oat cookies, our recipe <button>Close</button></div>",
            "<ul><li>Butter cookies <button>Decline</button></ul>",
            "<div class=invitation>Lunch on Friday? <button>Accept</button><button>Decline</button></div>",
        ] {
            assert_eq!(pressed(html), None, "{html}");
        }
        let article =
            format!("<div id=cookie-law>Cookies {}<button>Close</button></div>", "word ".repeat(2000));
        assert_eq!(pressed(&article), None);
    }
}
