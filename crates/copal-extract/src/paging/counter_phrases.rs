//! What a text says about the number of records and of pages.
//!
//! In: the tokens of a short text. Out: [`CounterPhrase`]s: "1-20 of 345", "24 of 345 items", "345 results",
//! "results: 345", "page 2 of 18". The page is not known here: [`counter`](super::counter) decides whether a
//! phrase is about the list. O(tokens).

use super::counter_tokens::{CounterToken, CounterWord};

/// A longer range is not a range of records on one page.
const MAX_RECORDS_PER_PAGE: u64 = 2000;

/// The form of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PhraseForm {
    /// "1-20 of 345".
    RangeOf,
    /// "1-20" with a noun or a verb such as "showing".
    Range,
    /// "24 of 345".
    PartOf,
    /// "345 results", "results: 345".
    Results,
    /// "345 properties".
    Things,
    /// "total: 345".
    Total,
    /// "345 kettles" on a page about kettles.
    Own,
}

/// One statement about the number of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CounterPhrase {
    pub(super) form: PhraseForm,
    pub(super) total: Option<u64>,
    pub(super) at_least: bool,
    /// The first and the last record on the page. For [`PhraseForm::PartOf`] the first is always 1.
    pub(super) range: Option<(u64, u64)>,
}

/// Everything that a text says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CounterStatements {
    pub(super) phrases: Vec<CounterPhrase>,
    /// The number of the page, and how many pages there are.
    pub(super) pages: Option<(u64, Option<u64>)>,
}

/// Reads the phrases of a text. More specific forms come first, so that each number is used once.
pub(super) fn read_phrases(tokens: &[CounterToken]) -> CounterStatements {
    let mut reader = PhraseReader { tokens, used: vec![false; tokens.len()] };
    let mut said = CounterStatements { phrases: Vec::new(), pages: reader.pages() };
    for at in 0..tokens.len() {
        said.phrases.extend(reader.range(at));
    }
    for at in 0..tokens.len() {
        said.phrases.extend(reader.part(at));
    }
    for at in 0..tokens.len() {
        said.phrases.extend(reader.plain(at));
    }
    if said.phrases.is_empty() && said.pages.is_none() {
        said.phrases.extend(reader.own());
    }
    said
}

/// Reads phrases from tokens; `used` marks the numbers that belong to a phrase.
struct PhraseReader<'a> {
    tokens: &'a [CounterToken],
    used: Vec<bool>,
}

