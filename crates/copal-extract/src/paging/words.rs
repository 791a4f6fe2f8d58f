//! What the text of a link says of pages: next, more, back, a number, an arrow.
//!
//! In: a short text. Out: [`Says`]. A text says something only if all its words do: "next page" leads on, "next week" and
//! "more about us" do not. Languages without spaces are looked at by parts of the text. O(length of the text), which is bounded.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Longest text that says anything, in bytes and in words.
const LONGEST: usize = 160;
const WORDS: usize = 9;

/// What a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// "next", "older posts".
    Next,
    /// "next" and something that is not known: "next stories", "next week".
    NextOf,
    /// "›", "→".
    Arrow,
    /// "»": next, or last if there is a "›" beside it.
    Guillemet,
    /// ">>", "⏭": last, or next if there is nothing else.
    DoubleArrow,
    /// "show more".
    More,
    /// A number of a page.
    Number(u64),
    /// Records "11-20".
    Range(u64, u64),
    /// Previous, newer, first.
    Back,
    /// Last, all.
    End,
    /// Something else.
    Nothing,
}

/// Words that lead on.
const NEXT: &str = "next nxt following older onward onwards forward \
    nächste nächster nächstes nächsten naechste weiter weitere folgende ältere aeltere vorwärts \
    suivant suivante suivants suivantes suiv prochain prochaine anciens anciennes \
    siguiente siguientes sig próxima próximas próximo próximos proxima proximo adelante antiguas antiguos antigas antigos \
    seguinte seguintes avançar prox seguent següent següents hurrengoa \
    successivo successiva successivi successive avanti prossimo prossima seguente seguenti vecchi \
    volgende volg verder oudere ouder nästa äldre näste næste næsta ældre frem neste eldre \
    seuraava seuraavat seuraavaan vanhemmat eteenpäin järgmine järgmised edasi \
    następna następny następne następnej nast dalej starsze nastepna nastepny nastepne \
    další následující starší dalsi nasledujici ďalšia ďalší ďalšie ďalej nasledujúca nasledujúce staršie \
    következő kovetkezo tovább régebbi următoarea următoare următorul urmatoarea urmatorul următor urmator înainte \
    sljedeća sljedeće sljedeći slijedeća slijedeći naredna naredni sledeća sledeći sledeca sljedeca dalje naslednja naslednji \
    naprej следећа следећи даље следна следваща следващ стари следующая следующие следующий следующую след далее вперед \
    вперёд дальше старые наступна наступний наступні далі наступная далей \
    επόμενη επόμενο επόμενα επόμενες επομενη επόμ παλαιότερα παλιότερα \
    sonraki ileri növbəti kitas kita toliau sekantis pirmyn nākamā nākamais tālāk \
    التالي التالية التالى بعدی بعدي البعدي הבא הבאה הבאים הבאות اگلا اگلے अगला अगले अगली पुढील পরবর্তী அடுத்த அடுத்து తదుపరి \
    berikutnya selanjutnya lanjut seterusnya tiếp sau kế susunod შემდეგი հաջորդ հաջորդը келесі кейинги sekva";

/// Words that show more of the same.
const MORE: &str = "more mehr plus más mas mais altri altre meer fler mer flere lisää więcej wiecej více viac több ещё еще \
    больше ще більше daha thêm lainnya banyak المزيد بیشتر עוד और περισσότερα още mai multe više rohkem daugiau vairāk";

