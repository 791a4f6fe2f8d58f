//! The lines of a text as one column: any type, as many values as lines, the same each time, in any notation.

use copal_values::ValueType;
use copal_values::columns::clock_meaning::clock_meaning;
use copal_values::columns::date_order::date_order;
use copal_values::columns::decimal_sign::decimal_sign;
use copal_values::columns::locale::Locale;
use copal_values::columns::reader::ColumnReader;
use copal_values::find::find_with;
use copal_values::notation::{ClockMeaning, DateOrder, DecimalSign, Notation};

/// A column with more lines is read in the same way.
const MAX_LINES: usize = 150;

pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let texts: Vec<&str> = text.lines().take(MAX_LINES).collect();
    let locale = Locale::new(texts.first().copied(), texts.last().copied());
    let number = data.len();
    let notation = Notation {
        date_order: DateOrder::ALL.get(number % 4).copied(),
        decimal_sign: [None, Some(DecimalSign::Point), Some(DecimalSign::Comma)][number % 3],
        clock: [None, Some(ClockMeaning::TimeOfDay), Some(ClockMeaning::Duration)][number / 3 % 3],
        currency: locale.currency(),
        rating_scale: [None, Some(10)][number % 2],
    };
    date_order(texts.iter().copied());
    decimal_sign(texts.iter().copied());
    clock_meaning(texts.iter().copied());
    for text in &texts {
        let mut matches = Vec::new();
        find_with(text, notation, &mut matches);
        let mut end = 0;
        for found in &matches {
            assert!(end <= found.span.start && found.span.start < found.span.end, "{found:?} in {text:?}");
            assert!(text.get(found.span.clone()).is_some(), "{found:?} in {text:?}");
            end = found.span.end;
        }
    }
    let mut reader = ColumnReader::default();
    let chosen = reader.column_type(&texts);
    assert_eq!(chosen, ColumnReader::default().column_type(&texts), "not deterministic");
    for value_type in
        ValueType::ALL.into_iter().filter(|&known| Some(known) == chosen || number.is_multiple_of(8))
    {
        let values = reader.values(value_type, texts.iter().copied(), notation);
        assert_eq!(values.len(), texts.len(), "{value_type}");
    }
}
