//! Parses robots.txt (RFC 9309). Bytes go in, the rules for one robot come out. Checking a path costs
//! O(rules × path).
//!
//! Groups for the same robot are merged. The longest matching rule decides, and `Allow` wins a tie. `*` and
//! `$` are wildcards. Paths are compared after their percent-encoding is normalised. If no group names the
//! robot, the group for `*` applies. `Crawl-delay` is read too, although it is not part of the standard.
//!
//! This module depends only on the standard library, so that it can be fuzzed alone.

use std::time::Duration;

/// Bytes of a file that are read.
pub(crate) const MAX_ROBOTS_BYTES: usize = 500 * 1024;

/// What one robot may fetch from one host.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RobotsRules {
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq)]
struct PathRule {
    allow: bool,
    /// The literal parts between the wildcards.
    parts: Vec<String>,
    /// The pattern ends with `$`: the last part must end the path.
    anchored: bool,
    /// Length of the pattern. The longest match is the most specific one.
    length: usize,
}

impl RobotsRules {
    /// The rules for the robot with the product token `name` (its name without a version).
    pub(crate) fn parse(bytes: &[u8], name: &str) -> Self {
        let text = String::from_utf8_lossy(whole_lines(bytes));
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let (mut own, mut any) = (Self::default(), Self::default());
        let (mut own_found, mut for_own, mut for_any, mut in_rules) = (false, false, false, false);
        for line in text.split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim(), value.trim());
            if key.eq_ignore_ascii_case("user-agent") {
                if in_rules {
                    (for_own, for_any, in_rules) = (false, false, false);
                }
                let token = product_token(value);
                for_any |= value.split_whitespace().next() == Some("*");
                if !token.is_empty() && token.eq_ignore_ascii_case(name) {
                    (for_own, own_found) = (true, true);
                }
                continue;
            }
            let allow = key.eq_ignore_ascii_case("allow");
            let delay = key.eq_ignore_ascii_case("crawl-delay");
            if !allow && !delay && !key.eq_ignore_ascii_case("disallow") {
                continue;
            }
            in_rules = true;
            for robots in [for_own.then_some(&mut own), for_any.then_some(&mut any)].into_iter().flatten() {
                if delay {
                    robots.crawl_delay = robots.crawl_delay.max(seconds(value));
                } else if !value.is_empty() {
                    robots.rules.push(PathRule::new(allow, value));
                }
            }
        }
        if own_found { own } else { any }
    }

    /// True if `path` (with its query) may be fetched.
    pub(crate) fn allows(&self, path: &str) -> bool {
        let path = normalise_encoding(path);
        if path == "/robots.txt" {
            return true;
        }
        let matching = self.rules.iter().filter(|rule| rule.matches(&path));
        matching.max_by_key(|rule| (rule.length, rule.allow)).is_none_or(|rule| rule.allow)
    }

    /// The delay between requests that the file asks for.
    pub(crate) fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }
}

impl PathRule {
    fn new(allow: bool, pattern: &str) -> Self {
        let pattern = normalise_encoding(pattern);
        let (body, anchored) = match pattern.strip_suffix('$') {
            Some(body) => (body, true),
            None => (pattern.as_str(), false),
        };
        let parts = body.split('*').map(str::to_owned).collect();
        Self { allow, parts, anchored, length: pattern.len() }
    }

    /// The first part must begin the path, and each other part is matched at its first occurrence. If any
    /// choice of positions matches, this one does. O(path + pattern).
    fn matches(&self, path: &str) -> bool {
        let Some((first, others)) = self.parts.split_first() else { return true };
        let Some(mut rest) = path.strip_prefix(first.as_str()) else { return false };
        let Some((last, middle)) = others.split_last() else { return !self.anchored || rest.is_empty() };
        for part in middle {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        if self.anchored { rest.ends_with(last.as_str()) } else { rest.contains(last.as_str()) }
    }
}

/// The part of the file that is read. A line cut at the limit is dropped, because half a rule could mean
/// something else.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let Some(within_limit) = bytes.get(..MAX_ROBOTS_BYTES) else { return bytes };
    let end = within_limit.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    &within_limit[..end.unwrap_or_default()]
}

/// The name at the start of a user agent: letters, `-` and `_`.
pub(crate) fn product_token(value: &str) -> &str {
    let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').unwrap_or(value.len());
    &value[..end]
}

fn seconds(value: &str) -> Option<Duration> {
    value.parse().ok().and_then(|seconds| Duration::try_from_secs_f32(seconds).ok())
}

