//! What the text of a link says about paging: next, more, back, a number, an arrow.
//!
//! In: a short text. Out: [`LinkMeaning`]. A text has a meaning only if all its words do: "next page" leads
//! to the next page, "next week" and "more about us" do not. Texts in scripts without spaces are searched for
//! known parts. O(length of the text), which is bounded.

use super::digits::{is_word_part, number};
use super::link_words::{
    BACK_PARTS, ELSEWHERE_PARTS, END_PARTS, LINK_WORDS, LinkWord, MORE_PARTS, NEXT_PARTS, OLDER_PARTS,
};

/// Maximum length of a text with a meaning, in bytes.
const MAX_LINK_TEXT_BYTES: usize = 160;
/// Maximum number of words of a text with a meaning.
const MAX_LINK_TEXT_WORDS: usize = 9;

/// What the text of a link means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkMeaning {
    /// "next".
    Next,
    /// "older posts".
    Older,
    /// "next" and an unknown word: "next stories", "next week".
    NextOf,
    /// "›", "→".
    Arrow,
    /// "»": next, or last if there is a "›" next to it.
    Guillemet,
    /// ">>", "⏭": last, or next if the pager has no other arrow.
    DoubleArrow,
    /// "show more".
    More,
    /// A page number.
    Number(u64),
    /// A range of records, "11-20".
    Range(u64, u64),
    /// "previous", "‹": back, but on some blogs the older articles, which are on the next page.
    Previous,
    /// "newer", "first".
    Back,
    /// "last", "all".
    End,
    /// "next article", "next month": from item to item, or through a calendar.
    Elsewhere,
    /// Anything else.
    Nothing,
}

/// The meaning of a text. On pages that are read from right to left, arrows point the other way.
pub(super) fn link_meaning(text: &str, rtl: bool) -> LinkMeaning {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_LINK_TEXT_BYTES {
        return LinkMeaning::Nothing;
    }
    let lower = text.to_lowercase();
    let (mut next, mut older, mut previous, mut more, mut elsewhere, mut other) =
        (false, false, false, false, false, 0);
    let (mut numbers, mut words) = ([0; 3], 0);
    let mut number_count = 0;
    for word in lower.split(|c: char| !is_word_part(c)).filter(|word| !word.is_empty()) {
        words += 1;
        if words > MAX_LINK_TEXT_WORDS {
            return LinkMeaning::Nothing;
        }
        if let Some(number) = number(word) {
            if let Some(place) = numbers.get_mut(number_count) {
                *place = number;
            }
            number_count += 1;
            continue;
        }
        match LINK_WORDS.get(word) {
            Some(LinkWord::Next) => next = true,
            Some(LinkWord::Older) => older = true,
            Some(LinkWord::Previous) => previous = true,
            Some(LinkWord::More) => more = true,
            Some(LinkWord::Back) => return LinkMeaning::Back,
            Some(LinkWord::End) => return LinkMeaning::End,
            Some(LinkWord::Elsewhere) => elsewhere = true,
            Some(LinkWord::Filler) => {}
            None => other += 1,
        }
    }
    if words == 0 {
        return arrow(text, rtl);
    }
    if elsewhere {
        // "previous article" is not a page of the list either, and "Photo 3" is not a page number
        return if next || older || previous { LinkMeaning::Elsewhere } else { LinkMeaning::Nothing };
    }
    if other > 0 {
        return if previous {
            LinkMeaning::Back
        } else if (next || older) && other == 1 && words <= 4 {
            LinkMeaning::NextOf
        } else {
            meaning_of_parts(&lower)
        };
    }
    if previous {
        LinkMeaning::Previous
    } else if older {
        LinkMeaning::Older
    } else if next {
        LinkMeaning::Next
    } else if more {
        LinkMeaning::More
    } else if number_count == 1 {
        LinkMeaning::Number(numbers[0])
    } else if number_count == 2 && words == 2 && numbers[0] < numbers[1] {
        LinkMeaning::Range(numbers[0], numbers[1])
    } else {
        LinkMeaning::Nothing
    }
}

