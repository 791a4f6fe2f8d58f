//! Objects of detail pages: the examples of the thesis (Figures 1.2, 2.2, 6.2 to 6.7) as pages of our own,
//! and what may go wrong.

#![allow(clippy::unwrap_used)]

use copal_dom::{Draft, Limits, Page, Warning};
use copal_domain::Domain;
use copal_extract::objects::{Object, ObjectOptions, PageKind, answers, read};
use copal_extract::{Request, Role, extract};
use std::fmt::Write;
use std::sync::Arc;

fn page(html: &str) -> Page {
    Page::from_text(html, &Limits::default())
}

fn with_domain(name: &str) -> ObjectOptions {
    let mut options = ObjectOptions::default();
    options.domain = Some(Arc::new(Domain::load(name).unwrap()));
    options
}

fn read_all(html: &[String], options: &ObjectOptions) -> Vec<Object> {
    let pages: Vec<Page> = html.iter().map(|html| page(html)).collect();
    read(&pages.iter().collect::<Vec<_>>(), options)
}

/// The texts of a field, joined.
fn field(object: &Object, name: &str) -> Option<String> {
    object.fields.iter().find(|field| field.name == name).map(|field| field.texts.join(" / "))
}

/// A property as in Figures 6.2 to 6.7: the price with a heating cost near it, "3 First Floor Bedrooms" next
/// to the number of bedrooms, the agent's own address on every page, an advert, properties sold nearby, a
/// note that never changes.
fn property(
    place: &str,
    price: &str,
    beds: u32,
    baths: u32,
    floor: &str,
    sold: &[(&str, &str, &str)],
) -> String {
    let nearby = sold.iter().fold(String::new(), |mut list, (date, address, price)| {
        let _ = write!(list, "<li><i>{date}</i> <a href='/sold/{address}'>{address}</a> <b>{price}</b></li>");
        list
    });
    format!(
        "<html><head><title>{place}: {price} | Brook and Hale</title></head><body>
        <div id=header><a href=/>Home</a> <a href=/sales>Sales</a> <a href=/lettings>Lettings</a></div>
        <div id=content>
          <div class=property>
            <h1>{place}</h1><p class=price>{price}</p>
            <ul class=facts><li>{beds} Bedroom Detached House For Sale</li><li>{baths} Bathrooms</li></ul>
            <p>Call our Abingdon Office, 12 High Street, Abingdon OX14 5AX, on 01235 555507</p>
            <h2>Full Details</h2>
            <ul><li>{floor} First Floor Bedrooms</li><li>heating: £581 per year</li><li>Double Garage</li></ul>
          </div>
          <div class=side>
            <div id=google_ads_iframe_1><p>Move for £9.99, offer {beds}{baths}</p></div>
            <h3>Properties sold nearby</h3><ul>{nearby}</ul>
            <div><p>Check broadband availability and speeds in this area.</p></div>
          </div>
        </div>
        <div id=footer>Brook and Hale, 12 High Street, Abingdon OX14 5AX</div></body></html>"
    )
}

fn properties() -> Vec<String> {
    vec![
        property(
            "Mill Lane, Northmoor, Oxfordshire",
            "£785,000",
            4,
            3,
            "3",
            &[
                ("24 Jun 2014", "Flat 1 Oak House", "£365,000"),
                ("07 Apr 2009", "Danes Field", "£845,000"),
                ("25 Oct 2006", "Flat 2 Oak House", "£320,000"),
            ],
        ),
        property(
            "The Copse, Abingdon",
            "£995,000",
            7,
            4,
            "5",
            &[
                ("06 Mar 2012", "46 Park Row", "£2,200,000"),
                ("30 Sep 2010", "44b Park Row", "£455,000"),
                ("01 Jul 2010", "44a Park Row", "£1,300,000"),
            ],
        ),
        property(
            "Weir Close, Wallingford",
            "£410,000",
            3,
            1,
            "2",
            &[
                ("11 May 2013", "3 Weir Close", "£380,000"),
                ("19 Jan 2011", "9 Weir Close", "£295,000"),
                ("02 Feb 2008", "1 Lock Road", "£250,000"),
            ],
        ),
    ]
}

