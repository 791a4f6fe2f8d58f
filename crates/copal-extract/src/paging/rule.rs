//! The rule behind the addresses of successive pages.
//!
//! In: two or three addresses, in the order of their pages. Out: [`UrlRule`], which writes the others: `page=2`, `page=3`;
//! `start=20`, `start=40`; `/page/2`; `list-2.html`; also several numbers that move together (`from=21&to=40`). The first page
//! may lack the number: then the second says what it counts from. O(length of the addresses).

use copal_dom::url::without_fragment;

/// Longest address that is looked at, and most numbers in it.
const LONGEST: usize = 2000;
const NUMBERS: usize = 24;
/// Most numbers that move together.
const MOVING: usize = 3;
/// Longest step: sizes of pages are smaller, and ids of pages further apart.
const STEP: u64 = 1000;

/// How the addresses of a list's pages are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRule {
    /// The address of the first page, if it is not made like the others.
    base: Option<String>,
    /// An address cut at its moving numbers: one text more than numbers.
    texts: Vec<String>,
    numbers: Vec<Moving>,
    /// How many addresses it was learned from.
    learned: u64,
}

/// A number that moves.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Moving {
    /// On the first page.
    first: u64,
    step: u64,
    /// Digits it has at least (`01`, `02`).
    width: usize,
}

/// Learns the rule of addresses in the order of their pages; none if they follow none.
pub fn rule(addresses: &[&str]) -> Option<UrlRule> {
    let addresses: Vec<&str> = addresses.iter().map(|address| without_fragment(address)).collect();
    if addresses.len() < 2 || addresses.iter().any(|address| address.len() > LONGEST) {
        return None;
    }
    let learned = addresses.len() as u64;
    let cuts: Vec<Vec<Piece<'_>>> = addresses.iter().map(|address| cut(address)).collect();
    if let Some((texts, numbers)) = moving(&cuts) {
        return Some(UrlRule { base: None, texts, numbers, learned });
    }
    // a first page that has the number too, but not one step before, breaks the rule
    let alike = |a: &[Piece<'_>], b: &[Piece<'_>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || a.0 && b.0)
    };
    if alike(&cuts[0], &cuts[1]) {
        return None;
    }
    let base = Some(addresses[0].to_owned());
    let (texts, numbers) = if addresses.len() == 2 {
        added(addresses[0], addresses[1])?
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
    /// The address `k` pages behind the first one that the rule was learned from; none beyond what numbers can say.
    pub fn nth(&self, k: u64) -> Option<String> {
        if k == 0
            && let Some(base) = &self.base
        {
            return Some(base.clone());
        }
        let mut address = self.texts[0].clone();
        for (number, text) in self.numbers.iter().zip(&self.texts[1..]) {
            let value = number.step.checked_mul(k)?.checked_add(number.first)?;
            address.push_str(&format!("{value:0width$}", width = number.width));
            address.push_str(text);
        }
        Some(address)
    }

    /// How many pages behind the first an address is.
    pub fn position(&self, address: &str) -> Option<u64> {
        let address = without_fragment(address);
        if self.base.as_deref() == Some(address) {
            return Some(0);
        }
        let rest = address.strip_prefix(self.texts[0].as_str())?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let value: u64 = rest[..digits].parse().ok()?;
        let number = &self.numbers[0];
        let behind = value.checked_sub(number.first)?;
        let k = behind / number.step;
        (behind % number.step == 0 && self.nth(k).as_deref() == Some(address)).then_some(k)
    }

    /// True if `address` is the one that follows those the rule was learned from.
    pub fn check(&self, address: &str) -> bool {
        self.position(address) == Some(self.learned)
    }
}

/// A run of digits, or what is between two.
type Piece<'a> = (bool, &'a str);

fn cut(address: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let bytes = address.as_bytes();
    let mut start = 0;
    for at in 1..=bytes.len() {
        let digit = bytes[start].is_ascii_digit();
        if at == bytes.len() || bytes[at].is_ascii_digit() != digit {
            pieces.push((digit, &address[start..at]));
            start = at;
        }
    }
    pieces
}

