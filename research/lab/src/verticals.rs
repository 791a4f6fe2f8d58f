//! Which built-in domain describes the pages of which vertical of the corpora.

use copal::Domain;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A vertical name of an index and its domain.
pub(crate) type VerticalDomain = (String, Arc<Domain>);

/// Names that the corpora use where ours differ.
const VERTICAL_DOMAINS: [(&str, &str); 11] = [
    ("auto", "used-cars"),
    ("book", "books"),
    ("camera", "cameras"),
    ("job", "jobs"),
    ("movie", "movies"),
    ("nbaplayer", "nba-players"),
    ("product", "products"),
    ("realestate", "real-estate"),
    ("recipe", "recipes"),
    ("restaurant", "restaurants"),
    ("university", "universities"),
];

/// The known verticals, and every built-in domain under its own name.
pub(crate) fn known_verticals() -> Vec<VerticalDomain> {
    let mut loaded: BTreeMap<&str, Arc<Domain>> = BTreeMap::new();
    for name in Domain::built_in() {
        if let Ok(domain) = Domain::load(name) {
            loaded.insert(name, Arc::new(domain));
        }
    }
    let renamed = VERTICAL_DOMAINS.iter().map(|(vertical, domain)| (*vertical, *domain));
    let own_names = loaded.keys().map(|name| (*name, *name));
    renamed
        .chain(own_names)
        .filter_map(|(vertical, name)| Some((vertical.to_owned(), Arc::clone(loaded.get(name)?))))
        .collect()
}

/// The domain of a vertical.
pub(crate) fn domain_of<'a>(vertical: &str, domains: &'a [VerticalDomain]) -> Option<&'a Arc<Domain>> {
    domains.iter().find(|(known, _)| known == vertical).map(|(_, domain)| domain)
}
