//! Templates of a crawl: pages are grouped as they come, and what was learned from a block of pages is used from the next
//! one on.
//!
//! Blocks make the result independent of the number of workers: which pages are read with a template depends only on the
//! order of the input. Templates do not outlive a part, so that a run that is resumed learns the same ones.

use super::messages::{PageHead, PageKindFound, PageReport, WorkerTask};
use super::worker_pool::WorkerPool;
use copal_tasks::{KnownTemplate, TemplateGroups};

/// Pages of the first block of a part. Each block is twice as long as the one before: the first templates are learned
/// early, and later blocks are so long that waiting for their last page costs little.
const FIRST_BLOCK_PAGES: usize = 4;
/// Pages of the longest block.
const LAST_BLOCK_PAGES: usize = 1024;

/// The groups of a part.
pub(super) struct TemplateLearning {
    /// Pages of a template that are extracted before it is learned.
    learn_after: usize,
    groups: TemplateGroups<(PageHead, Vec<u8>)>,
    block_pages: usize,
}

impl TemplateLearning {
    pub(super) fn new(learn_after: usize) -> TemplateLearning {
        TemplateLearning {
            learn_after,
            groups: TemplateGroups::new(learn_after),
            block_pages: FIRST_BLOCK_PAGES,
        }
    }

    /// Pages of the current block.
    pub(super) fn block_pages(&self) -> usize {
        self.block_pages
    }

    /// Adds a page that was extracted in full.
    pub(super) fn add(&mut self, head: &PageHead, body: Option<Vec<u8>>, report: &PageReport) {
        let Some((body, sketch)) = body.zip(report.sketch.clone()) else { return };
        if report.found == PageKindFound::Nothing || report.is_partial || report.error.is_some() {
            return;
        }
        let bytes = body.len();
        self.groups.add(head.host(), sketch, report.confidence, bytes, || (head.clone(), body));
    }

    /// Ends a block: learns what can be learned now, and tells the workers.
    pub(super) fn learn(&mut self, pool: &WorkerPool) {
        self.block_pages = (self.block_pages * 2).min(LAST_BLOCK_PAGES);
        let tasks = self.groups.take_ready();
        let submitted: Vec<_> = tasks
            .into_iter()
            .map(|task| {
                let (pages, bodies) = task.samples.into_iter().unzip();
                (task.host, task.sketch, pool.submit(WorkerTask::Learn { pages }, bodies))
            })
            .collect();
        for (host, sketch, reply) in submitted {
            // a template whose learning fails or takes too long is not used
            if let Ok(Ok((report, _))) = reply.recv()
                && let Some(content) = report.template
            {
                pool.add_template(KnownTemplate { host, sketch, content });
            }
        }
    }

    /// Begins a part.
    pub(super) fn forget(&mut self, pool: &WorkerPool) {
        *self = TemplateLearning::new(self.learn_after);
        pool.forget_templates();
    }
}
