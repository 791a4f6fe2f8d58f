//! Texts with ratings, and texts without.

use super::*;
use crate::recognise::test_support::{check_spans_of_any_text, check_table, matched_texts};

fn show(value: &Value) -> String {
    match value {
        Value::Rating { value, of } => format!("{value}/{of}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn ratings() {
    let cases = "
        4.1 out of 5 => 4.1/5
        4.1 out of 5 stars => 4.1/5
        4 out of 5 => 4/5
        4.5/5 => 4.5/5
        4.5 / 5 => 4.5/5
        8.2/10 => 8.2/10
        85/100 => 85/100
        ★★★★☆ => 4/5
        ★★★★★ Great! => 5/5
        ⭐⭐⭐ => 3/5
        ★★★½ => 3.5/5
        ★★★★☆ (86) => 4/5
        3 stars => 3/5
        4-star hotel => 4/5
        4.5 Stars => 4.5/5
        5 Sterne => 5/5
        3 étoiles => 3/5
        4 estrellas => 4/5
        4 звезды => 4/5
        Rated 4.0 => 4.0/5
        Rated 4.0 out of 5 => 4.0/5
        Rating: 4.5 => 4.5/5
        Rating: 4 => 4/5
        Score 8.4 => 8.4/10
        4,5 von 5 => 4.5/5
        4,5 von 5 Sternen => 4.5/5
        4 von 5 Sternen => 4/5
        4.5 sur 5 => 4.5/5
        4,6 sur 5 étoiles => 4.6/5
        4 de 5 estrellas => 4/5
        4,7 de 5 => 4.7/5
        4,3 su 5 stelle => 4.3/5
        4,4 van 5 sterren => 4.4/5
        4,2 av 5 stjärnor => 4.2/5
        4,8 из 5 => 4.8/5
        4.5 of 5 stars => 4.5/5
        4 of 5 stars => 4/5
        5つ星のうち4.5 => 4.5/5
        5 yıldız üzerinden 4,5 => 4.5/5
        4.8★ => 4.8/5
        ★ 4.8 => 4.8/5
        评分 4.8 => 4.8/5
        평점 4.9 => 4.9/5
        4.125/5 => 4.125/5
        4.5 (1,374 reviews) 9/10 => 9/10
        stars4Active => 4/5
        rating-4-5 => 4.5/5
        star-rating-45 => 4.5/5
        a-star-4-5 => 4.5/5
        a-star-small-3-5 => 3.5/5
        star-rating Three => 3/5
        rating-80 => 80/100
        starRating4 => 4/5
        Nota: 8,5 => 8.5/10";
    let misses = "
        24/7
        1/5/2017
        12/10
        6/5
        1 of 5
        Page 1 of 5
        1 von 5
        2 de 5 páginas
        4.5
        120 stars
        7 stars
        ★
        ☆☆☆☆☆
        3 start
        Rated 12
        Rated 4+
        restart-4
        operating-5
        Rating 3 reviews
        3 out of 10 people
        3 out of 20 results
        4/5 photos
        Ratings: 1
        Box (3/5‑pin)
        2017
        starfish";
    check_table(&RatingRecogniser, show, cases, misses);
}

#[test]
fn a_span_covers_the_whole_rating() {
    assert_eq!(
        matched_texts(&RatingRecogniser, "★★★☆☆ now 4.1 out of 5 stars!"),
        ["★★★☆☆", "4.1 out of 5 stars"]
    );
    assert_eq!(matched_texts(&RatingRecogniser, "Rated 4.0"), ["Rated 4.0"]);
}

#[test]
fn any_text_is_safe() {
    check_spans_of_any_text(
        &RatingRecogniser,
        "★ ☆ ★★★ stars out of /5 rated Rating: 5つ星のうち von rating- ⭐ İ",
    );
}
