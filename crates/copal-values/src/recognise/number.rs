//! Numbers with a unit other than those of areas, distances, durations, money and percentages: "1.6 litre",
//! "150 bhp", "64 GB".
//!
//! In: a text. Out: [`Value::Number`] matches with the unit's usual short form; a number without a unit does
//! not match. O(length).

use super::measurements::{Measurement, UnitTable, find_measurements, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::written_number::number_at;
use crate::notation::Notation;
use crate::numbers::{parse, scan};
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct NumberRecogniser;

static NUMBER_UNITS: UnitTable = unit_table!(&[
    ("kg", "kg|Kg|KG|kgs|kilo|kilos|kilogram|kilograms|kilogramm|kilogramme|kilogrammes|kilogramos|quilos",),
    ("kg", "公斤|千克|キロ|кг|กก.|กิโลกรัม"),
    ("g", "g|gr|gram|grams|gramm|gramme|grammes|gramos|gramas|г|克|グラム|กรัม"),
    ("mg", "mg|мг|毫克"),
    ("t", "tonne|tonnes|tons|tonnen|тонн"),
    ("lb", "lb|lbs|LB|LBS|lb.|lbs."),
    ("oz", "oz|OZ|Oz|ounce|ounces"),
    ("ml", "ml|mL|ML|millilitre|millilitres|milliliter|мл|毫升"),
    ("cl", "cl|cL"),
    ("dl", "dl|dL"),
    ("l", "l|L|ltr|ltrs|litre|litres|liter|liters|litro|litros|litri|л|公升|升|リットル|ลิตร"),
    ("gal", "gal|gallon|gallons"),
    ("fl oz", "fl oz|fl. oz|fl.oz|fluid ounces|fluid ounce"),
    ("pt", "pint|pints"),
    ("cc", "cc|CC|ccm|cm³|cm3|cu cm|куб. см"),
    ("m3", "m³|m3|cbm|cubic metres|cubic meters|м³|м3"),
    ("ft3", "ft³|ft3|cu ft|cu. ft.|cu.ft|cubic feet"),
    ("bhp", "bhp"),
    ("hp", "hp|HP|Hp|horsepower|л.с|л. с|马力|แรงม้า"),
    ("PS", "PS|ps|ch|cv|CV|pk|馬力|마력"),
    ("kW", "kW|kw|KW|kilowatt|kilowatts|кВт"),
    ("kWh", "kWh|кВтч|kilowatt hours"),
    ("MW", "MW"),
    ("W", "W|watt|watts|Вт|瓦"),
    ("Wh", "Wh|WH"),
    ("mAh", "mAh|мАч"),
    ("Ah", "Ah"),
    ("V", "V|volt|volts|В"),
    ("Nm", "Nm|nm torque|lb-ft torque"),
    ("lb ft", "lb ft|lb-ft|lb. ft.|ft-lb|ft-lbs|ft lb"),
    ("mpg", "mpg"),
    ("km/l", "km/l|kmpl"),
    ("l/100km", "l/100km|l/100 km|l / 100 km|л/100 км|л/100км"),
    ("kWh/100km", "kWh/100km|kWh/100 km"),
    ("g/km", "g/km|gr/km|g / km|г/км"),
    ("km/h", "km/h|kmh|kph|км/ч"),
    ("mph", "mph"),
    ("rpm", "rpm|U/min|tr/min|об/мин"),
    ("kB", "kB|KB"),
    ("MB", "MB|МБ"),
    ("GB", "GB|Gb|gb|Go|ГБ|gigabytes|gigabyte"),
    ("TB", "TB|ТБ|terabytes|terabyte"),
    ("Mbps", "Mbps|Mbit/s|Mb/s"),
    ("Gbps", "Gbps|Gbit/s|Gb/s"),
    ("MP", "MP|Mpx|MPix|megapixel|megapixels|mégapixels|megapíxeles|Мп|万像素"),
    ("px", "px|pixels|pixel"),
    ("dpi", "dpi"),
    ("Hz", "Hz|HZ|hz|Гц"),
    ("kHz", "kHz"),
    ("MHz", "MHz"),
    ("GHz", "GHz|ГГц"),
    ("dB", "dB|db"),
    ("lm", "lm|lumen|lumens"),
    ("kcal", "kcal|ккал"),
    ("kJ", "kJ|KJ"),
    ("cal", "calories"),
    ("bar", "bar"),
    ("psi", "psi"),
    ("ct", "carat|carats|karat|karaat"),
    ("°C", "°C|° C|ºC|℃"),
    ("°F", "°F|° F|ºF|℉"),
]);

impl Recogniser for NumberRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Number
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.len > 1
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        find_measurements(text, &NUMBER_UNITS, false, notation, |mut found| {
            // "12 W 34th St", "Part 2 V 1": a letter before a number is mostly not a unit
            let rest = text[found.span.end..].trim_start();
            if found.unit.len() == 1
                && rest.len() < text.len() - found.span.end
                && number_at(rest, 0, notation).is_some()
            {
                return;
            }
            // "iPhone 12 128 GB": two numbers, not thousands
            let written = &text[found.span.clone()];
            if matches!(found.unit, "GB" | "TB" | "MB" | "MP")
                && found.max.is_none()
                && let Some((at, figure)) = last_group(written)
            {
                found.span.start += at;
                found.value = figure;
            }
            let before = &text[..found.span.start];
            if found.unit.starts_with('°') && before.ends_with(['-', '\u{2212}']) {
                let sign = before.char_indices().next_back().map_or(0, |(at, _)| at);
                if !before[..sign].ends_with(char::is_alphanumeric) {
                    found.span.start = sign;
                    found.value.insert(0, '-');
                }
            }
            let Measurement { span, value, max, unit } = found;
            matches.push(ValueMatch {
                span,
                value_type: ValueType::Number,
                value: Value::Number { value, max, unit: Some(unit) },
            });
        });
    }
}

