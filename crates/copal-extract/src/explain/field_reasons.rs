//! Why an object has its fields: how each was found, and where.
//!
//! In: an object. Out: one reason per field. O(fields).

use copal_model::{Decision, Field, FieldSource, Object};

/// One reason per field, about the element that shows it, in the order of the fields.
pub(crate) fn field_reasons(object: &Object) -> Vec<Decision> {
    let reason = |field: &Field| {
        let about = field.xpath.clone().unwrap_or_else(|| "/".to_owned());
        let (name, how, score) = (&field.name, how_found(field.source), field.confidence);
        Decision::stated(about, format!("field {name}: {how}, score {score:.2}"))
    };
    object.fields.iter().map(reason).collect()
}

fn how_found(source: FieldSource) -> &'static str {
    match source {
        FieldSource::Label => "next to a label",
        FieldSource::Text => "named by its type, its class, its words or its record",
        FieldSource::Declared => "declared by the page and shown by it",
        FieldSource::Headline => "in the headline",
        FieldSource::Role => "by its role on the page",
        FieldSource::Place => "where most other pages of the template have it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_say_how_and_where() {
        let field = Field {
            name: "colour".to_owned(),
            texts: vec!["brown".to_owned()],
            value: None,
            source: FieldSource::Place,
            confidence: 0.831,
            xpath: Some("/html/body/p[2]".to_owned()),
        };
        let object = Object { fields: vec![field], ..Object::default() };
        let reason = field_reasons(&object).remove(0);
        assert_eq!(reason.about, "/html/body/p[2]");
        assert_eq!(reason.text, "field colour: where most other pages of the template have it, score 0.83");
    }
}
