//! Texts with postal codes, and texts without.
//!
//! In: tables of texts. Out: a failure if the matches of a text differ from those of the table.

use super::*;
use proptest::prelude::*;
use regex::Regex;

fn found(text: &str) -> Vec<ValueMatch> {
    let mut matches = Vec::new();
    PostcodeRecogniser.find(text, Notation::default(), &mut matches);
    matches
}

/// The text, what is found in it, the code and the country.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("OX1 3QD", "OX1 3QD", "OX1 3QD", "GB"),
    ("ox1 3qd", "ox1 3qd", "OX1 3QD", "GB"),
    ("OX13QD", "OX13QD", "OX1 3QD", "GB"),
    ("12 High Street, Oxford OX1 4DB", "OX1 4DB", "OX1 4DB", "GB"),
    ("London SW1A 1AA, UK", "SW1A 1AA", "SW1A 1AA", "GB"),
    ("M1 1AE", "M1 1AE", "M1 1AE", "GB"),
    ("EC1A\u{a0}1BB", "EC1A\u{a0}1BB", "EC1A 1BB", "GB"),
    ("B33 8TH.", "B33 8TH", "B33 8TH", "GB"),
    ("(CR2 6XH)", "CR2 6XH", "CR2 6XH", "GB"),
    ("OX2", "OX2", "OX2", "GB"),
    ("SW1A", "SW1A", "SW1A", "GB"),
    ("New York, NY 10001", "10001", "10001", "US"),
    ("Beverly Hills, CA 90210-1234", "90210-1234", "90210-1234", "US"),
    ("20500-0003", "20500-0003", "20500-0003", "US"),
    ("Portland, OR 97201", "97201", "97201", "US"),
    ("TX 75001 USA", "75001", "75001", "US"),
    ("Toronto ON M5V 3L9", "M5V 3L9", "M5V 3L9", "CA"),
    ("K1A-0B1", "K1A-0B1", "K1A 0B1", "CA"),
    ("K1A0B1", "K1A0B1", "K1A 0B1", "CA"),
    ("1012 JS Amsterdam", "1012 JS", "1012 JS", "NL"),
    ("Damrak 1, 1012 JS Amsterdam", "1012 JS", "1012 JS", "NL"),
    ("1234 AB", "1234 AB", "1234 AB", "NL"),
    ("Kade 5, 2011 PZ Haarlem", "2011 PZ", "2011 PZ", "NL"),
    ("D-80331 München", "D-80331", "80331", "DE"),
    ("D-80331", "D-80331", "80331", "DE"),
    ("DE-10115", "DE-10115", "10115", "DE"),
    ("A-1010 Wien", "A-1010", "1010", "AT"),
    ("CH-8001 Zürich", "CH-8001", "8001", "CH"),
    ("F-75001 Paris", "F-75001", "75001", "FR"),
    ("B-1000 Bruxelles", "B-1000", "1000", "BE"),
    ("I-20121 Milano", "I-20121", "20121", "IT"),
    ("SE-123 45 Stad", "SE-123 45", "123 45", "SE"),
    ("S-12345 Stad", "S-12345", "123 45", "SE"),
    ("CZ-110 00", "CZ-110 00", "110 00", "CZ"),
    ("FI-00100", "FI-00100", "00100", "FI"),
    ("1000-205 Lisboa", "1000-205", "1000-205", "PT"),
    ("1234-567", "1234-567", "1234-567", "PT"),
    ("00-950 Warszawa", "00-950", "00-950", "PL"),
    ("ul. Prosta 1, 12-345 Łódź", "12-345", "12-345", "PL"),
    ("PL-30-001", "PL-30-001", "30-001", "PL"),
    ("〒123-4567", "〒123-4567", "123-4567", "JP"),
    ("〒1000001 東京都", "〒1000001", "100-0001", "JP"),
    ("01310-100 São Paulo", "01310-100", "01310-100", "BR"),
    ("Av. Paulista, 01310-100", "01310-100", "01310-100", "BR"),
    ("D02 AF30", "D02 AF30", "D02 AF30", "IE"),
    ("Sydney NSW 2000", "2000", "2000", "AU"),
    ("Perth, WA 6000", "6000", "6000", "AU"),
    ("PLZ: 80331", "80331", "80331", ""),
    ("Zip code 10001", "10001", "10001", ""),
    ("CEP 01310-100", "01310-100", "01310-100", "BR"),
    ("индекс 101000", "101000", "101000", ""),
    ("서울 우편번호: 04524", "04524", "04524", ""),
    ("CÓDIGO POSTAL 28013", "28013", "28013", ""),
    ("D6W XY00", "D6W XY00", "D6W XY00", "IE"),
];

#[test]
fn codes() {
    for (text, span, code, country) in CASES {
        let matches: Vec<(&str, Value)> =
            found(text).into_iter().map(|value_match| (&text[value_match.span], value_match.value)).collect();
        let country = Some(*country).filter(|country| !country.is_empty());
        assert_eq!(matches, [(*span, Value::Postcode { code: (*code).to_owned(), country })], "{text}");
    }
}

