//! Words for the state of a thing in a list: whether it can be had, and whether it is new.
//!
//! In: the text of a cell. Out: whether the whole text is such a word. A state that only some records have is a value,
//! although it is the same text in all of them. O(length).

use copal_dom::letters_and_digits;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// States, one per line, in lower case.
const STATES: &str = "\
in stock
out of stock
low stock
limited stock
sold
sold out
available
available now
not available
unavailable
currently unavailable
temporarily unavailable
discontinued
pre-order
preorder
on order
back order
backorder
coming soon
reserved
under offer
sold stc
sale agreed
let agreed
let
open
closed
expired
active
inactive
pending
filled
cancelled
canceled
postponed
new
used
refurbished
auf lager
nicht auf lager
lieferbar
sofort lieferbar
nicht lieferbar
verfügbar
nicht verfügbar
ausverkauft
vergriffen
verkauft
reserviert
vorbestellbar
neu
gebraucht
en stock
rupture de stock
en rupture
disponible
indisponible
épuisé
vendu
réservé
neuf
occasion
agotado
sin stock
no disponible
vendido
reservado
nuevo
usado
disponibile
non disponibile
esaurito
venduto
op voorraad
uitverkocht
beschikbaar
verkocht
disponível
indisponível
esgotado";

static STATE_WORDS: LazyLock<FxHashSet<String>> =
    LazyLock::new(|| STATES.lines().map(|line| letters_and_digits(line).collect()).collect());

/// True if the whole text is a state. Signs around it do not count.
pub(super) fn is_state_word(text: &str) -> bool {
    let folded: String = letters_and_digits(text).collect();
    STATE_WORDS.contains(&folded)
}

#[cfg(test)]
mod tests {
    use super::is_state_word;

    #[test]
    fn whole_texts_are_states() {
        for text in ["In stock", "✓ In stock!", "SOLD OUT", "Pre-order", "Nicht verfügbar", "épuisé"] {
            assert!(is_state_word(text), "{text}");
        }
        for text in ["", "Add to basket", "In stock for you", "Read more", "newer"] {
            assert!(!is_state_word(text), "{text}");
        }
    }
}
