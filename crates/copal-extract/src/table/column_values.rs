//! The values of columns: second pass, with what the whole column, list and page say about their notation.
//!
//! In: typed columns with the texts of their cells. Out: one value per text, and for dates in digits the order
//! that was decided. A column that does not decide by itself follows the other columns of its list, then the
//! dates on the rest of the page, then the page's language and the ending of its host. What decides last is
//! read from the page at most once, and only if a column needs it. O(text of the columns), at most
//! [`MAX_SCANNED_BYTES`] of the rest of the page.

use super::column_draft::DraftCell;
use super::leftover_columns::FinishedColumn;
use copal_dom::{Node, Page, attrs, tags};
use copal_model::CellSource;
use copal_values::columns::date_order::{DateOrderDecision, DateOrderFinding, certain_orders, date_order};
use copal_values::columns::decimal_sign::{DecimalSignFinding, decimal_sign};
use copal_values::columns::locale::Locale;
use copal_values::columns::reader::ColumnReader;
use copal_values::columns::{clock_meaning::clock_meaning, reader::clock_text};
use copal_values::notation::{DateOrder, DecimalSign, Notation};
use copal_values::{Value, ValueType};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Text of the page that is searched for dates whose order is certain.
const MAX_SCANNED_BYTES: usize = 400_000;
/// Longest text node that is searched. Longer ones are articles, which may be from anywhere.
const MAX_SCANNED_TEXT: usize = 300;
/// Amounts such as `1.459` that make it likely that a column has three decimals.
const MIN_THREE_DECIMALS: usize = 3;
/// Links that are counted to find the host of a page without a URL, and how many must lead to it.
const MAX_COUNTED_LINKS: usize = 500;
const MIN_LINKS_OF_HOST: usize = 3;

/// A column whose cells are to be read.
pub(crate) struct TypedTexts<'a> {
    /// The type of the column.
    pub(crate) value_type: Option<ValueType>,
    /// The texts of the cells that have one text.
    pub(crate) texts: Vec<&'a str>,
    /// The order that a wrapper has learned for the column.
    pub(crate) learned_order: Option<DateOrder>,
}

/// The values of a column.
#[derive(Default)]
pub(crate) struct ColumnValues {
    /// One per text.
    pub(crate) values: Vec<Option<Value>>,
    /// The order of its dates, if it matters.
    pub(crate) date_order: Option<DateOrderDecision>,
}

