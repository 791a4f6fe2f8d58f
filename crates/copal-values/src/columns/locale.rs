//! What is usual in a language and a country: the order of dates, the decimal sign, the currency.
//!
//! In: the language that a page declares, and the host of its URL. Out: a [`Locale`]. The country is that of
//! the host's ending, else that of the language tag (`en-GB`), else the one where the language is mostly
//! spoken. A language tag of `en-US` is the default of many programs, so it counts less than the ending.
//! English alone does not tell the order of dates. From CLDR. O(length).

use crate::notation::{DateOrder, DecimalSign};

/// A language and a country, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Locale {
    language: Option<Letters>,
    country: Option<Letters>,
}

/// Two letters in lower case.
type Letters = [u8; 2];

/// Countries that write the month first, with `US`, the only one that always does.
const MONTH_FIRST_COUNTRIES: &[Letters] = &[*b"us", *b"ph", *b"fm", *b"pw", *b"gu", *b"as", *b"mp", *b"vi"];
/// Languages that write the year first.
const YEAR_FIRST_LANGUAGES: &[Letters] = &[*b"zh", *b"ja", *b"ko", *b"hu", *b"lt", *b"mn"];
/// Languages with a decimal point, and no other sign in any of their countries.
const POINT_LANGUAGES: &[Letters] =
    &[*b"en", *b"zh", *b"ja", *b"ko", *b"th", *b"he", *b"hi", *b"bn", *b"ta", *b"te", *b"ur", *b"ga", *b"cy"];
/// Languages that differ in their decimal sign from country to country.
const MIXED_LANGUAGES: &[Letters] = &[*b"es", *b"ar", *b"de", *b"fr", *b"it", *b"ms"];
/// Countries with a decimal point whose languages have a comma elsewhere.
const POINT_COUNTRIES: &[Letters] =
    &[*b"mx", *b"gt", *b"hn", *b"ni", *b"pa", *b"do", *b"pr", *b"sv", *b"pe", *b"ch", *b"li", *b"my", *b"us"];
/// The country where a language is mostly spoken.
const COUNTRIES_OF_LANGUAGES: &[(Letters, Letters)] = &[
    (*b"nb", *b"no"),
    (*b"nn", *b"no"),
    (*b"no", *b"no"),
    (*b"sv", *b"se"),
    (*b"da", *b"dk"),
    (*b"is", *b"is"),
    (*b"ja", *b"jp"),
    (*b"zh", *b"cn"),
    (*b"hi", *b"in"),
    (*b"ur", *b"pk"),
    (*b"si", *b"lk"),
    (*b"ne", *b"np"),
];
/// The money of countries whose sign others use too.
const CURRENCIES: &[(Letters, &str)] = &[
    (*b"us", "USD"),
    (*b"ca", "CAD"),
    (*b"au", "AUD"),
    (*b"nz", "NZD"),
    (*b"hk", "HKD"),
    (*b"sg", "SGD"),
    (*b"tw", "TWD"),
    (*b"mx", "MXN"),
    (*b"ar", "ARS"),
    (*b"cl", "CLP"),
    (*b"co", "COP"),
    (*b"uy", "UYU"),
    (*b"no", "NOK"),
    (*b"se", "SEK"),
    (*b"dk", "DKK"),
    (*b"is", "ISK"),
    (*b"jp", "JPY"),
    (*b"cn", "CNY"),
    (*b"in", "INR"),
    (*b"pk", "PKR"),
    (*b"lk", "LKR"),
    (*b"np", "NPR"),
    (*b"ph", "PHP"),
];
/// Endings of two letters that are sold as if they were not a country's.
const GENERIC_ENDINGS: &[Letters] =
    &[*b"co", *b"io", *b"tv", *b"me", *b"ai", *b"fm", *b"cc", *b"ws", *b"to", *b"eu", *b"ly", *b"gg"];

impl Locale {
    /// From a language tag (`pt-BR`) and a host name (`shop.example.com.br`).
    ///
    /// ```
    /// use copal_values::columns::locale::Locale;
    /// use copal_values::notation::DateOrder;
    /// assert_eq!(Locale::new(Some("en-US"), None).date_order(), Some(DateOrder::MonthFirst));
    /// assert_eq!(Locale::new(Some("en"), Some("www.gov.uk")).date_order(), Some(DateOrder::DayFirst));
    /// assert_eq!(Locale::new(Some("en"), Some("shop.com")).date_order(), None);
    /// ```
    pub fn new(language_tag: Option<&str>, host: Option<&str>) -> Locale {
        let mut subtags = language_tag.unwrap_or_default().split(['-', '_']);
        let language = subtags.next().and_then(two_letters);
        let declared = subtags.find_map(two_letters);
        let of_host = host.and_then(country_of_host);
        // a template's default says less than the ending that someone paid for
        let declared =
            declared.filter(|country| country != b"us" || of_host.is_none_or(|host| host == *b"us"));
        let usual = || {
            let known = COUNTRIES_OF_LANGUAGES.iter().find(|(known, _)| Some(*known) == language);
            known.map(|(_, country)| *country)
        };
        Locale { language, country: declared.or(of_host).or_else(usual) }
    }

