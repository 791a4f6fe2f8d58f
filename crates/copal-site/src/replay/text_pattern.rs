//! How a script makes a text of a record from the record's object: fixed texts and values in turn.
//!
//! In: the texts at one place of several records, and the object of each record. Out: a [`TextPattern`] that gives
//! exactly these texts. If several keys fit, all are kept and have to agree later: which of them the script uses
//! is unknown. The search has a budget; it costs O(keys x texts) per piece.

use super::json_objects::FlatObject;

/// Values in one text.
const MAX_VALUES: usize = 5;
/// Partial patterns that are tried for one text.
const MAX_TRIED: usize = 200;

/// How a script writes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueForm {
    Plain,
    /// As a part of a URL (`encodeURIComponent`).
    UrlPart,
    /// With two decimals (`toFixed(2)`).
    TwoDecimals,
}

const FORMS: [ValueForm; 3] = [ValueForm::Plain, ValueForm::UrlPart, ValueForm::TwoDecimals];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextPiece {
    Fixed(String),
    /// The value of these keys, which is the same.
    Value(Vec<(String, ValueForm)>),
}

/// How a text is made; see the module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TextPattern {
    pieces: Vec<TextPiece>,
}

impl TextPattern {
    /// A text that is the same in all records.
    pub(crate) fn fixed(text: &str) -> TextPattern {
        TextPattern { pieces: vec![TextPiece::Fixed(text.to_owned())] }
    }

    /// True if the text does not depend on the object.
    pub(crate) fn is_fixed(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, TextPiece::Fixed(_)))
    }

    /// The text for an object; `None` if a value is missing or keys disagree.
    pub(crate) fn text_for(&self, object: &FlatObject) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                TextPiece::Fixed(fixed) => text.push_str(fixed),
                TextPiece::Value(keys) => {
                    let mut values = keys.iter().map(|(key, form)| form.of(object.leaves.get(key)?));
                    let value = values.next()??;
                    if !values.all(|other| other.as_ref() == Some(&value)) {
                        return None;
                    }
                    text.push_str(&value);
                }
            }
        }
        Some(text)
    }

    /// Finds the pattern of texts that are not all equal.
    pub(crate) fn learn(texts: &[&str], objects: &[&FlatObject]) -> Option<TextPattern> {
        // each with the pieces so far, and how far they go in each text
        let mut open: Vec<(Vec<TextPiece>, Vec<usize>)> = vec![(Vec::new(), vec![0; texts.len()])];
        for _ in 0..MAX_TRIED {
            let (mut pieces, ends) = open.pop()?;
            let rest: Vec<&str> = texts.iter().zip(&ends).map(|(text, &end)| &text[end..]).collect();
            let first = *rest.first()?;
            if rest.iter().all(|other| *other == first) {
                if !first.is_empty() {
                    pieces.push(TextPiece::Fixed(first.to_owned()));
                }
                return Some(TextPattern { pieces });
            }
            let values = pieces.iter().filter(|piece| matches!(piece, TextPiece::Value(_))).count();
            if values >= MAX_VALUES {
                continue;
            }
            let mut steps = value_steps(&rest, objects);
            // the last one is tried first: the value that begins first, and the longest of these
            steps.sort_by(|a, b| b.begin.cmp(&a.begin).then(a.ends[0].cmp(&b.ends[0])));
            for step in steps {
                let mut pieces = pieces.clone();
                if step.begin > 0 {
                    pieces.push(TextPiece::Fixed(first[..step.begin].to_owned()));
                }
                pieces.push(TextPiece::Value(step.keys));
                let ends = ends.iter().zip(&step.ends).map(|(end, step)| end + step).collect();
                open.push((pieces, ends));
            }
        }
        None
    }
}

/// A value that all rests have at the same place.
struct ValueStep {
    begin: usize,
    /// Where the value ends in each rest.
    ends: Vec<usize>,
    keys: Vec<(String, ValueForm)>,
}

/// The values with which the texts may go on.
fn value_steps(rest: &[&str], objects: &[&FlatObject]) -> Vec<ValueStep> {
    let (Some(first), Some(object)) = (rest.first(), objects.first()) else { return Vec::new() };
    let common = common_prefix(rest);
    let mut steps: Vec<ValueStep> = Vec::new();
    for (key, leaf) in &object.leaves {
        for form in FORMS {
            let Some(value) = form.of(leaf).filter(|value| form == ValueForm::Plain || value != leaf) else {
                continue;
            };
            let Some(begin) = first.find(value.as_str()).filter(|&begin| begin <= common) else { continue };
            let end = |(rest, object): (&&str, &&FlatObject)| {
                let value = form.of(object.leaves.get(key)?)?;
                rest.get(begin..)?.starts_with(value.as_str()).then_some(begin + value.len())
            };
            let Some(ends) = rest.iter().zip(objects).map(end).collect::<Option<Vec<usize>>>() else {
                continue;
            };
            match steps.iter_mut().find(|step| step.begin == begin && step.ends == ends) {
                Some(step) => step.keys.push((key.clone(), form)),
                None => steps.push(ValueStep { begin, ends, keys: vec![(key.clone(), form)] }),
            }
        }
    }
    steps
}

