//! How many of something: "1,374 reviews", "Reviews (86)", "1000+ items", "3.2k views", "156条评论".
//!
//! In: a text. Out: [`Value::Count`] hits with the noun in lower case as written. A number counts only with one of the
//! nouns below, behind it (with an adjective or two between) or before it ("Reviews: 86", "Reviews (86)"). O(length):
//! nouns are looked up, not tried one by one.

use super::number::figures::{
    Figure, Units, decimal, is_currency, next_figure, shift, skip_space, word_before,
};
use super::{Hit, Marks, Recogniser};
use crate::value::{Decimal, Value};
use crate::value_type::ValueType;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Finds counts.
#[derive(Debug, Clone, Copy)]
pub struct Count;

/// Nouns of languages that put spaces between words.
static NOUNS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let words = "
        review reviews rating ratings comment comments reply replies answer answers question questions result results
        item items product products offer offers listing listings ad ads vote votes like likes view views visit visits
        follower followers subscriber subscribers member members user users friend friends fan fans post posts photo
        photos picture pictures image images video videos file files download downloads install installs page pages
        book books issue issues episode episodes season seasons song songs track tracks play plays plays listen listens
        seller sellers buyer buyers bid bids watcher watchers customer customers guest guests job jobs vacancy vacancies
        property properties home homes house houses room rooms bed beds bedroom bedrooms bath baths bathroom bathrooms
        reception receptions door doors seat seats owner owners car cars vehicle vehicles hotel hotels recipe recipes
        ingredient ingredients serving servings piece pieces pack packs unit units copy copies star stars fork forks
        commit commits contributor contributors points upvotes share shares retweets tweets sold orders sales
        votes people players student students lecture lectures course courses chapter chapters article articles topic
        topics thread threads message messages match matches hits citation citations event events deal deals coupon
        coupons store stores location locations feedback feedbacks testimonials opinions opinion in-stock
        bewertung bewertungen rezension rezensionen kundenbewertungen kundenrezensionen kommentar kommentare antwort
        antworten frage fragen ergebnis ergebnisse treffer artikel produkt produkte angebot angebote anzeige anzeigen
        stimme stimmen aufrufe ansichten abonnenten mitglieder beitrag beiträge bilder fotos seiten bücher zimmer
        schlafzimmer badezimmer türen sitze sitzplätze stück personen meinungen stellenangebote immobilien fahrzeuge
        avis commentaire commentaires évaluation évaluations réponse réponses question résultat résultats article
        articles produit produits offre offres annonce annonces vue vues abonnés membres pièce pièces chambre chambres
        portes places livres pages votes biens véhicules notes
        reseña reseñas opiniones valoración valoraciones comentario comentarios calificaciones respuesta respuestas
        pregunta preguntas resultado resultados artículo artículos producto productos oferta ofertas anuncio anuncios
        voto votos vistas visitas seguidores suscriptores miembros fotos páginas libros habitación habitaciones
        dormitorio dormitorios baño baños puertas plazas vendidos vendido inmuebles coches unidades
        recensione recensioni commento commenti valutazione valutazioni risultato risultati prodotto prodotti articolo
        articoli offerta offerte annuncio annunci voti visualizzazioni iscritti membri locali camere bagni porte posti
        libri pagine risposte domande
        avaliação avaliações comentário comentários opiniões resposta respostas resultados produto produtos itens
        anúncio anúncios visualizações inscritos quartos quarto banheiros banheiro portas lugares livros vendas imóveis
        beoordeling beoordelingen recensie recensies reactie reacties antwoord antwoorden resultaten producten artikelen
        aanbiedingen advertenties stemmen weergaven volgers leden kamers kamer slaapkamers deuren zitplaatsen boeken
        recension recensioner omdöme omdömen betyg kommentarer svar resultat träffar produkter annonser visningar
        följare medlemmar rum sovrum dörrar böcker röster
        opinia opinie opinii recenzja recenzje recenzji ocena oceny ocen komentarz komentarze komentarzy odpowiedzi
        wynik wyniki wyników produkt produkty produktów ofert oferty ogłoszeń ogłoszenia głosów wyświetleń obserwujących
        pokoje pokoi pokój drzwi miejsc książek sztuk
        отзыв отзыва отзывов оценка оценки оценок комментарий комментария комментариев ответ ответа ответов вопрос
        вопроса вопросов результат результата результатов товар товара товаров предложение предложения предложений
        объявление объявления объявлений голос голоса голосов просмотр просмотра просмотров подписчик подписчика
        подписчиков участников комната комнаты комнат книг книги страниц фото шт
        yorum yorumu değerlendirme puan sonuç ürün ilan teklif oy görüntülenme görüntüleme takipçi abone üye oda kapı
        kitap sayfa adet soru cevap";
    words.split_whitespace().collect()
});

