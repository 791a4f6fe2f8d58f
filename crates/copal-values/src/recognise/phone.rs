//! Telephone numbers.
//!
//! In: a text. Out: the digits, with a `+` if the country code is written. An extension is part of the span
//! but not of the value. Numbers with `+` or `00` have 8 to 15 digits. Others need a leading zero (9 to 11
//! digits, or 12 in groups), a form that only telephone numbers have (`555-123-4567`), or a label
//! ("Tel. 12345678"). Dates, prices, ISBNs and long ids do not match. Groups of digits are collected once,
//! and a bounded number of groups is looked at: O(length).

use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;

#[derive(Debug, Clone, Copy)]
pub(super) struct PhoneRecogniser;

/// Maximum number of groups of digits in a row that are looked at. Longer runs are tables or codes.
const MAX_DIGIT_GROUPS: usize = 16;
/// How many bytes before a number are searched for its label.
const PHONE_LABEL_REACH: usize = 48;

/// Words before telephone numbers.
const PHONE_LABELS: &str = "\
    tel telephone phone ph call mobile mob cell cellphone fax telefax t m f p telefon tél téléphone telf \
    telefono teléfono telefone telemóvel celular móvil movil handy fon mobil gsm telefoon mobiel puhelin \
    telefonas tlf тел телефон факс моб whatsapp hotline helpline freephone landline contact ring sms \
    text viber τηλ τηλέφωνο الهاتف هاتف טל טלפון 電話 电话 手机 전화 โทร โทรศัพท์ đt hp telp cep komórka";
/// Words before other numbers.
const OTHER_NUMBER_LABELS: &str = "\
    isbn isbn13 isbn10 ean upc sku ref reference order item id asin vat ust account acct konto iban bic \
    invoice art artikel article product model gtin issn registered company license licence reg hrb siret \
    siren nif cif cnpj cpf nip regon code serial part mpn doi pmid barcode sort tracking mls uprn \
    charity инн огрн";
/// Words between a label and its number: "Phone number:".
const FILLERS: &str = "number numbers no nr num nummer us on numéro numero número номер at or and";
/// Words before an extension.
const EXTENSIONS: [&str; 9] =
    ["extension", "ext", "x", "доб", "poste", "durchwahl", "ramal", "anexo", "extn"];

impl Recogniser for PhoneRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Phone
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && scan.len >= 8
    }

    fn find(&self, text: &str, _: Notation, matches: &mut Vec<ValueMatch>) {
        let mut at = 0;
        while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|found| at + found) {
            let (run, end) = collect_groups(text, start);
            at = end;
            if run.len() <= MAX_DIGIT_GROUPS {
                find_in_run(text, &run, matches);
            }
        }
    }
}

/// Digits in a row, and what precedes them.
#[derive(Debug, Clone, Copy)]
struct DigitGroup {
    start: usize,
    end: usize,
    /// The separator before it, reduced to one character. It is a space only if there is nothing but white
    /// space.
    separator: char,
    /// The separator contains white space.
    spaced: bool,
    /// The digits are in brackets.
    bracketed: bool,
}

impl DigitGroup {
    fn len(self) -> usize {
        self.end - self.start
    }
}

fn is_separator(c: char) -> bool {
    matches!(
        c,
        ' ' | '\u{a0}' | '\u{202f}' | '-' | '\u{2010}' | '\u{2011}' | '\u{2013}' | '.' | '/' | '(' | ')'
    )
}

/// The groups of digits from `start` on, with separators of at most three characters between them, and where
/// they end.
fn collect_groups(text: &str, start: usize) -> (Vec<DigitGroup>, usize) {
    let bytes = text.as_bytes();
    let mut groups: Vec<DigitGroup> = Vec::new();
    let (mut at, mut separator, mut spaced) = (start, '\0', false);
    loop {
        let end = at + bytes[at..].iter().position(|b| !b.is_ascii_digit()).unwrap_or(bytes.len() - at);
        let bracketed = at > 0 && bytes[at - 1] == b'(' && bytes.get(end) == Some(&b')');
        groups.push(DigitGroup { start: at, end, separator, spaced, bracketed });
        let mut next = end;
        (separator, spaced) = (' ', false);
        for c in text[end..].chars().take(3).take_while(|&c| is_separator(c)) {
            next += c.len_utf8();
            if c.is_whitespace() {
                spaced = true;
            } else {
                separator = if matches!(c, '.' | '/' | '(' | ')') { c } else { '-' };
            }
        }
        if next == end || !bytes.get(next).is_some_and(u8::is_ascii_digit) {
            return (groups, end);
        }
        at = next;
    }
}

