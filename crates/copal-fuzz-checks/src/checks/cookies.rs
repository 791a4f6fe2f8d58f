//! Cookie files, headers and sitemaps: any bytes are refused or read, and never give a header that breaks a request.

use crate::credentials::OriginCredentials;
use crate::sitemap::Sitemap;

pub(crate) fn check(bytes: &[u8]) {
    let sitemap = Sitemap::parse(bytes);
    for url in sitemap.pages.iter().chain(&sitemap.sitemaps) {
        assert!(url.starts_with("http") && !url.contains(['\n', '\0']), "{url:?}");
    }
    let text = String::from_utf8_lossy(bytes);
    for origin in ["https://shop.example/list", "http://127.0.0.1:8080/"] {
        let mut credentials = OriginCredentials::for_url(origin).expect("an origin");
        let _ = credentials.add_cookie_file(&text);
        for line in text.lines() {
            let _ = credentials.add_header(line);
            let _ = credentials.add_cookies(line);
        }
        assert!(format!("{credentials:?}").len() < 200);
    }
}