/// The meaning of a text in a script without spaces.
fn meaning_of_parts(lower: &str) -> LinkMeaning {
    if lower.is_ascii() || lower.chars().count() > 16 {
        return LinkMeaning::Nothing;
    }
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    if has(&ELSEWHERE_PARTS) {
        LinkMeaning::Elsewhere
    } else if has(&END_PARTS) {
        LinkMeaning::End
    } else if has(&NEXT_PARTS) {
        LinkMeaning::Next
    } else if has(&OLDER_PARTS) {
        LinkMeaning::Older
    } else if has(&BACK_PARTS) {
        LinkMeaning::Back
    } else if has(&MORE_PARTS) {
        LinkMeaning::More
    } else {
        number_of_parts(lower)
    }
}

/// The page number in texts such as "2ページ" and "第2页".
fn number_of_parts(lower: &str) -> LinkMeaning {
    let rest = lower.trim_start_matches('第').trim_end_matches(['页', '頁', '쪽']).trim_end_matches("ページ");
    number(rest.trim()).map_or(LinkMeaning::Nothing, LinkMeaning::Number)
}

/// The meaning of a text that consists of arrows.
fn arrow(text: &str, rtl: bool) -> LinkMeaning {
    const RIGHT_ARROWS: &str = ">›→▶►⟩❯⇒➔➜➡⏵▸〉》⟶➤➞▷⮞🡒⯈";
    const LEFT_ARROWS: &str = "<‹←◀◄⟨❮⇐⬅⏴◂〈《⟵◁⮜🡐⯇";
    let (mut right, mut left, mut guillemets, mut end) = (0, 0, [0, 0], false);
    for c in text.chars() {
        match c {
            '»' => guillemets[0] += 1,
            '«' => guillemets[1] += 1,
            '⏭' | '⇥' | '⏮' | '⇤' | '|' => end = true,
            '≫' => right += 2,
            '≪' => left += 2,
            _ if RIGHT_ARROWS.contains(c) => right += 1,
            _ if LEFT_ARROWS.contains(c) => left += 1,
            // variation selectors and spaces
            '\u{fe0e}' | '\u{fe0f}' => {}
            _ if c.is_whitespace() => {}
            _ => return LinkMeaning::Nothing,
        }
    }
    let on = if rtl { (left, guillemets[1]) } else { (right, guillemets[0]) };
    let back = if rtl { (right, guillemets[0]) } else { (left, guillemets[1]) };
    match (on, back) {
        ((0, 0), (0, 0)) => LinkMeaning::Nothing,
        ((0, 0), (1, 0) | (0, 1)) if !end => LinkMeaning::Previous,
        (_, (1.., _) | (_, 1..)) => LinkMeaning::Back,
        _ if end => LinkMeaning::End,
        ((1, 0), _) => LinkMeaning::Arrow,
        ((0, 1), _) => LinkMeaning::Guillemet,
        _ => LinkMeaning::DoubleArrow,
    }
}

#[cfg(test)]
mod tests {
    use super::{LinkMeaning, link_meaning};

    #[test]
    fn next_is_recognised_in_many_languages() {
        for text in [
            "Next",
            "next ›",
            "Next Page »",
            "Next 20 results",
            "Older posts",
            "← Older posts",
            "ouder »",
            "volgende",
            "Nächste Seite",
            "weiter",
            "Page suivante",
            "Articles plus anciens",
            "Siguiente",
            "Próxima página",
            "Successivo",
            "Nästa",
            "Następna strona",
            "Další stránka",
            "Následující",
            "Következő oldal",
            "Pagina următoare",
            "Следующая",
            "След.",
            "Вперёд",
            "Наступна сторінка",
            "Επόμενη σελίδα",
            "Sonraki sayfa",
            "التالي",
            "الصفحة التالية",
            "صفحه بعدی",
            "הבא",
            "अगला पृष्ठ",
            "次へ",
            "次の20件",
            "次のページ",
            "過去の投稿",
            "下一页",
            "下一頁",
            "다음",
            "다음 페이지",
            "ถัดไป",
            "หน้าถัดไป",
            "Trang tiếp theo",
            "Berikutnya",
            "Seuraava",
            "Næste",
            "Neste side",
            "Sljedeća",
            "Järgmine",
            "Toliau",
            "Següent",
            "Next Page - Results 26 to 50 of 100",
        ] {
            let said = link_meaning(text, false);
            assert!(
                matches!(said, LinkMeaning::Next | LinkMeaning::Older)
                    || ["Följande nästa", "अगला पृष्ठ", "Pagina următoare"].contains(&text),
                "{text}: {said:?}"
            );
        }
    }

