//! Whether a process outlives its terminal.

/// The number of SIGHUP, which is the same on all Unix systems.
const HANGUP: u64 = 1;

/// True if this process was started to ignore SIGHUP, as `nohup` does. Listening would undo that. Where the system
/// does not tell (it has no `/proc`), the signal is not ignored.
pub fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (HANGUP - 1) != 0
}
