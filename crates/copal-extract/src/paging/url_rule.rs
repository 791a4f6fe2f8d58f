//! The rule for the URLs of successive pages.
//!
//! In: two or three URLs in the order of their pages. Out: [`UrlRule`], which generates the others: `page=2`,
//! `page=3`; `start=20`, `start=40`; `/page/2`; `list-2.html`; also several numbers that move together
//! (`from=21&to=40`). The URL of the first page may lack the number; then that of the second page shows where
//! counting starts. O(length of the URLs).

use copal_dom::url::without_fragment;

/// Maximum length of a URL.
const MAX_NEXT_URL_BYTES: usize = 2000;
/// Maximum number of numbers in a URL.
const MAX_URL_NUMBERS: usize = 24;
/// Maximum number of numbers that move together.
const MAX_MOVING_NUMBERS: usize = 3;
/// Maximum step between pages: page sizes are smaller, and the ids of unrelated pages are further apart.
const MAX_URL_STEP: u64 = 1000;

/// How the URLs of a list's pages are formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRule {
    /// The URL of the first page, if it is not formed like the others.
    base: Option<String>,
    /// The texts around the moving numbers: one more than there are numbers.
    texts: Vec<String>,
    numbers: Vec<MovingNumber>,
    /// How many URLs the rule was learned from.
    learned: u64,
}

/// A number that changes by the same step from page to page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MovingNumber {
    /// Its value on the first page.
    first: u64,
    step: u64,
    /// Its minimum number of digits (`01`, `02`).
    width: usize,
}

/// Learns the rule of URLs that are in the order of their pages. `None` if they do not follow a rule.
pub fn learn_url_rule(urls: &[&str]) -> Option<UrlRule> {
    let urls: Vec<&str> = urls.iter().map(|url| without_fragment(url)).collect();
    if urls.len() < 2 || urls.iter().any(|url| url.len() > MAX_NEXT_URL_BYTES) {
        return None;
    }
    let learned = urls.len() as u64;
    let cuts: Vec<Vec<UrlPiece<'_>>> = urls.iter().map(|url| split_at_digits(url)).collect();
    if let Some((texts, numbers)) = moving(&cuts) {
        return Some(UrlRule { base: None, texts, numbers, learned });
    }
    // if the first page has the number too, but not one step before the second, there is no rule
    let alike = |a: &[UrlPiece<'_>], b: &[UrlPiece<'_>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || a.0 && b.0)
    };
    if alike(&cuts[0], &cuts[1]) {
        return None;
    }
    let base = Some(urls[0].to_owned());
    let (texts, numbers) = if urls.len() == 2 {
        added(urls[0], urls[1])?
    } else {
        let (texts, mut numbers) = moving(&cuts[1..])?;
        for number in &mut numbers {
            number.first = number.first.checked_sub(number.step)?;
        }
        (texts, numbers)
    };
    Some(UrlRule { base, texts, numbers, learned })
}

impl UrlRule {
    /// The URL `k` pages after the first one that the rule was learned from. `None` if the number overflows.
    pub fn nth(&self, k: u64) -> Option<String> {
        if k == 0
            && let Some(base) = &self.base
        {
            return Some(base.clone());
        }
        let mut url = self.texts[0].clone();
        for (number, text) in self.numbers.iter().zip(&self.texts[1..]) {
            let value = number.step.checked_mul(k)?.checked_add(number.first)?;
            url.push_str(&format!("{value:0width$}", width = number.width));
            url.push_str(text);
        }
        Some(url)
    }

    /// By how much each moving number grows from page to page.
    pub fn steps(&self) -> impl Iterator<Item = u64> + '_ {
        self.numbers.iter().map(|number| number.step)
    }

    /// How many pages a URL is after the first one.
    pub fn position(&self, url: &str) -> Option<u64> {
        let url = without_fragment(url);
        if self.base.as_deref() == Some(url) {
            return Some(0);
        }
        let rest = url.strip_prefix(self.texts[0].as_str())?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let value: u64 = rest[..digits].parse().ok()?;
        let number = &self.numbers[0];
        let offset = value.checked_sub(number.first)?;
        let k = offset / number.step;
        (offset % number.step == 0 && self.nth(k).as_deref() == Some(url)).then_some(k)
    }

    /// True if a URL is the one that follows those that the rule was learned from.
    pub fn check(&self, url: &str) -> bool {
        self.position(url) == Some(self.learned)
    }
}

/// A run of digits (true) or a text between two such runs (false).
type UrlPiece<'a> = (bool, &'a str);

/// Splits a URL into runs of digits and the texts between them.
fn split_at_digits(url: &str) -> Vec<UrlPiece<'_>> {
    let mut pieces = Vec::new();
    let bytes = url.as_bytes();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let digit = bytes[start].is_ascii_digit();
        if at == bytes.len() || bytes[at].is_ascii_digit() != digit {
            pieces.push((digit, &url[start..at]));
            start = at;
        }
    }
    pieces
}

