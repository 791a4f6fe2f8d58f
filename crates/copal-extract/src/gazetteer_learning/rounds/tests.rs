use super::*;
use copal_dom::{Limits, Page};

/// Records of an estate agent; each is a place as the page writes it.
fn page(places: &[&str]) -> Page {
    labelled("", places)
}

fn labelled(label: &str, places: &[&str]) -> Page {
    let mut html = String::from("<h1>Homes</h1><ul class=list>");
    for (i, place) in places.iter().enumerate() {
        html += &format!(
            "<li class=home><h3><a href='/{i}'>{} bedroom house</a></h3>{label}<p class=where>{place}</p>\
             <p class=price>£{}50,000</p><p>{} bathrooms</p></li>",
            i % 4 + 2,
            i + 1,
            i % 2 + 2
        );
    }
    Page::from_text(&(html + "</ul>"), &Limits::default())
}

fn learner(seed: &[&str], options: LearnOptions) -> Learner {
    let domain = Domain::load("real-estate").unwrap();
    let seed: Vec<String> = seed.iter().map(|&term| term.to_owned()).collect();
    Learner::new(&domain, "location", Some(&seed), options).unwrap()
}

fn round(learner: &mut Learner, pages: &[Page], ask: Ask<'_>) -> Round {
    let reader = learner.reader();
    let evidence: Vec<TermEvidence> = pages.iter().map(|page| reader.read(page)).collect();
    learner.finish(&evidence, ask)
}

fn texts(learned: &[Learned]) -> Vec<&str> {
    learned.iter().map(|new| new.text.as_str()).collect()
}

#[test]
fn rounds_learn_from_what_was_learned_until_nothing_is_new() {
    let pages = [
        page(&["Chadlow", "Brill Magna", "Chadlow", "Brill Magna", "Pellingford"]),
        page(&["Pellingford", "Pellingford", "Aldermere", "Pellingford", "Pellingford", "Skelverton"]),
    ];
    let mut learner = learner(&["Chadlow", "Brill Magna"], LearnOptions::default());
    let first = round(&mut learner, &pages, None);
    assert_eq!(texts(&first.learned), ["Pellingford"]);
    assert_eq!(first.extracted, 5);
    let second = round(&mut learner, &pages, None);
    assert_eq!(texts(&second.learned), ["Aldermere", "Skelverton"]);
    assert_eq!((second.extracted, second.dropped.len()), (11, 0));
    assert!(round(&mut learner, &pages, None).is_last());
    assert_eq!(learner.terms().count(), 3);
}

#[test]
fn terms_stand_beside_known_ones() {
    let pages = [page(&[
        "Chadlow, Wexshire",
        "Chadlow, Wexshire",
        "Chadlow (near Pellingford)",
        "Chadlow",
        "Old Chadlow",
    ])];
    let mut learner = learner(&["Chadlow"], LearnOptions { upper: 0.4, ..LearnOptions::default() });
    assert_eq!(texts(&round(&mut learner, &pages, None).learned), ["Pellingford", "Wexshire"]);
}

/// Titles of cars hold several attributes: a term never has the value of another in it.
#[test]
fn a_text_with_other_values_in_it_is_no_term() {
    let mut html = String::from("<ul>");
    for (i, title) in ["Zorvo", "Zorvo", "Zorvo", "Tamsin", "2014 Tamsin Focus 1.6"].iter().enumerate() {
        html += &format!(
            "<li class=car><h3>{title}</h3><p class=price>£{},500</p><p>{}0,000 miles</p><p>Petrol</p><p>Manual</p></li>",
            i + 3,
            i + 2
        );
    }
    let pages = [Page::from_text(&(html + "</ul>"), &Limits::default())];
    let domain = Domain::load("used-cars").unwrap();
    let mut learner =
        Learner::new(&domain, "make", Some(&["Zorvo".to_owned()]), LearnOptions::default()).unwrap();
    assert_eq!(texts(&round(&mut learner, &pages, None).learned), [""; 0]);
    learner.options.upper = 0.4;
    assert_eq!(texts(&round(&mut learner, &pages, None).learned), ["Tamsin"]);
}

