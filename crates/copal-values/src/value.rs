//! Normalised values: what a recogniser understood.
//!
//! Amounts are decimal texts (`1234.5`), so nothing is lost to floating point.

/// A number as a decimal text: digits, at most one point, maybe a minus.
pub type Decimal = String;

/// The value behind a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// Money.
    Money {
        /// The amount; the lower one of a range.
        amount: Decimal,
        /// The upper one of a range.
        max: Option<Decimal>,
        /// ISO 4217 code, if the text says which currency.
        currency: Option<&'static str>,
        /// `hour`, `day`, `night`, `week`, `month`, `year`, `person`, `item`, or a unit (`kg`, `m2` …).
        per: Option<&'static str>,
        /// "from £10": a lower bound.
        from: bool,
    },
    /// A number with an optional unit and upper end.
    Number {
        /// The number.
        value: Decimal,
        /// The upper one of a range.
        max: Option<Decimal>,
        /// A unit in its usual short form (`kg`, `cc`, `kWh`, `bhp`, `mpg` …).
        unit: Option<&'static str>,
    },
    /// 12.5 for 12.5%.
    Percent(Decimal),
    /// ISO 8601, as exact as the text: `2017`, `2017-01`, `2017-01-26`, `2017-01-26T14:05`, `T14:05`, `--01-26` (no year).
    Date(String),
    /// So many units from now: -3 `day` is three days ago.
    Relative {
        /// How many; negative is past.
        amount: i64,
        /// `minute`, `hour`, `day`, `week`, `month` or `year`.
        unit: &'static str,
    },
    /// Digits, with a leading `+` if the country code is given.
    Phone(String),
    /// In lower case.
    Email(String),
    /// As written, with `http://` if it had no scheme.
    Url(String),
    /// A postal code in its usual spelling.
    Postcode {
        /// The code.
        code: String,
        /// ISO 3166 code, if the form tells the country.
        country: Option<&'static str>,
    },
    /// 4.1 out of 5.
    Rating {
        /// The grade.
        value: Decimal,
        /// The best one.
        of: Decimal,
    },
    /// 1374 reviews.
    Count {
        /// How many.
        value: Decimal,
        /// "1000+": a lower bound.
        at_least: bool,
        /// Of what: the noun in lower case as written.
        of: String,
    },
    /// A surface: unit `m2`, `ft2`, `ha`, `acre`, `km2` …
    Area {
        /// How large.
        value: Decimal,
        /// The upper one of a range.
        max: Option<Decimal>,
        /// The unit.
        unit: &'static str,
    },
    /// A length: unit `mm`, `cm`, `m`, `km`, `in`, `ft`, `yd`, `mi`.
    Distance {
        /// How long.
        value: Decimal,
        /// The upper one of a range.
        max: Option<Decimal>,
        /// The unit.
        unit: &'static str,
    },
    /// Whole seconds.
    Duration(u64),
    /// Thirteen digits.
    Isbn(String),
    /// Yes or no.
    YesNo(bool),
    /// ISO 639-1 code.
    Language(&'static str),
    /// A place on the map, in degrees.
    Coordinates {
        /// Latitude.
        lat: Decimal,
        /// Longitude.
        lon: Decimal,
    },
    /// A value made of others, by the names of their attributes: the town and the county of a location.
    Parts(Vec<(String, String)>),
    /// The text itself is the value (links, images).
    Text(String),
}
