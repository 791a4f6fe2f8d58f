//! Words of counters: what lists are of, "of", "to", "page", "showing", in many languages.
//!
//! In: a text. Out: its [`Token`]s: whole numbers with their separators of thousands, and words that mean something beside a
//! number. Scripts without spaces are cut at the known words. O(length of the text).

use super::words::digit;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a word means to a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Word {
    /// "of": what follows is the whole.
    Of,
    /// "件中": what stands before is the whole.
    Whole,
    /// "to", "-".
    To,
    /// "page".
    Page,
    /// "results", "hits": what only lists have.
    Results,
    /// "properties", "jobs": what a list may be of.
    Things,
    /// "showing", "found".
    Show,
    /// "total", "all".
    Total,
    /// "about", "more than".
    About,
    /// "per": of a page, not of the list.
    Per,
    /// "top", "next": not the whole.
    Part,
    Slash,
    Open,
    Close,
    Colon,
    /// Another word or sign.
    Other,
    /// The end of a line or a block.
    Break,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// A whole number; `more` if a plus follows.
    Number {
        value: u64,
        more: bool,
    },
}

const OF: &str = "of von sur di van af av z ze od iz из із з dari trên από من מתוך از de del da dos das den dintre iš no / out aus su din";
const TO: &str =
    "to bis à a al till til tot do až до through thru até - – — ‒ ~ 〜 ～ .. ... … إلى عד עד ila";
const PAGE: &str = "page pages pg seite seiten página páginas pagina pagine paginas páxina strona stron strony stránka stránky stran strana \
    страница страницы страниц стр сторінка σελίδα sida sidor side sider sivu sivua sayfa halaman trang صفحة صفحه עמוד דף oldal puslapis \
    lehekülg pàgina पृष्ठ";
const RESULTS: &str = "results result resultaten resultaat ergebnisse ergebnis treffer ergebnissen treffern suchergebnisse résultats résultat \
    resultados resultado resultats risultati risultato resultat träffar tulosta tulokset hakutulosta hits hit matches match wyniki wyników wynik \
    výsledků výsledky výsledkov találat találatok rezultate rezultata rezultati результатов результата результаты результат результати \
    результатів резултата αποτελέσματα αποτέλεσμα sonuç sonuçlar sonuçtan hasil kết نتيجة نتائج نتیجه תוצאות परिणाम records entries treff \
    registros enregistrements datensätze records rows listings documents posts";
const THINGS: &str = "items item products product properties property jobs job vacancies articles article books book discussions discussion \
    topics topic threads messages ads offers offer homes houses apartments flats rentals cars vehicles hotels restaurants recipes events \
    events courses movies films photos images videos songs titles stories news places stores companies businesses \
    players candidates opinions cases files pages categories styles models deals questions projects packages repositories \
    artikel produkte produkt angebote angebot anzeigen immobilien wohnungen fahrzeuge stellen stellenangebote jobs beiträge bücher rezepte \
    veranstaltungen objekte inserate einträge \
    annonces annonce produits produit offres biens articles voitures emplois livres recettes \
    productos producto anuncios anuncio artículos inmuebles viviendas ofertas coches empleos libros pisos propiedades \
    produtos produto anúncios imóveis vagas artigos ofertas carros livros imóvel \
    prodotti prodotto annunci annuncio immobili offerte articoli case auto libri \
    producten artikelen woningen vacatures advertenties aanbiedingen berichten boeken \
    produkter annonser annoncer varer varor objekt bostäder lediga artiklar boliger bøker stillinger tuotetta ilmoitusta asuntoa kohdetta \
    produktów produkty ogłoszeń ogłoszenia ofert oferty ofertach artykułów mieszkań produktů nabídek inzerátů položek článků produktov inzerátov \
    termék hirdetés ingatlan produse anunțuri anunturi oferte proizvoda oglasa artikala nekretnina \
    товаров товара товары объявлений объявления объявление предложений вакансий вакансии записей книг квартир тем сообщений документов \
    товарів оголошень пропозицій вакансій обяви продукта αγγελίες προϊόντα ürün ilan ürünler ilanlar produk lowongan properti iklan sản sản-phẩm \
    منتج منتجات إعلان اعلان محصول آگهی מוצרים מודעות उत्पाद skelbimai sludinājumi toodet kuulutust";
