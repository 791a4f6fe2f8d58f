//! `--every`: how long an interval is, and when the next run starts.

use crate::error::CliError;
use std::time::{Duration, Instant};

/// Longest interval.
const MAX_INTERVAL: Duration = Duration::from_hours(366 * 24);

/// Reads `90s`, `30m`, `1h30m` or `1d`.
pub(super) fn parse_interval(text: &str) -> Result<Duration, CliError> {
    let expected = || CliError::usage("expected a time such as 90s, 30m, 1h or 1d, up to 366d");
    let mut seconds: u64 = 0;
    let mut number = String::new();
    for c in text.trim().chars() {
        let unit = match c {
            '0'..='9' => {
                number.push(c);
                continue;
            }
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            _ => return Err(expected()),
        };
        let count: u64 = std::mem::take(&mut number).parse().map_err(|_| expected())?;
        seconds = count.checked_mul(unit).and_then(|part| seconds.checked_add(part)).ok_or_else(expected)?;
    }
    let interval = Duration::from_secs(seconds);
    if !number.is_empty() || interval.is_zero() || interval > MAX_INTERVAL {
        return Err(expected());
    }
    Ok(interval)
}

/// When runs start: always a whole number of intervals after the first one, however long runs take.
pub(super) struct RunSchedule {
    interval: Duration,
    next: Instant,
}

impl RunSchedule {
    pub(super) fn new(interval: Duration, first: Instant) -> RunSchedule {
        RunSchedule { interval, next: first }
    }

    /// The start of the next run after `now`. Starts that were missed, because a run took longer, are skipped.
    pub(super) fn next_start(&mut self, now: Instant) -> Instant {
        let late = now.saturating_duration_since(self.next).as_nanos();
        let steps = late / self.interval.as_nanos() + 1;
        let step = self.interval.checked_mul(u32::try_from(steps).unwrap_or(u32::MAX));
        self.next += step.unwrap_or(self.interval);
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_read() {
        for (text, seconds) in [("90s", 90), ("30m", 1800), ("1h30m", 5400), ("1d", 86_400), (" 2h ", 7200)] {
            assert_eq!(parse_interval(text).unwrap(), Duration::from_secs(seconds), "{text}");
        }
        for wrong in ["", "5", "0s", "h", "1w", "1.5h", "-1h", "400d", "99999999999999999999d", "1h5", "٣h"]
        {
            assert!(parse_interval(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn starts_do_not_drift_and_missed_ones_are_skipped() {
        let (first, minute) = (Instant::now(), Duration::from_mins(1));
        let mut schedule = RunSchedule::new(minute, first);
        assert_eq!(schedule.next_start(first + Duration::from_secs(10)), first + minute);
        assert_eq!(schedule.next_start(first + Duration::from_secs(61)), first + 2 * minute);
        // a run of three and a half minutes
        assert_eq!(schedule.next_start(first + Duration::from_secs(330)), first + 6 * minute);
        assert_eq!(schedule.next_start(first + 6 * minute), first + 7 * minute);
    }
}