/// Reads the cells of all columns of a list.
pub(crate) fn read_columns(
    page: &Page,
    columns: &[TypedTexts<'_>],
    reader: &mut ColumnReader,
) -> Vec<ColumnValues> {
    read_columns_of(Some(page), columns, reader)
}

/// The same for columns whose page may not be at hand: then only the columns themselves decide.
pub(super) fn read_columns_of(
    page: Option<&Page>,
    columns: &[TypedTexts<'_>],
    reader: &mut ColumnReader,
) -> Vec<ColumnValues> {
    let around = Surroundings::new(page, columns);
    columns
        .iter()
        .map(|column| {
            let Some(value_type) = column.value_type else { return ColumnValues::default() };
            let (notation, date_order) = around.notation(column, value_type);
            let values = reader.values(value_type, column.texts.iter().copied(), notation);
            ColumnValues { values, date_order }
        })
        .collect()
}

/// Reads the cells of the columns of a list that is being built.
pub(super) fn draft_values(
    page: &Page,
    finished: &[FinishedColumn],
    reader: &mut ColumnReader,
) -> Vec<ColumnValues> {
    let columns: Vec<TypedTexts<'_>> = finished
        .iter()
        .map(|column| {
            let value_type = column.value_type.filter(|_| column.draft.source == CellSource::Text);
            // most columns have no type, and nothing of them is read
            let cells = if value_type.is_some() { &column.draft.cells[..] } else { &[] };
            TypedTexts { value_type, texts: cells.iter().map(DraftCell::text).collect(), learned_order: None }
        })
        .collect();
    read_columns(page, &columns, reader)
}

/// What is known outside of a column.
struct Surroundings<'a> {
    page: Option<&'a Page>,
    locale: Locale,
    /// The order that the other columns of the list show.
    list_order: Option<DateOrder>,
    /// The decimal sign that the other columns of the list show.
    list_sign: Option<DecimalSign>,
    page_order: OnceCell<Option<DateOrder>>,
}

impl<'a> Surroundings<'a> {
    fn new(page: Option<&'a Page>, columns: &[TypedTexts<'_>]) -> Surroundings<'a> {
        let orders = columns.iter().filter(|column| column.value_type == Some(ValueType::Date));
        let orders = orders.filter_map(|column| match date_order(column.texts.iter().copied()) {
            DateOrderFinding::Certain(order) => Some(order),
            _ => None,
        });
        let numbers = columns.iter().filter(|column| column.value_type.is_some_and(has_decimals));
        let signs = numbers.filter_map(|column| match decimal_sign(column.texts.iter().copied()) {
            DecimalSignFinding::Certain(sign) => Some(sign),
            _ => None,
        });
        let host = page.and_then(|page| {
            let own = page.url.as_deref().or_else(|| canonical_url(page)).and_then(host_of);
            own.or_else(|| linked_host(page))
        });
        Surroundings {
            page,
            locale: Locale::new(page.and_then(Page::lang), host),
            list_order: only(orders),
            list_sign: only(signs),
            page_order: OnceCell::new(),
        }
    }

    /// How a column is read, and what was decided about its dates.
    fn notation(
        &self,
        column: &TypedTexts<'_>,
        value_type: ValueType,
    ) -> (Notation, Option<DateOrderDecision>) {
        let mut notation = Notation::default();
        if value_type == ValueType::Money {
            notation.currency = self.locale.currency();
        }
        let texts = || column.texts.iter().copied();
        let mut decision = None;
        match value_type {
            ValueType::Date | ValueType::Duration => {
                notation.clock = clock_meaning(texts().map(clock_text));
                let finding = date_order(texts());
                decision = self.date_order(finding, column.learned_order);
                notation.date_order = match (decision, finding) {
                    (Some(DateOrderDecision::Decided(order)), _) | (_, DateOrderFinding::Mixed(order)) => {
                        Some(order)
                    }
                    _ => None,
                };
            }
            _ if has_decimals(value_type) => {
                notation.decimal_sign = self.decimal_sign(decimal_sign(texts()), value_type);
            }
            _ => {}
        }
        (notation, decision)
    }

    fn date_order(&self, finding: DateOrderFinding, learned: Option<DateOrder>) -> Option<DateOrderDecision> {
        let (likely, fitting) = match finding {
            DateOrderFinding::NoDates => return None,
            DateOrderFinding::Certain(order) => return Some(DateOrderDecision::Decided(order)),
            DateOrderFinding::Mixed(_) => return Some(DateOrderDecision::Mixed),
            DateOrderFinding::Likely(order, fitting) => (Some(order), fitting),
            DateOrderFinding::Open(fitting) => (None, fitting),
        };
        let fits = |order: &DateOrder| fitting.contains(*order);
        let decided = learned
            .filter(fits)
            .or(self.list_order.filter(fits))
            .or_else(|| self.page_order().filter(fits))
            .or(likely)
            .or_else(|| self.locale.date_order().filter(fits));
        Some(decided.map_or(DateOrderDecision::Ambiguous, DateOrderDecision::Decided))
    }

    /// The order of all dates of the page that are in the calendar in one order only.
    fn page_order(&self) -> Option<DateOrder> {
        *self.page_order.get_or_init(|| {
            let tree = &self.page?.tree;
            let mut left = MAX_SCANNED_BYTES;
            let mut found: Option<DateOrder> = None;
            for node in (0..tree.len() as Node).filter(|&node| tree.is_text(node)) {
                let text = tree.raw_text(node);
                left = left.checked_sub(text.len())?;
                let may_have_date = text.len() <= MAX_SCANNED_TEXT
                    && text.bytes().filter(|&b| b == b'/' || b == b'-').count() > 1;
                if !may_have_date || !text.bytes().any(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                for order in certain_orders(text) {
                    if found.is_some_and(|found| found != order) {
                        return None;
                    }
                    found = Some(order);
                }
            }
            found
        })
    }

    fn decimal_sign(&self, finding: DecimalSignFinding, value_type: ValueType) -> Option<DecimalSign> {
        match finding {
            DecimalSignFinding::Certain(sign) => Some(sign),
            DecimalSignFinding::Irrelevant | DecimalSignFinding::Mixed => None,
            DecimalSignFinding::Open { separator, one_digit, count } => {
                let usual = self.list_sign.or(self.locale.decimal_sign());
                // Prices have thousands far more often than three decimals: only those of petrol look alike.
                let may_be_decimal = match value_type {
                    ValueType::Money => one_digit && count >= MIN_THREE_DECIMALS,
                    ValueType::Count => false,
                    _ => one_digit,
                };
                usual.filter(|usual| *usual != separator || may_be_decimal)
            }
        }
    }
}

