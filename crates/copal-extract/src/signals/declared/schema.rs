//! The one list of schema.org types (and types of Open Graph), with what each means for a page.
//!
//! In: the name of a type as a page writes it, with or without its vocabulary. Out: [`TypeFlags`], read
//! through one predicate per question. The questions differ, so a type can answer several of them: a `Review`
//! is a text, and it is part of another thing. Names are compared without case. O(length of the name).

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Meanings of a type, one bit each.
type TypeFlags = u8;

/// The site, its pages, and what they are made of: not what a page is about.
const SITE: TypeFlags = 1;
/// The page is a list.
const LIST: TypeFlags = 2;
/// A catalogue: often declared inside an organisation, so it does not make the page a list, but the page is
/// not about one thing either.
const CATALOGUE: TypeFlags = 4;
/// Where the page is in its site: headers, trails, menus.
const FRAME: TypeFlags = 8;
/// A text, not an object with fields.
const TEXT: TypeFlags = 16;
/// Belongs to a page or to one thing on it: several of them are not a list of records.
const PART: TypeFlags = 32;
/// A page that declares it is about this one thing.
const ONE_THING: TypeFlags = 64;
/// An object with fields, as Open Graph names it.
const OBJECT: TypeFlags = 128;

const TYPES: &[(TypeFlags, &str)] = &[
    (
        SITE | PART,
        "BreadcrumbList ImageObject Person SearchAction Organization WebPage WebSite WebPageElement",
    ),
    (SITE | FRAME | PART, "SiteNavigationElement"),
    (SITE, "Corporation"),
    (SITE | LIST, "ItemList CollectionPage SearchResultsPage"),
    (LIST, "DataFeed product.group"),
    (CATALOGUE, "OfferCatalog"),
    (FRAME | PART, "ListItem WPHeader WPFooter"),
    (FRAME, "WPSideBar WPAdBlock"),
    (
        PART,
        "ReadAction EntryPoint MediaObject Question Answer Rating HowToStep HowToSection PropertyValue Offer \
         ContactPoint OpeningHoursSpecification PostalAddress SpeakableSpecification Brand Country Language \
         CreativeWork",
    ),
    (TEXT | PART, "VideoObject Comment Review"),
    (TEXT | ONE_THING, "Article NewsArticle BlogPosting ScholarlyArticle"),
    (
        TEXT,
        "Blog ReportageNewsArticle TechArticle AudioObject DiscussionForumPosting LiveBlogPosting \
         OpinionNewsArticle",
    ),
    (SITE | TEXT, "FAQPage"),
    (ONE_THING, "Recipe Movie HowTo Event JobPosting RealEstateListing"),
    (ONE_THING | OBJECT, "Product Book video.movie"),
    (OBJECT, "profile place restaurant.restaurant og:product"),
];

static BY_NAME: LazyLock<FxHashMap<String, TypeFlags>> = LazyLock::new(|| {
    let rows = TYPES
        .iter()
        .flat_map(|(flags, names)| names.split_ascii_whitespace().map(move |name| (name, *flags)));
    rows.map(|(name, flags)| (name.to_ascii_lowercase(), flags)).collect()
});

/// Longest name of a type.
const MAX_TYPE_BYTES: usize = 60;

fn flags_of(name: &str) -> TypeFlags {
    let name = name.trim();
    if name.len() > MAX_TYPE_BYTES {
        return 0;
    }
    BY_NAME.get(&name.to_ascii_lowercase()).copied().unwrap_or(0)
}

/// The name of a type without its vocabulary: `Product` of `https://schema.org/Product` and of
/// `schema:Product`. Of several types the first.
pub(crate) fn local_name(name: &str) -> &str {
    let first = name.split_ascii_whitespace().next().unwrap_or_default();
    first.rsplit(['/', ':', '#']).next().unwrap_or_default()
}

/// Longest name of a property that is split into words.
const MAX_NAME_CHARS: usize = 80;

/// The words of a name in lower case, split at punctuation and capitals: "date published" of `datePublished`.
pub(crate) fn name_words(name: &str) -> String {
    let mut words = String::new();
    let mut after_lowercase = false;
    for c in name.chars().take(MAX_NAME_CHARS) {
        if !c.is_alphanumeric() {
            if !words.ends_with(' ') {
                words.push(' ');
            }
            after_lowercase = false;
            continue;
        }
        if c.is_uppercase() && after_lowercase {
            words.push(' ');
        }
        after_lowercase = c.is_lowercase();
        words.extend(c.to_lowercase());
    }
    words.trim().to_owned()
}

/// The site, its pages and their parts. Some families of types are known by their names.
pub(crate) fn is_of_site(name: &str) -> bool {
    let name = local_name(name);
    name.starts_with("Web")
        || name.ends_with("Organization")
        || name.ends_with("Page")
        || flags_of(name) & SITE != 0
}

/// Where the page is in its site.
pub(crate) fn is_frame(name: &str) -> bool {
    let name = local_name(name);
    name.starts_with("Breadcrumb") || flags_of(name) & FRAME != 0
}

/// The trail of pages that leads to this one.
pub(crate) fn is_trail(name: &str) -> bool {
    local_name(name) == "BreadcrumbList"
}

/// A page of this type is a list.
pub(crate) fn is_list(name: &str) -> bool {
    flags_of(local_name(name)) & LIST != 0
}

/// A page with this type is not about one thing.
pub(crate) fn is_list_or_catalogue(name: &str) -> bool {
    is_list(name) || flags_of(local_name(name)) & CATALOGUE != 0
}

/// A text, not an object with fields.
pub(crate) fn is_text(name: &str) -> bool {
    flags_of(local_name(name)) & TEXT != 0
}

/// Belongs to a page or to one thing on it.
pub(crate) fn is_part_of_page_or_thing(name: &str) -> bool {
    flags_of(local_name(name)) & PART != 0
}

/// A page that declares it is about one thing.
pub(crate) fn is_one_thing(name: &str) -> bool {
    flags_of(local_name(name)) & ONE_THING != 0
}

/// A type of Open Graph that means one object with fields.
pub(crate) fn is_open_graph_object(name: &str) -> bool {
    flags_of(name) & OBJECT != 0
}

/// A type of Open Graph that means one object or one text.
pub(crate) fn is_open_graph_thing(name: &str) -> bool {
    flags_of(name) & (OBJECT | ONE_THING) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_in_the_table_once() {
        let names = TYPES.iter().flat_map(|(_, names)| names.split_ascii_whitespace());
        assert_eq!(names.count(), BY_NAME.len());
    }

    #[test]
    fn vocabularies_and_case_do_not_matter() {
        for name in ["Product", "product", "https://schema.org/Product", "schema:Product", "Product Thing"] {
            assert!(is_one_thing(name), "{name}");
        }
        assert!(is_of_site("ProfilePage") && is_of_site("NewsMediaOrganization") && !is_of_site("Product"));
        assert!(is_frame("Breadcrumb") && is_frame("ListItem") && !is_frame("ItemList"));
        assert!(is_text("Review") && is_part_of_page_or_thing("Review") && !is_text("Product"));
        assert!(is_list("product.group") && !is_list("OfferCatalog") && is_list_or_catalogue("OfferCatalog"));
        assert!(is_open_graph_thing("article") && !is_open_graph_object("article"));
    }
}
