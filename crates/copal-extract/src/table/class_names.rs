//! Column names from HTML classes.
//!
//! In: the sample node of a column, and the samples of the other columns. Out: the class word that says what
//! the column is, if there is one. Only elements that belong to this column alone are read: the class of an
//! element around several fields describes their group. Test hooks (`data-testid`) are read like classes.
//! O(ancestors within the record).

use super::column_draft::ColumnDraft;
use super::field_words::{
    field_word, is_abbreviation, is_ambiguous, is_layout_word, is_pronounceable, is_qualifier,
    is_record_word, split_glued,
};
use super::snake_case::snake_case;
use crate::lists::candidate::ListCandidate;
use copal_dom::{NONE, Node, Page, attrs, is_stable_word};
use copal_model::CellSource;
use copal_values::label_names::english_name;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Attributes in which sites name elements for their own tests.
const TEST_HOOKS: &[&str] = &[
    "data-testid",
    "data-test",
    "data-test-id",
    "data-qa",
    "data-hook",
    "data-cy",
    "data-ui",
    "data-field",
    "data-role",
    "data-element",
    "data-component",
    "data-automation",
    "data-automation-id",
    "data-e2e",
];
/// Words that count what the word before them names.
const COUNT_WORDS: &[&str] = &["count", "counter", "num", "number", "qty"];
/// Maximum number of words of a name.
const MAX_NAME_WORDS: usize = 3;
/// Shortest class word that is looked up in other languages, in bytes.
const MIN_FOREIGN_WORD_BYTES: usize = 4;
/// An element with more fields does not lend its class to the first of them.
const MAX_SHARED_FIELDS: usize = 3;

/// How much a class word says about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClassMeaning {
    /// It names a field: `price`.
    Field,
    /// It is a word, but none that commonly names fields.
    Word,
    /// It names a field, but the element has further fields after this one.
    Shared,
}

/// A name from a class.
#[derive(Debug, Clone)]
pub(super) struct ClassName {
    pub(super) name: String,
    /// All words of the class that say something, for columns whose name another column has: `context_title`.
    pub(super) longer: Option<String>,
    /// The class word as the page writes it.
    pub(super) class: String,
    pub(super) meaning: ClassMeaning,
}

/// Where the records begin, and where the texts of all columns are.
pub(super) struct ColumnNodes {
    tops: FxHashSet<Node>,
    /// Nodes of texts with the number of their column, in document order.
    texts: Vec<(Node, usize)>,
}

impl ColumnNodes {
    pub(super) fn new(found: &ListCandidate, drafts: &[ColumnDraft]) -> ColumnNodes {
        let tops = found.records.iter().flatten().map(|part| part.start).collect();
        let mut texts = Vec::new();
        for (c, draft) in drafts.iter().enumerate().filter(|(_, draft)| draft.source == CellSource::Text) {
            texts.push((draft.sample, c));
            texts.extend(draft.cells.iter().filter_map(|cell| Some((cell.text.source.as_ref()?.node, c))));
        }
        texts.sort_unstable();
        ColumnNodes { tops, texts }
    }

    /// The text columns inside an element, in their order; if there are more than [`MAX_SHARED_FIELDS`], the
    /// first ones only.
    pub(super) fn fields_in(&self, page: &Page, node: Node) -> SmallVec<[usize; 4]> {
        let from = self.texts.partition_point(|(text, _)| *text < node);
        let end = page.tree.end(node);
        let mut fields: SmallVec<[usize; 4]> = SmallVec::new();
        for (_, c) in self.texts[from..].iter().take_while(|(text, _)| *text < end) {
            if !fields.contains(c) {
                fields.push(*c);
            }
            if fields.len() > MAX_SHARED_FIELDS {
                break;
            }
        }
        fields
    }
}

/// The best name that the classes of a column's sample and the elements around it give.
pub(super) fn class_name(page: &Page, nodes: &ColumnNodes, column: usize, sample: Node) -> Option<ClassName> {
    let mut best: Option<ClassName> = None;
    let mut at = sample;
    while at != NONE && !nodes.tops.contains(&at) {
        let fields = nodes.fields_in(page, at);
        let is_shared = fields.len() > 1;
        if fields.len() > MAX_SHARED_FIELDS || is_shared && fields[0] != column {
            break;
        }
        if let Some(mut found) = element_name(page, at) {
            match (found.meaning, is_shared) {
                (ClassMeaning::Field, false) => return Some(found),
                (ClassMeaning::Field, true) => found.meaning = ClassMeaning::Shared,
                (_, true) => break,
                _ => {}
            }
            if best.as_ref().is_none_or(|best| found.meaning < best.meaning) {
                best = Some(found);
            }
        }
        at = page.tree.parent(at);
    }
    best
}

