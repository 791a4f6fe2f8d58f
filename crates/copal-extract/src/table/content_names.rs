//! Column names from what texts say, for columns that no markup names.
//!
//! In: a column draft. Out: a name and the reason for it: the word that all links of the column have in their
//! URLs (`/author/12`), the noun that nearly all texts share (`Democratic Party`, `Commission of …`), or what
//! the texts look like as a whole: names of people, a few values that repeat, sentences. O(text).

use super::column_draft::{ColumnDraft, DraftCell, self_and_ancestors};
use super::value_names::NameEvidence;
use copal_dom::{Node, Page, attrs};
use copal_model::{CellSource, NamedBy};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Fewer cells do not show what texts have in common.
const MIN_SHARED_WORD_CELLS: usize = 4;
/// Elements around a text that may be its link.
const MAX_LINK_DISTANCE: usize = 3;
/// Segments of a URL that are read.
const MAX_URL_SEGMENTS: usize = 6;
/// Longest text whose first or last word says what it is, in words.
const MAX_PHRASE_WORDS: usize = 12;
/// Longest name of a person, in words.
const MAX_PERSON_WORDS: usize = 5;
/// Most words of a value that repeats.
const MAX_REPEATED_WORDS: usize = 4;
/// Fewer cells do not show that values repeat.
const MIN_REPEATING_CELLS: usize = 6;
/// Sentences have at least this many words on average.
const MIN_SENTENCE_WORDS: usize = 6;

/// What a noun says about the text that has it, as `field noun noun …`: bodies, positions and places in
/// several languages.
const NOUN_FIELDS: &[&str] = &[
    "party party parti partido partei partij partito partia partiet strana stranka партия партія حزب",
    "committee committee comité comite commission comisión comision comissão ausschuss commissie komisja комитет \
     комиссия لجنة",
    "group group groupe grupo gruppe gruppo fraktion fractie frakce фракция группа فريق",
    "position minister ministre ministro ministra ministerin member membre miembro mitglied senator secretary \
     president chair chairman director deputy speaker manager engineer министр وزير",
    "location library bibliothek bibliothèque biblioteca hall center centre theatre theater museum park",
    "university university universität université universidad università uniwersytet университет",
    "publisher press verlag éditions editorial publishing",
    "company inc ltd llc gmbh s.a. corp limited",
];
/// Segments of URLs under which sites keep pages about a field, as `field form form …`.
const LINK_FIELDS: &[&str] = &[
    "author authors auteur autor autores autore byline columnist columnists writer writers",
    "artist artists",
    "brand brands marque marca marke manufacturer manufacturers",
    "category categories cat categoria categorie categoría kategorie kategoria rubrik rubric rubrique",
    "city cities ville stadt ciudad",
    "company companies employer employers empresa firma entreprise",
    "country countries",
    "department departments",
    "director directors",
    "genre genres",
    "journal journals",
    "location locations",
    "organization organizations organisation organisations",
    "platform platforms",
    "publisher publishers",
    "region regions",
    "seller sellers vendor vendors",
    "series serie",
    "store stores shop-by-store",
    "subject subjects",
    "tag tags label labels schlagwort etiqueta",
    "team teams club clubs",
    "topic topics thema",
    "university universities",
    "venue venues",
];
/// Common given names in several languages: a few of them show that texts are people.
const GIVEN_NAMES: &str = "\
    adam ahmed alan albert alex alexander alexandra ali alice amanda amy ana anders andrea andreas andrew andrey \
    angela anja ann anna anne anthony antonio barbara ben benjamin bernd brian bruno carl carla carlos carol \
    caroline catherine charles chris christian christine christopher claire claudia dan daniel daniela david davor \
    deborah diana dmitry dominik donald edward elena elizabeth emily emma eric erik eva fatima felix fernando \
    francesco francisco frank franz fred gabriel george giovanni giulia greg hans harry hassan heather heinz helen \
    henrik henry hugo igor ingrid irina isabel ivan jack jacob james jan jane jason jean jeff jennifer jens jessica \
    jim joan joe johan john jonathan jorge jose joseph josé juan julia julie jürgen karen karl kate katherine \
    kathleen katja ken kenneth kevin kim klaus kumar lars laura lee leo linda lisa louis louise lucas lucia luigi \
    luis lukas magnus marc marco marcus margaret maria marie marina mario mark markus marta martin martina mary \
    matt matthew maurice max megan michael michel michelle miguel mike mohamed mohammed monica nancy natalia \
    natalie nicholas nick nicolas nicole nikolay nina oleg oliver olga omar oscar pablo patricia patrick paul paula \
    pedro peter petra philip philippe pierre piotr rachel raj ralf rebecca richard rita robert roberto roger ruth \
    ryan sam samuel sandra sara sarah scott sebastian sergey sharon simon sofia sophie stefan stephanie stephen \
    steve steven susan sven tanja ted teresa thomas tim tina tom tomas tomo tony ulrich ursula uwe vera victor \
    victoria vincent vladimir walter wei wendy werner will william wolfgang yusuf";
