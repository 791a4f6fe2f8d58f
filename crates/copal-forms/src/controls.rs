//! What kind of control an element is, and what can be pressed.

use crate::evidence::WordEvidence;
use crate::model::Control;
use crate::vocabulary::{LOG_IN, SEARCH, SEND};
use copal_dom::{Node, Page, Tree, attrs, tags};

/// True for buttons, and for links that look like one: by role, class or what they say.
pub(crate) fn is_button(page: &Page, node: Node) -> bool {
    let tree = &page.tree;
    match tree.tag(node) {
        tags::BUTTON => true,
        tags::INPUT => control_of(tree, node) == Some(Control::Submit),
        tags::A | tags::SPAN | tags::DIV => {
            if tree.attr(node, attrs::ROLE).is_some_and(|role| role.eq_ignore_ascii_case("button")) {
                return true;
            }
            if tree.tag(node) != tags::A || tree.raw_text(node).len() > 60 {
                return false;
            }
            let mut words = WordEvidence::default();
            words.add_all([
                Some(tree.raw_text(node)),
                tree.attr(node, attrs::ID),
                tree.attr(node, attrs::CLASS),
            ]);
            ["btn", "button"].iter().any(|word| words.has_word(word))
                || [&SEARCH, &SEND, &LOG_IN].iter().any(|meaning| words.has(meaning))
        }
        _ => false,
    }
}

/// What kind of control an element is; `None` for hidden inputs and buttons that only run scripts.
pub(crate) fn control_of(tree: &Tree, node: Node) -> Option<Control> {
    let kind = tree.attr(node, attrs::TYPE).unwrap_or_default().trim().to_ascii_lowercase();
    Some(match tree.tag(node) {
        tags::SELECT => Control::Select,
        tags::TEXTAREA => Control::TextArea,
        tags::BUTTON if kind == "reset" => Control::Reset,
        tags::BUTTON => Control::Submit,
        tags::INPUT => match kind.as_str() {
            "hidden" => return None,
            "password" => Control::Password,
            "checkbox" => Control::Checkbox,
            "radio" => Control::Radio,
            "file" => Control::File,
            "submit" | "image" | "button" => Control::Submit,
            "reset" => Control::Reset,
            _ => Control::Text,
        },
        _ => return None,
    })
}
