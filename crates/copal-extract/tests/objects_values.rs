//! Detail pages: values that stand where others do not belong to the object, or that have no label.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_domain::Domain;
use copal_extract::objects::{Object, ObjectOptions, read};
use std::sync::Arc;

fn read_one(html: &str, domain: Option<&str>) -> Object {
    let mut options = ObjectOptions::default();
    options.domain = domain.map(|name| Arc::new(Domain::load(name).unwrap()));
    let page = Page::from_text(html, &Limits::default());
    read(&[&page], &options).remove(0)
}

fn texts(detail: &Object, name: &str) -> Vec<String> {
    let field = detail.fields.iter().find(|field| field.name == name);
    field.map(|field| field.texts.clone()).unwrap_or_default()
}

#[test]
fn properties_belong_to_their_thing() {
    let html = "<title>Oak chair</title>
        <ol itemscope itemtype='https://schema.org/BreadcrumbList'><li itemprop=itemListElement itemscope>
          <a itemprop=item href=/><span itemprop=name>Ash and Oak</span></a></li></ol>
        <div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>Oak chair</h1>
          <p itemprop=sku>CH-4471</p><div itemprop=brand itemscope><b itemprop=name>Fell Mill</b></div>
          <div itemprop=offers itemscope><span itemprop=price>£84.00</span></div></div>
        <div><div itemscope itemtype='https://schema.org/Product'><i itemprop=name>Elm stool</i> <u itemprop=price>£12.00</u></div>
          <div itemscope itemtype='https://schema.org/Product'><i itemprop=name>Ash bench</i> <u itemprop=price>£13.00</u></div></div>";
    let detail = read_one(html, Some("products"));
    assert_eq!(texts(&detail, "title"), ["Oak chair"]);
    assert_eq!(texts(&detail, "brand"), ["Fell Mill"]);
    assert_eq!(texts(&detail, "sku"), ["CH-4471"]);
    assert_eq!(texts(&detail, "price"), ["£84.00"]);
}

#[test]
fn figures_that_are_struck_are_an_old_price_with_their_unit() {
    for old in [
        "<del>$420</del> kr",
        "<span class='price-old'>$420</span>",
        "<i style='text-decoration: line-through'>$420</i>",
    ] {
        let html =
            format!("<title>Lamp</title><h1>Lamp</h1><div><p>{old}</p><p>$294</p></div><p>Colour: blue</p>");
        assert_eq!(texts(&read_one(&html, Some("products")), "price"), ["$294"], "{old}");
    }
}

#[test]
fn a_list_of_measures_needs_no_label() {
    let html = "<title>Plum cake</title><h1>Plum cake</h1><div><ul><li>2 cups flour</li><li>1 tsp salt</li><li>Some sugar</li>
        <li>250 g butter</li><li>3 eggs</li></ul></div><ul><li>12 comments</li><li>3 shares</li><li>Print</li></ul>";
    let detail = read_one(html, Some("recipes"));
    assert_eq!(
        texts(&detail, "ingredients"),
        ["2 cups flour", "1 tsp salt", "Some sugar", "250 g butter", "3 eggs"]
    );
    // two such items are no list
    let few = "<title>Plum cake</title><h1>Plum cake</h1><ul><li>2 cups flour</li><li>1 tsp salt</li><li>Print</li></ul>";
    assert!(texts(&read_one(few, Some("recipes")), "ingredients").is_empty());
}

#[test]
fn a_label_of_two_attributes_goes_by_length() {
    let html =
        "<title>Plum cake</title><h1>Plum cake</h1><dl><dt>Method</dt><dd>Oven</dd></dl><h2>Method</h2>
        <p>Rub the butter into the flour, lay the plums on top and bake for an hour.</p>";
    let detail = read_one(html, Some("recipes"));
    assert_eq!(texts(&detail, "cooking_method"), ["Oven"]);
    assert!(texts(&detail, "instructions")[0].starts_with("Rub the butter"));
}

#[test]
fn a_property_may_be_a_part_of_a_line() {
    let html = "<title>Oak chair</title><div itemscope itemtype='https://schema.org/Product'><h1><span itemprop=name>Oak chair</span>
        <span itemprop=sku>466/7999</span></h1><p>EAN: 5018479061991</p></div><p>$20</p>";
    assert_eq!(texts(&read_one(html, Some("products")), "sku"), ["466/7999"]);
}

