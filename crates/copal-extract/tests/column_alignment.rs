//! Columns that only all records together show: line templates, prose, labelled lines, optional markup.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::{Answer, Region, Request, SetPage, answer_set, extract};

fn list(html: &str) -> Region {
    let page = Page::from_text(html, &Limits::default());
    let Answer { regions, .. } = extract(&page, &Request::for_lists());
    regions.into_iter().next().unwrap()
}

/// A list of these items.
fn items(items: &[String]) -> Region {
    list(&format!(
        "<ul>{}</ul>",
        items.iter().map(|item| format!("<li class=entry>{item}</li>")).collect::<String>()
    ))
}

fn names(region: &Region) -> Vec<&str> {
    region.columns.iter().map(|column| column.name.as_str()).collect()
}

fn column(region: &Region, name: &str) -> Vec<String> {
    let names = names(region);
    let at =
        names.iter().position(|&known| known == name).unwrap_or_else(|| panic!("no {name} in {names:?}"));
    region.records.iter().map(|record| record.cells[at].join(" + ")).collect()
}

const TREES: [(&str, &str); 6] = [
    ("Oak", "Ann Lee"),
    ("Elm", "Bo Chan"),
    ("Birch", "Cy Diaz"),
    ("Willow", "Di Fox"),
    ("Lime", "Ed Gray"),
    ("Fir", "Flo Hall"),
];

#[test]
fn a_line_with_constant_words_is_several_fields() {
    let item = |(number, (tree, author)): (usize, &(&str, &str))| {
        format!(
            "<p>{}. <a href='/{number}'>{tree} tree</a> by <b>{author}</b></p><p>all about the {tree}</p>",
            number + 1
        )
    };
    let region = items(&TREES.iter().enumerate().map(item).collect::<Vec<_>>());
    assert_eq!(column(&region, "title")[..2], ["Oak tree", "Elm tree"]);
    assert_eq!(column(&region, "author")[..2], ["Ann Lee", "Bo Chan"]);
}

#[test]
fn a_date_at_the_end_of_a_text_is_a_field() {
    let item = |(day, (tree, author)): (usize, &(&str, &str))| {
        format!(
            "<h3>{author}</h3><p>The {tree} grew well {}this year. <span class=when>(1{day} May 2020)</span></p>",
            "and well ".repeat(day)
        )
    };
    let region = items(&TREES.iter().enumerate().map(item).collect::<Vec<_>>());
    assert_eq!(column(&region, "date")[0], "(10 May 2020)");
}

#[test]
fn words_that_differ_make_a_sentence() {
    let words = ["stands near", "looks like", "was cut by", "belongs to", "came after", "is not"];
    let item = |(w, (tree, author)): (usize, &(&str, &str))| {
        format!("<h3>{author}</h3><p>The <b>{tree}</b> {} <i>{author}</i> today</p>", words[w])
    };
    let region = items(&TREES.iter().enumerate().map(item).collect::<Vec<_>>());
    let texts: Vec<&str> = region.records[1].cell_texts().collect();
    assert!(texts.contains(&"The Elm looks like Bo Chan today"), "{texts:?}");
}

#[test]
fn labelled_lines_between_breaks_are_fields() {
    let item = |(n, (tree, author)): (usize, &(&str, &str))| {
        let height = if n % 2 == 0 { format!("Height: 1{n} m<br>") } else { String::new() };
        format!("<h3>{tree}</h3><p>Owner: {author}<br>{height}Park: {tree} gardens</p>")
    };
    let region = items(&TREES.iter().enumerate().map(item).collect::<Vec<_>>());
    assert_eq!(column(&region, "owner")[1], "Owner: Bo Chan");
    assert_eq!(column(&region, "park")[1], "Park: Elm gardens");
    assert_eq!(column(&region, "height")[..2], ["Height: 10 m", ""]);
}

