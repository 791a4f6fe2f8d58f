//! Objects of one template: what the pages together say about a value that one page alone does not.

#![allow(clippy::unwrap_used)]

use copal_dom::{Limits, Page};
use copal_domain::Domain;
use copal_extract::objects::{Object, ObjectOptions, read};
use std::sync::Arc;

fn read_all(html: &[String], domain: &str) -> Vec<Object> {
    let mut options = ObjectOptions::default();
    options.domain = Some(Arc::new(Domain::load(domain).unwrap()));
    let pages: Vec<Page> = html.iter().map(|html| Page::from_text(html, &Limits::default())).collect();
    read(&pages.iter().collect::<Vec<_>>(), &options)
}

fn field(object: &Object, name: &str) -> Option<String> {
    object.fields.iter().find(|field| field.name == name).map(|field| field.texts.join(" / "))
}

fn all(objects: &[Object], name: &str) -> Vec<Option<String>> {
    objects.iter().map(|object| field(object, name)).collect()
}

fn some(values: &[&str]) -> Vec<Option<String>> {
    values.iter().map(|value| Some((*value).to_owned())).collect()
}

const PLAYERS: [(&str, &str, &str); 4] = [
    ("Orrin Vale", "210", "6-4"),
    ("Bram Tolliver", "188", "6-1"),
    ("Casper Lund", "241", "6-10"),
    ("Idris Penhallow", "199", "6-2"),
];

#[test]
fn heads_of_tables_are_neither_values_nor_labels_of_their_neighbours() {
    let page = |(name, weight, height): &(&str, &str, &str)| {
        format!(
            "<title>{name}</title><h1>{name}</h1><p>Height: {height}</p><p>Weight: {weight} lbs</p>
            <table><tr><td>Season</td><td>Team</td><td>G</td></tr>
            <tr><td>1998</td><td>{name} Foxes</td><td>7{weight}</td></tr>
            <tr><td>1999</td><td>{name} Owls</td><td>6{weight}</td></tr></table>"
        )
    };
    let objects = read_all(&PLAYERS.iter().map(page).collect::<Vec<_>>(), "nba-players");
    assert_eq!(all(&objects, "team"), vec![None; 4]);
    assert_eq!(all(&objects, "height"), some(&["6-4", "6-1", "6-10", "6-2"]));
}

#[test]
fn a_table_with_one_row_is_read_by_column() {
    let page = |(name, genre, studio): &(&str, &str, &str)| {
        format!(
            "<title>{name}</title><h1>{name}</h1><table><tr><td>Genre</td><td><img src=dot.gif></td>
            <td>Studio</td></tr><tr><td>{genre}</td><td></td><td>{studio}</td></tr></table>"
        )
    };
    let films = [
        ("A Low Sun", "Drama", "Harbour Lane"),
        ("Salt Roads", "Western", "Quill and Sons"),
        ("The Ferryman", "Comedy", "Tidewater"),
    ];
    let objects = read_all(&films.iter().map(page).collect::<Vec<_>>(), "movies");
    assert_eq!(all(&objects, "genre"), some(&["Drama", "Western", "Comedy"]));
    assert_eq!(all(&objects, "studio"), some(&["Harbour Lane", "Quill and Sons", "Tidewater"]));
}

#[test]
fn the_label_of_the_next_field_is_not_a_value() {
    let page = |(name, weight, height): &(&str, &str, &str)| {
        format!(
            "<title>{name}</title><h1>{name}</h1><div class=facts><div>Team</div><div>College</div>
            <div>Height</div><div>{height}</div><div>Weight</div><div>{weight} lbs</div></div>"
        )
    };
    let objects = read_all(&PLAYERS.iter().map(page).collect::<Vec<_>>(), "nba-players");
    assert_eq!(all(&objects, "team"), vec![None; 4]);
    assert_eq!(all(&objects, "college"), vec![None; 4]);
}

#[test]
fn words_that_the_site_adds_to_every_name_are_cut() {
    let page = |name: &str| {
        format!("<title>{name} Reviews at Forkful</title><h1>{name} Reviews</h1><p>Cuisine: Thai</p>")
    };
    let names = ["Boma", "The Blue Duck", "SIX89"];
    let objects = read_all(&names.map(page), "restaurants");
    assert_eq!(all(&objects, "name"), some(&names));
}

#[test]
fn the_place_of_most_pages_fills_gaps_and_completes_parts() {
    // no gazetteer knows the last two
    let studios = ["Paramount Pictures", "Warner Bros.", "Universal Pictures", "Wexley", "Orchard Lane"];
    let page = |(at, studio): (usize, &&str)| {
        format!(
            "<title>Film {at}</title><h1>Film {at}x{at}</h1><div class=a>Made in {at}9</div>
            <div class=box><span>{studio}</span></div>"
        )
    };
    let objects = read_all(&studios.iter().enumerate().map(page).collect::<Vec<_>>(), "movies");
    assert_eq!(all(&objects, "studio"), some(&studios));
    let placed = objects[3].fields.iter().find(|field| field.name == "studio").unwrap();
    assert_eq!(placed.source.name(), "place");
}

#[test]
fn classes_and_microformats_name_values_of_the_right_type() {
    let page = |(name, phone): &(&str, &str)| {
        format!(
            "<title>{name}</title><h1>{name}</h1>
            <div class=tel><span class=type>Work</span> <span class=value>{phone}</span></div>"
        )
    };
    let schools = [
        ("Alder College", "(555) 010-1234"),
        ("Birch College", "(555) 010-9876"),
        ("Cedar College", "(555) 010-4567"),
    ];
    let objects = read_all(&schools.iter().map(page).collect::<Vec<_>>(), "universities");
    assert_eq!(all(&objects, "phone"), some(&schools.map(|(_, phone)| phone)));
}

#[test]
fn a_label_is_known_by_its_last_words_if_the_value_has_the_type() {
    let page = |(name, price): &(&str, &str)| {
        format!(
            "<title>{name}</title><h1>{name}</h1>
            <table><tr><td>Introductory price</td><td>{price}</td></tr>
            <tr><td>Cabinet colour</td><td>plum</td></tr></table>"
        )
    };
    let cars = [("2011 Ford Focus", "$18,350"), ("2009 Mazda 6", "$22,100"), ("2010 Honda Civic", "$17,005")];
    let objects = read_all(&cars.iter().map(page).collect::<Vec<_>>(), "used-cars");
    assert_eq!(all(&objects, "price"), some(&["$18,350", "$22,100", "$17,005"]));
}
