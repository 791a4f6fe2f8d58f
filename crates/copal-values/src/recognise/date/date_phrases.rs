//! Date phrases, and the tables of scripts without spaces between words.
//!
//! In: the rest of a text. Out: the phrase, unit or month at its start. The tables have a fixed size.

/// Phrases, and words of scripts without spaces between words.
pub(super) const PHRASES: &[(&str, DatePhrase)] = &[
    ("just now", DatePhrase::Now),
    ("gerade eben", DatePhrase::Now),
    ("soeben", DatePhrase::Now),
    ("à l'instant", DatePhrase::Now),
    ("à l’instant", DatePhrase::Now),
    ("ahora mismo", DatePhrase::Now),
    ("agora mesmo", DatePhrase::Now),
    ("только что", DatePhrase::Now),
    ("щойно", DatePhrase::Now),
    ("az önce", DatePhrase::Now),
    ("zojuist", DatePhrase::Now),
    ("przed chwilą", DatePhrase::Now),
    ("just nu", DatePhrase::Now),
    ("proprio ora", DatePhrase::Now),
    ("刚刚", DatePhrase::Now),
    ("剛剛", DatePhrase::Now),
    ("たった今", DatePhrase::Now),
    ("방금", DatePhrase::Now),
    ("เมื่อสักครู่", DatePhrase::Now),
    ("vừa xong", DatePhrase::Now),
    ("il y a", DatePhrase::Since),
    ("daqui a", DatePhrase::Until),
    ("dentro de", DatePhrase::Until),
    ("πριν από", DatePhrase::Since),
    ("aujourd'hui", DatePhrase::Day(0)),
    ("aujourd’hui", DatePhrase::Day(0)),
    ("i går", DatePhrase::Day(-1)),
    ("i dag", DatePhrase::Day(0)),
    ("i morgon", DatePhrase::Day(1)),
    ("i morgen", DatePhrase::Day(1)),
    ("hôm qua", DatePhrase::Day(-1)),
    ("hôm nay", DatePhrase::Day(0)),
    ("ngày mai", DatePhrase::Day(1)),
    ("hari ini", DatePhrase::Day(0)),
    ("昨天", DatePhrase::Day(-1)),
    ("今天", DatePhrase::Day(0)),
    ("明天", DatePhrase::Day(1)),
    ("前天", DatePhrase::Day(-2)),
    ("昨日", DatePhrase::Day(-1)),
    ("今日", DatePhrase::Day(0)),
    ("明日", DatePhrase::Day(1)),
    ("어제", DatePhrase::Day(-1)),
    ("오늘", DatePhrase::Day(0)),
    ("내일", DatePhrase::Day(1)),
    ("เมื่อวาน", DatePhrase::Day(-1)),
    ("วันนี้", DatePhrase::Day(0)),
    ("พรุ่งนี้", DatePhrase::Day(1)),
];
/// Units in scripts without spaces. A unit comes before those that are its prefix.
pub(super) const UNSPACED_UNITS: &[(&str, &str)] = &[
    ("小时", "hour"),
    ("小時", "hour"),
    ("個小時", "hour"),
    ("个小时", "hour"),
    ("時間", "hour"),
    ("分钟", "minute"),
    ("分鐘", "minute"),
    ("分", "minute"),
    ("秒", "second"),
    ("天", "day"),
    ("日", "day"),
    ("周", "week"),
    ("週間", "week"),
    ("週", "week"),
    ("个月", "month"),
    ("個月", "month"),
    ("か月", "month"),
    ("ヶ月", "month"),
    ("ヵ月", "month"),
    ("カ月", "month"),
    ("年", "year"),
    ("초", "second"),
    ("분", "minute"),
    ("시간", "hour"),
    ("일", "day"),
    ("주", "week"),
    ("개월", "month"),
    ("달", "month"),
    ("년", "year"),
    ("วินาที", "second"),
    ("นาที", "minute"),
    ("ชั่วโมง", "hour"),
    ("ชม.", "hour"),
    ("วัน", "day"),
    ("สัปดาห์", "week"),
    ("อาทิตย์", "week"),
    ("เดือน", "month"),
    ("ปี", "year"),
];
/// What follows such a unit, and the sign of the offset.
pub(super) const UNSPACED_AGO: &[(&str, i64)] = &[
    ("前", -1),
    ("之前", -1),
    ("以前", -1),
    ("后", 1),
    ("後", 1),
    ("전", -1),
    ("후", 1),
    ("뒤", 1),
    ("ที่แล้ว", -1),
    ("ที่ผ่านมา", -1),
    ("ก่อน", -1),
    ("มาแล้ว", -1),
];
/// The short names of the months in Thai.
pub(super) const THAI_MONTHS: [&str; 12] =
    ["ม.ค.", "ก.พ.", "มี.ค.", "เม.ย.", "พ.ค.", "มิ.ย.", "ก.ค.", "ส.ค.", "ก.ย.", "ต.ค.", "พ.ย.", "ธ.ค."];

/// What a phrase means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DatePhrase {
    /// This minute.
    Now,
    /// This many days from today.
    Day(i8),
    /// An offset into the past follows.
    Since,
    /// An offset into the future follows.
    Until,
}

/// The length of the phrase at the start of the text, in any letter case.
pub(super) fn phrase_length(text: &str, phrase: &str) -> Option<usize> {
    let mut chars = text.chars();
    let mut len = 0;
    for want in phrase.chars() {
        let c = chars.next()?;
        let same =
            c == want || (want == ' ' && c.is_whitespace()) || c.to_lowercase().eq(std::iter::once(want));
        if !same {
            return None;
        }
        len += c.len_utf8();
    }
    Some(len)
}
