//! Arguments of `copal domain learn`.

use crate::arguments::pages::PageArguments;
use crate::error::CliError;
use clap::Args;
use std::path::PathBuf;

/// Confidence from which a term is learned without a question.
const DEFAULT_THRESHOLD: f64 = 0.5;
/// The same thresholds with `--ask`: terms between them are asked about.
const DEFAULT_ASK_LOWER: f64 = 0.3;
const DEFAULT_ASK_UPPER: f64 = 0.7;

const EXAMPLES: &str = "\
Examples:
  copal domain learn real-estate pages/ --attribute location
  copal domain learn real-estate pages/ --attribute location --from seed.txt -o places.txt
  copal domain learn real-estate pages/ --attribute location --ask --lower 0.3 --upper 0.8
  copal domain learn real-estate more-pages/ --attribute location -o places.txt --continue
  copal domain learn used-cars pages/ --attribute model --from few.txt --truth all.txt

Every round reads all pages with the terms known so far, and learns the texts that are where other records of the page
have the attribute. FILE gets the new terms, FILE.labels the new labels, and FILE.refused those that were dropped or
that you refused. They are written after every round, so that an interrupted run loses nothing of its finished rounds,
and --continue goes on from them. To use the terms, name FILE under gazetteers in a domain.yaml.

Columns: extracted: nodes with the attribute, and (with --truth) how many of them are correct; learned: new terms, and how
many of them are correct; dropped: learned terms that no longer occur where the attribute is.

Exit codes: 0 done, 1 nothing learned, 2 wrong usage, 3 no page readable or FILE not writable.";

/// Learn terms and labels of an attribute from pages
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DomainLearnArguments {
    /// A built-in domain, or the path of a domain.yaml
    #[arg(value_name = "DOMAIN")]
    pub(super) domain: String,

    /// The attribute to learn: one whose values are words
    #[arg(short, long, value_name = "NAME")]
    pub(super) attribute: String,

    /// Start with these terms (one per line) instead of the domain's own terms of this attribute
    #[arg(long, value_name = "FILE")]
    pub(super) from: Option<PathBuf>,

    /// Learn what is certain enough, leave out the rest (the default)
    #[arg(long, conflicts_with = "ask")]
    pub(super) auto: bool,

    /// Ask on the terminal about terms between --lower and --upper
    #[arg(long)]
    pub(super) ask: bool,

    /// Leave out terms below this confidence, from 0 to 1 [default: 0.5; with --ask 0.3]
    #[arg(long, value_name = "L", value_parser = parse_fraction)]
    lower: Option<f64>,

    /// Learn terms from this confidence on without asking, from 0 to 1 [default: 0.5; with --ask 0.7]
    #[arg(long, value_name = "U", value_parser = parse_fraction)]
    upper: Option<f64>,

    /// Share of a page's records that must have the attribute at a place before others are learned from it
    #[arg(long, value_name = "G", value_parser = parse_fraction,
        default_value_t = copal::gazetteer_learning::LearnOptions::default().support)]
    pub(super) support: f64,

    /// Maximum number of rounds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) rounds: u16,

    /// A list of all true terms: adds columns that say how correct each round is
    #[arg(long, value_name = "FILE")]
    pub(super) truth: Option<PathBuf>,

    /// File for the new terms [default: DOMAIN-ATTRIBUTE-learned.txt]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Go on from the files of an earlier run: its terms and labels are known, and what it dropped or you refused is
    /// not learned again
    #[arg(long = "continue")]
    pub(super) resume: bool,

    /// Replace FILE, FILE.labels and FILE.refused if they exist
    #[arg(long, conflicts_with = "resume")]
    pub(super) overwrite: bool,

    /// Megabytes of pages that stay in memory between rounds; others are read again
    #[arg(long, value_name = "MB", default_value_t = 100)]
    pub(super) memory: usize,

    #[command(flatten)]
    pub(super) pages: PageArguments,
}

fn parse_fraction(text: &str) -> Result<f64, CliError> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| CliError::usage("expected a number from 0 to 1"))
}

impl DomainLearnArguments {
    /// The lower and the upper threshold.
    pub(super) fn thresholds(&self) -> Result<(f64, f64), CliError> {
        let (lower, upper) = match (self.lower, self.upper, self.ask) {
            (lower, upper, true) => {
                let lower = lower
                    .unwrap_or_else(|| upper.map_or(DEFAULT_ASK_LOWER, |upper| upper.min(DEFAULT_ASK_LOWER)));
                (lower, upper.unwrap_or_else(|| lower.max(DEFAULT_ASK_UPPER)))
            }
            (Some(both), None, false) | (None, Some(both), false) => (both, both),
            (lower, upper, false) => (lower.unwrap_or(DEFAULT_THRESHOLD), upper.unwrap_or(DEFAULT_THRESHOLD)),
        };
        if lower > upper {
            return Err(CliError::usage(format_args!("--lower {lower} is above --upper {upper}")));
        }
        Ok((lower, upper))
    }

    /// The file for the new terms.
    pub(super) fn terms_file(&self, domain: &str) -> PathBuf {
        let default = || PathBuf::from(format!("{domain}-{}-learned.txt", self.attribute));
        self.output.clone().unwrap_or_else(default)
    }
}
