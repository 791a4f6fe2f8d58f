//! Signs, codes and names of currencies, multipliers, and words for "from" and "per". Look-ups only, O(1)
//! each.

use crate::recognise::measurements::{UnitTable, unit_table};
use crate::recognise::word_match::skip_space;

/// Words on either side of a number; `~` is a space.
pub(super) const WORDS_ON_EITHER_SIDE: &[(&str, &str)] = &[
    ("USD", "$ US$ US~$ USD usd U$S USD$"),
    ("CAD", "C$ CA$ CAD CAD$ CAD~$ CDN$ CDN~$ Can$"),
    ("AUD", "A$ AU$ AU~$ AUD AUD$ AUD~$"),
    ("NZD", "NZ$ NZD"),
    ("HKD", "HK$ HKD"),
    ("SGD", "S$ SG$ SGD"),
    ("TWD", "NT$ TWD NTD"),
    ("MXN", "MX$ Mex$ MXN"),
    ("BRL", "R$ BRL"),
    ("ARS", "AR$ ARS"),
    ("CLP", "CLP CLP$"),
    ("COP", "COP COP$"),
    ("PEN", "S/. S/ PEN"),
    ("EUR", "€ EUR eur Eur"),
    ("GBP", "£ GBP gbp"),
    ("CHF", "CHF chf SFr. sFr. SFr"),
    ("JPY", "JPY"),
    ("CNY", "CNY RMB CN¥"),
    ("Y", "¥ ￥"),
    ("KR", "kr kr. Kr Kr. KR"),
    ("SEK", "SEK sek"),
    ("NOK", "NOK nok"),
    ("DKK", "DKK dkk"),
    ("ISK", "ISK"),
    ("PLN", "PLN zł"),
    ("CZK", "CZK Kč"),
    ("HUF", "HUF"),
    ("RON", "RON"),
    ("BGN", "BGN"),
    ("RUB", "₽ RUB"),
    ("UAH", "₴ UAH"),
    ("KZT", "₸ KZT"),
    ("TRY", "₺ TL TRY"),
    ("INR", "₹ Rs. Rs rs. INR"),
    ("PKR", "PKR"),
    ("LKR", "LKR"),
    ("BDT", "৳ BDT Tk"),
    ("IDR", "Rp Rp. IDR"),
    ("MYR", "MYR"),
    ("THB", "฿ THB บาท"),
    ("PHP", "₱"),
    ("VND", "₫ VND"),
    ("KRW", "₩ KRW 원"),
    ("ILS", "₪ ILS NIS"),
    ("ZAR", "ZAR"),
    ("NGN", "₦ NGN"),
    ("KES", "KSh KES KSh."),
    ("GHS", "GH₵ GHS"),
    ("EGP", "EGP"),
    ("MAD", "MAD"),
    ("AED", "AED Dhs Dhs."),
    ("SAR", "SAR ر.س"),
    ("QAR", "QAR"),
    ("KWD", "KWD"),
    ("GEL", "₾ GEL"),
    ("AMD", "֏"),
    ("MNT", "₮"),
    ("CRC", "₡"),
];

/// Words after a number only; `~` is a space.
pub(super) const WORDS_AFTER: &[(&str, &str)] = &[
    ("USD", "dollars dollar ¢ 美元 US~dollars"),
    ("CAD", "Canadian~dollars"),
    ("AUD", "Australian~dollars"),
    ("EUR", "euro euros еuro евро 欧元 ユーロ eurot"),
    ("GBP", "pounds~sterling 英镑"),
    ("CHF", "Franken francs~suisses"),
    ("JPY", "円 yen 日元"),
    ("CNY", "元 人民币 yuan"),
    ("HKD", "港元 港币"),
    ("KR", "kronor kroner kronur"),
    ("SEK", ":-"),
    ("PLN", "złotych złote zl"),
    ("CZK", "korun"),
    ("RON", "lei Lei"),
    ("BGN", "лв лв. лева"),
    ("RUB", "руб руб. р р. рублей рубля рубль"),
    ("UAH", "грн грн. гривен"),
    ("KZT", "тенге тг"),
    ("TRY", "lira"),
    ("INR", "rupees रुपये"),
    ("VND", "đ vnđ VNĐ đồng"),
    ("THB", "baht"),
    ("BRL", "reais"),
    ("IRR", "تومان ریال"),
    ("AED", "dirhams"),
    ("MXN", "pesos~mexicanos"),
    ("PS", "pesos"),
];

/// Only before large numbers or cents: "R16" is a tyre, "RM5" a postcode, "PHP 8.1" a language, "Fr." a
/// Friday.
pub(super) const WORDS_BEFORE_LARGE: &[(&str, &str)] =
    &[("ZAR", "R"), ("MYR", "RM"), ("PHP", "PHP"), ("CHF", "Fr. Fr"), ("NPR", "NPR"), ("DKK", "Dkr")];

/// Only after large numbers: "6 Ft" are feet.
pub(super) const WORDS_AFTER_LARGE: &[(&str, &str)] =
    &[("HUF", "Ft"), ("CHF", "Fr. Fr"), ("PHP", "PHP"), ("GBP", "quid")];

