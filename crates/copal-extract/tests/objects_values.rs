//! Objects of detail pages: values without a label, and values next to others that do not belong to the
//! object.

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

fn texts(object: &Object, name: &str) -> Vec<String> {
    let field = object.fields.iter().find(|field| field.name == name);
    field.map(|field| field.texts.clone()).unwrap_or_default()
}

#[test]
fn declared_properties_belong_to_their_thing() {
    let html = "<title>Oak chair</title>
        <ol itemscope itemtype='https://schema.org/BreadcrumbList'><li itemprop=itemListElement itemscope>
          <a itemprop=item href=/><span itemprop=name>Ash and Oak</span></a></li></ol>
        <div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>Oak chair</h1>
          <p itemprop=sku>CH-4471</p><div itemprop=brand itemscope><b itemprop=name>Fell Mill</b></div>
          <div itemprop=offers itemscope><span itemprop=price>£84.00</span></div></div>
        <div><div itemscope itemtype='https://schema.org/Product'><i itemprop=name>Elm stool</i> <u itemprop=price>£12.00</u></div>
          <div itemscope itemtype='https://schema.org/Product'><i itemprop=name>Ash bench</i> <u itemprop=price>£13.00</u></div></div>";
    let object = read_one(html, Some("products"));
    assert_eq!(texts(&object, "title"), ["Oak chair"]);
    assert_eq!(texts(&object, "brand"), ["Fell Mill"]);
    assert_eq!(texts(&object, "sku"), ["CH-4471"]);
    assert_eq!(texts(&object, "price"), ["£84.00"]);
}

#[test]
fn struck_through_amounts_are_old_prices() {
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
    let object = read_one(html, Some("recipes"));
    assert_eq!(
        texts(&object, "ingredients"),
        ["2 cups flour", "1 tsp salt", "Some sugar", "250 g butter", "3 eggs"]
    );
    // Two such items are not a list.
    let few = "<title>Plum cake</title><h1>Plum cake</h1><ul><li>2 cups flour</li><li>1 tsp salt</li><li>Print</li></ul>";
    assert!(texts(&read_one(few, Some("recipes")), "ingredients").is_empty());
}

#[test]
fn the_length_of_the_value_decides_between_two_attributes_of_a_label() {
    let html =
        "<title>Plum cake</title><h1>Plum cake</h1><dl><dt>Method</dt><dd>Oven</dd></dl><h2>Method</h2>
        <p>Rub the butter into the flour, lay the plums on top and bake for an hour.</p>";
    let object = read_one(html, Some("recipes"));
    assert_eq!(texts(&object, "cooking_method"), ["Oven"]);
    assert!(texts(&object, "instructions")[0].starts_with("Rub the butter"));
}

#[test]
fn a_declared_property_may_be_part_of_a_line() {
    let html = "<title>Oak chair</title><div itemscope itemtype='https://schema.org/Product'><h1><span itemprop=name>Oak chair</span>
        <span itemprop=sku>466/7999</span></h1><p>EAN: 5018479061991</p></div><p>$20</p>";
    assert_eq!(texts(&read_one(html, Some("products")), "sku"), ["466/7999"]);
}

#[test]
fn a_heading_names_its_section_among_other_words() {
    let html = "<title>Soupe</title><h1>Soupe</h1><h2>Les ingr\u{e9}dients de la recette</h2><ul><li>deux oignons doux</li>
        <li>du beurre et du sel</li><li>un peu de persil</li></ul><h2>How to make the soup</h2><p>Melt the butter and fry the onions
        in it until they are golden, then add water and boil for half an hour.</p>";
    let object = read_one(html, Some("recipes"));
    assert_eq!(texts(&object, "ingredients")[0], "deux oignons doux");
    assert!(texts(&object, "instructions")[0].starts_with("Melt the butter"));
}

#[test]
fn a_declared_description_that_was_cut_is_completed() {
    let text = "A plain cake for the end of summer, when the plums fall faster than anyone can eat them, and it keeps for a week in a tin.";
    let html = format!(
        "<title>Plum cake</title><meta property='og:description' content='{}'><h1>Plum cake</h1><p>{text}</p><p>Serves: 4</p>",
        &text[..90]
    );
    assert_eq!(texts(&read_one(&html, Some("recipes")), "description"), [text]);
}

#[test]
fn tabs_buttons_and_words_are_not_values() {
    let html = "<title>Mill House</title><h1>Mill House</h1><div><a href=#a>Location</a><a href=#b>Price insights</a></div>
        <div><p>Contact</p><button>Request a tour</button></div><div><p>Bedrooms</p><p>House for sale</p></div><p>Price: £400,000</p>";
    let object = read_one(html, Some("real-estate"));
    assert!(texts(&object, "bedrooms").is_empty(), "{:?}", object.fields);
    assert!(
        object
            .fields
            .iter()
            .flat_map(|field| &field.texts)
            .all(|text| text != "Request a tour" && text != "Price insights")
    );
    assert_eq!(texts(&object, "price"), ["£400,000"]);
}

#[test]
fn a_price_range_does_not_belong_to_one_object() {
    let html = "<title>Mill House</title><h1>Mill House</h1><p>£400,000</p><p>Bedrooms: 4 + box room</p><p>Homes in this street</p>
        <p>£200,000 - £900,000</p><p>£200,000 - £900,000</p>";
    let object = read_one(html, Some("real-estate"));
    assert_eq!(texts(&object, "price"), ["£400,000"]);
    let bedrooms = object.fields.iter().find(|field| field.name == "bedrooms").unwrap();
    assert!(format!("{:?}", bedrooms.value).contains("\"4\""), "{:?}", bedrooms.value);
}

#[test]
fn an_address_in_the_headline_is_taken_as_a_whole() {
    let html = "<title>12 Elm Drive, Lake Elsinore, CA 92530</title><h1>12 Elm Drive, Lake Elsinore, CA 92530</h1><p>Bedrooms: 3</p><p>$450,000</p>";
    let object = read_one(html, Some("real-estate"));
    assert_eq!(texts(&object, "location"), ["12 Elm Drive, Lake Elsinore, CA 92530"]);
    assert_eq!(texts(&object, "city"), ["Lake Elsinore"]);
    assert_eq!(texts(&object, "county"), ["CA"]);
}

/// A detail page with a breadcrumb, a box about the seller and another object, none of them marked by a
/// class.
fn framed(title: &str, price: &str, rooms: &str, seller: &str) -> String {
    format!(
        "<title>{title}</title><body><div><a href=/>Start</a> / <a href=/s>Homes</a> / {title}</div>
        <section><h1>{title}</h1><p>{price}</p><p><b>Rooms:</b> {rooms}</p><p><b>Reference:</b> H{rooms}7</p></section>
        <aside><h3>Offered by</h3><p>{seller}</p></aside>
        <div><h2>You may also like</h2><p><a href=/x>House {rooms}1</a></p><p>£{rooms}10,000</p></div></body>"
    )
}

#[test]
fn the_reported_area_contains_only_the_object() {
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
    let single = read(&[&pages[0]], &ObjectOptions::default());
    for object in together.iter().chain(&single) {
        assert_eq!(object.area.as_deref(), Some("/html/body/section[1]"));
        assert!(object.fields.iter().all(|field| !field.name.contains("also_like")), "{:?}", object.fields);
    }
}