#[test]
fn items_with_a_label_are_aligned_by_it() {
    let item = |(n, (tree, author)): (usize, &(&str, &str))| {
        let height =
            if n % 2 == 0 { format!("<p><strong>Height:</strong> 1{n} m</p>") } else { String::new() };
        format!(
            "<h3>{tree}</h3><div>{height}<p><strong>Owner:</strong> {author}</p><p><strong>Park:</strong> {tree} gardens</p></div>"
        )
    };
    let region = items(&TREES.iter().enumerate().map(item).collect::<Vec<_>>());
    assert_eq!(column(&region, "owner")[..2], ["Ann Lee", "Bo Chan"]);
    assert_eq!(column(&region, "park")[1], "Elm gardens");
    assert_eq!(column(&region, "height")[1], "");
}

#[test]
fn free_text_is_one_value() {
    let inner = [
        "<p>A long story about a tree that nobody had seen before the winter came.</p><p>And so on, for quite some time.</p>",
        "<blockquote>someone said this long ago in a book that is lost</blockquote><p>I do not agree with any of that at all.</p>",
        "<p>See <a href='/x'>this page</a> for the reason why the tree was never cut down by them.</p><ul><li>one</li><li>two</li></ul>",
        "<p>Short answer: no.</p><pre>grow(tree)</pre><p>That is all that I have to say about the matter today.</p>",
        "<p>It was the tallest of them all, and it stood at the end of the road to town.</p>",
        "<h4>Edit</h4><p>The last one was wrong, as I have learned from the owner of the garden.</p>",
    ];
    let item = |((_, author), inner): (&(&str, &str), &&str)| {
        format!("<a class=user href='/u'>{author}</a><div class=message>{inner}</div>")
    };
    let region = items(&TREES.iter().zip(&inner).map(item).collect::<Vec<_>>());
    assert!(column(&region, "message")[1].starts_with("someone said this"));
    assert!(column(&region, "message")[1].ends_with("at all."));
    assert_eq!(names(&region).iter().filter(|name| !name.contains("url")).count(), 2, "{:?}", names(&region));
}

#[test]
fn a_field_in_another_wrapper_is_the_same_column() {
    let item = |(n, (tree, author)): (usize, &(&str, &str))| {
        let name = if n % 3 == 0 {
            format!("<div class=offer><div><span class=by>{author}</span></div></div>")
        } else {
            format!("<p><span class=by>{author}</span></p>")
        };
        format!("<h3>{tree}</h3>{name}<p class=about>about the {tree}</p>")
    };
    let region = items(&TREES.iter().enumerate().map(item).collect::<Vec<_>>());
    let owners: Vec<String> = TREES.iter().map(|(_, author)| (*author).to_owned()).collect();
    let same = (0..region.columns.len())
        .any(|c| region.records.iter().map(|record| record.cells[c].join(" ")).collect::<Vec<_>>() == owners);
    assert!(
        same,
        "{:?}",
        region.records.iter().map(|record| record.cell_texts().collect::<Vec<_>>()).collect::<Vec<_>>()
    );
}

/// A page of a shop; the second page has no discounts and another number of reviews.
fn shop(from: usize, discounts: bool) -> String {
    let item = |n: usize| {
        let old = if discounts && n.is_multiple_of(2) { format!("<del>£{n}9</del>") } else { String::new() };
        format!(
            "<li class=item><h3><a href='/{n}'>Lamp number {n}</a></h3><p>{old}<b>£{n}5</b></p><p>made in town {n}</p></li>"
        )
    };
    format!("<main><h1>Lamps</h1><ul>{}</ul></main>", (from..from + 8).map(item).collect::<String>())
}

#[test]
fn pages_that_are_given_together_have_one_set_of_columns() {
    let request = Request::for_lists();
    let page = |html: &str, name: &str| {
        SetPage::analyse(name.to_owned(), Page::from_text(html, &Limits::default()), &request)
    };
    let set = vec![page(&shop(10, true), "a.html"), page(&shop(20, false), "b.html")];
    let answers = answer_set(set, &request);
    let lists: Vec<&Region> = answers.iter().map(|(_, named)| named.answer.primary().unwrap()).collect();
    assert_eq!(names(lists[0]), names(lists[1]));
    assert_eq!(column(lists[0], "price")[0], "£105");
    assert_eq!(column(lists[1], "price")[0], "£205");
    assert_eq!(column(lists[1], "old_price").concat(), "");
    // each page keeps its own records, whose cells point into its own tree
    for ((page, _), list) in answers.iter().zip(&lists) {
        for record in &list.records {
            assert!(record.page.is_none() && !record.place.parts.is_empty());
            for text in record.cells.iter().flat_map(|cell| &cell.texts) {
                let source = text.source.as_ref().unwrap();
                let span = source.span.start as usize..source.span.end as usize;
                assert_eq!(copal_extract::source_text(page, source)[span], text.text);
            }
        }
    }
}

