//! Durations: "2h 15m", "45 minutes", "3 Std. 20 Min.", "1:23:45", "PT1H30M".
//!
//! In: a text. Out: [`Value::Duration`] matches in whole seconds. Parts in descending order ("1 hr 30 min")
//! are one match, the two ends of a range ("30-45 min") are two. A month is 30 days, a year 365. Letters that
//! mean something else alone ("45m", "5d", "30s") count only next to another part. "3 days ago" and
//! "3 years old" are a point in time and an age, not durations. Years are read in English only, because in
//! other languages they are mostly ages. O(length).

use super::date::is_time_of_day;
use super::measurements::{UnitTable, unit_table};
use super::recogniser::{CharacterScan, Recogniser, ValueMatch};
use super::word_match::{ends_word, prefix, skip_space, word_before};
use super::written_number::{WrittenNumber, decimal, next_number, number_at, range_end};
use crate::notation::Notation;
use crate::value::Value;
use crate::value_type::ValueType;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy)]
pub(super) struct DurationRecogniser;

/// Units of time. Those with `?` need another part next to them.
static DURATION_UNITS: UnitTable = unit_table!(&[
    (
        "s",
        "second|seconds|sec|secs|sec.|Sekunde|Sekunden|Sek|Sek.|seconde|secondes|segundo|segundos|\
            secondi|seconden",
    ),
    ("s", "sekunder|sekund|секунд|секунды|сек|сек.|saniye|秒|초|วินาที"),
    ("s?", "s|S"),
    (
        "m",
        "minute|minutes|min|mins|min.|mins.|Minute|Minuten|minuto|minutos|minuti|minuut|minuter|minut|\
            minuty",
    ),
    ("m", "minuta|минут|минуты|минута|мин|мин.|dakika|dk|dk.|分钟|分鐘|分間|분|นาที"),
    ("m?", "m|M|分|'"),
    (
        "h",
        "hour|hours|hr|Hr|hrs|hr.|hrs.|h|Stunde|Stunden|Std|Std.|heure|heures|hora|horas|ora|ore|uur|\
            uren|timme",
    ),
    (
        "h",
        "timmar|tim|tim.|timer|godz|godz.|godzin|godziny|godzina|час|часа|часов|ч|ч.|saat|小时|小時|時間|시간",
    ),
    ("h", "ชั่วโมง|ชม."),
    ("h?", "H"),
    (
        "d",
        "day|days|night|nights|Tag|Tage|Tagen|Nacht|Nächte|jour|jours|nuit|nuits|día|días|dia|dias|\
            noche|noches",
    ),
    (
        "d",
        "giorno|giorni|notte|notti|noites|dag|dagen|nachten|dagar|dni|dzień|день|дня|дней|ночей|gün|\
            gece|天|日間|วัน|คืน",
    ),
    ("d?", "d|D|T"),
    (
        "w",
        "week|weeks|wk|wks|Woche|Wochen|semaine|semaines|semana|semanas|settimana|settimane|weken|\
            vecka|veckor",
    ),
    ("w", "tydzień|tygodni|tygodnie|неделя|недели|недель|hafta|周|週間|주|สัปดาห์"),
    (
        "n",
        "month|months|mth|mths|Monat|Monate|Monaten|mois|mes|meses|mese|mesi|mês|maand|maanden|månad|\
            månader",
    ),
    ("n", "miesiąc|miesiące|miesięcy|месяц|месяца|месяцев|个月|個月|ヶ月|か月|개월|เดือน"),
    ("y", "year|years|yr|yrs"),
]);

impl Recogniser for DurationRecogniser {
    fn value_type(&self) -> ValueType {
        ValueType::Duration
    }

    fn may_match(&self, scan: CharacterScan) -> bool {
        scan.digit && (scan.letter || scan.colon)
    }

