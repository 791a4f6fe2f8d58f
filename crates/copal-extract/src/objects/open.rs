//! Fields without a domain: what the page itself names (open extraction).
//!
//! In: sheets of one template. Out: at most 80 fields a page: every label with its value, declared properties, the headline as `title`, the
//! largest price, and short texts that differ from page to page and whose element is named by its class. O(lines).

use super::Placed;
use super::area;
use super::declared_fields::DeclaredField;
use super::field_names::snake;
use super::headline;
use super::pairs::{How, Pair};
use super::sheet::Sheet;
use crate::signals::declared::schema::name_words;
use copal_dom::{Node, attrs, squash, stable_classes};
use copal_model::{Field, FieldSource};
use copal_values::find;
use copal_values::labels::is_no_value;
use copal_values::{Value, ValueType};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest text that is named by its class.
const SHORT: usize = 160;
/// Most values of a field.
const VALUES: usize = 40;

pub(super) fn read(
    sheets: &[Sheet<'_>],
    headlines: &[Option<usize>],
    pairs: &[Vec<Pair>],
    declared: &[Vec<DeclaredField>],
    images: Vec<Option<(String, Node)>>,
) -> Vec<Vec<Placed>> {
    let pages = sheets.iter().zip(headlines).zip(pairs).zip(declared).zip(images);
    pages
        .map(|((((sheet, headline), pairs), declared), image)| page(sheet, *headline, pairs, declared, image))
        .collect()
}

struct Fields {
    list: Vec<(f64, Placed)>,
    names: FxHashMap<String, usize>,
    said: FxHashSet<String>,
}

impl Fields {
    fn push(&mut self, name: &str, texts: Vec<String>, source: FieldSource, weight: f64, node: Option<Node>) {
        let texts: Vec<String> = texts.into_iter().filter(|text| !is_no_value(text)).take(VALUES).collect();
        let Some(first) = texts.first() else { return };
        let name = snake(name);
        if name.is_empty() || name.len() > 60 {
            return;
        }
        if let Some(&at) = self.names.get(&name) {
            // the same label again: further values of it
            let known = &mut self.list[at].1.0;
            for text in texts {
                if known.texts.len() < VALUES && !known.texts.contains(&text) {
                    known.texts.push(text);
                }
            }
            return;
        }
        self.said.extend(texts.iter().map(|text| squash(text)));
        let value = typed(first);
        self.names.insert(name.clone(), self.list.len());
        let field = Field { name, texts, value, source, confidence: weight, xpath: None };
        self.list.push((weight, (field, node)));
    }
}

fn page(
    sheet: &Sheet<'_>,
    headline: Option<usize>,
    pairs: &[Pair],
    declared: &[DeclaredField],
    image: Option<(String, Node)>,
) -> Vec<Placed> {
    let mut fields = Fields { list: Vec::new(), names: FxHashMap::default(), said: FxHashSet::default() };
    if let Some(line) = headline {
        let line = &sheet.lines[line];
        let name = headline::name(line);
        fields.push("title", vec![name.to_owned()], FieldSource::Headline, 0.95, Some(line.first()));
        let rest = line.text.get(name.len()..).unwrap_or_default().trim();
        if let Some(by) = ["by ", "By "].iter().find_map(|word| rest.strip_prefix(word)) {
            fields.push("by", vec![by.to_owned()], FieldSource::Headline, 0.9, Some(line.last()));
        }
    }
    if let Some((address, node)) = image {
        fields.push("image", vec![address], FieldSource::Role, 0.8, Some(node));
    }
    // what follows "You may also like" is not the object's, list or not
    for pair in pairs.iter().filter(|pair| pair.how != How::Heading || !area::heads_others(&pair.label)) {
        let outside = sheet.lines[pair.line].outside || sheet.lines[pair.line].doubtful;
        let mut weight = match pair.how {
            How::Row | How::Definition => 0.9,
            How::Inline | How::Behind => 0.85,
            How::Known => 0.8,
            How::Heading => 0.6,
        };
        if pair.fixed {
            weight -= 0.3;
        }
        if outside {
            weight -= 0.5;
        }
        fields.push(&pair.label, pair.values.clone(), FieldSource::Label, weight, Some(pair.node));
    }
    for property in declared {
        let node = property.line.map(|line| sheet.lines[line].first());
        fields.push(&property.name, property.texts.clone(), FieldSource::Declared, 0.88, node);
    }
    // what has a label is not told again without it
    let told: FxHashSet<usize> = pairs
        .iter()
        .filter(|pair| pair.how != How::Heading)
        .flat_map(|pair| std::iter::once(pair.line).chain(pair.lines.clone()))
        .collect();
    for at in (0..sheet.lines.len()).filter(|at| !told.contains(at)) {
        let line = &sheet.lines[at];
        let short = line.text.len() <= SHORT && line.text.contains(char::is_alphanumeric);
        if line.outside
            || line.doubtful
            || !short
            || sheet.is_static(at)
            || fields.said.contains(&squash(&line.text))
        {
            continue;
        }
        let kind = kind_of(&line.text);
        let class = class_name(sheet, line.first());
        // what differs from page to page is the object's, whatever its element is called; on a page alone the name must say a role
        let class = if sheet.pages > 1 { class } else { class.and_then(plain_name) };
        let Some(name) = class.or_else(|| kind.map(|kind| kind.name().to_owned())) else { continue };
        let near = headline.map_or(0.0, |named| (-(at.abs_diff(named) as f64) / 20.0).exp());
        let varies = if sheet.pages > 1 { 0.25 } else { 0.0 };
        let weight = 0.25 + varies + 0.2 * near + if kind.is_some() { 0.15 } else { 0.0 };
        fields.push(&name, vec![line.text.clone()], FieldSource::Text, weight, Some(line.first()));
    }
    let mut list = fields.list;
    // the best ones, in the order of the page
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    list.truncate(super::FIELDS);
    let mut list: Vec<Placed> = list.into_iter().map(|(_, placed)| placed).collect();
    list.sort_by_key(|(_, node)| node.unwrap_or(Node::MAX));
    list
}

/// Words of names that say what a text is to the object.
const ROLES: &[&str] = &[
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

/// Words of names that say how a text is laid out or by what it was made.
const LAYOUT: &[&str] = &[
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

/// The name of a class, if it says what its text is: a role, or one or two words that are not about layout.
fn plain_name(name: String) -> Option<String> {
    let role = name.rsplit(' ').find_map(|word| ROLES.iter().find(|role| **role == word));
    if let Some(role) = role {
        return Some((*role).to_owned());
    }
    let words = name.split(' ').count();
    (words <= 2 && !name.split(' ').any(|word| LAYOUT.contains(&word))).then_some(name)
}

/// What a whole text is.
fn kind_of(text: &str) -> Option<ValueType> {
    let mut hits = Vec::new();
    find(text, &mut hits);
    hits.iter().find(|hit| 2 * hit.span.len() >= text.len()).map(|hit| hit.value_type)
}

fn typed(text: &str) -> Option<Value> {
    if text.len() > 80 {
        return None;
    }
    let mut hits = Vec::new();
    find(text, &mut hits);
    hits.into_iter().find(|hit| 2 * hit.span.len() >= text.len()).map(|hit| hit.value)
}

/// The name an element near a text has: of its class or id.
fn class_name(sheet: &Sheet<'_>, leaf: Node) -> Option<String> {
    let tree = &sheet.page.tree;
    for above in tree.ancestors(leaf).take(3) {
        let id = tree.attr(above, attrs::ID).into_iter().flat_map(stable_classes);
        let class = tree.attr(above, attrs::CLASS).into_iter().flat_map(stable_classes);
        let name = id.chain(class).find(|word| word.len() >= 3 && word.chars().any(char::is_alphabetic));
        if let Some(name) = name {
            return Some(name_words(name));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn names_of_classes_say_a_role_or_nothing_of_layout() {
        let name = |class: &str| plain_name(class.to_owned());
        assert_eq!(name("byline component author lkt wx").as_deref(), Some("author"));
        assert_eq!(name("engine size").as_deref(), Some("engine size"));
        assert_eq!(name("wp block heading"), None);
        assert_eq!(name("list row"), None);
    }
}