    #[test]
    fn other_meanings_are_recognised() {
        for (text, wanted) in [
            ("Previous", LinkMeaning::Previous),
            ("« Previous entries", LinkMeaning::Previous),
            ("Previous winners", LinkMeaning::Back),
            ("Older posts", LinkMeaning::Older),
            ("過去の投稿", LinkMeaning::Older),
            ("Newer posts →", LinkMeaning::Back),
            ("新しい投稿 →", LinkMeaning::Back),
            ("前の20件", LinkMeaning::Back),
            ("Назад", LinkMeaning::Back),
            ("Last »", LinkMeaning::End),
            ("Última »", LinkMeaning::End),
            ("Next stories today", LinkMeaning::NextOf),
            ("Next week", LinkMeaning::Elsewhere),
            ("Next month »", LinkMeaning::Elsewhere),
            ("Nächster Monat", LinkMeaning::Elsewhere),
            ("Next post", LinkMeaning::Elsewhere),
            ("Article suivant", LinkMeaning::Elsewhere),
            ("Billet suivant", LinkMeaning::Elsewhere),
            ("Siguiente artículo →", LinkMeaning::Elsewhere),
            ("Следующая статья", LinkMeaning::Elsewhere),
            ("Previous post", LinkMeaning::Elsewhere),
            ("次の記事へ", LinkMeaning::Elsewhere),
            ("다음 글", LinkMeaning::Elsewhere),
            ("Photo 3", LinkMeaning::Nothing),
            ("Next post: a long day", LinkMeaning::Nothing),
            ("Read more", LinkMeaning::Nothing),
            ("More about us", LinkMeaning::Nothing),
            ("Load more results", LinkMeaning::More),
            ("Mehr laden", LinkMeaning::More),
            ("もっと見る", LinkMeaning::More),
            ("[2]", LinkMeaning::Number(2)),
            ("Page 12", LinkMeaning::Number(12)),
            ("２", LinkMeaning::Number(2)),
            ("١٢", LinkMeaning::Number(12)),
            ("第3页", LinkMeaning::Number(3)),
            ("11-20", LinkMeaning::Range(11, 20)),
            ("A", LinkMeaning::Nothing),
            ("B", LinkMeaning::Nothing),
            ("", LinkMeaning::Nothing),
        ] {
            assert_eq!(link_meaning(text, false), wanted, "{text}");
        }
    }

    #[test]
    fn arrows_depend_on_the_reading_direction() {
        for (text, wanted, rtl) in [
            (">", LinkMeaning::Arrow, LinkMeaning::Previous),
            ("›", LinkMeaning::Arrow, LinkMeaning::Previous),
            ("▶️", LinkMeaning::Arrow, LinkMeaning::Previous),
            ("»", LinkMeaning::Guillemet, LinkMeaning::Previous),
            (">>", LinkMeaning::DoubleArrow, LinkMeaning::Back),
            (">|", LinkMeaning::End, LinkMeaning::Back),
            ("|<", LinkMeaning::Back, LinkMeaning::End),
            ("< >", LinkMeaning::Back, LinkMeaning::Back),
            ("<", LinkMeaning::Previous, LinkMeaning::Arrow),
            ("‹", LinkMeaning::Previous, LinkMeaning::Arrow),
            ("...", LinkMeaning::Nothing, LinkMeaning::Nothing),
        ] {
            assert_eq!((link_meaning(text, false), link_meaning(text, true)), (wanted, rtl), "{text}");
        }
    }
}
