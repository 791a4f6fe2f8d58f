//! Explores a website for its lists of records and reads them completely.
//!
//! In: a start URL, a [`Visitor`](copal_site::Visitor) and a [`Frontier`]. Out: records, list by list, and a
//! [`SiteReport`] that says how complete they are. The steps, one module each:
//!
//! 1. `page_reading` turns a page and its answer into [`PageFacts`]; `form_filling` plans what a search form would send,
//!    `suggestion_plan` what would be typed into a field that takes only suggestions,
//! 2. `planner` decides what to do next, without input or output (`link_ranking` scores links, `crawl_traps` bounds
//!    endless sites),
//! 3. [`Frontier`] keeps on disk what is queued, in flight and done,
//! 4. `explorer`, `item_reading`, `sitemap_start`, `suggestion_search` and `list_extraction` do it, politely: all requests go through `copal-fetch`,
//! 5. `verification` compares what was found with what the site announces; `second_reading` reads the records another way
//!    if it announces nothing; `report_html` shows it, with a
//!    `page_outline` of where things were found; `route_actions`
//!    tells what a visitor does to get from page to page, for the wrapper of the site.
//!
//! Several sites side by side: [`SiteBatch`] keeps on disk which of them are done, and [`SiteQueue`] says which is next.
//! [`match_records`] finds the records that several sites have.
//!
//! Nothing is ever sent to a site except GET requests, and forms that are certainly searches by POST.

mod compared_records;
mod crawl_traps;
mod error;
mod explore_options;
mod explorer;
mod form_filling;
mod form_refilling;
mod form_refusal;
mod frontier;
mod frontier_items;
mod html_text;
mod item_reading;
mod link_ranking;
mod link_words;
mod list_extraction;
mod list_orders;
mod matching;
mod outline_html;
mod outline_marks;
mod page_facts;
mod page_outline;
mod page_reading;
mod page_size;
mod planner;
mod post_search;
mod redaction;
mod report_html;
mod route_actions;
mod run_memory;
mod run_state;
mod second_reading;
mod site_batch;
mod site_queue;
mod site_report;
mod sitemap_start;
mod start_fallback;
mod suggestion_field;
mod suggestion_plan;
mod suggestion_search;
mod url_keys;
mod verification;

pub use compared_records::SecondReading;
pub use crawl_traps::{TemplateYield, Trap, TrapBounds, trap, trap_key};
pub use error::{ExploreError, SinkError};
pub use explore_options::{ExploreOptions, SiteProgress};
pub use explorer::{Explorer, RecordSink, SiteMap};
pub use form_filling::{FillContext, FormPlan, FormSubmission, plan_form};
pub use form_refilling::{SentSearch, form_difference, refilled_searches};
pub use form_refusal::FormRefusal;
pub use frontier::Frontier;
pub use frontier_items::{FoundList, FrontierEntry, FrontierItem, ItemEnd};
pub use link_ranking::{DomainLinkWords, LinkScore, MIN_LINK_SCORE, score_link};
pub use matching::{RecordMatch, RecordMatches, SiteRecord, match_records};
pub use outline_marks::BlockKind;
pub use page_facts::{
    Announced, DomainFit, LinkFacts, LinkPosition, ListFacts, ListRead, PageClass, PageFacts,
};
pub use page_outline::{OutlineBlock, PageOutline, page_outline};
pub use page_reading::{read_page_facts, record_keys};
pub use planner::{
    PagePlan, PlanContext, PlannedAction, SiteState, Situation, choose_kind, next_state, plan_page,
};
pub use post_search::renewed_form;
pub use redaction::{redact, redact_report, redacted};
pub use report_html::{ReportParts, ReportSample, report_html};
pub use route_actions::{RouteAction, link_target, offers_choice, route_actions};
pub use site_batch::{BatchSite, SiteBatch, SiteResult};
pub use site_queue::{SiteQueue, site_names};
pub use site_report::SiteReport;
pub use suggestion_plan::SuggestionPlan;
pub use url_keys::{canonical_key, url_family, url_template};
pub use verification::{Evidence, ListEvidence, ReasonCode, SiteStatus, verify};
