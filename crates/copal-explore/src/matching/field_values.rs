//! Cells of different sites in comparable form.
//!
//! In: records with named texts. Out: per record the values of the columns that say what the thing is: identifiers, amounts of
//! money, and words. URLs, pictures and numbers that only the site knows are left out. O(text).

use super::SiteRecord;
use copal_values::{Value, find_values};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Words of a cell that are compared.
const MAX_WORDS: usize = 60;
/// A longer text is not a price.
const MAX_PRICE_BYTES: usize = 200;
/// Columns that name the thing.
const TITLE_COLUMNS: [&str; 4] = ["title", "name", "product", "headline"];
/// Columns that say where it is.
const ADDRESS_WORDS: [&str; 5] = ["address", "street", "location", "postcode", "postal"];
/// Numbers that are the same everywhere.
const IDENTIFIER_WORDS: [&str; 12] =
    ["isbn", "isbn10", "isbn13", "ean", "gtin", "gtin13", "upc", "mpn", "asin", "doi", "vin", "issn"];
/// Columns that say nothing about the thing, or only on their own site.
const SITE_WORDS: [&str; 22] = [
    "url",
    "link",
    "image",
    "picture",
    "photo",
    "page",
    "site",
    "id",
    "key",
    "sku",
    "reference",
    "ref",
    "rank",
    "position",
    "section",
    "region",
    "seller",
    "shop",
    "agent",
    "views",
    "rating",
    "reviews",
];

/// What a column is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ColumnRole {
    Identifier,
    Title,
    Address,
    Money,
    /// A few words or a number: a brand, an author, a number of rooms.
    Other,
    /// A text to read.
    Prose,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldValue {
    /// An identifier, or a short text, and the numbers of its words.
    Exact { text: String, words: Vec<u32> },
    /// An amount and its currency.
    Money(f64, Option<&'static str>),
    /// The numbers of words, sorted, each once.
    Words(Vec<u32>),
}

pub(super) struct FieldColumn {
    pub(super) name: String,
    pub(super) role: ColumnRole,
}

/// All records in comparable form.
pub(super) struct FieldTable {
    pub(super) columns: Vec<FieldColumn>,
    /// Per record: column and value, sorted by column.
    pub(super) records: Vec<Vec<(usize, FieldValue)>>,
    /// The site of each record, as a number.
    pub(super) sites: Vec<usize>,
    /// How many records each site has.
    pub(super) site_sizes: Vec<usize>,
    /// In how many records each word is.
    pub(super) word_counts: Vec<usize>,
    /// Words that have a digit: numbers of houses, models, sizes.
    pub(super) has_digit: Vec<bool>,
}

impl FieldTable {
    pub(super) fn new(records: &[SiteRecord]) -> FieldTable {
        let mut site_numbers: HashMap<&str, usize> = HashMap::new();
        let mut site_sizes = Vec::new();
        let mut sites = Vec::with_capacity(records.len());
        for record in records {
            let number = *site_numbers.entry(&record.site).or_insert_with(|| {
                site_sizes.push(0);
                site_sizes.len() - 1
            });
            site_sizes[number] += 1;
            sites.push(number);
        }
        let columns = columns_of(records);
        let numbers: HashMap<&str, usize> =
            columns.iter().enumerate().map(|(at, column)| (column.name.as_str(), at)).collect();
        let mut words = WordTable::default();
        let mut table: Vec<Vec<(usize, FieldValue)>> = Vec::with_capacity(records.len());
        for record in records {
            let mut values: BTreeMap<usize, FieldValue> = BTreeMap::new();
            for (name, text) in &record.cells {
                let Some(&at) = numbers.get(column_name(name).as_str()) else { continue };
                if let Some(value) = field_value(text, columns[at].role, &mut words) {
                    values.entry(at).or_insert(value);
                }
            }
            let own: BTreeSet<u32> = values.values().flat_map(FieldValue::words).copied().collect();
            for word in &own {
                words.counts[*word as usize] += 1;
            }
            table.push(values.into_iter().collect());
        }
        FieldTable {
            columns,
            records: table,
            sites,
            site_sizes,
            word_counts: words.counts,
            has_digit: words.has_digit,
        }
    }

    /// How much a word says: rare words say more.
    pub(super) fn word_weight(&self, word: u32) -> f64 {
        let count = self.word_counts[word as usize].max(1) as f64;
        (1.0 + self.records.len() as f64 / count).ln()
    }
}

impl FieldValue {
    pub(super) fn words(&self) -> &[u32] {
        match self {
            FieldValue::Words(words) | FieldValue::Exact { words, .. } => words,
            FieldValue::Money(..) => &[],
        }
    }
}

#[derive(Default)]
struct WordTable {
    numbers: HashMap<String, u32>,
    counts: Vec<usize>,
    has_digit: Vec<bool>,
}

impl WordTable {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.counts.len() as u32;
        self.numbers.insert(word.to_owned(), number);
        self.counts.push(0);
        self.has_digit.push(word.chars().any(|c| c.is_ascii_digit()));
        number
    }
}

