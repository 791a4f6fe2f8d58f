//! Corrections of a wrapper: what a person changes while looking at the page.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Node, Page, attrs};
use copal_extract::{Answer, Request, extract};
use copal_wrapper::{
    Correction, ReadFrom, Wrapper, WrapperError, apply, correct, example_records, learn, pattern_choice,
};

fn page() -> Page {
    let card = |number: usize, class: &str, extra: &str| {
        format!(
            "<div class='card{class}'><h2><a href='/lamp/{number}'>Lamp number {number}</a></h2>
             <p class=note>Oak, {number} in stock</p><p class=price>£{number}9.50</p>{extra}</div>"
        )
    };
    let cards: String = (1..=6).map(|number| card(number, "", "<i class=code>A</i>")).collect();
    let advert = card(7, " ad", "");
    Page::from_text(
        &format!("<title>Lamps</title><h1>Lamps</h1><div class=grid>{cards}{advert}</div>"),
        &Limits::default(),
    )
}

fn learned(page: &Page) -> Wrapper {
    let answer = extract(page, &Request::default());
    learn(&[(page, &answer)]).unwrap().wrapper
}

/// The elements with a class, in document order.
fn with_class(page: &Page, class: &str) -> Vec<Node> {
    let has = |node: &Node| {
        page.tree.attr(*node, attrs::CLASS).is_some_and(|own| own.split(' ').any(|one| one == class))
    };
    page.tree.nodes().filter(has).collect()
}

fn followed(page: &Page, corrections: &[Correction]) -> (Wrapper, Answer) {
    let wrapper = correct(learned(page), page, corrections).unwrap().wrapper;
    let answer = apply(&wrapper, page);
    (wrapper, answer)
}

fn columns(answer: &Answer) -> Vec<&str> {
    answer.primary().unwrap().columns.iter().map(|column| column.name.as_str()).collect()
}

fn cell<'a>(answer: &'a Answer, record: usize, column: &str) -> &'a str {
    let list = answer.primary().unwrap();
    let at = list.columns.iter().position(|own| own.name == column).unwrap();
    list.records[record].cells[at].first().unwrap_or_default()
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn an_excluded_record_takes_those_like_it_along() {
    let page = page();
    assert_eq!(apply(&learned(&page), &page).primary().unwrap().records.len(), 7);
    let (wrapper, answer) = followed(&page, &[Correction::Exclude { records: with_class(&page, "ad") }]);
    assert_eq!(answer.primary().unwrap().records.len(), 6);
    // not by its position: a page with the advert elsewhere is read in the same way
    assert!(wrapper.pages[0].record.as_ref().unwrap().find[0].ends_with(":not(.ad)"), "{wrapper}");
    let all: Vec<Node> = with_class(&page, "card");
    let error = correct(learned(&page), &page, &[Correction::Exclude { records: all }]).unwrap_err();
    assert!(error.to_string().contains("all records are excluded"), "{error}");
}

#[test]
fn a_record_without_a_mark_is_excluded_by_what_it_lacks_or_by_its_place() {
    let html = |last: &str| {
        let items: String = (1..6)
            .map(|n| format!("<li><a href=/{n}>Item number {n}</a> <b class=p>£{n}.00</b></li>"))
            .collect();
        Page::from_text(&format!("<h1>Items</h1><ul class=items>{items}{last}</ul>"), &Limits::default())
    };
    let lacking = html("<li><a href=/9>Item number 9</a> <em>soon, a new price</em></li>");
    let last = *with_class(&lacking, "items")
        .iter()
        .map(|&list| lacking.tree.elements(list).last().unwrap())
        .collect::<Vec<_>>()
        .first()
        .unwrap();
    let corrected =
        correct(learned(&lacking), &lacking, &[Correction::Exclude { records: vec![last] }]).unwrap();
    assert_eq!(apply(&corrected.wrapper, &lacking).primary().unwrap().records.len(), 5);
    assert!(corrected.notes.is_empty(), "{:?}", corrected.notes);
    let same = html("<li><a href=/9>Item number 9</a> <b class=p>£9.00</b></li>");
    let last = same.tree.elements(with_class(&same, "items")[0]).last().unwrap();
    let corrected = correct(learned(&same), &same, &[Correction::Exclude { records: vec![last] }]).unwrap();
    assert_eq!(apply(&corrected.wrapper, &same).primary().unwrap().records.len(), 5);
    assert!(corrected.notes[0].contains("position"));
}

