//! The words of dates in some thirty languages.
//!
//! In: a word. Out: everything that it may mean ("mar" is March in one language and Tuesday in another). Also
//! the tables of phrases, and of scripts without spaces between words. A look-up is O(length of the word).

use super::date_phrases::{PHRASES, THAI_MONTHS};
use crate::word_table::{WordTable, next_word};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The months in many languages, with their inflected and short forms.
const MONTH_NAMES: [&str; 12] = [
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari stycznia
     styczeń sty leden ledna led január januára jan január januar januára января январь янв січня
     січень січ ianuarie ian ocak oca ιανουαρίου ιανουάριος ιαν tammikuuta tammikuu siječnja siječanj
     януари jaanuar gener sausio janvāris يناير كانون ינואר בינואר जनवरी มกราคม",
    "february feb februar feber februari février févr fév fevr febrero febbraio fevereiro fev lutego
     luty lut února únor úno február februára февраля февраль фев лютого лютий лют februarie şubat
     subat şub φεβρουαρίου φεβρουάριος φεβ helmikuuta helmikuu veljače veljača февруари veebruar
     febrer vasario februāris فبراير شباط פברואר בפברואר फरवरी กุมภาพันธ์",
    "march mar märz mär mrz mars marzo março marco maart mrt marca marzec března březen bře március
     marec марта март мар березня березень бер martie mart μαρτίου μάρτιος μαρ maaliskuuta maaliskuu
     ožujka ožujak märts març kovo marts مارس آذار מרץ במרץ मार्च มีนาคม",
    "april apr avril avr abril abr aprile kwietnia kwiecień kwi dubna duben dub április ápr apríl
     apríla апреля апрель апр квітня квітень кві aprilie nisan nis απριλίου απρίλιος απρ huhtikuuta
     huhtikuu travnja travanj април aprill balandžio aprīlis أبريل ابريل نيسان אפריל באפריל अप्रैल
     เมษายน",
    "may mai mayo maggio mag maio mei maj maja května květen kvě május máj mája мая май травня
     травень тра mayıs mayis may μαΐου μάιος μαϊ toukokuuta toukokuu svibnja svibanj maig gegužės
     maijs مايو أيار מאי במאי मई พฤษภาคม",
    "june jun juni juin junio giugno giu junho czerwca czerwiec cze června červen čvn június jún júna
     июня июнь июн червня червень чер iunie iun haziran haz ιουνίου ιούνιος ιουν kesäkuuta kesäkuu
     lipnja lipanj юни juuni juny birželio jūnijs يونيو حزيران יוני ביוני जून มิถุนายน",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec lip července červenec čvc július
     júl júla июля июль июл липня липень лип iulie iul temmuz tem ιουλίου ιούλιος ιουλ heinäkuuta
     heinäkuu srpnja srpanj юли juuli juliol liepos jūlijs يوليو تموز יולי ביולי जुलाई กรกฎาคม",
    "august aug août aout agosto ago augustus sierpnia sierpień sie srpna srpen srp augusztus augusta
     августа август авг серпня серпень сер ağustos agustos ağu αυγούστου αύγουστος αυγ elokuuta
     elokuu kolovoza kolovoz avgust avg augusti agost rugpjūčio augusts agustus أغسطس اغسطس آب אוגוסט
     באוגוסט अगस्त สิงหาคม",
    "september sep sept septembre septiembre setiembre settembre set setembro września wrzesień wrz
     září zář szeptember szept szep septembra сентября сентябрь сен сент вересня вересень вер
     septembrie eylül eylul eyl σεπτεμβρίου σεπτέμβριος σεπ syyskuuta syyskuu rujna rujan септември
     setembre rugsėjo septembris سبتمبر أيلول ספטמבר בספטמבר सितंबर กันยายน",
    "october oct oktober okt octobre octubre ottobre ott outubro out października październik paź
     října říjen říj október októbra октября октябрь окт жовтня жовтень жов octombrie ekim eki
     οκτωβρίου οκτώβριος οκτ lokakuuta lokakuu oktobar oktobra oktoober октомври spalio oktobris
     أكتوبر اكتوبر אוקטובר באוקטובר अक्टूबर ตุลาคม",
    "november nov novembre noviembre novembro listopada listopad lis listopadu lst novembra ноября
     ноябрь ноя нояб листопада листопад лис noiembrie noi kasım kasim kas νοεμβρίου νοέμβριος νοε
     marraskuuta marraskuu studenoga studenog studeni ноември noémber lapkričio novembris نوفمبر
     נובמבר בנובמבר नवंबर พฤศจิกายน",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des grudnia
     grudzień gru prosince prosinec pro decembra декабря декабрь дек грудня грудень гру decembrie
     aralık aralik ara δεκεμβρίου δεκέμβριος δεκ joulukuuta joulukuu prosinca декември detsember
     desembre gruodžio decembris ديسمبر דצמבר בדצמבר दिसंबर ธันวาคม",
];