/// The columns that are compared: those of at least two sites.
fn columns_of(records: &[SiteRecord]) -> Vec<FieldColumn> {
    #[derive(Default)]
    struct Seen<'a> {
        sites: BTreeSet<&'a str>,
        texts: usize,
        words: usize,
        money: usize,
        urls: usize,
    }
    let mut seen: BTreeMap<String, Seen<'_>> = BTreeMap::new();
    for record in records {
        for (name, text) in &record.cells {
            let column = seen.entry(column_name(name)).or_default();
            column.sites.insert(&record.site);
            column.texts += 1;
            column.words += text.split_whitespace().count();
            column.urls += usize::from(text.contains("://"));
            column.money += usize::from(money(text).is_some());
        }
    }
    let role = |name: &str, column: &Seen<'_>| {
        let has_word = |known: &[&str]| name.split('_').any(|word| known.contains(&word));
        match () {
            () if has_word(&IDENTIFIER_WORDS) => Some(ColumnRole::Identifier),
            () if has_word(&SITE_WORDS) || 2 * column.urls > column.texts => None,
            () if name == TITLE_COLUMNS[0] => Some(ColumnRole::Title),
            () if has_word(&ADDRESS_WORDS) => Some(ColumnRole::Address),
            () if 2 * column.money > column.texts => Some(ColumnRole::Money),
            () if column.words > 8 * column.texts => Some(ColumnRole::Prose),
            () => Some(ColumnRole::Other),
        }
    };
    seen.iter()
        .filter(|(_, column)| column.sites.len() > 1)
        .filter_map(|(name, column)| Some(FieldColumn { role: role(name, column)?, name: name.clone() }))
        .collect()
}

/// The name under which columns of several sites are compared.
fn column_name(name: &str) -> String {
    let name = name.to_lowercase();
    if TITLE_COLUMNS.contains(&name.as_str()) { TITLE_COLUMNS[0].to_owned() } else { name }
}

fn field_value(text: &str, role: ColumnRole, words: &mut WordTable) -> Option<FieldValue> {
    match role {
        ColumnRole::Identifier => {
            let plain: String =
                text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
            (plain.len() >= 4).then_some(FieldValue::Exact { text: plain, words: Vec::new() })
        }
        ColumnRole::Money => money(text).map(|(amount, currency)| FieldValue::Money(amount, currency)),
        ColumnRole::Other => {
            let plain: Vec<String> = plain_words(text).take(MAX_WORDS).collect();
            let numbers = plain.iter().map(|word| words.number(word)).collect();
            (!plain.is_empty()).then(|| FieldValue::Exact { text: plain.join(" "), words: numbers })
        }
        ColumnRole::Title | ColumnRole::Address | ColumnRole::Prose => {
            let mut numbers: Vec<u32> =
                plain_words(text).take(MAX_WORDS).map(|word| words.number(&word)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            (!numbers.is_empty()).then_some(FieldValue::Words(numbers))
        }
    }
}

/// The words of a text in lower case. `12.5` is one word, `terraced-house` are two.
fn plain_words(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_break = |c: char| !c.is_alphanumeric() && c != '.';
    let pieces = text.split(is_break).flat_map(|piece| {
        let is_number = piece.chars().all(|c| c.is_ascii_digit() || c == '.');
        let parts: Vec<&str> = if is_number { vec![piece] } else { piece.split('.').collect() };
        parts
    });
    pieces.map(|word| word.trim_matches('.').to_lowercase()).filter(|word| !word.is_empty())
}

/// The first amount of money of a short text.
fn money(text: &str) -> Option<(f64, Option<&'static str>)> {
    if text.len() > MAX_PRICE_BYTES {
        return None;
    }
    find_values(text).into_iter().find_map(|found| match found.value {
        Value::Money { amount, currency, .. } => Some((amount.parse().ok()?, currency)),
        _ => None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn record(site: &str, cells: &[(&str, &str)]) -> SiteRecord {
        let cells = cells.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        SiteRecord { site: site.to_owned(), cells }
    }

    #[test]
    fn columns_are_compared_if_two_sites_have_them_and_they_are_about_the_thing() {
        let records = [
            record(
                "a",
                &[
                    ("name", "Oak table 12.5"),
                    ("price", "£30"),
                    ("url", "https://a.example/1"),
                    ("height", "7"),
                ],
            ),
            record("b", &[("title", "Table, oak"), ("price", "30.00 GBP"), ("url", "https://b.example/1")]),
        ];
        let table = FieldTable::new(&records);
        let columns: Vec<(&str, ColumnRole)> =
            table.columns.iter().map(|column| (column.name.as_str(), column.role)).collect();
        assert_eq!(columns, [("price", ColumnRole::Money), ("title", ColumnRole::Title)]);
        let price = |at: usize| table.records[at][0].1.clone();
        assert_eq!((price(0), price(1)), (FieldValue::Money(30.0, Some("GBP")), price(0)));
        assert_eq!(table.records[0][1].1.words().len(), 3);
        assert_eq!(table.word_counts, [2, 2, 1]);
        assert_eq!(table.has_digit, [false, false, true]);
    }
}
