//! Tests of [`counter_phrases`](super::counter_phrases): phrases of many languages and numbers that are not
//! counters.

use super::counter_phrases::{CounterStatements, PhraseForm, read_phrases};
use super::counter_tokens::tokens;

fn said(text: &str) -> CounterStatements {
    read_phrases(&tokens(text, &|word| word == "kettles"))
}

type First = (PhraseForm, Option<u64>, Option<(u64, u64)>);

/// Form, total and range of the first phrase.
fn first(text: &str) -> Option<First> {
    said(text).phrases.first().map(|phrase| (phrase.form, phrase.total, phrase.range))
}

#[test]
fn ranges_with_a_total_are_read() {
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
        assert_eq!(first(text), Some((PhraseForm::RangeOf, Some(total), Some(range))), "{text}");
    }
}

#[test]
fn totals_are_read() {
    for (text, form, total) in [
        ("1010 properties", PhraseForm::Things, 1010),
        ("Showing 24 results", PhraseForm::Results, 24),
        ("about 1,200,000 results", PhraseForm::Results, 1_200_000),
        ("1000+ results", PhraseForm::Results, 1000),
        ("345 rows", PhraseForm::Results, 345),
        ("143 discussions", PhraseForm::Things, 143),
        ("143 new jobs", PhraseForm::Things, 143),
        ("Results: 12", PhraseForm::Results, 12),
        ("Search results (45)", PhraseForm::Results, 45),
        ("Total: 345", PhraseForm::Total, 345),
        ("1.234 Treffer", PhraseForm::Results, 1234),
        ("345 annonces", PhraseForm::Things, 345),
        ("Найдено 345 товаров", PhraseForm::Things, 345),
        ("検索結果 345件", PhraseForm::Results, 345),
        ("共 345 条结果", PhraseForm::Results, 345),
        ("검색결과 345개", PhraseForm::Things, 345),
        ("345 ürün bulundu", PhraseForm::Things, 345),
        ("345 találat", PhraseForm::Results, 345),
        ("Nalezeno 345 výsledků", PhraseForm::Results, 345),
        ("345 tulosta", PhraseForm::Results, 345),
    ] {
        assert_eq!(first(text).map(|(form, total, _)| (form, total)), Some((form, Some(total))), "{text}");
    }
    let lower = said("about 1,200,000 results");
    assert!(
        lower.phrases[0].at_least
            && said("1000+ results").phrases[0].at_least
            && !said("345 results").phrases[0].at_least
    );
    let wiki = said("The following 200 pages are in this category, out of 300 total.");
    assert_eq!((wiki.phrases[0].total, wiki.phrases[0].range), (Some(300), Some((1, 200))));
    assert_eq!(first("Showing 24 of 345"), Some((PhraseForm::PartOf, Some(345), Some((1, 24)))));
}

#[test]
fn page_numbers_are_read() {
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
fn other_numbers_are_not_counters() {
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
