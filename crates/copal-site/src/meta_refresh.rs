//! Redirects inside pages: `<meta http-equiv=refresh>` with a short delay. A page goes in, the URL of its
//! target comes out. O(nodes).

use copal_dom::Page;
use copal_dom::{attrs, tags};
use url::Url;

/// A refresh within this many seconds is a redirect. Pages that reload themselves wait longer.
const MAX_REDIRECT_SECONDS: f64 = 5.0;

/// The URL that a page redirects to. `None` if it has no refresh, if the delay is too long, or if the refresh
/// only reloads the page itself.
pub fn refresh_target(page: &Page, page_url: &str) -> Option<String> {
    let tree = &page.tree;
    let is_refresh = |node: &u32| {
        tree.tag(*node) == tags::META
            && tree
                .attr_named(*node, "http-equiv")
                .is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
    };
    let meta = tree.nodes().find(is_refresh)?;
    let content = tree.attr(meta, attrs::CONTENT)?;
    let (seconds, target) = content.split_once([';', ','])?;
    if seconds.trim().parse::<f64>().ok()? > MAX_REDIRECT_SECONDS {
        return None;
    }
    let target = target.trim();
    let target = match target.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("url") => target[3..].trim_start().strip_prefix('=')?,
        _ => target,
    };
    let target = target.trim().trim_matches(['"', '\'']);
    let mut url = Url::parse(page_url).ok()?.join(target).ok()?;
    url.set_fragment(None);
    (url.as_str() != page_url).then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copal_dom::Limits;

    #[test]
    fn quick_refreshes_are_redirects() {
        let target = |content: &str| {
            let html = format!("<meta http-equiv=Refresh content=\"{content}\"><p>x");
            refresh_target(&Page::from_text(&html, &Limits::default()), "https://a.example/x/y")
        };
        assert_eq!(target("0; url=/z").as_deref(), Some("https://a.example/z"));
        assert_eq!(target("0;URL='z?a=b'").as_deref(), Some("https://a.example/x/z?a=b"));
        assert_eq!(target("1, https://b.example/").as_deref(), Some("https://b.example/"));
        // Pages that reload themselves.
        assert_eq!(target("300; url=/z"), None);
        assert_eq!(target("0"), None);
        assert_eq!(target("0; url=/x/y#top"), None);
        assert_eq!(target("soon; url=/z"), None);
    }
}
