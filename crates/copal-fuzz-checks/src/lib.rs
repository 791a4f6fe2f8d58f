//! What fuzzing checks of every reader of outside input.
//!
//! In: any bytes. Out: nothing, or a panic where a reader breaks its promise: it depends on more than its input, exceeds
//! a bound, or contradicts itself. The fuzz targets in `fuzz/` and the test of the stored inputs
//! (`fuzz/inputs`) call the same functions, so that what fuzzing once found is checked by every test run.
//!
//! Some readers are private to their crates. Their sources are compiled into this crate: that needs neither a wider
//! interface there nor, when fuzzing, a build of a whole crate with all it depends on.

mod checks;
mod generated_html;
mod generated_wrapper;
mod variants;

/// Sources of other crates, under the names that they use for each other.
macro_rules! sources {
    ($($module:ident = $path:literal;)*) => {
        $(
            #[allow(dead_code, unexpected_cfgs, unreachable_pub, missing_docs, clippy::all, clippy::pedantic, clippy::unwrap_used)]
            #[path = $path]
            mod $module;
        )*
    };
}

sources! {
    allowed_url = "../../copal-fetch/src/allowed_url.rs";
    arena_checks = "../../copal-dom/tests/common/mod.rs";
    body_decoding = "../../copal-fetch/src/decode/mod.rs";
    browser_snapshot = "../../copal-render/src/snapshot.rs";
    captured = "../../copal-render/src/captured.rs";
    config_file = "../../../apps/cli/src/config_file.rs";
    cookie_jar = "../../copal-fetch/src/cookie_jar.rs";
    credentials = "../../copal-fetch/src/credentials.rs";
    error = "../../copal-fetch/src/error.rs";
    form_filling = "../../copal-explore/src/form_filling.rs";
    form_refusal = "../../copal-explore/src/form_refusal.rs";
    ip_ranges = "../../copal-fetch/src/ip_ranges.rs";
    link_words = "../../copal-explore/src/link_words.rs";
    page_facts = "../../copal-explore/src/page_facts.rs";
    page_reading = "../../copal-explore/src/page_reading.rs";
    page_size = "../../copal-explore/src/page_size.rs";
    post_search = "../../copal-explore/src/post_search.rs";
    reference_tree = "../../copal-dom/tests/same_tree/reference.rs";
    replay = "../../copal-site/src/replay/mod.rs";
    response_headers = "../../copal-fetch/src/response_headers.rs";
    robots_rules = "../../copal-fetch/src/robots.rs";
    sitemap = "../../copal-fetch/src/sitemap.rs";
    suggestion_plan = "../../copal-explore/src/suggestion_plan.rs";
    sync = "../../copal-fetch/src/sync.rs";
    url_keys = "../../copal-explore/src/url_keys.rs";
}

/// What the decoders of bodies need of the options of fetching.
mod options {
    /// The limits that decoders look at.
    #[derive(Debug, Default)]
    pub(crate) struct FetchLimits {
        pub(crate) decoded_bytes: usize,
        pub(crate) compression_ratio: usize,
    }
}

pub use checks::{FUZZ_CHECKS, FuzzCheck, fuzz_check};
pub use variants::try_all_variants;