    /// The usual order of dates in digits.
    pub fn date_order(self) -> Option<DateOrder> {
        match (self.country, self.language) {
            (Some(country), _) if MONTH_FIRST_COUNTRIES.contains(&country) => Some(DateOrder::MonthFirst),
            // both orders are in use
            (Some([b'c', b'a']), Some([b'e', b'n']) | None) => None,
            (_, Some(language)) if YEAR_FIRST_LANGUAGES.contains(&language) => Some(DateOrder::YearFirst),
            (None, Some([b'e', b'n']) | None) => None,
            _ => Some(DateOrder::DayFirst),
        }
    }

    /// The usual decimal sign.
    pub fn decimal_sign(self) -> Option<DecimalSign> {
        let country_has_point = self.country.is_some_and(|country| POINT_COUNTRIES.contains(&country));
        match self.language? {
            language if POINT_LANGUAGES.contains(&language) => {
                // South Africa writes English with a comma, and shops of other countries have English pages
                let is_english = language == *b"en";
                let foreign = self.country.is_some_and(|country| !ENGLISH_COUNTRIES.contains(&country));
                (!is_english || !foreign).then_some(DecimalSign::Point)
            }
            language if MIXED_LANGUAGES.contains(&language) => match self.country {
                Some(_) if country_has_point => Some(DecimalSign::Point),
                None if matches!(&language, b"es" | b"ar" | b"ms") => None,
                _ => Some(DecimalSign::Comma),
            },
            _ => Some(DecimalSign::Comma),
        }
    }

    /// The money of the country, if its sign is used in other countries too.
    pub fn currency(self) -> Option<&'static str> {
        let country = self.country?;
        CURRENCIES.iter().find(|(known, _)| *known == country).map(|(_, code)| *code)
    }
}

/// Countries whose English pages have a decimal point.
const ENGLISH_COUNTRIES: &[Letters] =
    &[*b"us", *b"uk", *b"gb", *b"ie", *b"au", *b"nz", *b"ca", *b"in", *b"sg", *b"hk", *b"ph", *b"my", *b"ng"];

fn two_letters(subtag: &str) -> Option<Letters> {
    let letters: Letters = subtag.as_bytes().try_into().ok()?;
    letters.iter().all(u8::is_ascii_alphabetic).then(|| letters.map(|letter| letter.to_ascii_lowercase()))
}

/// The country of a host name.
fn country_of_host(host: &str) -> Option<Letters> {
    let mut labels = host.trim_end_matches('.').rsplit('.');
    let (last, second) = (labels.next()?, labels.next()?);
    if matches!(last, "gov" | "mil" | "edu") {
        return Some(*b"us");
    }
    let country = two_letters(last)?;
    let is_registry = matches!(second, "com" | "co" | "org" | "net" | "gov" | "gob" | "edu" | "ac");
    (is_registry || !GENERIC_ENDINGS.contains(&country)).then_some(country)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn locale(language: &str, host: &str) -> Locale {
        Locale::new(Some(language).filter(|it| !it.is_empty()), Some(host).filter(|it| !it.is_empty()))
    }

    #[test]
    fn orders_of_dates() {
        use DateOrder::{DayFirst, MonthFirst, YearFirst};
        for (language, host, want) in [
            ("", "", None),
            ("en", "", None),
            ("en", "www.example.com", None),
            ("en", "courts.example.gov", Some(MonthFirst)),
            ("en-US", "", Some(MonthFirst)),
            ("en-US", "shop.co.uk", Some(DayFirst)),
            ("en-GB", "shop.com", Some(DayFirst)),
            ("en_AU", "", Some(DayFirst)),
            ("en-CA", "", None),
            ("fr-CA", "", Some(DayFirst)),
            ("de", "", Some(DayFirst)),
            ("de", "example.us", Some(MonthFirst)),
            ("ja", "", Some(YearFirst)),
            ("zh-Hant-TW", "", Some(YearFirst)),
            ("", "example.fr", Some(DayFirst)),
            ("", "example.io", None),
        ] {
            assert_eq!(locale(language, host).date_order(), want, "{language} {host}");
        }
    }

    #[test]
    fn decimal_signs_and_money() {
        use DecimalSign::{Comma, Point};
        for (language, host, sign, money) in [
            ("es", "shop.com.co", Some(Comma), Some("COP")),
            ("es-MX", "", Some(Point), Some("MXN")),
            ("es", "", None, None),
            ("nb", "", Some(Comma), Some("NOK")),
            ("en", "", Some(Point), None),
            ("en", "shop.de", None, None),
            ("de-CH", "", Some(Point), None),
            ("zh", "", Some(Point), Some("CNY")),
            ("en", "shop.co", Some(Point), None),
            ("", "", None, None),
        ] {
            let locale = locale(language, host);
            assert_eq!((locale.decimal_sign(), locale.currency()), (sign, money), "{language} {host}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(language in ".*", host in ".*") {
            let locale = Locale::new(Some(&language), Some(&host));
            let _ = (locale.date_order(), locale.decimal_sign(), locale.currency());
        }
    }
}