/// Months that are also common words: without a year they count only with a capital letter.
const MONTHS_WITH_CAPITAL: &str = "may march mar dec";
/// Months that are so often other words or syllables that they count only with a year.
const MONTHS_WITH_YEAR: &str = "\
    set out ago lip ara haz gen sty lut sie wrz gru lis oca eki kas tem nis mag giu lug ott led dub bře \
    pro lst noi ian des mart бер сер вер тра лис гру чер кві лип жов січ лют marca kovo";
/// The days of the week, long and short.
const WEEKDAYS: &str = "\
    monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat sunday sun \
    montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sa sonnabend sonntag so lundi lun \
    mardi mar mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim lunes martes miércoles \
    miercoles mié jueves jue viernes vie sábado sabado sáb domingo dom lunedì martedì mercoledì giovedì \
    gio venerdì sabato sab domenica segunda terça quarta quinta sexta feira maandag ma dinsdag woensdag \
    wo donderdag vrijdag vr zaterdag za zondag zo måndag mån tisdag tis onsdag ons torsdag tors fredag \
    fre lördag lör söndag sön mandag tirsdag lørdag søndag poniedziałek wtorek środa czwartek piątek \
    sobota niedziela pon śr czw pt nd pondělí úterý středa čtvrtek pátek neděle po út st čt pá ne \
    понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс понеділок \
    вівторок середа четвер п'ятниця субота неділя pazartesi salı çarşamba perşembe cuma cumartesi pazar \
    maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai δευτέρα τρίτη τετάρτη πέμπτη \
    παρασκευή σάββατο κυριακή hétfő kedd szerda csütörtök péntek szombat vasárnap luni marți miercuri \
    joi vineri sâmbătă duminică الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد จันทร์ อังคาร พุธ \
    พฤหัสบดี ศุกร์ เสาร์ อาทิตย์";
