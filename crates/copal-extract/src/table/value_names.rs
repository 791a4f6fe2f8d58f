//! Column names from the values themselves: their type, the words around them, their length.
//!
//! In: a column draft with its type, and the name that its class gives. Out: a name and the reason for it.
//! A class that names the same thing more exactly (`sale_price`) is preferred to the name of the type.
//! O(cells).

use super::class_names::{ClassMeaning, ClassName};
use super::column_draft::{ColumnDraft, DraftCell, self_and_ancestors};
use super::snake_case::snake_case;
use copal_dom::{Node, Page, attrs};
use copal_model::{CellSource, NamedBy};
use copal_values::ValueType;

/// Segments and keys of URLs under which sites keep the pages of their users, in several languages.
const USER_PAGES: &[&str] = &[
    "auteur",
    "author",
    "authors",
    "autor",
    "autore",
    "benutzer",
    "bruker",
    "gebruiker",
    "member",
    "members",
    "nutzer",
    "people",
    "profil",
    "profile",
    "profiles",
    "u",
    "user",
    "users",
    "usuario",
    "utente",
    "utilisateur",
    "uzivatel",
    "uzytkownik",
];
/// Class words of prices that no longer hold.
const OLD_PRICE_WORDS: &[&str] =
    &["before", "compare", "crossed", "old", "original", "regular", "strike", "strikethrough", "was"];
/// Elements around a price that may say that it is an old one.
const OLD_PRICE_ANCESTORS: usize = 3;
/// Texts of this many characters on average are descriptions.
pub(super) const MIN_DESCRIPTION_CHARS: usize = 80;

/// A name, what it was taken from, and why.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NameEvidence {
    pub(super) name: String,
    pub(super) by: NamedBy,
    pub(super) reason: String,
    /// The shorter name that the same evidence gives, if this is what is left because another column has
    /// that.
    pub(super) instead_of: Option<String>,
}

impl NameEvidence {
    pub(super) fn new(name: impl Into<String>, by: NamedBy, reason: impl Into<String>) -> NameEvidence {
        NameEvidence { name: name.into(), by, reason: reason.into(), instead_of: None }
    }
}

/// The name of a column whose values have a type that says what they are.
pub(super) fn typed_name(
    page: &Page,
    draft: &ColumnDraft,
    value_type: ValueType,
    class: Option<&ClassName>,
) -> Option<NameEvidence> {
    let usual = match value_type {
        ValueType::Money if is_old_price(page, draft.sample) => "old_price",
        ValueType::Money => "price",
        ValueType::Date if most(draft, is_clock_time) => "time",
        ValueType::Date => "date",
        ValueType::Percent if most(draft, is_discount) => "discount",
        ValueType::Url if most(draft, |text| !text.contains(['/', '›', ' '])) => "site",
        ValueType::Url => "displayed_url",
        ValueType::Phone
        | ValueType::Email
        | ValueType::Postcode
        | ValueType::Rating
        | ValueType::Area
        | ValueType::Duration
        | ValueType::Isbn => value_type.name(),
        _ => return None,
    };
    let exact =
        class.filter(|class| class.meaning == ClassMeaning::Field && is_exact(value_type, &class.name));
    Some(match exact {
        Some(class) => class_evidence(class, draft.source),
        None => NameEvidence::new(
            usual,
            NamedBy::ValueType,
            format!("its values have the type {}", value_type.name()),
        ),
    })
}

/// The name that a class gives.
pub(super) fn class_evidence(class: &ClassName, source: CellSource) -> NameEvidence {
    let reason = format!("the class {} of its elements", class.class);
    NameEvidence::new(with_source(class.name.clone(), source), NamedBy::Class, reason)
}

/// The name that all words of a class give, for columns whose shorter name another column has.
pub(super) fn longer_class_evidence(class: &ClassName, source: CellSource) -> Option<NameEvidence> {
    let longer = with_source(class.longer.clone()?, source);
    let short = class_evidence(class, source);
    Some(NameEvidence { name: longer, instead_of: Some(short.name), ..short })
}

/// Marks names of links and images, because an element often has a text and a link of one name.
pub(super) fn with_source(word: String, source: CellSource) -> String {
    match source {
        CellSource::Text | CellSource::Embedded | CellSource::Detail | CellSource::Heading => word,
        CellSource::Href => format!("{word}_url"),
        CellSource::Src => format!("{word}_image"),
    }
}

/// True if a class name is at least as exact as the usual name of a type.
fn is_exact(value_type: ValueType, name: &str) -> bool {
    let family: &[&str] = match value_type {
        ValueType::Money => &[
            "amount", "bid", "budget", "cost", "delivery", "fee", "price", "rent", "salary", "saving",
            "savings", "shipping", "tax", "total", "wage",
        ],
        ValueType::Date => &[
            "age", "birthday", "closing", "deadline", "due", "end", "ends", "expires", "modified", "posted",
            "start", "starts", "updated", "year",
        ],
        ValueType::Percent => &["discount", "savings", "saving", "score", "rating"],
        ValueType::Rating => &["score", "rating", "stars"],
        ValueType::Phone => &["fax", "phone"],
        ValueType::Area => &["area", "size"],
        ValueType::Duration => &["duration", "runtime", "length"],
        ValueType::Url => &["domain", "site", "source"],
        _ => &[],
    };
    let last = name.rsplit('_').next().unwrap_or(name);
    // an amount of money is a price unless the class says of what it is the amount
    if name == "amount" {
        return false;
    }
    family.contains(&last) || value_type == ValueType::Date && last == "date" && name != "date"
}

