//! The part of a URL that identifies what kind of page it leads to.
//!
//! In: a URL, absolute or relative. Out: its folders (`/title/`) and its script with the first query key
//! (`item.php?id=`). Links of one kind share these, while host names, file names and values differ. O(URL).

/// Longest part that is kept, in bytes.
const MAX_URL_PART_BYTES: usize = 40;
/// Maximum number of folders that are considered.
const MAX_FOLDERS: usize = 4;

/// The folders of a URL, and its path up to the value of the first query key, from the least to the most
/// specific.
pub(crate) fn url_parts(url: &str) -> Vec<String> {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest.find('/').map_or("", |at| &rest[at..]));
    let path = path.split('#').next().unwrap_or_default();
    let (folders, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    let mut out = Vec::new();
    let ends = folders
        .match_indices('/')
        .map(|(at, _)| at + 1)
        .filter(|&end| end < folders.len() || query.is_some());
    for end in ends.take(MAX_FOLDERS) {
        let part = &folders[..end];
        if part.contains(|c: char| c.is_alphabetic()) && part.len() <= MAX_URL_PART_BYTES {
            out.push(part.to_owned());
        }
    }
    if let Some((key, _)) = query.and_then(|query| query.split_once('=')) {
        let file = folders.rsplit('/').next().unwrap_or_default();
        let part = format!("{file}?{key}=");
        if part.len() <= MAX_URL_PART_BYTES {
            out.push(part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::url_parts;

    #[test]
    fn urls_of_one_kind_share_parts() {
        for (url, expected) in [
            ("/title/tt12/", "/title/"),
            ("https://shop.example/p/12.html", "/p/"),
            ("item.php?id=12&x=1", "item.php?id="),
            ("/search/show?item=4#top", "/search/ show?item="),
            ("12.html", ""),
            ("https://shop.example", ""),
        ] {
            assert_eq!(url_parts(url).join(" "), expected, "{url}");
        }
    }
}