#[test]
fn the_price_is_not_the_heating_and_the_bedrooms_are_not_those_of_a_floor() {
    let objects = read_all(&properties(), &with_domain("real-estate"));
    let prices: Vec<_> = objects.iter().map(|object| field(object, "price").unwrap()).collect();
    assert_eq!(prices, ["£785,000", "£995,000", "£410,000"]);
    let beds: Vec<_> = objects.iter().map(|object| field(object, "bedrooms").unwrap()).collect();
    assert_eq!(beds, ["4", "7", "3"]);
    let baths: Vec<_> = objects.iter().map(|object| field(object, "bathrooms").unwrap()).collect();
    assert_eq!(baths, ["3", "4", "1"]);
}

#[test]
fn the_agents_address_is_on_all_pages_and_not_the_propertys() {
    for object in read_all(&properties(), &with_domain("real-estate")) {
        assert_eq!(field(&object, "postcode"), None);
        let location = field(&object, "location").unwrap_or_default();
        assert!(!location.contains("High Street"), "{location}");
    }
}

#[test]
fn adverts_and_properties_sold_nearby_are_outside_the_area() {
    for object in read_all(&properties(), &with_domain("real-estate")) {
        assert_eq!(object.area.as_deref(), Some("/html/body/div[2]/div[1]"));
    }
    // They are returned as lists.
    let pages: Vec<Page> = properties().iter().map(|html| page(html)).collect();
    let found = answers(&pages.iter().collect::<Vec<_>>(), &with_domain("real-estate"));
    assert_eq!(found[0].regions.len(), 1);
    assert_eq!(found[0].regions[0].records.len(), 3);
    assert!(found[0].regions[0].records[1].text.contains("Danes Field"));
}

#[test]
fn a_single_page_is_read() {
    let objects = read_all(&properties()[..1], &with_domain("real-estate"));
    assert_eq!(field(&objects[0], "price").as_deref(), Some("£785,000"));
    assert_eq!(field(&objects[0], "bedrooms").as_deref(), Some("4"));
}

#[test]
fn the_record_that_links_to_the_page_decides_between_two_values() {
    // Two prices, neither labelled nor in the title.
    let html = |a: &str, b: &str, name: &str| {
        format!(
            "<title>{name}</title><h1>{name}</h1><div><p>{a}</p></div><section><p>{b}</p></section>
            <p>2 bedrooms</p>"
        )
    };
    let pages = [html("£700", "£900", "Elm Cottage"), html("£650", "£850", "Ash Cottage")];
    let mut options = with_domain("real-estate");
    let first = read_all(&pages, &options);
    assert_eq!(field(&first[0], "price").as_deref(), Some("£700"));
    options.records = vec![vec![("price".into(), "£900".into())], vec![("price".into(), "£850".into())]];
    let with_records = read_all(&pages, &options);
    assert_eq!(field(&with_records[0], "price").as_deref(), Some("£900"));
    assert_eq!(field(&with_records[1], "price").as_deref(), Some("£850"));
}

fn book(title: &str, author: &str, isbn: &str) -> String {
    format!(
        "<title>{title} by {author} - Quill Books</title><div class=nav><a href=/>Shop</a></div>
        <h1>{title}</h1>
        <p class=by>by <a href=/a>{author}</a></p><table><tr><th>Publisher</th><td>Quill Press</td></tr>
        <tr><th>ISBN-13</th><td>{isbn}</td></tr></table>"
    )
}

#[test]
fn pages_of_two_templates_are_separated() {
    let houses = properties();
    let books =
        [book("Tide Tables", "Ann Marsh", "9780306406157"), book("Salt Roads", "Ben Croft", "9783161484100")];
    let mixed = [houses[0].clone(), books[0].clone(), houses[1].clone(), books[1].clone()];
    let objects = read_all(&mixed, &ObjectOptions::default());
    let templates: Vec<usize> = objects.iter().map(|object| object.template).collect();
    assert_eq!(templates, [0, 1, 0, 1]);
    assert_eq!(field(&objects[3], "title").as_deref(), Some("Salt Roads"));
    assert_eq!(field(&objects[3], "isbn_13").as_deref(), Some("9783161484100"));
}

