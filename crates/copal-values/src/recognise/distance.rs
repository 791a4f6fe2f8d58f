//! Lengths, distances, mileages and dimensions: "12.4 mi away", "45,000 miles", "30 x 40 cm".
//!
//! In: a text. Out: [`Value::Distance`] matches with the unit `mm`, `cm`, `m`, `km`, `in`, `ft`, `yd` or
//! `mi`; each side of "30 x 40 cm" is a match. O(length).

use super::measurements::{Measurement, UnitTable, find_measurements, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::written_number::shift;
use crate::notation::Notation;
use crate::numbers::is_currency_sign;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct DistanceRecogniser;

static LENGTH_UNITS: UnitTable = unit_table!(&[
    (
        "km",
        "km|Km|KM|kms|kilometre|kilometres|kilometer|kilometers|kilomètre|kilomètres|kilómetros|\
            quilômetros",
    ),
    ("km", "quilómetros|chilometri|километров|км|公里|千米|キロメートル|킬로미터|กม.|กม|กิโลเมตร"),
    ("k km", "k km|tkm|тыс. км|тыс км|万公里|万km"),
    (
        "m",
        "m|mtr|mtrs|metre|metres|meter|meters|mètre|mètres|metro|metros|metri|metern|м|метр|метров|米|公尺",
    ),
    ("m", "メートル|미터|เมตร"),
    (
        "cm",
        "cm|CM|Cm|cms|centimetre|centimetres|centimeter|centimeters|Zentimeter|centimètres|centímetros|\
            см",
    ),
    ("cm", "厘米|公分|センチ|센티미터|ซม.|ซม|เซนติเมตร"),
    ("mm", "mm|MM|millimetre|millimetres|millimeter|millimeters|milímetros|мм|毫米|ミリ"),
    ("mi", "mi|mile|miles|milla|millas|milha|milhas|Meile|Meilen|miglia|мили|миль|英里|マイル"),
    ("k mi", "k miles|k mi|k mile"),
    ("ft", "ft|FT|feet|foot|英尺|pieds|Fuß|фут|футов"),
    ("in", "in|In|IN|inch|inches|″|\"|''|Zoll|pouces|pouce|pulgadas|polegadas|pollici|tum|дюйм|дюймов|дюйма",),
    ("in", "英寸|インチ|인치|นิ้ว"),
    ("yd", "yd|yds|yard|yards"),
]);

impl Recogniser for DistanceRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Distance
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.len > 1
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        let mut quotes = None;
        find_measurements(text, &LENGTH_UNITS, true, notation, |Measurement { span, value, max, unit }| {
            let written = &text[span.clone()];
            let before = &text[..span.start];
            let after = &text[span.end..];
            let fits = match unit {
                "m" if written.ends_with('m') => is_metre(before, after),
                "in" if written.ends_with('"') => *quotes.get_or_insert_with(|| quotes_are_inches(text)),
                "in" if written.to_ascii_lowercase().ends_with("in") => is_inch(after),
                _ => true,
            };
            if fits {
                let places = if written.contains('万') { 4 } else { 3 };
                let (unit, times) = unit.strip_prefix("k ").map_or((unit, 0), |unit| (unit, places));
                let value = shift(&value, times);
                let max = max.map(|max| shift(&max, times));
                matches.push(ValueMatch {
                    span,
                    value_type: ValueType::Distance,
                    value: Value::Distance { value, max, unit },
                });
            }
        });
    }
}

/// False if "m" is minutes or millions: "2h 15m", "15m ago", "1.5m followers", "1.2m €".
fn is_metre(before: &str, after: &str) -> bool {
    let hour = before.trim_end();
    let hour = hour.strip_suffix(['h', 'H']).or_else(|| hour.strip_suffix("hr")).unwrap_or("x");
    if hour.trim_end().ends_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let rest = after.trim_start();
    let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    let other = [
        "ago",
        "read",
        "left",
        "remaining",
        "views",
        "followers",
        "subscribers",
        "users",
        "downloads",
        "plays",
    ];
    !rest.starts_with(is_currency_sign)
        && !other.iter().any(|other| word.eq_ignore_ascii_case(other))
        && !seconds_follow(rest)
}