#[test]
fn a_position_is_that_of_one_record_only() {
    let items = |from: usize| -> String {
        (from..from + 4)
            .map(|n| format!("<li><a href=/{n}>Item number {n}</a> <b>£{n}.00</b></li>"))
            .collect()
    };
    let html = format!("<h1>Items</h1><div class=all><ul>{}</ul><ul>{}</ul></div>", items(1), items(5));
    let page = Page::from_text(&html, &Limits::default());
    let before = apply(&learned(&page), &page).primary().unwrap().records.len();
    let all: Vec<Node> = page.tree.nodes().filter(|&node| page.tree.tag_name(node) == "li").collect();
    let (_, answer) = followed(&page, &[Correction::Exclude { records: vec![all[5]] }]);
    assert_eq!((before, answer.primary().unwrap().records.len()), (8, 7));
}

#[test]
fn columns_are_renamed_typed_ordered_hidden_and_split() {
    let page = page();
    let corrections = [
        Correction::Rename { column: text("title"), to: text("lamp") },
        Correction::Split {
            column: text("note"),
            at: text(", "),
            names: vec![text("material"), text("stock")],
        },
        Correction::SetType { column: text("stock"), value_type: Some(text("count")) },
        Correction::Hide { column: text("url") },
        Correction::Order { columns: vec![text("price"), text("lamp")] },
    ];
    let (wrapper, answer) = followed(&page, &corrections);
    assert_eq!(columns(&answer)[..2], ["price", "lamp"]);
    assert!(!columns(&answer).contains(&"url") && columns(&answer).contains(&"material"));
    assert_eq!((cell(&answer, 2, "material"), cell(&answer, 2, "stock")), ("Oak", "3 in stock"));
    assert_eq!(wrapper, Wrapper::parse(&wrapper.to_string()).unwrap());
}

#[test]
fn a_column_is_added_by_one_of_its_elements() {
    let page = page();
    let hidden: Vec<Correction> = apply(&learned(&page), &page)
        .primary()
        .unwrap()
        .columns
        .iter()
        .filter(|column| column.name != "title")
        .map(|column| Correction::Hide { column: column.name.clone() })
        .collect();
    let add = |name: &str, node: Node, read_from| Correction::Add { name: text(name), node, read_from };
    let price = with_class(&page, "price")[3];
    let link = page.tree.nodes().find(|&node| page.tree.tag_name(node) == "a").unwrap();
    let mut corrections = hidden;
    // the text in the element means the element
    corrections.push(add("cost", price + 1, ReadFrom::Text));
    corrections.push(add("link", link, ReadFrom::Href));
    let (_, answer) = followed(&page, &corrections);
    assert_eq!(columns(&answer), ["title", "cost", "link"]);
    for record in 0..7 {
        assert_eq!(cell(&answer, record, "cost"), format!("£{}9.50", record + 1));
        assert_eq!(cell(&answer, record, "link"), format!("/lamp/{}", record + 1));
    }
}

#[test]
fn columns_merge_into_the_element_around_them() {
    let items: String = (1..6)
        .map(|n| format!("<li><h3>Thing number {n}</h3><p><b class=stars>4.{n}</b> <i class=votes>{n}7 reviews</i></p><u>£{n}.00</u></li>"))
        .collect();
    let page = Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default());
    let names: Vec<String> = columns(&apply(&learned(&page), &page)).into_iter().map(str::to_owned).collect();
    let holds = |wanted: &str| {
        let answer = apply(&learned(&page), &page);
        names.iter().find(|name| cell(&answer, 0, name).contains(wanted)).unwrap().clone()
    };
    let (stars, votes) = (holds("4.1"), holds("17 reviews"));
    let (_, answer) =
        followed(&page, &[Correction::Merge { columns: vec![stars, votes], to: text("rating") }]);
    assert_eq!(cell(&answer, 1, "rating"), "4.2 27 reviews");
    assert_eq!(columns(&answer).len(), names.len() - 1);
}

