//! Timestamps in ISO 8601 and UTC, to the second: `2026-11-16T09:30:00Z`.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current time.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format_seconds(since.as_secs())
}

/// Seconds since 1970 as a timestamp (Howard Hinnant's `civil_from_days`: a year that begins in March has its
/// leap day at its end).
fn format_seconds(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::format_seconds;

    #[test]
    fn timestamps_at_the_ends_of_months_and_years() {
        assert_eq!(format_seconds(0), "1970-01-01T00:00:00Z");
        assert_eq!(format_seconds(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(format_seconds(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(format_seconds(1_709_251_200), "2024-03-01T00:00:00Z");
        assert_eq!(format_seconds(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
