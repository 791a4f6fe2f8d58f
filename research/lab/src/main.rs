//! The `copal-lab` command: everything that measures copal and that its users do not need.
//!
//! Each subcommand is one file (or one folder). Results go to files or standard output, everything else to
//! standard error. Exit codes: 0 done, 1 answers or scores differ from what was recorded, 2 wrong usage, 3 an
//! input could not be read or a page failed.

mod across;
mod across_objects;
mod answer;
mod candidates;
mod confidence;
mod corpus;
mod derive;
mod deuds_table;
mod error;
mod eval;
mod fields;
mod floors;
mod freeze;
mod gate;
mod hash;
mod kinds;
mod learned_columns;
mod noise;
mod options;
mod papers;
mod predict;
mod random;
mod report;
mod stable_columns;
mod standard;
mod style_agreement;
mod survive;
mod text;
mod throughput;
mod verticals;

use clap::{Parser, Subcommand};
use error::LabError;
use report::Outcome;
use std::process::ExitCode;

/// Measure copal on corpora with known answers
#[derive(Debug, Parser)]
#[command(name = "copal-lab", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Debug, Subcommand)]
enum LabCommand {
    Eval(Box<eval::EvalArgs>),
    Freeze(freeze::FreezeArgs),
    Floors(floors::FloorsArgs),
    Candidates(candidates::CandidatesArgs),
    Kinds(kinds::KindsArgs),
    Fields(fields::FieldsArgs),
    Confidence(confidence::ConfidenceArgs),
    Survive(survive::SurviveArgs),
    Across(across::AcrossArgs),
    AcrossObjects(across_objects::AcrossObjectsArgs),
    Columns(stable_columns::StableColumnsArgs),
    LearnedColumns(learned_columns::LearnedColumnsArgs),
    Derive(derive::DeriveArgs),
    DeudsTable(deuds_table::DeudsTableArgs),
    Noise(noise::NoiseArgs),
    Papers(papers::PapersArgs),
    Styles(style_agreement::StylesArgs),
    Throughput(throughput::ThroughputArgs),
}

fn run(command: &LabCommand) -> Result<Outcome, LabError> {
    match command {
        LabCommand::Eval(args) => eval::run(args),
        LabCommand::Freeze(args) => freeze::run(args),
        LabCommand::Floors(args) => floors::run(args),
        LabCommand::Candidates(args) => candidates::run(args),
        LabCommand::Kinds(args) => kinds::run(args),
        LabCommand::Fields(args) => fields::run(args),
        LabCommand::Confidence(args) => confidence::run(args),
        LabCommand::Survive(args) => survive::run(args),
        LabCommand::Across(args) => across::run(args),
        LabCommand::AcrossObjects(args) => across_objects::run(args),
        LabCommand::Columns(args) => stable_columns::run(args),
        LabCommand::LearnedColumns(args) => learned_columns::run(args),
        LabCommand::Derive(args) => derive::run(args),
        LabCommand::DeudsTable(args) => deuds_table::run(args),
        LabCommand::Noise(args) => noise::run(args),
        LabCommand::Papers(args) => papers::run(args),
        LabCommand::Styles(args) => style_agreement::run(args),
        LabCommand::Throughput(args) => throughput::run(args),
    }
}

fn main() -> ExitCode {
    // A panic on one page becomes an error of that page; the message of the default hook would only interrupt
    // the output.
    std::panic::set_hook(Box::new(|info| {
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value == "full") {
            eprintln!("{info}");
        }
    }));
    match run(&Cli::parse().command) {
        Ok(outcome) => ExitCode::from(outcome.code()),
        Err(error) => {
            report::error(&error);
            ExitCode::from(error.code())
        }
    }
}
