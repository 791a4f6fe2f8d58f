//! Generated pages: lists of cards in cards, with random classes, texts and optional fields.
//!
//! Out: the HTML of a page together with its known content: the text that it shows, the URLs in its HTML
//! attributes, and the JSON in its scripts. Hidden parts contain [`SECRET`].

use proptest::prelude::*;
use proptest::sample::select;

/// A word that no page shows.
pub(crate) const SECRET: &str = "unseen";

/// Some HTML and its content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
    pub(crate) html: String,
    /// The shown text without its spaces.
    pub(crate) shown: String,
    pub(crate) addresses: Vec<String>,
    /// Texts of scripts with data.
    pub(crate) data: String,
}

impl Piece {
    fn html(html: &str) -> Piece {
        Piece { html: html.to_owned(), ..Piece::default() }
    }

    fn text(text: &str) -> Piece {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        Piece { html: escaped, shown: without_space(text), ..Piece::default() }
    }

    fn add(&mut self, other: Piece) {
        self.html += &other.html;
        self.shown += &other.shown;
        self.addresses.extend(other.addresses);
        self.data += &other.data;
    }

    fn inside(self, open: &str, close: &str) -> Piece {
        Piece { html: format!("{open}{}{close}\n", self.html), ..self }
    }

    fn all(pieces: impl IntoIterator<Item = Piece>) -> Piece {
        pieces.into_iter().fold(Piece::default(), |mut sum, piece| {
            sum.add(piece);
            sum
        })
    }
}

pub(crate) fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

const CLASSES: &[&str] = &[
    "",
    "",
    " class=card",
    " class='item big'",
    " class=title",
    " class=price",
    " class=css-1x2y3z",
    " class=odd",
];

fn words() -> impl Strategy<Value = String> {
    let word = select(
        &[
            "lamp",
            "Blue",
            "oak",
            "£12.50",
            "$1,299",
            "2024-05-01",
            "4.5/5",
            "120 reviews",
            "a & b",
            "<new>",
            "Rating:",
            "·",
            "|",
            "naïve",
            "ราคา",
            "价格",
            "שלום",
            "New",
            "12",
            "3 km",
        ][..],
    );
    prop::collection::vec(word, 1..5).prop_map(|words| words.join(" "))
}

fn address() -> impl Strategy<Value = String> {
    let shape = select(
        &["/a/N", "b-N.html", "../up/N", "?p=N", "//cdn.example/N.jpg", "https://other.example/N", "#N"][..],
    );
    (shape, 0..40u32).prop_map(|(shape, n)| shape.replace('N', &n.to_string()))
}

