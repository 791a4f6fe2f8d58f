//! Next links and counters on small pages, one for each kind of pager and each form of a counter.
#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_extract::paging::{NextKind, SURE, continuation, learn_url_rule, next_links};
use copal_extract::{Answer, Request, extract};
use proptest::prelude::*;

/// The URL of the pages.
const PAGE_URL: &str = "https://shop.example/lamps";

/// Twelve records that are clearly the main list.
fn list() -> String {
    let records = (1..=12).map(|i| {
        format!(
            "<li class=item><a href='/lamp/{i}00'>Lamp number {i} with a long name</a> <p>A lamp for room {i}, made of oak and brass.</p> \
             <span class=price>£{i}9.00</span></li>"
        )
    });
    format!("<ul class=results>{}</ul>", records.collect::<String>())
}

fn page(html: &str, url: Option<&str>) -> Page {
    let mut page = Page::from_text(html, &Limits::default());
    page.url = url.map(str::to_owned);
    page
}

fn extracted(before: &str, after: &str, url: Option<&str>) -> Answer {
    let html = format!("<body><h1>Lamps</h1>{before}{}{after}<p>Contact us</p></body>", list());
    let found = extract(&page(&html, url), &Request::default());
    assert_eq!(found.primary().map(|list| list.records.len()), Some(12), "the list itself: {before} {after}");
    found
}

/// The next page of a list that is followed by a pager.
fn next(pager: &str) -> Option<String> {
    extracted("", pager, Some(PAGE_URL)).page.next
}

#[allow(clippy::unnecessary_wraps)] // it is compared with results that may be `None`
fn full(path: &str) -> Option<String> {
    Some(format!("https://shop.example{path}"))
}

#[test]
fn the_number_after_the_current_page_is_the_next_link() {
    let links = "<a href='?page=2'>2</a> <a href='?page=3'>3</a> … <a href='?page=18'>18</a>";
    assert_eq!(next(&format!("<div>1 {links}</div>")), full("/lamps?page=2"));
    assert_eq!(next(&format!("<div><b>1</b> | {links}</div>")), full("/lamps?page=2"));
    assert_eq!(next(&format!("<div>Page: [1] {links}</div>")), full("/lamps?page=2"));
    let middle = "<a href='/l/p1'>1</a> <a href='/l/p2'>2</a> <span>3</span> <a href='/l/p4'>4</a> <a href='/l/p9'>9</a>";
    assert_eq!(next(&format!("<nav>{middle}</nav>")), full("/l/p4"));
    let marked = "<li><a href='/l?p=1'>1</a></li><li class=active><a href='/l?p=2'>2</a></li><li><a href='/l?p=3'>3</a></li>";
    assert_eq!(next(&format!("<ul class=pagination>{marked}</ul>")), full("/l?p=3"));
    let aria = "<a href='/l?p=1' aria-label='Page 1'>1</a><a aria-current=page href='/l?p=2'>2</a><a href='/l?p=3'>3</a>";
    assert_eq!(next(&format!("<div>{aria}</div>")), full("/l?p=3"));
    let cells = "<td>1</td><td><a href='l-2.html'>2</a></td><td><a href='l-3.html'>3</a></td>";
    assert_eq!(next(&format!("<table><tr>{cells}</tr></table>")), full("/l-2.html"));
}

#[test]
fn the_last_page_has_no_next_link() {
    let pager =
        "<a href='?page=16'>16</a> <a href='?page=17'>17</a> <b>18</b> <a href='?page=17'>‹ Previous</a>";
    assert_eq!(next(&format!("<div class=pagination>{pager}</div>")), None);
    assert_eq!(next("<a href='?page=1'>« Previous</a> <a href='?page=1'>First</a>"), None);
    // a link that says next but leads to the page itself
    assert_eq!(
        next("<a href='/lamps#list'>Next</a> <a href='#top'>Next</a> <a href='javascript:go(2)'>Next</a>"),
        None
    );
}