const SHOW: &str = "showing shows show displaying display displayed viewing found list listed we have there are is your search zeige zeigt \
    angezeigt gefunden gefundene zeigen affichage affichés trouvés trouvé mostrando mostrar se encontraron encontrados mostrati visualizzati \
    visualizzazione trovati toont weergegeven gevonden visar visas viser vis näytetään löytyi wyświetlanie wyświetlono znaleziono zobrazeno nalezeno \
    zobrazené zobrazených megjelenítve afișare rezultatele prikazano pronađeno показано показаны найдено найдена показаны показати знайдено εμφάνιση βρέθηκαν \
    gösteriliyor bulundu listeleniyor menampilkan ditemukan hiển thị عرض מציג נמצאו viewing exibindo encontradas foram wir haben";
const TOTAL: &str = "total totals insgesamt gesamt totaal totale totalt totales totais всего всьог усього razem łącznie celkem összesen ukupno toplam \
    yhteensä σύνολο إجمالي סה count counter";
const ABOUT: &str = "about over approximately approx around more than nearly almost ca circa etwa ungefähr rund über mehr als environ plus aproximadamente cerca \
    más mais oltre più ongeveer meer dan omkring noin około ponad přibližně asi více než több mint около более больше свыше понад близько περίπου yaklaşık sekitar khoảng حوالي ~ ≈";
const PER: &str = "per pro par por je each every na sur/page";
const PART: &str = "top first last next previous prev best min max minimum maximum only latest ersten letzten nächsten premiers derniers suivants últimos primeros \
    siguientes primi ultimi prossimi последние первые ago since";

/// Scripts without spaces: the longest that fits is taken.
const GLUED: [(&str, Word); 44] = [
    ("件中", Word::Whole),
    ("개 중", Word::Whole),
    ("건 중", Word::Whole),
    ("件の結果", Word::Results),
    ("件の検索結果", Word::Results),
    ("検索結果", Word::Results),
    ("件", Word::Results),
    ("条结果", Word::Results),
    ("个结果", Word::Results),
    ("條結果", Word::Results),
    ("結果", Word::Results),
    ("结果", Word::Results),
    ("条记录", Word::Results),
    ("筆", Word::Results),
    ("条", Word::Results),
    ("個商品", Word::Things),
    ("商品", Word::Things),
    ("物件", Word::Things),
    ("个商品", Word::Things),
    ("个", Word::Things),
    ("套", Word::Things),
    ("点", Word::Things),
    ("作品", Word::Things),
    ("개의 결과", Word::Results),
    ("검색결과", Word::Results),
    ("건", Word::Results),
    ("개", Word::Things),
    ("ページ", Word::Page),
    ("页", Word::Page),
    ("頁", Word::Page),
    ("페이지", Word::Page),
    ("共", Word::Total),
    ("全", Word::Total),
    ("総", Word::Total),
    ("总", Word::Total),
    ("총", Word::Total),
    ("計", Word::Total),
    ("約", Word::About),
    ("约", Word::About),
    ("약", Word::About),
    ("から", Word::To),
    ("至", Word::To),
    ("รายการ", Word::Things),
    ("ผลลัพธ์", Word::Results),
];

static TABLE: LazyLock<FxHashMap<&'static str, Word>> = LazyLock::new(|| {
    // later lists win
    let lists = [
        (ABOUT, Word::About),
        (SHOW, Word::Show),
        (THINGS, Word::Things),
        (RESULTS, Word::Results),
        (TOTAL, Word::Total),
        (PART, Word::Part),
        (PER, Word::Per),
        (TO, Word::To),
        (OF, Word::Of),
        (PAGE, Word::Page),
    ];
    lists
        .into_iter()
        .flat_map(|(list, word)| list.split_ascii_whitespace().map(move |text| (text, word)))
        .collect()
});

/// Most tokens of a text.
const MOST: usize = 120;

