//! The types of values.

use std::fmt;

/// The type of a value, independent of any domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueType {
    /// An amount of money, or a range of amounts.
    Money,
    /// A number, usually with a unit.
    Number,
    /// A percentage.
    Percent,
    /// A date, a time, or both, absolute or relative.
    Date,
    /// A telephone number.
    Phone,
    /// An e-mail address.
    Email,
    /// A URL in a text.
    Url,
    /// A postal code.
    Postcode,
    /// A rating on a scale: "4.1 out of 5".
    Rating,
    /// How many of something: "1,374 reviews".
    Count,
    /// An area.
    Area,
    /// A length, distance or mileage.
    Distance,
    /// A duration.
    Duration,
    /// An ISBN.
    Isbn,
    /// Yes or no.
    YesNo,
    /// The name of a natural language.
    Language,
    /// An image.
    Image,
    /// A link with a text.
    Link,
}

impl ValueType {
    /// All value types.
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

    /// The more general type that values of this type also have.
    pub fn general(self) -> Option<ValueType> {
        match self {
            ValueType::Percent | ValueType::Count | ValueType::Area | ValueType::Distance => {
                Some(ValueType::Number)
            }
            _ => None,
        }
    }

    /// The weight of a recogniser of this type in a vote. Forms with check digits or signs of their own weigh
    /// most; digits and words that can be many things weigh least.
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

    /// The name in output and in domain files.
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
