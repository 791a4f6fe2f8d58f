//! Texts with postal codes, and texts without.
//!
//! In: tables of texts. Out: a failure if the matches of a text differ from those of the table.

use super::*;
use proptest::prelude::*;

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
];

#[test]
fn codes() {
    for (text, span, code, country) in CASES {
        let matches: Vec<(&str, Value)> =
            found(text).into_iter().map(|value_match| (&text[value_match.span], value_match.value)).collect();
        let country = Some(*country).filter(|country| !country.is_empty());
        assert_eq!(matches, [(*span, Value::Postcode { code: (*code).to_owned(), country })], "{text}");
    }
    assert_eq!(POSTCODE_FORMS.len(), 11);
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