#[test]
fn words_and_arrows_mark_the_next_link() {
    for text in [
        "Next",
        "Next page »",
        "Older posts",
        "nächste Seite",
        "weiter",
        "Suivant ›",
        "Siguiente",
        "Próxima",
        "Avanti",
        "volgende",
        "Nästa",
        "Næste",
        "Seuraava",
        "Następna",
        "Další",
        "Ďalšia",
        "Következő",
        "Următoarea",
        "Sljedeća",
        "Следующая",
        "Далее",
        "Наступна",
        "Επόμενη",
        "Sonraki",
        "次へ",
        "下一页",
        "下一頁",
        "다음",
        "ถัดไป",
        "अगला",
        "Berikutnya",
        "Trang sau",
        "התוצאות הבאות",
        "بعدی",
        "Edasi",
    ] {
        let found = next(&format!("<p><a href='?c=ab9'>{text}</a></p>"));
        assert!(found == full("/lamps?c=ab9") || text == "התוצאות הבאות", "{text}: {found:?}");
    }
    for text in ["›", "»", ">", "→", "▶"] {
        assert_eq!(next(&format!("<p><a href='?page=4'>{text}</a></p>")), full("/lamps?page=4"), "{text}");
    }
    let last =
        "<a href='?page=1'>«</a> <a href='?page=2'>‹</a> <a href='?page=4'>›</a> <a href='?page=9'>»</a>";
    assert_eq!(next(&format!("<p>{last}</p>")), full("/lamps?page=4"));
    let icon = "<a href='?page=1' title='Previous page'><i></i></a> <a href='?page=3' aria-label='Next page'><i></i></a>";
    assert_eq!(next(&format!("<p>{icon}</p>")), full("/lamps?page=3"));
    assert_eq!(
        next("<p><a class=nx href='?page=3'><img src=r.png alt='Next'></a></p>"),
        full("/lamps?page=3")
    );
}

#[test]
fn arrows_are_mirrored_on_pages_from_right_to_left() {
    let pager = "<div><a href='?page=1'>›</a> <a href='?page=3'>‹</a></div>";
    let found = |head: &str| {
        let html = format!("<html {head}><body><h1>مصابيح</h1>{}{pager}</body></html>", list());
        extract(&page(&html, Some(PAGE_URL)), &Request::default()).page.next
    };
    assert_eq!(found("dir=rtl"), full("/lamps?page=3"));
    assert_eq!(found("lang=ar"), full("/lamps?page=3"));
    assert_eq!(found("lang=en"), full("/lamps?page=1"));
}

#[test]
fn declared_and_scripted_links_are_found() {
    let html =
        |head: &str, after: &str| format!("<head>{head}</head><body><h1>Lamps</h1>{}{after}</body>", list());
    let found = |head: &str, after: &str| {
        let found = extract(&page(&html(head, after), Some(PAGE_URL)), &Request::default());
        found.page.next
    };
    assert_eq!(found("<link rel=next href='/lamps?page=2'>", ""), full("/lamps?page=2"));
    assert_eq!(found("", "<a rel='nofollow next' href='/lamps/b'>»</a>"), full("/lamps/b"));
    assert_eq!(
        found("", "<button onclick=\"location.href='/lamps?page=2'\">Next</button>"),
        full("/lamps?page=2")
    );
    assert_eq!(found("", "<button data-url='/lamps?page=2'>Load more</button>"), full("/lamps?page=2"));
    assert_eq!(found("", "<a href='/lamps?offset=12'>Show more results</a>"), full("/lamps?offset=12"));
    let links = next_links(&page(&html("", "<a href='/lamps?page=2'>Load more</a>"), Some(PAGE_URL)), None);
    assert_eq!(links[0].kind, NextKind::More);
}

#[test]
fn a_pager_may_precede_the_list() {
    let pager = "<div class=pager>1 <a href='?start=12'>2</a> <a href='?start=24'>3</a> <a href='?start=12'>Next</a></div>";
    assert_eq!(extracted(pager, "", Some(PAGE_URL)).page.next, full("/lamps?start=12"));
    // without the URL of the page the link stays as written
    assert_eq!(extracted(pager, "", None).page.next, Some("?start=12".into()));
}