/// Units of time, singular and plural.
const TIME_UNITS: [(&str, &str); 7] = [
    (
        "second",
        "second seconds sec secs s sekunde sekunden seconde secondes segundo segundos secondo secondi
         seconden sekund sekunder sekundy sekundę секунд секунду секунды saniye sekuntia δευτερόλεπτα
         giây detik",
    ),
    (
        "minute",
        "minute minutes min mins m minuten minuto minutos minuti minuut minuter minutter minutt
         minuty minut minutę минут минуту минуты хвилин хвилину хвилини dakika dk minuuttia minuutti
         λεπτά λεπτό phút menit perc minuta minut minutami دقيقة دقائق דקות मिनट",
    ),
    (
        "hour",
        "hour hours hr hrs h stunde stunden std heure heures hora horas ora ore uur uren timme timmar
         time timer godzin godziny godzinę hodin hodinami hodinou hodiny час часа часов години годин
         годину saat tuntia tunti ώρες ώρα giờ jam ساعة ساعات שעות שעה घंटे घंटा",
    ),
    (
        "day",
        "day days d tag tage tagen jour jours j día días dia dias giorno giorni dag dagen dagar dager
         dage dzień dni dny dnem день дня дней дні днів gün päivää päivä ημέρες ημέρα μέρες ngày hari
         dana zile zi يوم أيام ימים יום दिन",
    ),
    (
        "week",
        "week weeks wk wks w woche wochen semaine semaines semana semanas settimana settimane weken
         vecka veckor uke uker uge uger tydzień tygodnie tygodni týdny týdnem týdnů неделю недели
         недель тиждень тижні тижнів hafta viikkoa viikko εβδομάδες εβδομάδα tuần minggu săptămâni
         săptămână أسبوع أسابيع שבועות שבוע",
    ),
    (
        "month",
        "month months mo mos monat monate monaten mois mes meses mese mesi mês maand maanden månad
         månader måned måneder miesiąc miesiące miesięcy měsíci měsícem měsíců месяц месяца месяцев
         місяць місяці місяців ay kuukautta kuukausi μήνες μήνα tháng bulan luni lună mjeseca شهر
         أشهر חודשים חודש",
    ),
    (
        "year",
        "year years yr yrs y jahr jahre jahren an ans année années año años anno anni ano anos jaar
         år rok lata lat roky rokem lety год года лет рік роки років yıl sene vuotta vuosi χρόνια
         χρόνο έτη năm tahun ani سنة سنوات שנים שנה साल",
    ),
];
/// After a number and a unit: that long ago.
const AGO_WORDS: &str = "\
    ago geleden назад тому temu fa atrás atras sedan siden sitten önce once trước lalu पहले";
/// Those that need no number: "год назад".
const AGO_WITHOUT_NUMBER: &str = "назад тому temu geleden";
/// Before a number and a unit: that long ago.
const PAST_LEADS: &str = "vor hace há před pred prije acum πριν منذ לפני преди";
/// Before a number and a unit: that long from now.
const FUTURE_LEADS: &str = "in dans через tra za dentro";
/// The numbers from one to ten, in words.
const NUMBER_WORDS: [&str; 10] = [
    "a an one einem einer ein eine une un una uno um uma een één en ett et один одну jeden jedną bir",
    "two zwei deux dos due dois duas twee два две",
    "three drei trois tres tre três drie три",
    "four vier quatre cuatro",
    "five fünf cinq cinco",
    "six sechs seis",
    "seven sieben sept siete",
    "eight acht huit ocho",
    "nine neun neuf",
    "ten zehn dix diez",
];
/// Days near today.
const NEAR_DAYS: [(i8, &str); 5] = [
    (-2, "vorgestern anteayer eergisteren позавчера przedwczoraj"),
    (
        -1,
        "yesterday gestern ayer ieri ontem gisteren вчера вчора wczoraj včera dün igår eilen χθες
         tegnap jučer kemarin أمس אתמול",
    ),
    (
        0,
        "today heute hoy oggi hoje vandaag сегодня сьогодні dzisiaj dziś dnes bugün idag tänään
         σήμερα azi danas اليوم היום आज",
    ),
    (
        1,
        "tomorrow demain domani amanhã завтра zítra zajtra yarın imorgon huomenna αύριο holnap mâine
         sutra besok غدا מחר",
    ),
    (2, "übermorgen overmorgen послезавтра pojutrze"),
];
/// Days near today whose word means something else in another language. They count only as the whole text or
/// with a time.
const AMBIGUOUS_NEAR_DAYS: [(i8, &str); 2] = [(-1, "hier"), (1, "morgen mañana jutro")];
/// Words between the parts of a date.
const DATE_LINKS: &str = "of de del di d dl the den le el il năm ngày от gada a dia op am on do på du em";
/// Words between a date and a time.
const TIME_LINKS: &str =
    "at um à a as às las alle ore om kl klo w o godz saat lúc в о v u ob pukul ora hs t from ab von";
