//! The experiments of thesis 7.1.2: what is changed in each row of the tables.
//!
//! In: a domain. Out: [`NoiseSetting`]s: robustness (Figures 7.12 and 7.13), the pivot (7.8), both thresholds
//! of attribute alignment (7.9 and 7.10) and the constituent scores (7.11).

use super::disturb::AnnotationChange;
use copal::{AmberOptions, Domain};
use std::sync::Arc;

/// Shares of false annotations that are added.
const ADDED_SHARES: [f64; 6] = [0.25, 0.5, 1.0, 1.5, 2.0, 3.0];
/// Shares of removed instances.
const REMOVED_SHARES: [f64; 3] = [0.25, 0.5, 0.75];
/// The constituent scores, in the order of their weights.
const SCORE_NAMES: [&str; 5] = ["annotation", "redundancy", "label", "span", "font"];

/// One row of the tables.
pub(crate) struct NoiseSetting {
    /// Which table it is in.
    pub(crate) experiment: &'static str,
    /// Its name there.
    pub(crate) name: String,
    /// Its position on the axis of the plot.
    pub(crate) x: f64,
    pub(crate) change: AnnotationChange,
    /// Attributes whose annotations are changed.
    pub(crate) attributes: Vec<usize>,
    pub(crate) options: AmberOptions,
}

/// All rows for a domain; the first is the clean run.
pub(crate) fn all(domain: &Arc<Domain>) -> Vec<NoiseSetting> {
    let options = AmberOptions { domain: Some(Arc::clone(domain)), ..AmberOptions::default() };
    let row = |experiment, name: String, x| NoiseSetting {
        experiment,
        name,
        x,
        change: AnnotationChange::None,
        attributes: Vec::new(),
        options: options.clone(),
    };
    let mut rows = vec![row("clean", "clean".to_owned(), 0.0)];
    let recognised = |&a: &usize| a != domain.pivot && domain.attributes[a].is_recognised();
    let others: Vec<usize> = (0..domain.attributes.len()).filter(recognised).collect();
    for (target, attributes) in [("pivot", vec![domain.pivot]), ("others", others)] {
        let mut robust = |experiment, share: f64, sign: char, note: &str, change| {
            let name = format!("{target} {sign}{:.0}%{note}", 100.0 * share);
            rows.push(NoiseSetting {
                change,
                attributes: attributes.clone(),
                ..row(experiment, name, 100.0 * share)
            });
        };
        let is_pivot = target == "pivot";
        for share in ADDED_SHARES {
            robust(
                if is_pivot { "pivot-added" } else { "others-added" },
                share,
                '+',
                "",
                AnnotationChange::Add(share),
            );
        }
        for share in REMOVED_SHARES {
            let change = AnnotationChange::Remove { share, labelled: true };
            robust(if is_pivot { "pivot-removed" } else { "others-removed" }, share, '-', "", change);
        }
        for share in REMOVED_SHARES.iter().copied().filter(|_| !is_pivot) {
            let change = AnnotationChange::Remove { share, labelled: false };
            robust("others-removed-unlabelled", share, '-', ", labelled ones stay", change);
        }
    }
    for name in ["price", "url", "image", "location", "make", "model"] {
        if let Some(pivot) = domain.attribute(name) {
            let mut setting = row("pivot-choice", name.to_owned(), 0.0);
            setting.options.pivot = Some(pivot);
            rows.push(setting);
        }
    }
    for keep in 0..=7 {
        let mut setting = row("keep", format!("keep 0.{keep}"), f64::from(keep) / 10.0);
        setting.options.alignment.keep = setting.x;
        rows.push(setting);
    }
    for infer in 3..=9 {
        let mut setting = row("infer", format!("infer 0.{infer}"), f64::from(infer) / 10.0);
        setting.options.alignment.infer = setting.x;
        rows.push(setting);
    }
    for (weight, word) in [(0.0, "without"), (2.0, "twice")] {
        for (i, name) in SCORE_NAMES.iter().enumerate() {
            let mut setting = row("scores", format!("{word} {name}"), weight);
            setting.options.alignment.weights[i] = weight;
            rows.push(setting);
        }
    }
    // whether they are needed at all, and whether their sign matters
    for (name, weight) in [("without all five", 0.0), ("all five reversed", -1.0)] {
        let mut setting = row("scores", name.to_owned(), weight);
        setting.options.alignment.weights = [weight; SCORE_NAMES.len()];
        rows.push(setting);
    }
    rows
}