    fn find(&self, text: &str, notation: Notation, matches: &mut Vec<ValueMatch>) {
        let mut push = |span: Range<usize>, seconds: u64| {
            matches.push(ValueMatch {
                span,
                value_type: ValueType::Duration,
                value: Value::Duration(seconds),
            });
        };
        if let Some(seconds) = iso_duration(text) {
            let start = text.len() - text.trim_start().len();
            push(start..start + text.trim().len(), seconds);
            return;
        }
        let mut at = 0;
        while let Some(first) = next_number(text, at, notation) {
            at = first.span.end;
            if let Some((span, seconds)) = clock(text, &first, notation) {
                at = span.end;
                push(span, seconds);
                continue;
            }
            let second = range_end(text, &first, notation);
            let Some(found) = parts(text, second.as_ref().unwrap_or(&first)) else { continue };
            if found.seconds > 0 && !is_point(text, first.span.start, found.end) {
                if second.is_some() {
                    push(first.span.clone(), seconds(text, &first, found.unit));
                }
                let start = second.as_ref().unwrap_or(&first).span.start;
                push(start..found.end, found.seconds);
            }
            at = found.end;
        }
    }
}

/// A number and its unit, and the smaller parts that follow.
struct DurationParts {
    end: usize,
    seconds: u64,
    /// Length of the first unit in seconds.
    unit: u64,
}

/// A number of units in whole seconds. The result saturates.
fn seconds(text: &str, figure: &WrittenNumber, unit: u64) -> u64 {
    let value = match unit {
        // "1.500 hours" is rarely more than a thousand hours.
        _ if figure.value.contains('.') => figure.value.clone(),
        1..=59 => figure.value.clone(),
        _ => decimal(&text[figure.span.clone()]).unwrap_or_else(|| figure.value.clone()),
    };
    let value: f64 = value.parse().unwrap_or(0.0);
    (value * unit as f64).round() as u64
}

/// The length of a unit in seconds.
fn unit_seconds(unit: &str) -> u64 {
    match unit.trim_end_matches('?') {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        "n" => 30 * 86_400,
        _ => 365 * 86_400,
    }
}

/// The parts that start with a number. Each unit is smaller than the one before.
fn parts(text: &str, first: &WrittenNumber) -> Option<DurationParts> {
    let (mut end, unit) = unit_after(text, first.span.end)?;
    let mut sure = !unit.ends_with('?');
    let first_length = unit_seconds(unit);
    let mut last = first_length;
    let mut total = seconds(text, first, last);
    let mut count = 1;
    while last > 1 {
        let start = skip_space(text, skip_and(text, end));
        let Some(next) = number_at(text, start, Notation::default()) else { break };
        let (next_end, next_length) = match unit_after(text, next.span.end) {
            Some((next_end, unit)) if unit_seconds(unit) < last => {
                sure |= !unit.ends_with('?');
                (next_end, unit_seconds(unit))
            }
            // "2h15"
            None if last == 3600 && start == end && next.span.len() == 2 => (next.span.end, 60),
            _ => break,
        };
        total = total.saturating_add(seconds(text, &next, next_length));
        end = next_end;
        last = next_length;
        count += 1;
    }
    // "5m 30s" and "2d 4h" are durations, "5m" and "30s" alone are not.
    (sure || count > 1).then_some(DurationParts { end, seconds: total, unit: first_length })
}

/// The unit after a number. In "2h15m" the next number follows without a space.
fn unit_after(text: &str, at: usize) -> Option<(usize, &'static str)> {
    DURATION_UNITS.after(text, at).or_else(|| {
        let &[letter, b'0'..=b'9', ..] = &text.as_bytes()[at..] else { return None };
        let unit = match letter {
            b'h' | b'H' => "h?",
            b'm' | b'M' => "m?",
            b'd' | b'D' => "d?",
            _ => return None,
        };
        Some((at + 1, unit))
    })
}

/// Where a comma or a word for "and" between two parts ends.
fn skip_and(text: &str, at: usize) -> usize {
    let at = at + usize::from(text[at..].starts_with(['.', ',']));
    let start = skip_space(text, at);
    let rest = &text[start..];
    let words = ["and", "und", "et", "y", "e", "en", "och", "i", "и", "ve", "&"];
    let len =
        words.iter().find_map(|word| prefix(rest, word, true).filter(|&len| ends_word(word, &rest[len..])));
    len.map_or(at, |len| start + len)
}

