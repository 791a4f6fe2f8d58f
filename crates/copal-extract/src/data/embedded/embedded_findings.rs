//! What the embedded data of a page adds to the lists that it shows, and whether it holds the main list.
//!
//! In: the regions that the page shows. Out: further columns of these regions, and [`EmbeddedFindings`]:
//! warnings, decisions, and a list that only the data has. Such a list is used if the page shows no list that
//! is clearly the main one or, if data was requested, one with far less text.

use super::embedded_regions::{DataOnlyList, add_fields, data_only_list, has_no_own_name, name_by_keys};
use crate::signals::Signals;
use copal_dom::url::BaseUrl;
use copal_dom::xpath::XPaths;
use copal_dom::{Limit, Node, Warning};
use copal_model::{Decision, Method, Region, RegionPlace, Role};

/// A list in the data that has nothing in common with the shown list becomes the main list if it has this
/// many times as much text.
const RICHER_DATA_FACTOR: usize = 4;
/// Maximum number of malformed texts that are reported. Each report has an XPath, and a page may have any
/// number of broken scripts.
const MAX_MALFORMED_COUNT: usize = 500;

/// What embedded data says about a page.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedFindings {
    /// The page's main list, if only the data has it.
    pub(crate) main_list: Option<Region>,
    /// What was joined or chosen, and why.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) warnings: Vec<Warning>,
}

/// Reads the embedded data of a page. With `join`, its fields become columns of the regions that show the
/// same records.
pub(crate) fn find(
    signals: &Signals<'_>,
    join: bool,
    method: Method,
    base: &BaseUrl,
    regions: &mut [Region],
) -> EmbeddedFindings {
    let page = signals.page;
    let data = super::read(signals);
    let xpaths = XPaths::new(&page.tree);
    let xpath = |node: Node| xpaths.bounded(node).unwrap_or_default();
    let mut findings = EmbeddedFindings::default();
    let mut is_main_joined = false;
    if join {
        for region in regions.iter_mut() {
            let joined = add_fields(region, &data, base);
            is_main_joined |= region.role == Role::Primary && !joined.is_empty();
            let decision = |(node, text)| Decision::stated(xpath(node), text);
            findings.decisions.extend(joined.into_iter().map(decision));
        }
        let malformed = data.malformed.iter().take(MAX_MALFORMED_COUNT);
        findings.warnings.extend(
            malformed.map(|(node, why)| Warning::Malformed { xpath: xpath(*node), why: why.clone() }),
        );
        findings.warnings.extend(data.cut.then_some(Warning::Limit(Limit::Work)));
    }
    // a list that is only possible does not compete with the data
    let shown = regions.iter().find(|region| region.role == Role::Primary);
    let shown = shown.map(|region| region.records.iter().map(|record| record.text.len()).sum::<usize>());
    let is_main = |found: &DataOnlyList| match shown {
        None => join || found.is_script_rendered,
        Some(shown) => join && !is_main_joined && found.text > RICHER_DATA_FACTOR * shown,
    };
    if let Some(found) = data_only_list(page, &data, base, method).filter(is_main) {
        findings.decisions.insert(0, Decision::stated(xpath(found.place), format!("primary: {}", found.why)));
        findings.warnings.push(Warning::NotShown { xpath: xpath(found.place) });
        findings.main_list = Some(Region { place: RegionPlace::element(found.place), ..found.region });
    }
    findings
}

/// Names the columns of the main list that nothing on the page names by the keys of the page's data. The data is
/// only read if most records have such a column.
pub(crate) fn name_columns(signals: &Signals<'_>, base: &BaseUrl, regions: &mut [Region]) {
    let Some(region) = regions.iter_mut().find(|region| region.role == Role::Primary) else { return };
    if region.columns.iter().any(|column| has_no_own_name(column) && column.support > 0.5) {
        name_by_keys(region, &super::read(signals), base);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Request, extract};
    use copal_dom::{Limits, Page};
    use copal_model::NamedBy;

    #[test]
    fn keys_of_the_data_name_columns_that_nothing_else_names() {
        let brands = ["Lumo", "Hell", "Lumo", "Nox", "Klar", "Nox", "Lumo", "Hell"];
        let item = |n: usize| {
            format!("<li><h3><a href=/p/{n}>Lamp number {n}</a></h3><i>{}</i><p>£{n}9.50</p></li>", brands[n])
        };
        let object = |n: usize| {
            let brand = brands[n];
            format!(r#"{{"@type":"Product","name":"Lamp number {n}","url":"/p/{n}","maker":"{brand}"}}"#)
        };
        let items: String = (0..8).map(item).collect();
        let objects: Vec<String> = (0..8).map(object).collect();
        let data = |key: &str| objects.join(",").replace("maker", key);
        for key in ["maker", "brand"] {
            let html =
                format!("<body><ul>{items}</ul><script type=application/ld+json>[{}]</script>", data(key));
            let answer = extract(&Page::from_text(&html, &Limits::default()), &Request::default());
            let list = answer.primary().expect("a list");
            let column = list.columns.iter().find(|column| column.name == key).expect("a column of the key");
            assert_eq!(column.named_by, NamedBy::Property);
        }
        // without the data nothing says what the texts are
        let answer =
            extract(&Page::from_text(&format!("<ul>{items}</ul>"), &Limits::default()), &Request::default());
        let list = answer.primary().expect("a list");
        assert!(list.columns.iter().all(|column| column.name != "maker" && column.name != "brand"));
    }
}
