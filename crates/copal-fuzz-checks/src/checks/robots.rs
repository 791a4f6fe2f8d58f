//! Any robots.txt, any path: an answer, in time.

use crate::robots_rules::RobotsRules;

pub(crate) fn check(data: &[u8]) {
    let (path, file) = data.split_at(data.len().min(64));
    let path = format!("/{}", String::from_utf8_lossy(path));
    let robots = RobotsRules::parse(file, "copal");
    let _ = (robots.allows(&path), robots.crawl_delay());
}
