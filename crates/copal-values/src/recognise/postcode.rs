//! Postal codes that can be recognised by their form.
//!
//! In: a text. Out: codes in their usual spelling, with the country if the form belongs to one. Precision
//! first: bare digits are codes only after a state (`NY 10001`), a country (`D-80331`), a sign (`〒`) or a
//! label ("ZIP 10001"). Forms that other numbers share (`1234-567`, `1234 AB`) must be the whole text or
//! precede the name of a place (`12-345` always must). `forms` matches the forms; O(length).

mod forms;

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;
use forms::{FormSpans, each_form_match, split_british_code};

/// Longest text that is compared with a British code as a whole, in bytes.
const MAX_WHOLE_CODE_BYTES: usize = 24;

/// Reads a match of a form: the country, or "" if the form does not tell it, and the code.
type ReadForm = fn(&FormMatch<'_>) -> Option<(&'static str, String)>;

#[derive(Debug, Clone, Copy)]
pub(super) struct PostcodeRecogniser;

/// Postcode areas of the United Kingdom.
const UK_AREAS: &str = "\
    AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH \
    EN EX FK FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M \
    ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST \
    SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE";
/// Abbreviations of the states of the USA.
const US_STATES: &str = "\
    AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY \
    NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI";
/// States that are also words. They count only after a comma.
const AMBIGUOUS_STATES: [&str; 8] = ["OR", "IN", "ME", "OK", "HI", "OH", "LA", "ID"];
/// After four digits these are units, eras and brands, not Dutch codes.
const NOT_DUTCH_SUFFIXES: &str = "\
    SA SD SS AM PM AD BC CE GB MB KB TB KG KM CM MM ML HP PS KW CC US UK EU OZ LB FT MG HZ LG HD TV PC \
    DM KR CV GT VA NM RS XL XS IN OF TO BY ON OR IS AT NO";
/// Prefixes of countries, ISO 3166 codes, and the number of digits of their postal codes.
const COUNTRY_PREFIXES: [(&str, &str, usize); 32] = [
    ("D", "DE", 5),
    ("DE", "DE", 5),
    ("A", "AT", 4),
    ("AT", "AT", 4),
    ("CH", "CH", 4),
    ("F", "FR", 5),
    ("FR", "FR", 5),
    ("B", "BE", 4),
    ("BE", "BE", 4),
    ("I", "IT", 5),
    ("IT", "IT", 5),
    ("E", "ES", 5),
    ("ES", "ES", 5),
    ("L", "LU", 4),
    ("LU", "LU", 4),
    ("DK", "DK", 4),
    ("N", "NO", 4),
    ("NO", "NO", 4),
    ("FI", "FI", 5),
    ("FIN", "FI", 5),
    ("S", "SE", 5),
    ("SE", "SE", 5),
    ("CZ", "CZ", 5),
    ("SK", "SK", 5),
    ("GR", "GR", 5),
    ("HR", "HR", 5),
    ("SI", "SI", 4),
    ("H", "HU", 4),
    ("LT", "LT", 5),
    ("LV", "LV", 4),
    ("EE", "EE", 5),
    ("RO", "RO", 6),
];

/// A match of a form: its two parts, and the text around it.
struct FormMatch<'t> {
    first: &'t str,
    second: &'t str,
    before: &'t str,
    after: &'t str,
}

impl FormMatch<'_> {
    fn is_whole(&self) -> bool {
        self.before.trim_end().is_empty() && self.after.trim_start().is_empty()
    }

    /// True if the name of a place follows.
    fn precedes_place(&self) -> bool {
        let mut chars = self.after.trim_start_matches([' ', '\u{a0}']).chars();
        self.after.starts_with([' ', '\u{a0}'])
            && chars.next().is_some_and(char::is_uppercase)
            && chars.next().is_some_and(|c| c.is_lowercase() || c.is_uppercase())
    }

    fn follows_comma(&self) -> bool {
        self.before.trim_end().ends_with(',')
    }
}

impl Recogniser for PostcodeRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Postcode
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.len >= 3
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        let own = matches.len();
        if let Some(value_match) = whole_british_code(text) {
            matches.push(value_match);
            return;
        }
        each_form_match(text, |found, read| matches.extend(read_form(text, &found, read)));
        let found = matches.split_off(own);
        matches.extend(without_overlaps(found));
    }
}

/// Forms rarely overlap. The earlier match wins, then the longer one.
fn without_overlaps(mut found: Vec<ValueMatch>) -> Vec<ValueMatch> {
    found.sort_by_key(|value_match| (value_match.span.start, usize::MAX - value_match.span.end));
    let mut last = 0;
    found.retain(|value_match| {
        let is_free = value_match.span.start >= last;
        if is_free {
            last = value_match.span.end;
        }
        is_free
    });
    found
}

/// A whole text that is a British code in any letter case, or its first half.
fn whole_british_code(text: &str) -> Option<ValueMatch> {
    let trimmed = text.trim();
    // "ox1 3qd" is compared in capitals, which have the same length
    let upper = (text.len() <= MAX_WHOLE_CODE_BYTES).then(|| trimmed.to_ascii_uppercase())?;
    let (outward, inward) = split_british_code(&upper)?;
    // "B5" and "E10" are also sizes and models.
    let sure = inward.is_some()
        || (outward.len() > 2
            && outward == &trimmed[..outward.len()]
            && outward.as_bytes()[1].is_ascii_alphabetic());
    if !sure || !is_outward(outward) {
        return None;
    }
    let code = inward.map_or_else(|| outward.to_owned(), |inward| format!("{outward} {inward}"));
    let start = text.len() - text.trim_start().len();
    Some(ValueMatch {
        span: start..start + trimmed.len(),
        value_type: ValueType::Postcode,
        value: Value::Postcode { code, country: Some("GB") },
    })
}

