//! What a text says of the number of records and of pages.
//!
//! In: the tokens of a short text. Out: [`Phrase`]s: "1-20 of 345", "24 of 345 items", "345 results", "results: 345", "page 2
//! of 18". Nothing is known here of the page: whether a phrase is about its list is judged in [`counter`](super::counter).
//! O(tokens).

use super::counter_words::{Token, Word};

/// Most records of a page, for a range to be one of records.
const LONGEST: u64 = 2000;

/// What kind of phrase it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// "1-20 of 345".
    RangeOf,
    /// "1-20", with a word that says of what.
    Range,
    /// "24 of 345".
    PartOf,
    /// "345 results", "results: 345".
    Results,
    /// "345 properties".
    Things,
    /// "total: 345".
    Total,
}

/// One thing that was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) form: Form,
    pub(super) total: Option<u64>,
    pub(super) at_least: bool,
    /// Which records are shown; for [`Form::PartOf`] how many, counted from 1.
    pub(super) range: Option<(u64, u64)>,
}

/// Everything a text says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) phrases: Vec<Phrase>,
    pub(super) pages: Option<(u64, Option<u64>)>,
}

/// Reads tokens.
pub(super) fn read(tokens: &[Token]) -> Said {
    let mut reader = Reader { tokens, used: vec![false; tokens.len()] };
    let mut said = Said { phrases: Vec::new(), pages: reader.pages() };
    for at in 0..tokens.len() {
        said.phrases.extend(reader.range(at));
    }
    for at in 0..tokens.len() {
        said.phrases.extend(reader.part(at));
    }
    for at in 0..tokens.len() {
        said.phrases.extend(reader.plain(at));
    }
    said
}

struct Reader<'a> {
    tokens: &'a [Token],
    used: Vec<bool>,
}

