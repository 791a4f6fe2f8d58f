//! Which pages of a crawl share a template, and when there are enough of them to learn it.
//!
//! In: pages that were extracted in full, with the sketch of their template. Out: tasks to learn a template from the
//! best pages of a group. Learning costs as much as extracting several pages, so that a group has to show first
//! that it is large. The same pages in the same order give the same tasks. Memory is bounded: once there are too many
//! groups or samples, further templates are not learned.

use crate::template_reading::{TemplateSketch, is_same_template};
use std::collections::BTreeMap;

/// Pages that a template is learned from, if there are so many.
const SAMPLES_PER_TEMPLATE: usize = 4;
/// Pages without which it is not known what a template is.
const MIN_SAMPLES: usize = 2;
/// Templates of one site that are told apart.
const MAX_TEMPLATES_PER_SITE: usize = 64;
/// Bytes of the samples of all groups.
const MAX_SAMPLE_BYTES: usize = 256 << 20;

/// A template to learn.
#[derive(Debug)]
pub struct TemplateTask<Sample> {
    /// The site.
    pub host: String,
    /// The first page of the group.
    pub sketch: TemplateSketch,
    /// The best pages.
    pub samples: Vec<Sample>,
}

/// Pages by site and template.
#[derive(Debug)]
pub struct TemplateGroups<Sample> {
    /// Pages of a group after which it is learned.
    learn_after: usize,
    by_host: BTreeMap<String, Vec<TemplateGroup<Sample>>>,
    sample_bytes: usize,
}

#[derive(Debug)]
struct TemplateGroup<Sample> {
    sketch: TemplateSketch,
    pages: usize,
    /// The surest pages so far, with confidence and size; empty after they were given out.
    samples: Vec<(f64, usize, Sample)>,
    is_given_out: bool,
}

impl<Sample> TemplateGroups<Sample> {
    /// No groups yet. A template is learned when `learn_after` pages of it were extracted, and not before there are two.
    pub fn new(learn_after: usize) -> TemplateGroups<Sample> {
        let learn_after = learn_after.max(MIN_SAMPLES);
        TemplateGroups { learn_after, by_host: BTreeMap::new(), sample_bytes: 0 }
    }

    /// Adds a page with a list or an object, and how sure its extraction is.
    pub fn add(
        &mut self,
        host: &str,
        sketch: TemplateSketch,
        confidence: f64,
        bytes: usize,
        sample: impl FnOnce() -> Sample,
    ) {
        if self.sample_bytes + bytes > MAX_SAMPLE_BYTES {
            return;
        }
        let groups = self.by_host.entry(host.to_owned()).or_default();
        let known = groups.iter().position(|group| is_same_template(&group.sketch, &sketch));
        let at = known.unwrap_or_else(|| {
            if groups.len() < MAX_TEMPLATES_PER_SITE {
                groups.push(TemplateGroup { sketch, pages: 0, samples: Vec::new(), is_given_out: false });
            }
            groups.len() - 1
        });
        let group = &mut groups[at];
        if group.is_given_out || known.is_none() && !group.samples.is_empty() {
            return;
        }
        group.pages += 1;
        self.sample_bytes += bytes;
        group.samples.push((confidence, bytes, sample()));
        // the sort is stable: of pages that are equally sure, the first ones stay
        group.samples.sort_by(|one, other| other.0.total_cmp(&one.0));
        if group.samples.len() > SAMPLES_PER_TEMPLATE
            && let Some((_, bytes, _)) = group.samples.pop()
        {
            self.sample_bytes -= bytes;
        }
    }

    /// The templates that can be learned now, each once.
    pub fn take_ready(&mut self) -> Vec<TemplateTask<Sample>> {
        let mut tasks = Vec::new();
        for (host, groups) in &mut self.by_host {
            for group in groups.iter_mut() {
                if group.is_given_out || group.pages < self.learn_after {
                    continue;
                }
                group.is_given_out = true;
                let samples = std::mem::take(&mut group.samples);
                self.sample_bytes -= samples.iter().map(|(_, bytes, _)| bytes).sum::<usize>();
                tasks.push(TemplateTask {
                    host: host.clone(),
                    sketch: group.sketch.clone(),
                    samples: samples.into_iter().map(|(.., sample)| sample).collect(),
                });
            }
        }
        tasks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_given_out_once_with_its_best_pages() {
        let mut groups = TemplateGroups::new(5);
        for (at, confidence) in [0.5, 0.9, 0.7, 0.8, 0.6].into_iter().enumerate() {
            groups.add("a.example", vec![1, 2, 3], confidence, 10, || at);
            groups.add("b.example", vec![1, 2, 3], confidence, 10, || at + 10);
        }
        groups.add("a.example", vec![7, 8, 9], 1.0, 10, || 99);
        let tasks = groups.take_ready();
        let hosts: Vec<&str> = tasks.iter().map(|task| task.host.as_str()).collect();
        assert_eq!(hosts, ["a.example", "b.example"]);
        assert_eq!(tasks[0].samples, [1, 3, 2, 4]);
        groups.add("a.example", vec![1, 2, 3], 1.0, 10, || 5);
        assert!(groups.take_ready().is_empty());
        assert_eq!(groups.sample_bytes, 10, "only the single page of the other template is kept");
    }

    #[test]
    fn samples_are_bounded() {
        let mut groups = TemplateGroups::new(200);
        for at in 0..100 {
            groups.add("a.example", vec![at], 1.0, MAX_SAMPLE_BYTES / 10, || at);
        }
        assert!(groups.sample_bytes <= MAX_SAMPLE_BYTES);
    }
}
