//! Words in the texts of links to other pages, in many languages.
//!
//! Data for [`link_text`](super::link_text). The lists are separated by spaces; the order of languages does
//! not matter.

use copal_values::word_table::WordTable;

/// Words that mean "next".
const NEXT_WORDS: &str = "\
    next nxt following onward onwards forward nächste nächster nächstes nächsten naechste weiter weitere \
    folgende vorwärts suivant suivante suivants suivantes suiv prochain prochaine siguiente siguientes sig \
    próxima próximas próximo próximos proxima proximo adelante seguinte seguintes avançar prox seguent \
    següent següents hurrengoa successivo successiva successivi successive avanti prossimo prossima \
    seguente seguenti volgende volg verder nästa näste næste næsta frem neste seuraava seuraavat \
    seuraavaan eteenpäin järgmine järgmised edasi następna następny następne następnej nast dalej nastepna \
    nastepny nastepne další následující dalsi nasledujici ďalšia ďalší ďalšie ďalej nasledujúca \
    nasledujúce következő kovetkezo tovább următoarea următoare următorul urmatoarea urmatorul următor \
    urmator înainte sljedeća sljedeće sljedeći slijedeća slijedeći naredna naredni sledeća sledeći sledeca \
    sljedeca dalje naslednja naslednji naprej следећа следећи даље следна следваща следващ следующая \
    следующие следующий следующую след далее вперед вперёд дальше наступна наступний наступні далі \
    наступная далей επόμενη επόμενο επόμενα επόμενες επομενη επόμ sonraki ileri növbəti kitas kita toliau \
    sekantis pirmyn nākamā nākamais tālāk التالي التالية التالى بعدی بعدي البعدي הבא הבאה הבאים הבאות اگلا \
    اگلے अगला अगले अगली पुढील পরবর্তী அடுத்த அடுத்து తదుపరి berikutnya selanjutnya lanjut seterusnya tiếp \
    sau kế susunod შემდეგი հաջորդ հաջորդը келесі кейинги sekva";

/// Words that mean "older".
const OLDER_WORDS: &str = "\
    older ältere aeltere anciens anciennes antiguas antiguos antigas antigos vecchi oudere ouder äldre \
    ældre eldre vanhemmat starsze starší staršie régebbi стари старые παλαιότερα παλιότερα";

/// Words that mean "more".
const MORE_WORDS: &str = "\
    more mehr plus más mas mais altri altre meer fler mer flere lisää więcej wiecej více viac több ещё \
    еще больше ще більше daha thêm lainnya banyak المزيد بیشتر עוד और περισσότερα още mai multe više \
    rohkem daugiau vairāk";

/// Words that mean "previous". Lists mean the page before by it, and some blogs the older articles.
const PREVIOUS_WORDS: &str = "\
    previous prev vorherige vorheriger vorige vorheriges précédent précédente precedent precedente \
    précédents prec anterior anteriores ant precedenti vorig föregående förra forrige foregående edellinen \
    edelliset poprzednia poprzedni poprzednie poprz předchozí předešlé předešlá predchádzajúca predošlá \
    előző anterioara anterioară anteriorul precedenta prethodna prethodno prethodni prejšnja претходна \
    prejšnji предишна предишен предыдущая предыдущие пред попередня попередній προηγούμενη προηγούμενο \
    προηγ önceki ankstesnis iepriekšējā eelmine السابق السابقة قبلی قبل הקודם הקודמת הקודמים पिछला पिछले \
    sebelumnya trước წინა";

/// Words that mean "newer", "back" or "first".
const BACK_WORDS: &str = "\
    newer back earlier first start begin beginning top zurück zurueck neuere erste anfang récents récentes \
    première premier début retour atrás atras recientes recentes primera primero primeira primeiro primer \
    volver voltar início indietro prima primo recenti inizio terug nieuwere nieuwer eerste nyare första \
    nyere første tilbake tilbage uudemmat ensimmäinen wstecz nowsze pierwsza początek novější první zpět \
    novšie prvá späť vissza újabb első înapoi prva nazaj назад новые первая начало начала перша πρώτη \
    νεότερα geri ilk atgal الأولى الاولى نخست ראשון पहला kembali pertama đầu";

/// Words that lead to the last page, or to a page with everything.
const END_WORDS: &str = "\
    last end ende letzte final dernière dernier fin última último ultimo ultima derniere laatste sista \
    sidste siste viimeinen ostatnia koniec poslední konec posledná utolsó vége ultimul zadnja posljednja \
    последна последняя конец остання кінець τελευταία son sonuncu الأخيرة الاخيرة آخرین אחרון terakhir \
    cuối all alle alles tout tous todo todos tutti tutto wszystko wszystkie vše všechny všetko все всё \
    всі tümü összes kaikki allt";

