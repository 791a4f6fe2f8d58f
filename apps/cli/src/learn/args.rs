//! What can be said to `copal domain learn`, and its help.

use crate::args::{LimitArgs, RunArgs};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal domain learn real-estate pages/ --attribute location
  copal domain learn real-estate pages/ --attribute location --from seed.txt -o places.txt
  copal domain learn real-estate pages/ --attribute location --ask --lower 0.3 --upper 0.8
  copal domain learn used-cars pages/ --attribute model --from few.txt --truth all.txt

Every round reads all pages with what is known so far and takes what stands where other records
of a page have the attribute. FILE holds the new terms, FILE.labels the new labels; both are
written anew after every round: an interrupted run loses nothing of its finished rounds. To use
the terms, name FILE under gazetteers in a domain.yaml.

Columns: extracted: nodes with the attribute, and (by --truth) how many of them are correct;
learned: new terms, and how many of them are correct; dropped: learned terms that no longer occur
where the attribute is.

Exit codes: 0 done, 1 nothing learned, 2 wrong usage, 3 no page readable or FILE not writable.";

/// Learn terms and labels of an attribute from pages
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LearnArgs {
    /// A built-in domain, or the path of a domain.yaml
    #[arg(value_name = "DOMAIN")]
    pub(super) domain: String,

    /// Files, folders, glob patterns, or - for standard input (HTML or MHTML)
    #[arg(required = true, value_name = "PAGE")]
    pub(super) pages: Vec<String>,

    /// The attribute to learn: one whose values are words
    #[arg(short, long, value_name = "NAME")]
    pub(super) attribute: String,

    /// Begin with these terms (one a line) and forget the domain's own of this attribute
    #[arg(long, value_name = "FILE")]
    pub(super) from: Option<PathBuf>,

    /// Add what is sure enough, leave out the rest (the default)
    #[arg(long, conflicts_with = "ask")]
    pub(super) auto: bool,

    /// Ask on the terminal about terms between --lower and --upper
    #[arg(long)]
    pub(super) ask: bool,

    /// Below this confidence a term is left out, from 0 to 1 [default: 0.5; with --ask 0.3]
    #[arg(long, value_name = "L", value_parser = fraction)]
    lower: Option<f64>,

    /// From this confidence a term is added without a question, from 0 to 1 [default: 0.5; with --ask 0.7]
    #[arg(long, value_name = "U", value_parser = fraction)]
    upper: Option<f64>,

    /// Share of a page's records that must have the attribute at a place before others are learned from it
    #[arg(long, value_name = "G", value_parser = fraction, default_value_t = copal::gazetteer_learning::LearnOptions::default().support)]
    pub(super) support: f64,

    /// Most rounds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) rounds: u16,

    /// A list of all true terms: adds columns that say how right each round is
    #[arg(long, value_name = "FILE")]
    pub(super) truth: Option<PathBuf>,

    /// Where the new terms go [default: DOMAIN-ATTRIBUTE-learned.txt]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Write over FILE and FILE.labels if they are there
    #[arg(long)]
    pub(super) overwrite: bool,

    /// Megabytes of pages that stay in memory between rounds; others are read again
    #[arg(long, value_name = "MB", default_value_t = 100)]
    pub(super) memory: usize,

    #[command(flatten)]
    pub(super) run: RunArgs,

    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

impl LearnArgs {
    /// The thresholds l and u, or what is wrong with them.
    pub(super) fn thresholds(&self) -> Result<(f64, f64), String> {
        let (lower, upper) = match (self.lower, self.upper, self.ask) {
            (lower, upper, true) => {
                let lower = lower.unwrap_or_else(|| upper.map_or(0.3, |upper| upper.min(0.3)));
                (lower, upper.unwrap_or_else(|| lower.max(0.7)))
            }
            (Some(both), None, false) | (None, Some(both), false) => (both, both),
            (lower, upper, false) => (lower.unwrap_or(0.5), upper.unwrap_or(0.5)),
        };
        if lower > upper {
            return Err(format!("--lower {lower} is above --upper {upper}: expected at most that"));
        }
        Ok((lower, upper))
    }

    /// The file of the new terms.
    pub(super) fn file(&self, domain: &str) -> PathBuf {
        let named = || PathBuf::from(format!("{domain}-{}-learned.txt", self.attribute));
        self.output.clone().unwrap_or_else(named)
    }
}