/// The name that an element has from its own class or test hook. Words that name fields are preferred, and of
/// these the last one: `card card-price` is a price.
fn element_name(page: &Page, node: Node) -> Option<ClassName> {
    let tree = &page.tree;
    let classes = tree.attr(node, attrs::CLASS).unwrap_or_default().split_ascii_whitespace();
    let hooks = TEST_HOOKS.iter().filter_map(|name| tree.attr_named(node, name));
    let mut best: Option<ClassName> = None;
    for class in hooks.chain(classes) {
        let Some((name, meaning)) = name_in_class(class) else { continue };
        if best.as_ref().is_none_or(|best| meaning <= best.meaning) {
            let longer = longer_name(class).filter(|longer| *longer != name);
            best = Some(ClassName { name, longer, class: class.to_owned(), meaning });
        }
    }
    best
}

/// The field that a class or an id names: `price` of `card__price--big`. Other words name nothing.
pub(crate) fn field_in_class(class: &str) -> Option<String> {
    name_in_class(class).filter(|(_, meaning)| *meaning == ClassMeaning::Field).map(|(name, _)| name)
}

/// The name in a class. Of block, element and modifier (`card__price--big`) the element names the field. If it
/// is a word such as `value`, the block does: `rating__value`.
fn name_in_class(class: &str) -> Option<(String, ClassMeaning)> {
    let stable = stable_part(class)?;
    let whole = stable.split("--").find(|part| !part.is_empty())?;
    let (block, element) = whole.rsplit_once("__").unwrap_or(("", whole));
    let own = snake_case(element).and_then(|element| name_of_class(&element));
    if block.is_empty() || own.as_ref().is_some_and(|(_, meaning)| *meaning == ClassMeaning::Field) {
        return own;
    }
    let with_block = snake_case(whole).and_then(|whole| name_of_class(&whole));
    with_block.filter(|(_, meaning)| *meaning == ClassMeaning::Field).or(own)
}

/// A class without the hash that a tool appended: `price__x1Yzq` is `price`.
fn stable_part(class: &str) -> Option<&str> {
    let tail = |at: usize, separator: usize| (&class[..at], &class[at + separator..]);
    let cut =
        class.rfind("__").map(|at| tail(at, 2)).or_else(|| class.rfind(['-', '_']).map(|at| tail(at, 1)));
    match cut {
        _ if is_stable_word(class) => Some(class),
        Some((before, _)) if is_stable_word(before) => Some(before),
        _ => None,
    }
}

/// The name in a class in snake case.
fn name_of_class(class: &str) -> Option<(String, ClassMeaning)> {
    let mut words: Vec<&str> = Vec::new();
    for word in class.split('_').filter(|word| !word.is_empty()) {
        match split_glued(word) {
            Some((before, after)) if field_word(word).is_none() => words.extend([before, after]),
            _ => words.push(word),
        }
    }
    if let Some(name) = field_name(&words) {
        return Some((name, ClassMeaning::Field));
    }
    if let Some(name) = words.last().and_then(|last| foreign_field(last)) {
        return Some((name.to_owned(), ClassMeaning::Field));
    }
    // the number of the record itself: `race-num`
    if let [before @ .., last] = &words[..]
        && COUNT_WORDS.contains(last)
        && !before.is_empty()
        && before.iter().all(|word| is_record_word(word))
    {
        return Some(("number".to_owned(), ClassMeaning::Word));
    }
    let describes = |word: &&&str| !is_layout_word(word) && !is_record_word(word) && is_pronounceable(word);
    let described: Vec<&str> = words.iter().filter(describes).copied().collect();
    let count = described.len();
    // most words must say something: a long name of layout words with one other word is about layout
    let enough = count > 0 && 2 * count >= words.len();
    enough.then(|| (described[count.saturating_sub(2)..].join("_"), ClassMeaning::Word))
}

