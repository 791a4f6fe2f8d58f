use super::{AddedRecords, MultiPageList, answer_set};
use crate::pipeline::{SetPage, extract};
use crate::request::Request;
use copal_dom::{Limits, Page};
use copal_model::{Region, Role};

fn page(html: &str, url: &str) -> Page {
    let mut page = Page::from_text(html, &Limits::default());
    page.url = Some(url.to_owned());
    page
}

fn begin(html: &str, url: &str) -> MultiPageList {
    let options = Request::for_lists();
    let page = page(html, url);
    let extraction = extract(&page, &options);
    MultiPageList::begin(page, &extraction, &options).expect("the first page has a list")
}

fn shop(numbers: impl Iterator<Item = u32>) -> String {
    let items: String = numbers
        .map(|n| {
            let used = if n == 7 { "<em class=state>used</em>" } else { "" };
            format!(
                "<li class='item i{n}'><h3><a href='p/{n}'>Lamp number {n}</a></h3><img src='i/{n}.jpg'>\
                 <span class=price>£{}.50</span><i class=seller>Sold by Brass Brothers</i>{used}</li>",
                n + 10
            )
        })
        .collect();
    format!(
        "<h1>Lamps</h1><ul class=menu><li><a href=/a>A</a><li><a href=/b>B</a></ul>\
         <ul class=list>{items}</ul><p>Imprint"
    )
}

fn column(region: &Region, name: &str) -> Vec<String> {
    let at = region.columns.iter().position(|column| column.name == name).unwrap_or_else(|| {
        panic!("no {name} in {:?}", region.columns.iter().map(|column| &column.name).collect::<Vec<_>>())
    });
    region.records.iter().map(|record| record.cells[at].join("|")).collect()
}

#[test]
fn pages_become_one_table_with_the_columns_of_all() {
    let mut series = begin(&shop(1..=5), "https://shop.example/a/list");
    assert_eq!(
        series.add(&page(&shop(6..=8), "https://shop.example/a/list?page=2")),
        Some(AddedRecords { new: 3, repeated: 0 })
    );
    // one record alone is not a list; its URL is in another folder
    assert_eq!(
        series.add(&page(&shop(9..=9), "https://shop.example/b/list?page=3")),
        Some(AddedRecords { new: 1, repeated: 0 })
    );
    assert_eq!(series.records(), 9);
    let list = series.finish();
    let numbers: Vec<String> = (1..=9).map(|n| format!("Lamp number {n}")).collect();
    assert_eq!(column(&list, "title"), numbers);
    assert_eq!(column(&list, "url")[5], "https://shop.example/a/p/6");
    assert_eq!(column(&list, "url")[8], "https://shop.example/b/p/9");
    assert_eq!(column(&list, "image")[0], "https://shop.example/a/i/1.jpg");
    assert_eq!(column(&list, "price")[8], "£19.50");
    let used: Vec<usize> = (0..9).filter(|&r| list.records[r].text.contains("used")).collect();
    assert_eq!(used, [6]);
    assert!(list.columns.iter().zip(&list.records[6].cells).any(|(_, cell)| cell == &["used"]));
    let pages: Vec<u32> =
        list.records.iter().filter_map(|record| Some(record.page.as_ref()?.number)).collect();
    assert_eq!(pages, [1, 1, 1, 1, 1, 2, 2, 2, 3]);
    assert_eq!(
        list.records[8].page.as_ref().map(|page| &*page.url),
        Some("https://shop.example/b/list?page=3")
    );
    // the place on its own page
    assert!(list.records[8].xpaths()[0].ends_with("/ul[2]/li[1]"), "{:?}", list.records[8].xpaths());
    assert!(list.records.iter().all(|record| record.cells.len() == list.columns.len()));
}

