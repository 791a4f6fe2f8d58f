//! What pages count, and the words around such nouns, in some twenty languages. Look-ups only.

use crate::recognise::measurements::{UnitTable, unit_table};
use crate::word_table::WordTable;

/// Nouns of languages that put spaces between words.
pub(super) static COUNTED_NOUNS: WordTable<(), 1024> = WordTable::of_words(
    "\
        review reviews rating ratings comment comments reply replies answer answers question questions \
        result results item items product products offer offers listing listings ad ads vote votes like \
        likes view views visit visits follower followers subscriber subscribers member members user \
        users friend friends fan fans post posts photo photos picture pictures image images video videos \
        file files download downloads install installs page pages book books issue issues episode \
        episodes season seasons song songs track tracks play plays plays listen listens seller sellers \
        buyer buyers bid bids watcher watchers customer customers guest guests job jobs vacancy \
        vacancies property properties home homes house houses room rooms bed beds bedroom bedrooms bath \
        baths bathroom bathrooms reception receptions door doors seat seats owner owners car cars \
        vehicle vehicles hotel hotels recipe recipes ingredient ingredients serving servings piece \
        pieces pack packs unit units copy copies star stars fork forks commit commits contributor \
        contributors points upvotes share shares retweets tweets sold orders sales votes people players \
        student students lecture lectures course courses chapter chapters article articles topic topics \
        thread threads message messages match matches hits citation citations event events deal deals \
        coupon coupons store stores location locations feedback feedbacks testimonials opinions opinion \
        in-stock bewertung bewertungen rezension rezensionen kundenbewertungen kundenrezensionen \
        kommentar kommentare antwort antworten frage fragen ergebnis ergebnisse treffer artikel produkt \
        produkte angebot angebote anzeige anzeigen stimme stimmen aufrufe ansichten abonnenten \
        mitglieder beitrag beiträge bilder fotos seiten bücher zimmer schlafzimmer badezimmer türen \
        sitze sitzplätze stück personen meinungen stellenangebote immobilien fahrzeuge avis commentaire \
        commentaires évaluation évaluations réponse réponses question résultat résultats article \
        articles produit produits offre offres annonce annonces vue vues abonnés membres pièce pièces \
        chambre chambres portes places livres pages votes biens véhicules notes reseña reseñas opiniones \
        valoración valoraciones comentario comentarios calificaciones respuesta respuestas pregunta \
        preguntas resultado resultados artículo artículos producto productos oferta ofertas anuncio \
        anuncios voto votos vistas visitas seguidores suscriptores miembros fotos páginas libros \
        habitación habitaciones dormitorio dormitorios baño baños puertas plazas vendidos vendido \
        inmuebles coches unidades recensione recensioni commento commenti valutazione valutazioni \
        risultato risultati prodotto prodotti articolo articoli offerta offerte annuncio annunci voti \
        visualizzazioni iscritti membri locali camere bagni porte posti libri pagine risposte domande \
        avaliação avaliações comentário comentários opiniões resposta respostas resultados produto \
        produtos itens anúncio anúncios visualizações inscritos quartos quarto banheiros banheiro portas \
        lugares livros vendas imóveis beoordeling beoordelingen recensie recensies reactie reacties \
        antwoord antwoorden resultaten producten artikelen aanbiedingen advertenties stemmen weergaven \
        volgers leden kamers kamer slaapkamers deuren zitplaatsen boeken recension recensioner omdöme \
        omdömen betyg kommentarer svar resultat träffar produkter annonser visningar följare medlemmar \
        rum sovrum dörrar böcker röster opinia opinie opinii recenzja recenzje recenzji ocena oceny ocen \
        komentarz komentarze komentarzy odpowiedzi wynik wyniki wyników produkt produkty produktów ofert \
        oferty ogłoszeń ogłoszenia głosów wyświetleń obserwujących pokoje pokoi pokój drzwi miejsc \
        książek sztuk отзыв отзыва отзывов оценка оценки оценок комментарий комментария комментариев \
        ответ ответа ответов вопрос вопроса вопросов результат результата результатов товар товара \
        товаров предложение предложения предложений объявление объявления объявлений голос голоса \
        голосов просмотр просмотра просмотров подписчик подписчика подписчиков участников комната \
        комнаты комнат книг книги страниц фото шт yorum yorumu değerlendirme puan sonuç ürün ilan teklif \
        oy görüntülenme görüntüleme takipçi abone üye oda kapı kitap sayfa adet soru cevap",
);

/// Nouns of languages without spaces, with their classifiers; the noun follows the classifier.
pub(super) static UNSPACED_NOUNS: UnitTable = unit_table!(&[(
    "",
    "评论|条评论|条评价|个评价|评价|个评论|条点评|点评|则评论|則評論|條評論|评分|人评分|人评价|人評價|条结果|个结果|結果|结果|件商品|个商品|\
         商品|条回复|回复|个回答|次浏览|浏览|次播放|播放|粉丝|关注|人关注|个赞|赞|次下载|人付款|已售|室|厅|卫|套房源|\
         件のレビュー|レビュー|件のクチコミ|クチコミ|件の口コミ|口コミ|個の評価|件の評価|件のコメント|コメント|件の結果|件中|回視聴|件|\
         개의 리뷰|리뷰|개 리뷰|개의 후기|후기|개의 댓글|댓글|개의 평가|평가|개의 결과|개 상품|명 팔로워|팔로워|개|건|\
         รีวิว|ความคิดเห็น|คะแนน|ผลลัพธ์|รายการ|สินค้า|ชิ้น|ผู้ติดตาม|ครั้ง|ห้องนอน|ห้องน้ำ|โหวต",
)]);

/// Adjectives between a number and its noun.
pub(super) static ADJECTIVES: WordTable<(), 128> = WordTable::of_words(
    "\
    customer customers user guest verified global total new used more search other good live open active \
    available matching positive public online job google product buyer seller editor critic reader \
    community written photo full double reception global-ratings and of the kunden neue weitere \
    gebrauchte nouveaux nouvelles autres clients avis-clients nuevos nuevas más otros verificadas \
    verificate nuovi altri novos outros clientes nieuwe andere nya nowych nowe новых новые müşteri",
);

/// Words for "more than".
pub(super) const MORE_THAN_WORDS: &[&str] = &[
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

/// True if a word (in lower case) is something that pages count.
pub(in crate::recognise) fn is_counted_noun(word: &str) -> bool {
    COUNTED_NOUNS.contains(word)
}