/// The multiplier after a number: where it ends, and its power of ten.
pub(super) fn multiplier(text: &str, at: usize) -> Option<(usize, usize)> {
    static UNSPACED_MULTIPLIERS: UnitTable = unit_table!(&[
        ("3", "k|K"),
        ("4", "万|萬|만"),
        ("6", "m|M|mn|mm|MM"),
        ("8", "亿|億|억"),
        ("9", "bn|B|b"),
    ]);
    static SPACED_MULTIPLIERS: UnitTable = unit_table!(&[
        ("3", "тыс|тыс.|thousand|mil|Tsd.|tys.|K"),
        ("4", "万|萬|만"),
        ("5", "lakh|lakhs|lac|lacs|Lakh"),
        (
            "6",
            "million|millions|Mio.|Mio|mln|mln.|млн|млн.|millones|milhões|milioni|mil millones|\
                Millionen|M|mn",
        ),
        ("7", "crore|crores|Cr|Cr."),
        ("8", "亿|億|억"),
        ("9", "billion|billions|Mrd.|Mrd|bn|bln|млрд|miliardi|Milliarden"),
    ]);
    let found =
        UNSPACED_MULTIPLIERS.at(text, at).or_else(|| SPACED_MULTIPLIERS.at(text, skip_space(text, at)))?;
    Some((found.0, found.1.parse().ok()?))
}

/// An amount of cents in the main unit.
pub(super) fn hundredth(value: &str) -> String {
    match value.split_once('.') {
        None if value.len() > 2 => format!("{}.{}", &value[..value.len() - 2], &value[value.len() - 2..]),
        None => format!("0.{value:0>2}"),
        Some(_) => value.to_owned(),
    }
}

/// Words for "from".
pub(super) const FROM_WORDS: &[&str] = &[
    "from",
    "starting from",
    "starting at",
    "starts at",
    "as low as",
    "ab",
    "von",
    "desde",
    "a partir de",
    "à partir de",
    "dès",
    "от",
    "da",
    "a partire da",
    "vanaf",
    "fra",
    "från",
    "od",
    "already from",
    "prices from",
    "ตั้งแต่",
    "เริ่มต้น",
];

/// Words that say without "per" what an amount is for.
pub(super) const PER_ALONE: &[(&str, &str)] = &[
    (
        "month",
        "pcm|PCM|p/m|pm|p.m.|p.c.m.|monthly|mensuel|mensuels|mensual|mensuales|mtl.|mtl|monatlich|al mes|\
        月額|/月|每月",
    ),
    ("week", "pw|PW|p/w|p.w.|weekly|/周|每周"),
    ("year", "pa|p.a.|p/a|yearly|annually|jährlich|/年|每年"),
    ("night", "nightly|/泊|/晚|1泊|박|/คืน"),
    ("hour", "hourly|ph|p/h"),
    ("day", "daily|/天|/日"),
    ("person", "pp|p.p.|pppn|p/p|/人|/คน"),
    ("item", "each|ea|ea.|apiece|/个|/件"),
    ("m2", "psm|/平|/㎡|/坪"),
    ("ft2", "psf"),
];

/// What precedes a noun of [`PER_NOUNS`]: "per month", "/mo", "a year".
pub(super) const PER_LEADS: &[&str] = &[
    "per ", "/ ", "/", "a ", "an ", "pro ", "par ", "al ", "por ", "je ", "à la ", "la ", "alla ", "all'",
    "au ", "in the ", "в ", "за ", "na ", "po ", "za ", "i ", "om ", "ao ", "à l'", "el ", "le ", "every ",
    "p/",
];

/// What an amount is for, after one of [`PER_LEADS`].
pub(super) const PER_NOUNS: &[(&str, &str)] = &[
    ("hour", "hour|hr|h|Stunde|Std|heure|hora|ora|uur|час|ч|timme|godz"),
    ("day", "day|Tag|jour|día|dia|giorno|dag|день|сутки|dzień|den"),
    ("night", "night|nt|Nacht|nuit|noche|notte|noite|nacht|natt|ночь|noc|gece|คืน"),
    ("week", "week|wk|Woche|semaine|semana|settimana|vecka|неделю|hafta|tydzień"),
    (
        "month",
        "calendar month|month|mo|mth|Monat|mois|mes|mese|mês|maand|månad|мес|месяц|miesiąc|mies|ay|เดือน|월|\
        měsíc",
    ),
    ("year", "year|yr|annum|Jahr|an|année|año|anno|ano|jaar|år|год|rok|yıl|ปี"),
    (
        "person",
        "person|pers|pp|Person|personne|persona|pessoa|persoon|чел|чел.|человека|guest|adult|head|osobę|\
        osoba|kişi|คน",
    ),
    (
        "item",
        "item|unit|piece|pc|pcs|Stück|Stk|St|pièce|pieza|unidad|ud|pezzo|stuk|st|шт|шт.|szt|szt.|ks|adet|\
        ชิ้น|each",
    ),
    ("kg", "kg|Kg|KG|1 kg|1kg|kilo|кг|กก."),
    ("100g", "100 g|100g"),
    ("100ml", "100 ml|100ml"),
    ("g", "g|gram"),
    ("lb", "lb|lbs|lb."),
    ("oz", "oz|ounce"),
    ("l", "l|L|litre|liter|1 l|ltr|litro|л"),
    ("m2", "m²|m2|sqm|sq m|qm|м²|кв.м|mq|Quadratmeter|㎡"),
    ("ft2", "sq ft|sqft|sq. ft|ft²|square foot"),
    ("m", "m|metre|meter|м"),
    ("km", "km|км"),
    ("mi", "mile|mi"),
    ("kWh", "kWh"),
    ("acre", "acre"),
    ("ha", "ha"),
];