#[test]
fn a_value_that_all_pages_share_counts_if_it_has_a_label() {
    let books =
        [book("Tide Tables", "Ann Marsh", "9780306406157"), book("Salt Roads", "Ben Croft", "9783161484100")];
    let objects = read_all(&books, &with_domain("books"));
    assert_eq!(field(&objects[0], "publisher").as_deref(), Some("Quill Press"));
    assert_eq!(field(&objects[0], "author").as_deref(), Some("Ann Marsh"));
    assert_eq!(field(&objects[1], "title").as_deref(), Some("Salt Roads"));
}

#[test]
fn equal_pages_are_read_like_a_single_page() {
    let same = vec![book("Tide Tables", "Ann Marsh", "9780306406157"); 3];
    let objects = read_all(&same, &with_domain("books"));
    assert_eq!(objects.len(), 3);
    for object in &objects {
        assert!(object.area.is_some());
        assert_eq!(field(object, "isbn_13").as_deref(), Some("9780306406157"));
    }
}

#[test]
fn a_page_without_data_has_no_fields() {
    for html in ["", "<p></p>", "<script>var a = {\"price\": 3}</script>", "<p hidden>Price: £3</p>"] {
        let objects = read_all(&[html.to_owned()], &with_domain("products"));
        assert!(objects[0].fields.is_empty(), "{html}: {:?}", objects[0].fields);
        assert_eq!(objects[0].kind, PageKind::Nothing, "{html}");
    }
    assert!(read(&[], &ObjectOptions::default()).is_empty());
}

#[test]
fn labels_of_any_language_name_fields() {
    let html = "<html lang=de><title>Werkbank Eiche</title><h1>Werkbank Eiche</h1>
        <dl><dt>Maße</dt><dd>120 x 60 cm</dd>
        <dt>Gewicht</dt><dd>34 kg</dd><dt>Tragfähigkeit</dt><dd>500 kg</dd></dl><p>Artikelnummer: WB-1204</p>";
    let objects = read_all(&[html.to_owned()], &ObjectOptions::default());
    // common labels have one name in all languages; the others keep their words
    assert_eq!(field(&objects[0], "dimensions").as_deref(), Some("120 x 60 cm"));
    assert_eq!(field(&objects[0], "weight").as_deref(), Some("34 kg"));
    assert_eq!(field(&objects[0], "tragfaehigkeit").as_deref(), Some("500 kg"));
    assert_eq!(field(&objects[0], "sku").as_deref(), Some("WB-1204"));
    assert_eq!(objects[0].kind, PageKind::Object);
}

#[test]
fn a_list_given_as_a_detail_page_is_a_list() {
    let items: String = (1..20).fold(String::new(), |mut list, i| {
        let _ = write!(
            list,
            "<li class=card><a href=/p/{i}>Lamp number {i}</a> <span>£{i}.50</span> <em>{i} reviews</em></li>"
        );
        list
    });
    let html = format!("<title>Lamps</title><h1>Lamps</h1><ul class=results>{items}</ul>");
    let objects = read_all(&[html], &ObjectOptions::default());
    assert_eq!(objects[0].kind, PageKind::List);
}

#[test]
fn declared_data_counts_only_where_the_page_shows_it() {
    let html = |shown: &str| {
        format!(
            "<title>Reed flute</title><script type='application/ld+json'>{{\"@type\": \"Product\",
            \"name\": \"Reed flute\", \"sku\": \"RF-77120\", \"brand\": {{\"name\": \"Hollow Reed\"}}}}</script>
            <h1>Reed flute</h1><p>{shown}</p><p>£30.00</p>"
        )
    };
    let shown = read_all(&[html("Made by Hollow Reed, RF-77120")], &with_domain("products"));
    assert_eq!(field(&shown[0], "sku").as_deref(), Some("RF-77120"));
    let hidden = read_all(&[html("Made with care")], &with_domain("products"));
    assert_eq!(field(&hidden[0], "sku"), None);
    assert_eq!(field(&hidden[0], "brand"), None);
}

