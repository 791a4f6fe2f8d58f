//! What the records of a page are called on the page itself: "kettles" in a shop for kettles.
//!
//! In: a page and its main list. Out: the words of the title and of the headings outside records. A counter such as "60
//! kettles" is only understood with them. Words after a number do not count ("3 bedrooms"), nor do units of time and
//! measure. O(text of title and headings), which is bounded.

use super::counter_tokens::meaning;
use super::list_extent::ListExtent;
use copal_dom::{Page, tags};
use copal_values::word_table::WordTable;
use rustc_hash::FxHashSet;

/// Headings that are read.
const MAX_NOUN_HEADINGS: usize = 20;
/// Longest title or heading that is read.
const MAX_NOUN_TEXT_CHARS: usize = 200;
/// Shortest word, in characters.
const MIN_NOUN_CHARS: usize = 4;

/// Nouns that are counted in records, offers and headings, but are not records.
const COUNTED_WORDS: &str = "\
    day days week weeks month months year years hour hours minute minutes second seconds night nights season seasons \
    star stars point points vote votes view views like likes follower followers subscriber subscribers member members \
    user users people person persons guest guests visitor visitors customer customers download downloads \
    bed beds bedroom bedrooms bath baths bathroom bathrooms room rooms floor floors seat seats door doors \
    mile miles metre metres meter meters inch inches feet foot acre acres gram grams litre litres watt watts volt volts \
    dollar dollars euro euros pound pounds cent cents percent step steps way ways time times piece pieces pack packs \
    part parts chapter chapters volume volumes level levels player players million thousand hundred billion \
    tage tagen jahre jahren monate stunden minuten zimmer sterne personen jours mois heures minutes chambres personnes \
    días años meses horas habitaciones personas with from this that your more what when best home";

static UNFIT_NOUNS: WordTable<(), 256> = WordTable::of_words(COUNTED_WORDS);

/// The words of a page's title and headings.
pub(super) struct PageNouns {
    stems: FxHashSet<String>,
}

impl PageNouns {
    pub(super) fn of(page: &Page, extent: &ListExtent) -> PageNouns {
        let tree = &page.tree;
        let headings = tree
            .nodes()
            .filter(|&node| tags::is_heading(tree.tag(node)) && !extent.is_in_record(node))
            .filter(|&node| page.styles.is_shown(node))
            .take(MAX_NOUN_HEADINGS)
            .map(|node| page.text_of(node));
        let mut stems = FxHashSet::default();
        for text in page.title().into_iter().chain(headings) {
            if text.chars().count() <= MAX_NOUN_TEXT_CHARS {
                add_nouns(&text, &mut stems);
            }
        }
        PageNouns { stems }
    }

    /// True if the word, in singular or plural, is one of the page's.
    pub(super) fn contains(&self, word: &str) -> bool {
        is_noun(word) && self.stems.contains(&stem(word))
    }
}

fn add_nouns(text: &str, stems: &mut FxHashSet<String>) {
    let mut after_number = false;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let is_number = word.contains(|c: char| c.is_numeric());
        if !after_number && !is_number && is_noun(word) {
            stems.insert(stem(word));
        }
        after_number = is_number;
    }
}

fn is_noun(word: &str) -> bool {
    if word.chars().count() < MIN_NOUN_CHARS
        || !word.chars().all(char::is_alphabetic)
        || meaning(word).is_some()
    {
        return false;
    }
    !UNFIT_NOUNS.contains(&word.to_lowercase())
}

/// The word without the endings of English, French and Spanish plurals. Others mostly use the plural in both places.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    if let Some(start) = word.strip_suffix("ies") {
        return format!("{start}y");
    }
    let start = ["sses", "shes", "ches", "xes"].iter().find(|end| word.ends_with(**end));
    let cut = if start.is_some() { 2 } else { usize::from(word.ends_with('s') && !word.ends_with("ss")) };
    word[..word.len() - cut].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_and_singulars_are_one_noun() {
        let mut stems = FxHashSet::default();
        add_nouns("Copper kettles and boxes: 3 bedrooms, 24 cherries, Galleries", &mut stems);
        let nouns = PageNouns { stems };
        for word in ["kettle", "Kettles", "box", "boxes", "gallery"] {
            assert_eq!(nouns.contains(word), word != "box", "{word}");
        }
        for word in ["bedrooms", "cherries", "and", "lamps", "results", "days"] {
            assert!(!nouns.contains(word), "{word}");
        }
    }
}
