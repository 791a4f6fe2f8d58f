//! When to ask again: back-off that doubles, with jitter, or what the server says in `Retry-After`.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// The pause before try number `attempt` (from 0); none if the server wants a longer one than `longest`.
pub(crate) fn pause(
    attempt: u32,
    first: Duration,
    longest: Duration,
    retry_after: Option<&str>,
) -> Option<Duration> {
    let doubled = first.saturating_mul(2_u32.saturating_pow(attempt));
    let own = doubled.mul_f32(0.5 + jitter()).min(longest);
    match retry_after.and_then(|value| read(value, SystemTime::now())) {
        Some(asked) if asked > longest => None,
        Some(asked) => Some(asked.max(own)),
        None => Some(own),
    }
}

/// Seconds, or a date.
fn read(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

/// From 0 to 1. Hash keys of the standard library are random, which is all that is needed here.
fn jitter() -> f32 {
    (RandomState::new().hash_one(0) % 1000) as f32 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(read(" 120 ", now), Some(Duration::from_secs(120)));
        assert_eq!(read("Sun, 06 Nov 1994 08:50:07 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(read("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(read("99999999999999999999", now), Some(Duration::from_secs(u64::MAX)));
        assert_eq!((read("soon", now), read("", now), read("-1", now)), (None, None, None));
    }

    #[test]
    fn pauses_double_and_are_bounded() {
        let second = Duration::from_secs(1);
        for attempt in 0..40 {
            let pause = pause(attempt, second, second * 60, None).unwrap();
            assert!(pause <= second * 60 && pause >= (second / 2) * 2_u32.pow(attempt.min(5)));
        }
        assert_eq!(pause(0, second, second * 60, Some("61")), None);
        assert_eq!(pause(0, second, second * 60, Some("60")), Some(second * 60));
    }
}
