//! The attributes of a domain and their types.

use copal_values::ValueType;

/// The type of an attribute: what its values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeType {
    /// One of the value types.
    Generic(ValueType),
    /// A whole number.
    Integer,
    /// Free text.
    Text,
    /// A place.
    Place,
    /// Latitude and longitude.
    Coordinates,
}

impl AttributeType {
    /// The type that a domain file names.
    pub(super) fn named(name: &str) -> Option<AttributeType> {
        Some(match name {
            "integer" => AttributeType::Integer,
            "text" => AttributeType::Text,
            "place" => AttributeType::Place,
            "coordinates" => AttributeType::Coordinates,
            _ => AttributeType::Generic(
                ValueType::ALL.into_iter().find(|value_type| value_type.name() == name)?,
            ),
        })
    }

    /// True if its values may be in URLs: coordinates in links to maps, links, images.
    pub(super) fn is_in_urls(self) -> bool {
        matches!(
            self,
            AttributeType::Coordinates
                | AttributeType::Generic(ValueType::Link | ValueType::Image | ValueType::Url)
        )
    }

    /// True if no text can be a value of both types. Free text can be anything, and a count is also a number.
    pub(crate) fn excludes(self, other: AttributeType) -> bool {
        let general = |attribute_type: AttributeType| match attribute_type {
            AttributeType::Integer => Some(AttributeType::Generic(ValueType::Number)),
            AttributeType::Generic(value_type) => value_type.general().map(AttributeType::Generic),
            _ => None,
        };
        // A postcode is also a place.
        let is_place = |attribute_type| {
            matches!(attribute_type, AttributeType::Place | AttributeType::Generic(ValueType::Postcode))
        };
        let related = (is_place(self) && is_place(other))
            || self == other
            || general(self) == Some(other)
            || general(other) == Some(self);
        !related && self != AttributeType::Text && other != AttributeType::Text
    }

    /// The name in domain files and in output.
    pub fn name(self) -> &'static str {
        match self {
            AttributeType::Generic(value_type) => value_type.name(),
            AttributeType::Integer => "integer",
            AttributeType::Text => "text",
            AttributeType::Place => "place",
            AttributeType::Coordinates => "coordinates",
        }
    }
}

/// One attribute of a domain.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DomainAttribute {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub attribute_type: AttributeType,
    /// Labels that name it on pages.
    pub labels: Vec<String>,
    /// Smallest and largest numeric value. Values outside are not this attribute.
    pub range: Option<(f64, f64)>,
    /// Its values are crossed out on pages: an old price.
    pub crossed_out: bool,
    /// It is shown on detail pages only, not in lists.
    pub detail_only: bool,
    /// The attributes that its values are made of: town and county of a location.
    pub parts: Vec<usize>,
    /// Most terms of its gazetteers begin with a capital letter: its values are proper names.
    pub proper_names: bool,
    /// Names of annotators that find its values, if the user binds them.
    pub annotators: Vec<String>,
    /// At least one of its annotators is bound.
    pub(crate) has_annotator: bool,
    /// It has its own rules or gazetteers. Without them, every value of its value type belongs to it.
    pub(crate) has_own_recognisers: bool,
}

impl DomainAttribute {
    /// True if it has rules or gazetteers of its own.
    pub fn has_own_recognisers(&self) -> bool {
        self.has_own_recognisers
    }

    /// True if its values are found in texts: by rules, gazetteers, a recogniser or an annotator. Others (titles,
    /// descriptions, images) are found by how they look.
    pub fn is_recognised(&self) -> bool {
        let has_recogniser = match self.attribute_type {
            AttributeType::Generic(value_type) => !matches!(value_type, ValueType::Image | ValueType::Link),
            _ => false,
        };
        self.has_own_recognisers || has_recogniser || self.has_annotator
    }
}
