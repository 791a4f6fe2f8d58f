//! Which system finds the records.

use std::fmt;
use std::str::FromStr;

/// Which paper's system finds the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// Mining Data Records (Liu, Grossman, Zhai 2003).
    Mdr,
    /// Bottom-Up Wrapper (Thamviset, Wongthanavasu 2014).
    Buw,
    /// Rich data region and common tag sequences (Akhtar et al. 2020).
    Rdr,
    /// AMBER's result pages (Wang 2015), with links as pivots.
    Amber,
    /// All of them and plain groups, with one ranking.
    #[default]
    Combined,
    /// The locators of a wrapper. Not a method that can be requested.
    Wrapper,
}

impl Method {
    /// All methods, in the order of the papers.
    pub const ALL: [Method; 5] = [Method::Mdr, Method::Buw, Method::Rdr, Method::Amber, Method::Combined];

    /// The name on the command line and in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Method::Mdr => "mdr",
            Method::Buw => "buw",
            Method::Rdr => "rdr",
            Method::Amber => "amber",
            Method::Combined => "combined",
            Method::Wrapper => "wrapper",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Method::ALL
            .into_iter()
            .find(|method| method.name() == name)
            .ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// No method has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown method {0:?}: expected mdr, buw, rdr, amber or combined")]
pub struct UnknownMethod(String);
