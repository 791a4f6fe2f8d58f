//! Whether a whole text can be a value of an attribute, judged by the attribute's type alone.
//!
//! In: a text that no rule, gazetteer or label recognised. Out: its value. O(length).

use super::annotation_builder::{coordinates, number, numeric};
use crate::domain::attribute::{AttributeType, DomainAttribute};
use copal_values::{Value, ValueType, find_values, numbers};

impl DomainAttribute {
    /// The value of a text, if the text as a whole can be a value of the attribute. Texts and places can be
    /// anything; all other types must be recognised in at least half of the text, and be in the attribute's
    /// range. Images and links are not texts.
    ///
    /// ```
    /// let domain = copal_domain::Domain::load("real-estate")?;
    /// let price = &domain.attributes[domain.pivot];
    /// assert!(price.read_text("£250,000").is_some());
    /// assert!(price.read_text("2 bedrooms, 1 bathroom").is_none());
    /// # Ok::<(), copal_domain::DomainError>(())
    /// ```
    pub fn read_text(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        let value = match self.attribute_type {
            AttributeType::Text | AttributeType::Place => Some(Value::Text(text.to_owned())),
            AttributeType::Integer => {
                numbers::parse(text).filter(|found| !found.contains('.')).map(|found| number(&found))
            }
            AttributeType::Coordinates => coordinates(text),
            AttributeType::Generic(ValueType::Image | ValueType::Link) => None,
            AttributeType::Generic(wanted) => {
                let is_wanted = |found: ValueType| found == wanted || found.general() == Some(wanted);
                let whole = find_values(text)
                    .into_iter()
                    .find(|found| is_wanted(found.value_type) && 2 * found.span.len() >= text.len());
                let bare = || {
                    let may_be_bare =
                        matches!(wanted, ValueType::Number | ValueType::Distance | ValueType::Count);
                    numbers::parse(text).filter(|_| may_be_bare).map(|found| number(&found))
                };
                whole.map(|found| found.value).or_else(bare)
            }
        }?;
        match (self.range, numeric(&value)) {
            (Some((least, most)), Some(found)) if !(least..=most).contains(&found) => None,
            _ => Some(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::model::Domain;

    #[test]
    fn a_text_must_have_the_type_of_the_attribute() {
        let domain = Domain::load("real-estate").unwrap();
        let reads = |name: &str, text: &str| {
            domain.attributes[domain.attribute(name).unwrap()].read_text(text).is_some()
        };
        for (name, text, expected) in [
            ("price", "£1,295 pcm", true),
            ("price", "2 bedrooms, 1 bathroom", false),
            ("price", "Sold", false),
            ("bedrooms", "3", true),
            ("bedrooms", "300", false),
            ("bedrooms", "garden", false),
            ("postcode", "OX28 6BW", true),
            ("postcode", "Witney", false),
            ("location", "Chadlow", true),
        ] {
            assert_eq!(reads(name, text), expected, "{name} {text}");
        }
    }
}