#[test]
fn a_heading_names_its_section_among_other_words() {
    let html = "<title>Soupe</title><h1>Soupe</h1><h2>Les ingr\u{e9}dients de la recette</h2><ul><li>deux oignons doux</li>
        <li>du beurre et du sel</li><li>un peu de persil</li></ul><h2>How to make the soup</h2><p>Melt the butter and fry the onions
        in it until they are golden, then add water and boil for half an hour.</p>";
    let detail = read_one(html, Some("recipes"));
    assert_eq!(texts(&detail, "ingredients")[0], "deux oignons doux");
    assert!(texts(&detail, "instructions")[0].starts_with("Melt the butter"));
}

#[test]
fn a_description_that_was_cut_short_is_given_whole() {
    let text = "A plain cake for the end of summer, when the plums fall faster than anyone can eat them, and it keeps for a week in a tin.";
    let html = format!(
        "<title>Plum cake</title><meta property='og:description' content='{}'><h1>Plum cake</h1><p>{text}</p><p>Serves: 4</p>",
        &text[..90]
    );
    assert_eq!(texts(&read_one(&html, Some("recipes")), "description"), [text]);
}

#[test]
fn tabs_buttons_and_words_are_no_values() {
    let html = "<title>Mill House</title><h1>Mill House</h1><div><a href=#a>Location</a><a href=#b>Price insights</a></div>
        <div><p>Contact</p><button>Request a tour</button></div><div><p>Bedrooms</p><p>House for sale</p></div><p>Price: £400,000</p>";
    let detail = read_one(html, Some("real-estate"));
    assert!(texts(&detail, "bedrooms").is_empty(), "{:?}", detail.fields);
    assert!(
        detail
            .fields
            .iter()
            .flat_map(|field| &field.texts)
            .all(|text| text != "Request a tour" && text != "Price insights")
    );
    assert_eq!(texts(&detail, "price"), ["£400,000"]);
}

#[test]
fn a_range_of_prices_is_of_several_things() {
    let html = "<title>Mill House</title><h1>Mill House</h1><p>£400,000</p><p>Bedrooms: 4 + box room</p><p>Homes in this street</p>
        <p>£200,000 - £900,000</p><p>£200,000 - £900,000</p>";
    let detail = read_one(html, Some("real-estate"));
    assert_eq!(texts(&detail, "price"), ["£400,000"]);
    let bedrooms = detail.fields.iter().find(|field| field.name == "bedrooms").unwrap();
    assert!(format!("{:?}", bedrooms.value).contains("\"4\""), "{:?}", bedrooms.value);
}

#[test]
fn an_address_that_is_the_headline_is_given_whole() {
    let html = "<title>12 Elm Drive, Lake Elsinore, CA 92530</title><h1>12 Elm Drive, Lake Elsinore, CA 92530</h1><p>Bedrooms: 3</p><p>$450,000</p>";
    let detail = read_one(html, Some("real-estate"));
    assert_eq!(texts(&detail, "location"), ["12 Elm Drive, Lake Elsinore, CA 92530"]);
    assert_eq!(texts(&detail, "city"), ["Lake Elsinore"]);
    assert_eq!(texts(&detail, "county"), ["CA"]);
}

/// An object's page with a breadcrumb, a seller's box and other things, none of them named.
fn framed(title: &str, price: &str, rooms: &str, seller: &str) -> String {
    format!(
        "<title>{title}</title><body><div><a href=/>Start</a> / <a href=/s>Homes</a> / {title}</div>
        <section><h1>{title}</h1><p>{price}</p><p><b>Rooms:</b> {rooms}</p><p><b>Reference:</b> H{rooms}7</p></section>
        <aside><h3>Offered by</h3><p>{seller}</p></aside>
        <div><h2>You may also like</h2><p><a href=/x>House {rooms}1</a></p><p>£{rooms}10,000</p></div></body>"
    )
}

#[test]
fn the_area_that_is_told_holds_the_object_alone() {
    let pages: Vec<Page> = [
        ("Elm House", "£200,000", "4", "Ada Holm"),
        ("Ash Barn", "£350,000", "6", "Tom Prys"),
        ("Oak Cottage", "£150,000", "3", "Jo Quill"),
    ]
    .map(|(title, price, rooms, seller)| {
        Page::from_text(&framed(title, price, rooms, seller), &Limits::default())
    })
    .into();
    let together = read(&pages.iter().collect::<Vec<_>>(), &ObjectOptions::default());
    let alone = read(&[&pages[0]], &ObjectOptions::default());
    for detail in together.iter().chain(&alone) {
        assert_eq!(detail.area.as_deref(), Some("/html/body/section[1]"));
        assert!(detail.fields.iter().all(|field| !field.name.contains("also_like")), "{:?}", detail.fields);
    }
}
