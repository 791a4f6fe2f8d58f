//! When to retry: exponential backoff with jitter, or the delay that the server asks for in `Retry-After`.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// The delay before retry number `attempt` (from 0). Returns `None` if the server asks for more than
/// `longest`.
pub(crate) fn delay(
    attempt: u32,
    first: Duration,
    longest: Duration,
    retry_after: Option<&str>,
) -> Option<Duration> {
    let doubled = first.saturating_mul(2_u32.saturating_pow(attempt));
    let own = doubled.mul_f32(0.5 + jitter()).min(longest);
    match retry_after.and_then(|value| parse_retry_after(value, SystemTime::now())) {
        Some(requested) if requested > longest => None,
        Some(requested) => Some(requested.max(own)),
        None => Some(own),
    }
}

/// A `Retry-After` value: seconds or a date.
fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

/// A random number from 0 to 1. The standard library's hash keys are random, which is enough here and saves a
/// dependency.
fn jitter() -> f32 {
    (RandomState::new().hash_one(0) % 1000) as f32 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(parse_retry_after(" 120 ", now), Some(Duration::from_mins(2)));
        assert_eq!(parse_retry_after("Sun, 06 Nov 1994 08:50:07 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(parse_retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(parse_retry_after("99999999999999999999", now), Some(Duration::from_secs(u64::MAX)));
        for invalid in ["soon", "", "-1"] {
            assert_eq!(parse_retry_after(invalid, now), None, "{invalid}");
        }
    }

    #[test]
    fn delays_double_and_are_bounded() {
        let second = Duration::from_secs(1);
        for attempt in 0..40 {
            let delay = delay(attempt, second, second * 60, None).unwrap();
            assert!(delay <= second * 60 && delay >= (second / 2) * 2_u32.pow(attempt.min(5)));
        }
        assert_eq!(delay(0, second, second * 60, Some("61")), None);
        assert_eq!(delay(0, second, second * 60, Some("60")), Some(second * 60));
    }
}
