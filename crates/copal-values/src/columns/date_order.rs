//! The order of day, month and year in a column of dates.
//!
//! In: the texts of a column. Out: a [`DateOrderFinding`]. An order is certain if it is the only one in which
//! the calendar has all dates, or the only one in which the dates are sorted: lists of dates usually are. If
//! that leaves several orders, the number that stays the same while the others change is likely the year (of
//! two digits) or the month.
//! Years of four digits at the beginning leave no choice and are not evidence. O(text).

use crate::notation::DateOrder;
use crate::recognise::{WrittenDate, written_dates};
use std::collections::BTreeSet;

/// Fewer different dates may be sorted by chance.
const MIN_SORTED_DATES: usize = 4;
/// Fewer different days do not show which number changes.
const MIN_CHANGING_DAYS: usize = 3;
/// Dates that are read to decide about a column. Longer columns have shown their order by then.
const MAX_DATES: usize = 10_000;

/// What the dates of a column say about their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrderFinding {
    /// There are no dates whose order matters.
    NoDates,
    /// All dates are in this order.
    Certain(DateOrder),
    /// No order fits all dates; most are in this one.
    Mixed(DateOrder),
    /// Several orders fit; this one is the more likely.
    Likely(DateOrder, FittingOrders),
    /// Several orders fit.
    Open(FittingOrders),
}

/// The orders in which the calendar has all dates of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FittingOrders([bool; DateOrder::ALL.len()]);

impl FittingOrders {
    fn of(orders: &[DateOrder]) -> FittingOrders {
        FittingOrders(DateOrder::ALL.map(|order| orders.contains(&order)))
    }

    /// True if all dates of the column are in the calendar in this order.
    pub fn contains(self, order: DateOrder) -> bool {
        DateOrder::ALL.into_iter().zip(self.0).any(|(known, fits)| known == order && fits)
    }
}

/// What was decided about the order of a column's dates in digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DateOrderDecision {
    /// All dates are read in this order.
    Decided(DateOrder),
    /// No order fits all dates. Those that one order alone fits are read in it, the others as most are.
    Mixed,
    /// Nothing decides. The day is read first.
    Ambiguous,
}

impl DateOrderDecision {
    /// The words in outputs.
    pub fn name(self) -> &'static str {
        match self {
            DateOrderDecision::Decided(order) => order.name(),
            DateOrderDecision::Mixed => "mixed",
            DateOrderDecision::Ambiguous => "ambiguous",
        }
    }
}

/// Decides about the dates of a column.
///
/// ```
/// use copal_values::columns::date_order::{DateOrderFinding, date_order};
/// use copal_values::notation::DateOrder;
/// let texts = ["10/12/2023", "10/31/2023"];
/// assert_eq!(date_order(texts), DateOrderFinding::Certain(DateOrder::MonthFirst));
/// assert!(matches!(date_order(["10/12/2023"]), DateOrderFinding::Open(_)));
/// assert_eq!(date_order(["12 May 2023", "2023-10-12"]), DateOrderFinding::NoDates);
/// ```
pub fn date_order<'t>(texts: impl IntoIterator<Item = &'t str>) -> DateOrderFinding {
    let mut dates: Vec<WrittenDate> = Vec::new();
    for text in texts {
        dates.extend(written_dates(text));
        if dates.len() >= MAX_DATES {
            break;
        }
    }
    dates.retain(|date| DateOrder::ALL.into_iter().any(|order| date.ymd(order).is_some()));
    if dates.is_empty() {
        return DateOrderFinding::NoDates;
    }
    let fits = |order: DateOrder| dates.iter().filter(|date| date.ymd(order).is_some()).count();
    let counts = DateOrder::ALL.map(|order| (order, fits(order)));
    let fitting: Vec<DateOrder> =
        counts.iter().filter(|(_, count)| *count == dates.len()).map(|(order, _)| *order).collect();
    match fitting[..] {
        [only] => DateOrderFinding::Certain(only),
        [] => {
            // of equal counts the first: the day
            let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
            most.map_or(DateOrderFinding::NoDates, |(order, _)| DateOrderFinding::Mixed(order))
        }
        // all dates are the same in any order: 5/5/2023
        [first, ..] if dates.iter().all(|date| is_same_in(date, &fitting)) => {
            DateOrderFinding::Certain(first)
        }
        _ => {
            let orders = FittingOrders::of(&fitting);
            let likely = || order_in_one_year(&dates, &fitting).or_else(|| changing_order(&dates, &fitting));
            match sorted_order(&dates, &fitting) {
                Some(order) => DateOrderFinding::Certain(order),
                None => likely()
                    .map_or(DateOrderFinding::Open(orders), |order| DateOrderFinding::Likely(order, orders)),
            }
        }
    }
}