#[test]
fn other_texts_do_not_match() {
    for text in [
        "10001",
        "80331",
        "80331 München",
        "2017",
        "2017-01-26",
        "2017 AD",
        "1500 CC",
        "2000 GB",
        "1200 HP",
        "2017 LG TV",
        "2016 BMW",
        "Model X5 2DR",
        "QQ1 1AA",
        "ZZ9 9ZZ",
        "OX2 is nice",
        "A4",
        "B5",
        "E10",
        "M3",
        "mp3",
        "555-123-4567",
        "01865 123456",
        "0-306-40615-2",
        "978-0-306-40615-7",
        "10-100 people",
        "12-345-678",
        "25-237",
        "13607-2018",
        "4200 XL",
        "20-150 kg",
        "123-4567",
        "12345",
        "$12345-678",
        "A-1010",
        "X-12345",
        "SIZE OR 12345",
        "IN 46201",
        "123 45 Stad",
        "A1B2C3D4",
        "W12 2017",
        "1234-5678",
        "123-456",
        "HD 1080",
        "PC 2000",
        "14:05",
        "3.5",
        "",
        "〒",
        "#12345-678",
        "12345-6789-1",
        "1234-567 euros",
        "PLZ",
        "US 12345",
        "5000 m",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

/// The forms as regular expressions: what the forms without them are compared with.
fn expressions() -> Vec<(Regex, ReadForm)> {
    // `\b` is a boundary of ASCII words here, so that other scripts may directly precede or follow a code.
    let forms: [(&str, ReadForm); 11] = [
        (r"(?-u:\b)([A-Z]{1,2}[0-9][A-Z0-9]?)[ \x{a0}]?([0-9][ABD-HJLNP-UW-Z]{2})(?-u:\b)", british),
        (
            concat!(
                r"(?-u:\b)([ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z])",
                r"[ \x{a0}-]?([0-9][ABCEGHJ-NPRSTV-Z][0-9])(?-u:\b)"
            ),
            canadian,
        ),
        (r"(?-u:\b)((?:[AC-FHKNPRTV-Y][0-9]{2}|D6W))[ \x{a0}]([0-9AC-FHKNPRTV-Y]{4})(?-u:\b)", irish),
        (r"(?-u:\b)([A-Z]{2,3})[ \x{a0}]([0-9]{4,5}(?:-[0-9]{4})?)(?-u:\b)", state),
        (r"(?-u:\b)()([0-9]{5}-[0-9]{3,4})(?-u:\b)", dashed),
        (r"(?-u:\b)([1-9][0-9]{3})[ \x{a0}]?([A-Z]{2})(?-u:\b)", dutch),
        (r"(?-u:\b)([A-Z]{1,3})[-–]([0-9]{3}[ \x{a0}][0-9]{2}|[0-9]{4,6})(?-u:\b)", prefixed),
        (r"(?-u:\b)()([1-9][0-9]{3}-[0-9]{3})(?-u:\b)", portuguese),
        (r"(?-u:\b)(PL-)?([0-9]{2}-[0-9]{3})(?-u:\b)", polish),
        (r"()〒[ \x{a0}]?([0-9]{3}[-－]?[0-9]{4})(?-u:\b)", japanese),
        (
            concat!(
                r"(?i)(?-u:\b)(zip|zip code|plz|postleitzahl|postcode|postal code|post code|code postal",
                r"|código postal|cep|cap|postnummer)[ \x{a0}]?[:.]?[ \x{a0}]?([0-9]{4,6})(?-u:\b)"
            ),
            labelled,
        ),
    ];
    forms.into_iter().map(|(pattern, read)| (Regex::new(pattern).unwrap(), read)).collect()
}

fn found_by_expressions(forms: &[(Regex, ReadForm)], text: &str) -> Vec<ValueMatch> {
    if let Some(value_match) = whole_british_code(text) {
        return vec![value_match];
    }
    let mut matches = Vec::new();
    for (pattern, read) in forms {
        matches.extend(pattern.captures_iter(text).filter_map(|captures| {
            let first = captures.get(1).map_or(0..0, |group| group.range());
            let spans =
                FormSpans { start: captures.get(0)?.start(), first, second: captures.get(2)?.range() };
            read_form(text, &spans, *read)
        }));
    }
    without_overlaps(matches)
}

#[test]
fn forms_agree_with_regular_expressions() {
    let forms = expressions();
    let texts = "\\PC{0,30}|((zip|plz|PL-|OX1|NY|D6W|NSW|〒|D|SE|1012|10001)?[ :\u{a0}–,-]?[0-9A-HPLWé]{0,6}[ ,.-]?){1,5}";
    proptest!(ProptestConfig::with_cases(4096), |(text in texts)| {
        prop_assert_eq!(found(&text), found_by_expressions(&forms, &text), "{}", text);
    });
    for (text, ..) in CASES.iter().filter(|(text, ..)| !text.contains(['и', '우'])) {
        assert_eq!(found(text), found_by_expressions(&forms, text), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_safe(text in "\\PC*|(OX1|〒|NY |D-|[0-9A-E é\\-,]){0,25}") {
        let mut last = 0;
        for value_match in found(&text) {
            prop_assert!(value_match.span.start >= last && value_match.span.start < value_match.span.end);
            prop_assert!(text.get(value_match.span.clone()).is_some());
            last = value_match.span.end;
        }
    }
}