#[test]
fn other_links_are_not_next_links() {
    for pager in [
        "<a href='https://other.example/lamps?page=2' rel=next>Next</a>",
        "<div class=carousel><a href='/deals/2'>Next</a></div>",
        "<table class=calendar><tr><td><a href='/events/2026-05'>»</a></td></tr></table>",
        "<p><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></p>",
        "<p>Show <a href='?size=10'>10</a> <a href='?size=20'>20</a> <a href='?size=50'>50</a></p>",
        "<p><a href='/y/2019'>2019</a> <a href='/y/2020'>2020</a> <a href='/y/2021'>2021</a></p>",
        "<p><a href='/blog/a-day-out' rel=next>A day out in the hills</a></p>",
        "<p><a href='/about'>More about us</a> <a href='/news'>More news</a> <a href='/w'>Next week</a></p>",
        "<p><a href='?page=9'>Last »</a> <a href='?all=1'>Show all</a></p>",
    ] {
        assert_eq!(next(pager), None, "{pager}");
    }
    // the pages of a thread inside a record are not those of the list
    let threads: String = (1..=9)
        .map(|i| {
            format!(
                "<li><a href='/t/{i}'>How to mend the lamp of kind {i}?</a> <small>1 <a href='/t/{i}?page=2'>2</a> \
                 <a href='/t/{i}?page=3'>3</a></small> <p>Asked by reader {i} who bought one in the shop</p></li>"
            )
        })
        .collect();
    let found =
        extract(&page(&format!("<body><ul>{threads}</ul></body>"), Some(PAGE_URL)), &Request::default());
    assert!(found.primary().is_some());
    assert_eq!(found.page.next, None);
}

#[test]
fn calendars_turn_months_not_pages() {
    for pager in [
        "<p class=pager><a rel=next href='/lamps/202210' title='Go to next page'>Next</a></p>",
        "<p class=pager><a rel=next href='/lamps?month=2022-10'>Next ›</a></p>",
        "<p><a href='?term=b' title='Next month'>Next</a></p>",
        "<p><a href='?page=2'>Next month</a> <a href='?page=3'>Next week »</a></p>",
        "<p><a href='?page=2' aria-label='Nächster Monat'>›</a></p>",
        "<p><a href='?page=2'>翌月</a></p>",
    ] {
        assert_eq!(next(pager), None, "{pager}");
    }
    // the archive of a month has pages too
    let month = "https://shop.example/2022/10/";
    assert_eq!(next_at(month, "<p><a href='/2022/10/page/2/'>Next</a></p>"), full("/2022/10/page/2/"));
    assert_eq!(next_at(month, "<p><a href='/2022/09/'>Older posts</a></p>"), full("/2022/09/"));
}

#[test]
fn the_next_item_is_not_the_next_page() {
    for pager in [
        "<p><a href='/?p=4711'>Next post</a></p>",
        "<p><a href='/?p=4711'>Nächster Beitrag →</a></p>",
        "<p><a href='/b?page=2'>Article suivant</a></p>",
        "<p><a href='/b/2'>Next photo</a> <a href='/b/2'>Next slide</a></p>",
        "<p><a href='/b?page=2'>次の記事</a></p>",
        "<p><a href='?page=2' title='Next product'>›</a></p>",
    ] {
        assert_eq!(next(pager), None, "{pager}");
    }
    assert_eq!(next("<p><a href='?page=2'>Next articles</a></p>"), full("/lamps?page=2"));
}

#[test]
fn a_page_without_a_list_needs_a_page_number() {
    let found = |url: &str, link: &str| {
        let html = format!(
            "<body><h1>First post</h1><p>A long text about the hills, and how we walked them all day until the \
             rain came down on us.</p><p>And another one, about the way home, the train and the wait.</p>{link}"
        );
        extract(&page(&html, Some(url)), &Request::default()).page.next
    };
    let own = "https://blog.example/post/7";
    assert_eq!(found(own, "<p><a rel=next href='/post/8'>Next</a></p>"), None);
    assert_eq!(found(own, "<p class=pagination><a rel=next href='/tulips'>Next</a></p>"), None);
    assert_eq!(found("https://blog.example/?p=4711", "<p><a rel=next href='/?p=4802'>Next →</a></p>"), None);
    let second = Some("https://blog.example/post/7?page=2".to_owned());
    assert_eq!(found(own, "<p class=pagination><a rel=next href='?page=2'>Next</a></p>"), second);
}

