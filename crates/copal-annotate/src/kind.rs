//! The generic types of values.

use std::fmt;

/// What a piece of text is, whatever the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
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

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 18] = [
        Kind::Money,
        Kind::Number,
        Kind::Percent,
        Kind::Date,
        Kind::Phone,
        Kind::Email,
        Kind::Url,
        Kind::Postcode,
        Kind::Rating,
        Kind::Count,
        Kind::Area,
        Kind::Distance,
        Kind::Duration,
        Kind::Isbn,
        Kind::YesNo,
        Kind::Language,
        Kind::Image,
        Kind::Link,
    ];

    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Money => "money",
            Kind::Number => "number",
            Kind::Percent => "percent",
            Kind::Date => "date",
            Kind::Phone => "phone",
            Kind::Email => "email",
            Kind::Url => "url",
            Kind::Postcode => "postcode",
            Kind::Rating => "rating",
            Kind::Count => "count",
            Kind::Area => "area",
            Kind::Distance => "distance",
            Kind::Duration => "duration",
            Kind::Isbn => "isbn",
            Kind::YesNo => "yes-no",
            Kind::Language => "language",
            Kind::Image => "image",
            Kind::Link => "link",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
