//! Reads the records of a list into structs of your own.
//!
//! `cargo run -p copal --example into_structs`

use copal::Request;
use serde::Deserialize;

/// The names are those of the columns. Copal omits what a record does not have, so optional fields are `Option`.
#[derive(Debug, Deserialize)]
struct Lamp {
    title: String,
    url: String,
    price: Option<String>,
}

/// Typed values are separate from the texts: a text is always what the page shows.
#[derive(Debug, Deserialize)]
struct LampValues {
    price: Option<Money>,
}

#[derive(Debug, Deserialize)]
struct Money {
    amount: f64,
    currency: Option<String>,
}

const PAGE: &str = "<ul>
  <li><a href='/1'>Blue lamp</a> <span class='price'>£12.50</span></li>
  <li><a href='/2'>Red lamp</a> <span class='price'>£14</span></li>
  <li><a href='/3'>Green lamp</a> <span class='price'>£9</span></li>
</ul>";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut request = Request::default();
    request.url = Some("https://shop.example/lamps".into());
    let answer = copal::extract(PAGE, &request);
    let list = answer.primary().ok_or("no list found")?;
    let texts = copal::output::record_objects(list);
    let values = copal::output::record_value_objects(list);
    for (texts, values) in texts.into_iter().zip(values) {
        let lamp: Lamp = serde_json::from_value(texts)?;
        let values: LampValues = serde_json::from_value(values)?;
        let Some(Money { amount, currency }) = values.price else { continue };
        let shown = lamp.price.unwrap_or_default();
        println!("{} at {}: {shown} is {amount} {}", lamp.title, lamp.url, currency.unwrap_or_default());
    }
    Ok(())
}