#[test]
fn a_declared_link_may_move_any_number() {
    let html = |href: &str| {
        format!("<head><link rel=next href='{href}'></head><body><h1>Lamps</h1>{}</body>", list())
    };
    let found = |own: &str, href: &str| {
        let own = format!("https://shop.example{own}");
        extract(&page(&html(href), Some(&own)), &Request::default()).page.next
    };
    assert_eq!(found("/list/1-10/lamps.html", "/list/11-20/lamps.html"), full("/list/11-20/lamps.html"));
    assert_eq!(found("/list/lamps.html", "/list/oak-and-brass"), None);
}

#[test]
fn the_numbers_of_another_part_of_the_site_are_not_those_of_the_list() {
    let numbers = "<p><a href='/tools/1'>2</a> <a href='/tools/2'>3</a> <a href='/tools/3'>4</a></p>";
    assert_eq!(next_at("https://shop.example/7603/lamps-of-oak", numbers), None);
    assert_eq!(next_at("https://shop.example/tools", numbers), full("/tools/1"));
    // the current page is marked
    let marked = format!("<b>1</b> {numbers}");
    assert_eq!(next_at("https://shop.example/7603/lamps-of-oak", &marked), full("/tools/1"));
}

#[test]
fn a_pager_in_the_last_row_of_the_list_is_found() {
    let row = |n: u32| {
        format!("<tr><td><a href='/lamp/{n}'>Lamp of kind {n}</a><td>{n}9 pounds<td>{n}{n} in stock</tr>")
    };
    let rows: String = (1..=12).map(row).collect();
    for pager in [
        "<tr><td></td><td colspan=2><a href='/lamps?p=2' rel=next>More</a></td></tr>",
        "<tr><td><a href='/lamps?p=2'>2</a><td><a href='/lamps?p=3'>3</a><td><a href='/lamps?p=2'>Next</a></tr>",
        "<tr><td>Page 1 of 7<td>1 <a href='/lamps?p=2'>2</a><td><a href='/lamps?p=2'>Next</a></tr>",
    ] {
        let html = format!("<body><h1>Lamps</h1><table>{rows}{pager}</table></body>");
        let found = extract(&page(&html, Some(PAGE_URL)), &Request::default());
        assert_eq!(found.page.next, full("/lamps?p=2"), "{pager}");
        assert_eq!(found.primary().map(|list| list.records.len()), Some(12), "{pager}");
    }
}

#[test]
fn an_article_has_no_next_page() {
    let html = "<head><link rel=next href='/2019/01/04/second-post/'></head><body><h1>First post</h1><p>A long text about the hills, \
        and how we walked them all day until the rain came down on us.</p><p>And another one, about the way home, the train and the \
        long wait.</p><a rel=next href='/2019/01/04/second-post/'>Second post →</a></body>";
    let found =
        extract(&page(html, Some("https://blog.example/2019/01/03/first-post/")), &Request::default());
    assert_eq!(found.page.next, None);
}

/// The next page of the list at a URL that is followed by a pager.
fn next_at(url: &str, pager: &str) -> Option<String> {
    extracted("", pager, Some(url)).page.next
}

#[test]
fn previous_articles_of_a_blog_are_on_the_next_page() {
    let pager = |older: &str, newer: &str| {
        format!(
            "<div class=navigation><a href='{older}'>« Previous Entries</a> <a href='{newer}'>Next Entries »</a></div>"
        )
    };
    let own = |path: &str| format!("https://shop.example{path}");
    assert_eq!(next_at(&own("/"), "<p><a href='/page/2/'>« Previous Entries</a></p>"), full("/page/2/"));
    assert_eq!(next_at(&own("/page/2/"), &pager("/page/3/", "/")), full("/page/3/"));
    assert_eq!(next_at(&own("/l?page=4"), &pager("/l?page=5", "/l?page=3")), full("/l?page=5"));
    assert_eq!(next_at(&own("/"), "<p><a href='/page/2/'>←</a></p>"), full("/page/2/"));
    // the oldest page
    assert_eq!(next_at(&own("/page/9/"), "<p><a href='/page/8/'>Next Entries »</a></p>"), None);
    assert_eq!(next_at(&own("/page/9/"), "<p><a href='/page/8/' rel=next>→</a></p>"), None);
    // the usual meaning
    assert_eq!(
        next_at(&own("/l?page=4"), "<p><a href='/l?page=3'>Previous</a> <a href='/l?page=5'>Next</a></p>"),
        full("/l?page=5")
    );
    assert_eq!(next_at(&own("/l?page=4"), "<p><a href='/l?page=3'>Previous</a></p>"), None);
    assert_eq!(next_at(&own("/l"), "<p><a href='/l?page=1'>Previous</a></p>"), None);
    // "older" and "newer" say what they mean, also where pages are counted down
    let counted_down = "<p><a href='/page/8/'>Older posts</a> <a href='/page/10/'>Newer posts</a></p>";
    assert_eq!(next_at(&own("/page/9/"), counted_down), full("/page/8/"));
}