#[test]
fn unlike_values_of_one_list_are_columns_of_their_own() {
    let item = |(n, (tree, _)): (usize, &(&str, &str))| {
        let baths = if n % 2 == 0 { format!("<li>{} baths</li>", n + 1) } else { String::new() };
        format!(
            "<h3>{tree} house</h3><ul class=facts><li>{} beds</li>{baths}<li>£{n}50,000</li></ul><p>about the {tree}</p>",
            n + 2
        )
    };
    let items: String =
        TREES.iter().enumerate().map(item).map(|item| format!("<div class=home>{item}</div>")).collect();
    let region = list(&format!("<main>{items}</main>"));
    assert_eq!(column(&region, "beds")[..2], ["2 beds", "3 beds"]);
    assert_eq!(column(&region, "baths")[..2], ["1 baths", ""]);
    assert_eq!(column(&region, "price")[1], "£150,000");
}

#[test]
fn a_list_of_tags_stays_a_list() {
    let item = |(n, (tree, author)): (usize, &(&str, &str))| {
        let tags: String =
            (0..=n % 3).map(|i| format!("<li>{tree} tag {}</li>", ["a", "b", "c"][i])).collect();
        format!("<h3>{tree} house</h3><ul class=tags>{tags}</ul><p>by {author}</p>")
    };
    let items: String =
        TREES.iter().enumerate().map(item).map(|item| format!("<div class=home>{item}</div>")).collect();
    let region = list(&format!("<main>{items}</main>"));
    assert_eq!(column(&region, "tags")[1], "Elm tag a + Elm tag b");
}

/// The cells of a list in which each record has one of these texts, or none, after its price.
fn with_states(state: impl Fn(usize) -> &'static str) -> Vec<String> {
    let records: Vec<String> = (0..12)
        .map(|n| format!("<h3><a href='/{n}'>Lamp model {n}</a></h3><b>£{n}.50</b>{}", state(n)))
        .collect();
    let region = items(&records);
    region
        .records
        .iter()
        .map(|record| record.cells.iter().map(|cell| cell.join(" ")).collect::<Vec<_>>().join(" | "))
        .collect()
}

#[test]
fn a_state_that_not_all_records_share_is_a_value() {
    let count = |rows: &[String], text: &str| rows.iter().filter(|row| row.contains(text)).count();
    // two texts at one place
    let rows = with_states(|n| {
        if n % 4 == 0 {
            "<p class='state none'>Unavailable</p>"
        } else {
            "<p class='state some'>In stock</p>"
        }
    });
    assert_eq!((count(&rows, "In stock"), count(&rows, "Unavailable")), (9, 3), "{rows:?}");
    // words that nobody knows, at one place
    let rows = with_states(|n| {
        if n % 4 == 0 { "<p class='state none'>Grumpy</p>" } else { "<p class='state some'>Cheerful</p>" }
    });
    assert_eq!((count(&rows, "Cheerful"), count(&rows, "Grumpy")), (9, 3), "{rows:?}");
    // a known state that some records lack
    let rows = with_states(|n| if n % 4 == 0 { "" } else { "<p class=state>In stock</p>" });
    assert_eq!(count(&rows, "In stock"), 9, "{rows:?}");
    // words of the template: in all records, or of no known kind, or to operate the page
    let rows = with_states(|_| "<p class=state>In stock</p>");
    assert_eq!(count(&rows, "In stock"), 0, "{rows:?}");
    let rows = with_states(|n| if n % 4 == 0 { "" } else { "<p class=ad>Read our guide</p>" });
    assert_eq!(count(&rows, "Read our guide"), 0, "{rows:?}");
    let rows = with_states(|n| {
        if n % 4 == 0 {
            "<button class=no>Notify me</button>"
        } else {
            "<button class=yes>Add to basket</button>"
        }
    });
    assert_eq!(count(&rows, "Add to basket"), 0, "{rows:?}");
}