/// Nouns and classifiers of languages without spaces; the noun is what is behind the classifier.
static CLASSED: LazyLock<Units> = LazyLock::new(|| {
    Units::new(&[(
        "",
        "评论|条评论|条评价|个评价|评价|个评论|条点评|点评|则评论|則評論|條評論|评分|人评分|人评价|人評價|条结果|个结果|結果|结果|件商品|个商品|\
         商品|条回复|回复|个回答|次浏览|浏览|次播放|播放|粉丝|关注|人关注|个赞|赞|次下载|人付款|已售|室|厅|卫|套房源|\
         件のレビュー|レビュー|件のクチコミ|クチコミ|件の口コミ|口コミ|個の評価|件の評価|件のコメント|コメント|件の結果|件中|回視聴|件|\
         개의 리뷰|리뷰|개 리뷰|개의 후기|후기|개의 댓글|댓글|개의 평가|평가|개의 결과|개 상품|명 팔로워|팔로워|개|건|\
         รีวิว|ความคิดเห็น|คะแนน|ผลลัพธ์|รายการ|สินค้า|ชิ้น|ผู้ติดตาม|ครั้ง|ห้องนอน|ห้องน้ำ|โหวต",
    )])
});

const ADJECTIVES: &str = " customer customers user guest verified global total new used more search other good live open
    active available matching positive public online job google product buyer seller editor critic reader community
    written photo full double reception global-ratings and of the kunden neue weitere gebrauchte nouveaux nouvelles
    autres clients avis-clients nuevos nuevas más otros verificadas verificate nuovi altri novos outros clientes
    nieuwe andere nya nowych nowe новых новые müşteri ";

impl Recogniser for Count {
    fn kind(&self) -> ValueType {
        ValueType::Count
    }

    fn wants(&self, marks: Marks) -> bool {
        marks.digit && marks.letter
    }

    fn find(&self, text: &str, hits: &mut Vec<Hit>) {
        let mut at = 0;
        let mut floor = 0;
        while let Some(figure) = next_figure(text, at) {
            at = figure.span.end;
            let before = &text[..figure.span.start];
            // "Fe-47 ...", "08630 ...": names and numbers of things
            let model = before.strip_suffix('-').is_some_and(|before| before.ends_with(char::is_alphabetic));
            let zeros = figure.value.len() < figure.span.len() && text[figure.span.clone()].starts_with('0');
            if model || (zeros && figure.span.len() > 2) || before.trim_end().ends_with(is_currency) {
                continue;
            }
            let (mut end, value) = scaled(text, &figure);
            let plus = text[end..].starts_with(['+', '＋']);
            end += text[end..].chars().next().filter(|_| plus).map_or(0, char::len_utf8);
            let at_least = plus || word_before(before.trim_end(), MORE_THAN).is_some();
            let bracketed = before.ends_with(['(', '（']) && text[end..].starts_with([')', '）']);
            if let Some(noun) =
                noun_behind(text, end, bracketed).filter(|noun| !is_grade(&text[noun.clone()], &value))
            {
                // 리뷰 86개: what is counted stands before, a classifier behind
                let classifier = matches!(&text[noun.clone()], "개" | "건" | "件");
                let named =
                    noun_before(text, &figure, noun.end, false).filter(|it| classifier && it.start >= floor);
                let start = if bracketed { opening(before) } else { figure.span.start };
                let start = named.as_ref().map_or(start, |it| it.start);
                at = noun.end;
                floor = at;
                hits.push(hit(start..noun.end, value, at_least, &text[named.unwrap_or(noun)]));
            } else if let Some(noun) =
                noun_before(text, &figure, end, bracketed).filter(|noun| noun.start >= floor)
            {
                end += if bracketed { text[end..].chars().next().map_or(0, char::len_utf8) } else { 0 };
                at = end;
                floor = at;
                hits.push(hit(noun.start..end, value, at_least, &text[noun]));
            }
        }
    }
}