#[test]
fn links_from_article_to_article_are_not_next_links() {
    for pager in [
        "<p><a rel=next href='/2019/01/04/second-post/'>Next →</a></p>",
        "<p class=nav-next><a rel=next href='/blog/how-to-mend-a-lamp'>Next</a></p>",
        "<p><a href='/blog/how-to-mend-a-lamp'>Next</a></p>",
        "<p><a rel=next href='/blog/tulip/'>«Tulip»</a></p>",
        "<nav class='navigation post-navigation'><a href='/tulip/'>Next</a></nav>",
        "<div id=nav-single><span class=nav-next><a href='/tulip/' rel=next>Next →</a></span></div>",
    ] {
        assert_eq!(next(pager), None, "{pager}");
    }
    let articles = "<p><a href='/blog/where-lamps-come-from'>Next</a></p>";
    assert_eq!(next_at("https://shop.example/blog/how-lamps-work", articles), None);
    // pages of lists with such names
    for (pager, wanted) in [
        ("<nav class='navigation posts-navigation'><a href='/old'>Next</a></nav>", "/old"),
        ("<nav class='post-navigation'><a href='/page/2/'>Next</a></nav>", "/page/2/"),
        ("<nav class='post-navigation'><a href='/archive'>Older posts</a></nav>", "/archive"),
        (
            "<p><a href='/lamps-made-of-oak-and-brass/page/2'>Next</a></p>",
            "/lamps-made-of-oak-and-brass/page/2",
        ),
    ] {
        assert_eq!(next(pager), full(wanted), "{pager}");
    }
    let letters = "<p><a href='/names-of-all-lamps-b'>Next</a></p>";
    assert_eq!(next_at("https://shop.example/names-of-all-lamps-a", letters), full("/names-of-all-lamps-b"));
}

#[test]
fn controls_of_sliders_are_not_next_links() {
    for pager in [
        "<div class=splide__arrows><a href='/deals/2'>Next</a></div>",
        "<div class='flickity-viewport'><a href='/deals/2'>›</a></div>",
        "<div class=jcarousel-wrapper><a href='/deals/2'>Next</a></div>",
        "<div><a href='/deals/2' data-slide=next>Next</a></div>",
        "<section aria-roledescription=carousel><p><a href='/deals/2' aria-label=Next>→</a></p></section>",
    ] {
        assert_eq!(next(pager), None, "{pager}");
    }
}

#[test]
fn the_pager_of_comments_is_not_that_of_the_list() {
    let text =
        "<p>Lamps have been made of oak for a very long time, as everybody knows who has seen one.</p>"
            .repeat(6);
    let pager = "<div class=comments><p><a href='?c=ab9'>Next</a></p></div>";
    assert_eq!(next(&format!("{text}{pager}")), None);
    // comments may be the list
    assert_eq!(next(pager), full("/lamps?c=ab9"));
}

#[test]
fn a_page_that_says_it_is_the_last_one_has_no_next_link() {
    let link = "<p><a href='?page=6' rel=next>Next</a></p>";
    let found = |before: &str, after: &str| extracted(before, after, Some(PAGE_URL)).page.next;
    assert_eq!(found("<p>Page 4 of 5</p>", link), full("/lamps?page=6"));
    assert_eq!(found("<p>Page 5 of 5</p>", link), None);
    assert_eq!(found("<p>Seite 5 von 5</p>", link), None);
    assert_eq!(found("<p>Showing 49-60 of 60 results</p>", link), None);
    assert_eq!(found("<p>Showing 49-60 of 61 results</p>", link), full("/lamps?page=6"));
    // a pager with the number of another page is stronger: the counter belongs to something else
    let numbers = "<p><b>5</b> <a href='?page=6'>6</a> <a href='?page=7'>7</a></p>";
    assert_eq!(found("<p>Page 5 of 5</p>", numbers), full("/lamps?page=6"));
    // a single page is believed less, but a word is not enough
    assert_eq!(found("<p>Page 1 of 1</p>", link), full("/lamps?page=6"));
    assert_eq!(found("<p>Page 1 of 1</p>", "<p><a href='?c=ab9'>Next</a></p>"), None);
}