/// Endings of ordinal numbers.
const ORDINAL_ENDINGS: &str = "st nd rd th er ère re e è º ª o";
/// Words after a year: "2017 г."
const YEAR_TAILS: &str = "г года год р року r roku rok m gada";
/// Names of time zones.
const TIME_ZONES: &str =
    "utc gmt z est edt cst cdt mst mdt pst pdt bst cet cest eet eest msk ist jst kst aest aedt mez mesz wib";
/// Words after a time.
const CLOCK_WORDS: &str = "uhr น";
/// Words before versions, scales and codes: the numbers that follow are not a date.
const CODE_LEADS: &str =
    "v version ver release firmware scale ratio ip ipv4 macos android ios isbn chapter section § kapitel";

/// Everything that a word may mean in a date.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateWord {
    /// 1 to 12, or 0.
    pub month: u8,
    pub needs_capital: bool,
    pub needs_year: bool,
    pub weekday: bool,
    pub unit: Option<&'static str>,
    pub ago: bool,
    pub ago_alone: bool,
    /// It precedes an offset: -1 into the past, 1 into the future, 0 if it does not.
    pub lead: i8,
    pub number: u8,
    pub day: Option<i8>,
    pub weak_day: bool,
    pub link: bool,
    pub joint: bool,
    pub ordinal: bool,
    pub year_tail: bool,
    pub zone: bool,
    pub clock: bool,
    /// The numbers after it are a version, a scale or a code.
    pub precedes_codes: bool,
    /// It begins a phrase.
    pub phrase: bool,
    /// It is in a script without spaces between words.
    pub unspaced: bool,
    /// It does not begin with a lower-case letter.
    pub capital: bool,
}

impl DateWord {
    /// A word that is in no date.
    const NOTHING: DateWord = DateWord {
        month: 0,
        needs_capital: false,
        needs_year: false,
        weekday: false,
        unit: None,
        ago: false,
        ago_alone: false,
        lead: 0,
        number: 0,
        day: None,
        weak_day: false,
        link: false,
        joint: false,
        ordinal: false,
        year_tail: false,
        zone: false,
        clock: false,
        precedes_codes: false,
        phrase: false,
        unspaced: false,
        capital: false,
    };
}

/// Calls a statement for each word of a list, with the [`DateWord`] of that word, in a `const`.
macro_rules! each {
    ($words:ident, $list:expr, $word:ident => $note:expr) => {
        let mut rest = $list;
        while let Some((text, after)) = next_word(rest) {
            let $word = $words.entry(text);
            $note;
            rest = after;
        }
    };
}

static DATE_WORDS: WordTable<DateWord, 2048> = {
    let mut words = WordTable::new(DateWord::NOTHING);
    let mut at = 0;
    while at < MONTH_NAMES.len() {
        each!(words, MONTH_NAMES[at], word => word.month = at as u8 + 1);
        at += 1;
    }
    each!(words, MONTHS_WITH_CAPITAL, word => word.needs_capital = true);
    each!(words, MONTHS_WITH_YEAR, word => word.needs_year = true);
    each!(words, WEEKDAYS, word => word.weekday = true);
    at = 0;
    while at < TIME_UNITS.len() {
        each!(words, TIME_UNITS[at].1, word => word.unit = Some(TIME_UNITS[at].0));
        at += 1;
    }
    each!(words, AGO_WORDS, word => word.ago = true);
    each!(words, AGO_WITHOUT_NUMBER, word => word.ago_alone = true);
    each!(words, PAST_LEADS, word => word.lead = -1);
    each!(words, FUTURE_LEADS, word => word.lead = 1);
    at = 0;
    while at < NUMBER_WORDS.len() {
        each!(words, NUMBER_WORDS[at], word => word.number = at as u8 + 1);
        at += 1;
    }
    at = 0;
    while at < NEAR_DAYS.len() {
        each!(words, NEAR_DAYS[at].1, word => word.day = Some(NEAR_DAYS[at].0));
        at += 1;
    }
    at = 0;
    while at < AMBIGUOUS_NEAR_DAYS.len() {
        each!(words, AMBIGUOUS_NEAR_DAYS[at].1, word => {
            word.day = Some(AMBIGUOUS_NEAR_DAYS[at].0);
            word.weak_day = true;
        });
        at += 1;
    }
    each!(words, DATE_LINKS, word => word.link = true);
    each!(words, TIME_LINKS, word => word.joint = true);
    each!(words, ORDINAL_ENDINGS, word => word.ordinal = true);
    each!(words, YEAR_TAILS, word => word.year_tail = true);
    each!(words, TIME_ZONES, word => word.zone = true);
    each!(words, CLOCK_WORDS, word => word.clock = true);
    each!(words, CODE_LEADS, word => word.precedes_codes = true);
    at = 0;
    while at < PHRASES.len() {
        words.entry(first_letters(PHRASES[at].0)).phrase = true;
        at += 1;
    }
    words
};

