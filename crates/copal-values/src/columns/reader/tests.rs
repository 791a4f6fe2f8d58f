//! Columns of many kinds, and a property that holds for any column.

use super::*;
use crate::notation::{ClockMeaning, DateOrder};
use proptest::prelude::*;

fn column_type(texts: &[&str]) -> Option<ValueType> {
    ColumnReader::default().column_type(texts)
}

fn value(value_type: ValueType, text: &str) -> Option<Value> {
    ColumnReader::default().value(value_type, text, Notation::default())
}

#[test]
fn most_texts_decide() {
    assert_eq!(column_type(&["£1", "£2.50", "£3", "£4", "sold"]), Some(ValueType::Money));
    assert_eq!(column_type(&["£1", "sold", "sold"]), None);
    assert_eq!(column_type(&["12 May 2020", "1 June 2021"]), Some(ValueType::Date));
    assert_eq!(column_type(&["Blue lamp", "Red lamp"]), None);
    assert_eq!(column_type(&["500", "N/A", "720", "-"]), Some(ValueType::Number));
    assert_eq!(column_type(&["N/A", "-", "720"]), None);
    assert_eq!(column_type(&["21-10262", "A-24-22"]), None);
    assert_eq!(column_type(&["0423134", "1084132"]), None);
    assert_eq!(column_type(&[]), None);
}

#[test]
fn clocks_are_times_or_durations() {
    assert_eq!(column_type(&["2:24", "3:07", "12:41"]), Some(ValueType::Duration));
    assert_eq!(column_type(&["► 30:22", "► 21:38"]), Some(ValueType::Duration));
    assert_eq!(column_type(&["9:30", "14:00", "19:45"]), Some(ValueType::Date));
    let notation = Notation { clock: Some(ClockMeaning::Duration), ..Notation::default() };
    let value = ColumnReader::default().value(ValueType::Duration, "► 30:22", notation);
    assert_eq!(value, Some(Value::Duration(1822)));
}

#[test]
fn shared_words_do_not_count() {
    assert_eq!(
        column_type(&["Decided 04/18/2024", "Decided 05/02/2024", "Decided 06/28/2024"]),
        Some(ValueType::Date)
    );
    assert_eq!(column_type(&["Was $30.50", "Was $20", "Originally $12", "Was $8"]), Some(ValueType::Money));
    assert_eq!(column_type(&["3 Gebote", "1 Gebot", "0 Gebote", "7 Gebote"]), Some(ValueType::Count));
    assert_eq!(column_type(&["iPhone 13, 256 GB", "iPad mini, 64 GB", "Galaxy tablet, 256 GB"]), None);
    assert_eq!(column_type(&["Rule 23", "Rule 7", "Rule 19"]), None);
    let count = Value::Count { value: "3".into(), at_least: false, of: "gebote".into() };
    assert_eq!(value(ValueType::Count, "3 Gebote"), Some(count));
}

#[test]
fn a_value_in_a_sentence_types_nothing() {
    let texts = ["the price went up to £3 within one year", "the lamp for £4 was sold again", "no £5"];
    assert_eq!(column_type(&texts), None);
}

#[test]
fn labels_are_not_part_of_the_value() {
    assert_eq!(column_type(&["Rating: 86%", "Rating: 90%"]), Some(ValueType::Percent));
    assert_eq!(value(ValueType::Percent, "Rating: 86%"), Some(Value::Percent("86".into())));
    assert_eq!(value(ValueType::Money, "Rating: 86%"), None);
}

#[test]
fn typed_columns_are_read_more_freely() {
    let money = |amount: &str| Value::Money {
        amount: amount.into(),
        max: None,
        currency: Some("USD"),
        per: None,
        from: false,
    };
    let mut reader = ColumnReader::default();
    let texts = ["$24.50", "$10.00 / 2 pack of boxes", "24.56", "ask us"];
    let values = reader.values(ValueType::Money, texts, Notation::default());
    assert_eq!(values, [Some(money("24.50")), Some(money("10.00")), Some(money("24.56")), None]);
    let texts = ["Was $20.00 Now $15.00", "Was $9.50 Now $8.00", "$5.00 $4.00", "$7.00"];
    assert_eq!(reader.column_type(&texts[..2]), None, "two texts show no pattern");
    let values = reader.values(ValueType::Money, texts, Notation::default());
    assert_eq!(values, [Some(money("15.00")), Some(money("8.00")), None, Some(money("7.00"))]);
}

#[test]
fn ratings_of_a_column_have_one_scale() {
    let mut reader = ColumnReader::default();
    let values =
        reader.values(ValueType::Rating, ["Rating: 4.5", "Rated 8.5", "Rated 4.5"], Notation::default());
    let scales: Vec<&str> = values
        .iter()
        .flatten()
        .map(|value| match value {
            Value::Rating { of, .. } => of.as_str(),
            _ => "",
        })
        .collect();
    assert_eq!(scales, ["10", "10"], "{values:?}");
}

#[test]
fn the_notation_is_used() {
    let notation = Notation { date_order: Some(DateOrder::MonthFirst), ..Notation::default() };
    let value = ColumnReader::default().value(ValueType::Date, "10/12/2023", notation);
    assert_eq!(value, Some(Value::Date("2023-10-12".into())));
}

proptest! {
    #[test]
    fn values_of_a_type_are_those_that_make_up_most_of_a_text(
        text in "[a-z]{0,6}:? ?[£$€]?[0-9]{0,5}[.,:/ %-]{0,2}[0-9]{0,4} ?(km|kg|pcm|m²|min|stars|reviews|May 2020|SW1A 1AA|yes)?"
    ) {
        let found = whole_value(&text, Notation::default(), &mut Vec::new()).map(|(found, _)| found);
        for value_type in ValueType::ALL {
            prop_assert_eq!(ColumnReader::default().is_value(value_type, &text), found == Some(value_type));
        }
    }

    #[test]
    fn any_column_is_safe(texts in prop::collection::vec("[0-9:/.,$% a-c]{0,12}|.*", 0..6)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut reader = ColumnReader::default();
        if let Some(value_type) = reader.column_type(&texts) {
            let values = reader.values(value_type, texts.iter().copied(), Notation::default());
            prop_assert_eq!(values.len(), texts.len());
        }
    }
}
