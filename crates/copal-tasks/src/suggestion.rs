//! "Did you mean": the known name that is closest to a misspelt one.

/// Names less similar than this (Jaro-Winkler, from 0 to 1) are not suggested.
const MIN_SIMILARITY: f64 = 0.8;

/// The closest of the known names, if it is close. Case makes no difference.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let similarity = |candidate: &str| strsim::jaro_winkler(&wanted, &candidate.to_lowercase());
    known
        .into_iter()
        .map(|candidate| (similarity(candidate), candidate))
        .filter(|(similarity, _)| *similarity >= MIN_SIMILARITY)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn only_similar_names_are_suggested() {
        let known = ["title", "price", "old_price", "author"];
        assert_eq!(closest("prise", known), Some("price"));
        assert_eq!(closest("Titel", known), Some("title"));
        assert_eq!(closest("colour", known), None);
        assert_eq!(closest("", known), None);
    }
}