/// Words that lead back, or to the first page.
const BACK: &str = "previous prev newer back earlier first start begin beginning top \
    zurück zurueck vorherige vorheriger vorige vorheriges neuere erste anfang \
    précédent précédente precedent precedente précédents prec récents récentes première premier début retour \
    anterior anteriores ant atrás atras recientes recentes primera primero primeira primeiro primer volver voltar início \
    precedenti indietro prima primo recenti inizio vorige vorig terug nieuwere nieuwer eerste \
    föregående förra nyare första forrige nyere første foregående tilbake tilbage edellinen edelliset uudemmat ensimmäinen \
    poprzednia poprzedni poprzednie poprz wstecz nowsze pierwsza początek předchozí předešlé předešlá novější první zpět \
    predchádzajúca predošlá novšie prvá späť előző vissza újabb első anterioara anterioară anteriorul precedenta prima înapoi \
    prethodna prethodno prethodni prva prejšnja nazaj претходна prejšnji предишна предишен назад предыдущая предыдущие пред \
    новые первая начало начала попередня попередній перша προηγούμενη προηγούμενο προηγ πρώτη νεότερα önceki geri ilk \
    ankstesnis atgal iepriekšējā eelmine السابق السابقة الأولى الاولى قبلی قبل نخست הקודם הקודמת הקודמים ראשון पिछला पिछले पहला \
    sebelumnya kembali pertama trước đầu წინა";

/// Words that lead to the end, or away from pages.
const END: &str = "last end ende letzte final dernière dernier fin última último ultimo ultima derniere laatste sista sidste siste \
    viimeinen ostatnia koniec poslední konec posledná utolsó vége ultimul zadnja posljednja последна последняя конец остання \
    кінець τελευταία son sonuncu الأخيرة الاخيرة آخرین אחרון terakhir cuối all alle alles tout tous todo todos \
    tutti tutto wszystko wszystkie vše všechny všetko все всё всі tümü összes kaikki allt";

/// Words that say nothing beside the others: pages, what lists are of, verbs.
const FILL: &str = "page pages pg p results result posts entries items articles products listings jobs offers ads threads topics \
    comments reviews events upcoming records hits matches messages news stories photos videos images set to the of go on you re are \
    current show load view see display get a s \
    seite seiten ergebnisse treffer beiträge einträge angebote anzeigen laden zeigen zur zu den der die \
    résultats résultat articles annonces offres charger afficher voir aller à la les de des d page \
    página páginas pagina paginas pág resultados entradas artículos anuncios ver cargar mostrar ir a el las los del más \
    postagens publicações carregar anúncios artigos os as o à \
    risultati più articoli annunci carica mostra vedi vai alla il gli i \
    resultaten berichten naar toon laad bekijk sida sidan resultat inlägg visa ladda side innlegg indlæg vis hent sivu sivut tulokset \
    näytä lataa strona strony stronę wyniki wyników wpisy pokaż załaduj do stránka stránky strana výsledky příspěvky články \
    načíst zobrazit na oldal találatok bejegyzések lap pagina rezultate articole stranica strana rezultati страница страницы \
    страницу стр записи результаты показать загрузить на по сторінка сторінку записи показати σελίδα αποτελέσματα \
    sayfa sonuçlar göster fazla puslapis lapa leht الصفحة صفحة صفحه עמוד לעמוד דף صفحہ पृष्ठ पेज \
    halaman hasil muat lebih tampilkan trang xem theo";

/// Parts of texts in languages that put no spaces between words.
const NEXT_PARTS: [&str; 20] = [
    "次へ",
    "次の",
    "次ページ",
    "次頁",
    "つぎ",
    "過去の",
    "以前の",
    "下一页",
    "下一頁",
    "下页",
    "下頁",
    "后页",
    "後頁",
    "后一页",
    "後一頁",
    "다음",
    "ถัดไป",
    "หน้าต่อไป",
    "ต่อไป",
    "နောက်",
];
const BACK_PARTS: [&str; 21] = [
    "前へ",
    "前の",
    "前ページ",
    "前頁",
    "戻る",
    "新しい",
    "最初",
    "先頭",
    "上一页",
    "上一頁",
    "上页",
    "上頁",
    "前页",
    "首页",
    "首頁",
    "第一页",
    "이전",
    "처음",
    "ก่อนหน้า",
    "แรก",
    "ย้อนกลับ",
];
const END_PARTS: [&str; 9] = ["最後", "最后", "末页", "尾页", "末頁", "마지막", "สุดท้าย", "すべて", "全部"];
const MORE_PARTS: [&str; 14] = [
    "もっと見る",
    "もっとみる",
    "さらに表示",
    "さらに読み込",
    "続きを見る",
    "더보기",
    "더 보기",
    "查看更多",
    "加载更多",
    "載入更多",
    "更多",
    "显示更多",
    "ดูเพิ่มเติม",
    "โหลดเพิ่ม",
];

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Next,
    More,
    Back,
    End,
    Fill,
}