impl Reader<'_> {
    fn number(&self, at: usize) -> Option<(u64, bool)> {
        match self.tokens.get(at) {
            Some(&Token::Number { value, more }) if !self.used[at] => Some((value, more)),
            _ => None,
        }
    }

    fn word(&self, at: usize) -> Option<Word> {
        match self.tokens.get(at) {
            Some(&Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn word_before(&self, at: usize) -> Option<Word> {
        at.checked_sub(1).and_then(|at| self.word(at))
    }

    fn is(&self, at: usize, words: &[Word]) -> bool {
        self.word(at).is_some_and(|word| words.contains(&word))
    }

    /// The place of the first token from `at` on that is none of `words`.
    fn skip(&self, at: usize, words: &[Word], most: usize) -> usize {
        let end = (at + most).min(self.tokens.len());
        (at..end).find(|&at| !self.is(at, words)).unwrap_or(end)
    }

    fn about(&self, at: usize) -> bool {
        (1..=3).any(|back| at.checked_sub(back).is_some_and(|before| self.is(before, &[Word::About])))
    }

    /// "page 2 of 18", "2/18 pages", "第2页 共18页", "page 2".
    fn pages(&mut self) -> Option<(u64, Option<u64>)> {
        let mut found = None;
        for at in 0..self.tokens.len() {
            let Some((page, _)) = self.number(at) else { continue };
            let named = self.word_before(at) == Some(Word::Page)
                || self.word_before(at) == Some(Word::Colon) && at > 1 && self.is(at - 2, &[Word::Page]);
            let behind = self.skip(at + 1, &[Word::Page, Word::Open], 2);
            let of = self.skip(behind, &[Word::Of, Word::Slash, Word::Total], 3);
            let whole = self.number(of).filter(|(whole, _)| of > behind && (1..=*whole).contains(&page));
            let last = self.word(of + 1) == Some(Word::Page);
            // "1-20 of 345 pages" is about records that are pages
            let ranged = self.word_before(at) == Some(Word::To) && at > 1 && self.number(at - 2).is_some();
            if let Some((whole, _)) = whole
                && (named || last)
                && !ranged
                && whole < 1_000_000
                && (named || self.word(at + 1) != Some(Word::Page) || !self.is(of + 1, &[Word::Total]))
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
    fn range(&mut self, at: usize) -> Option<Phrase> {
        let (first, _) = self.number(at)?;
        let to = self.skip(at + 1, &[Word::Results, Word::Things], 1);
        let dash = self.skip(to, &[Word::To], 2);
        let (last, _) = self.number(dash).filter(|_| dash > to)?;
        if !(first..first.saturating_add(LONGEST)).contains(&last) || first == 0 {
            return None;
        }
        let range = Some((first, last));
        // the whole behind it
        let fill = [Word::Results, Word::Things, Word::Open, Word::Close, Word::Show, Word::About];
        let of = self.skip(dash + 1, &fill, 3);
        let mut whole = self.skip(of, &[Word::Of, Word::Slash, Word::Total, Word::Open, Word::Colon], 3);
        let joined = whole > of;
        whole = self.skip(whole, &[Word::About, Word::Show, Word::Other], 3);
        if let Some((total, more)) = self.number(whole).filter(|(total, _)| joined && *total >= last) {
            self.take(&[at, dash, whole]);
            let at_least = more || self.about(whole);
            return Some(Phrase { form: Form::RangeOf, total: Some(total), at_least, range });
        }
        // the whole before it: "345 results, showing 1 to 20", "全345件中 1-20件"
        let nouns = [Word::Results, Word::Things, Word::Whole, Word::Total];
        for before in (at.saturating_sub(9)..at).rev() {
            let Some((total, more)) = self.number(before).filter(|(total, _)| *total >= last) else {
                continue;
            };
            let named = self.is(self.skip(before + 1, &[Word::Other], 1), &nouns)
                || self.word_before(before) == Some(Word::Total);
            let broken = (before + 1..at).any(|at| self.is(at, &[Word::Break, Word::Per]));
            if named && !broken {
                self.take(&[at, dash, before]);
                let at_least = more || self.about(before);
                return Some(Phrase { form: Form::RangeOf, total: Some(total), at_least, range });
            }
        }
        let named = self.is(dash + 1, &[Word::Results, Word::Things])
            || at > 0 && self.is(at - 1, &[Word::Results, Word::Show, Word::Things]);
        if named {
            self.take(&[at, dash]);
            return Some(Phrase { form: Form::Range, total: None, at_least: false, range });
        }
        None
    }

    /// "24 of 345 items", "200 pages …, out of 300 total".
    fn part(&mut self, at: usize) -> Option<Phrase> {
        let (total, more) = self.number(at)?;
        if self.word_before(at)? != Word::Of && self.word_before(at)? != Word::Slash {
            return None;
        }
        let named = [Word::Results, Word::Things, Word::Total];
        let of = self.word_before(at) == Some(Word::Of);
        let shown = (at.saturating_sub(9)..at - 1).rev().find(|&before| self.number(before).is_some());
        let shown = shown.filter(|&before| !(before..at).any(|at| self.is(at, &[Word::Break])));
        let (before, part) = (shown?, self.number(shown?)?.0);
        let close = at - before <= 3;
        let says = self.is(at + 1, &named)
            || self.is(at + 2, &named) && self.is(at + 1, &[Word::Other])
            || close && before > 0 && self.is(before - 1, &[Word::Show, Word::Results]);
        if !says || !of && !close || part == 0 || part > total || part > LONGEST {
            return None;
        }
        self.take(&[at, before]);
        Some(Phrase {
            form: Form::PartOf,
            total: Some(total),
            at_least: more || self.about(at),
            range: Some((1, part)),
        })
    }

    /// "345 results", "345 new jobs", "results: 345", "results (345)", "total 345".
    fn plain(&mut self, at: usize) -> Option<Phrase> {
        let (total, more) = self.number(at)?;
        let form = |word: Option<Word>| match word {
            Some(Word::Results) => Some(Form::Results),
            Some(Word::Things) => Some(Form::Things),
            Some(Word::Total) => Some(Form::Total),
            _ => None,
        };
        if self.is_before(at, &[Word::Part, Word::Per, Word::Page, Word::Slash])
            || self.is(at + 1, &[Word::To, Word::Slash, Word::Colon])
        {
            return None;
        }
        let behind =
            if self.is(at + 1, &[Word::Other, Word::Open, Word::Close, Word::Show, Word::Total, Word::Of]) {
                at + 2
            } else {
                at + 1
            };
        let adjectives = self.skip(at + 1, &[Word::Other], 2);
        let mut found = form(self.word(at + 1))
            .or_else(|| form(self.word(behind)))
            .or_else(|| form(self.word(adjectives)));
        let per = (at + 1..at + 5).any(|at| self.is(at, &[Word::Per]));
        if found.is_none() {
            let mut before = at;
            while before > 0
                && self.is(before - 1, &[Word::Colon, Word::Open, Word::Show, Word::About])
                && at - before < 3
            {
                before -= 1;
            }
            // "results 345" alone may be anything, with a sign between them it is a label; "articles (10)" is a facet
            let colon = before < at && self.is(at - 1, &[Word::Colon]);
            found = form(self.word_before(before)).filter(|form| match form {
                Form::Total => true,
                Form::Results => before < at,
                _ => colon,
            });
        }
        let found = found.filter(|_| !per && total > 0)?;
        self.take(&[at]);
        Some(Phrase { form: found, total: Some(total), at_least: more || self.about(at), range: None })
    }

    fn is_before(&self, at: usize, words: &[Word]) -> bool {
        self.word_before(at).is_some_and(|word| words.contains(&word))
    }

    fn take(&mut self, places: &[usize]) {
        for &place in places {
            self.used[place] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::counter_words::tokens;
    use super::{Form, Said, read};

    fn said(text: &str) -> Said {
        read(&tokens(text))
    }

    type First = (Form, Option<u64>, Option<(u64, u64)>);

    /// The first phrase: its form, its total, its range.
    fn first(text: &str) -> Option<First> {
        said(text).phrases.first().map(|phrase| (phrase.form, phrase.total, phrase.range))
    }

    #[test]
    fn ranges_with_their_whole() {
        for (text, total, range) in [
            ("1-20 of 345", 345, (1, 20)),
            ("1–25 / 234", 234, (1, 25)),
            ("(1-25/234)", 234, (1, 25)),
            ("1..20 out of 187", 187, (1, 20)),
            ("213 results - showing 1 to 20", 213, (1, 20)),
            ("14 properties within 11 km. Showing 1 – 14", 14, (1, 14)),
            ("Displaying 1 to 30 (of 56 products)", 56, (1, 30)),
            ("Showing results 21 - 40 of about 1,200,000", 1_200_000, (21, 40)),
            ("Items 1 to 9 of 25 total", 25, (1, 9)),
            ("1-20 of over 3,000 results for lamp", 3000, (1, 20)),
            ("Ergebnisse 1 bis 10 von 1.234", 1234, (1, 10)),
            ("Résultats 1 à 20 sur 345", 345, (1, 20)),
            ("1 - 20 de 345 resultados", 345, (1, 20)),
            ("Mostrando 1 a 20 de 345", 345, (1, 20)),
            ("Risultati 1-10 di 99", 99, (1, 10)),
            ("1-24 van 345 producten", 345, (1, 24)),
            ("Visar 1-20 av 345", 345, (1, 20)),
            ("Wyniki 1-20 z 345", 345, (1, 20)),
            ("Показано 1–20 из 345 товаров", 345, (1, 20)),
            ("全345件中 1-20件を表示", 345, (1, 20)),
            ("1-20件 / 全345件", 345, (1, 20)),
            ("عرض 1-20 من 345", 345, (1, 20)),
            ("1-20 מתוך 345 תוצאות", 345, (1, 20)),
            ("Menampilkan 1-20 dari 345 hasil", 345, (1, 20)),
        ] {
            assert_eq!(first(text), Some((Form::RangeOf, Some(total), Some(range))), "{text}");
        }
    }

    #[test]
    fn numbers_of_records() {
        for (text, form, total) in [
            ("1010 properties", Form::Things, 1010),
            ("Showing 24 results", Form::Results, 24),
            ("about 1,200,000 results", Form::Results, 1_200_000),
            ("1000+ results", Form::Results, 1000),
            ("345 rows", Form::Results, 345),
            ("143 discussions", Form::Things, 143),
            ("143 new jobs", Form::Things, 143),
            ("Results: 12", Form::Results, 12),
            ("Search results (45)", Form::Results, 45),
            ("Total: 345", Form::Total, 345),
            ("1.234 Treffer", Form::Results, 1234),
            ("345 annonces", Form::Things, 345),
            ("Найдено 345 товаров", Form::Things, 345),
            ("検索結果 345件", Form::Results, 345),
            ("共 345 条结果", Form::Results, 345),
            ("검색결과 345개", Form::Things, 345),
            ("345 ürün bulundu", Form::Things, 345),
            ("345 találat", Form::Results, 345),
            ("Nalezeno 345 výsledků", Form::Results, 345),
            ("345 tulosta", Form::Results, 345),
        ] {
            assert_eq!(
                first(text).map(|(form, total, _)| (form, total)),
                Some((form, Some(total))),
                "{text}"
            );
        }
        let lower = said("about 1,200,000 results");
        assert!(
            lower.phrases[0].at_least
                && said("1000+ results").phrases[0].at_least
                && !said("345 results").phrases[0].at_least
        );
        let wiki = said("The following 200 pages are in this category, out of 300 total.");
        assert_eq!((wiki.phrases[0].total, wiki.phrases[0].range), (Some(300), Some((1, 200))));
        assert_eq!(first("Showing 24 of 345"), Some((Form::PartOf, Some(345), Some((1, 24)))));
    }

    #[test]
    fn pages() {
        for (text, pages) in [
            ("Page 2 of 18", (2, Some(18))),
            ("page 1 of 5, 20 results per page", (1, Some(5))),
            ("Seite 1 von 5", (1, Some(5))),
            ("Página 3 de 12", (3, Some(12))),
            ("Страница 2 из 7", (2, Some(7))),
            ("第2页 共18页", (2, Some(18))),
            ("2/18ページ", (2, Some(18))),
            ("Page 4", (4, None)),
            ("1 of 5 pages", (1, Some(5))),
        ] {
            let found = said(text);
            assert_eq!(found.pages, Some(pages), "{text}");
            assert!(found.phrases.is_empty(), "{text}: {found:?}");
        }
    }

    #[test]
    fn decoys() {
        for text in [
            "£345",
            "12 May 2024",
            "4.5 (120)",
            "(12)",
            "2019",
            "© 2001-2024 Example",
            "020 7946 0123",
            "Show 20 results per page",
            "20 per page",
            "Top 10 results",
            "Next 20 results",
            "10:30",
            "1-2 days",
            "from 10 to 20",
            "3 bedrooms",
            "24/7",
            "50% off",
            "Copyright 1999 to 2020 of Example",
            "12 reviews",
            "1/2",
            "Sort by 1 2 3",
        ] {
            assert_eq!(said(text).phrases, [], "{text}");
        }
    }
}
