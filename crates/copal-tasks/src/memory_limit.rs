//! How much memory a worker process may use.

use std::io;

/// Limits the address space to what the process has now and this many bytes more.
#[cfg(target_os = "linux")]
pub fn limit_memory(bytes: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = pages.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(0);
    let limit = (pages * rustix::param::page_size() as u64).saturating_add(bytes);
    let maximum = getrlimit(Resource::As).maximum;
    let limit = maximum.map_or(limit, |maximum| limit.min(maximum));
    Ok(setrlimit(Resource::As, Rlimit { current: Some(limit), maximum })?)
}

/// Other systems do not enforce such a limit: the limits on pages bound the memory there.
#[cfg(not(target_os = "linux"))]
pub fn limit_memory(_: u64) -> io::Result<()> {
    Ok(())
}