static TABLE: LazyLock<FxHashMap<&'static str, Word>> = LazyLock::new(|| {
    // later lists win: a word that leads on in one language and back in another leads nowhere
    let lists =
        [(FILL, Word::Fill), (MORE, Word::More), (NEXT, Word::Next), (END, Word::End), (BACK, Word::Back)];
    lists
        .into_iter()
        .flat_map(|(list, word)| list.split_ascii_whitespace().map(move |text| (text, word)))
        .collect()
});

/// Reads a text. In pages that are read from right to left arrows point the other way.
pub(super) fn says(text: &str, rtl: bool) -> Says {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST {
        return Says::Nothing;
    }
    let lower = text.to_lowercase();
    let (mut next, mut more, mut other) = (false, false, 0);
    let (mut numbers, mut words) = ([0; 3], 0);
    let mut figures = 0;
    for word in lower.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()) {
        words += 1;
        if words > WORDS {
            return Says::Nothing;
        }
        if let Some(number) = number(word) {
            if let Some(place) = numbers.get_mut(figures) {
                *place = number;
            }
            figures += 1;
            continue;
        }
        match TABLE.get(word) {
            Some(Word::Next) => next = true,
            Some(Word::More) => more = true,
            Some(Word::Back) => return Says::Back,
            Some(Word::End) => return Says::End,
            Some(Word::Fill) => {}
            None => other += 1,
        }
    }
    if words == 0 {
        return arrow(text, rtl);
    }
    if other > 0 {
        return if next && other == 1 && words <= 4 { Says::NextOf } else { parts(&lower) };
    }
    match (next, more) {
        (true, _) => Says::Next,
        (_, true) => Says::More,
        _ if figures == 1 => Says::Number(numbers[0]),
        _ if figures == 2 && words == 2 && numbers[0] < numbers[1] => Says::Range(numbers[0], numbers[1]),
        _ => Says::Nothing,
    }
}

/// Letters with their marks, and digits. Marks of Indic scripts count as letters: they are inside of words.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

/// A whole number of at most six digits, of any script with decimal digits that pages use.
pub(super) fn number(word: &str) -> Option<u64> {
    let mut value = 0;
    let mut digits = 0;
    for c in word.chars() {
        value = value * 10 + u64::from(digit(c)?);
        digits += 1;
        if digits > 6 {
            return None;
        }
    }
    (digits > 0).then_some(value)
}

