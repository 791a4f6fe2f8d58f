//! Whether a page is about one object or about nothing in particular: a fitted decision.
//!
//! In: the [`ObjectSide`] of a page. Out: the probability of an object, for a page without a list. Articles,
//! logins and home pages are about nothing in particular. The weights are those of a logistic regression
//! (`research/fit/kinds.py`). O(labels).

use super::kind_weights::{OBJECT_BIAS, OBJECT_WEIGHTS};
use super::object_side::ObjectSide;
use crate::structure::measure::{indicator, sigmoid, weighted_sum};

/// The probability of an object.
pub(super) fn object_probability(side: &ObjectSide<'_>) -> f64 {
    sigmoid(OBJECT_BIAS + weighted_sum(&OBJECT_WEIGHTS, &object_features(side)))
}

/// What speaks for an object and what against it, in numbers. The fit computes the same
/// (`object_features` in `research/fit/kinds.py`).
fn object_features(side: &ObjectSide<'_>) -> [f64; OBJECT_WEIGHTS.len()] {
    // labels in what looks like boilerplate or like a list of other objects may be the object's, or the site's
    let labels = |outside: bool| {
        let own = side.labels.iter().filter(|label| label.is_own && label.outside == outside);
        (own.count() as f64).ln_1p()
    };
    let has_headline = side.headline.is_some();
    [
        labels(false),
        labels(true),
        indicator((1..=2).contains(&side.declared_count)),
        indicator(side.declared_count > 2),
        // many sites declare every page as an article
        indicator(side.is_declared_article) * (2.0 * side.paragraph_share()).min(1.0),
        side.paragraph_share(),
        indicator(side.has_object_type()),
        indicator(!side.has_plain_type() && !side.has_object_type()),
        indicator(has_headline),
        indicator(has_headline && side.is_h1),
        indicator(has_headline && side.price.is_some()),
    ]
}

#[cfg(test)]
mod tests {
    use super::object_probability;
    use crate::objects::object_side::{LabelPlace, ObjectSide};

    fn side(labels: usize, paragraphs: usize) -> ObjectSide<'static> {
        let label = LabelPlace { node: 5, outside: false, is_own: true, value_chars: 10 };
        ObjectSide {
            labels: vec![label; labels],
            headline: Some(3),
            is_h1: true,
            price: None,
            declared_count: 0,
            is_declared_article: false,
            paragraphs,
            page_type: None,
        }
    }

    #[test]
    fn labels_speak_for_an_object_and_running_text_against_it() {
        assert!(object_probability(&side(3, 0)) > 0.5);
        assert!(object_probability(&side(8, 0)) > object_probability(&side(3, 0)));
        assert!(object_probability(&side(0, 0)) < 0.3);
        assert!(object_probability(&side(1, 12)) < 0.1);
    }

    #[test]
    fn a_declared_thing_and_a_price_speak_for_an_object() {
        let declared = ObjectSide { declared_count: 1, ..side(0, 0) };
        assert!(object_probability(&declared) > 0.5);
        let priced = ObjectSide { price: Some(7), ..side(0, 0) };
        assert!(object_probability(&priced) > object_probability(&side(0, 0)));
        // a price far from any headline is not the object's
        let unnamed = ObjectSide { headline: None, is_h1: false, ..priced };
        let plain = ObjectSide { headline: None, is_h1: false, ..side(0, 0) };
        assert!((object_probability(&unnamed) - object_probability(&plain)).abs() < 1e-12);
    }
}
