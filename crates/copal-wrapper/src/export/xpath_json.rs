//! XPaths as JSON, for lxml and any other engine of XPath 1.0.
//!
//! `{"lists": [{"region", "record", "columns": {name: {"xpath", "attribute", "cut"…}}}]}`; docs/export.md says how it is read.

use super::Exported;
use super::literal::{Data, Language};
use super::plan::{List, Paths, common, lists};
use super::values;
use crate::file::{From, VERSION, Wrapper};

/// Elements that show no text of theirs.
const UNSEEN: &str = "self::script or self::style or self::template or self::noscript or self::iframe or self::object \
     or self::option or self::audio or self::video or self::canvas or self::head";

pub(super) fn export(wrapper: &Wrapper) -> Result<Exported, String> {
    let mut warnings = Vec::new();
    let lists = lists(wrapper, Paths::Xpath, &mut warnings)?;
    let lists: Vec<Data> =
        lists.iter().map(|list| list_data(list, &mut warnings)).collect::<Result<_, _>>()?;
    let mut map = vec![("copal".to_owned(), Data::Count(VERSION as usize))];
    map.extend(wrapper.url.as_deref().map(|url| ("url".to_owned(), url.into())));
    map.push(("hidden".into(), Data::Text(format!("ancestor-or-self::*[{UNSEEN} or {}]", values::HIDES))));
    map.push(("lists".into(), Data::List(lists)));
    Ok(Exported { text: Data::Map(map).write(Language::Json, 0) + "\n", warnings })
}

fn list_data(list: &List<'_>, warnings: &mut Vec<String>) -> Result<Data, String> {
    let record = list.record.as_ref();
    let needs = record.needs.as_deref().map(values::inside).transpose()?;
    let ways = list.ways.iter().map(|way| {
        let record = match (&needs, way.record.contains(" | ")) {
            (None, _) => way.record.clone(),
            (Some(needs), true) => format!("({})[{needs}]", way.record),
            (Some(needs), false) => format!("{}[{needs}]", way.record),
        };
        let pair = [("region", way.region.clone()), ("record", record)];
        pair.into_iter().map(|(name, path)| (name.to_owned(), Data::Text(path))).collect::<Vec<_>>()
    });
    let mut ways = ways.collect::<Vec<_>>().into_iter();
    let mut map = ways.next().unwrap_or_default();
    if list.elements != 1 {
        map.push(("elements".into(), Data::Count(list.elements)));
    }
    map.push(("columns".into(), Data::Map(columns(list, warnings))));
    let others: Vec<Data> = ways.map(Data::Map).collect();
    if !others.is_empty() {
        map.push(("otherwise".into(), Data::List(others)));
    }
    Ok(Data::Map(map))
}

fn columns(list: &List<'_>, warnings: &mut Vec<String>) -> Vec<(String, Data)> {
    let mut out = Vec::new();
    for column in &list.columns {
        let rule = column.rule;
        let mut places = Vec::new();
        for place in &column.places {
            match values::found(list, place.locator, rule.from) {
                Ok(paths) => {
                    let nth = place.locator.nth.filter(|&nth| nth > 1);
                    let mut map = vec![("xpath".to_owned(), Data::Text(paths.join(" | ")))];
                    map.extend(nth.map(|nth| ("nth".to_owned(), Data::Count(nth))));
                    places.push(map);
                }
                Err(why) => warnings.push(format!("column {:?}: a locator is left out: {why}", rule.name)),
            }
        }
        if places.is_empty() {
            warnings.push(format!("column {:?} is left out: it has no other locator", rule.name));
            continue;
        }
        let mut map = places.remove(0);
        match rule.from {
            From::Text => {}
            From::Href => map.push(("attribute".into(), "href".into())),
            From::Src => {
                map.push(("attribute".into(), Data::List(vec!["data-src".into(), "src".into()])));
            }
        }
        map.extend(common(rule));
        if !places.is_empty() {
            map.push(("otherwise".into(), Data::List(places.into_iter().map(Data::Map).collect())));
        }
        out.push((rule.name.clone(), Data::Map(map)));
    }
    out
}