#[test]
fn the_end_of_a_list_is_reported() {
    let found = |before: &str, after: &str| {
        let page = page(&format!("<body>{before}{}{after}</body>", list()), Some(PAGE_URL));
        let answer = extract(&page, &Request::default());
        let found = continuation(&page, answer.primary());
        (found.pages, found.is_last, found.links.len())
    };
    assert_eq!(found("<p>Page 5 of 5</p>", "<a href='?page=6'>Next</a>"), (Some((5, Some(5))), true, 0));
    assert_eq!(found("<p>Page 4 of 5</p>", "<a href='?page=5'>Next</a>"), (Some((4, Some(5))), false, 1));
    assert_eq!(found("<p>Page 4 of 5</p>", ""), (Some((4, Some(5))), false, 0));
    assert_eq!(found("", ""), (None, false, 0));
}

/// The total, whether it is a minimum, the range and the page numbers.
type Counted = (Option<u64>, bool, Option<(u64, u64)>, Option<(u64, Option<u64>)>);

/// What is read from a text before the list.
fn counted(before: &str) -> Counted {
    let info = extracted(before, "", None).page;
    let at_least = info.counter.as_ref().is_some_and(|counter| counter.at_least);
    (info.counter.map(|counter| counter.total), at_least, info.range, info.pages)
}

#[test]
fn counters_are_read() {
    for (html, wanted) in [
        ("<p>1-12 of 345</p>", (Some(345), false, Some((1, 12)), None)),
        ("<p><b>1</b>–<b>12</b> / <b>234</b></p>", (Some(234), false, Some((1, 12)), None)),
        ("<p>213 results - showing 13 to 24</p>", (Some(213), false, Some((13, 24)), None)),
        ("<p>Displaying 1 to 12 (of 56 products)</p>", (Some(56), false, Some((1, 12)), None)),
        ("<h2>1,010 results</h2>", (Some(1010), false, None, None)),
        ("<h2>1010 properties</h2>", (Some(1010), false, None, None)),
        ("<p>About 1,200,000 results (0.3 seconds)</p>", (Some(1_200_000), true, None, None)),
        ("<p>1000+ results</p>", (Some(1000), true, None, None)),
        ("<p>12 results</p>", (Some(12), false, None, None)),
        ("<p>Showing 12 of 345 items</p>", (Some(345), false, None, None)),
        ("<p>Page 2 of 18</p>", (None, false, None, Some((2, Some(18))))),
        ("<p>693 results: page 1 of 58</p>", (Some(693), false, None, Some((1, Some(58))))),
        ("<p>1.234 Treffer</p>", (Some(1234), false, None, None)),
        ("<p>Найдено 345 товаров</p>", (Some(345), false, None, None)),
        ("<p>全345件中 1-12件を表示</p>", (Some(345), false, Some((1, 12)), None)),
    ] {
        assert_eq!(counted(html), wanted, "{html}");
    }
}

#[test]
fn other_numbers_are_not_counters() {
    for html in [
        "<p>From £345</p>",
        "<p>Since 1999, © 2001-2024</p>",
        "<p>Call 020 7946 0123</p>",
        "<p>Rated 4.5 of 5 by 1,234 people</p>",
        "<p>Show 20 results per page</p>",
        "<ul><li>Oak (12)</li><li>Brass (45)</li></ul>",
        "<ul><li class=f>Oak <b>120 products</b></li><li class=f>Brass <b>450 products</b></li></ul>",
        "<p><a href=/all>3,456 products in all shops</a></p>",
        "<p>5 results</p>",
        "<select><option>345 results</option></select>",
        "<p>It was a long way from the first shop to the 300 stores of today, and on every day of it someone worked hard to \
         make lamps that last.</p>",
    ] {
        assert_eq!(counted(html).0, None, "{html}");
    }
}

