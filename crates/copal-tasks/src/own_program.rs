//! The program that runs, to start it again as a worker.

use std::io;
use std::path::{Path, PathBuf};

/// The program of this process. On Linux it can be started even after its file was replaced by another version, so that
/// a worker never differs from the process that feeds it.
pub fn own_program() -> io::Result<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && link.exists() { Ok(link.to_owned()) } else { std::env::current_exe() }
}
