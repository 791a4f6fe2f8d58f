//! From records to a table: values, columns, types, names and confidence, one step per file.
//!
//! In: the records of a list. Out: columns, and one cell per record and column. The entry point is
//! `build_region`; `alignment` runs the steps in their order. Near-linear in the nodes of the records.

pub(crate) mod alignment;
mod amount_runs;
mod attribute_columns;
pub(crate) mod build_region;
pub(crate) mod cell_budget;
pub(crate) mod class_names;
mod column_draft;
pub(crate) mod column_names;
pub(crate) mod column_values;
pub(crate) mod confidence;
mod content_names;
mod exclusive_columns;
mod field_terms;
pub(crate) mod field_words;
mod html_tables;
mod inline_lines;
mod leftover_columns;
mod line_templates;
mod nested_lists;
mod page_furniture;
mod part_layout;
mod prose_blocks;
mod prune_columns;
pub(crate) mod record_values;
pub(crate) mod region_xpaths;
mod repeated_values;
pub(crate) mod reread_dates;
mod role_names;
pub(crate) mod section_column;
pub(crate) mod snake_case;
mod split_columns;
mod state_words;
mod text_names;
mod unit_columns;
mod value_names;
mod value_pairs;
pub(crate) mod value_types;
