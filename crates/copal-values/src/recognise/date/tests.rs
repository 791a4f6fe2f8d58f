//! Texts with dates and times, and texts without.
//!
//! In: tables of texts. Out: a failure that lists the texts whose matches differ from those of the table.

use super::*;
use proptest::prelude::*;

fn found(text: &str) -> Vec<ValueMatch> {
    let mut matches = Vec::new();
    DateRecogniser.find(text, Notation::default(), &mut matches);
    matches
}

/// The matches of a text as `span=value`.
fn shown(text: &str) -> Vec<String> {
    let matches = found(text);
    matches
        .iter()
        .map(|value_match| match &value_match.value {
            Value::Date(date) => format!("{}={date}", &text[value_match.span.clone()]),
            Value::Relative { amount, unit } => {
                format!("{}={amount} {unit}", &text[value_match.span.clone()])
            }
            other => format!("{other:?}"),
        })
        .collect()
}

/// A text that is a match from end to end, and its value.
const WHOLE: &str = "
2017-01-26 | 2017-01-26
2017/1/26 | 2017-01-26
26/01/2017 | 2017-01-26
1/26/2017 | 2017-01-26
3/4/2017 | 2017-04-03
26.01.2017 | 2017-01-26
26.1.17 | 2017-01-26
26-01-2017 | 2017-01-26
26/1/98 | 1998-01-26
26. 1. 2017 | 2017-01-26
2017. 1. 26 | 2017-01-26
26 / 01 / 2017 | 2017-01-26
01/2017 | 2017-01
2017-01 | 2017-01
26 Jan 2017 | 2017-01-26
Jan 26, 2017 | 2017-01-26
Jan. 26, 2017 | 2017-01-26
26th of January 2017 | 2017-01-26
26th January, 2017 | 2017-01-26
January 26th, 2017 | 2017-01-26
Thursday, 26 January 2017 | 2017-01-26
Thu, Jan 26, 2017 | 2017-01-26
Tuesday the 26th of January 2017 | 2017-01-26
January 2017 | 2017-01
Jan '17 | 2017-01
26-Jan-2017 | 2017-01-26
26-Jan-17 | 2017-01-26
26 Jan 17 | 2017-01-26
29 February 2016 | 2016-02-29
4 July 1776 | 1776-07-04
26 de enero de 2017 | 2017-01-26
26 de enero del 2017 | 2017-01-26
jueves, 26 de enero de 2017 | 2017-01-26
enero de 2017 | 2017-01
26 janvier 2017 | 2017-01-26
1er août 2017 | 2017-08-01
26. Januar 2017 | 2017-01-26
Donnerstag, den 26. Januar 2017 | 2017-01-26
Do., 26. Jan. 2017 | 2017-01-26
26 gennaio 2017 | 2017-01-26
26 januari 2017 | 2017-01-26
26 de março de 2017 | 2017-03-26
26 stycznia 2017 | 2017-01-26
26 stycznia 2017 r. | 2017-01-26
26 января 2017 г. | 2017-01-26
26 січня 2017 року | 2017-01-26
26. ledna 2017 | 2017-01-26
2017. január 26. | 2017-01-26
26 Ocak 2017 | 2017-01-26
26. tammikuuta 2017 | 2017-01-26
26 Ιανουαρίου 2017 | 2017-01-26
26 d'abril de 2017 | 2017-04-26
26 يناير 2017 | 2017-01-26
2017年1月26日 | 2017-01-26
2017年1月 | 2017-01
1月26日 | --01-26
平成29年1月26日 | 2017-01-26
２０１７年１月２６日 | 2017-01-26
2017년 1월 26일 | 2017-01-26
26 ม.ค. 2560 | 2017-01-26
26 มกราคม 2560 | 2017-01-26
26 มกราคม พ.ศ. 2560 | 2017-01-26
26/01/2560 | 2017-01-26
26 tháng 1 năm 2017 | 2017-01-26
26 thg 1, 2017 | 2017-01-26
Jan 26 | --01-26
26 January | --01-26
26 de mayo | --05-26
26 May | --05-26
5 mars | --03-05
5 Sep | --09-05
9 Dec 17:37 | --12-09T17:37
Jun 5 18:00 | --06-05T18:00
12 May 10am | --05-12T10:00
3 Jun 20h30 | --06-03T20:30
12. August 19 Uhr | --08-12T19:00
14 Nov 7 pm | --11-14T19:00
14:05 | T14:05
14:05:33 | T14:05:33
2:05 pm | T14:05
2:05PM | T14:05
12:30 a.m. | T00:30
2pm | T14:00
21:11:50 PM | T21:11:50
11 a.m. | T11:00
14h30 | T14:30
14.05 Uhr | T14:05
14 Uhr | T14:00
14.05 น. | T14:05
14:05 UTC | T14:05Z
午後2時5分 | T14:05
오후 2:05 | T14:05
2017-01-26T14:05:00Z | 2017-01-26T14:05:00Z
2017-01-26T14:05:00.123+01:00 | 2017-01-26T14:05:00+01:00
2017-01-26 14:05 | 2017-01-26T14:05
26 Jan 2017, 14:05 | 2017-01-26T14:05
26 January 2017 at 2.05 pm | 2017-01-26T14:05
Jan 26, 2017 2 PM | 2017-01-26T14:00
26.01.2017, 14:05 Uhr | 2017-01-26T14:05
26.01.2017 um 14:05 | 2017-01-26T14:05
26 janvier 2017 à 9h30 | 2017-01-26T09:30
26 января 2017 в 14:05 | 2017-01-26T14:05
2017年1月26日 14:05 | 2017-01-26T14:05
2017年1月26日(木) 14時05分 | 2017-01-26T14:05
Thu Jan 26 14:05:00 2017 | 2017-01-26T14:05:00
Thu, 26 Jan 2017 14:05:00 GMT | 2017-01-26T14:05:00Z
14:05, 26 Jan 2017 | 2017-01-26T14:05
Today 09:14 | 0 day
Yesterday at 5:30 pm | -1 day
Сегодня в 09:14 | 0 day
今日 09:14 | 0 day
3 days ago | -3 day
an hour ago | -1 hour
a month ago | -1 month
two weeks ago | -2 week
1 hour, 5 minutes ago | -1 hour
30 seconds ago | 0 minute
5m ago | -5 minute
2 hrs. ago | -2 hour
3 weeks from now | 3 week
yesterday | -1 day
Today | 0 day
tomorrow | 1 day
just now | 0 minute
in 2 weeks | 2 week
vor 3 Tagen | -3 day
vor einem Monat | -1 month
in 3 Tagen | 3 day
heute | 0 day
hier | -1 day
il y a 2 heures | -2 hour
Il y a une heure | -1 hour
aujourd'hui | 0 day
hace 5 minutos | -5 minute
há 3 dias | -3 day
2 giorni fa | -2 day
3 dagen geleden | -3 day
2 дня назад | -2 day
час назад | -1 hour
вчера | -1 day
3 dni temu | -3 day
3 gün önce | -3 day
3 dagar sedan | -3 day
3 hari yang lalu | -3 day
3 ngày trước | -3 day
3天前 | -3 day
5分钟前 | -5 minute
2時間前 | -2 hour
3日後 | 3 day
3일 전 | -3 day
2시간 전 | -2 hour
3 วันที่แล้ว | -3 day
昨天 | -1 day
어제 | -1 day
";