/// Types whose numbers have decimals.
fn has_decimals(value_type: ValueType) -> bool {
    matches!(
        value_type,
        ValueType::Money
            | ValueType::Number
            | ValueType::Percent
            | ValueType::Area
            | ValueType::Distance
            | ValueType::Count
    )
}

/// The value that all have; `None` if they differ or if there are none.
fn only<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

/// The URL that a page gives for itself.
fn canonical_url(page: &Page) -> Option<&str> {
    let tree = &page.tree;
    let head = (0..tree.len() as Node).take_while(|&node| tree.tag(node) != tags::BODY);
    let mut links = head.filter(|&node| tree.tag(node) == tags::LINK);
    let canonical = links.find(|&node| tree.attr(node, attrs::REL) == Some("canonical"))?;
    tree.attr(canonical, attrs::HREF)
}

/// The host that most links with a host lead to. A saved page of an unknown site links mostly to its own
/// pages.
fn linked_host(page: &Page) -> Option<&str> {
    let tree = &page.tree;
    let links = tree.nodes().filter(|&node| tree.tag(node) == tags::A);
    let hosts = links.filter_map(|node| host_of(tree.attr(node, attrs::HREF)?)).take(MAX_COUNTED_LINKS);
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    let mut all = 0;
    for host in hosts {
        *counts.entry(host).or_default() += 1;
        all += 1;
    }
    let (host, count) = counts.into_iter().max_by_key(|&(host, count)| (count, host))?;
    (count >= MIN_LINKS_OF_HOST && 2 * count > all).then_some(host)
}