/// True if the words around it make it a point in time or an age: "3 days ago", "vor 3 Tagen", "3 years old".
fn is_point(text: &str, start: usize, end: usize) -> bool {
    const AFTER_POINTS: &[&str] = &[
        "ago",
        "old",
        "geleden",
        "sedan",
        "siden",
        "temu",
        "назад",
        "fa",
        "atrás",
        "önce",
        "前",
        "전",
        "ที่แล้ว",
        "alt",
    ];
    const BEFORE_POINTS: &[&str] = &["vor", "il y a", "hace", "há"];
    let rest = text[end..].trim_start_matches('.').trim_start();
    let before = text[..start].trim_end();
    AFTER_POINTS.iter().any(|word| prefix(rest, word, true).is_some_and(|len| ends_word(word, &rest[len..])))
        || word_before(before, BEFORE_POINTS).is_some()
}

/// "1:23:45", and "4:05" after a word such as "duration", or alone if it is not a time of day.
fn clock(text: &str, first: &WrittenNumber, notation: Notation) -> Option<(Range<usize>, u64)> {
    let mut end = first.span.end;
    let mut fields: Vec<u64> = vec![text[first.span.clone()].parse().ok().filter(|&field| field < 1000)?];
    while let Some(rest) = text[end..].strip_prefix(':') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let field = rest[..digits].parse().ok().filter(|&field: &u64| digits == 2 && field < 60)?;
        fields.push(field);
        end += 1 + digits;
    }
    let after = text[end..].trim_start();
    let of_day = ["am", "pm", "a.m", "p.m", "uhr", "z", "gmt", "utc"];
    let goes_on = text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '+' | '.' | ','));
    if goes_on
        || of_day
            .iter()
            .any(|word| prefix(after, word, true).is_some_and(|len| ends_word(word, &after[len..])))
    {
        return None;
    }
    let dated =
        text[..first.span.start].trim_end().ends_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | ','));
    let hours = DURATION_UNITS.after(text, end).filter(|(_, unit)| *unit == "h");
    let is_whole = text[..first.span.start].trim().is_empty() && after.is_empty();
    let hour = (fields[0] as u32, first.span.len());
    match fields[..] {
        [_, m, s] if is_whole && is_time_of_day(notation, hour, m as u32, Some(s as u32)) => None,
        [m, s] if is_whole && !is_time_of_day(notation, hour, s as u32, None) => {
            Some((first.span.start..end, m * 60 + s))
        }
        [h, m, s] if !dated => Some((first.span.start..end, h * 3600 + m * 60 + s)),
        [h, m] if hours.is_some() => Some((first.span.start..hours?.0, h * 3600 + m * 60)),
        [m, s] if is_named_duration(&text[..first.span.start]) => Some((first.span.start..end, m * 60 + s)),
        _ => None,
    }
}

/// True if a word such as "duration" precedes.
fn is_named_duration(before: &str) -> bool {
    const DURATION_WORDS: &str = "\
    duration length runtime time dauer länge laufzeit durée duración durata duração duur speelduur längd \
    trwania длительность süre 时长 時間";
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '：'));
    let letters =
        before.chars().rev().take(16).take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>();
    let word = before[before.len() - letters..].to_lowercase();
    DURATION_WORDS.split_whitespace().any(|entry| entry == word)
}

/// A whole text in ISO 8601 form.
fn iso_duration(text: &str) -> Option<u64> {
    static ISO_DURATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let date = "(?:([0-9]{1,6})Y)?(?:([0-9]{1,6})M)?(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?";
        let time = "(?:([0-9]{1,6})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,9})(?:[.][0-9]+)?S)?";
        Regex::new(&format!("^P{date}(?:T{time})?$")).ok()
    });
    let text = text.trim();
    if !text.starts_with('P') || text.len() < 3 || text.len() > 60 {
        return None;
    }
    let found = ISO_DURATION.as_ref()?.captures(text)?;
    let units = ["y", "n", "w", "d", "h", "m", "s"];
    let fields = units.iter().enumerate().filter_map(|(at, unit)| {
        let field: u64 = found.get(at + 1)?.as_str().parse().ok()?;
        Some(field * unit_seconds(unit))
    });
    let fields: Vec<u64> = fields.collect();
    (!fields.is_empty()).then(|| fields.iter().sum())
}

#[cfg(test)]
mod tests;
