//! Cascade layers (`@layer`).
//!
//! Rules of later layers win over those of earlier ones, and rules without a layer over all layers. A layer inside
//! another one loses against that layer's own rules.

use rustc_hash::FxHashMap;

/// A layer of a page.
pub(crate) type LayerId = u16;

/// Layers that a page may have. Further ones share the last.
const MAX_LAYERS: usize = 1000;

/// All layers of a page.
#[derive(Debug)]
pub(crate) struct Layers {
    /// By layer: the positions of the layer and those around it among their siblings.
    paths: Vec<Vec<u16>>,
    names: FxHashMap<(LayerId, String), LayerId>,
    children: Vec<u16>,
}

impl Default for Layers {
    fn default() -> Layers {
        Layers { paths: vec![Vec::new()], names: FxHashMap::default(), children: vec![0] }
    }
}

impl Layers {
    /// What is in no layer.
    pub(crate) const UNLAYERED: LayerId = 0;

    /// The layer of this name (`a.b` is `b` inside `a`) inside another one. An empty name is always a new layer.
    pub(crate) fn inside(&mut self, outer: LayerId, name: &str) -> LayerId {
        let mut at = outer;
        for part in name.split('.').take(16) {
            if let Some(&known) = self.names.get(&(at, part.to_owned())).filter(|_| !part.is_empty()) {
                at = known;
                continue;
            }
            if self.paths.len() >= MAX_LAYERS {
                return at;
            }
            let mut path = self.paths[at as usize].clone();
            path.push(self.children[at as usize]);
            self.children[at as usize] += 1;
            let id = self.paths.len() as LayerId;
            self.paths.push(path);
            self.children.push(0);
            self.names.insert((at, part.to_owned()), id);
            at = id;
        }
        at
    }

    /// By layer: its rank. Higher ranks win.
    pub(crate) fn ranks(&self) -> Vec<u16> {
        // a layer's own rules come after all layers inside it
        let key = |id: &usize| {
            let mut path = self.paths[*id].clone();
            path.push(u16::MAX);
            path
        };
        let mut order: Vec<usize> = (0..self.paths.len()).collect();
        order.sort_by_cached_key(key);
        let mut ranks = vec![0; order.len()];
        for (rank, id) in order.into_iter().enumerate() {
            ranks[id] = rank as u16;
        }
        ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_layers_and_outer_rules_win() {
        let mut layers = Layers::default();
        let base = layers.inside(Layers::UNLAYERED, "base");
        let utilities = layers.inside(Layers::UNLAYERED, "utilities");
        let inner = layers.inside(utilities, "inner");
        assert_eq!(layers.inside(Layers::UNLAYERED, "utilities.inner"), inner);
        assert_eq!(layers.inside(Layers::UNLAYERED, "base"), base);
        let ranks = layers.ranks();
        let rank = |id: LayerId| ranks[id as usize];
        assert!(rank(base) < rank(inner) && rank(inner) < rank(utilities));
        assert!(rank(utilities) < rank(Layers::UNLAYERED));
        for n in 0..3000 {
            layers.inside(Layers::UNLAYERED, &format!("l{n}"));
        }
        assert!(layers.ranks().len() <= MAX_LAYERS);
    }
}