#[test]
fn whole_texts_are_dates() {
    let mut wrong = Vec::new();
    for line in WHOLE.lines().filter(|line| line.contains(" | ")) {
        let (text, want) = line.split_once(" | ").unwrap();
        if shown(text) != [format!("{text}={want}")] {
            wrong.push((text, shown(text)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dates_inside_texts() {
    let cases: &[(&str, &[&str])] = &[
        ("Posted on 26 Jan 2017 by Ann", &["26 Jan 2017=2017-01-26"]),
        ("(26/01/2017)", &["26/01/2017=2017-01-26"]),
        ("26/01/2017 - 28/01/2017", &["26/01/2017=2017-01-26", "28/01/2017=2017-01-28"]),
        ("26-28 January 2017", &["28 January 2017=2017-01-28"]),
        ("Open 9:30 - 17:00", &["9:30=T09:30", "17:00=T17:00"]),
        ("発売日2017年1月26日発売", &["2017年1月26日=2017-01-26"]),
        ("about 3 hours ago, by Bob", &["3 hours ago=-3 hour"]),
        ("updated yesterday.", &["yesterday=-1 day"]),
        ("Available from 1 March 2017!", &["1 March 2017=2017-03-01"]),
        ("Copyright 2017. Updated: 2017-01-26.", &["2017-01-26=2017-01-26"]),
        ("3 days ago (26 Jan 2017)", &["3 days ago=-3 day", "26 Jan 2017=2017-01-26"]),
        ("Veröffentlicht am 26.01.2017 von Max", &["26.01.2017=2017-01-26"]),
        ("26 January 2017 10:00 - 12:00", &["26 January 2017 10:00=2017-01-26T10:00", "12:00=T12:00"]),
        ("March 19 - 20, 2016", &["March 19 - 20, 2016=2016-03-19"]),
        ("ngày 26 tháng 1 năm 2017", &["26 tháng 1 năm 2017=2017-01-26"]),
    ];
    for (text, want) in cases {
        assert_eq!(shown(text), *want, "{text}");
    }
}

#[test]
fn other_texts_are_no_dates() {
    let texts = [
        "2017",
        "1-2-3",
        "12/34",
        "3-1",
        "16:9",
        "1.2.3",
        "v1.10.12",
        "version 10.4.11",
        "192.168.1.1",
        "£12.05",
        "$1,234.56",
        "06 12 34 56 78",
        "010-1234-5678",
        "555-123-4567",
        "01.02.03.04.05",
        "31/02/2017",
        "29 February 2017",
        "32 January 2017",
        "13/13/2017",
        "2017-13-01",
        "25:00",
        "14:75",
        "0:45",
        "1:18 scale",
        "5 may apply",
        "you may 5",
        "3 Set",
        "2 out of 5",
        "3 sets",
        "Klicken Sie hier für mehr",
        "Guten Morgen allerseits",
        "Today's deals",
        "in stock",
        "3 days",
        "2 hours",
        "2017-18",
        "1/2",
        "978-0-306-40615-7",
        "A26/01/2017",
        "12.5%",
        "in a day",
        "Sun",
        "March",
        "Mon",
        "May",
        "5d",
        "10 km",
        "20170126",
        "3:2:1:0",
        "page 3 of 10",
        "26 Mark",
        "1.234.567",
        "1000 m2",
        "4/5",
        "2h30",
        "decades ago",
        "",
        " ",
        "vor",
        "前",
        "2時間",
        "in 2017",
        "10 am Montag",
        "Zimmer 10 am See",
        "Platz 12.50 am Markt",
        "29 days in February",
        "scale 1:24",
        "#26/01/2017",
        "21 PM",
        "all that has come out of 2020",
        "5:12-cv-00018-MTT",
        "set of 2017",
        "10,000",
        "Order 12-345-67",
    ];
    let mut wrong = Vec::new();
    for text in texts {
        if !found(text).is_empty() {
            wrong.push((text, shown(text)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

proptest! {
    #[test]
    fn any_text_is_safe(text in "\\PC*|[0-9:./ \\-'adegjnoprstuvy年月日前午後Tม.คพศ]{0,40}") {
        let mut last = 0;
        for value_match in found(&text) {
            prop_assert!(value_match.span.start >= last && value_match.span.start < value_match.span.end);
            prop_assert!(text.get(value_match.span.clone()).is_some());
            last = value_match.span.end;
        }
    }
}
