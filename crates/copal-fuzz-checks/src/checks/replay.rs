//! Any JSON of a server: pages of a list are replayed from it or not, in time, and within the limits.
//!
//! Input: three bodies, separated by zero bytes: those of two parts that a browser has shown, and of the next one.

use crate::replay::{ReplayPlan, SeenPage};
use copal_dom::style::{Display, Style};
use copal_dom::{Limits, Page, Rect, RenderedLook, RenderedPageBuilder, tags};
use serde_json::Value;

/// A page with one element for each member of each object at `items`, as a simple script would make it.
fn shown(document: &Value, limits: &Limits) -> Page {
    let rect = Rect { width: 9.0, ..Rect::default() };
    let look = Some(RenderedLook { display: Display::Block, visible: true, style: Style::default(), rect });
    let mut builder = RenderedPageBuilder::new(limits);
    for name in ["html", "body", "ul"] {
        builder.open(name, false, std::iter::empty(), look);
    }
    for item in document["items"].as_array().into_iter().flatten().take(200) {
        builder.open("li", false, std::iter::empty(), look);
        for (key, value) in item.as_object().into_iter().flatten() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            builder.open(
                "span",
                false,
                [("title", text.as_str()), ("class", key.as_str())].into_iter(),
                look,
            );
            builder.text("x ", look);
            builder.text(&text, look);
            builder.close();
        }
        builder.close();
    }
    builder.finish()
}

fn seen(body: &[u8], url: &str, limits: &Limits) -> Option<SeenPage> {
    let page = shown(&serde_json::from_slice(body).ok()?, limits);
    let list = page.tree.find(tags::UL)?;
    let places: Vec<_> = page.tree.elements(list).map(|node| node..page.tree.end(node)).collect();
    SeenPage::new(&page, &places, &[(url, body)])
}

pub(crate) fn check(data: &[u8]) {
    let mut limits = Limits::default();
    (limits.nodes, limits.depth) = (5_000, 100);
    let mut bodies = data.split(|&byte| byte == 0);
    let (Some(first), Some(second), Some(next)) = (bodies.next(), bodies.next(), bodies.next()) else {
        return;
    };
    let Some(first) = seen(first, "https://a.example/l?page=1", &limits) else { return };
    let Some(second) = seen(second, "https://a.example/l?page=2", &limits) else { return };
    let Some(mut plan) = ReplayPlan::learn(&first, &second) else { return };
    let _ = plan.next_url();
    if let Ok(replayed) = plan.page_for(next, &limits) {
        assert!(replayed.page.tree.len() <= 5_000);
        let _ = replayed.page.text_of(0);
        plan.advance("https://a.example/l?page=3".to_owned(), replayed);
        let _ = plan.next_url();
    }
}