/// The header of a table column says "Town", but its cells are still locations.
#[test]
fn parts_that_lists_name_are_of_the_same_sort() {
    let mut html = String::from("<table><tr><th>Home</th><th>Town</th><th>Price</th></tr>");
    for (i, place) in ["Chadlow", "Chadlow", "Chadlow", "Pellingford"].iter().enumerate() {
        let rooms = format!("{} bedroom house, {} bathrooms", i + 2, i + 1);
        html +=
            &format!("<tr><td><a href=/{i}>{rooms}</a></td><td>{place}</td><td>£{}50,000</td></tr>", i + 1);
    }
    let pages = [Page::from_text(&(html + "</table>"), &Limits::default())];
    let mut learner = learner(&["Chadlow"], LearnOptions::default());
    assert_eq!(texts(&round(&mut learner, &pages, None).learned), ["Pellingford"]);
}

#[test]
fn other_attributes_values_are_no_terms() {
    let pages =
        [page(&["Chadlow", "Chadlow", "Chadlow", "Chadlow", "Bungalow", "OX28 6BW", "£200", "Sold STC"])];
    let mut learner = learner(&["Chadlow"], LearnOptions::default());
    assert_eq!(texts(&round(&mut learner, &pages, None).learned), [""; 0]);
}

#[test]
fn a_term_that_does_not_occur_again_is_dropped_for_good() {
    let with = [page(&["Chadlow", "Chadlow", "Chadlow", "Pellingford"])];
    let without = [page(&["Chadlow", "Chadlow", "Chadlow", "Chadlow"])];
    let mut learner = learner(&["Chadlow"], LearnOptions::default());
    assert_eq!(texts(&round(&mut learner, &with, None).learned), ["Pellingford"]);
    assert_eq!(round(&mut learner, &without, None).dropped, ["Pellingford"]);
    assert_eq!(learner.terms().count(), 0);
    let again = round(&mut learner, &with, None);
    assert!(again.is_last(), "{again:?}");
}

#[test]
fn a_person_is_asked_between_the_thresholds() {
    let pages = [page(&["Chadlow", "Chadlow", "Chadlow", "Pellingford", "Aldermere", "Skelverton"])];
    let options = LearnOptions { lower: 0.1, upper: 0.9, ..LearnOptions::default() };
    let mut learner = learner(&["Chadlow"], options);
    let mut asked = Vec::new();
    let mut ask = |question: &Question<'_>| {
        let Question::Term { text, .. } = question else { panic!("{question:?}") };
        asked.push((*text).to_owned());
        match *text {
            "Aldermere" => TermVerdict::No,
            "Pellingford" => TermVerdict::Yes,
            _ => TermVerdict::Quit,
        }
    };
    let first = round(&mut learner, &pages, Some(&mut ask));
    assert_eq!((texts(&first.learned), first.quit, first.is_last()), (vec!["Pellingford"], true, true));
    assert_eq!(asked, ["Aldermere", "Pellingford", "Skelverton"]);
    // a refusal is remembered
    let mut again = Vec::new();
    let mut ask = |question: &Question<'_>| {
        again.push(format!("{question:?}"));
        TermVerdict::No
    };
    round(&mut learner, &pages, Some(&mut ask));
    assert!(again.len() == 1 && again[0].contains("Skelverton"), "{again:?}");
}

#[test]
fn labels_are_learned_with_a_colon_at_once_without_on_two_pages() {
    let places = ["Chadlow", "Chadlow", "Chadlow", "Chadlow"];
    let mut one = learner(&["Chadlow"], LearnOptions::default());
    let colon = [labelled("<b>Parish served:</b>", &places)];
    assert_eq!(texts(&round(&mut one, &colon, None).labels), ["Parish served"]);
    let bare = labelled("<b>Parish served</b>", &places);
    let mut two = learner(&["Chadlow"], LearnOptions::default());
    assert_eq!(texts(&round(&mut two, std::slice::from_ref(&bare), None).labels), [""; 0]);
    assert_eq!(texts(&round(&mut two, &[bare.clone(), bare], None).labels), ["Parish served"]);
    let button = labelled("<button>Save it</button>", &places);
    let mut three = learner(&["Chadlow"], LearnOptions::default());
    assert_eq!(texts(&round(&mut three, &[button.clone(), button], None).labels), [""; 0]);
}