/// The host of a URL.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    Some(host).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    fn page(html: &str, url: Option<&str>) -> Page {
        let mut page = Page::from_text(html, &Limits::default());
        page.url = url.map(str::to_owned);
        page
    }

    fn dates(page: &Page, texts: &[&str]) -> (Vec<String>, Option<DateOrderDecision>) {
        let column =
            TypedTexts { value_type: Some(ValueType::Date), texts: texts.to_vec(), learned_order: None };
        let mut read = read_columns(page, &[column], &mut ColumnReader::default());
        let ColumnValues { values, date_order } = read.remove(0);
        let iso = |value: Value| match value {
            Value::Date(iso) => iso,
            other => format!("{other:?}"),
        };
        (values.into_iter().flatten().map(iso).collect(), date_order)
    }

    #[test]
    fn the_column_decides_before_the_language() {
        let british = page("<html lang=en-GB><body>", None);
        let (values, order) = dates(&british, &["10/12/2023", "10/31/2023"]);
        assert_eq!(values, ["2023-10-12", "2023-10-31"]);
        assert_eq!(order.map(DateOrderDecision::name), Some("month-first"));
    }

    #[test]
    fn the_page_then_the_language_then_the_host_decide() {
        for (html, url, want) in [
            ("<html lang=en><p>updated 12/31/2023", None, "month-first"),
            ("<html lang=de><p>updated 12/31/2023", None, "month-first"),
            ("<html lang=de><p>12/31/2023 and 31/12/2023", None, "day-first"),
            ("<html lang=en-US><p>", None, "month-first"),
            ("<html lang=en><p>", Some("https://www.example.gov/list?x=1"), "month-first"),
            ("<html lang=en><p>", Some("https://www.example.co.uk:8080/"), "day-first"),
            ("<html lang=en><p>", Some("https://www.example.com/"), "ambiguous"),
            ("<link rel=canonical href=https://example.gov/a><p>", None, "month-first"),
            (
                "<a href=https://example.gov/a>1</a><a href=https://example.gov/b>2</a>\
                 <a href=https://example.gov/c>3</a><a href=https://other.co.uk/>4</a><p>",
                None,
                "month-first",
            ),
            ("<p>", None, "ambiguous"),
        ] {
            let page = page(html, url);
            let order = dates(&page, &["10/12/2023", "03/04/2023"]).1;
            assert_eq!(order.map(DateOrderDecision::name), Some(want), "{html}");
        }
    }

    #[test]
    fn columns_of_one_list_agree() {
        let column = |texts: &[&'static str]| TypedTexts {
            value_type: Some(ValueType::Date),
            texts: texts.to_vec(),
            learned_order: None,
        };
        let columns = [column(&["10/12/2023"]), column(&["10/31/2023"])];
        let read = read_columns(&page("<p>", None), &columns, &mut ColumnReader::default());
        assert_eq!(read[0].values, [Some(Value::Date("2023-10-12".into()))]);
    }

    #[test]
    fn a_learned_order_decides_what_the_column_leaves_open() {
        let column = |texts: &[&'static str]| TypedTexts {
            value_type: Some(ValueType::Date),
            texts: texts.to_vec(),
            learned_order: Some(DateOrder::MonthFirst),
        };
        let read = |texts: &[&'static str]| {
            read_columns(&page("<html lang=de>", None), &[column(texts)], &mut ColumnReader::default())
                .remove(0)
                .values
        };
        assert_eq!(read(&["10/12/2023"]), [Some(Value::Date("2023-10-12".into()))]);
        assert_eq!(read(&["10/12/2023", "31/12/2023"])[0], Some(Value::Date("2023-12-10".into())));
    }

    #[test]
    fn numbers_follow_their_column_and_the_language() {
        let amounts = |html: &str, value_type: ValueType, texts: &[&'static str]| -> Vec<String> {
            let column =
                TypedTexts { value_type: Some(value_type), texts: texts.to_vec(), learned_order: None };
            let read = read_columns(&page(html, None), &[column], &mut ColumnReader::default()).remove(0);
            let number = |value: Value| match value {
                Value::Money { amount, .. } => amount,
                Value::Number { value, .. } | Value::Distance { value, .. } => value,
                other => format!("{other:?}"),
            };
            read.values.into_iter().flatten().map(number).collect()
        };
        let (money, number, km) = (ValueType::Money, ValueType::Number, ValueType::Distance);
        assert_eq!(amounts("<html lang=nl>", money, &["€ 47.950", "€ 8.950"]), ["47950", "8950"]);
        assert_eq!(amounts("<html lang=nl>", money, &["€ 1,459", "€ 1,509", "€ 1,499"])[0], "1.459");
        assert_eq!(amounts("<html lang=en>", money, &["€1.459", "€2.50"]), ["1.459", "2.50"]);
        assert_eq!(amounts("<html lang=en>", number, &["1.234", "2.345"]), ["1.234", "2.345"]);
        assert_eq!(amounts("<html lang=de>", number, &["1.234", "2.345"]), ["1234", "2345"]);
        assert_eq!(amounts("<html lang=en>", number, &["1,234", "12,345"]), ["1234", "12345"]);
        assert_eq!(amounts("<html lang=nl>", km, &["54.195 km", "101.208 km"]), ["54195", "101208"]);
    }

    #[test]
    fn hosts_of_urls() {
        assert_eq!(host_of("https://user:x@shop.example:8080/a?b"), Some("shop.example"));
        assert_eq!(host_of("shop.example/a"), None);
        assert_eq!(host_of("https:///"), None);
    }
}
