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

    /// The more general type its values are too.
    pub fn general(self) -> Option<Kind> {
        match self {
            Kind::Percent | Kind::Count | Kind::Area | Kind::Distance => Some(Kind::Number),
            _ => None,
        }
    }

    /// How far a recogniser's word is to be trusted: forms with check digits or marks of their own most, digits and
    /// words that may be many things least.
    pub(crate) fn trust(self) -> f64 {
        match self {
            Kind::Date | Kind::Count | Kind::Area | Kind::Distance | Kind::Duration => 0.9,
            Kind::Number | Kind::Phone | Kind::Postcode => 0.8,
            Kind::YesNo | Kind::Language => 0.6,
            _ => 1.0,
        }
    }

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