/// Finds the telephone numbers in a run of groups; usually there is one or none.
fn find_in_run(text: &str, run: &[DigitGroup], matches: &mut Vec<ValueMatch>) {
    let mut first = 0;
    while first < run.len() {
        let found = (first..run.len()).rev().find_map(|last| {
            let value_match = phone_number(text, &run[first..=last])?;
            // The rest of the run must be a telephone number itself, or a small number ("24 hours").
            let rest = &run[last + 1..];
            let cut = match rest {
                [] => true,
                [one] => {
                    one.spaced
                        && one.separator == ' '
                        && (one.len() <= 2 || phone_number(text, rest).is_some())
                }
                [next, ..] => next.spaced && phone_number(text, rest).is_some(),
            };
            cut.then_some((last, value_match))
        });
        if let Some((last, value_match)) = found {
            matches.push(value_match);
            first = last + 1;
        } else if first == 0 && run[0].len() <= 2 && run.len() > 1 && run[1].spaced && run[1].separator == ' '
        {
            first = 1; // "3 beds 2 01865 123456"
        } else {
            return;
        }
    }
}

/// A telephone number that consists of exactly these groups.
fn phone_number(text: &str, groups: &[DigitGroup]) -> Option<ValueMatch> {
    let first = groups.first()?;
    let last = groups.last()?;
    if !(8..=18).contains(&groups.iter().map(|g| g.len()).sum::<usize>()) {
        return None;
    }
    let front = text[..first.start].trim_end_matches('(').trim_end();
    let plus = front.ends_with('+') && first.start - front.len() <= 2;
    let start =
        if plus { front.len() - 1 } else { first.start - usize::from(text[..first.start].ends_with('(')) };
    let mut end = last.end;
    if last.bracketed {
        end += 1;
    }
    if !is_separate(text, start, end) {
        return None;
    }
    // Only pairs of brackets belong to the number.
    let closed = text[start..end].contains(')');
    let start = if plus && closed && text[..start].ends_with('(') {
        start - 1
    } else if !plus && !closed && text[start..].starts_with('(') {
        start + 1
    } else {
        start
    };
    let trunk = plus || text[first.start..].starts_with("00");
    let kept = groups.iter().filter(|g| !(trunk && g.bracketed && &text[g.start..g.end] == "0"));
    let digits: String = kept.map(|g| &text[g.start..g.end]).collect();
    let context = context(&text[..start]);
    let value = if plus { international(&digits, groups) } else { national(&digits, groups, context) }?;
    let end = extension(text, end);
    Some(ValueMatch { span: start..end, value_type: ValueType::Phone, value: Value::Phone(value) })
}

/// True if the span is not part of a word, a longer number, a price or a URL.
fn is_separate(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let adjacent = before.is_some_and(|c| {
        c.is_alphanumeric() && c.is_ascii()
            || matches!(c, '_' | '@' | '/' | '=' | '.' | ',' | '-' | '#' | '+' | '~')
    });
    let money = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '฿' | '₩' | '%' | '№');
    let priced = text[..start].trim_end().ends_with(money) || text[end..].trim_start().starts_with(money);
    let mut after = text[end..].chars();
    let tail = match after.next() {
        Some('x' | 'X') => false,
        Some(c) if c.is_ascii_alphanumeric() || matches!(c, '_' | '@') => true,
        Some(',' | ':' | '.' | '-' | '/') => after.next().is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    };
    let unit =
        ["EUR", "USD", "GBP", "CHF", "PLN"].iter().any(|unit| text[end..].trim_start().starts_with(unit));
    !(adjacent || priced || tail || unit)
}

/// What the words before a number say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PhoneContext {
    Label,
    OtherNumber,
    Start,
    Other,
}

fn context(before: &str) -> PhoneContext {
    let mut from = before.len().saturating_sub(PHONE_LABEL_REACH);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let tail = before[from..].to_lowercase();
    let mut words = tail.split(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
    });
    let mut word = words.rfind(|word| !word.is_empty()).unwrap_or_default();
    for _ in 0..2 {
        if !FILLERS.split(' ').any(|filler| filler == word) {
            break;
        }
        word = words.rfind(|word| !word.is_empty()).unwrap_or_default();
    }
    let is = |list: &str| list.split(' ').any(|known| known == word);
    if before.trim_end().is_empty() {
        PhoneContext::Start
    } else if word.is_empty() {
        PhoneContext::Other
    } else if is(PHONE_LABELS)
        || ["電話", "电话", "手机", "전화", "โทร"].iter().any(|label| word.ends_with(label))
    {
        // One letter is a label only with a colon or dot: "T: 020 7946 0958"
        let lone = word.len() == 1 && !before.trim_end().ends_with([':', '.']);
        if lone { PhoneContext::Other } else { PhoneContext::Label }
    } else if is(OTHER_NUMBER_LABELS) {
        PhoneContext::OtherNumber
    } else {
        PhoneContext::Other
    }
}

/// A number with a country code.
fn international(digits: &str, groups: &[DigitGroup]) -> Option<String> {
    let round = groups.len() > 1 && groups[1..].iter().all(|g| g.len() == 3) && digits.ends_with("000");
    let fits = (8..=15).contains(&digits.len())
        && !digits.starts_with('0')
        && (groups.len() > 1 || digits.len() > 8);
    (fits && !round && groups.len() <= 8).then(|| format!("+{digits}"))
}

