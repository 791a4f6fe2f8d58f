//! What the `copal` command, its HTTP service and its MCP server share: how options become a request, which columns
//! are kept, how wrappers are learned and checked, and how reports look as JSON.
//!
//! Everything here is a function of pages and options. Reading inputs, fetching and printing are up to the programs.

mod choice;
mod column_choice;
mod error;
pub mod frames;
mod full_reason;
mod hangup;
mod learning;
pub mod memory_limit;
mod option_style;
mod own_program;
mod reports;
mod suggestion;
mod template_groups;
mod template_learning;
mod template_reading;
mod wrapper_pages;

pub use choice::{describe_missing, list_choice, parse_field};
pub use column_choice::{ColumnChoice, ColumnSelection};
pub use error::{TaskError, TaskErrorKind, catch_panic};
pub use full_reason::FullReason;
pub use hangup::is_hangup_ignored;
pub use learning::{LearnedPages, learn_pages, with_columns};
pub use option_style::OptionStyle;
pub use own_program::own_program;
pub use reports::{check_report, repair_report, sections_report};
pub use suggestion::closest;
pub use template_groups::{TemplateGroups, TemplateTask};
pub use template_learning::{TemplateSample, learn_template};
pub use template_reading::{
    KnownTemplate, LearnedTemplates, TemplateAnswer, TemplateContent, TemplateSketch, template_site,
};
pub use wrapper_pages::{PageFetch, WrapperPages};
