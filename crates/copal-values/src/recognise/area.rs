//! Areas: "85 m²", "1,200 sq ft", "30坪".
//!
//! In: a text. Out: [`Value::Area`] matches with a short unit (`m2`, `ft2`, `ha`, `acre` …). O(length).

use super::measurements::{Measurement, UnitTable, find_measurements, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct AreaRecogniser;

static AREA_UNITS: UnitTable = unit_table!(&[
    ("m2", "m²|m2|m^2|m 2|㎡|sqm|sqms|sq m|sq. m|sq.m|sq mt|sq mtr|sq metres|sq meters|sq. mt|mts2|mt2|mts²",),
    ("m2", "square metres|square meters|square metre|square meter|qm|Quadratmeter|Quadratmetern"),
    (
        "m2",
        "mq|metri quadri|metri quadrati|mètres carrés|mètre carré|m carrés|metros cuadrados|\
            metros quadrados",
    ),
    (
        "m2",
        "vierkante meter|kvadratmeter|kvm|kvm.|metrów kwadratowych|m kw|m.kw|metrekare|кв.м|кв. м|кв м|\
            м²|м2",
    ),
    ("m2", "квадратных метров|平米|平方米|平方公尺|平方メートル|제곱미터|ตร.ม|ตร. ม|ตารางเมตร"),
    (
        "ft2",
        "sq ft|sqft|sq. ft|sq.ft|sq feet|square feet|square foot|square ft|ft²|ft2|ft^2|SF|sf|sq. feet|\
            平方呎",
    ),
    ("yd2", "sq yd|sq yds|sq. yd|sq yards|square yards|yd²|sqyd"),
    ("in2", "sq in|sq. in|square inches|in²"),
    ("cm2", "cm²|cm2|sq cm|square centimetres|square centimeters|см²"),
    ("mm2", "mm²|mm2|sq mm"),
    (
        "ha",
        "ha|Ha|hectare|hectares|Hektar|hectárea|hectáreas|hectares|ettari|hektarów|га|гектар|гектаров|公顷",
    ),
    ("acre", "acre|acres|ac|акров|英亩"),
    ("km2", "km²|km2|sq km|sq. km|square kilometres|square kilometers|Quadratkilometer|км²|кв. км|平方公里",),
    ("mi2", "sq mi|sq. mi|square miles|square mile|mi²"),
    ("tsubo", "坪"),
    ("pyeong", "평"),
    ("mu", "亩|畝"),
    ("sotka", "сот.|соток|сотки|сотка"),
    ("rai", "ไร่|rai"),
    ("wa2", "ตร.ว|ตารางวา|sq wa|sqw"),
    ("kanal", "kanal|kanals"),
    ("marla", "marla|marlas"),
    ("are", "Ar|ares"),
]);

impl Recogniser for AreaRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Area
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        // ㎡ is not a letter, so `scan.letter` would be too strict.
        scan.digit && scan.len > 2
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        find_measurements(text, &AREA_UNITS, false, notation, |Measurement { span, value, max, unit }| {
            matches.push(ValueMatch {
                span,
                value_type: ValueType::Area,
                value: Value::Area { value, max, unit },
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

    fn show(value: &Value) -> String {
        match value {
            Value::Area { value, max: None, unit } => format!("{value} {unit}"),
            Value::Area { value, max: Some(max), unit } => format!("{value}-{max} {unit}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn areas() {
        let cases = "
            85 m² => 85 m2
            85m2 => 85 m2
            85,5 m² Wohnfläche => 85.5 m2
            1.250 m² Grundstück => 1250 m2
            120 sqm => 120 m2
            120 sq m => 120 m2
            120 Sq. M. => 120 m2
            1,200 sq ft => 1200 ft2
            1,200 sq. ft. => 1200 ft2
            1,200 Sqft => 1200 ft2
            2,450 square feet => 2450 ft2
            1200 SF => 1200 ft2
            950 ft² => 950 ft2
            850 sq.ft (79 sq.m) => 850 ft2; 79 m2
            2.5 acres => 2.5 acre
            0.25 Acre lot => 0.25 acre
            1,5 ha => 1.5 ha
            12 hectares => 12 ha
            3 Hektar => 3 ha
            891 km² => 891 km2
            1,572 sq km => 1572 km2
            607 sq mi => 607 mi2
            70 Quadratmeter => 70 m2
            70 qm => 70 m2
            110 mq => 110 m2
            90 mètres carrés => 90 m2
            90 metros cuadrados => 90 m2
            45 vierkante meter => 45 m2
            62 kvm => 62 m2
            54 кв. м => 54 m2
            54,3 м² => 54.3 m2
            6 соток => 6 sotka
            89平米 => 89 m2
            建筑面积120平方米 => 120 m2
            30坪 => 30 tsubo
            25평 => 25 pyeong
            35 ตร.ม. => 35 m2
            2 ไร่ => 2 rai
            65.3㎡ => 65.3 m2
            50-80 m² => 50-80 m2
            50 – 80 m² => 50-80 m2
            from 700 to 900 sq ft => 700-900 ft2
            3 bed, 120 m², 2 bath => 120 m2
            10 Marla house => 10 marla
            1 200 m² => 1200 m2";
        let misses = "
            120 m
            85
            12 harbours
            £12/m²
            £12 m²
            3 acrobats
            12 mqtt
            SF 49ers
            5 m³
            12 haus
            2 squares
            m²
            A4 ha
            AB T5T 4M2
            50HA HAVANA";
        check_table(&AreaRecogniser, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_unit() {
        assert_eq!(
            matched_texts(&AreaRecogniser, "Plot of 1,200 sq. ft. (111 m²)"),
            ["1,200 sq. ft", "111 m²"]
        );
        assert_eq!(matched_texts(&AreaRecogniser, "建筑面积120平方米"), ["120平方米"]);
    }

    #[test]
    fn any_text_is_safe() {
        check_spans_of_any_text(&AreaRecogniser, "m² m2 sq ft sqft ha 坪 平米 ตร.ม. acres SF");
    }
}