#[test]
fn rounds_are_measured_against_true_terms() {
    let pages = [page(&["Chadlow", "Chadlow", "Chadlow", "Pellingford", "Ring Us Now"])];
    let truth: Vec<String> = ["Chadlow", "Pellingford", "Elsewhere"].map(str::to_owned).to_vec();
    let mut learner = learner(&["Chadlow"], LearnOptions { upper: 0.4, ..LearnOptions::default() });
    let reader = learner.true_reader(&truth);
    let evidence: Vec<TermEvidence> = pages.iter().map(|page| reader.read(page)).collect();
    learner.measure(&truth, &evidence);
    let first = round(&mut learner, &pages, None);
    assert_eq!((first.extracted, first.correct, first.recall), (5, Some(4), Some(1.0)));
    assert_eq!((first.learned.len(), first.learned_correct), (2, Some(1)));
    assert!((first.precision().unwrap() - 0.8).abs() < 1e-9);
}

#[test]
fn attributes_that_cannot_be_learned() {
    let domain = Domain::load("real-estate").unwrap();
    let error = |name: &str, seed: Option<&[String]>| {
        Learner::new(&domain, name, seed, LearnOptions::default()).unwrap_err().to_string()
    };
    assert!(
        error("place", None).starts_with("no attribute \"place\": expected one of branch_location, city")
    );
    assert!(error("price", None).starts_with("values of price (money) are not in lists of terms"));
    assert!(error("branch_location", None).contains("no list of terms to begin with"));
    assert!(error("location", Some(&[])).contains("no list of terms to begin with"));
}

#[test]
fn the_commonest_spelling_is_kept() {
    assert_eq!(spelling(["OXFORD", "OXFORD", "Oxford"].into_iter()), "Oxford");
    assert_eq!(spelling(["UK"].into_iter()), "UK");
}

#[test]
fn a_later_run_knows_what_was_learned_and_what_was_refused() {
    let pages = [page(&["Chadlow", "Brill Magna", "Chadlow", "Brill Magna", "Pellingford"])];
    let mut first = learner(&["Chadlow", "Brill Magna"], LearnOptions::default());
    while !round(&mut first, &pages, None).is_last() {}
    let kept: Vec<String> = first.terms().map(|learned| learned.text.clone()).collect();
    assert_eq!(kept, ["Pellingford"]);
    // other pages: Pellingford is known from the beginning, is not dropped where it does not occur, and
    // Skelverton was refused
    let pages = [
        page(&["Pellingford", "Pellingford", "Aldermere", "Pellingford", "Pellingford", "Skelverton"]),
        page(&["Chadlow", "Brill Magna", "Chadlow"]),
    ];
    let mut second = learner(&["Chadlow", "Brill Magna"], LearnOptions::default());
    second.resume(&kept, &[], &["skelverton".to_owned()]);
    let learned = round(&mut second, &pages, None);
    assert_eq!((texts(&learned.learned), learned.dropped.len()), (vec!["Aldermere"], 0));
    assert!(round(&mut second, &pages, None).is_last());
    let all: Vec<&str> = second.terms().map(|learned| learned.text.as_str()).collect();
    assert_eq!(all, ["Aldermere", "Pellingford"]);
    assert_eq!(second.refused().collect::<Vec<_>>(), ["skelverton"]);
    let mut elsewhere = learner(&["Chadlow", "Brill Magna"], LearnOptions::default());
    elsewhere.resume(&kept, &[], &[]);
    let round = round(&mut elsewhere, &pages[1..], None);
    assert!(round.dropped.is_empty() && elsewhere.terms().count() == 1);
}
