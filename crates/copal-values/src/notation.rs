//! How a text is to be read where its form alone leaves several readings.
//!
//! `10/12/2023`, `1.234`, `2:24` and "4.5 stars" each have two readings. One cell cannot decide between them;
//! its column often can ([`crate::columns`]). A [`Notation`] is that decision, and every recogniser reads
//! with one. What it leaves open is read as the form alone suggests.

/// The order of day, month and year in a date that is written in digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DateOrder {
    /// `31/10/2023`
    DayFirst,
    /// `10/31/2023`
    MonthFirst,
    /// `23/10/31`: only with years of two digits. A year of four digits says itself where it is.
    YearFirst,
}

impl DateOrder {
    /// All orders.
    pub const ALL: [DateOrder; 3] = [DateOrder::DayFirst, DateOrder::MonthFirst, DateOrder::YearFirst];

    /// The words in outputs and in wrapper files.
    pub fn name(self) -> &'static str {
        match self {
            DateOrder::DayFirst => "day-first",
            DateOrder::MonthFirst => "month-first",
            DateOrder::YearFirst => "year-first",
        }
    }

    /// The order with this name.
    pub fn from_name(name: &str) -> Option<DateOrder> {
        DateOrder::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// The character between the whole part of a number and its decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DecimalSign {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
}

impl DecimalSign {
    /// The character.
    pub fn sign(self) -> char {
        match self {
            DecimalSign::Point => '.',
            DecimalSign::Comma => ',',
        }
    }
}

/// What two numbers with a colon between them are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClockMeaning {
    /// `14:05` is five past two.
    TimeOfDay,
    /// `14:05` is fourteen minutes and five seconds.
    Duration,
}

/// How ambiguous texts are read. The default leaves everything to the form of each text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Notation {
    /// The order of dates in digits. Open: day first, unless only another order is in the calendar.
    pub date_order: Option<DateOrder>,
    /// The decimal sign. Open: a single separator before exactly three digits groups thousands.
    pub decimal_sign: Option<DecimalSign>,
    /// What `2:24` is. Open: a time of day if it has two digits on both sides or a round number of minutes.
    pub clock: Option<ClockMeaning>,
    /// ISO 4217 code of the money of the country, for signs that several countries use (`$`, `kr`, `¥`).
    pub currency: Option<&'static str>,
    /// The best possible rating where the text names none. Open: 5, or 10 for ratings above 5.
    pub rating_scale: Option<u8>,
}