#[test]
fn a_number_with_the_noun_of_the_page_is_a_counter() {
    let total = |head: &str, line: &str| {
        let records: String = (1..=9)
            .map(|n| format!("<li><a href='/k/{n}'>Model {n} of copper</a> <p>Made in workshop {n}</p></li>"))
            .collect();
        let html = format!("{head}<body>{line}<ul>{records}</ul></body>");
        let found = extract(&page(&html, None), &Request::default());
        assert!(found.primary().is_some());
        found.page.counter.map(|counter| counter.total)
    };
    let title = "<title>Kettles | The shop</title>";
    for line in [
        "<p>60 kettles</p>",
        "<p>We have 60 copper kettles</p>",
        "<h2>60 kettles in stock</h2>",
        "<p>9 kettles</p>",
    ] {
        assert!(total(title, line).is_some(), "{line}");
    }
    assert_eq!(total("", "<h1>Kettles</h1><p>60 kettles</p>"), Some(60));
    for line in [
        "<p>24 kettles per page</p>",
        "<p>Top 60 kettles</p>",
        "<p>Page 60 kettles</p>",
        "<p>5 kettles</p>",
        "<p>2024 kettles</p>",
        "<p>Kettles: 60</p>",
        "<p>60 lamps</p>",
        "<p>60 days, 30 kettles</p>",
        "<footer><p>60 kettles</p></footer>",
    ] {
        assert_eq!(total(title, line), None, "{line}");
    }
    // a word that only follows a number is not what the records are called
    assert_eq!(total("<title>30 bedrooms and more</title>", "<p>30 bedrooms</p>"), None);
}

#[test]
fn records_are_not_read_for_counters() {
    let records: String = (1..=9)
        .map(|i| {
            format!("<li><a href='/a/{i}'>Agent {i} of the north</a> <p>{i}40 properties in town</p></li>")
        })
        .collect();
    let found = extract(&page(&format!("<body><ul>{records}</ul></body>"), None), &Request::default());
    assert!(found.primary().is_some());
    assert_eq!(found.page.counter, None);
}

proptest! {
    /// For any links: never the page itself, never another host, best first, no panic.
    #[test]
    fn next_links_lead_to_other_pages_of_the_host(
        hrefs in prop::collection::vec("(https://(shop|other)\\.example)?/?(lamps)?(\\?page=[0-9]{1,3})?(#[a-z]*)?", 1..12),
        texts in prop::collection::vec("(Next|»|›|[0-9]{1,3}|more|Previous|次へ|1-20 of 345|\\PC{0,12})", 12),
    ) {
        let links: String = hrefs.iter().zip(&texts).map(|(href, text)| {
            let text = text.replace(['<', '&'], "");
            format!("<a href=\"{}\">{text}</a> ", href.replace('"', ""))
        }).collect();
        let page = page(&format!("<body>{}<p>{links}</p></body>", list()), Some(PAGE_URL));
        let found = extract(&page, &Request::default());
        let links = next_links(&page, found.primary());
        prop_assert!(links.windows(2).all(|pair| pair[0].score >= pair[1].score));
        for link in &links {
            let plain = link.url.split('#').next().unwrap().trim_end_matches('/');
            prop_assert_ne!(plain, PAGE_URL);
            prop_assert!(link.url.starts_with("https://shop.example"), "{}", link.url);
            prop_assert!(hrefs.iter().any(|href| href.trim() == link.href));
        }
        prop_assert_eq!(found.page.next, links.into_iter().next().filter(|link| link.score >= SURE).map(|link| link.url));
    }

    #[test]
    fn rules_generate_the_urls_they_were_learned_from(first in 0u64..500, step in 1u64..60, path in "[a-z]{1,5}") {
        let at = |k: u64| format!("https://a.example/{path}?q=x&start={}", first + k * step);
        let found = learn_url_rule(&[&at(0), &at(1)]).unwrap();
        for k in 0..5 {
            prop_assert_eq!(found.nth(k), Some(at(k)));
            prop_assert_eq!(found.position(&at(k)), Some(k));
        }
        prop_assert!(found.check(&at(2)) && !found.check(&at(3)));
    }

    #[test]
    fn rules_never_panic(urls in prop::collection::vec("\\PC{0,40}", 0..4)) {
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        if let Some(found) = learn_url_rule(&urls) {
            let _ = (found.nth(7), found.position("/a?page=3"), found.check("é1"));
        }
    }
}