impl PhraseReader<'_> {
    fn number(&self, at: usize) -> Option<(u64, bool)> {
        match self.tokens.get(at) {
            Some(&CounterToken::Number { value, more }) if !self.used[at] => Some((value, more)),
            _ => None,
        }
    }

    fn word(&self, at: usize) -> Option<CounterWord> {
        match self.tokens.get(at) {
            Some(&CounterToken::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn word_before(&self, at: usize) -> Option<CounterWord> {
        at.checked_sub(1).and_then(|at| self.word(at))
    }

    /// The page's own words are also other words: only [`own`](Self::own) tells them apart.
    fn is(&self, at: usize, words: &[CounterWord]) -> bool {
        let fits =
            |word| words.contains(&word) || word == CounterWord::Own && words.contains(&CounterWord::Other);
        self.word(at).is_some_and(fits)
    }

    /// The index of the first token from `at` on that is none of `words`, after at most `most` tokens.
    fn skip(&self, at: usize, words: &[CounterWord], most: usize) -> usize {
        let end = (at + most).min(self.tokens.len());
        (at..end).find(|&at| !self.is(at, words)).unwrap_or(end)
    }

    fn about(&self, at: usize) -> bool {
        (1..=3).any(|back| at.checked_sub(back).is_some_and(|before| self.is(before, &[CounterWord::About])))
    }

    /// "page 2 of 18", "2/18 pages", "第2页 共18页", "page 2".
    fn pages(&mut self) -> Option<(u64, Option<u64>)> {
        let mut found = None;
        for at in 0..self.tokens.len() {
            let Some((page, _)) = self.number(at) else { continue };
            let named = self.word_before(at) == Some(CounterWord::Page)
                || self.word_before(at) == Some(CounterWord::Colon)
                    && at > 1
                    && self.is(at - 2, &[CounterWord::Page]);
            let after = self.skip(at + 1, &[CounterWord::Page, CounterWord::Open], 2);
            let of = self.skip(after, &[CounterWord::Of, CounterWord::Slash, CounterWord::Total], 3);
            let whole = self.number(of).filter(|(whole, _)| of > after && (1..=*whole).contains(&page));
            let last = self.word(of + 1) == Some(CounterWord::Page);
            // in "1-20 of 345 pages" the records are pages
            let ranged =
                self.word_before(at) == Some(CounterWord::To) && at > 1 && self.number(at - 2).is_some();
            if let Some((whole, _)) = whole
                && (named || last)
                && !ranged
                && whole < 1_000_000
                && (named
                    || self.word(at + 1) != Some(CounterWord::Page)
                    || !self.is(of + 1, &[CounterWord::Total]))
            {
                self.used[at] = true;
                self.used[of] = true;
                return Some((page, Some(whole)));
            }
            if named && found.is_none() && (1..100_000).contains(&page) && self.tokens.len() <= 8 {
                found = Some((at, page));
            }
        }
        found.map(|(at, page)| {
            self.used[at] = true;
            (page, None)
        })
    }

    /// "1-20 of 345", "345 results - showing 1 to 20".
    fn range(&mut self, at: usize) -> Option<CounterPhrase> {
        let (first, _) = self.number(at)?;
        let to = self.skip(at + 1, &[CounterWord::Results, CounterWord::Things], 1);
        let dash = self.skip(to, &[CounterWord::To], 2);
        let (last, _) = self.number(dash).filter(|_| dash > to)?;
        if !(first..first.saturating_add(MAX_RECORDS_PER_PAGE)).contains(&last) || first == 0 {
            return None;
        }
        let range = Some((first, last));
        // the total after the range
        let fill = [
            CounterWord::Results,
            CounterWord::Things,
            CounterWord::Open,
            CounterWord::Close,
            CounterWord::Show,
            CounterWord::About,
        ];
        let of = self.skip(dash + 1, &fill, 3);
        let mut whole = self.skip(
            of,
            &[CounterWord::Of, CounterWord::Slash, CounterWord::Total, CounterWord::Open, CounterWord::Colon],
            3,
        );
        let joined = whole > of;
        whole = self.skip(whole, &[CounterWord::About, CounterWord::Show, CounterWord::Other], 3);
        if let Some((total, more)) = self.number(whole).filter(|(total, _)| joined && *total >= last) {
            self.mark_used(&[at, dash, whole]);
            let at_least = more || self.about(whole);
            return Some(CounterPhrase { form: PhraseForm::RangeOf, total: Some(total), at_least, range });
        }
        // the total before the range: "345 results, showing 1 to 20", "全345件中 1-20件"
        let nouns = [CounterWord::Results, CounterWord::Things, CounterWord::Whole, CounterWord::Total];
        for before in (at.saturating_sub(9)..at).rev() {
            let Some((total, more)) = self.number(before).filter(|(total, _)| *total >= last) else {
                continue;
            };
            let named = self.is(self.skip(before + 1, &[CounterWord::Other], 1), &nouns)
                || self.word_before(before) == Some(CounterWord::Total);
            let broken = (before + 1..at).any(|at| self.is(at, &[CounterWord::Break, CounterWord::Per]));
            if named && !broken {
                self.mark_used(&[at, dash, before]);
                let at_least = more || self.about(before);
                return Some(CounterPhrase {
                    form: PhraseForm::RangeOf,
                    total: Some(total),
                    at_least,
                    range,
                });
            }
        }
        let named = self.is(dash + 1, &[CounterWord::Results, CounterWord::Things])
            || at > 0 && self.is(at - 1, &[CounterWord::Results, CounterWord::Show, CounterWord::Things]);
        if named {
            self.mark_used(&[at, dash]);
            return Some(CounterPhrase { form: PhraseForm::Range, total: None, at_least: false, range });
        }
        None
    }

    /// "24 of 345 items", "200 pages …, out of 300 total".
    fn part(&mut self, at: usize) -> Option<CounterPhrase> {
        let (total, more) = self.number(at)?;
        if self.word_before(at)? != CounterWord::Of && self.word_before(at)? != CounterWord::Slash {
            return None;
        }
        let named = [CounterWord::Results, CounterWord::Things, CounterWord::Total];
        let of = self.word_before(at) == Some(CounterWord::Of);
        let shown = (at.saturating_sub(9)..at - 1).rev().find(|&before| self.number(before).is_some());
        let shown = shown.filter(|&before| !(before..at).any(|at| self.is(at, &[CounterWord::Break])));
        let (before, part) = (shown?, self.number(shown?)?.0);
        let close = at - before <= 3;
        let says = self.is(at + 1, &named)
            || self.is(at + 2, &named) && self.is(at + 1, &[CounterWord::Other])
            || close && before > 0 && self.is(before - 1, &[CounterWord::Show, CounterWord::Results]);
        if !says || !of && !close || part == 0 || part > total || part > MAX_RECORDS_PER_PAGE {
            return None;
        }
        self.mark_used(&[at, before]);
        Some(CounterPhrase {
            form: PhraseForm::PartOf,
            total: Some(total),
            at_least: more || self.about(at),
            range: Some((1, part)),
        })
    }

    /// "345 results", "345 new jobs", "results: 345", "results (345)", "total 345".
    fn plain(&mut self, at: usize) -> Option<CounterPhrase> {
        let (total, more) = self.number(at)?;
        let form = |word: Option<CounterWord>| match word {
            Some(CounterWord::Results) => Some(PhraseForm::Results),
            Some(CounterWord::Things) => Some(PhraseForm::Things),
            Some(CounterWord::Total) => Some(PhraseForm::Total),
            _ => None,
        };
        if self.is_before(at, &[CounterWord::Part, CounterWord::Per, CounterWord::Page, CounterWord::Slash])
            || self.is(at + 1, &[CounterWord::To, CounterWord::Slash, CounterWord::Colon])
        {
            return None;
        }
        let after = if self.is(
            at + 1,
            &[
                CounterWord::Other,
                CounterWord::Open,
                CounterWord::Close,
                CounterWord::Show,
                CounterWord::Total,
                CounterWord::Of,
            ],
        ) {
            at + 2
        } else {
            at + 1
        };
        let adjectives = self.skip(at + 1, &[CounterWord::Other], 2);
        let mut found = form(self.word(at + 1))
            .or_else(|| form(self.word(after)))
            .or_else(|| form(self.word(adjectives)));
        let per = (at + 1..at + 5).any(|at| self.is(at, &[CounterWord::Per]));
        if found.is_none() {
            let mut before = at;
            while before > 0
                && self.is(
                    before - 1,
                    &[CounterWord::Colon, CounterWord::Open, CounterWord::Show, CounterWord::About],
                )
                && at - before < 3
            {
                before -= 1;
            }
            // "results 345" may mean anything, but a sign between them makes it a label; "articles (10)" is a
            // facet
            let colon = before < at && self.is(at - 1, &[CounterWord::Colon]);
            found = form(self.word_before(before)).filter(|form| match form {
                PhraseForm::Total => true,
                PhraseForm::Results => before < at,
                _ => colon,
            });
        }
        let found = found.filter(|_| !per && total > 0)?;
        self.mark_used(&[at]);
        Some(CounterPhrase { form: found, total: Some(total), at_least: more || self.about(at), range: None })
    }

    /// "345 kettles", "we have 345 copper kettles": the only number of the text, with a noun of the page.
    fn own(&mut self) -> Option<CounterPhrase> {
        let mut numbers = (0..self.tokens.len()).filter(|&at| self.number(at).is_some());
        let at = numbers.next().filter(|_| numbers.next().is_none())?;
        let (total, more) = self.number(at)?;
        // "model 60 kettles", "size: 60": the number must open the statement
        let opens = self.word_before(at).is_none_or(|before| {
            matches!(
                before,
                CounterWord::Show
                    | CounterWord::About
                    | CounterWord::Total
                    | CounterWord::Open
                    | CounterWord::Break
            )
        });
        let noun = if self.is(at + 1, &[CounterWord::Other]) && self.word(at + 1) != Some(CounterWord::Own) {
            at + 2
        } else {
            at + 1
        };
        let limits =
            [CounterWord::Per, CounterWord::Part, CounterWord::Page, CounterWord::Slash, CounterWord::To];
        let is_limited = (0..self.tokens.len()).any(|at| self.is(at, &limits));
        if !opens || is_limited || self.word(noun) != Some(CounterWord::Own) || total < 2 {
            return None;
        }
        self.mark_used(&[at]);
        let at_least = more || self.about(at);
        Some(CounterPhrase { form: PhraseForm::Own, total: Some(total), at_least, range: None })
    }

    fn is_before(&self, at: usize, words: &[CounterWord]) -> bool {
        self.word_before(at).is_some_and(|word| words.contains(&word))
    }

    fn mark_used(&mut self, positions: &[usize]) {
        for &at in positions {
            self.used[at] = true;
        }
    }
}
