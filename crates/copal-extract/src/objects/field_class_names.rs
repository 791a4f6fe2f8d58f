//! Names of fields from classes and ids.
//!
//! In: a text. Out: the words of the class or id of an element near it, and whether they say what the text
//! is. A class may name the role of a text ("byline author") or only its layout ("list row"). O(1).

use super::detail_page::DetailPage;
use crate::signals::declared::schema::name_words;
use copal_dom::{Node, attrs, stable_classes};

/// Elements around a text whose class or id may name it.
const NAMING_LEVELS: usize = 3;
/// Words of a class that names a text without a known role.
const MAX_PLAIN_CLASS_WORDS: usize = 2;

/// Words in classes that say what a text is to the object.
const ROLE_WORDS: &[&str] = &[
    "title",
    "subtitle",
    "name",
    "price",
    "description",
    "summary",
    "author",
    "byline",
    "date",
    "published",
    "updated",
    "category",
    "location",
    "address",
    "city",
    "phone",
    "email",
    "brand",
    "sku",
    "model",
    "rating",
    "reviews",
    "company",
    "salary",
    "genre",
    "year",
    "duration",
    "availability",
    "stock",
    "condition",
    "director",
    "publisher",
    "cuisine",
    "tags",
];

/// Words in classes that say how a text is laid out, or which software made it.
const FIELD_LAYOUT_WORDS: &[&str] = &[
    "wp",
    "block",
    "item",
    "items",
    "wrapper",
    "wrap",
    "container",
    "content",
    "text",
    "heading",
    "header",
    "list",
    "row",
    "col",
    "column",
    "inner",
    "outer",
    "widget",
    "box",
    "section",
    "component",
    "module",
    "number",
    "link",
    "btn",
    "button",
    "icon",
    "nav",
    "menu",
    "toc",
    "entry",
    "post",
    "body",
    "main",
    "page",
    "caption",
    "comment",
    "comments",
    "share",
    "social",
    "mb",
    "mt",
    "px",
    "py",
];

/// The words of the class or id of an element near a text.
pub(super) fn name_from_class(page: &DetailPage<'_>, text: Node) -> Option<String> {
    let tree = &page.dom.tree;
    for above in tree.ancestors(text).take(NAMING_LEVELS) {
        let id = tree.attr(above, attrs::ID).into_iter().flat_map(stable_classes);
        let class = tree.attr(above, attrs::CLASS).into_iter().flat_map(stable_classes);
        let name = id.chain(class).find(|word| word.len() >= 3 && word.chars().any(char::is_alphabetic));
        if let Some(name) = name {
            return Some(name_words(name));
        }
    }
    None
}

/// The role that a name contains: "price" of "product price".
pub(super) fn role_word(name: &str) -> Option<&'static str> {
    name.rsplit(' ').find_map(|word| ROLE_WORDS.iter().find(|role| **role == word)).copied()
}

/// The name that a class gives to its text: a role, or one or two words that are not about layout.
pub(super) fn role_from_class(class: String) -> Option<String> {
    if let Some(role) = role_word(&class) {
        return Some(role.to_owned());
    }
    let is_short = class.split(' ').count() <= MAX_PLAIN_CLASS_WORDS;
    (is_short && !class.split(' ').any(|word| FIELD_LAYOUT_WORDS.contains(&word))).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::role_from_class;

    #[test]
    fn a_class_names_a_role_unless_it_is_about_layout() {
        let name = |class: &str| role_from_class(class.to_owned());
        assert_eq!(name("byline component author lkt wx").as_deref(), Some("author"));
        assert_eq!(name("engine size").as_deref(), Some("engine size"));
        assert_eq!(name("wp block heading"), None);
        assert_eq!(name("list row"), None);
    }
}
