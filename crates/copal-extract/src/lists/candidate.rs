//! List candidates: what a proposer finds, before the ranking decides.
//!
//! A proposer gives [`ListCandidate`] regions (node ranges only), `Proposers` says which of them found one.
//! The table stage turns the candidates that are kept into [`Region`](copal_model::Region)s with texts,
//! places and aligned columns.

use copal_dom::{Node, Warning};
use copal_model::{Evidence, Parts, Role, Source};
use copal_values::Value;
use smallvec::smallvec;
use std::ops::Range;

/// A record of one part.
pub(crate) fn one_part(part: Range<Node>) -> Parts {
    smallvec![part]
}

/// An attribute of a region: its name, its type, and one value per record; no values if no record has it.
pub type AttributeColumn = (String, &'static str, Vec<Option<Aligned>>);

/// A region as a method finds it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListCandidate {
    /// The lowest node that contains all records.
    pub root: Node,
    /// The records in document order.
    pub records: Vec<Parts>,
    /// The method's own measure: higher is better.
    pub score: f64,
    /// Attributes of a domain.
    pub attributes: Vec<AttributeColumn>,
}

/// Which methods proposed a candidate, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Proposers(u8);

impl Proposers {
    pub(crate) const BUW: Proposers = Proposers(1);
    pub(crate) const RDR: Proposers = Proposers(2);
    pub(crate) const AMBER: Proposers = Proposers(4);
    pub(crate) const MDR: Proposers = Proposers(8);
    pub(crate) const GROUPS: Proposers = Proposers(16);
    /// The page's own JSON-LD.
    pub(crate) const DECLARED: Proposers = Proposers(32);
    /// AMBER with the domain that the user named. It is not counted, because most pages are read without.
    pub(crate) const DOMAIN: Proposers = Proposers(64);

    /// Their names, lowest bit first.
    const PROPOSER_NAMES: [&str; 7] = ["buw", "rdr", "amber", "mdr", "groups", "declared data", "domain"];

    /// Adds the proposers of an equal candidate.
    pub(crate) fn add(&mut self, others: Proposers) {
        self.0 |= others.0;
    }

    /// True if one of the others is among them.
    pub(crate) fn include(self, others: Proposers) -> bool {
        self.0 & others.0 != 0
    }

    pub(crate) fn count(self) -> u32 {
        (self.0 & !Proposers::DOMAIN.0).count_ones()
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Self::PROPOSER_NAMES
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 & 1 << bit != 0)
            .map(|(_, name)| name)
    }
}

/// What a method gives: its regions, best first, and what was odd.
#[derive(Debug, Clone, Default)]
pub struct RankedLists {
    /// The regions, best first.
    pub regions: Vec<ListCandidate>,
    /// The method says that none of them is clearly the page's main list.
    pub no_primary: bool,
    /// Role and confidence that a possible main list has if the page turns out to have something better.
    pub replaced: Option<(Role, f64)>,
    /// The probability that the best region is the page's main list, if the method gives one.
    pub main_probability: Option<f64>,
    /// Role and confidence of each region, in their order; empty if the method gives none.
    pub judged: Vec<(Role, f64)>,
    /// The evidence for each region, in their order; empty if the method has only its score.
    pub grounds: Vec<Vec<Evidence>>,
    /// Candidates that were given up: their root, and why.
    pub rejected: Vec<(Node, String)>,
    /// Limits that were hit.
    pub warnings: Vec<Warning>,
}

impl RankedLists {
    /// What the region of a rank is to the page.
    pub fn role(&self, rank: usize) -> Role {
        match self.judged.get(rank) {
            Some((role, _)) => *role,
            None if rank == 0 && !self.no_primary => Role::Primary,
            None => Role::Secondary,
        }
    }

    /// What the region of a rank is to a page that is about an object: a list that is only possible is not
    /// its main list.
    pub(crate) fn role_beside_object(&self, rank: usize) -> Role {
        match self.role(rank) {
            Role::Possible => self.replaced.map_or(Role::Secondary, |(role, _)| role),
            role => role,
        }
    }

    /// True if one of the regions is used as the page's main list, even if it is only possible.
    pub fn has_main_list(&self) -> bool {
        (0..self.regions.len()).any(|rank| self.role(rank).is_main())
    }

    /// How sure the method is of that.
    pub fn confidence(&self, rank: usize) -> Option<f64> {
        self.judged.get(rank).map(|(_, confidence)| *confidence)
    }
}

/// The value of an attribute in one record.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Aligned {
    /// The text as the page shows it.
    pub text: String,
    /// Normalised, unless it was found by its appearance.
    pub value: Option<Value>,
    /// Taken from the place where other records have the attribute, without an annotation of its own.
    pub inferred: bool,
    /// The node that shows it, unless it was found by its appearance.
    pub node: Option<Node>,
    /// Where its text was read.
    pub source: Option<Source>,
    /// Share of the records that have an annotation at the path it was chosen by.
    pub support: f64,
}
