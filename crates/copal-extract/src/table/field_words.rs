//! The vocabulary of class words: which of them say what a value is, and which only say how it looks.
//!
//! In: one word of an HTML class in lower case. Out: whether it names a field (`price`), qualifies one (`old`
//! price), names the record (`product`), or is about layout, behaviour and appearance. The fields are
//! properties of schema.org and the words that people commonly use for them. O(length of the word).

use copal_values::word_table::{WordTable, next_part, next_word};

/// Words that name a field.
const FIELD_WORDS: &str = "\
    abstract actors address age agency agent airline album amenities amount answers area artist attendees \
    audience author authority authors availability awards bathrooms baths bedrooms beds bid bids bio \
    birthday body brand breed broker byline capacity cast category channel citation city closing club code \
    color colour comment comments committee community company composer condition constituency contributors \
    cost country county court creator credits currency date deadline dealer delivery department description \
    designation developer difficulty dimension dimensions director discount distance distributor district \
    docket domain downloads due duration edition education email employer employment end ends event excerpt \
    experience expires extract fax fee followers forks format fuel gender genre genres guests headline hits \
    host hours identifier industry ingredients instructor inventory isbn issue jobtitle journal keywords \
    kind language league length level license likes location manufacturer material member members message \
    mileage model modified name neighborhood neighbourhood nickname note notes occupation offer office \
    organisation organization organizer origin owner party phone place platform players plays points \
    population position post postcode posted posts price priority profession province publication publisher \
    quantity question quote rank ranking rating recommendation recommended reference region relevance rent \
    replies reply requirements review reviewer reviews role rooms runtime salary sales saving savings \
    schedule school score season section seller sender series shares shipping site size sku snippet sold \
    source speaker specs sponsor stars start starts state status stock stops store street studio subject \
    subscribers subtitle suburb summary supplier symbol synopsis tag tags tax team teaser tenure text time \
    title topic topics total town track transmission type unit units university updated user vendor venue \
    version views volume votes wage warranty weight winner writer year zipcode";

/// Field words that are also about layout. They name a field only where nothing about layout is near them:
/// `review-text`, but not `text-gray`.
const AMBIGUOUS_WORDS: &str = "\
    body color event name post section size text track unit weight";

/// Abbreviations and other spellings of field words, as `spelling=field`.
const FIELD_SYNONYMS: &str = "\
    addr=address adr=address amt=amount auth=author autor=author bathroom=bathrooms bedroom=bedrooms \
    brief=summary cat=category categorie=category categories=category cmt=comment comentarios=comments \
    created=date datum=date dept=department desc=description descr=description descripcion=description \
    dsc=description employername=employer eyebrow=category fecha=date firm=company intro=summary kicker=category lieu=location loc=location \
    locality=location locations=location mfr=manufacturer nombre=name nome=name ort=location param=specs \
    params=specs phonenumber=phone postal=postcode postdate=date poster=user prc=price precio=price \
    preis=price preview=summary prezzo=price prix=price pubdate=date published=date qty=quantity \
    ratings=rating recommend=recommended screenname=user specification=specs specifications=specs \
    starrating=rating stitle=subtitle subtext=subtitle taglist=tags tel=phone telephone=phone titel=title \
    titolo=title titre=title titulo=title username=user_name usr=user vendeur=seller ville=city zip=postcode";

/// Words that qualify the field word after them: `old_price`, `last_post`.
const QUALIFIERS: &str = "\
    actual average avg birth case closing current due end final first former full \
    highest initial last lowest max maximum min minimum monthly new next normal old opening \
    original parent previous profile publish regular release retail reviewer sale sales second short special \
    start strike total unit updated was";

/// Words that name the record or a part of it. They are left out if another word names the field.
const RECORD_WORDS: &str = "\
    ad advert article assets block book box card catalog component element entry feed field game hit home \
    hotel info item job list listing meta metadata movie news object page prod product property race record \
    result results row search serp story summary tile video view";

/// Class words about layout, behaviour and appearance. They do not say what a value is.
const LAYOUT_WORDS: &str = "\
    absolute accent action actions active add after align alt analytics anchor animate app around auto back \
    background badge bar base before between bg bi big bit black block blue body bold border bottom box \
    break btn button caps caption card cell center centered clamp class clear clearfix click clickable \
    clickthrough close cls col collapse color cols column columns comp compact component container content \
    contents copy css cta cursor custom dark default desktop detail details direction disabled display div dropdown \
    elastic element elements ellipsis em even event expand extra fa faux field fill first fit fixed flex \
    flexbox float fluid focus font footer formatted fs full fw gap generic gray green grey grid group grow half \
    has head header heading height hidden hide highlight hint holder hover html icon id image img info \
    inline inner is item items js justify key label large larger last layout lead leading left legend lg \
    light line lines link links list lower main margin max mb md media medium meta middle min mini ml mobile \
    modal module mr mt muted mx my name nav neutral new no none noprint normal nowrap num odd of off \
    offscreen on only open orange outer overflow overlay pad padding panel para paragraph part pb pill pink \
    pl pointer pop popover popup pr primary pt pull purple px py reader red regular rel relative responsive \
    right root round rounded row screen scroll secondary section selected self semibold serif shadow short \
    show shrink single size sized slot sm small smaller space span sr st standard sticky strong style styled \
    styles sub svg tab table tablet target tbl tertiary text thick thin tight tile tooltip top track \
    tracking trigger truncate truncated txt typo typography ui underline upper uppercase util utility val \
    value variant vertical visible visually weight white whitespace wide widget width word wrap wrapper xl \
    xs xxl yellow";

