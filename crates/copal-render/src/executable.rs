//! Finds an installed browser.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::RenderError;

/// The names that are looked for in `PATH`, in this order.
pub const BROWSER_NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/// Where browsers are on systems that do not put them into `PATH`.
const OTHER_PLACES: &[&str] = &[
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/snap/bin/chromium",
];

const VERSION_TIME: Duration = Duration::from_secs(10);

/// A browser on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBrowser {
    /// Its program.
    pub path: PathBuf,
}

/// The browser that is used: the given one, or the first that is found.
pub fn find_browser(given: Option<&Path>) -> Result<FoundBrowser, RenderError> {
    if let Some(path) = given {
        return match path.metadata() {
            Ok(metadata) if metadata.is_file() => Ok(FoundBrowser { path: path.to_owned() }),
            Ok(_) => Err(not_started(path, "it is not a file")),
            Err(error) => Err(not_started(path, &error.to_string())),
        };
    }
    let folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    let in_path = BROWSER_NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let mut places = in_path.chain(OTHER_PLACES.iter().map(PathBuf::from));
    places.find(|path| path.is_file()).map(|path| FoundBrowser { path }).ok_or(RenderError::NoBrowser)
}

impl FoundBrowser {
    /// What the browser says about its version.
    pub fn version(&self) -> Result<String, RenderError> {
        let failed = |error: std::io::Error| not_started(&self.path, &error.to_string());
        let mut child = Command::new(&self.path)
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let began = Instant::now();
        while child.try_wait().map_err(failed)?.is_none() {
            if began.elapsed() > VERSION_TIME {
                let _ = child.kill();
                let _ = child.wait();
                return Err(not_started(&self.path, "it does not tell its version"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().map_err(failed)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version: String = text.trim().chars().filter(|c| !c.is_control()).take(100).collect();
        if version.is_empty() {
            Err(not_started(&self.path, "it does not tell its version"))
        } else {
            Ok(version)
        }
    }
}

fn not_started(path: &Path, reason: &str) -> RenderError {
    RenderError::NotStarted { path: path.display().to_string(), reason: reason.to_owned() }
}
