//! The title, link and image that represent a record.
//!
//! In: column drafts, some of them named. Out: the names `title`, `url` and `image` for the columns that have
//! these roles. O(cells).

use super::class_names::{ClassMeaning, ClassName};
use super::column_draft::{ColumnDraft, self_and_ancestors};
use super::content_names::{lists_people, may_be_people};
use super::value_names::{NameEvidence, mean_chars};
use copal_dom::{Page, tags};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;

/// Names of columns that represent the record.
const TITLE_WORDS: &[&str] = &["title", "name", "headline", "subject"];
/// Class words of fields that never represent the record.
const OTHER_FIELD_WORDS: &[&str] = &[
    "address",
    "area",
    "author",
    "brand",
    "category",
    "city",
    "comments",
    "country",
    "date",
    "dealer",
    "department",
    "description",
    "email",
    "excerpt",
    "genre",
    "location",
    "message",
    "phone",
    "price",
    "publisher",
    "rating",
    "replies",
    "reviewer",
    "seller",
    "snippet",
    "status",
    "subtitle",
    "summary",
    "tag",
    "tags",
    "time",
    "type",
    "views",
];
/// Words in links that do something with a record.
const ACTION_WORDS: &[&str] = &[
    "cart",
    "compare",
    "download",
    "favorite",
    "javascript",
    "login",
    "mailto",
    "reply",
    "report",
    "share",
    "tel",
    "vote",
    "wishlist",
];
/// Elements around a text that may make it a heading or a link.
const TITLE_LEVELS: usize = 3;
/// Titles are shorter on average.
const MAX_TITLE_CHARS: usize = 160;

/// Names the text, the link and the image that represent a record. `n` is the number of records.
pub(super) fn name_by_role(
    page: &Page,
    names: &mut [Option<NameEvidence>],
    drafts: &[ColumnDraft],
    value_types: &[Option<ValueType>],
    classes: &[Option<ClassName>],
    n: usize,
) {
    let role = |name: &str, reason: &str| Some(NameEvidence::new(name, NamedBy::Role, reason));
    let frequent = |draft: &ColumnDraft| 5 * draft.record_count() >= 4 * n;
    let known =
        |names: &[Option<NameEvidence>], name: &str| names.iter().flatten().any(|known| known.name == name);
    let title = title_column(page, names, drafts, value_types, classes, n);
    if let Some(c) = title {
        names[c] = if lists_people(page, &drafts[c]) && may_be_people(&drafts[c]) {
            role("name", "its texts are the people that the records are about")
        } else {
            role("title", "its texts represent the records")
        };
    }
    if !known(names, "url") {
        let free = |c: &usize| {
            names[*c].is_none()
                && drafts[*c].source == CellSource::Href
                && frequent(&drafts[*c])
                && drafts[*c].is_mostly_distinct()
        };
        let links: Vec<usize> = (0..drafts.len()).filter(free).collect();
        // the link around the title or inside it; otherwise the first link that does not do something
        let around = |&c: &usize| {
            title.is_some_and(|t| {
                let (title, link) = (drafts[t].sample, drafts[c].sample);
                page.tree.contains(link, title) || page.tree.contains(title, link)
            })
        };
        let leads_on = |&c: &usize| !is_action(drafts[c].cells[0].text());
        let first = links.iter().copied().find(leads_on).or_else(|| links.first().copied());
        if let Some(c) = links.iter().copied().find(around).or(first) {
            names[c] = role("url", "its links represent the records");
        }
    }
    if !known(names, "image") {
        let image =
            |c: &usize| names[*c].is_none() && drafts[*c].source == CellSource::Src && frequent(&drafts[*c]);
        let images: Vec<usize> = (0..drafts.len()).filter(image).collect();
        let differs = images.iter().copied().find(|&c| drafts[c].is_mostly_distinct());
        if let Some(c) = differs.or_else(|| images.first().copied()) {
            names[c] = role("image", "its images represent the records");
        }
    }
}

/// The text that represents a record: most records have it, it has letters and no value type, and it differs
/// between records. Headings are preferred, then links, then large or bold text, then the first text.
fn title_column(
    page: &Page,
    names: &[Option<NameEvidence>],
    drafts: &[ColumnDraft],
    value_types: &[Option<ValueType>],
    classes: &[Option<ClassName>],
    n: usize,
) -> Option<usize> {
    if names.iter().flatten().any(|known| TITLE_WORDS.contains(&known.name.as_str())) {
        return None;
    }
    let field = |c: usize| {
        let class = classes[c].as_ref().filter(|class| class.meaning == ClassMeaning::Field);
        class.map(|class| main_word(&class.name))
    };
    let good = |c: &usize| {
        let draft = &drafts[*c];
        let letters =
            || draft.cells.iter().filter(|cell| cell.text().chars().any(char::is_alphabetic)).count();
        names[*c].is_none()
            && draft.source == CellSource::Text
            && value_types[*c].is_none()
            && 5 * draft.record_count() >= 4 * n
            && 2 * letters() > draft.cells.len()
            && (draft.is_mostly_distinct() || in_heading(page, draft) && draft.differs_enough())
    };
    let rank = |c: &usize| {
        let node = drafts[*c].sample;
        let tree = &page.tree;
        let near = || self_and_ancestors(page, node).take(TITLE_LEVELS);
        let is_row_header = |node| {
            tree.tag(node) == tags::TH
                && tree.attr_named(node, "scope").is_some_and(|scope| scope.eq_ignore_ascii_case("row"))
        };
        let heading = in_heading(page, &drafts[*c]) || near().any(is_row_header);
        let distinct = drafts[*c].is_mostly_distinct();
        // a link inside a longer text is only a word of that text
        let link = near().any(|node| tree.tag(node) == tags::A)
            || drafts
                .iter()
                .any(|other| other.source == CellSource::Href && tree.contains(node, other.sample));
        let style = page.styles.style(node);
        let called_title = field(*c).is_some_and(|word| TITLE_WORDS.contains(&word));
        let is_short = heading || mean_chars(&drafts[*c]) <= MAX_TITLE_CHARS;
        (is_short, heading, distinct, called_title, link, style.size, style.bold, std::cmp::Reverse(*c))
    };
    let is_other = |c: &usize| field(*c).is_some_and(|word| OTHER_FIELD_WORDS.contains(&word));
    let best = (0..drafts.len()).filter(good).max_by_key(|c| (!is_other(c), rank(c)))?;
    if is_other(&best) && field(best) != Some("subtitle") {
        return None;
    }
    // texts that are long and nothing else are what the records say, not what they are called
    rank(&best).0.then_some(best)
}

/// The word of a name that says what it is the name of: `seller` of `seller_name`, `price` of `old_price`.
fn main_word(name: &str) -> &str {
    let mut words = name.rsplit('_');
    match (words.next(), words.next()) {
        (Some("name" | "title"), Some(before)) => before,
        (last, _) => last.unwrap_or(name),
    }
}

fn in_heading(page: &Page, draft: &ColumnDraft) -> bool {
    self_and_ancestors(page, draft.sample).take(TITLE_LEVELS).any(|up| tags::is_heading(page.tree.tag(up)))
}

/// True for a link that does something with the record instead of leading to it.
fn is_action(href: &str) -> bool {
    let mut words = href.split(|c: char| !c.is_ascii_alphanumeric());
    href.starts_with(['#']) || words.any(|word| ACTION_WORDS.contains(&word.to_ascii_lowercase().as_str()))
}
