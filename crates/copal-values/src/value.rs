//! Normalised values: how a recogniser understood a text.
//!
//! Amounts are decimal texts (`1234.5`), so nothing is lost to floating point.

use crate::value_type::ValueType;

/// A number as a decimal text: digits, at most one point, and a minus sign if it is negative.
pub type Decimal = String;

/// A text of a fixed vocabulary.
pub type StaticText = &'static str;

/// A normalised value. The enum is exhaustive on purpose: whoever adds a type is led by the compiler to every
/// output that has to write its components.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Value {
    /// Money.
    Money {
        /// The amount, or the lower end of a range.
        amount: Decimal,
        /// The upper end of a range.
        max: Option<Decimal>,
        /// ISO 4217 code, if the text names the currency.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::optional"))]
        currency: Option<StaticText>,
        /// `hour`, `day`, `night`, `week`, `month`, `year`, `person`, `item`, or a unit (`kg`, `m2` …).
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::optional"))]
        per: Option<StaticText>,
        /// "from £10": a lower bound.
        from: bool,
    },
    /// A number, with an optional unit and an optional upper end.
    Number {
        /// The number, or the lower end of a range.
        value: Decimal,
        /// The upper end of a range.
        max: Option<Decimal>,
        /// A unit in its usual short form (`kg`, `cc`, `kWh`, `bhp`, `mpg` …).
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::optional"))]
        unit: Option<StaticText>,
    },
    /// 12.5 for 12.5%.
    Percent(Decimal),
    /// ISO 8601, as exact as the text: `2017`, `2017-01`, `2017-01-26`, `2017-01-26T14:05`, `T14:05`,
    /// `--01-26` (no year).
    Date(String),
    /// An offset from now: -3 `day` is three days ago.
    Relative {
        /// How many units. Negative offsets are in the past.
        amount: i64,
        /// `minute`, `hour`, `day`, `week`, `month` or `year`.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::required"))]
        unit: StaticText,
    },
    /// The digits, with a leading `+` if the country code is given.
    Phone(String),
    /// An e-mail address in lower case.
    Email(String),
    /// A URL as written, with `http://` if it had no scheme.
    Url(String),
    /// A postal code in its usual spelling.
    Postcode {
        /// The code.
        code: String,
        /// ISO 3166 code, if the form of the code belongs to one country.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::optional"))]
        country: Option<StaticText>,
    },
    /// 4.1 out of 5.
    Rating {
        /// The rating.
        value: Decimal,
        /// The best possible rating.
        of: Decimal,
    },
    /// 1374 reviews.
    Count {
        /// How many.
        value: Decimal,
        /// "1000+": a lower bound.
        at_least: bool,
        /// What is counted: the noun as written, in lower case.
        of: String,
    },
    /// An area: unit `m2`, `ft2`, `ha`, `acre`, `km2` …
    Area {
        /// The area, or the lower end of a range.
        value: Decimal,
        /// The upper end of a range.
        max: Option<Decimal>,
        /// The unit.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::required"))]
        unit: StaticText,
    },
    /// A length: unit `mm`, `cm`, `m`, `km`, `in`, `ft`, `yd`, `mi`.
    Distance {
        /// The length, or the lower end of a range.
        value: Decimal,
        /// The upper end of a range.
        max: Option<Decimal>,
        /// The unit.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::required"))]
        unit: StaticText,
    },
    /// A duration in whole seconds.
    Duration(u64),
    /// The thirteen digits of an ISBN.
    Isbn(String),
    /// Yes or no.
    YesNo(bool),
    /// ISO 639-1 code.
    Language(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::static_text::required"))] StaticText,
    ),
    /// A position on Earth, in degrees.
    Coordinates {
        /// Latitude.
        lat: Decimal,
        /// Longitude.
        lon: Decimal,
    },
    /// A value made of others, as pairs of an attribute name and its text: the town and the county of a
    /// location.
    Parts(Vec<(String, String)>),
    /// A value that is the text itself (links, images).
    Text(String),
}

impl Value {
    /// The type that the value has by itself; `None` for positions, values of several parts and plain texts.
    pub fn value_type(&self) -> Option<ValueType> {
        Some(match self {
            Value::Money { .. } => ValueType::Money,
            Value::Number { .. } => ValueType::Number,
            Value::Percent(_) => ValueType::Percent,
            Value::Date(_) | Value::Relative { .. } => ValueType::Date,
            Value::Phone(_) => ValueType::Phone,
            Value::Email(_) => ValueType::Email,
            Value::Url(_) => ValueType::Url,
            Value::Postcode { .. } => ValueType::Postcode,
            Value::Rating { .. } => ValueType::Rating,
            Value::Count { .. } => ValueType::Count,
            Value::Area { .. } => ValueType::Area,
            Value::Distance { .. } => ValueType::Distance,
            Value::Duration(_) => ValueType::Duration,
            Value::Isbn(_) => ValueType::Isbn,
            Value::YesNo(_) => ValueType::YesNo,
            Value::Language(_) => ValueType::Language,
            Value::Coordinates { .. } | Value::Parts(_) | Value::Text(_) => return None,
        })
    }
}