fn read_form(text: &str, found: &FormSpans, read: ReadForm) -> Option<ValueMatch> {
    let (before, after) = (&text[..found.start], &text[found.second.end..]);
    // Not in the middle of a longer number or code.
    let tied = |c: char| {
        matches!(c, '-' | '_' | '/' | '+' | '#' | '$' | '£' | '€' | '@' | '=') || c.is_ascii_digit()
    };
    let mut following = after.chars();
    let goes_on = match following.next() {
        Some('-' | '/' | '.' | ',' | '_' | ':') => following.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => matches!(c, '%' | '€' | '$' | '£' | '@'),
        None => false,
    };
    if goes_on
        || before.ends_with(tied)
        || (before.ends_with(['.', ','])
            && before.trim_end_matches(['.', ',']).ends_with(|c: char| c.is_ascii_digit()))
    {
        return None;
    }
    let (first, second) = (&text[found.first.clone()], &text[found.second.clone()]);
    let (country, code) = read(&FormMatch { first, second, before, after })?;
    // The state is not part of the code.
    let labels = first.is_empty() || country.is_empty() || country == "US" || country == "AU";
    let start =
        if labels && !text[found.start..].starts_with('〒') { found.second.start } else { found.start };
    let country = Some(country).filter(|country| !country.is_empty());
    Some(ValueMatch {
        span: start..found.second.end,
        value_type: ValueType::Postcode,
        value: Value::Postcode { code, country },
    })
}

fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// `OX2`, `SW1A`: a known area and a district.
fn is_outward(code: &str) -> bool {
    let area = code.find(|c: char| c.is_ascii_digit()).map_or("", |at| &code[..at]);
    let district = &code[area.len()..];
    // A letter after the digit of the district occurs only in inner London.
    let london = matches!(area, "E" | "EC" | "N" | "NW" | "SE" | "SW" | "W" | "WC");
    listed(UK_AREAS, area) && (london || district.bytes().all(|b| b.is_ascii_digit()))
}

fn british(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    is_outward(found.first).then(|| ("GB", format!("{} {}", found.first, found.second)))
}

fn canadian(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    let zero = found.first.bytes().chain(found.second.bytes()).filter(u8::is_ascii_digit).all(|b| b == b'0');
    (!zero).then(|| ("CA", format!("{} {}", found.first, found.second)))
}

fn irish(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    let mixed = found.second.bytes().any(|b| b.is_ascii_alphabetic())
        && found.second.bytes().any(|b| b.is_ascii_digit());
    mixed.then(|| ("IE", format!("{} {}", found.first, found.second)))
}

fn state(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    let code = found.second.to_owned();
    if code.len() == 4 {
        let clear = matches!(found.first, "NSW" | "VIC" | "QLD" | "TAS" | "ACT");
        return (clear || (matches!(found.first, "SA" | "WA" | "NT") && found.follows_comma()))
            .then_some(("AU", code));
    }
    let word = AMBIGUOUS_STATES.contains(&found.first) && !found.follows_comma();
    (matches!(code.len(), 5 | 10) && listed(US_STATES, found.first) && !word).then_some(("US", code))
}

fn dashed(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    // The form with a state has priority, because it begins earlier.
    let country = if found.second.len() == 10 { "US" } else { "BR" };
    // 13607-2018 is a file number.
    let year =
        country == "US" && (found.second[6..].starts_with("19") || found.second[6..].starts_with("20"));
    (found.second != "00000-000" && !year).then(|| (country, found.second.to_owned()))
}

fn dutch(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    if listed(NOT_DUTCH_SUFFIXES, found.second) {
        return None;
    }
    let year = found.first.starts_with("19") || found.first.starts_with("20");
    let clear = found.is_whole()
        || (found.follows_comma() && (found.after.is_empty() || found.precedes_place()))
        || (found.precedes_place() && !year);
    let spaced = !found.after.is_empty() || found.follows_comma() || found.is_whole();
    (clear && spaced).then(|| ("NL", format!("{} {}", found.first, found.second)))
}

fn prefixed(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    let &(prefix, country, digits) = COUNTRY_PREFIXES.iter().find(|(prefix, ..)| *prefix == found.first)?;
    let code: String = found.second.chars().filter(char::is_ascii_digit).collect();
    let spaced = code.len() != found.second.len();
    // A-1010 may be a product number.
    let clear = prefix.len() > 1 && digits > 4 || found.precedes_place() || (prefix == "D" && !spaced);
    if code.len() != digits || !clear || (spaced && !matches!(country, "SE" | "CZ" | "SK" | "GR")) {
        return None;
    }
    let split = matches!(country, "SE" | "CZ" | "SK" | "GR");
    Some((country, if split { format!("{} {}", &code[..3], &code[3..]) } else { code }))
}

fn portuguese(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    (found.is_whole() || found.precedes_place()).then(|| ("PT", found.second.to_owned()))
}

fn polish(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    // Alone it is as often a file number.
    (found.precedes_place() || !found.first.is_empty()).then(|| ("PL", found.second.to_owned()))
}

fn japanese(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    let code: String = found.second.chars().filter(char::is_ascii_digit).collect();
    Some(("JP", format!("{}-{}", code.get(..3)?, code.get(3..)?)))
}

fn labelled(found: &FormMatch<'_>) -> Option<(&'static str, String)> {
    // A dash continues another form.
    (!found.after.starts_with('-')).then(|| ("", found.second.to_owned()))
}

#[cfg(test)]
mod tests;
