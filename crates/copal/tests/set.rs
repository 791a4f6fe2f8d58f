//! Pages that are given together: lists and detail pages, and which detail page belongs to which record.

#![allow(clippy::unwrap_used)]

use copal::objects::PageKind;
use copal::{KindRequest, Limits, NamedAnswer, Page, Request, SetPage, answer_set, join_detail_pages};

fn book(n: usize) -> String {
    let (pages, price) = (100 + 17 * n, 5 + n);
    format!(
        "<title>The tale of the {n} foxes - Book house</title><nav><a href=/>Home</a><a href=/a>About</a></nav>\
         <main><h1>The tale of the {n} foxes</h1><p class=by>by Author {n}</p>\
         <dl><dt>Pages</dt><dd>{pages}</dd><dt>Publisher</dt><dd>Fox & Den {n}</dd><dt>ISBN</dt><dd>978014143954{n}</dd>\
         <dt>Price</dt><dd>£{price}.00</dd></dl>\
         <p>Once {n} foxes lived under the old oak, and this is what became of them in the winter of the great snow.</p></main>\
         <footer>© Book house</footer>"
    )
}

fn list(base: &str) -> String {
    let items: String = (1..=6)
        .map(|n| {
            format!(
                "<li class=book><h3><a href='{base}{n}.html'>The tale of the {n} foxes</a></h3>\
                 <span class=price>£{}.00</span><p>A story of {n} foxes under an oak, told by Author {n}.</p></li>",
                5 + n
            )
        })
        .collect();
    format!("<title>Books</title><h1>Books</h1><ul>{items}</ul>")
}

fn set_page(name: &str, html: &str, url: Option<&str>) -> SetPage {
    let mut page = Page::from_text(html, &Limits::default());
    page.url = url.map(str::to_owned);
    SetPage::analyse(name.to_owned(), page, &Request::default())
}

fn answers(set: Vec<SetPage>, kind: KindRequest) -> Vec<NamedAnswer> {
    let mut request = Request::default();
    request.kind = kind;
    answer_set(set, &request).into_iter().map(|(_, answer)| answer).collect()
}

/// The pages answered together, and joined.
fn joined(pages: Vec<SetPage>) -> Vec<NamedAnswer> {
    let mut named = answers(pages, KindRequest::Auto);
    join_detail_pages(&mut named);
    named
}

fn isbns(member: &NamedAnswer) -> Vec<String> {
    let list = member.answer.primary().unwrap();
    let at = list.columns.iter().position(|column| column.name == "isbn").unwrap();
    list.records.iter().map(|record| record.cells[at].join("|")).collect()
}

#[test]
fn a_mixed_folder_is_sorted_out() {
    let mut pages = vec![set_page("lists/all.html", &list("../books/"), None)];
    pages.extend((1..=3).map(|n| set_page(&format!("books/{n}.html"), &book(n), None)));
    pages.push(set_page(
        "about.html",
        "<h1>About us</h1><p>We sell books about foxes, and have done so for years.",
        None,
    ));
    let pages = joined(pages);
    assert!(pages[0].answer.object.is_none() && pages[0].answer.primary().is_some());
    for page in &pages[1..=3] {
        assert_eq!(page.answer.object.as_ref().unwrap().kind, PageKind::Object, "{}", page.name);
        assert_eq!(page.joined_to, Some(0), "{}", page.name);
    }
    assert!(pages[4].answer.object.is_none() && pages[4].joined_to.is_none());
    // joined by the relative links between the files
    assert_eq!(isbns(&pages[0]), ["9780141439541", "9780141439542", "9780141439543", "", "", ""]);
    // each record names the page that it was joined with
    let records = &pages[0].answer.primary().unwrap().records;
    let names: Vec<Option<&str>> =
        records.iter().map(|record| record.joined.as_ref().map(|joined| &*joined.page)).collect();
    assert_eq!(&names[..4], [Some("books/1.html"), Some("books/2.html"), Some("books/3.html"), None]);
}

#[test]
fn pages_that_were_read_apart_are_joined() {
    let mut named = Vec::new();
    for n in [2, 3] {
        named.extend(answers(vec![set_page(&format!("books/{n}.html"), &book(n), None)], KindRequest::Auto));
    }
    named.extend(answers(vec![set_page("lists/all.html", &list("../books/"), None)], KindRequest::Auto));
    join_detail_pages(&mut named);
    assert_eq!(isbns(&named[2]), ["", "9780141439542", "9780141439543", "", "", ""]);
    assert!(named[..2].iter().all(|page| page.joined_to == Some(2)));
}

#[test]
fn pages_are_joined_by_their_addresses() {
    let url = |n: usize| format!("https://www.books.example/b/{n}.html");
    let mut pages = vec![set_page("a", &list("/b/"), Some("https://books.example/all"))];
    pages.extend([2, 5].map(|n| set_page(&format!("saved-{n}"), &book(n), Some(&url(n)))));
    let said = format!("<link rel=canonical href='https://books.example/b/6.html#top'>{}", book(6));
    pages.push(set_page("saved-6", &said, None));
    let pages = joined(pages);
    assert_eq!(isbns(&pages[0]), ["", "9780141439542", "", "", "9780141439545", "9780141439546"]);
}

#[test]
fn a_page_is_taken_for_what_was_said() {
    let pages = || vec![set_page("list", &list(""), None), set_page("book", &book(1), None)];
    assert!(answers(pages(), KindRequest::List).iter().all(|page| page.answer.object.is_none()));
    assert!(answers(pages(), KindRequest::Object).iter().all(|page| page.answer.object.is_some()));
}

#[test]
fn a_domain_names_the_fields_of_objects() {
    let mut request = Request::default();
    request.set_domain(Some(std::sync::Arc::new(copal::Domain::load("books").unwrap())));
    request.lists.method = copal::Method::Amber;
    let with = |name: &str, html: &str| {
        let page = Page::from_text(html, &Limits::default());
        SetPage::analyse(name.to_owned(), page, &request)
    };
    let pages = vec![with("a", &book(1)), with("b", &book(2)), with("list", &list("/books/"))];
    let pages: Vec<NamedAnswer> = answer_set(pages, &request).into_iter().map(|(_, answer)| answer).collect();
    for (page, isbn) in pages.iter().zip(["9780141439541", "9780141439542"]) {
        let detail = page.answer.object.as_ref().unwrap();
        let texts = |name: &str| {
            detail.fields.iter().find(|field| field.name == name).map(|field| field.texts.clone())
        };
        assert_eq!(texts("isbn_13").or(texts("isbn")), Some(vec![isbn.to_owned()]), "{:?}", detail.fields);
        assert!(texts("title").is_some_and(|texts| texts[0].starts_with("The tale")));
    }
    assert!(pages[2].answer.object.is_none());
}