fn hit(span: Range<usize>, value: Decimal, at_least: bool, noun: &str) -> Hit {
    Hit { span, kind: ValueType::Count, value: Value::Count { value, at_least, of: noun.to_lowercase() } }
}

/// True if a word (in lower case) is something that pages count.
pub(super) fn is_noun(word: &str) -> bool {
    NOUNS.contains(word)
}

/// "4.5 stars" is a grade, "120 stars" a count.
fn is_grade(noun: &str, value: &str) -> bool {
    noun.to_lowercase().starts_with("star") && (value.contains('.') || value.len() == 1)
}

/// The number with "k", "M" or a word for a large number behind it applied, and where that ends.
fn scaled(text: &str, figure: &Figure) -> (usize, Decimal) {
    static LARGE: LazyLock<Units> = LazyLock::new(|| {
        Units::new(&[
            ("3", "k|K|тыс|тыс.|Tsd|Tsd.|mil|천"),
            ("4", "万|萬|만"),
            ("6", "M|m|Mio|Mio.|million|млн|млн.|B"),
        ])
    });
    let found = LARGE.at(text, figure.span.end).or_else(|| {
        let start = skip_space(text, figure.span.end);
        LARGE.at(text, start).filter(|&(end, _)| end - start > 1)
    });
    let places = found.and_then(|(end, places)| Some((end, places.parse().ok()?)));
    match places {
        Some((end, _)) if text[figure.span.end..end].ends_with('B') => (end, shift_written(text, figure, 9)),
        Some((end, places)) => (end, shift_written(text, figure, places)),
        None => (figure.span.end, figure.value.clone()),
    }
}

fn shift_written(text: &str, figure: &Figure, places: usize) -> Decimal {
    let value = decimal(&text[figure.span.clone()]).unwrap_or_else(|| figure.value.clone());
    shift(&value, places)
}

/// Words for "more than".
const MORE_THAN: &[&str] = &[
    "over",
    "more than",
    "über",
    "mehr als",
    "plus de",
    "más de",
    "mais de",
    "oltre",
    "più di",
    "meer dan",
    "över",
    "ponad",
    "более",
    "больше",
    "at least",
    "mindestens",
];

fn opening(before: &str) -> usize {
    before.char_indices().next_back().map_or(0, |(at, _)| at)
}

/// The noun behind a number, maybe with two adjectives between.
fn noun_behind(text: &str, end: usize, bracketed: bool) -> Option<Range<usize>> {
    let mut at = end + if bracketed { text[end..].chars().next().map_or(0, char::len_utf8) } else { 0 };
    if !bracketed && text[at..].starts_with('-') {
        at += 1;
    }
    let mut found = None;
    for _ in 0..3 {
        let start = skip_space(text, at);
        if let Some((end, _)) = CLASSED.at(text, start) {
            return Some(start..end);
        }
        let Some(word) = word_at(text, start) else { break };
        let lower = text[word.clone()].to_lowercase();
        if is_noun(&lower) {
            found = Some(word.clone());
        }
        // "customer" is a noun too: the reviews behind it matter more
        if !ADJECTIVES.split_whitespace().any(|adjective| adjective == lower) {
            break;
        }
        at = word.end;
    }
    found
}

/// The word that starts here; no word is longer than 24 letters.
fn word_at(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let len = rest
        .char_indices()
        .take(25)
        .find(|(_, c)| !c.is_alphabetic())
        .map_or(rest.len().min(100), |(at, _)| at);
    (len > 0 && rest.is_char_boundary(len)).then_some(start..start + len)
}

