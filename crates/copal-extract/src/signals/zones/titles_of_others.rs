//! Titles of other objects on a detail page, in many languages.
//!
//! In: a title in lower case. Out: whether it announces other objects. O(length of the title) for each known title whose
//! letters it has.

/// What titles of other objects on a detail page contain. Longer than [`SECONDARY_TITLES`]: a detail page has
/// one object, so a list with such a title is not part of it, while on a list page it can be the main list.
const OTHER_OBJECTS_TITLES: &[&str] = &[
    "similar",
    "related",
    "recommended",
    "recommendations",
    "also bought",
    "also viewed",
    "also like",
    "also liked",
    "might like",
    "may like",
    "nearby",
    "recently viewed",
    "recently sold",
    "more from",
    "customers who",
    "people who",
    "featured",
    "sponsored",
    "advertisement",
    "advertisements",
    "you may",
    "you might",
    "other customers",
    "sold nearby",
    "popular",
    "trending",
    "don't miss",
    "more recipes",
    "more like this",
    "see also",
    "top rated",
    "best sellers",
    "bestsellers",
    "reviews",
    "comments",
    "customer reviews",
    "user reviews",
    "latest",
    "other jobs",
    "more jobs",
    "similar jobs",
    "accessories",
    // the same in other languages
    "\u{e4}hnliche",
    "verwandte",
    "empfehlungen",
    "empfohlen",
    "passend dazu",
    "k\u{f6}nnte",
    "kauften auch",
    "zuletzt angesehen",
    "bewertungen",
    "rezensionen",
    "kommentare",
    "zubeh\u{f6}r",
    "similaires",
    "aussi",
    "recommand",
    "avis clients",
    "commentaires",
    "accessoires",
    "relacionad",
    "similares",
    "tambi\u{e9}n",
    "recomendad",
    "opiniones",
    "comentarios",
    "coment\u{e1}rios",
    "avalia\u{e7}\u{f5}es",
    "tamb\u{e9}m",
    "correlati",
    "simili",
    "consigliati",
    "recensioni",
    "commenti",
    "gerelateerd",
    "vergelijkbare",
    "aanbevolen",
    "beoordelingen",
    "podobne",
    "polecane",
    "opinie",
    "komentarze",
    "podobn\u{e9}",
    "souvisej\u{ed}c\u{ed}",
    "doporu\u{10d}",
    "recenze",
    "koment\u{e1}\u{159}e",
    "diskuze",
    "hasonl\u{f3}",
    "aj\u{e1}nlott",
    "v\u{e9}lem\u{e9}nyek",
    "liknande",
    "lignende",
    "похожие",
    "рекомендуем",
    "отзывы",
    "комментарии",
    "подобни",
    "коментари",
    "関連",
    "おすすめ",
    "レビュー",
    "相关",
    "推荐",
    "评论",
    "관련",
    "추천",
    "리뷰",
];

/// True if a title, in lower case, contains one of [`OTHER_OBJECTS_TITLES`].
pub(crate) fn announces_other_objects(title: &str) -> bool {
    let letters = letters_of(title);
    let possible = OTHER_OBJECTS_LETTERS.iter().zip(OTHER_OBJECTS_TITLES);
    possible.filter(|(needed, _)| **needed & !letters == 0).any(|(_, words)| title.contains(words))
}

/// The letters of each title. Most titles lack one of the letters of most others, and need not be searched for them.
static OTHER_OBJECTS_LETTERS: [u32; OTHER_OBJECTS_TITLES.len()] = {
    let mut letters = [0; OTHER_OBJECTS_TITLES.len()];
    let mut at = 0;
    while at < letters.len() {
        letters[at] = letters_of(OTHER_OBJECTS_TITLES[at]);
        at += 1;
    }
    letters
};

/// The letters from a to z that a text has, one bit each, and one bit for all others that are not ASCII.
const fn letters_of(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let (mut letters, mut at) = (0, 0);
    while at < bytes.len() {
        letters |= match bytes[at] {
            letter @ b'a'..=b'z' => 1 << (letter - b'a'),
            0x80.. => 1 << 26,
            _ => 0,
        };
        at += 1;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::{OTHER_OBJECTS_TITLES, announces_other_objects};

    #[test]
    fn titles_of_other_objects_are_found_anywhere() {
        for title in OTHER_OBJECTS_TITLES {
            assert!(
                announces_other_objects(title) && announces_other_objects(&format!("see {title} (3)")),
                "{title}"
            );
        }
        assert!(
            !announces_other_objects("description")
                && !announces_other_objects("")
                && !announces_other_objects("맥주")
        );
    }
}