/// True for "30s" after "15m".
fn seconds_follow(rest: &str) -> bool {
    let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < rest.len() && unit.starts_with('s') && !unit[1..].starts_with(char::is_alphanumeric)
}

/// False if "in" is the preposition: "3 in stock".
fn is_inch(after: &str) -> bool {
    let rest = after.trim_start();
    rest.len() == after.len()
        || !rest.starts_with(char::is_alphanumeric)
        || rest.strip_prefix(['x', 'X']).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

/// False if a quotation mark is anywhere but after a number: then the marks enclose words.
fn quotes_are_inches(text: &str) -> bool {
    let mut after_figure = false;
    text.chars().all(|c| {
        let fits = c != '"' || after_figure;
        after_figure = c.is_ascii_digit() || matches!(c, '½' | '¼' | '¾') || (after_figure && c == ' ');
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

    fn show(value: &Value) -> String {
        match value {
            Value::Distance { value, max: None, unit } => format!("{value} {unit}"),
            Value::Distance { value, max: Some(max), unit } => format!("{value}-{max} {unit}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn lengths() {
        let cases = "
            12.4 mi away => 12.4 mi
            45,000 miles => 45000 mi
            45k miles => 45000 mi
            120.000 km => 120000 km
            120 000 km => 120000 km
            2015 - 45,000 miles => 45000 mi
            0.5 miles => 0.5 mi
            within 10 Miles => 10 mi
            3 km from centre => 3 km
            300 m to beach => 300 m
            300m => 300 m
            1,5 km => 1.5 km
            30 x 40 cm => 30 cm; 40 cm
            30x40cm => 30 cm; 40 cm
            30 × 40 × 50 cm => 30 cm; 40 cm; 50 cm
            30cm x 40cm => 30 cm; 40 cm
            12 x 9.5 in => 12 in; 9.5 in
            12 in x 9 in => 12 in; 9 in
            6 ft 2 in => 6 ft; 2 in
            15.6-inch display => 15.6 in
            27\" monitor => 27 in
            6.1″ => 6.1 in
            55 Zoll => 55 in
            13 pouces => 13 in
            18 mm => 18 mm
            24-70mm f/2.8 => 24-70 mm
            17 3/4 \" => 17.75 in
            3/4 in => 0.75 in
            5-1/2 inches => 5.5 in
            8 ¾ \" => 8.75 in
            1 1/2 x 3 in => 1.5 in; 3 in
            100 yards => 100 yd
            50 feet => 50 ft
            8 ft. => 8 ft
            10–15 km => 10-15 km
            5 to 10 miles => 5-10 mi
            距地铁500米 => 500 m
            3公里 => 3 km
            5.5万公里 => 55000 km
            12 км => 12 km
            95 тыс. км => 95000 km
            5 กม. => 5 km
            3½ miles => 3.5 mi
            4.2 kilomètres => 4.2 km
            80 Kilometer => 80 km
            180 cm tall => 180 cm
            25 millas => 25 mi";
        let misses = "
            12 minutes
            45000
            3 in stock
            12 in 1
            2h 15m
            2 hr 15m
            15m ago
            5m 30s
            1.5m followers
            £1.2m
            $12 m
            100 km/h
            5 m²
            12 m3
            3 months
            7 mins
            12 mm²
            9 million
            \"Model 12\"
            he said \"top 12\" today
            12 mice
            5 kme
            8 footballs
            4 inside
            1/5/2017 in
            24/7 m";
        check_table(&DistanceRecogniser, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_unit() {
        assert_eq!(
            matched_texts(&DistanceRecogniser, "Size: 30 x 40 cm, 12.4 mi away"),
            ["30", "40 cm", "12.4 mi"]
        );
    }

    #[test]
    fn any_text_is_safe() {
        check_spans_of_any_text(&DistanceRecogniser, "km m in \" '' x × miles k 万公里 h 15m s ft");
    }
}
