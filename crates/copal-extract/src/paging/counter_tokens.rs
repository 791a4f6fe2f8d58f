//! Tokens of counters: numbers, nouns, "of", "to", "page", "showing", in many languages.
//!
//! In: a text. Out: its [`CounterToken`]s: whole numbers with their thousands separators, and words that have
//! a meaning next to a number. Texts in scripts without spaces are cut at the known words. O(length of the
//! text).

use super::digits::digit;
use copal_values::word_table::WordTable;

/// What a word means in a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum CounterWord {
    /// "of": the total follows.
    Of,
    /// "件中": the total precedes.
    Whole,
    /// "to", "-".
    To,
    /// "page".
    Page,
    /// "results", "hits": nouns that only lists have.
    Results,
    /// "properties", "jobs": nouns for the records of a list.
    Things,
    /// "showing", "found".
    Show,
    /// "total", "all".
    Total,
    /// "about", "more than".
    About,
    /// "per": the number is about a page, not about the list.
    Per,
    /// "top", "next": the number is not the total.
    Part,
    Slash,
    Open,
    Close,
    Colon,
    /// A word that the page's title or headings have too: "kettles" on a page about kettles.
    Own,
    /// Another word or sign.
    Other,
    /// The end of a line or a block.
    Break,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CounterToken {
    Word(CounterWord),
    /// A whole number; `more` is true if a plus sign follows.
    Number {
        value: u64,
        more: bool,
    },
}

/// Words of each meaning, separated by spaces.
const OF_WORDS: &str = "\
    of von sur di van af av z ze od iz из із з dari trên από من מתוך از de del da dos das den dintre iš \
    no / out aus su din";
const TO_WORDS: &str = "\
    to bis à a al till til tot do až до through thru até - – — ‒ ~ 〜 ～ .. ... … إلى عד עד ila";
const PAGE_WORDS: &str = "\
    page pages pg seite seiten página páginas pagina pagine paginas páxina strona stron strony stránka \
    stránky stran strana страница страницы страниц стр сторінка σελίδα sida sidor side sider sivu sivua \
    sayfa halaman trang صفحة صفحه עמוד דף oldal puslapis lehekülg pàgina पृष्ठ";
const RESULTS_WORDS: &str = "\
    results result resultaten resultaat ergebnisse ergebnis treffer ergebnissen treffern suchergebnisse \
    résultats résultat resultados resultado resultats risultati risultato resultat träffar tulosta \
    tulokset hakutulosta hits hit matches match wyniki wyników wynik výsledků výsledky výsledkov találat \
    találatok rezultate rezultata rezultati результатов результата результаты результат результати \
    результатів резултата αποτελέσματα αποτέλεσμα sonuç sonuçlar sonuçtan hasil kết نتيجة نتائج نتیجه \
    תוצאות परिणाम records entries treff registros enregistrements datensätze records rows listings \
    documents posts";
const THINGS_WORDS: &str = "\
    items item products product properties property jobs job vacancies articles article books book \
    discussions discussion topics topic threads messages ads offers offer homes houses apartments flats \
    rentals cars vehicles hotels restaurants recipes events events courses movies films photos images \
    videos songs titles stories news places stores companies businesses players candidates opinions cases \
    files pages categories styles models deals questions projects packages repositories artikel produkte \
    produkt angebote angebot anzeigen immobilien wohnungen fahrzeuge stellen stellenangebote jobs \
    beiträge bücher rezepte veranstaltungen objekte inserate einträge annonces annonce produits produit \
    offres biens articles voitures emplois livres recettes productos producto anuncios anuncio artículos \
    inmuebles viviendas ofertas coches empleos libros pisos propiedades produtos produto anúncios imóveis \
    vagas artigos ofertas carros livros imóvel prodotti prodotto annunci annuncio immobili offerte \
    articoli case auto libri producten artikelen woningen vacatures advertenties aanbiedingen berichten \
    boeken produkter annonser annoncer varer varor objekt bostäder lediga artiklar boliger bøker \
    stillinger tuotetta ilmoitusta asuntoa kohdetta produktów produkty ogłoszeń ogłoszenia ofert oferty \
    ofertach artykułów mieszkań produktů nabídek inzerátů položek článků produktov inzerátov termék \
    hirdetés ingatlan produse anunțuri anunturi oferte proizvoda oglasa artikala nekretnina товаров \
    товара товары объявлений объявления объявление предложений вакансий вакансии записей книг квартир тем \
    сообщений документов товарів оголошень пропозицій вакансій обяви продукта αγγελίες προϊόντα ürün ilan \
    ürünler ilanlar produk lowongan properti iklan sản sản-phẩm منتج منتجات إعلان اعلان محصول آگهی מוצרים \
    מודעות उत्पाद skelbimai sludinājumi toodet kuulutust";