/// The order of one text, if it has dates that are in the calendar in one order only.
pub fn certain_orders(text: &str) -> impl Iterator<Item = DateOrder> {
    written_dates(text).into_iter().filter_map(|date| {
        let mut orders = DateOrder::ALL.into_iter().filter(move |order| date.ymd(*order).is_some());
        orders.next().filter(|_| orders.next().is_none())
    })
}

fn is_same_in(date: &WrittenDate, orders: &[DateOrder]) -> bool {
    orders.iter().all(|&order| date.ymd(order) == date.ymd(orders[0]))
}

/// The only order in which the dates are sorted.
fn sorted_order(dates: &[WrittenDate], orders: &[DateOrder]) -> Option<DateOrder> {
    let is_sorted = |order: DateOrder| {
        let days: Vec<[u32; 3]> = dates.iter().filter_map(|date| date.ymd(order)).collect();
        let distinct: BTreeSet<[u32; 3]> = days.iter().copied().collect();
        distinct.len() >= MIN_SORTED_DATES && (days.is_sorted() || days.is_sorted_by(|a, b| a >= b))
    };
    let mut sorted = orders.iter().copied().filter(|&order| is_sorted(order));
    sorted.next().filter(|_| sorted.next().is_none())
}

/// The only order in which all dates are in one year, for years of two digits.
fn order_in_one_year(dates: &[WrittenDate], orders: &[DateOrder]) -> Option<DateOrder> {
    let years = |order: DateOrder| {
        let years = dates.iter().filter_map(move |date| date.ymd(order));
        years.map(|[year, ..]| year).collect::<BTreeSet<u32>>().len()
    };
    let has_year_first = orders.contains(&DateOrder::YearFirst);
    let mut steady = orders.iter().copied().filter(|&order| years(order) == 1);
    steady.next().filter(|_| has_year_first && steady.next().is_none())
}