/// The length of what all texts begin with.
fn common_prefix(texts: &[&str]) -> usize {
    let Some(first) = texts.first() else { return 0 };
    let same = |other: &&str| first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    first.floor_char_boundary(texts.iter().map(same).min().unwrap_or_default())
}

impl ValueForm {
    /// A value in this form; `None` if it has none.
    fn of(self, value: &str) -> Option<String> {
        match self {
            ValueForm::Plain => Some(value.to_owned()),
            ValueForm::UrlPart => Some(url_part(value)),
            ValueForm::TwoDecimals => {
                let number: f64 = value.parse().ok()?;
                let decimals = value.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                // more decimals would have to be rounded as scripts do it
                let is_plain = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
                (is_plain && decimals <= 2).then(|| format!("{number:.2}"))
            }
        }
    }
}

/// Encodes a text as `encodeURIComponent` does.
fn url_part(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn learned(texts: &[&str], objects: &[Value]) -> Option<(TextPattern, Vec<FlatObject>)> {
        let flat: Vec<FlatObject> = objects.iter().map(|one| FlatObject::new(one).unwrap()).collect();
        let pattern = TextPattern::learn(texts, &flat.iter().collect::<Vec<_>>())?;
        for (text, object) in texts.iter().zip(&flat) {
            assert_eq!(pattern.text_for(object).as_deref(), Some(*text));
        }
        Some((pattern, flat))
    }

    fn next(texts: &[&str], objects: &[Value], following: &Value) -> Option<String> {
        learned(texts, objects)?.0.text_for(&FlatObject::new(following).unwrap())
    }

    #[test]
    fn texts_are_made_of_fixed_texts_and_values() {
        let objects = [
            json!({ "id": 1, "name": "Lamp 10", "price": 10.5, "by": "A & B" }),
            json!({ "id": 2, "name": "Lamp 11", "price": 9, "by": "C" }),
        ];
        let following = json!({ "id": 3, "name": "Globe", "price": 7.25, "by": "D/E" });
        for (texts, wanted) in [
            (["Lamp 10", "Lamp 11"], "Globe"),
            (["/lamp/1?by=A%20%26%20B", "/lamp/2?by=C"], "/lamp/3?by=D%2FE"),
            (["€10.50 net", "€9.00 net"], "€7.25 net"),
            (["Lamp 10 by A & B (1)", "Lamp 11 by C (2)"], "Globe by D/E (3)"),
        ] {
            assert_eq!(next(&texts, &objects, &following).as_deref(), Some(wanted), "{texts:?}");
        }
    }

    #[test]
    fn texts_that_a_script_made_in_other_ways_have_no_pattern() {
        let objects =
            [json!({ "price": 1234.5, "day": "2024-05-01" }), json!({ "price": 99, "day": "2024-05-02" })];
        for texts in [["1,234.50", "99.00"], ["1 May 2024", "2 May 2024"], ["cheap", "dear"], ["", "x"]] {
            assert!(learned(&texts, &objects).is_none(), "{texts:?}");
        }
    }

    #[test]
    fn keys_that_were_equal_have_to_stay_equal() {
        let objects = [json!({ "price": 5, "sale": 5 }), json!({ "price": 6, "sale": 6 })];
        let texts = ["£5", "£6"];
        assert_eq!(next(&texts, &objects, &json!({ "price": 7, "sale": 7 })).as_deref(), Some("£7"));
        assert_eq!(next(&texts, &objects, &json!({ "price": 7, "sale": 4 })), None);
        assert_eq!(next(&texts, &objects, &json!({ "price": 7 })), None);
    }

    #[test]
    fn the_search_is_bounded() {
        let object = |seed: usize| {
            let members = (0..150).map(|n| (format!("k{n}"), json!("a".repeat(1 + (n + seed) % 7))));
            Value::Object(members.collect())
        };
        let texts: Vec<String> = (0..30).map(|n| "a".repeat(5_000 + 37 * n) + "b").collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let objects: Vec<Value> = (0..30).map(object).collect();
        assert!(learned(&texts, &objects).is_none());
    }
}