const SHOW_WORDS: &str = "\
    showing shows show displaying display displayed viewing found list listed we have there are is your \
    search zeige zeigt angezeigt gefunden gefundene zeigen affichage affichés trouvés trouvé mostrando \
    mostrar se encontraron encontrados mostrati visualizzati visualizzazione trovati toont weergegeven \
    gevonden visar visas viser vis näytetään löytyi wyświetlanie wyświetlono znaleziono zobrazeno \
    nalezeno zobrazené zobrazených megjelenítve afișare rezultatele prikazano pronađeno показано показаны \
    найдено найдена показаны показати знайдено εμφάνιση βρέθηκαν gösteriliyor bulundu listeleniyor \
    menampilkan ditemukan hiển thị عرض מציג נמצאו viewing exibindo encontradas foram wir haben";
const TOTAL_WORDS: &str = "\
    total totals insgesamt gesamt totaal totale totalt totales totais всего всьог усього razem łącznie \
    celkem összesen ukupno toplam yhteensä σύνολο إجمالي סה count counter";
const ABOUT_WORDS: &str = "\
    about over approximately approx around more than nearly almost ca circa etwa ungefähr rund über mehr \
    als environ plus aproximadamente cerca más mais oltre più ongeveer meer dan omkring noin około ponad \
    přibližně asi více než több mint около более больше свыше понад близько περίπου yaklaşık sekitar \
    khoảng حوالي ~ ≈";
const PER_WORDS: &str = "\
    per pro par por je each every na sur/page";
const PART_WORDS: &str = "\
    top first last next previous prev best min max minimum maximum only latest ersten letzten nächsten \
    premiers derniers suivants últimos primeros siguientes primi ultimi prossimi последние первые ago \
    since";

/// Words of scripts without spaces. The longest match wins.
const UNSPACED_WORDS: [(&str, CounterWord); 44] = [
    ("件中", CounterWord::Whole),
    ("개 중", CounterWord::Whole),
    ("건 중", CounterWord::Whole),
    ("件の結果", CounterWord::Results),
    ("件の検索結果", CounterWord::Results),
    ("検索結果", CounterWord::Results),
    ("件", CounterWord::Results),
    ("条结果", CounterWord::Results),
    ("个结果", CounterWord::Results),
    ("條結果", CounterWord::Results),
    ("結果", CounterWord::Results),
    ("结果", CounterWord::Results),
    ("条记录", CounterWord::Results),
    ("筆", CounterWord::Results),
    ("条", CounterWord::Results),
    ("個商品", CounterWord::Things),
    ("商品", CounterWord::Things),
    ("物件", CounterWord::Things),
    ("个商品", CounterWord::Things),
    ("个", CounterWord::Things),
    ("套", CounterWord::Things),
    ("点", CounterWord::Things),
    ("作品", CounterWord::Things),
    ("개의 결과", CounterWord::Results),
    ("검색결과", CounterWord::Results),
    ("건", CounterWord::Results),
    ("개", CounterWord::Things),
    ("ページ", CounterWord::Page),
    ("页", CounterWord::Page),
    ("頁", CounterWord::Page),
    ("페이지", CounterWord::Page),
    ("共", CounterWord::Total),
    ("全", CounterWord::Total),
    ("総", CounterWord::Total),
    ("总", CounterWord::Total),
    ("총", CounterWord::Total),
    ("計", CounterWord::Total),
    ("約", CounterWord::About),
    ("约", CounterWord::About),
    ("약", CounterWord::About),
    ("から", CounterWord::To),
    ("至", CounterWord::To),
    ("รายการ", CounterWord::Things),
    ("ผลลัพธ์", CounterWord::Results),
];

/// What words mean next to a number. A word that is in several lists has the meaning of the last one.
static COUNTER_WORDS: WordTable<CounterWord, 1024> = {
    let mut words = WordTable::new(CounterWord::About);
    words.set_all(ABOUT_WORDS, CounterWord::About);
    words.set_all(SHOW_WORDS, CounterWord::Show);
    words.set_all(THINGS_WORDS, CounterWord::Things);
    words.set_all(RESULTS_WORDS, CounterWord::Results);
    words.set_all(TOTAL_WORDS, CounterWord::Total);
    words.set_all(PART_WORDS, CounterWord::Part);
    words.set_all(PER_WORDS, CounterWord::Per);
    words.set_all(TO_WORDS, CounterWord::To);
    words.set_all(OF_WORDS, CounterWord::Of);
    words.set_all(PAGE_WORDS, CounterWord::Page);
    words
};