/// A number without a `+`.
fn national(digits: &str, groups: &[DigitGroup], context: PhoneContext) -> Option<String> {
    if is_date(groups)
        || (context != PhoneContext::Label && is_code(digits, groups))
        || groups.len() > 7
        || context == PhoneContext::OtherNumber
    {
        return None;
    }
    let count = digits.len();
    let lens: Vec<usize> = groups.iter().map(|g| g.len()).collect();
    let tail = lens.last().is_some_and(|&len| len > 1) && groups.iter().all(|g| g.len() <= 11);
    if let Some(rest) = digits.strip_prefix("00").filter(|rest| !rest.starts_with('0')) {
        return ((9..=14).contains(&rest.len())
            && (groups.len() > 1 || context == PhoneContext::Label)
            && tail)
            .then(|| format!("+{rest}"));
    }
    let ok = match context {
        PhoneContext::Label => (8..=15).contains(&count),
        _ if digits.starts_with('0') => {
            let free =
                lens[0] == 1 && lens.get(1) == Some(&3) && groups.get(1).is_some_and(|g| g.separator == ' ');
            (9..=if lens.len() > 1 { 12 } else { 11 }).contains(&count)
                && (lens[0] > 1 || groups[0].bracketed || free)
                && tail
                && !digits.starts_with("00")
        }
        _ => has_own_form(digits, &lens, groups, context),
    };
    ok.then(|| digits.to_owned())
}

/// True for groupings that only telephone numbers have.
fn has_own_form(digits: &str, lens: &[usize], groups: &[DigitGroup], context: PhoneContext) -> bool {
    let lead = digits.as_bytes()[0];
    let signs = groups[1..].iter().any(|g| g.separator != ' ');
    let dashes = groups[1..].iter().all(|g| g.separator == '-' && !g.spaced);
    match lens {
        // 555-123-4567, (555) 123-4567, 555.123.4567
        [3, 3, 4] => {
            (b'2'..=b'9').contains(&lead) && (signs || groups[0].bracketed || context == PhoneContext::Start)
        }
        // 1-800-123-4567, 1 (800) 123-4567
        [1, 3, 3, 4] => matches!(lead, b'1') && (signs || groups[1].bracketed),
        // 8 (495) 123-45-67
        [1, 3, 3, 2, 2] => lead == b'8' && (groups[1].bracketed || dashes),
        // (495) 123-45-67, (11) 91234-5678, (11) 1234-5678
        [3, 3, 2, 2] | [2, 4 | 5, 4] => groups[0].bracketed,
        // 91 234 56 78
        [2, 3, 2, 2] => matches!(lead, b'8' | b'9') && !signs,
        // 1300 123 456
        [4, 3, 3] => {
            (digits.starts_with("1300") || digits.starts_with("1800")) && context != PhoneContext::Other
        }
        _ => false,
    }
}

/// True for groups such as 26/01/2017 14 and 2017-01-26.
fn is_date(groups: &[DigitGroup]) -> bool {
    let [a, b, c, ..] = groups else { return false };
    let same = b.separator == c.separator && matches!(b.separator, '.' | '/' | '-');
    same && b.len() <= 2 && ((a.len() <= 2 && c.len() == 4) || (a.len() == 4 && c.len() <= 2))
}

/// True for 08628-0718 (a ZIP code), 010456-2020 (a file number with a year) and 0306406152 (a valid ISBN).
fn is_code(digits: &str, groups: &[DigitGroup]) -> bool {
    match groups {
        [only] if only.len() == 10 => {
            let weights = (1..=10).rev();
            let sum: u32 =
                digits.bytes().zip(weights).map(|(digit, weight)| (digit - b'0') as u32 * weight).sum();
            sum.is_multiple_of(11)
        }
        [first, last] if last.separator == '-' && last.len() == 4 => {
            first.len() == 5
                || (first.len() > 5 && ["19", "20"].contains(&&digits[first.len()..first.len() + 2]))
        }
        _ => false,
    }
}

/// The end of the extension after a number, or the end of the number.
fn extension(text: &str, end: usize) -> usize {
    let skip = |s: &str, signs: &[char]| s.len() - s.trim_start_matches(signs).len();
    let at = end + skip(&text[end..], &[' ', ',', ';', '(', '\u{a0}']).min(3);
    let Some(rest) = text.get(at..) else { return end };
    for word in EXTENSIONS {
        let Some(after) =
            rest.get(..word.len()).filter(|head| head.to_lowercase() == word).map(|_| &rest[word.len()..])
        else {
            continue;
        };
        let gap = skip(after, &[' ', '.', ':', '\u{a0}']);
        let digits = after[gap..].bytes().take(6).take_while(u8::is_ascii_digit).count();
        if gap <= 4 && (1..=5).contains(&digits) {
            return at + word.len() + gap + digits;
        }
    }
    end
}

#[cfg(test)]
mod tests;