#[test]
fn a_list_of_several_pages_has_the_names_of_its_first_page() {
    // over both pages, most titles and links occur twice
    let rows = |from: u32| -> String {
        let row = |n: u32| {
            let number = format!("0{n}13-{}", 3 * n);
            format!(
                "<p><a href='{n}.pdf'>{number}</a> Smith{n} v. Jones{n}<br>Affirmed in part, number {n}</p>"
            )
        };
        (from..from + 6).map(row).collect()
    };
    let names = |list: &Region| list.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let first = page(&rows(1), "https://courts.example/a");
    let alone = extract(&first, &Request::for_lists());
    let alone = names(alone.primary().expect("a list"));
    let request = Request::for_lists();
    let set = ["a", "b"].map(|name| {
        let page = page(&rows(1), &format!("https://courts.example/{name}"));
        SetPage::analyse(name.to_owned(), page, &request)
    });
    for (_, named) in answer_set(set.into(), &request) {
        let shared = names(named.answer.primary().expect("a list"));
        for role in ["title", "url"] {
            assert_eq!(
                alone.iter().any(|name| name == role),
                shared.iter().any(|name| name == role),
                "{shared:?}"
            );
        }
    }
}

#[test]
fn the_columns_of_following_pages_are_those_of_the_first() {
    let names = |list: &Region| -> Vec<String> {
        let frequent = list.columns.iter().filter(|column| column.support >= 0.5);
        frequent.map(|column| column.name.clone()).collect()
    };
    let mut series = begin(&shop(1..=5), "https://shop.example/list");
    let first =
        names(&extract(&page(&shop(1..=5), "https://shop.example/list"), &Request::for_lists()).regions[0]);
    series.add(&page(&shop(6..=12), "https://shop.example/list?page=2"));
    series.add(&page(&shop(13..=15), "https://shop.example/list?page=3"));
    assert_eq!(names(&series.finish()), first);
}

#[test]
fn records_that_moved_to_the_next_page_are_added_once() {
    let mut series = begin(&shop(1..=6), "https://shop.example/list");
    assert_eq!(
        series.add(&page(&shop(5..=9), "https://shop.example/list?p=2")),
        Some(AddedRecords { new: 3, repeated: 2 })
    );
    assert_eq!(
        series.add(&page(&shop(5..=9), "https://shop.example/list?p=3")),
        Some(AddedRecords { new: 0, repeated: 5 })
    );
    assert_eq!(series.finish().records.len(), 9);
}

#[test]
fn another_page_has_no_such_list() {
    let mut series = begin(&shop(1..=6), "https://shop.example/list");
    let other = "<h1>About us</h1><ul class=menu><li><a href=/a>A</a><li><a href=/b>B</a></ul>\
                 <p>We sell lamps.<p>And shades.\
                 <table><tr><td>Open<td>9-5<tr><td>Closed<td>Sunday<tr><td>Tel<td>1</table>";
    assert_eq!(series.add(&page(other, "https://shop.example/about")), None);
    assert_eq!(series.records(), 6);
}

#[test]
fn header_rows_and_pagers_are_not_records() {
    let table = |numbers: std::ops::RangeInclusive<u32>| {
        let rows: String = numbers
            .map(|n| format!("<tr><td>{n}<td><a href='issue{n}'>Crash in part {n}</a><td>open"))
            .collect();
        format!(
            "<table><tr><th>ID<th>Title<th>Status{rows}\
             <tr><td colspan=3><a href='?start=1'>next</a></table><p>Help"
        )
    };
    let mut series = begin(&table(1..=8), "https://bugs.example/issue");
    assert_eq!(
        series.add(&page(&table(9..=10), "https://bugs.example/issue?2")),
        Some(AddedRecords { new: 2, repeated: 0 })
    );
    let list = series.finish();
    assert_eq!(column(&list, "id").last().map(String::as_str), Some("10"));
    assert_eq!(list.records.len(), 10);
}

