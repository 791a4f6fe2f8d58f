//! Texts with durations, and texts without.

use super::*;
use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

fn show(value: &Value) -> String {
    match value {
        Value::Duration(seconds) => seconds.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn durations() {
    let cases = "
        2h 15m => 8100
        2h15m => 8100
        2h15 => 8100
        2h 15min => 8100
        1 hr 30 min => 5400
        1 hour and 30 minutes => 5400
        1 hour, 30 minutes => 5400
        1h 2m 3s => 3723
        5m 30s => 330
        2d 4h => 187200
        45 minutes => 2700
        45 mins => 2700
        45-minute class => 2700
        30-45 min => 1800; 2700
        30 seconds => 30
        1.5 hours => 5400
        1,5 Stunden => 5400
        2½ hours => 9000
        24h => 86400
        1:23:45 => 5025
        0:04:05 => 245
        Duration: 4:05 => 245
        Dauer 3:45 => 225
        1:30 Std. => 5400
        3 Std. 20 Min. => 12000
        3 Stunden und 20 Minuten => 12000
        2 heures 30 minutes => 9000
        2 horas y 10 minutos => 7800
        1 ora e 20 minuti => 4800
        2 uur 5 minuten => 7500
        1 godz. 15 min => 4500
        2 ч 30 мин => 9000
        5 часов => 18000
        2 saat 30 dakika => 9000
        2小时30分钟 => 9000
        1時間30分 => 5400
        2시간 30분 => 9000
        30 นาที => 1800
        PT1H30M => 5400
        PT45S => 45
        P1DT2H => 93600
        3 days => 259200
        7 nights => 604800
        2 weeks => 1209600
        6 months => 15552000
        3 Monate => 7776000
        3 years => 94608000
        10 Tage Rückgabe => 864000
        5 min read => 300
        1 Hr, 5 Mins => 3900
        Cook: 20 min, Prep: 10 min => 1200; 600";
    let misses = "
        12:30
        4:05
        12:30:00 PM
        2017-01-26 14:05:30
        45m
        90s
        1990s
        0.46 seconds
        5d
        3 days ago
        vor 3 Tagen
        il y a 2 jours
        hace 5 minutos
        3 years old
        2 años
        12 miles
        3m2
        5h2
        12 m
        5 dayton
        3 houses
        P45
        PT
        12 minutiae
        1:2:3
        10:75:00
        2017";
    check_table(&DurationRecogniser, show, cases, misses);
}

#[test]
fn a_span_covers_all_parts() {
    assert_eq!(
        matched_texts(&DurationRecogniser, "Total: 1 hr 30 min (20 min prep)"),
        ["1 hr 30 min", "20 min"]
    );
    assert_eq!(matched_texts(&DurationRecogniser, "30-45 min"), ["30", "45 min"]);
}

#[test]
fn any_text_is_safe() {
    check_spans_of_any_text(
        &DurationRecogniser,
        "h m s min hours : 15 and , PT1H Duration: ago vor 分 時間 d 2h15 1:23:45",
    );
}