/// The texts and the moving numbers of URLs that differ only in numbers, each by a constant step.
fn moving(cuts: &[Vec<UrlPiece<'_>>]) -> Option<(Vec<String>, Vec<MovingNumber>)> {
    let (first, second) = (cuts.first()?, cuts.get(1)?);
    if first.len() > 2 * MAX_URL_NUMBERS || cuts.iter().any(|cut| cut.len() != first.len()) {
        return None;
    }
    let (mut texts, mut numbers) = (vec![String::new()], Vec::new());
    for (i, &(digit, piece)) in first.iter().enumerate() {
        if cuts.iter().all(|cut| cut[i] == (digit, piece)) {
            if let Some(text) = texts.last_mut() {
                text.push_str(piece);
            }
            continue;
        }
        let value = |cut: &Vec<UrlPiece<'_>>| if digit { cut[i].1.parse::<u64>().ok() } else { None };
        let start = value(first)?;
        let step = value(second)?.checked_sub(start).filter(|step| (1..=MAX_URL_STEP).contains(step))?;
        for pair in cuts.windows(2) {
            if value(&pair[1])?.checked_sub(value(&pair[0])?) != Some(step) {
                return None;
            }
        }
        let padded = piece.len() > 1 && piece.starts_with('0');
        numbers.push(MovingNumber { first: start, step, width: if padded { piece.len() } else { 1 } });
        texts.push(String::new());
    }
    let any = !numbers.is_empty() && numbers.len() <= MAX_MOVING_NUMBERS;
    any.then_some((texts, numbers))
}

/// The rule for a first page without a number and a second page that adds one. If the second page has a 2,
/// counting starts at 1; if it has a 1, counting starts at 0; a larger number is the number of preceding
/// records.
fn added(first: &str, second: &str) -> Option<(Vec<String>, Vec<MovingNumber>)> {
    let same = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let start = same(&mut first.bytes(), &mut second.bytes());
    let most = first.len().min(second.len()) - start;
    let end = same(&mut first.bytes().rev(), &mut second.bytes().rev()).min(most);
    // the first page must not have another number in this position: then the numbers would not be related
    let gone = &first.as_bytes()[start..first.len() - end];
    if gone.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let range = start..second.len() - end;
    let digits =
        |range: std::ops::Range<usize>| second.as_bytes()[range].iter().rposition(u8::is_ascii_digit);
    let last = range.start + digits(range.clone())?;
    let begin = second.as_bytes()[..last].iter().rposition(|b| !b.is_ascii_digit())? + 1;
    // if there are several new numbers, it is unknown which one moves
    let others = second.as_bytes()[range.start.min(begin)..begin].iter().any(u8::is_ascii_digit);
    if others || begin + 6 < last {
        return None;
    }
    let value: u64 = second[begin..=last].parse().ok()?;
    let (origin, step) = match value {
        0 => return None,
        1 => (0, 1),
        2 => (1, 1),
        offset => (0, offset),
    };
    let texts = vec![second[..begin].to_owned(), second[last + 1..].to_owned()];
    (step <= MAX_URL_STEP).then(|| (texts, vec![MovingNumber { first: origin, step, width: 1 }]))
}

#[cfg(test)]
mod tests {
    use super::learn_url_rule;

    /// The URL after the given ones.
    fn next(urls: &[&str]) -> Option<String> {
        learn_url_rule(urls)?.nth(urls.len() as u64)
    }

    #[test]
    fn moving_numbers_are_found_anywhere_in_the_url() {
        for (urls, wanted) in [
            (&["https://a.example/?page=2", "https://a.example/?page=3"][..], "https://a.example/?page=4"),
            (&["/l?q=b2&start=20", "/l?q=b2&start=40", "/l?q=b2&start=60"], "/l?q=b2&start=80"),
            (&["/shop/page/2/", "/shop/page/3/"], "/shop/page/4/"),
            (&["/forum-p2.html", "/forum-p3.html"], "/forum-p4.html"),
            (&["/l?page=09&x", "/l?page=10&x"], "/l?page=11&x"),
            (&["/l?from=1&to=20", "/l?from=21&to=40"], "/l?from=41&to=60"),
            (&["/l?page=2#list", "/l?page=3#list"], "/l?page=4"),
            (&["/board/18.0", "/board/18.20", "/board/18.40"], "/board/18.60"),
        ] {
            assert_eq!(next(urls).as_deref(), Some(wanted), "{urls:?}");
        }
    }

    #[test]
    fn the_first_page_may_lack_the_number() {
        for (urls, wanted) in [
            (&["/list", "/list?page=2"][..], "/list?page=3"),
            (&["/list?a=7", "/list?a=7&p=1"], "/list?a=7&p=2"),
            (&["/list", "/list?start=20"], "/list?start=40"),
            (&["/list", "/list?start=2", "/list?start=4"], "/list?start=6"),
            (&["/list/", "/list/page/2/"], "/list/page/3/"),
            (&["/list.html", "/list-2.html"], "/list-3.html"),
            (&["/list", "/other/index.php?page=2", "/other/index.php?page=3"], "/other/index.php?page=4"),
        ] {
            let found = learn_url_rule(urls).unwrap();
            assert_eq!(next(urls).as_deref(), Some(wanted), "{urls:?}");
            assert_eq!(found.nth(0).as_deref(), Some(urls[0]));
            assert!(found.check(wanted) && !found.check(urls[1]));
            for (k, url) in urls.iter().enumerate() {
                assert_eq!(found.position(url), Some(k as u64), "{url}");
            }
        }
    }

    #[test]
    fn unrelated_urls_have_no_rule() {
        for urls in [
            &["/a", "/b"][..],
            &["/a?page=3", "/a?page=2"],
            &["/a?page=2", "/a?page=2"],
            &["/a?page=2", "/a?page=3", "/a?page=5"],
            &["/a?after=x1y9", "/a?after=z7k2"],
            &["/2016/03/16/awakening", "/2016/03/18/a-world"],
            &["/a?id=1", "/a?id=5000"],
            &["/a?page=2"],
            &["/a", "/a?v=3&page=2"],
            &["", ""],
            &["/a", "/a?page=99999999999999999999999"],
        ] {
            assert_eq!(learn_url_rule(urls), None, "{urls:?}");
        }
        let found = learn_url_rule(&["/a?page=2", "/a?page=3"]).unwrap();
        assert_eq!(found.nth(u64::MAX), None);
        assert!(!found.check("/a?page=5") && !found.check("/b?page=4") && found.check("/a?page=4#x"));
    }
}
