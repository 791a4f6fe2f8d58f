//! What copal says about a page: regions, records, columns, cells, objects. Types only, no algorithms.

pub mod answer;
pub mod cell;
pub mod column;
pub mod explanation;
pub mod method;
pub mod object;
pub mod outline;
pub mod record;
pub mod region;

pub use answer::*;
pub use cell::*;
pub use column::*;
pub use explanation::*;
pub use method::*;
pub use object::*;
pub use outline::*;
pub use record::*;
pub use region::*;
