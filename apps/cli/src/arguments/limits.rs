//! Limits of a page.

use crate::error::CliError;
use clap::Args;
use copal::Limits;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits (a page that hits one gives a partial result)")]
pub(crate) struct LimitArguments {
    /// Bytes of a page [default: 10000000]
    #[arg(long, value_name = "N", value_parser = parse_whole_number)]
    limit_bytes: Option<usize>,
    /// Nodes of its tree [default: 500000]
    #[arg(long, value_name = "N", value_parser = parse_whole_number)]
    limit_nodes: Option<usize>,
    /// Depth of its tree [default: 512]
    #[arg(long, value_name = "N", value_parser = parse_whole_number)]
    limit_depth: Option<usize>,
    /// Bytes of one HTML attribute [default: 1000000]
    #[arg(long, value_name = "N", value_parser = parse_whole_number)]
    limit_attribute_bytes: Option<usize>,
    /// HTML attributes of one tag [default: 10000]
    #[arg(long, value_name = "N", value_parser = parse_whole_number)]
    limit_attributes: Option<usize>,
    /// Bytes of its text [default: 8000000]
    #[arg(long, value_name = "N", value_parser = parse_whole_number)]
    limit_text_bytes: Option<usize>,
    /// Milliseconds of processor time to parse it [default: 20000]
    #[arg(long, value_name = "MS", value_parser = parse_whole_number)]
    limit_time: Option<usize>,
}

impl LimitArguments {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        let set = |field: &mut usize, value: Option<usize>| *field = value.unwrap_or(*field);
        set(&mut limits.bytes, self.limit_bytes);
        set(&mut limits.nodes, self.limit_nodes);
        set(&mut limits.depth, self.limit_depth);
        set(&mut limits.attribute_bytes, self.limit_attribute_bytes);
        set(&mut limits.attributes, self.limit_attributes);
        set(&mut limits.text_bytes, self.limit_text_bytes);
        limits.time = self.limit_time.map_or(limits.time, |ms| Duration::from_millis(ms as u64));
        limits
    }
}

fn parse_whole_number(text: &str) -> Result<usize, CliError> {
    text.parse().map_err(|_| CliError::usage("expected a whole number"))
}