#[test]
fn declared_values_are_written_as_the_page_shows_them() {
    let html = "<title>Pea soup</title><meta property='og:site_name' content='Green Kitchen'>
        <script type='application/ld+json'>{\"@type\": \"Recipe\", \"name\": \"Pea soup\",
        \"totalTime\": \"PT1H5M\", \"prepTime\": \"PT7M\", \"recipeYield\": 4, \"keywords\": \"soup, winter, freezer friendly\",
        \"recipeInstructions\":
        \"<p>Soak the peas overnight in cold water.</p><p>Boil &amp; stir them.</p>\"}</script>
        <h1>Pea soup</h1><ul><li>Winter</li><li>Soup</li></ul><p>1 hr 5 mins</p><p>4 servings</p>
        <p>Soak the peas overnight in cold water.</p><p>Boil & stir them.</p><footer>Green Kitchen</footer>";
    let soup = &read_all(&[html.to_owned()], &with_domain("recipes"))[0];
    assert_eq!(field(soup, "total_time").unwrap(), "1 hr 5 mins");
    assert_eq!(field(soup, "prep_time"), None, "no line shows seven minutes");
    assert_eq!(field(soup, "keywords").unwrap(), "soup / winter");
    assert_eq!(field(soup, "yields").unwrap(), "4");
    assert_eq!(
        field(soup, "instructions").unwrap(),
        "Soak the peas overnight in cold water. / Boil & stir them."
    );
    assert_eq!(field(soup, "author"), None, "the site is not the author");
}

#[test]
fn a_long_value_continues_across_the_headings_of_its_parts() {
    let html = "<title>Slaw pitas</title><h1>Slaw pitas</h1><h2>Ingredients</h2><h3>For the slaw</h3>
        <ul><li>2 cups shredded cabbage</li><li>1 carrot</li></ul>
        <h3>For serving</h3><ul><li>4 warm pitas</li></ul>
        <h2>Method</h2><ol><li>Mix the slaw and fill the pitas with it.</li></ol>";
    let pitas = &read_all(&[html.to_owned()], &with_domain("recipes"))[0];
    let all = "For the slaw / 2 cups shredded cabbage / 1 carrot / For serving / 4 warm pitas";
    assert_eq!(field(pitas, "ingredients").unwrap(), all);
}

#[test]
fn the_price_is_not_the_instalment_that_pays_it_off() {
    let html = "<title>Villa with a garden</title><h1>Villa with a garden</h1><p>£43,187 per month</p>
        <div><div><p>£12,000,000</p></div></div>";
    let villa = &read_all(&[html.to_owned()], &with_domain("real-estate"))[0];
    assert_eq!(field(villa, "price").unwrap(), "£12,000,000");
}

#[test]
fn an_article_is_not_an_object_although_its_paragraphs_begin_like_labels() {
    let text = "the valley has changed since the mill closed, and those who stayed have opinions about \
        it that differ from house to house, but nobody wants the old days back, whatever the visitors may \
        think of the place and its people now.";
    let heads =
        ["The mill", "The river", "Work", "The school", "Roads", "The future", "Visitors", "The church"];
    let tags = ["p", "div", "section", "blockquote", "p", "article", "div", "p"];
    let body: String =
        heads.iter().zip(tags).map(|(head, tag)| format!("<{tag}><b>{head}:</b> {text}</{tag}>")).collect();
    let kind = |declared: &str| {
        let html = format!("<title>The valley</title>{declared}<h1>The valley</h1>{body}");
        read_all(&[html], &ObjectOptions::default())[0].kind
    };
    assert_eq!(kind("<meta property='og:type' content='article'>"), PageKind::Nothing);
    assert_eq!(kind(""), PageKind::Nothing, "as many paragraphs as labels are running text");
}

#[test]
fn the_image_is_the_largest_of_its_srcset_as_an_absolute_url() {
    let mut page = page(
        "<title>Reed flute</title><h1>Reed flute</h1><img src=/logo.png><img width=20 height=20 src=/a.png>
        <img src=/tiny.jpg data-src=/small.jpg srcset='/m.jpg 400w, /l.jpg 900w' alt='Reed flute'><p>Price: £30</p>",
    );
    page.url = Some("https://shop.example/p/1".into());
    let objects = read(&[&page], &ObjectOptions::default());
    assert_eq!(field(&objects[0], "image").as_deref(), Some("https://shop.example/l.jpg"));
}

#[test]
fn every_value_is_text_of_the_page() {
    for (html, options) in
        [(properties(), with_domain("real-estate")), (properties(), ObjectOptions::default())]
    {
        let objects = read_all(&html, &options);
        for (html, object) in html.iter().zip(&objects) {
            let squash = |text: &str| text.split_whitespace().collect::<String>();
            let shown = squash(&page(html).text_of(0));
            for text in object.fields.iter().flat_map(|field| &field.texts) {
                assert!(shown.contains(&squash(text)), "{text}");
            }
            assert!(object.fields.len() <= 80);
        }
    }
}

#[test]
fn hostile_pages_are_bounded() {
    // Thousands of labels, nested rows, one row with thousands of siblings, one line with thousands of
    // labels.
    let labels: String = (0..20_000).fold(String::new(), |mut text, i| {
        let _ = write!(text, "<p>a{}: b</p>", i % 7);
        text
    });
    let nested = "<table><tr><td>Label</td><td>".repeat(150);
    let siblings =
        format!("<div>{}</div>", "<span></span>".repeat(30_000) + "Label:" + &"<i></i>".repeat(30_000));
    let spans = "<b>x:</b> ".repeat(20_000);
    let html = [labels, nested, siblings, spans].map(|part| format!("<h1>T</h1>{part}"));
    let objects = read_all(&html, &with_domain("products"));
    assert!(objects.iter().all(|object| object.fields.len() <= 80));
    let many = vec!["<p>x</p>".to_owned(); 300];
    assert_eq!(read_all(&many, &ObjectOptions::default()).len(), 300);
}

#[test]
fn deep_pages_do_not_overflow_the_stack() {
    let deep = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let mut draft = Draft::new();
        let mut at = Draft::DOCUMENT_NODE;
        for _ in 0..20_000 {
            at = draft.element(at, "div");
        }
        draft.text(at, "Price: £3");
        let page = Page::from_tree(draft.finish());
        read(&[&page], &ObjectOptions::default()).len()
    });
    assert_eq!(deep.unwrap().join().unwrap(), 1);
}