#[test]
fn wrong_corrections_say_what_is_expected() {
    let page = page();
    let refused =
        |correction: Correction| correct(learned(&page), &page, &[correction]).unwrap_err().to_string();
    let far = page.tree.len() as Node + 5;
    for (correction, words) in [
        (Correction::Rename { column: text("colour"), to: text("x") }, "no column \"colour\""),
        (Correction::Rename { column: text("title"), to: text("price") }, "already"),
        (Correction::Rename { column: text("title"), to: text(" \n") }, "not a name"),
        (Correction::SetType { column: text("title"), value_type: Some(text("colour")) }, "no type"),
        (
            Correction::Split { column: text("note"), at: text(""), names: vec![text("a"), text("b")] },
            "split",
        ),
        (Correction::Merge { columns: vec![text("title")], to: text("x") }, "two columns"),
        (Correction::Add { name: text("x"), node: far, read_from: ReadFrom::Text }, "no element"),
        (Correction::Add { name: text("x"), node: 1, read_from: ReadFrom::Text }, "outside all records"),
    ] {
        let error = refused(correction);
        assert!(error.starts_with("correction 1: ") && error.contains(words), "{words}: {error}");
    }
    let many = vec![Correction::Hide { column: text("x") }; 501];
    assert!(matches!(correct(learned(&page), &page, &many), Err(WrapperError::Value(_))));
}

#[test]
fn two_examples_mean_all_records() {
    let page = page();
    let cards = with_class(&page, "card");
    // a click hits something inside a record
    let inside = [cards[0] + 3, with_class(&page, "price")[2]];
    assert_eq!(example_records(&page, &inside).unwrap(), cards);
    assert!(example_records(&page, &[cards[0], cards[0] + 2]).is_err());
    assert!(example_records(&page, &[cards[0]]).is_err());
    assert!(example_records(&page, &[cards[0], page.tree.len() as Node]).is_err());
    let rows: String = (0..3)
        .map(|row| {
            let cells: String = (0..4)
                .map(|cell| format!("<div class=cell><b>Thing {row}{cell}</b> £{cell}</div>"))
                .collect();
            format!("<div class=row>{cells}</div>")
        })
        .collect();
    let grid = Page::from_text(
        &format!("<div>{rows}</div><div class=side><div class=cell>no</div></div>"),
        &Limits::default(),
    );
    let cells = with_class(&grid, "cell");
    assert_eq!(example_records(&grid, &cells[..2]).unwrap(), cells[..12]);
    // examples in two rows, whose cells have several texts
    assert_eq!(example_records(&grid, &[cells[0], cells[5] + 1]).unwrap(), cells[..12]);
    let table: String = (0..4).map(|row| format!("<tr><td>a{row}<td>b{row}<td>c{row}")).collect();
    let table = Page::from_text(&format!("<table>{table}</table>"), &Limits::default());
    let named =
        |tag: &str| table.tree.nodes().filter(|&node| table.tree.tag_name(node) == tag).collect::<Vec<_>>();
    assert_eq!(example_records(&table, &[named("td")[0], named("td")[4]]).unwrap(), named("tr"));
}

#[test]
fn patterns_become_unique_step_by_step() {
    let page = Page::from_text(
        "<table class=a><tr><td>1</table><div id=main><table class=a><tr><td>2</table></div>",
        &Limits::default(),
    );
    let second = with_class(&page, "a")[1];
    let choice = pattern_choice(&page, second).unwrap();
    let steps: Vec<(&str, usize)> =
        choice.steps.iter().map(|step| (step.pattern.as_str(), step.matches)).collect();
    assert_eq!(steps, [("table[class=\"a\"]", 2), ("div > table[class=\"a\"]", 1)]);
    assert!(choice.others.iter().any(|other| other.pattern == "#main > table" && other.matches == 1));
}