/// The words of a class that say something, with those of its modifier: `date_month` of
/// `date-icon__item--month`.
fn longer_name(class: &str) -> Option<String> {
    let class = snake_case(stable_part(class)?)?;
    let says_something = |word: &&str| {
        !word.is_empty() && !is_layout_word(word) && !is_record_word(word) && is_pronounceable(word)
    };
    let words: Vec<&str> = class.split('_').filter(says_something).collect();
    let last = words.len().saturating_sub(MAX_NAME_WORDS);
    (words.len() > 1).then(|| words[last..].join("_"))
}

/// The field that a class word in another language names: `cena` is a price. Shorter words have too many
/// meanings.
fn foreign_field(word: &str) -> Option<&'static str> {
    let name = english_name(word, None).filter(|_| word.len() >= MIN_FOREIGN_WORD_BYTES)?;
    (field_word(name).is_some() && !is_ambiguous(name)).then_some(name)
}

/// The last field word with the words that qualify it.
fn field_name(words: &[&str]) -> Option<String> {
    let is_clear = |at: usize| {
        // abbreviations at the beginning are prefixes of tools: `prc-text`
        if is_abbreviation(words[at]) {
            return at + 1 == words.len();
        }
        !is_ambiguous(words[at])
            || at + 1 == words.len()
                && words[..at].iter().all(|word| !is_layout_word(word) || is_record_word(word))
    };
    let at = (0..words.len()).rev().find(|&at| field_word(words[at]).is_some() && is_clear(at))?;
    let mut from = at;
    while from > 0
        && at - from + 1 < MAX_NAME_WORDS
        && (is_qualifier(words[from - 1])
            || field_word(words[from - 1]).is_some()
                && !is_ambiguous(words[from - 1])
                && !is_abbreviation(words[from - 1])
                && !is_record_word(words[from - 1]))
    {
        from -= 1;
    }
    let mut name: Vec<&str> = words[from..at].to_vec();
    // whose name it is: `seller-info-name`
    if words[at] == "name" && name.is_empty() {
        let owner = words[..at].iter().rev().find(|word| !is_record_word(word) && !is_layout_word(word));
        let owner = owner.and_then(|word| field_word(word)).filter(|word| !is_ambiguous(word));
        name.extend(owner);
    }
    name.push(field_word(words[at])?);
    if words.get(at + 1).is_some_and(|next| COUNT_WORDS.contains(next)) {
        name.push("count");
    }
    Some(name.join("_"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn longer_names_have_all_words_that_say_something() {
        let longer = |class: &str| super::longer_name(class);
        assert_eq!(longer("contextTitle").as_deref(), Some("context_title"));
        assert_eq!(longer("date-icon__item--month").as_deref(), Some("date_month"));
        assert_eq!(longer("price"), None);
    }

    use super::*;

    #[test]
    fn field_words_name_columns() {
        for (class, expected) in [
            ("price", "price"),
            ("card__price--big", "price"),
            ("job-company", "company"),
            ("old-price", "old_price"),
            ("ProductCard_price__x1Yzq", "price"),
            ("review-count", "review_count"),
            ("venuename", "venue_name"),
            ("review-text", "review_text"),
            ("productDesc", "description"),
            ("SellerInfo_name__x1Yzq", "seller_name"),
            ("rating__value", "rating"),
            ("rating__count", "rating_count"),
        ] {
            assert_eq!(name_in_class(class), Some((expected.to_owned(), ClassMeaning::Field)), "{class}");
        }
    }

    #[test]
    fn words_about_layout_do_not() {
        for class in [
            "text-gray",
            "col-md-6",
            "line-height-22",
            "css-1venxj6",
            "has-text-weight-bold",
            "u-dt",
            "prc-Tooltip-cYMVY",
        ] {
            assert_eq!(name_in_class(class), None, "{class}");
        }
    }

    #[test]
    fn other_words_are_weaker() {
        assert_eq!(name_in_class("breadcrumb"), Some(("breadcrumb".to_owned(), ClassMeaning::Word)));
        assert_eq!(name_in_class("race-num"), Some(("number".to_owned(), ClassMeaning::Word)));
        assert_eq!(name_in_class("ekflz"), None);
    }
}