/// The noun before a number: "Reviews: 86" or "Reviews (86)" where the text ends or another word starts.
fn noun_before(text: &str, figure: &Figure, end: usize, bracketed: bool) -> Option<Range<usize>> {
    let before =
        text[..figure.span.start].strip_suffix(['(', '（']).unwrap_or(&text[..figure.span.start]).trim_end();
    let korean = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
    let before = match before.strip_suffix([':', '：']) {
        Some(before) if !bracketed => before.trim_end(),
        None if bracketed || before.ends_with(korean) => before,
        _ => return None,
    };
    if !bracketed && text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, ':' | '/' | '%')) {
        return None;
    }
    let letters =
        before.chars().rev().take(25).take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum::<usize>();
    let start = before.len() - letters;
    let word = &before[start..];
    let classed = || CLASSED.at(before, start).is_some_and(|(end, _)| end == before.len());
    (letters > 0 && (is_noun(&word.to_lowercase()) || classed())).then_some(start..before.len())
}

#[cfg(test)]
mod tests {
    use super::super::number::testing::{check, sound, spans};
    use super::*;

    fn show(value: &Value) -> String {
        match value {
            Value::Count { value, at_least, of } => {
                format!("{value}{} {of}", if *at_least { "+" } else { "" })
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn counts() {
        let cases = "
            1,374 reviews => 1374 reviews
            1,374 customer reviews => 1374 reviews
            1,374 global ratings => 1374 ratings
            (86) reviews => 86 reviews
            (86 reviews) => 86 reviews
            Reviews (86) => 86 reviews
            Reviews: 86 => 86 reviews
            24 results => 24 results
            1-24 of 1,374 results => 1374 results
            1000+ items => 1000+ items
            Over 500 products => 500+ products
            12 comentarios => 12 comentarios
            156 Bewertungen => 156 bewertungen
            156 Kundenrezensionen => 156 kundenrezensionen
            1.374 avis => 1374 avis
            3.2k views => 3200 views
            1.5M followers => 1500000 followers
            1,2 Mio. Aufrufe => 1200000 aufrufe
            2 mil visitas => 2000 visitas
            5 тыс. просмотров => 5000 просмотров
            1 comment => 1 comment
            4.5 stars 20 ratings => 20 ratings
            120 stars => 120 stars
            3 bedrooms => 3 bedrooms
            3-bedroom house => 3 bedroom
            2 double bedrooms, 1 bath => 2 bedrooms; 1 bath
            5 doors => 5 doors
            4 Zimmer => 4 zimmer
            3 pièces => 3 pièces
            2 habitaciones 1 baño => 2 habitaciones; 1 baño
            12 recensioni => 12 recensioni
            33 avaliações => 33 avaliações
            9 beoordelingen => 9 beoordelingen
            7 omdömen => 7 omdömen
            15 opinii => 15 opinii
            21 отзыв => 21 отзыв
            48 yorum => 48 yorum
            156条评论 => 156 条评论
            1.2万条评价 => 12000 条评价
            86件のレビュー => 86 件のレビュー
            리뷰 86개 => 86 리뷰
            리뷰 (1,024) => 1024 리뷰
            86 รีวิว => 86 รีวิว
            more than 1,000 customers => 1000+ customers
            10 new offers => 10 offers
            3 sold => 3 sold
            Kommentare: 12 => 12 kommentare";
        let misses = "
            (86)
            86
            12 minutes
            4.5 stars
            £5 items
            2017
            Room 12
            5 reviewable
            A4 pages
            12 km
            top 10
            24/7
            9 lives
            Results for 2017
            Page: 3/5
            k views
            Stylus 7040 Point & Shoot
            2012-08630-AD
            FE-47 photos";
        check(&Count, show, cases, misses);
    }

    #[test]
    fn a_span_is_number_and_noun() {
        assert_eq!(
            spans(&Count, "4.1 (86) customer reviews, Photos (7)!"),
            ["(86) customer reviews", "Photos (7)"]
        );
    }

    #[test]
    fn any_text_is_fine() {
        sound(&Count, "reviews ( ) (12) k M + 万 条评论 리뷰 개 new offers: over Rooms: İ");
    }
}