/// A crossed out price, or one in an element that says so.
fn is_old_price(page: &Page, sample: Node) -> bool {
    let says_so = |node: Node| {
        let class = page.tree.attr(node, attrs::CLASS).unwrap_or_default().to_ascii_lowercase();
        class.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| OLD_PRICE_WORDS.contains(&word))
    };
    page.styles.style(sample).strike
        || self_and_ancestors(page, sample).take(OLD_PRICE_ANCESTORS).any(says_so)
}

/// `18:05`, `9.30 pm`.
fn is_clock_time(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    // "9 Dec 17:37" has a day besides
    let is_of_clock = |word: &str| !word.contains(|c: char| c.is_ascii_digit()) || word.contains([':', '.']);
    (3..=8).contains(&digits)
        && letters <= 4
        && text.contains(':')
        && !text.contains(['/', ','])
        && text.split_whitespace().all(is_of_clock)
}

fn is_discount(text: &str) -> bool {
    text.starts_with(['-', '\u{2212}', '\u{2013}']) || text.to_ascii_lowercase().contains("off")
}

/// True if a test holds for at least four of five cells.
fn most(draft: &ColumnDraft, test: impl Fn(&str) -> bool) -> bool {
    5 * draft.cells.iter().filter(|cell| test(cell.text())).count() >= 4 * draft.cells.len()
}

/// `author` for texts that link to the pages of users, if the records have a longer text besides.
pub(super) fn author_name(
    page: &Page,
    draft: &ColumnDraft,
    drafts: &[ColumnDraft],
    records: usize,
) -> Option<NameEvidence> {
    if draft.source != CellSource::Text || mean_chars(draft) > 40 {
        return None;
    }
    let is_user_link = |node: Node| {
        let link = self_and_ancestors(page, node)
            .take(3)
            .find_map(|up| page.tree.attr(up, attrs::HREF).map(|href| (up, href)));
        link.is_some_and(|(up, href)| {
            let path = href
                .split_once("://")
                .map_or(href, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
            let segments = path.split(['/', '?', '&', '=']);
            page.tree.attr(up, attrs::REL) == Some("author")
                || segments.clone().count() > 1
                    && segments.take(3).any(|segment| USER_PAGES.contains(&segment.trim_end_matches(".php")))
        })
    };
    let has_longer_text = || {
        drafts.iter().any(|other| {
            other.source == CellSource::Text
                && 2 * other.record_count() > records
                && mean_chars(other) > mean_chars(draft) + 10
        })
    };
    (is_user_link(draft.sample) && is_user_link(draft.last) && has_longer_text())
        .then(|| NameEvidence::new("author", NamedBy::ValueType, "its texts link to the pages of users"))
}

/// A name that says little, for columns that nothing else names.
pub(super) fn weak_name(draft: &ColumnDraft, value_type: Option<ValueType>) -> Option<NameEvidence> {
    let Some(value_type) = value_type else {
        let is_prose = draft.source == CellSource::Text && mean_chars(draft) >= MIN_DESCRIPTION_CHARS;
        return is_prose.then(|| NameEvidence::new("description", NamedBy::ValueType, "its texts are long"));
    };
    let name = match value_type {
        // a second price is a price with a number
        ValueType::Link | ValueType::Image | ValueType::Money => return None,
        ValueType::YesNo => snake_case("yes_no")?,
        other => other.name().to_owned(),
    };
    Some(NameEvidence::new(
        name,
        NamedBy::ValueType,
        format!("its values have the type {}", value_type.name()),
    ))
}

/// The mean number of characters of the texts of a column.
pub(super) fn mean_chars(draft: &ColumnDraft) -> usize {
    draft.cells.iter().map(|cell: &DraftCell| cell.text().chars().count()).sum::<usize>()
        / draft.cells.len().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_classes_are_preferred_to_types() {
        assert!(is_exact(ValueType::Money, "sale_price"));
        assert!(is_exact(ValueType::Date, "start_date"));
        assert!(!is_exact(ValueType::Date, "time"));
        assert!(!is_exact(ValueType::Money, "title"));
    }

    #[test]
    fn clock_times_are_not_dates() {
        assert!(is_clock_time("18:05") && is_clock_time("9:30 pm"));
        assert!(
            !is_clock_time("9 Dec 17:37")
                && !is_clock_time("12 May 2020")
                && !is_clock_time("5/6/2020, 18:05")
        );
    }
}