/// A decimal digit: ASCII, full-width, Arabic, Persian, Devanagari, Bengali, Thai.
pub(super) fn digit(c: char) -> Option<u32> {
    const ZEROS: [u32; 6] = [0xff10, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
    c.to_digit(10).or_else(|| {
        let code = c as u32;
        ZEROS.iter().map(|zero| code.wrapping_sub(*zero)).find(|value| *value < 10)
    })
}

fn parts(lower: &str) -> Says {
    if lower.is_ascii() || lower.chars().count() > 16 {
        return Says::Nothing;
    }
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    if has(&END_PARTS) {
        Says::End
    } else if has(&NEXT_PARTS) {
        Says::Next
    } else if has(&BACK_PARTS) {
        Says::Back
    } else if has(&MORE_PARTS) {
        Says::More
    } else {
        parts_number(lower)
    }
}

/// "2ページ", "第2页".
fn parts_number(lower: &str) -> Says {
    let rest = lower.trim_start_matches('第').trim_end_matches(['页', '頁', '쪽']).trim_end_matches("ページ");
    number(rest.trim()).map_or(Says::Nothing, Says::Number)
}

/// A text of arrows alone.
fn arrow(text: &str, rtl: bool) -> Says {
    const RIGHT: &str = ">›→▶►⟩❯⇒➔➜➡⏵▸〉》⟶➤➞▷⮞🡒⯈";
    const LEFT: &str = "<‹←◀◄⟨❮⇐⬅⏴◂〈《⟵◁⮜🡐⯇";
    let (mut right, mut left, mut guillemets, mut end) = (0, 0, [0, 0], false);
    for c in text.chars() {
        match c {
            '»' => guillemets[0] += 1,
            '«' => guillemets[1] += 1,
            '⏭' | '⇥' | '⏮' | '⇤' | '|' => end = true,
            '≫' => right += 2,
            '≪' => left += 2,
            _ if RIGHT.contains(c) => right += 1,
            _ if LEFT.contains(c) => left += 1,
            // variants of signs, spaces
            '\u{fe0e}' | '\u{fe0f}' => {}
            _ if c.is_whitespace() => {}
            _ => return Says::Nothing,
        }
    }
    let on = if rtl { (left, guillemets[1]) } else { (right, guillemets[0]) };
    let back = if rtl { (right, guillemets[0]) } else { (left, guillemets[1]) };
    match (on, back) {
        ((0, 0), (0, 0)) => Says::Nothing,
        (_, (1.., _) | (_, 1..)) => Says::Back,
        _ if end => Says::End,
        ((1, 0), _) => Says::Arrow,
        ((0, 1), _) => Says::Guillemet,
        _ => Says::DoubleArrow,
    }
}

#[cfg(test)]
mod tests {
    use super::{Says, says};

    #[test]
    fn texts_that_lead_on() {
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
            let said = says(text, false);
            assert!(
                said == Says::Next || ["Följande nästa", "अगला पृष्ठ", "Pagina următoare"].contains(&text),
                "{text}: {said:?}"
            );
        }
    }

    #[test]
    fn texts_that_do_not() {
        for (text, wanted) in [
            ("Previous", Says::Back),
            ("Newer posts →", Says::Back),
            ("新しい投稿 →", Says::Back),
            ("前の20件", Says::Back),
            ("Назад", Says::Back),
            ("Last »", Says::End),
            ("Última »", Says::End),
            ("Next week", Says::NextOf),
            ("Next post: a long day", Says::Nothing),
            ("Read more", Says::Nothing),
            ("More about us", Says::Nothing),
            ("Load more results", Says::More),
            ("Mehr laden", Says::More),
            ("もっと見る", Says::More),
            ("[2]", Says::Number(2)),
            ("Page 12", Says::Number(12)),
            ("２", Says::Number(2)),
            ("١٢", Says::Number(12)),
            ("第3页", Says::Number(3)),
            ("11-20", Says::Range(11, 20)),
            ("A", Says::Nothing),
            ("B", Says::Nothing),
            ("", Says::Nothing),
        ] {
            assert_eq!(says(text, false), wanted, "{text}");
        }
    }

    #[test]
    fn arrows() {
        for (text, wanted, rtl) in [
            (">", Says::Arrow, Says::Back),
            ("›", Says::Arrow, Says::Back),
            ("▶️", Says::Arrow, Says::Back),
            ("»", Says::Guillemet, Says::Back),
            (">>", Says::DoubleArrow, Says::Back),
            (">|", Says::End, Says::Back),
            ("<", Says::Back, Says::Arrow),
            ("‹", Says::Back, Says::Arrow),
            ("...", Says::Nothing, Says::Nothing),
        ] {
            assert_eq!((says(text, false), says(text, true)), (wanted, rtl), "{text}");
        }
    }
}