/// The letters with which a phrase begins. What follows them is ASCII or one of the quotes that begin with the same two bytes.
const fn first_letters(phrase: &'static str) -> &'static str {
    let bytes = phrase.as_bytes();
    let mut end = 0;
    while end < bytes.len()
        && (bytes[end].is_ascii_alphabetic() || bytes[end] >= 0x80)
        && !(bytes[end] == 0xe2 && bytes[end + 1] == 0x80)
    {
        end += 1;
    }
    phrase.split_at(end).0
}

/// Characters with which a date in a script without spaces may begin, apart from digits and months.
static UNSPACED_FIRST_CHARS: LazyLock<FxHashSet<char>> = LazyLock::new(|| {
    let phrases = PHRASES.iter().map(|(phrase, _)| *phrase).chain(THAI_MONTHS);
    phrases.filter_map(|phrase| phrase.chars().next()).chain("午上下오令平昭".chars()).collect()
});

/// Longest word that is looked up, in bytes.
const MAX_DATE_WORD_BYTES: usize = 48;

/// Everything that a word may mean.
pub(super) fn look_up(word: &str) -> DateWord {
    let first = word.chars().next().unwrap_or(' ');
    let unspaced = is_unspaced(first);
    let known = if word.len() > MAX_DATE_WORD_BYTES { None } else { DATE_WORDS.get(lower(word).as_ref()) };
    DateWord {
        unspaced,
        phrase: if unspaced {
            UNSPACED_FIRST_CHARS.contains(&first)
        } else {
            known.is_some_and(|word| word.phrase)
        },
        capital: !first.is_lowercase(),
        ..known.unwrap_or(DateWord::NOTHING)
    }
}

fn lower(word: &str) -> Cow<'_, str> {
    if word.chars().all(char::is_lowercase) { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
}

/// Letters, and the marks that some scripts put above and below them.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{94d}')
}

/// True for scripts without spaces between words: Chinese, Japanese and Thai; also Korean, which joins
/// endings to words.
pub(super) fn is_unspaced(c: char) -> bool {
    is_one_token(c) || matches!(c, '\u{e01}'..='\u{e4e}')
}

/// True for those of them in which every character is a token.
pub(super) fn is_one_token(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
        || matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_begin_with_the_letters_before_anything_else() {
        for (phrase, _) in PHRASES {
            let first = phrase.split(|c: char| !is_letter(c)).next().unwrap_or_default();
            assert!(!first.is_empty() && first_letters(phrase) == first, "{phrase}");
            assert!(DATE_WORDS.get(first).is_some_and(|word| word.phrase));
        }
    }

    #[test]
    fn a_word_may_mean_several_things() {
        let word = look_up("Mar");
        assert!(word.month == 3 && word.weekday && word.needs_capital && word.capital && !word.ordinal);
        let word = look_up("tomorrow");
        assert!(word.day == Some(1) && !word.weak_day && !word.capital);
        assert!(
            look_up("hier").weak_day && look_up("min").unit == Some("minute") && look_up("lamp").month == 0
        );
    }
}