#[test]
fn a_possible_list_does_not_replace_an_object() {
    let page = page(include_str!("../../../testdata/pages/single-product/page.html"));
    let is_doubt = |warning: &Warning| matches!(warning, Warning::PossibleList { .. });
    // with no certainty asked for, the page has a list that is in doubt
    let with_doubt = |mut request: Request| {
        request.lists.combined.min_confidence = Some(0.0);
        request
    };
    let list = extract(&page, &with_doubt(Request::for_lists()));
    assert_eq!(list.regions.iter().map(|list| list.role).collect::<Vec<_>>(), [Role::Possible]);
    assert!(list.warnings.iter().any(is_doubt), "{:?}", list.warnings);
    let object = extract(&page, &with_doubt(Request::default()));
    assert_eq!((object.kind, object.regions.len()), (PageKind::Object, 0));
    assert!(!object.warnings.iter().any(is_doubt), "{:?}", object.warnings);
    // beside the object it is one list of several, with the role and the confidence of such a list
    let mut request = with_doubt(Request::default());
    (request.all, request.navigation) = (true, true);
    let all = extract(&page, &request);
    assert_eq!(all.kind, PageKind::Object);
    assert!(!all.regions.is_empty() && !all.regions.iter().any(|list| list.role.is_main()));
    assert!(all.regions[0].confidence > list.regions[0].confidence, "{:?}", all.regions[0].confidence);
}