/// Cuts a text into tokens; `\n` is a break.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if tokens.len() >= MOST {
            break;
        }
        if digit(c).is_some() {
            let (token, length) = number(rest);
            tokens.push(token);
            rest = &rest[length..];
        } else if c.is_alphabetic() {
            rest = &rest[word(rest, &mut tokens)..];
        } else {
            tokens.extend(sign(rest, c));
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

fn sign(rest: &str, c: char) -> Option<Token> {
    let word = match c {
        '\n' => Word::Break,
        '/' | '／' => Word::Slash,
        '(' | '[' | '（' | '【' => Word::Open,
        ')' | ']' | '）' | '】' => Word::Close,
        ':' | '：' => Word::Colon,
        '-' | '–' | '—' | '‒' | '−' | '~' | '〜' | '～' | '…' | '－' => Word::To,
        // ".." is a dash, "." the end of something
        '.' if rest.starts_with("..") => Word::To,
        '.' | '"' | '“' | '”' | '\'' | '’' | '*' => return None,
        _ if c.is_whitespace() => return None,
        _ => Word::Other,
    };
    Some(Token::Word(word))
}

/// Reads a word, or the known words of a run without spaces; gives its length.
fn word(rest: &str, tokens: &mut Vec<Token>) -> usize {
    let is_part = |c: char| {
        c.is_alphabetic()
            || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
    };
    if rest.as_bytes()[0] >= 0xe0 {
        let glued =
            GLUED.iter().filter(|(text, _)| rest.starts_with(text)).max_by_key(|(text, _)| text.len());
        if let Some((text, word)) = glued {
            tokens.push(Token::Word(*word));
            return text.len();
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        if rest.as_bytes()[0] >= 0xe3 {
            tokens.push(Token::Word(Word::Other));
            return first;
        }
    }
    let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()).max(1);
    let meaning = if length > 40 { None } else { TABLE.get(rest[..length].to_lowercase().as_str()).copied() };
    tokens.push(Token::Word(meaning.unwrap_or(Word::Other)));
    length
}

/// Reads a number and what is glued to it: separators of thousands belong to it; decimals, units and ordinals make it none.
fn number(rest: &str) -> (Token, usize) {
    let mut value = 0u64;
    let (mut length, mut digits, mut group) = (0, 0, 0);
    let mut whole = true;
    let mut grouped = false;
    for (at, c) in rest.char_indices() {
        if let Some(figure) = digit(c) {
            value = value.saturating_mul(10).saturating_add(u64::from(figure));
            digits += 1;
            group += 1;
            length = at + c.len_utf8();
            continue;
        }
        let follows = |n: usize| {
            let mut next = rest[at + c.len_utf8()..].chars();
            (&mut next).take(n).filter(|c| digit(*c).is_some()).count() == n
                && next.next().is_none_or(|c| digit(c).is_none())
        };
        let first = !grouped && group <= 3 || grouped && group == 3;
        match c {
            ',' | '.' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}' | ' ' | '，' | '٬'
                if first && follows(3) =>
            {
                (grouped, group) = (true, 0);
            }
            // 12,34,567
            ',' if group <= 2 && follows(2) && is_indian(&rest[at..]) => group = 0,
            '.' | ',' if rest[at + 1..].chars().next().is_some_and(|c| digit(c).is_some()) => {
                // a decimal: its digits are read and it is no whole number
                whole = false;
                group = 0;
            }
            _ => break,
        }
    }
    let mut more = false;
    let tail = rest[length..].trim_start_matches([' ', '\u{a0}']);
    if tail.starts_with(['+', '＋']) {
        more = true;
        length = rest.len() - tail.len() + tail.chars().next().map_or(0, char::len_utf8);
    }
    match rest[length..].chars().next() {
        Some('%' | '°' | '$' | '€' | '£' | '¥' | '₹' | '×' | 'º') => whole = false,
        Some(c) if c.is_alphabetic() && (c as u32) < 0x900 => whole = false,
        _ => {}
    }
    if digits > 12 || !whole {
        return (Token::Word(Word::Other), length.max(1));
    }
    (Token::Number { value, more }, length.max(1))
}

/// The rest of a number in Indian groups: `,34,567`.
fn is_indian(rest: &str) -> bool {
    let mut groups = rest[1..].split(',').map(|group| group.bytes().take_while(u8::is_ascii_digit).count());
    groups.by_ref().take_while(|digits| *digits == 2).count() > 0
        && rest[1..]
            .split(',')
            .any(|group| group.len() >= 3 && group.bytes().take_while(u8::is_ascii_digit).count() == 3)
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    fn numbers(text: &str) -> Vec<u64> {
        let number = |token| if let Token::Number { value, .. } = token { Some(value) } else { None };
        tokens(text).into_iter().filter_map(number).collect()
    }

    #[test]
    fn separators_of_thousands() {
        for (text, wanted) in [
            ("1,234,567 results", &[1_234_567][..]),
            ("1.234 Treffer", &[1234]),
            ("1 234 résultats", &[1234]),
            ("1\u{202f}234\u{a0}567", &[1_234_567]),
            ("1’234", &[1234]),
            ("12,34,567 results", &[1_234_567]),
            ("1-20 of 345", &[1, 20, 345]),
            ("1–20, 345", &[1, 20, 345]),
            ("１２３件", &[123]),
            ("全345件中1-20件", &[345, 1, 20]),
            ("1..20", &[1, 20]),
            ("1000+ results", &[1000]),
            ("4.5 stars, 3.14", &[]),
            ("20px 3D 2nd 50% 12€", &[]),
            ("123456789012345", &[]),
            ("page 2.", &[2]),
        ] {
            assert_eq!(numbers(text), wanted, "{text}");
        }
    }
}