/// Short words inside names of people: `Ludwig van Beethoven`.
const NAME_PARTICLES: &[&str] = &[
    "al", "bin", "da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "el", "e", "la",
    "le", "ten", "ter", "van", "von", "y", "zu",
];
/// Words of URLs and classes where the records are people.
const PEOPLE_WORDS: &[&str] = &[
    "abgeordnete",
    "actors",
    "artists",
    "authors",
    "cabinet",
    "candidates",
    "candidats",
    "councillors",
    "councilors",
    "deputes",
    "deputies",
    "deputados",
    "deputy",
    "diputados",
    "diputado",
    "doctors",
    "employees",
    "faculty",
    "leden",
    "legislators",
    "member",
    "members",
    "membres",
    "mandataires",
    "ministers",
    "mitglieder",
    "mps",
    "people",
    "person",
    "persons",
    "players",
    "politicians",
    "poslanci",
    "poslowie",
    "posel",
    "profile",
    "profiles",
    "senator",
    "senators",
    "speakers",
    "staff",
    "team",
    "user",
    "users",
];

static FIELD_OF_NOUN: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = |line: &'static str| {
        let mut words = line.split_whitespace();
        let field = words.next().unwrap_or_default();
        words.map(move |noun| (noun, field))
    };
    NOUN_FIELDS.iter().copied().flat_map(pairs).collect()
});
static GIVEN: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| GIVEN_NAMES.split_whitespace().collect());

/// The word that the links of all texts have in their URLs, if it names a field: `/author/`, `?tag=`.
pub(super) fn link_word_name(page: &Page, draft: &ColumnDraft) -> Option<NameEvidence> {
    if draft.source != CellSource::Text || draft.cells.len() < MIN_SHARED_WORD_CELLS {
        return None;
    }
    let first = link_words(page, draft.cells[0].text.source.as_ref()?.node)?;
    let middle = &draft.cells[draft.cells.len() / 2];
    let sources = [middle, draft.cells.last()?];
    let mut common = first;
    for cell in sources {
        let words = link_words(page, cell.text.source.as_ref()?.node)?;
        common.retain(|word| words.contains(word));
    }
    let word = common.into_iter().next_back()?;
    let reason = format!("the word {word:?} in the URLs of its links");
    Some(NameEvidence::new(word, NamedBy::Label, reason))
}

/// The words in the URL of the link around a text under which sites keep pages about a field. The last segment
/// is about the value, and of a query with several keys nobody knows which one is.
fn link_words(page: &Page, node: Node) -> Option<Vec<&'static str>> {
    let href = self_and_ancestors(page, node)
        .take(MAX_LINK_DISTANCE)
        .find_map(|up| page.tree.attr(up, attrs::HREF))?;
    let path =
        href.split_once("://").map_or(href, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut segments: Vec<&str> =
        path.split('/').filter(|part| !part.is_empty()).take(MAX_URL_SEGMENTS).collect();
    if query.is_empty() {
        segments.pop();
    } else if !query.contains('&') {
        segments.extend(query.split_once('=').map(|(key, _)| key));
    }
    let mut words = Vec::new();
    for segment in segments {
        // of `product-category` the last word says what follows
        let last = segment.rsplit(['-', '_']).next().unwrap_or(segment).to_lowercase();
        words.extend(LINK_FIELDS.iter().find_map(|line| {
            let mut forms = line.split_whitespace();
            let field = forms.next()?;
            (field == last || forms.any(|form| form == last)).then_some(field)
        }));
    }
    Some(words)
}

