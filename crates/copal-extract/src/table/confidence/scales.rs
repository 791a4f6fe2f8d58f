//! How lengths and conditions become measures.

/// How much longer and how much shorter than typical something is, as logarithms. One of the two is 0. They
/// are separate measures because too long and too short have different causes.
pub(super) fn log_excess_and_shortfall(length: f64, typical: f64) -> (f64, f64) {
    let ratio = ((1.0 + length) / (1.0 + typical)).ln();
    (ratio.max(0.0), (-ratio).max(0.0))
}

/// 1 if the condition holds, otherwise 0.
pub(super) fn indicator(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}
