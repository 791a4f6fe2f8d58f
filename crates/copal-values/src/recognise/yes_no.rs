//! Yes and no: a whole text that is "yes", "Nein", "✓", "false" …
//!
//! In: a text. Out: at most one [`Value::YesNo`] match over the text without white space and closing
//! punctuation. O(length), and only for texts of a few letters.

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;
use crate::word_table::WordTable;

#[derive(Debug, Clone, Copy)]
pub(super) struct YesNoRecogniser;

/// Longest text that is read, in bytes, with white space and punctuation.
const MAX_ANSWER_BYTES: usize = 40;

/// Words for yes.
const YES_WORDS: &str = "\
    yes yep yeah true ja jawohl wahr oui vrai sí si sì sim vero verdadero verdadeiro tak да evet var jah \
    kyllä igen ano áno da ναι ναί نعم כן हाँ हां ya có vâng 是 是的 有 はい あり 有り 네 예 있음 ใช่ มี jo joo já ✓ ✔ \
    ✔\u{fe0f} ☑ ☑\u{fe0f} ✅ 🗸 🗹 √";

/// Words for no.
const NO_WORDS: &str = "\
    no nope false nein falsch non faux não nee nej nei nie нет hayır yok ei nem ne niet όχι لا לא नहीं \
    tidak không 否 不是 没有 無 无 いいえ なし 無し 아니요 아니오 없음 ไม่ ไม่ใช่ ไม่มี falso ✗ ✘ ✖ ✖\u{fe0f} ❌ ☒ ❎ 🗴";

/// Whether a word means yes. A word that is in both lists does.
static ANSWERS: WordTable<bool, 256> = {
    let mut words = WordTable::new(false);
    words.set_all(NO_WORDS, false);
    words.set_all(YES_WORDS, true);
    words
};

/// Words that mean something else in capitals: SIM cards, the north-east.
const AMBIGUOUS_CAPITALS: &[&str] = &["SIM", "NE", "SI", "DA", "VAR", "EI", "YA"];

impl Recogniser for YesNoRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::YesNo
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        !scan.digit && scan.len > 1 && scan.len <= MAX_ANSWER_BYTES
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        let start = text.len() - text.trim_start().len();
        let word = text.trim().trim_end_matches(['.', '!', ',', ';', '。', '！']).trim_end();
        if word.is_empty() || text.len() > MAX_ANSWER_BYTES || word.contains(char::is_whitespace) {
            return;
        }
        let lower = word.to_lowercase();
        if AMBIGUOUS_CAPITALS.contains(&word) {
            return;
        }
        let Some(answer) = ANSWERS.get(&lower) else { return };
        matches.push(ValueMatch {
            span: start..start + word.len(),
            value_type: ValueType::YesNo,
            value: Value::YesNo(answer),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

    fn show(value: &Value) -> String {
        match value {
            Value::YesNo(true) => "yes".to_owned(),
            Value::YesNo(false) => "no".to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn answers() {
        let cases = "
            yes => yes
            Yes => yes
            YES! => yes
            no => no
            No. => no
            ja => yes
            Ja => yes
            nein => no
            Nein => no
            oui => yes
            non => no
            Sí => yes
            Sì => yes
            sim => yes
            não => no
            tak => yes
            nie => no
            да => yes
            Да => yes
            нет => no
            Нет => no
            evet => yes
            hayır => no
            nee => no
            nej => no
            true => yes
            True => yes
            false => no
            FALSE => no
            vrai => yes
            faux => no
            ✓ => yes
            ✔ => yes
            ☑ => yes
            ✅ => yes
            ✗ => no
            ✘ => no
            ❌ => no
            是 => yes
            否 => no
            はい => yes
            いいえ => no
            네 => yes
            아니요 => no
            ใช่ => yes
            ไม่ => no";
        let misses = "
            yes please
            no reviews yet
            yesterday
            nothing
            n/a
            -
            ×
            x
            y
            maybe
            No. 5
            on
            off
            yes/no
            12
            ja, gerne
            SIM
            NE";
        check_table(&YesNoRecogniser, show, cases, misses);
    }

    #[test]
    fn a_span_is_the_word() {
        assert_eq!(matched_texts(&YesNoRecogniser, "  Yes! "), ["Yes"]);
        assert_eq!(matched_texts(&YesNoRecogniser, "\u{a0}✔\u{fe0f} "), ["✔\u{fe0f}"]);
    }

    #[test]
    fn any_text_is_safe() {
        check_spans_of_any_text(&YesNoRecogniser, "yes no ✓ ❌ . ! İ ไม่ да");
    }
}
