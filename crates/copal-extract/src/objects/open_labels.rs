//! Fields without a domain from labels with their values.
//!
//! In: the labelled values of a page. Out: fields under the name of the label. Beyond what `own_values` leaves
//! out, a label is not believed if its value is what somebody types into a control, if it is part of a link's
//! text ("Colossus: The Forbin Project"), or if it repeats the name of the object: such a heading opens the
//! description. O(labelled values * nodes of a label).

use super::detail_page::DetailPage;
use super::labelled_values::{LabelLayout, LabelledValue};
use super::open_field_list::OpenFields;
use super::other_objects::ForeignParts;
use super::own_values::{is_own_heading_value, is_own_value};
use super::page_findings::PageFindings;
use super::reader_forms::{is_filled_in, is_in_form};
use copal_dom::{Node, squash};
use copal_model::FieldSource;
use copal_values::label_names::english_name;
use copal_values::labels::ends_with_colon;
use rustc_hash::FxHashMap;

/// Nodes between a label and its value that are searched for a control.
const MAX_NODES_BETWEEN: Node = 60;
/// Shortest label that can repeat the name of the object, in bytes of its letters and digits.
const MIN_NAME_BYTES: usize = 6;
/// Shortest label of several words that is a part of the name, in bytes of its letters and digits.
const MIN_NAME_PART_BYTES: usize = 10;
/// Labels inside the data area from which those outside it do not count, unless they are near the headline.
const MIN_INSIDE_LABELS: usize = 3;
/// Lines between the headline and a label near it.
const MAX_LINES_TO_HEADLINE: usize = 12;
/// Shortest section that is a description, and shortest line of running text, in bytes.
const MIN_DESCRIPTION_BYTES: usize = 80;
const MIN_PROSE_BYTES: usize = 60;
/// Words for the cart of a shop in several languages, and for stars: general knowledge.
const CART_WORDS: &[&str] = &[
    "shopping cart",
    "your cart",
    "my cart",
    "shopping bag",
    "basket ",
    " basket",
    "warenkorb",
    "panier",
    "carrito",
    "cesta de la compra",
    "carrello",
    "carrinho",
    "winkelwagen",
    "winkelmand",
    "koszyk",
    "košík",
    "kosár",
    "varukorg",
    "kundvagn",
    "indkøbskurv",
    "handlekurv",
    "ostoskori",
    "sepet",
    "корзин",
    "кошик",
    "количка",
    "カート",
    "购物车",
    "購物車",
    "장바구니",
];
const STAR_WORDS: &[&str] = &[
    "star",
    "stern",
    "étoile",
    "estrella",
    "estrela",
    "stelle",
    "sterren",
    "gwiazd",
    "hvězd",
    "csillag",
    "stjärn",
    "stjern",
    "tähte",
    "yıldız",
    "звезд",
    "зір",
    "星",
    "별점",
];

/// Adds the labelled values that belong to the object.
pub(super) fn add_labels(findings: &PageFindings<'_>, foreign: &ForeignParts, fields: &mut OpenFields<'_>) {
    let PageFindings { page, headline, name, labelled, .. } = findings;
    let name = name.as_deref().map(squash).unwrap_or_default();
    let is_own = |value: &&LabelledValue| {
        let is_short_section = value.layout == LabelLayout::Heading && has_colon(page, value);
        let is_own = is_own_value(page, value, labelled)
            || is_short_section && is_own_heading_value(page, value, labelled);
        is_own
            && !foreign.sections.iter().any(|lines| lines.contains(&value.line))
            && !is_in_form(&foreign.forms, value.node)
            && !is_of_control(page, value)
            && !is_label_of_page(&value.label)
    };
    let own: Vec<&LabelledValue> = labelled.iter().filter(is_own).collect();
    let is_inside = |value: &LabelledValue| {
        let line = &page.lines[value.line];
        !line.outside && !line.doubtful
    };
    let is_explicit = |value: &&&LabelledValue| value.layout != LabelLayout::Heading && is_inside(value);
    let has_inside_labels = own.iter().filter(is_explicit).count() >= MIN_INSIDE_LABELS;
    // By English name: the label that has it. Another label of the same meaning keeps its own words.
    let mut translated: FxHashMap<&str, &str> = FxHashMap::default();
    for value in own {
        let is_near = headline.is_some_and(|at| at.abs_diff(value.line) <= MAX_LINES_TO_HEADLINE);
        let is_elsewhere = page.lines[value.line].outside && has_inside_labels && !is_near;
        if is_elsewhere || is_link_text(page, value) {
            continue;
        }
        let mut label = value.label.as_str();
        if repeats_name(&name, label) {
            if value.layout != LabelLayout::Heading || !is_prose(&value.texts) {
                continue;
            }
            label = "description";
        }
        let mut weight = match value.layout {
            LabelLayout::TableRow | LabelLayout::DefinitionList => 0.9,
            LabelLayout::Inline | LabelLayout::AfterColon => 0.85,
            LabelLayout::AfterLabelLine => 0.8,
            LabelLayout::Heading if has_colon(page, value) => 0.8,
            LabelLayout::Heading => 0.6,
        };
        if value.is_static {
            weight -= 0.3;
        }
        if !is_inside(value) {
            weight -= 0.4;
        }
        let known = english_name(label, fields.language);
        let english = known.filter(|known| *translated.entry(*known).or_insert(label) == label);
        let name = english.unwrap_or(label);
        fields.push(name, value.texts.clone(), FieldSource::Label, weight, Some(value.node));
    }
}