/// Normalises percent-encoding, so that `%7e` equals `~` and `ä` equals `%c3%a4`: unreserved characters are
/// decoded, all others are encoded with upper-case digits.
fn normalise_encoding(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = String::with_capacity(path.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |offset: usize| bytes.get(at + offset).and_then(|byte| char::from(*byte).to_digit(16));
        let (byte, encoded, width) = match (bytes[at], hex(1), hex(2)) {
            (b'%', Some(high), Some(low)) => ((high * 16 + low) as u8, true, 3),
            (byte, ..) => (byte, false, 1),
        };
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if plain || (!encoded && byte.is_ascii_graphic()) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        at += width;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last group are for the same robot.
    const THREE_GROUPS: &str = "user-agent: copal\ndisallow: /a\n\nuser-agent: b\ndisallow: /b\n\n\
        user-agent: copal\ndisallow: /c";

    fn allows(text: &str, path: &str) -> bool {
        RobotsRules::parse(text.as_bytes(), "copal").allows(path)
    }

    /// Based on the cases of Google's open-source parser and of RFC 9309.
    #[test]
    fn standard_cases() {
        let cases: &[(&str, &str, bool)] = &[
            ("", "/x", true),
            ("user-agent: copal\ndisallow: /\n", "/x", false),
            ("user-agent: copal\ndisallow: /\n", "/robots.txt", true),
            ("USER-AGENT: CoPaL\nDISALLOW: /x", "/x/y", false),
            ("foo: copal\nbar: /\n", "/x", true),
            ("user-agent: other\ndisallow: /", "/x", true),
            ("user-agent: *\ndisallow: /", "/x", false),
            ("user-agent: *\ndisallow: /\nuser-agent: copal\ndisallow: /y", "/x", true),
            ("user-agent: *\ndisallow: /\nuser-agent: copal\n", "/x", true),
            (THREE_GROUPS, "/c", false),
            (THREE_GROUPS, "/a", false),
            (THREE_GROUPS, "/b", true),
            ("user-agent: a\nuser-agent: copal\ndisallow: /x", "/x", false),
            ("user-agent: a\n\n\nuser-agent: copal\n\ndisallow: /x", "/x", false),
            ("user-agent: a\nsitemap: https://x/\nuser-agent: copal\ndisallow: /x", "/x", false),
            ("disallow: /x\nuser-agent: copal\ndisallow: /y", "/x", true),
            ("user-agent: copal/1.0\ndisallow: /x", "/x", false),
            ("user-agent: copal bot\ndisallow: /x", "/x", false),
            ("user-agent: copalbot\ndisallow: /x", "/x", true),
            ("user-agent: cop\ndisallow: /x", "/x", true),
            ("user-agent: *bot\ndisallow: /x", "/x", true),
            ("user-agent: * bot\ndisallow: /x", "/x", false),
            ("\u{feff}user-agent: copal\ndisallow: /x", "/x", false),
            ("user-agent: copal\rdisallow: /x\r", "/x", false),
            ("user-agent: copal # us\r\ndisallow: /x # that\r\n", "/x", false),
            ("user-agent : copal\ndisallow : /x", "/x", false),
            ("user-agent: copal\ndisallow:", "/x", true),
            ("user-agent: copal\ndisallow: /x/page.html\nallow: /x/", "/x/page.html", false),
            ("user-agent: copal\nallow: /x/page.html\ndisallow: /x/", "/x/page.html", true),
            ("user-agent: copal\nallow: /x/page.html\ndisallow: /x/", "/x/", false),
            ("user-agent: copal\ndisallow: /x\nallow: /x", "/x", true),
            ("user-agent: copal\ndisallow: /\nallow: /$", "/", true),
            ("user-agent: copal\ndisallow: /\nallow: /$", "/page", false),
            ("user-agent: copal\ndisallow: /*.html", "/a/b.html?c", false),
            ("user-agent: copal\ndisallow: /*.html$", "/a/b.html?c", true),
            ("user-agent: copal\ndisallow: /*.html$", "/a.html/b.html", false),
            ("user-agent: copal\ndisallow: /a*a$", "/a", true),
            ("user-agent: copal\ndisallow: /a*b*c", "/axxbxxc", false),
            ("user-agent: copal\ndisallow: /a*b*c", "/acb", true),
            ("user-agent: copal\ndisallow: *", "/x", false),
            ("user-agent: copal\ndisallow: /*?", "/x?y", false),
            ("user-agent: copal\ndisallow: /*?", "/x", true),
            ("user-agent: copal\ndisallow: /X", "/x", true),
            ("user-agent: copal\ndisallow: /ä", "/%C3%A4", false),
            ("user-agent: copal\ndisallow: /%c3%a4", "/ä", false),
            ("user-agent: copal\ndisallow: /~x", "/%7Ex", false),
            ("user-agent: copal\ndisallow: /%7ex", "/~x", false),
            ("user-agent: copal\ndisallow: /a%2Fb", "/a/b", true),
            ("user-agent: copal\ndisallow: /a%2fb", "/a%2Fb", false),
            ("user-agent: copal\ndisallow: x", "/x", true),
            ("<html><body>user-agent: *</body>", "/x", true),
        ];
        for (text, path, allowed) in cases {
            assert_eq!(allows(text, path), *allowed, "{text:?} {path}");
        }
    }

    #[test]
    fn crawl_delay_belongs_to_its_group() {
        let text = b"user-agent: *\ncrawl-delay: 9\n\
            user-agent: copal\nuser-agent: b\ncrawl-delay: 2.5\ndisallow: /x";
        let robots = RobotsRules::parse(text, "copal");
        assert_eq!((robots.crawl_delay(), robots.allows("/x")), (Some(Duration::from_millis(2500)), false));
        assert_eq!(RobotsRules::parse(text, "c").crawl_delay(), Some(Duration::from_secs(9)));
        for wrong in ["-1", "NaN", "inf", "soon", "1e40"] {
            assert_eq!(
                RobotsRules::parse(format!("user-agent: *\ncrawl-delay: {wrong}").as_bytes(), "c")
                    .crawl_delay(),
                None
            );
        }
    }

    #[test]
    fn many_rules_and_wildcards_are_cheap() {
        let text = "user-agent: *\n".to_owned() + &"disallow: /a*a*a*a*a*a*a*a*b\n".repeat(20_000);
        assert!(allows(&text, &("/".to_owned() + &"a".repeat(8000))));
        let text = "user-agent: *\ndisallow: /".to_owned() + &"*a".repeat(200_000);
        assert!(!allows(&text, &("/".to_owned() + &"a".repeat(300_000))));
    }

    #[test]
    fn rules_beyond_the_size_limit_are_ignored() {
        let text = "user-agent: *\n".to_owned() + &"#".repeat(MAX_ROBOTS_BYTES) + "\ndisallow: /x";
        assert!(allows(&text, "/x"));
    }
}
