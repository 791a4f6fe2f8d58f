#![doc = include_str!("../README.md")]

pub mod answer;
pub mod cell;
pub mod column;
#[cfg(feature = "serde")]
mod exact_values;
pub mod explanation;
pub mod method;
pub mod object;
pub mod outline;
pub mod picture;
pub mod place;
pub mod region;
pub mod role;
#[cfg(feature = "serde")]
pub mod transfer;

pub use answer::*;
pub use cell::*;
pub use column::*;
pub use explanation::*;
pub use method::*;
pub use object::*;
pub use outline::*;
pub use picture::*;
pub use place::*;
pub use region::*;
pub use role::*;
#[cfg(feature = "serde")]
pub use transfer::TransferredAnswer;