#[test]
fn records_of_several_rows_stay_together() {
    let table = |numbers: std::ops::RangeInclusive<u32>| {
        let rows: String = numbers
            .map(|n| {
                format!(
                    "<tr class=athing><td>{n}.<td><a href='https://e.example/{n}'>Story {n} of the day</a>\
                     <tr><td><td>{} points by <a href='u?{n}'>user{n}</a> \
                     | <a href='item?{n}'>{n} comments</a>\
                     <tr class=spacer><td>",
                    n * 7
                )
            })
            .collect();
        format!("<table><tr><td><table class=stories>{rows}</table></table>")
    };
    let mut series = begin(&table(1..=6), "https://news.example/");
    assert_eq!(
        series.add(&page(&table(7..=9), "https://news.example/?p=2")),
        Some(AddedRecords { new: 3, repeated: 0 })
    );
    let list = series.finish();
    assert_eq!(list.records.len(), 9);
    assert!(list.records[8].text.contains("Story 9") && list.records[8].text.contains("63 points"));
}

#[test]
fn records_without_links_are_told_apart_by_their_text() {
    let list = |numbers: std::ops::RangeInclusive<u32>| {
        let items: String = numbers
            .map(|n| format!("<div class=q><b>Quote {n}</b><span>said by speaker {n}</span></div>"))
            .collect();
        format!("<div>{items}</div>")
    };
    let mut series = begin(&list(1..=5), "https://q.example/");
    assert_eq!(
        series.add(&page(&list(5..=7), "https://q.example/2")),
        Some(AddedRecords { new: 2, repeated: 1 })
    );
    assert_eq!(series.finish().records.len(), 7);
}

#[test]
fn a_list_that_is_only_possible_is_followed_and_stays_possible() {
    let options = Request::for_lists();
    let first = page(&shop(1..=5), "https://a.example/1");
    let mut answer = extract(&first, &options);
    answer.regions[0].role = Role::Possible;
    let mut series = MultiPageList::begin(first, &answer, &options).expect("the first page has a list");
    let added = series.add(&page(&shop(6..=9), "https://a.example/2"));
    assert_eq!(added, Some(AddedRecords { new: 4, repeated: 0 }));
    let list = series.finish();
    assert_eq!((list.role, list.records.len()), (Role::Possible, 9));
}

/// A list of cases with a date each.
fn cases(dates: &[&str]) -> String {
    let item = |date: &&str| {
        format!(
            "<li class=case><a href='/case/{0}'>Case of {0}</a><span class=filed>{date}</span></li>",
            date.replace('/', "-")
        )
    };
    let items: String = dates.iter().map(item).collect();
    format!("<h1>Cases</h1><ul class=cases>{items}</ul>")
}

/// The values of the dates of a list.
fn date_values(list: &Region) -> Vec<String> {
    let at = list.columns.iter().position(|column| column.value_type == Some("date")).expect("dates");
    let iso = |value: &copal_values::Value| match value {
        copal_values::Value::Date(iso) => iso.clone(),
        other => format!("{other:?}"),
    };
    list.records.iter().filter_map(|record| record.cells[at].value.as_ref().map(iso)).collect()
}

#[test]
fn the_pages_of_a_list_decide_together_about_the_order_of_dates() {
    let open = cases(&["10/12/2023", "01/02/2023", "03/04/2023", "11/05/2023"]);
    let american = cases(&["10/13/2022", "01/25/2022", "03/04/2022", "11/05/2022"]);
    for by_name in [false, true] {
        // requested fields are joined by the names of their columns
        let mut options = Request::for_lists();
        options.embedded = by_name;
        let first = page(&open, "https://court.example/list");
        let extraction = extract(&first, &options);
        let mut series = MultiPageList::begin(first, &extraction, &options).expect("a list");
        let second = page(&american, "https://court.example/list?page=2");
        assert_eq!(series.add(&second), Some(AddedRecords { new: 4, repeated: 0 }));
        let dates = date_values(&series.finish());
        assert_eq!(dates[0], "2023-10-12", "by name: {by_name}");
        assert_eq!(dates[4], "2022-10-13", "by name: {by_name}");
    }
}