/// One field of a card; its text differs from card to card.
#[derive(Debug, Clone)]
enum Field {
    Text(&'static str, &'static str),
    Link(&'static str),
    Image,
    Hidden,
    Break,
    List(Wrapper),
}

/// How records are wrapped: before and after all, before and after each.
type Wrapper = [&'static str; 4];

const WRAPPERS: &[Wrapper] = &[
    ["<ul>", "</ul>", "<liCLASS>", "</li>"],
    ["<div>", "</div>", "<divCLASS>", "</div>"],
    ["<section>", "</section>", "<articleCLASS>", "</article>"],
    ["<table>", "</table>", "<trCLASS><td>", "</td></tr>"],
    ["<table><tr>", "</tr></table>", "<tdCLASS>", "</td>"],
    ["<dl>", "</dl>", "<dtCLASS>", "</dt>"],
    ["<div role=list>", "</div>", "<divCLASS role=listitem>", "</div>"],
    ["", "", "<divCLASS itemscope>", "</div>"],
];

fn field() -> impl Strategy<Value = Field> {
    let class = || select(CLASSES);
    prop_oneof![
        5 => (select(&["h3", "p", "span", "b", "div", "em", "time"][..]), class()).prop_map(|(tag, class)| Field::Text(tag, class)),
        3 => class().prop_map(Field::Link),
        1 => Just(Field::Image),
        1 => Just(Field::Hidden),
        1 => Just(Field::Break),
        1 => select(WRAPPERS).prop_map(Field::List),
    ]
}

/// The content of one card: its texts, its URLs and which fields it has.
type Own = (Vec<String>, Vec<String>, Vec<bool>);

const FIELDS: usize = 5;

fn own() -> impl Strategy<Value = Own> {
    let fields = FIELDS;
    (
        prop::collection::vec(words(), fields),
        prop::collection::vec(address(), fields),
        prop::collection::vec(prop::bool::weighted(0.85), fields),
    )
}

fn fill(field: &Field, text: &str, address: &str) -> Piece {
    match field {
        Field::Text(tag, class) => Piece::text(text).inside(&format!("<{tag}{class}>"), &format!("</{tag}>")),
        Field::Link(class) => {
            let mut piece = Piece::text(text).inside(&format!("<a{class} href=\"{address}\">"), "</a>");
            piece.addresses.push(address.to_owned());
            piece
        }
        Field::Image => {
            let mut piece = Piece::html(&format!("<img src=\"{address}\" alt=''>\n"));
            piece.addresses.push(address.to_owned());
            piece
        }
        Field::Hidden => {
            Piece::html(&format!("<span hidden>{SECRET}</span><script>var a = '{SECRET}';</script>\n"))
        }
        Field::Break => Piece::html("<br>"),
        // a small list of its own: the words one by one
        Field::List(wrapper) => {
            let word = |word| fill(&Field::Text("span", ""), word, "");
            wrapped(wrapper, text.split(' ').map(word), &mut |_| "")
        }
    }
}

fn wrapped(
    wrapper: &Wrapper,
    records: impl Iterator<Item = Piece>,
    class: &mut dyn FnMut(usize) -> &'static str,
) -> Piece {
    let [open, close, before, after] = wrapper;
    let records = records.enumerate();
    Piece::all(records.map(|(i, record)| record.inside(&before.replace("CLASS", class(i)), after)))
        .inside(open, close)
}

/// Cards of one template without some of its fields. Their classes are equal, alternate, or are random.
fn list() -> impl Strategy<Value = Piece> {
    let cards = prop::collection::vec(own(), 2..9);
    let classes = prop::collection::vec(select(CLASSES), 1..4);
    (select(WRAPPERS), prop::collection::vec(field(), 1..FIELDS), cards, classes).prop_map(
        |(wrapper, template, cards, classes)| {
            let card = |(texts, addresses, has): Own| {
                let fields = template.iter().zip(texts).zip(addresses).zip(has);
                Piece::all(
                    fields
                        .filter(|(_, has)| *has)
                        .map(|(((field, text), address), _)| fill(field, &text, &address)),
                )
            };
            wrapped(&wrapper, cards.into_iter().map(card), &mut |i| classes[i % classes.len()])
        },
    )
}

fn block() -> impl Strategy<Value = Piece> {
    let text = words().prop_map(|text| fill(&Field::Text("p", ""), &text, ""));
    let leaf = prop_oneof![4 => list(), 1 => text];
    leaf.prop_recursive(3, 12, 4, |inner| {
        (select(&["div", "section", "main", "nav", "aside"][..]), prop::collection::vec(inner, 1..4))
            .prop_map(|(tag, inner)| Piece::all(inner).inside(&format!("<{tag}>"), &format!("</{tag}>")))
    })
}

/// A list that the page also has as JSON, with one more number than the page shows.
fn with_data() -> impl Strategy<Value = Piece> {
    prop::collection::vec((select(&["Lamp", "Chair", "Table", "Rug"][..]), 100..999u32, 1000..9999u32), 3..8).prop_map(
        |items| {
            let (mut page, mut data) = (Piece::default(), Vec::new());
            for (i, (name, price, sku)) in items.into_iter().enumerate() {
                let name = format!("{name} number {i}");
                page.add(Piece::text(&name).inside(&format!("<li><a href=\"/thing/{i}\">"), "</a>"));
                page.addresses.push(format!("/thing/{i}"));
                page.add(Piece::text(&format!("£{price}")).inside("<b>", "</b></li>"));
                data.push(serde_json::json!({
                    "@type": "Product", "name": name, "url": format!("/thing/{i}"), "sku": format!("S{sku}"), "weight": sku,
                }));
            }
            let data = serde_json::json!({"@type": "ItemList", "itemListElement": data}).to_string();
            let script = Piece::html(&format!("<script type=\"application/ld+json\">{data}</script>"));
            let mut page = page.inside("<ul>", "</ul>");
            page.add(script);
            page.data = data;
            page
        },
    )
}

/// A whole page.
pub(crate) fn page() -> impl Strategy<Value = Piece> {
    let blocks = prop::collection::vec(block(), 1..4);
    (blocks, prop::option::weighted(0.3, with_data())).prop_map(|(blocks, data)| {
        let body = Piece::all(blocks.into_iter().chain(data));
        body.inside("<!DOCTYPE html><title>Generated</title><body>", "</body>")
    })
}