/// A page with sections, whose first has most records.
fn sections() -> Page {
    let item = |n: usize| {
        format!("<li class=item><a href=/{n}>Item number {n}</a> <b class=p>£{n}.00</b> <i>in stock</i></li>")
    };
    let items = |range: std::ops::Range<usize>| -> String { range.map(item).collect() };
    Page::from_text(
        &format!(
            "<title>Items</title><nav><ul><li><a href=/h>Home</a></li><li><a href=/a>About us</a></li></ul></nav>
             <h1>Items</h1><div class=main><h2>Lamps</h2><ul class=lamps>{}</ul></div>
             <div class=more><h2>Chairs</h2><ul class=chairs>{}</ul><p>That is all.</p></div>",
            items(1..9),
            items(11..14)
        ),
        &Limits::default(),
    )
}

#[test]
fn a_record_that_is_missing_brings_its_section_along() {
    let page = sections();
    let lamps = with_class(&page, "lamps")[0];
    let selected: Vec<Node> = page.tree.elements(lamps).collect();
    let answer = extract(&page, &Request::default());
    let mut wrapper = learn(&[(&page, &answer)]).unwrap().wrapper;
    // whatever was found at first: the list has the lamps only
    wrapper.pages[0].region = vec![".lamps".to_owned()];
    let first = apply(&wrapper, &page);
    assert_eq!(first.primary().unwrap().records.len(), selected.len());
    let chair = page.tree.elements(with_class(&page, "chairs")[0]).nth(1).unwrap();
    let corrections = [
        Correction::Rename { column: text("title"), to: text("name") },
        Correction::Include { records: vec![chair + 1] },
    ];
    let corrected = correct(wrapper.clone(), &page, &corrections).unwrap();
    let answer = apply(&corrected.wrapper, &page);
    assert_eq!(answer.primary().unwrap().records.len(), 11, "{}", corrected.wrapper);
    assert!(columns(&answer).contains(&"name"), "{:?}", columns(&answer));
    assert_eq!(cell(&answer, 10, "name"), "Item number 13");
    // a record of the list changes nothing, and what contains the list is refused
    let inside =
        correct(wrapper.clone(), &page, &[Correction::Include { records: vec![selected[0]] }]).unwrap();
    assert_eq!(apply(&inside.wrapper, &page).primary().unwrap().records.len(), 8);
    let around = with_class(&page, "main")[0];
    let error =
        correct(wrapper.clone(), &page, &[Correction::Include { records: vec![around] }]).unwrap_err();
    assert!(error.to_string().contains("inside this element"), "{error}");
    let error = correct(wrapper, &page, &[Correction::Include { records: vec![99_999] }]).unwrap_err();
    assert!(error.to_string().contains("no element"), "{error}");
}

#[test]
fn records_are_excluded_from_a_list_of_selectors() {
    let page = sections();
    let answer = extract(&page, &Request::default());
    let mut wrapper = learn(&[(&page, &answer)]).unwrap().wrapper;
    let rule = &mut wrapper.pages[0];
    rule.region = vec!["body".to_owned()];
    rule.record.as_mut().unwrap().find = vec![".chairs > li, .lamps > li".to_owned()];
    assert_eq!(apply(&wrapper, &page).primary().unwrap().records.len(), 11);
    // the first chair, which the first of the selectors finds
    let chair = page.tree.elements(with_class(&page, "chairs")[0]).next().unwrap();
    let corrected = correct(wrapper, &page, &[Correction::Exclude { records: vec![chair] }]).unwrap();
    let records = apply(&corrected.wrapper, &page).primary().unwrap().records.len();
    assert_eq!(records, 10, "{}", corrected.wrapper);
}

#[test]
fn nameless_records_of_the_body_are_learned() {
    let item = |n: usize| format!("<li><a href=/{n}>Item number {n}</a> <b>£{n}.00</b> <i>in stock</i></li>");
    let items = |range: std::ops::Range<usize>| -> String { range.map(item).collect() };
    let html = format!("<h1>Items</h1><ul>{}</ul><h2>More</h2><ul>{}</ul>", items(1..9), items(11..14));
    let page = Page::from_text(&html, &Limits::default());
    let wrapper = learned(&page);
    assert!(!wrapper.pages[0].record.as_ref().unwrap().find.is_empty(), "{wrapper}");
    assert!(apply(&wrapper, &page).primary().unwrap().records.len() >= 8, "{wrapper}");
}
