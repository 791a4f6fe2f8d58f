//! Percentages: "12.5%", "12,5 Prozent", and the Turkish form "%20".
//!
//! In: a text. Out: [`Value::Percent`] matches, negative if a minus sign is written. "10-20%" gives two
//! matches. O(length).

use super::measurements::{UnitTable, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::written_number::{WrittenNumber, decimal, next_number, number_at, range_end};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct PercentRecogniser;

static PERCENT_SIGNS: UnitTable = unit_table!(&[(
    "%",
    "%|٪|％|percent|per cent|pct|Prozent|pour cent|por ciento|por cento|per cento|procent|prosent|проц|\
        процент|\
         процента|процентов|yüzde|パーセント|퍼센트|เปอร์เซ็นต์",
)]);

impl Recogniser for PercentRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Percent
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && (scan.percent || scan.letter)
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        let mut at = 0;
        while let Some(first) = next_number(text, at, notation) {
            let floor = at;
            let first = precise(text, first, notation);
            at = first.span.end;
            let second = range_end(text, &first, notation);
            let last = second.as_ref().unwrap_or(&first).span.end;
            let mut push = |figure: WrittenNumber, end: usize| {
                matches.push(ValueMatch {
                    span: figure.span.start..end,
                    value_type: ValueType::Percent,
                    value: Value::Percent(figure.value),
                });
            };
            if let Some((end, _)) = PERCENT_SIGNS.after(text, last) {
                if is_url_escape(text, last, end) {
                    continue;
                }
                let first = signed(text, first, floor);
                match second {
                    Some(second) => {
                        push(first, at);
                        push(second, end);
                    }
                    None => push(first, end),
                }
                at = end;
            } else if let Some(start) = sign_before(text, &first).filter(|&start| start >= floor) {
                push(WrittenNumber { span: start..at, value: first.value }, at);
            }
        }
    }
}

/// The point of "4.156%" is a decimal sign, unless the column says otherwise: percentages are rarely
/// thousands.
fn precise(text: &str, figure: WrittenNumber, notation: Notation) -> WrittenNumber {
    if notation.decimal_sign.is_some() {
        return figure;
    }
    let written = &text[figure.span.clone()];
    let value = if written.contains(',') || written.starts_with('.') { None } else { decimal(written) };
    WrittenNumber { value: value.unwrap_or(figure.value), span: figure.span }
}

/// True if the sign starts a URL escape: "a=1%20b".
fn is_url_escape(text: &str, last: usize, end: usize) -> bool {
    end == last + 1 && number_at(text, end, Notation::default()).is_some()
}

/// The number with the minus sign that is written before it.
fn signed(text: &str, figure: WrittenNumber, floor: usize) -> WrittenNumber {
    let before = &text[..figure.span.start];
    let Some((at, _)) = before.char_indices().next_back().filter(|(_, c)| matches!(c, '-' | '\u{2212}'))
    else {
        return figure;
    };
    if at < floor || before[..at].ends_with(|c: char| c.is_alphanumeric() || c == '%') {
        return figure;
    }
    WrittenNumber { span: at..figure.span.end, value: format!("-{}", figure.value) }
}

/// Where the percent sign before a number is, if it begins a word and the number ends it.
fn sign_before(text: &str, figure: &WrittenNumber) -> Option<usize> {
    let before = text[..figure.span.start].strip_suffix('%')?;
    let opens = before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
    let ends = text[figure.span.end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '%');
    (opens && ends).then_some(before.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

    fn show(value: &Value) -> String {
        match value {
            Value::Percent(value) => value.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn percentages() {
        let cases = "
            12.5% => 12.5
            12,5 % => 12.5
            100% cotton => 100
            Save 20% => 20
            20% off => 20
            -20% => -20
            −15 % => -15
            (-30%) => -30
            10-20% => 10; 20
            10% - 20% => 10; 20
            5 to 10 percent => 5; 10
            3.9% APR => 3.9
            0% => 0
            0.05 % => 0.05
            12 per cent => 12
            12 Percent => 12
            19 Prozent => 19
            15 pour cent => 15
            15 por ciento => 15
            15 por cento => 15
            7 per cento => 7
            25 procent => 25
            18 процентов => 18
            %20 indirim => 20
            (%15) => 15
            75 pct => 75
            ٢٥٪ => 25
            50％ => 50
            80パーセント => 80
            VAT 20%, fee 2.5% => 20; 2.5
            4.156% => 4.156
            1,200% => 1200
            5.00% vol => 5.00
            40%vol. => 40
            98% positive feedback => 98
            打折20%优惠 => 20
            99.9% uptime => 99.9
            +3,2 % => 3.2
            1 000 % => 1000
            2½ % => 2.5
            33⅓ and 40% => 40
            discount:35% => 35";
        let misses = "
            12
            % off
            a%20b
            x=1%20y
            hello%2Fworld
            12 percentages
            5 points
            A5%
            1.2.3%
            ten percent
            2017
            20 procentów5";
        check_table(&PercentRecogniser, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_sign() {
        assert_eq!(
            matched_texts(&PercentRecogniser, "now -20 % or 10–15% or %5"),
            ["-20 %", "10", "15%", "%5"]
        );
    }

    #[test]
    fn any_text_is_safe() {
        check_spans_of_any_text(&PercentRecogniser, "% ％ ٪ percent - − %20 per cent");
    }
}