/// Words that do not change the meaning of the others: "page", nouns for records, verbs.
const FILLER_WORDS: &str = "\
    page pages pg p results result posts entries items articles products listings jobs offers ads threads \
    topics comments reviews events upcoming records hits matches messages news stories photos videos \
    images set to the of go on you re are current show load view see display get a s seite seiten \
    ergebnisse treffer beiträge einträge angebote anzeigen laden zeigen zur zu den der die résultats \
    résultat articles annonces offres charger afficher voir aller à la les de des d page página páginas \
    pagina paginas pág resultados entradas artículos anuncios ver cargar mostrar ir a el las los del más \
    postagens publicações carregar anúncios artigos os as o à risultati più articoli annunci carica \
    mostra vedi vai alla il gli i resultaten berichten naar toon laad bekijk sida sidan resultat inlägg \
    visa ladda side innlegg indlæg vis hent sivu sivut tulokset näytä lataa strona strony stronę wyniki \
    wyników wpisy pokaż załaduj do stránka stránky strana výsledky příspěvky články načíst zobrazit na \
    oldal találatok bejegyzések lap pagina rezultate articole stranica strana rezultati страница страницы \
    страницу стр записи результаты показать загрузить на по сторінка сторінку записи показати σελίδα \
    αποτελέσματα sayfa sonuçlar göster fazla puslapis lapa leht الصفحة صفحة صفحه עמוד לעמוד דף صفحہ पृष्ठ \
    पेज halaman hasil muat lebih tampilkan trang xem theo";

/// Words for a span of time: "next month" turns a calendar, not the pages of a list.
const PERIOD_WORDS: &str = "\
    day week weekend month quarter year season tag woche monat jahr jour semaine mois année annee día dia \
    semana mes año mês ano giorno settimana mese anno dag maand jaar vecka månad uge måned päivä viikko \
    kuukausi vuosi dzień tydzień miesiąc týden měsíc týždeň mesiac nap hét hónap év zi săptămână lună \
    nedelja teden mesec leto dan день неделя неделю месяц год тиждень місяць рік седмица месец година \
    ημέρα εβδομάδα μήνας έτος gün hafta yıl päev nädal kuu aasta diena savaitė mėnuo nedēļa mēnesis \
    يوم أسبوع شهر الشهر سنة روز هفته ماه سال יום שבוע חודש שנה दिन सप्ताह महीना वर्ष hari minggu bulan \
    tahun ngày tuần tháng năm";

/// Words for one item: "next article" leads from item to item. Lists use the plural, which is a filler.
const ITEM_WORDS: &str = "\
    post article story entry item product photo picture image slide video episode chapter event project \
    issue job topic thread question lesson recipe book song track level step slideshow album gallery match \
    beitrag eintrag bild foto kapitel produkt folge thema frage billet annonce produit chapitre épisode \
    sujet entrada artículo articulo publicación publicacion noticia capítulo capitulo producto tema \
    postagem artigo publicação notícia produto articolo prodotto capitolo episodio bericht artikel \
    afbeelding inlägg kapitel innlegg indlæg artikkeli wpis artykuł zdjęcie rozdział příspěvek článek \
    článok príspevok fotografie obrázek bejegyzés cikk kép articol запись статья новость фото глава тема \
    серия пост запис стаття новина άρθρο yazı makale haber konu المقال المقالة الموضوع نوشته مطلب המאמר \
    הפוסט bài";

/// Parts of texts that mean "the next item" or a span of time, in scripts without spaces.
pub(super) const ELSEWHERE_PARTS: [&str; 22] = [
    "次の記事",
    "次の投稿",
    "次の写真",
    "次の画像",
    "次の動画",
    "次の話",
    "次の月",
    "次の週",
    "次の日",
    "翌月",
    "来月",
    "翌週",
    "来週",
    "翌日",
    "下个月",
    "下個月",
    "다음 글",
    "다음글",
    "다음 달",
    "다음 주",
    "บทความถัดไป",
    "เดือนถัดไป",
];
/// Parts of texts that mean "next", in scripts without spaces.
pub(super) const NEXT_PARTS: [&str; 18] = [
    "次へ",
    "次の",
    "次ページ",
    "次頁",
    "つぎ",
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
/// Parts of texts that mean "older".
pub(super) const OLDER_PARTS: [&str; 2] = ["過去の", "以前の"];
/// Parts of texts that mean "back" or "first".
pub(super) const BACK_PARTS: [&str; 21] = [
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
/// Parts of texts that mean "last" or "all".
pub(super) const END_PARTS: [&str; 9] =
    ["最後", "最后", "末页", "尾页", "末頁", "마지막", "สุดท้าย", "すべて", "全部"];
/// Parts of texts that mean "more".
pub(super) const MORE_PARTS: [&str; 14] = [
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

/// What a word of a link's text means.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LinkWord {
    Next,
    Older,
    More,
    Previous,
    Back,
    End,
    /// One item, or a span of time.
    Elsewhere,
    Filler,
}

/// The meaning of each word. A word that is in several lists has the meaning of the last one: if it means "next" in one
/// language and "back" in another, it must not be followed.
pub(super) static LINK_WORDS: WordTable<LinkWord, 2048> = {
    let mut words = WordTable::new(LinkWord::Filler);
    words.set_all(PERIOD_WORDS, LinkWord::Elsewhere);
    words.set_all(ITEM_WORDS, LinkWord::Elsewhere);
    words.set_all(FILLER_WORDS, LinkWord::Filler);
    words.set_all(MORE_WORDS, LinkWord::More);
    words.set_all(NEXT_WORDS, LinkWord::Next);
    words.set_all(OLDER_WORDS, LinkWord::Older);
    words.set_all(END_WORDS, LinkWord::End);
    words.set_all(PREVIOUS_WORDS, LinkWord::Previous);
    words.set_all(BACK_WORDS, LinkWord::Back);
    words
};
