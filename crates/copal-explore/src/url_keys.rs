//! Keys of URLs: one that is equal for URLs of the same page, and a template that is equal for URLs of one kind.
//!
//! In: an absolute URL. Out: a text. Both are computed without requests, in O(length).

use url::Url;

/// Parameters that say where a visitor came from or who they are, and not what the page shows.
const SESSION_PARAMETERS: &[&str] = &[
    "jsessionid",
    "phpsessid",
    "sessionid",
    "session_id",
    "sessid",
    "sid",
    "aspsessionid",
    "cfid",
    "cftoken",
    "fbclid",
    "gclid",
    "msclkid",
    "yclid",
    "mc_cid",
    "mc_eid",
    "_ga",
    "ref_src",
];
/// Beginnings of the names of tracking parameters.
const TRACKING_PREFIXES: &[&str] = &["utm_", "pk_", "mtm_", "hsa_"];
/// A path segment of letters that is longer than this is a title and not a word of the site's structure.
const MAX_STRUCTURE_WORD: usize = 16;
/// Hyphens from which a path segment is a title.
const MIN_TITLE_HYPHENS: usize = 2;

/// A key that is equal for URLs that show the same page: without the fragment, session identifiers, tracking
/// parameters and default file names, and with the other parameters in order. `None` if the text is not an
/// absolute HTTP URL.
pub fn canonical_key(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    let mut path = without_path_session(url.path()).to_owned();
    while path.contains("//") {
        path = path.replace("//", "/");
    }
    for default in ["index.html", "index.htm", "index.php", "default.aspx"] {
        if let Some(folder) = path.strip_suffix(default).filter(|folder| folder.ends_with('/')) {
            path = folder.to_owned();
        }
    }
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
    let mut parameters: Vec<String> = url
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|parameter| !parameter.is_empty() && !is_session_parameter(parameter))
        .map(str::to_owned)
        .collect();
    parameters.sort();
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    let query = if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) };
    let host = host.strip_prefix("www.").unwrap_or(host);
    Some(format!("{host}{port}{path}{query}"))
}

/// The path without `;jsessionid=…`.
fn without_path_session(path: &str) -> &str {
    match path.split_once(';') {
        Some((before, rest)) if is_session_parameter(rest) => before,
        _ => path,
    }
}

fn is_session_parameter(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().to_ascii_lowercase();
    SESSION_PARAMETERS.contains(&name.as_str())
        || TRACKING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The kind of page that a URL leads to: path segments that name one thing are replaced by a mark, and only
/// the names of parameters are kept. `/flat/123-high-street?page=2` becomes `/flat/*?page`.
pub fn url_template(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return String::new() };
    let mut template = String::new();
    for segment in without_path_session(url.path()).split('/').skip(1) {
        template.push('/');
        template.push_str(if is_structure_word(segment) { segment } else { "*" });
    }
    let mut names: Vec<&str> = url
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|parameter| !parameter.is_empty() && !is_session_parameter(parameter))
        .filter_map(|parameter| parameter.split('=').next())
        .collect();
    names.sort_unstable();
    names.dedup();
    for (index, name) in names.iter().enumerate() {
        template.push(if index == 0 { '?' } else { '&' });
        template.push_str(name);
    }
    template
}

/// What URLs of siblings have in common: the folder of the path, and the names of the parameters.
pub fn url_family(url: &str) -> String {
    let Ok(parsed) = Url::parse(url) else { return String::new() };
    let path = without_path_session(parsed.path()).trim_end_matches('/');
    let folder = path.rfind('/').map_or("/", |at| &path[..=at]);
    let template = url_template(url);
    match template.split_once('?') {
        Some((_, names)) => format!("{folder}?{names}"),
        None => folder.to_owned(),
    }
}

/// True for a segment that names a part of the site: short, without digits, and not a title in hyphens.
fn is_structure_word(segment: &str) -> bool {
    let hyphens = segment.matches(['-', '_', '+']).count() + segment.matches("%20").count();
    segment.chars().count() <= MAX_STRUCTURE_WORD
        && !segment.contains(|c: char| c.is_ascii_digit())
        && hyphens < MIN_TITLE_HYPHENS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn urls_of_one_page_have_one_key() {
        let key = |url: &str| canonical_key(url).unwrap_or_default();
        let same = [
            "http://www.a.example/list?b=2&a=1",
            "https://a.example/list/?a=1&b=2#top",
            "https://a.example//list;jsessionid=F00?b=2&utm_source=x&a=1&PHPSESSID=9",
        ];
        assert!(same.iter().all(|url| key(url) == key(same[0])), "{:?}", same.map(key));
        assert_eq!(key("https://a.example/x/index.html"), key("https://a.example/x/"));
        for other in
            ["https://a.example/list?a=1&b=3", "https://a.example/list2?a=1&b=2", "https://b.example/"]
        {
            assert_ne!(key(other), key(same[0]));
        }
        // the case of paths and a semicolon that is not a session make a difference
        assert_ne!(key("https://a.example/A"), key("https://a.example/a"));
        assert_ne!(key("https://a.example/a;b=1"), key("https://a.example/a;b=2"));
        for text in ["mailto:x@a.example", "javascript:void(0)", "/relative", "http://"] {
            assert_eq!(canonical_key(text), None, "{text}");
        }
    }

    #[test]
    fn templates_keep_the_structure_and_mask_the_things() {
        let template = |path: &str| url_template(&format!("https://a.example{path}"));
        assert_eq!(template("/flat/123-high-street?page=2&sort=price"), "/flat/*?page&sort");
        assert_eq!(template("/flat/7"), "/flat/*");
        assert_eq!(template("/flat/the-old-mill-house"), "/flat/*");
        assert_eq!(template("/for-sale/oxford"), "/for-sale/oxford");
        assert_eq!(template("/"), "/");
        let family = |path: &str| url_family(&format!("https://a.example{path}"));
        assert_eq!(family("/homes/oxford"), family("/homes/leeds/"));
        assert_ne!(family("/homes/oxford"), family("/about/oxford"));
        assert_eq!((family("/buy"), family("/")), ("/".to_owned(), "/".to_owned()));
    }

    proptest! {
        #[test]
        fn keys_are_stable(path in "[a-zA-Z0-9/;=._-]{0,40}", query in "[a-z0-9=&_]{0,40}") {
            let url = format!("https://a.example/{path}?{query}");
            let key = canonical_key(&url).unwrap_or_default();
            // the key of the key's own URL is the key
            prop_assert_eq!(canonical_key(&format!("https://{key}")).unwrap_or_default(), key);
            prop_assert_eq!(url_template(&url), url_template(&format!("{url}#x")));
        }
    }
}
