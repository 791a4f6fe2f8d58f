//! The generic types of values.

use std::fmt;

/// What a piece of text is, whatever the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueType {
    /// An amount of money, or a range of them.
    Money,
    /// A number, mostly with a unit.
    Number,
    /// A percentage.
    Percent,
    /// A date, a time, or both; also relative ones.
    Date,
    /// A telephone number.
    Phone,
    /// An e-mail address.
    Email,
    /// A web address in a text.
    Url,
    /// A postal code.
    Postcode,
    /// A grade out of a best one.
    Rating,
    /// How many of something: "1,374 reviews".
    Count,
    /// A surface.
    Area,
    /// A length, distance or mileage.
    Distance,
    /// A span of time.
    Duration,
    /// A book number.
    Isbn,
    /// Yes or no.
    YesNo,
    /// A natural language, named.
    Language,
    /// An image.
    Image,
    /// A link with a text.
    Link,
}

impl ValueType {
    /// All kinds.
    pub const ALL: [ValueType; 18] = [
        ValueType::Money,
        ValueType::Number,
        ValueType::Percent,
        ValueType::Date,
        ValueType::Phone,
        ValueType::Email,
        ValueType::Url,
        ValueType::Postcode,
        ValueType::Rating,
        ValueType::Count,
        ValueType::Area,
        ValueType::Distance,
        ValueType::Duration,
        ValueType::Isbn,
        ValueType::YesNo,
        ValueType::Language,
        ValueType::Image,
        ValueType::Link,
    ];

    /// The more general type its values are too.
    pub fn general(self) -> Option<ValueType> {
        match self {
            ValueType::Percent | ValueType::Count | ValueType::Area | ValueType::Distance => {
                Some(ValueType::Number)
            }
            _ => None,
        }
    }

    /// How far a recogniser's word is to be trusted: forms with check digits or marks of their own most, digits and
    /// words that may be many things least.
    pub fn trust(self) -> f64 {
        match self {
            ValueType::Date
            | ValueType::Count
            | ValueType::Area
            | ValueType::Distance
            | ValueType::Duration => 0.9,
            ValueType::Number | ValueType::Phone | ValueType::Postcode => 0.8,
            ValueType::YesNo | ValueType::Language => 0.6,
            _ => 1.0,
        }
    }

    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Money => "money",
            ValueType::Number => "number",
            ValueType::Percent => "percent",
            ValueType::Date => "date",
            ValueType::Phone => "phone",
            ValueType::Email => "email",
            ValueType::Url => "url",
            ValueType::Postcode => "postcode",
            ValueType::Rating => "rating",
            ValueType::Count => "count",
            ValueType::Area => "area",
            ValueType::Distance => "distance",
            ValueType::Duration => "duration",
            ValueType::Isbn => "isbn",
            ValueType::YesNo => "yes-no",
            ValueType::Language => "language",
            ValueType::Image => "image",
            ValueType::Link => "link",
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
