//! Percentages: "12.5%", "12,5 Prozent", "%20" as Turkish writes it.
//!
//! In: a text. Out: [`Value::Percent`] hits with a written minus; "10-20%" are two. O(length).

use super::number::figures::{Figure, Units, decimal, figure_at, next_figure, range_end};
use super::{Hit, Marks, Recogniser};
use crate::value::Value;
use crate::value_type::ValueType;
use std::sync::LazyLock;

/// Finds percentages.
#[derive(Debug, Clone, Copy)]
pub struct Percent;

static SIGNS: LazyLock<Units> = LazyLock::new(|| {
    Units::new(&[(
        "%",
        "%|٪|％|percent|per cent|pct|Prozent|pour cent|por ciento|por cento|per cento|procent|prosent|проц|процент|\
         процента|процентов|yüzde|パーセント|퍼센트|เปอร์เซ็นต์",
    )])
});

impl Recogniser for Percent {
    fn kind(&self) -> ValueType {
        ValueType::Percent
    }

    fn wants(&self, marks: Marks) -> bool {
        marks.digit && (marks.percent || marks.letter)
    }

    fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        let mut at = 0;
        while let Some(first) = next_figure(text, at) {
            let floor = at;
            let first = precise(text, first);
            at = first.span.end;
            let second = range_end(text, &first);
            let last = second.as_ref().unwrap_or(&first).span.end;
            let mut push = |figure: Figure, end: usize| {
                hits.push(Hit {
                    span: figure.span.start..end,
                    kind: ValueType::Percent,
                    value: Value::Percent(figure.value),
                });
            };
            if let Some((end, _)) = SIGNS.behind(text, last) {
                if encodes(text, last, end) {
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
                push(Figure { span: start..at, value: first.value }, at);
            }
        }
    }
}

/// "4.156%" are hardly thousands.
fn precise(text: &str, figure: Figure) -> Figure {
    let written = &text[figure.span.clone()];
    let value = if written.contains(',') || written.starts_with('.') { None } else { decimal(written) };
    Figure { value: value.unwrap_or(figure.value), span: figure.span }
}

/// True if the sign starts an escape of a web address: "a=1%20b".
fn encodes(text: &str, last: usize, end: usize) -> bool {
    end == last + 1 && figure_at(text, end).is_some()
}

/// The number with the minus that is written at it.
fn signed(text: &str, figure: Figure, floor: usize) -> Figure {
    let before = &text[..figure.span.start];
    let Some((at, _)) = before.char_indices().next_back().filter(|(_, c)| matches!(c, '-' | '\u{2212}'))
    else {
        return figure;
    };
    if at < floor || before[..at].ends_with(|c: char| c.is_alphanumeric() || c == '%') {
        return figure;
    }
    Figure { span: at..figure.span.end, value: format!("-{}", figure.value) }
}

/// Where the sign before a number stands, if it opens a word and the number ends it.
fn sign_before(text: &str, figure: &Figure) -> Option<usize> {
    let before = text[..figure.span.start].strip_suffix('%')?;
    let opens = before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
    let ends = text[figure.span.end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '%');
    (opens && ends).then_some(before.len())
}

#[cfg(test)]
mod tests {
    use super::super::number::testing::{check, sound, spans};
    use super::*;

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
        check(&Percent, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_sign() {
        assert_eq!(spans(&Percent, "now -20 % or 10–15% or %5"), ["-20 %", "10", "15%", "%5"]);
    }

    #[test]
    fn any_text_is_fine() {
        sound(&Percent, "% ％ ٪ percent - − %20 per cent");
    }
}