/// The noun at the beginning or at the end of nearly all texts: `Democratic Party`, `Commission des finances`.
pub(super) fn shared_noun_name(draft: &ColumnDraft) -> Option<NameEvidence> {
    if draft.source != CellSource::Text || draft.cells.len() < MIN_SHARED_WORD_CELLS {
        return None;
    }
    let mut fields: FxHashMap<&str, usize> = FxHashMap::default();
    for cell in &draft.cells {
        let words: Vec<&str> = cell.text().split_whitespace().take(MAX_PHRASE_WORDS + 1).collect();
        if words.len() < 2 || words.len() > MAX_PHRASE_WORDS {
            continue;
        }
        let noun = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let (first, last) = (noun(words[0]), noun(words[words.len() - 1]));
        let mut named: Vec<&str> = [&first, &last].into_iter().filter_map(|word| noun_field(word)).collect();
        named.dedup();
        for field in named {
            *fields.entry(field).or_default() += 1;
        }
    }
    let cells = draft.cells.len();
    let best = fields.into_iter().max_by_key(|(field, count)| (*count, std::cmp::Reverse(*field)));
    let (field, _) = best.filter(|(_, count)| 2 * count > cells)?;
    Some(NameEvidence::new(field, NamedBy::Label, format!("most of its texts name a {field}")))
}

fn noun_field(word: &str) -> Option<&'static str> {
    FIELD_OF_NOUN.get(word).copied()
}

/// A name for texts of which only the form is known: names of people, sentences, a few values that repeat.
pub(super) fn form_guess(draft: &ColumnDraft) -> Option<NameEvidence> {
    if draft.source != CellSource::Text {
        return None;
    }
    let guess = |name: &str, reason: &str| Some(NameEvidence::new(name, NamedBy::ValueType, reason));
    if draft.cells.len() >= MIN_SHARED_WORD_CELLS && are_people(draft) {
        return guess("person", "its texts look like names of people");
    }
    let words: usize = draft.cells.iter().map(|cell| cell.text().split_whitespace().count()).sum();
    if words >= MIN_SENTENCE_WORDS * draft.cells.len() {
        return guess("details", "its texts have many words");
    }
    if repeats_values(draft) {
        return guess("category", "a few values repeat");
    }
    None
}

/// True if there are at most a third as many different texts as cells, all of them short and with letters.
fn repeats_values(draft: &ColumnDraft) -> bool {
    let texts: FxHashSet<&str> = draft.cells.iter().map(DraftCell::text).collect();
    let is_short = |text: &&str| {
        text.split_whitespace().count() <= MAX_REPEATED_WORDS && text.contains(|c: char| c.is_alphabetic())
    };
    draft.cells.len() >= MIN_REPEATING_CELLS
        && 3 * texts.len() <= draft.cells.len()
        && texts.iter().all(is_short)
}

/// True if most texts are two to five capitalised words.
pub(super) fn are_people(draft: &ColumnDraft) -> bool {
    let like = draft.cells.iter().filter(|cell| is_person(cell.text())).count();
    let given = draft.cells.iter().filter(|cell| has_given_name(cell.text())).count();
    4 * like >= 3 * draft.cells.len() && 10 * given >= draft.cells.len()
}

fn has_given_name(text: &str) -> bool {
    let words = text.split([' ', ',', '-']).take(MAX_PERSON_WORDS);
    words.filter(|word| word.len() > 1).any(|word| GIVEN.contains(word.to_lowercase().as_str()))
}

