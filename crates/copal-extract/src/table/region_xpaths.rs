//! XPaths of regions, records and cells.
//!
//! In: a page and regions that were read from it. Out: the same regions with a shared [`XPathTable`] of all
//! nodes they refer to. There is one table per page: a table per region would count the siblings of shared
//! ancestors again and again. O(referenced nodes, their ancestors and the siblings of these).

use copal_dom::{Node, Page, xpath::XPathTable};
use copal_model::{Record, Region, RegionPlace};
use std::sync::Arc;

/// Adds XPaths to regions, their records and the lists nested in these.
pub(crate) fn add_xpaths(page: &Page, regions: &mut [Region]) {
    let mut builder = XPathTable::builder(&page.tree);
    for region in regions.iter() {
        region_nodes(region, &mut |node| builder.add(node));
    }
    let table = Arc::new(builder.finish());
    let mut open: Vec<&mut Region> = regions.iter_mut().collect();
    while let Some(region) = open.pop() {
        if let RegionPlace::Element { xpaths, .. } = &mut region.place {
            *xpaths = table.clone();
        }
        for section in &mut region.sections {
            if let RegionPlace::Element { xpaths, .. } = &mut section.place {
                *xpaths = table.clone();
            }
        }
        for record in &mut region.records {
            record.place.xpaths = table.clone();
            open.extend(&mut record.children);
        }
    }
}

/// Visits the nodes that a region refers to.
fn region_nodes(region: &Region, visit: &mut impl FnMut(Node)) {
    let mut open = vec![region];
    while let Some(region) = open.pop() {
        for place in std::iter::once(&region.place).chain(region.sections.iter().map(|one| &one.place)) {
            if let RegionPlace::Element { node, .. } = place {
                visit(*node);
            }
        }
        for record in &region.records {
            record_nodes(record, visit);
            open.extend(&record.children);
        }
    }
}

/// Visits the nodes that a record refers to, without those of nested lists.
pub(crate) fn record_nodes(record: &Record, visit: &mut impl FnMut(Node)) {
    record.place.tops.iter().for_each(|&node| visit(node));
    let texts = record.cells.iter().flat_map(|cell| &cell.texts);
    texts.filter_map(|text| text.source.as_ref()).for_each(|source| visit(source.node));
}
