//! Whether `2:24` is a time of day or a duration, decided for a column.
//!
//! In: the texts of a column. Out: a [`ClockMeaning`], or nothing if the column is not made of such texts.
//! Durations have any number of seconds, and their first number may be above 23. Times of day are mostly at
//! round minutes, or they are sorted: timetables are. O(text).

use crate::notation::ClockMeaning;

/// Fewer texts may be sorted by chance.
const MIN_SORTED_CLOCKS: usize = 4;
/// Fewer texts may be sorted by chance if the list is allowed to pass midnight.
const MIN_CLOCKS_AROUND_MIDNIGHT: usize = 8;

/// Decides about a column of texts such as `2:24` and `1:02:24`. Half of its texts must have this form and
/// nothing else.
///
/// ```
/// use copal_values::columns::clock_meaning::clock_meaning;
/// use copal_values::notation::ClockMeaning;
/// assert_eq!(clock_meaning(["2:24", "3:07", "12:41"]), Some(ClockMeaning::Duration));
/// assert_eq!(clock_meaning(["9:30", "14:00", "7:45"]), Some(ClockMeaning::TimeOfDay));
/// assert_eq!(clock_meaning(["lamp", "2:24", "9:30 am"]), None);
/// ```
pub fn clock_meaning<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<ClockMeaning> {
    let mut all = 0;
    let mut clocks: Vec<WrittenClock> = Vec::new();
    for text in texts {
        all += 1;
        clocks.extend(WrittenClock::of(text.trim()));
    }
    if clocks.is_empty() || 2 * clocks.len() < all {
        return None;
    }
    let has = |test: fn(&WrittenClock) -> bool| clocks.iter().filter(|clock| test(clock)).count();
    let beyond_a_day = has(|clock| clock.numbers[0] > 23);
    // 0:45, but 00:45 is also a quarter to one
    let zero = has(|clock| clock.numbers[0] == 0 && !clock.padded);
    if beyond_a_day + zero > 0 {
        return Some(ClockMeaning::Duration);
    }
    let keys: Vec<[u32; 3]> = clocks.iter().map(|clock| clock.numbers).collect();
    let turns = keys.windows(2).filter(|pair| pair[0] > pair[1]).count();
    let distinct = keys.windows(2).filter(|pair| pair[0] != pair[1]).count() + 1;
    // a timetable may pass midnight once
    let enough = if turns == 0 { MIN_SORTED_CLOCKS } else { MIN_CLOCKS_AROUND_MIDNIGHT };
    let is_timetable = distinct >= enough && turns <= 1 && has(|clock| clock.padded) == clocks.len();
    let with_seconds = has(|clock| clock.seconds);
    let round = has(|clock| !clock.seconds && clock.numbers[1].is_multiple_of(5));
    let padded = has(|clock| clock.padded);
    let is_time = if with_seconds > 0 {
        // 14:05:33 in a log, 1:02:24 of a film
        padded == clocks.len() && is_timetable
    } else {
        is_timetable || 10 * round >= 7 * clocks.len() || (padded == clocks.len() && clocks.len() == 1)
    };
    Some(if is_time { ClockMeaning::TimeOfDay } else { ClockMeaning::Duration })
}

/// Two or three numbers with colons between them.
struct WrittenClock {
    numbers: [u32; 3],
    seconds: bool,
    /// The first number has two digits.
    padded: bool,
}

impl WrittenClock {
    /// The clock that is the whole text.
    fn of(text: &str) -> Option<WrittenClock> {
        let fields: Vec<&str> = text.split(':').collect();
        let is_number =
            |field: &&str| (1..=3).contains(&field.len()) && field.bytes().all(|b| b.is_ascii_digit());
        if !(2..=3).contains(&fields.len()) || !fields.iter().all(is_number) {
            return None;
        }
        let mut numbers = [0; 3];
        for (number, field) in numbers.iter_mut().zip(&fields) {
            *number = field.parse().ok()?;
        }
        let fits = fields[1..].iter().all(|field| field.len() == 2) && numbers[1] < 60 && numbers[2] < 60;
        fits.then(|| WrittenClock { numbers, seconds: fields.len() == 3, padded: fields[0].len() > 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_column_decides() {
        use ClockMeaning::{Duration, TimeOfDay};
        for (texts, want) in [
            (&["2:24"][..], Some(Duration)),
            (&["14:05"], Some(TimeOfDay)),
            (&["9:30"], Some(TimeOfDay)),
            (&["0:45", "2:30", "3:00"], Some(Duration)),
            (&["03:41", "04:12", "02:58", "03:33"], Some(Duration)),
            (&["05:58", "06:13", "06:41", "07:02"], Some(TimeOfDay)),
            (&["1:23:45", "2:05", "58:10"], Some(Duration)),
            (&["14:05:33", "14:05:35", "14:06:01", "14:07:12"], Some(TimeOfDay)),
            (&["2:1", "2:61", "1:2:3:4", "a:b"], None),
            (&[], None),
        ] {
            assert_eq!(clock_meaning(texts.iter().copied()), want, "{texts:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_safe(texts in prop::collection::vec("[0-9:. ]{0,9}|.*", 0..5)) {
            clock_meaning(texts.iter().map(String::as_str));
        }
    }
}