/// True if the label of a section is written with a colon.
fn has_colon(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let label = page.lines_in(&(value.label_node..value.label_node + 1)).start;
    let label = page.lines.get(label).or_else(|| page.lines.get(value.lines.start.checked_sub(1)?));
    label.is_some_and(|line| line.last() == value.label_node && ends_with_colon(&line.text))
}

/// True if a label is the name of the object, or contains it, or is several words of it. `name` is compared
/// by its letters and digits.
fn repeats_name(name: &str, label: &str) -> bool {
    let own = squash(label);
    let is_part = name.contains(&own)
        && (2 * own.len() >= name.len()
            || own.len() >= MIN_NAME_PART_BYTES && label.split_whitespace().count() > 1);
    own.len() >= MIN_NAME_BYTES && name.len() >= MIN_NAME_BYTES && (is_part || own.contains(name))
}

/// True if most of a section is running text.
fn is_prose(texts: &[String]) -> bool {
    let bytes: usize = texts.iter().map(String::len).sum();
    let prose: usize = texts.iter().map(String::len).filter(|&bytes| bytes >= MIN_PROSE_BYTES).sum();
    bytes >= MIN_DESCRIPTION_BYTES && 2 * prose >= bytes
}

/// True if a label and its value are the text of one link, or parts of it.
fn is_link_text(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    value.layout == LabelLayout::Inline && value.label_node == value.node && page.is_in_link(value.node)
}

/// True if a label names what somebody types or chooses.
fn is_of_control(page: &DetailPage<'_>, value: &LabelledValue) -> bool {
    let end = value.node.min(value.label_node.saturating_add(MAX_NODES_BETWEEN));
    let mut between = value.label_node..end.max(value.label_node);
    value.layout != LabelLayout::Heading && between.any(|node| is_filled_in(page, node))
}

/// True for labels of what every page of a shop shows: the reader's cart, and how many readers gave how many
/// stars.
fn is_label_of_page(label: &str) -> bool {
    let label = label.to_lowercase();
    let counts_stars = label.starts_with(|c: char| ('1'..='5').contains(&c))
        && STAR_WORDS.iter().any(|word| label.contains(word));
    counts_stars || CART_WORDS.iter().any(|word| label.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{is_label_of_page, repeats_name};

    #[test]
    fn carts_and_stars_belong_to_the_page() {
        for label in ["Your shopping basket", "Warenkorb", "5 Sterne", "4 stars"] {
            assert!(is_label_of_page(label), "{label}");
        }
        for label in ["Basketball size", "Hotel stars", "5 year warranty"] {
            assert!(!is_label_of_page(label), "{label}");
        }
    }

    #[test]
    fn a_word_of_the_name_may_be_a_label() {
        let name = "helle2zimmerwohnung";
        assert!(!repeats_name(name, "Zimmer"));
        assert!(repeats_name(name, "Helle 2 Zimmer Wohnung - Details"));
        assert!(repeats_name("privatelabeldandelionjelly18oz", "Dandelion Jelly"));
    }
}