fn is_person(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(MAX_PERSON_WORDS + 1).collect();
    let is_name = |word: &str| {
        let mut chars = word.chars().filter(|c| c.is_alphabetic());
        chars.next().is_some_and(char::is_uppercase)
            && !word
                .contains(|c: char| !c.is_alphabetic() && !matches!(c, '.' | '-' | '\'' | '\u{2019}' | ','))
    };
    let names = words.iter().filter(|word| is_name(word)).count();
    let others = words.iter().filter(|word| !is_name(word)).all(|word| NAME_PARTICLES.contains(word));
    (2..=MAX_PERSON_WORDS).contains(&words.len())
        && names >= 2
        && others
        && words.iter().all(|word| noun_field(&word.to_lowercase()).is_none())
}

/// Fields that only people have.
const PERSON_FIELDS: &[&str] = &["party", "position", "committee", "constituency", "faction", "birthday"];

/// True if one of the columns is a field of people.
pub(super) fn has_person_fields<'n>(mut names: impl Iterator<Item = &'n str>) -> bool {
    names.any(|name| PERSON_FIELDS.contains(&name))
}

/// True if most texts can be names of people: they look like it, or their script has no capitals.
pub(super) fn may_be_people(draft: &ColumnDraft) -> bool {
    let has_case = || draft.cells.iter().any(|cell| cell.text().chars().any(char::is_uppercase));
    let looks = draft.cells.iter().filter(|cell| is_person(cell.text())).count();
    4 * looks >= 3 * draft.cells.len() || !has_case()
}

/// True if the URL of the page, the links of the records or their classes say that the records are people.
pub(super) fn lists_people(page: &Page, title: &ColumnDraft) -> bool {
    let has_word = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| PEOPLE_WORDS.contains(&word.to_lowercase().as_str()))
    };
    let path = |url: &str| url.split_once("://").map_or(url, |(_, rest)| rest).to_owned();
    page.url.as_deref().is_some_and(|url| has_word(&path(url)))
        || self_and_ancestors(page, title.sample).take(2 * MAX_LINK_DISTANCE).any(|up| {
            page.tree.attr(up, attrs::HREF).is_some_and(|href| has_word(&path(href)))
                || page.tree.attr(up, attrs::CLASS).is_some_and(has_word)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_model::CellText;

    fn column(texts: &[&str]) -> ColumnDraft {
        let cell = |(record, text): (usize, &&str)| DraftCell {
            record,
            position: 0,
            text: CellText::from((*text).to_owned()),
        };
        ColumnDraft {
            source: CellSource::Text,
            sample: 0,
            last: 0,
            tail: false,
            label: None,
            cells: texts.iter().enumerate().map(cell).collect(),
        }
    }

    fn name(found: Option<NameEvidence>) -> Option<String> {
        found.map(|found| found.name)
    }

    #[test]
    fn nouns_name_texts() {
        let parties = column(&["Green Party", "United Party", "National Alliance", "Labour Party"]);
        assert_eq!(name(shared_noun_name(&parties)).as_deref(), Some("party"));
        let french =
            column(&["Commission des finances", "Commission A", "Commission de la loi", "Commission B"]);
        assert_eq!(name(shared_noun_name(&french)).as_deref(), Some("committee"));
        assert_eq!(
            name(shared_noun_name(&column(&["Red lamp", "Blue desk", "Oak shelf", "Old chair"]))),
            None
        );
    }

    #[test]
    fn people_have_capitalised_names() {
        assert!(is_person("Ludwig van Beethoven") && is_person("Anja Šimpraga") && is_person("Ann B. Lee"));
        assert!(!is_person("A long walk home") && !is_person("Reuters") && !is_person("Green Party"));
        let people = column(&["Ann Lee", "Bo Ek", "Cy Orr", "Di Fox"]);
        assert_eq!(name(form_guess(&people)).as_deref(), Some("person"));
        assert_eq!(name(form_guess(&column(&["Home Decor", "Bath Tubs", "Office Chairs", "Garden"]))), None);
    }

    #[test]
    fn values_that_repeat_are_categories() {
        let kinds = column(&["News", "Review", "News", "News", "Review", "News"]);
        assert_eq!(name(form_guess(&kinds)).as_deref(), Some("category"));
        assert_eq!(name(form_guess(&column(&["a1", "b2", "c3", "d4", "e5", "f6"]))), None);
    }
}
