//! Sitemaps: the URLs that a site lists for crawlers.
//!
//! In: the bytes of a sitemap (XML, also compressed with gzip, or plain text with one URL per line). Out: the URLs of
//! pages, or those of further sitemaps if it is an index. The XML is not parsed as a tree: only the elements `loc` are
//! read, so that nesting and entities cannot grow. Time is linear, and memory is bounded by [`MAX_SITEMAP_BYTES`].

use std::io::Read;

/// Bytes of a sitemap that are read, after decompression. The protocol allows 50 MB.
pub const MAX_SITEMAP_BYTES: usize = 50_000_000;
/// URLs that a sitemap may have, as in the protocol.
const MAX_SITEMAP_URLS: usize = 50_000;
/// Longest URL that is kept.
const MAX_URL_BYTES: usize = 2048;

/// Longest content of an element that is read as a URL: entities and spaces make it longer than the URL.
const MAX_CONTENT_BYTES: usize = 2 * MAX_URL_BYTES;

/// What a sitemap lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sitemap {
    /// URLs of pages.
    pub pages: Vec<String>,
    /// URLs of further sitemaps.
    pub sitemaps: Vec<String>,
}

impl Sitemap {
    /// Reads a sitemap. What is not a URL of a web page is skipped.
    pub fn parse(bytes: &[u8]) -> Sitemap {
        let unpacked = bytes.starts_with(&[0x1f, 0x8b]).then(|| {
            let mut unpacked = Vec::new();
            // Damaged data gives what was read before the damage.
            let limited = flate2::read::MultiGzDecoder::new(bytes).take(MAX_SITEMAP_BYTES as u64);
            let _ = { limited }.read_to_end(&mut unpacked);
            unpacked
        });
        let bytes = unpacked.as_deref().unwrap_or(&bytes[..bytes.len().min(MAX_SITEMAP_BYTES)]);
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if !text.starts_with('<') {
            let lines = text.lines().map(str::trim).filter(|line| is_page_url(line));
            return Sitemap {
                pages: lines.take(MAX_SITEMAP_URLS).map(str::to_owned).collect(),
                ..Sitemap::default()
            };
        }
        let locations = locations(text);
        if text.contains("<sitemapindex") {
            Sitemap { sitemaps: locations, ..Sitemap::default() }
        } else {
            Sitemap { pages: locations, ..Sitemap::default() }
        }
    }
}

/// The texts of all elements `loc`, without those of other namespaces (`image:loc`).
fn locations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("<loc") {
        rest = &rest[start + "<loc".len()..];
        // a longer name, such as <location>
        if !rest.starts_with(['>', ' ', '\t', '\r', '\n']) {
            continue;
        }
        let Some(begin) = rest.find('>') else { break };
        rest = &rest[begin + 1..];
        let Some(end) = rest.find("</loc") else { break };
        let (content, after) = rest.split_at(end);
        let url = (content.len() <= MAX_CONTENT_BYTES).then(|| plain_text(content));
        if let Some(url) = url.filter(|url| is_page_url(url)) {
            found.push(url);
            if found.len() >= MAX_SITEMAP_URLS {
                break;
            }
        }
        rest = after;
    }
    found
}

/// The text of an element: CDATA is unwrapped and the five entities of XML are replaced.
fn plain_text(content: &str) -> String {
    let text = content.trim();
    match text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")) {
        Some(literal) => literal.trim().to_owned(),
        None => text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&apos;", "'")
            .replace("&amp;", "&"),
    }
}

fn is_page_url(text: &str) -> bool {
    let has_scheme = text.starts_with("https://") || text.starts_with("http://");
    has_scheme && text.len() <= MAX_URL_BYTES && !text.chars().any(|c| c.is_control() || c == ' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const PAGES: &str = "<?xml version='1.0'?><urlset xmlns:image='x'>
        <url><loc>https://a.example/1?x=1&amp;y=2</loc><image:image><image:loc>https://a.example/i.jpg</image:loc></image:image></url>
        <url><loc >\n https://a.example/2 </loc></url><url><loc><![CDATA[https://a.example/3?a&b]]></loc></url>
        <url><location>https://a.example/no</location><loc>ftp://a.example/4</loc><loc>/5</loc></url></urlset>";

    #[test]
    fn pages_and_indexes_are_told_apart() {
        let pages = ["https://a.example/1?x=1&y=2", "https://a.example/2", "https://a.example/3?a&b"];
        assert_eq!(Sitemap::parse(PAGES.as_bytes()).pages, pages);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(PAGES.as_bytes()).unwrap();
        let packed = gzip.finish().unwrap();
        assert_eq!(Sitemap::parse(&packed).pages, pages);
        let index = "<sitemapindex><sitemap><loc>https://a.example/s1.xml</loc></sitemap></sitemapindex>";
        assert_eq!(Sitemap::parse(index.as_bytes()).sitemaps, ["https://a.example/s1.xml"]);
        let lines = Sitemap::parse(b"\xef\xbb\xbfhttps://a.example/1\r\n# no\nhttps://a.example/2\n");
        assert_eq!(lines.pages, ["https://a.example/1", "https://a.example/2"]);
    }

    #[test]
    fn hostile_sitemaps_are_bounded() {
        for broken in
            ["", "<", "<loc", "<loc>", "<loc>https://a.example/", "<loc>https://a\u{0}b</loc>", "<loc></loc"]
        {
            assert_eq!(Sitemap::parse(broken.as_bytes()), Sitemap::default(), "{broken}");
        }
        let many = format!("<urlset>{}", "<loc>https://a.example/x</loc>".repeat(60_000));
        assert_eq!(Sitemap::parse(many.as_bytes()).pages.len(), MAX_SITEMAP_URLS);
        // wherever the limit cuts a character
        for shift in 0..4 {
            let start = "a".repeat(shift);
            let long = format!("<urlset><loc>https://a.example/{start}{}</loc>", "\u{1f642}".repeat(100_000));
            assert_eq!(Sitemap::parse(long.as_bytes()).pages.len(), 0);
        }
        // unclosed elements are not searched again and again
        let open = format!("<urlset>{}", "<loc>x".repeat(200_000));
        assert_eq!(Sitemap::parse(open.as_bytes()), Sitemap::default());
        // 60 MB of zeros are 60 KB of gzip
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        for _ in 0..60 {
            gzip.write_all(&vec![b' '; 1_000_000]).unwrap();
        }
        assert_eq!(Sitemap::parse(&gzip.finish().unwrap()), Sitemap::default());
        for cut in 0..PAGES.len().min(300) {
            Sitemap::parse(&PAGES.as_bytes()[..cut]);
        }
    }
}