/// The texts and the moving numbers of addresses that differ in numbers only, each by the same step.
fn moving(cuts: &[Vec<Piece<'_>>]) -> Option<(Vec<String>, Vec<Moving>)> {
    let (first, second) = (cuts.first()?, cuts.get(1)?);
    if first.len() > 2 * NUMBERS || cuts.iter().any(|cut| cut.len() != first.len()) {
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
        let value = |cut: &Vec<Piece<'_>>| if digit { cut[i].1.parse::<u64>().ok() } else { None };
        let start = value(first)?;
        let step = value(second)?.checked_sub(start).filter(|step| (1..=STEP).contains(step))?;
        for pair in cuts.windows(2) {
            if value(&pair[1])?.checked_sub(value(&pair[0])?) != Some(step) {
                return None;
            }
        }
        let padded = piece.len() > 1 && piece.starts_with('0');
        numbers.push(Moving { first: start, step, width: if padded { piece.len() } else { 1 } });
        texts.push(String::new());
    }
    let any = !numbers.is_empty() && numbers.len() <= MOVING;
    any.then_some((texts, numbers))
}

/// The rule of a first page without a number and a second one that adds it: page 2 counts from 1, page 1 from 0, and more
/// than that is the number of records before.
fn added(first: &str, second: &str) -> Option<(Vec<String>, Vec<Moving>)> {
    let same = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
        a.zip(b).take_while(|(a, b)| a == b).count()
    };
    let start = same(&mut first.bytes(), &mut second.bytes());
    let most = first.len().min(second.len()) - start;
    let end = same(&mut first.bytes().rev(), &mut second.bytes().rev()).min(most);
    // what the first page says instead must not be a number: then it would be another thing
    let gone = &first.as_bytes()[start..first.len() - end];
    if gone.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let range = start..second.len() - end;
    let digits =
        |range: std::ops::Range<usize>| second.as_bytes()[range].iter().rposition(u8::is_ascii_digit);
    let last = range.start + digits(range.clone())?;
    let begin = second.as_bytes()[..last].iter().rposition(|b| !b.is_ascii_digit())? + 1;
    // of several new numbers it cannot be told which one moves
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
    (step <= STEP).then(|| (texts, vec![Moving { first: origin, step, width: 1 }]))
}

#[cfg(test)]
mod tests {
    use super::rule;

    /// The address that follows those given.
    fn next(addresses: &[&str]) -> Option<String> {
        rule(addresses)?.nth(addresses.len() as u64)
    }

    #[test]
    fn numbers_that_move_are_found_wherever_they_stand() {
        for (addresses, wanted) in [
            (&["https://a.example/?page=2", "https://a.example/?page=3"][..], "https://a.example/?page=4"),
            (&["/l?q=b2&start=20", "/l?q=b2&start=40", "/l?q=b2&start=60"], "/l?q=b2&start=80"),
            (&["/shop/page/2/", "/shop/page/3/"], "/shop/page/4/"),
            (&["/forum-p2.html", "/forum-p3.html"], "/forum-p4.html"),
            (&["/l?page=09&x", "/l?page=10&x"], "/l?page=11&x"),
            (&["/l?from=1&to=20", "/l?from=21&to=40"], "/l?from=41&to=60"),
            (&["/l?page=2#list", "/l?page=3#list"], "/l?page=4"),
            (&["/board/18.0", "/board/18.20", "/board/18.40"], "/board/18.60"),
        ] {
            assert_eq!(next(addresses).as_deref(), Some(wanted), "{addresses:?}");
        }
    }

    #[test]
    fn the_first_page_may_lack_the_number() {
        for (addresses, wanted) in [
            (&["/list", "/list?page=2"][..], "/list?page=3"),
            (&["/list?a=7", "/list?a=7&p=1"], "/list?a=7&p=2"),
            (&["/list", "/list?start=20"], "/list?start=40"),
            (&["/list", "/list?start=2", "/list?start=4"], "/list?start=6"),
            (&["/list/", "/list/page/2/"], "/list/page/3/"),
            (&["/list.html", "/list-2.html"], "/list-3.html"),
            (&["/list", "/other/index.php?page=2", "/other/index.php?page=3"], "/other/index.php?page=4"),
        ] {
            let found = rule(addresses).unwrap();
            assert_eq!(next(addresses).as_deref(), Some(wanted), "{addresses:?}");
            assert_eq!(found.nth(0).as_deref(), Some(addresses[0]));
            assert!(found.check(wanted) && !found.check(addresses[1]));
            for (k, address) in addresses.iter().enumerate() {
                assert_eq!(found.position(address), Some(k as u64), "{address}");
            }
        }
    }

    #[test]
    fn what_follows_no_rule_has_none() {
        for addresses in [
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
            assert_eq!(rule(addresses), None, "{addresses:?}");
        }
        let found = rule(&["/a?page=2", "/a?page=3"]).unwrap();
        assert_eq!(found.nth(u64::MAX), None);
        assert!(!found.check("/a?page=5") && !found.check("/b?page=4") && found.check("/a?page=4#x"));
    }
}