/// Maximum number of tokens per text.
const MAX_COUNTER_TOKENS: usize = 120;

/// What a word means next to a number; `None` for most words.
pub(super) fn meaning(word: &str) -> Option<CounterWord> {
    COUNTER_WORDS.get(&word.to_lowercase())
}

/// Splits a text into tokens; a line feed is a [`CounterWord::Break`]. Words without a meaning are the page's own if
/// `is_own` says so.
pub(super) fn tokens(text: &str, is_own: &dyn Fn(&str) -> bool) -> Vec<CounterToken> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if tokens.len() >= MAX_COUNTER_TOKENS {
            break;
        }
        if digit(c).is_some() {
            let (token, length) = number(rest);
            tokens.push(token);
            rest = &rest[length..];
        } else if c.is_alphabetic() {
            rest = &rest[word(rest, is_own, &mut tokens)..];
        } else {
            tokens.extend(sign(rest, c));
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

fn sign(rest: &str, c: char) -> Option<CounterToken> {
    let word = match c {
        '\n' => CounterWord::Break,
        '/' | '／' => CounterWord::Slash,
        '(' | '[' | '（' | '【' => CounterWord::Open,
        ')' | ']' | '）' | '】' => CounterWord::Close,
        ':' | '：' => CounterWord::Colon,
        '-' | '–' | '—' | '‒' | '−' | '~' | '〜' | '～' | '…' | '－' => CounterWord::To,
        // ".." is a dash, "." ends an abbreviation or a sentence
        '.' if rest.starts_with("..") => CounterWord::To,
        '.' | '"' | '“' | '”' | '\'' | '’' | '*' => return None,
        _ if c.is_whitespace() => return None,
        _ => CounterWord::Other,
    };
    Some(CounterToken::Word(word))
}

/// Reads a word, or one known word of a run without spaces, and returns its length.
fn word(rest: &str, is_own: &dyn Fn(&str) -> bool, tokens: &mut Vec<CounterToken>) -> usize {
    let is_part = |c: char| {
        c.is_alphabetic()
            || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
    };
    if rest.as_bytes()[0] >= 0xe0 {
        let known = UNSPACED_WORDS
            .iter()
            .filter(|(text, _)| rest.starts_with(text))
            .max_by_key(|(text, _)| text.len());
        if let Some((text, word)) = known {
            tokens.push(CounterToken::Word(*word));
            return text.len();
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        if rest.as_bytes()[0] >= 0xe3 {
            tokens.push(CounterToken::Word(CounterWord::Other));
            return first;
        }
    }
    let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()).max(1);
    let other = || if is_own(&rest[..length]) { CounterWord::Own } else { CounterWord::Other };
    let word = if length > 40 { CounterWord::Other } else { meaning(&rest[..length]).unwrap_or_else(other) };
    tokens.push(CounterToken::Word(word));
    length
}

/// Reads a number and what is attached to it. Thousands separators belong to the number; with decimals, units
/// or ordinal endings it is not a whole number and becomes [`CounterWord::Other`].
fn number(rest: &str) -> (CounterToken, usize) {
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
                // a decimal: its digits are skipped, and it is not a whole number
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
        return (CounterToken::Word(CounterWord::Other), length.max(1));
    }
    (CounterToken::Number { value, more }, length.max(1))
}

/// True for the rest of a number in Indian grouping: `,34,567`.
fn is_indian(rest: &str) -> bool {
    let mut groups = rest[1..].split(',').map(|group| group.bytes().take_while(u8::is_ascii_digit).count());
    groups.by_ref().take_while(|digits| *digits == 2).count() > 0
        && rest[1..]
            .split(',')
            .any(|group| group.len() >= 3 && group.bytes().take_while(u8::is_ascii_digit).count() == 3)
}

#[cfg(test)]
mod tests {
    use super::{CounterToken, tokens};

    fn numbers(text: &str) -> Vec<u64> {
        let number = |token| if let CounterToken::Number { value, .. } = token { Some(value) } else { None };
        tokens(text, &|_| false).into_iter().filter_map(number).collect()
    }

    #[test]
    fn thousands_separators_belong_to_numbers() {
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