static FIELDS: WordTable<(), 512> = WordTable::of_words(FIELD_WORDS);
static AMBIGUOUS: WordTable<(), 32> = WordTable::of_words(AMBIGUOUS_WORDS);
static QUALIFYING: WordTable<(), 128> = WordTable::of_words(QUALIFIERS);
static RECORDS: WordTable<(), 128> = WordTable::of_words(RECORD_WORDS);
static LAYOUT: WordTable<(), 512> = WordTable::of_words(LAYOUT_WORDS);
/// Pairs `short=usual`.
static SYNONYMS: WordTable<&str, 128> = {
    let mut synonyms = WordTable::new("");
    let mut rest = FIELD_SYNONYMS;
    while let Some((pair, after)) = next_word(rest) {
        if let Some((word, field)) = next_part(pair, b'=') {
            *synonyms.entry(word) = field;
        }
        rest = after;
    }
    synonyms
};

/// The field that a word names, in its usual spelling.
pub(crate) fn field_word(word: &str) -> Option<&'static str> {
    SYNONYMS.get(word).or_else(|| FIELDS.find(word).map(|(field, ())| field))
}

/// True for a field word that is also about layout.
pub(super) fn is_ambiguous(word: &str) -> bool {
    AMBIGUOUS.contains(word)
}

/// True for a field word that is shortened to two or three letters.
pub(super) fn is_abbreviation(word: &str) -> bool {
    word.len() <= 3 && SYNONYMS.contains(word)
}

/// True for a word that qualifies the field word after it.
pub(super) fn is_qualifier(word: &str) -> bool {
    QUALIFYING.contains(word)
}

/// True for a word that names the record rather than one of its fields.
pub(super) fn is_record_word(word: &str) -> bool {
    RECORDS.contains(word)
}

/// True for a word about layout, behaviour or appearance.
pub(crate) fn is_layout_word(word: &str) -> bool {
    LAYOUT.contains(word)
}

/// The two words that a glued class word consists of: `venuename`, `normalprice`.
pub(super) fn split_glued(word: &str) -> Option<(&str, &str)> {
    // before these suffixes any word may stand: `forumtitle`
    let is_suffix = |word: &str| matches!(word, "title" | "price" | "name" | "author");
    let known = |word: &str| field_word(word).is_some() || is_qualifier(word) || is_record_word(word);
    (3..word.len().saturating_sub(3))
        .filter(|&at| word.is_char_boundary(at))
        .map(|at| word.split_at(at))
        .find(|(before, after)| {
            known(before) && field_word(after).is_some() || is_suffix(after) && is_pronounceable(before)
        })
}

/// True for a word that people can have chosen: letters with vowels among them, as in a natural language.
/// Hashes and abbreviations are not.
pub(super) fn is_pronounceable(word: &str) -> bool {
    const MIN_WORD_CHARS: usize = 4;
    const MAX_WORD_CHARS: usize = 16;
    const MAX_CONSONANTS_IN_A_ROW: usize = 3;
    let chars = word.chars().count();
    if !(MIN_WORD_CHARS..=MAX_WORD_CHARS).contains(&chars) || word.contains(|c: char| !c.is_alphabetic()) {
        return false;
    }
    if !word.is_ascii() {
        return true;
    }
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let vowels = word.chars().filter(|&c| is_vowel(c)).count();
    let mut row = 0;
    let crowded = word.chars().any(|c| {
        row = if is_vowel(c) { 0 } else { row + 1 };
        row > MAX_CONSONANTS_IN_A_ROW
    });
    !crowded && 5 * vowels >= chars && 3 * vowels <= 2 * chars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_stand_for_field_words() {
        for pair in FIELD_SYNONYMS.split_whitespace() {
            let (_, field) = pair.split_once('=').unwrap();
            assert!(field.split('_').any(|word| FIELDS.contains(word)), "{pair}");
        }
        assert_eq!(field_word("desc"), Some("description"));
        assert_eq!(field_word("wrapper"), None);
    }

    #[test]
    fn glued_words_are_split() {
        assert_eq!(split_glued("venuename"), Some(("venue", "name")));
        assert_eq!(split_glued("normalprice"), Some(("normal", "price")));
        assert_eq!(split_glued("ekflz"), None);
        assert_eq!(split_glued("price"), None);
    }

    #[test]
    fn hashes_are_not_words() {
        for word in ["ekflz", "bcdfgh", "dda", "pr", "lh"] {
            assert!(!is_pronounceable(word), "{word}");
        }
        for word in ["breadcrumb", "agency", "snippet", "价格走势"] {
            assert!(is_pronounceable(word), "{word}");
        }
    }
}