/// The last of several groups of digits with spaces between them, and where it starts.
fn last_group(written: &str) -> Option<(usize, Decimal)> {
    let figure = &written[..scan(written)];
    let (at, space) = figure.char_indices().rfind(|(_, c)| c.is_whitespace())?;
    let at = at + space.len_utf8();
    Some((at, parse(&figure[at..])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

    fn show(value: &Value) -> String {
        match value {
            Value::Number { value, max: None, unit } => format!("{value} {}", unit.unwrap_or("?")),
            Value::Number { value, max: Some(max), unit } => format!("{value}-{max} {}", unit.unwrap_or("?")),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn numbers_with_units() {
        let cases = "
            1,598 cc => 1598 cc
            1.6 litre => 1.6 l
            2.0L TDI => 2.0 l
            150 bhp => 150 bhp
            110 kW (150 PS) => 110 kW; 150 PS
            90 ch => 90 PS
            120 л.с. => 120 hp
            58.9 mpg => 58.9 mpg
            4,9 l/100 km (komb.) => 4.9 l/100km
            112 g/km CO2 => 112 g/km
            64 GB => 64 GB
            iPhone 12 128 GB => 128 GB
            Galaxy S21 256GB => 256 GB
            1TB SSD => 1 TB
            512 Go SSD => 512 GB
            12 MP => 12 MP
            48-megapixel camera => 48 MP
            1000-watt motor => 1000 W
            60W bulb => 60 W
            220-240 V => 220-240 V
            5000 mAh => 5000 mAh
            2.5kg => 2.5 kg
            1,5 kg => 1.5 kg
            500 g => 500 g
            12 oz. => 12 oz
            180 lbs => 180 lb
            6 x 330ml => 330 ml
            75 cl => 75 cl
            16.9 fl oz => 16.9 fl oz
            3½ pints => 3.5 pt
            约5公斤 => 5 kg
            3.5 ГГц => 3.5 GHz
            2.4 GHz => 2.4 GHz
            144Hz => 144 Hz
            250 km/h => 250 km/h
            0-62 mph => 0-62 mph
            320 Nm => 320 Nm
            100 Mbps => 100 Mbps
            -5 °C => -5 °C
            21°C => 21 °C
            450 kcal => 450 kcal
            85 m³ => 85 m3
            .5 kg => 0.5 kg
            4 л => 4 l";
        let misses = "
            12
            2017
            12 W 34th St
            5 doors
            £5 g
            12 gifts
            5G network
            R2-D2
            12 vols
            3 lbx
            1.2.3 kg
            100 m
            15 %
            A4 l
            12 cm";
        check_table(&NumberRecogniser, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_unit() {
        assert_eq!(
            matched_texts(&NumberRecogniser, "Engine: 1,598 cc, 110 kW (150 PS)"),
            ["1,598 cc", "110 kW", "150 PS"]
        );
        assert_eq!(matched_texts(&NumberRecogniser, "iPhone 12 128 GB"), ["128 GB"]);
    }

    #[test]
    fn any_text_is_safe() {
        check_spans_of_any_text(&NumberRecogniser, "kg GB °C l/100km W V cc - cu litre km/h");
    }
}
