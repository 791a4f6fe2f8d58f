//! Whether a page needs a browser.
//!
//! In: a page that was read without one, and its answer. Out: the reason to show it in one, or nothing. A page
//! whose scripts only decorate it has its text without them, so pages with much text are only shown again if
//! they say themselves that records are missing. O(nodes).

use copal_dom::{Page, attrs, tags};
use copal_extract::{Answer, Impression, PageKind, Role};

/// Letters of visible text below which a page with scripts is an empty shell.
const MAX_SHELL_LETTERS: u32 = 250;
/// Letters of visible text below which a page may be waiting for its content.
const MAX_SPARSE_LETTERS: u32 = 2_500;
/// Words of classes and ids that mean that content is still to come.
const LOADING_WORDS: &[&str] = &["loading", "loader", "skeleton", "spinner", "placeholder", "shimmer"];
/// Ids of the elements that frameworks fill.
const MOUNT_IDS: &[&str] =
    &["root", "app", "__next", "__nuxt", "___gatsby", "svelte", "q-app", "react-root", "mount"];

/// Why a page that was read without a browser should be shown in one; `None` if it need not be.
pub fn reason_to_render(page: &Page, answer: &Answer) -> Option<&'static str> {
    let signs = ScriptSigns::of(page);
    // the records are on another page, whatever the scripts of this one add
    let asks_for_login = answer.impression == Some(Impression::Login);
    if !signs.has_scripts || asks_for_login {
        return None;
    }
    let letters = page.index.chars(&(0..page.tree.len() as u32));
    let list = answer.primary();
    // a list or an object in the page's data is complete without its scripts
    if letters < MAX_SHELL_LETTERS && list.is_none() && answer.object.is_none() {
        return Some("the page is empty without its scripts");
    }
    if let (Some(list), Some(counter)) = (list, &answer.page.counter)
        && answer.page.next.is_none()
        && answer.page.pages.is_none()
        && counter.total > list.records.len() as u64
        && signs.waits_for_scripts
    {
        return Some("the page announces more records than it shows without its scripts");
    }
    let is_unsure = match list {
        Some(list) => list.role == Role::Possible,
        None => answer.kind == PageKind::Nothing || answer.object.is_none(),
    };
    if is_unsure && letters < MAX_SPARSE_LETTERS && signs.waits_for_scripts {
        return Some("no list is clear without the page's scripts");
    }
    None
}

/// Signs that scripts build the page.
struct ScriptSigns {
    has_scripts: bool,
    /// An element that scripts are about to fill.
    waits_for_scripts: bool,
}

impl ScriptSigns {
    fn of(page: &Page) -> ScriptSigns {
        let tree = &page.tree;
        let mut signs = ScriptSigns { has_scripts: false, waits_for_scripts: false };
        for node in tree.nodes().filter(|&node| !tree.is_text(node)) {
            let attr = |name| tree.attr(node, name);
            match tree.tag(node) {
                tags::SCRIPT => signs.has_scripts |= is_program(attr(attrs::TYPE)),
                tags::LINK => signs.waits_for_scripts |= attr(attrs::REL) == Some("modulepreload"),
                _ if signs.waits_for_scripts => {}
                _ => {
                    let is_empty = page.index.chars(&(node..tree.end(node))) == 0;
                    let id = attr(attrs::ID).unwrap_or_default();
                    let class = attr(attrs::CLASS).unwrap_or_default();
                    let mounts = is_empty && MOUNT_IDS.contains(&id);
                    // an element of the page's own with nothing in it
                    let is_custom = is_empty && tree.tag_name(node).contains('-') && !tree.is_foreign(node);
                    let is_busy = tree.attr_named(node, "aria-busy") == Some("true");
                    let is_framework = [
                        "ng-app",
                        "ng-version",
                        "data-reactroot",
                        "data-server-rendered",
                        "v-cloak",
                        "x-data",
                    ]
                    .iter()
                    .any(|name| tree.attr_named(node, name).is_some());
                    signs.waits_for_scripts =
                        mounts || is_custom || is_busy || is_framework || is_loading(id) || is_loading(class);
                }
            }
        }
        signs
    }
}

/// True if a script of this type is run, and not only data.
fn is_program(kind: Option<&str>) -> bool {
    kind.is_none_or(|kind| {
        let kind = kind.trim();
        kind.is_empty()
            || kind.eq_ignore_ascii_case("module")
            || kind.to_ascii_lowercase().contains("javascript")
    })
}

fn is_loading(words: &str) -> bool {
    let words = words.split(|c: char| !c.is_ascii_alphanumeric());
    words.into_iter().any(|word| LOADING_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;
    use copal_extract::{Request, extract};

    fn reason(html: &str) -> Option<&'static str> {
        let page = Page::from_text(html, &Limits::default());
        reason_to_render(&page, &extract(&page, &Request::default()))
    }

    #[test]
    fn shells_need_a_browser_and_articles_do_not() {
        assert!(reason("<title>Shop</title><div id=root></div><script src=app.js></script>").is_some());
        assert!(reason("<div id=root></div>").is_none());
        let text = "A long article with many words that says something. ".repeat(80);
        assert!(reason(&format!("<h1>News</h1><p>{text}</p><script>track()</script>")).is_none());
        assert!(reason("<p>Short<script type='application/ld+json'>{}</script>").is_none());
        let footer = "Imprint, contact and opening hours of the shop. ".repeat(12);
        let loading =
            format!("<div class='list is-loading'></div><footer>{footer}</footer><script src=a.js></script>");
        assert!(reason(&loading).is_some());
        let login = "<form><input name=user><input type=password><button>Log in</button></form>";
        assert!(reason(&format!("{loading}{login}")).is_none());
    }

    #[test]
    fn a_complete_list_needs_no_browser() {
        let items: String = (1..15)
            .map(|n| format!("<li><a href=/p/{n}>Lamp number {n}</a> <b>£{n}.50</b> in stock</li>"))
            .collect();
        let page = format!("<h1>Lamps</h1><ul class=results>{items}</ul><script src=a.js></script>");
        assert_eq!(reason(&page), None);
    }
}