/// The order whose month stays the same while the day changes. A day that stays the same is mostly the first
/// of a month.
fn changing_order(dates: &[WrittenDate], orders: &[DateOrder]) -> Option<DateOrder> {
    let is_one_month = |order: DateOrder| {
        let days = || dates.iter().filter_map(move |date| date.ymd(order));
        let months: BTreeSet<[u32; 2]> = days().map(|[year, month, _]| [year, month]).collect();
        let distinct: BTreeSet<[u32; 3]> = days().collect();
        distinct.len() >= MIN_CHANGING_DAYS
            && months.len() == 1
            && months.iter().all(|[_, month]| *month != 1)
    };
    let mut changing = orders.iter().copied().filter(|&order| is_one_month(order));
    changing.next().filter(|_| changing.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::find_with;
    use crate::notation::Notation;
    use crate::value::Value;
    use DateOrder::{DayFirst, MonthFirst};
    use DateOrderFinding::{Certain, Likely, Mixed, NoDates, Open};
    use proptest::prelude::*;

    fn show(texts: &[&str]) -> String {
        match date_order(texts.iter().copied()) {
            Certain(order) => order.name().to_owned(),
            Mixed(order) => format!("mostly {}", order.name()),
            Likely(order, _) => format!("likely {}", order.name()),
            Open(_) => "open".to_owned(),
            NoDates => "no dates".to_owned(),
        }
    }

    #[test]
    fn the_calendar_decides() {
        for (texts, want) in [
            (&["10/12/2023", "10/31/2023"][..], "month-first"),
            (&["10/12/2023", "31/10/2023"], "day-first"),
            (&["posted 10/12/2023 by Ann", "posted 10-31-23"], "month-first"),
            (&["10.12.2023", "10.31.2023"], "month-first"),
            (&["5/5/2023", "7/7/2023"], "day-first"),
            (&["24/01/31", "24/02/01"], "likely year-first"),
            (&["72/01/31", "72/02/01"], "year-first"),
            (&["10/31/2023", "31/10/2023", "31/12/2023"], "mostly day-first"),
            (&["10/12/2023", "11/12/2023"], "open"),
            (&["2023-10-12", "12 May 2023", "4/5", "1.2.3"], "no dates"),
            (&[], "no dates"),
        ] {
            assert_eq!(show(texts), want, "{texts:?}");
        }
    }

    #[test]
    fn a_sorted_list_decides() {
        let texts = ["02/01/2023", "01/03/2023", "04/03/2023", "01/05/2023", "06/06/2023"];
        assert_eq!(date_order(texts), Certain(DayFirst));
        let texts = ["12/01/2022", "11/03/2022", "11/01/2022", "10/05/2022"];
        assert_eq!(date_order(texts), Certain(MonthFirst));
    }

    #[test]
    fn the_number_that_stays_is_likely_the_month() {
        assert_eq!(show(&["11/03/2023", "11/02/2023", "11/01/2023"]), "likely month-first");
        assert_eq!(show(&["03/11/2023", "05/11/2023", "04/11/2023"]), "likely day-first");
        // the first of three months, or three days of January
        assert_eq!(show(&["01/03/2023", "01/02/2023", "01/04/2023"]), "open");
    }

    #[test]
    fn one_text_may_be_certain() {
        assert_eq!(certain_orders("10/12/2023 and 10/31/2023").collect::<Vec<_>>(), [MonthFirst]);
    }

    fn any_day() -> impl Strategy<Value = (u32, u32, u32)> {
        (1990u32..2040, 1u32..=12, 1u32..=28)
    }

    proptest! {
        /// What is written in one order is read in this order, or its order stays open.
        #[test]
        fn dates_are_read_as_they_were_written(
            days in prop::collection::vec(any_day(), 1..12),
            month_first in any::<bool>(),
        ) {
            let write = |&(year, month, day): &(u32, u32, u32)| {
                if month_first { format!("{month}/{day}/{year}") } else { format!("{day}/{month}/{year}") }
            };
            let texts: Vec<String> = days.iter().map(write).collect();
            let order = if month_first { MonthFirst } else { DayFirst };
            let is_sorted = days.is_sorted() || days.is_sorted_by(|a, b| a >= b);
            match date_order(texts.iter().map(String::as_str)) {
                Certain(found) if found != order => {
                    // only dates that are equal in both orders, or sorted in the other one by chance
                    let same = days.iter().all(|(_, month, day)| month == day);
                    prop_assert!(same || !is_sorted, "{texts:?}");
                }
                Mixed(_) | NoDates => prop_assert!(false, "{texts:?}"),
                _ => {}
            }
            let notation = Notation { date_order: Some(order), ..Notation::default() };
            for (text, (year, month, day)) in texts.iter().zip(days) {
                let mut matches = Vec::new();
                find_with(text, notation, &mut matches);
                prop_assert_eq!(&matches[0].value, &Value::Date(format!("{year:04}-{month:02}-{day:02}")));
            }
        }

        #[test]
        fn any_text_is_safe(texts in prop::collection::vec(any::<String>(), 0..4)) {
            date_order(texts.iter().map(String::as_str));
        }
    }
}
