//! The browser's process: its command line, its profile, its end.
//!
//! The browser and everything it starts is one process group, which is killed as a whole. Its profile is a
//! folder that is deleted with it. If copal itself is killed, the pipe closes, and the browser ends.

use std::collections::VecDeque;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use copal_fetch::certificate_pin;
use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use crate::connection::{lock, printable};
use crate::error::RenderError;

/// Gives the browser its pipe as the file descriptors 3 and 4, and no standard input and output. A shell does
/// this because Rust could only do it with `unsafe`.
const LAUNCHER: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;

/// Bytes of the browser's messages that are kept for errors.
const MAX_KEPT_MESSAGES: usize = 4_000;

/// What every browser is started with. Groups: no window; no network beside the proxy of a page (the proxy
/// that is set here does not exist, and no name is looked up); nothing in the background; no prompts.
const SWITCHES: &[&str] = &[
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-client-side-phishing-detection",
    "--safebrowsing-disable-auto-update",
    "--metrics-recording-only",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-features=AutofillServerCommunication,OptimizationHints,OptimizationGuideModelDownloading,MediaRouter,\
DialMediaRouteProvider,Translate,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,\
NetworkTimeServiceQuerying,AcceptCHFrame,SpareRendererForSitePerProcess,NetworkPrediction,Prerender2,\
PreloadMediaEngagementData,SegmentationPlatform,CalculateNativeWinOcclusion,AsyncDns,DnsOverHttps,\
HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PrivacySandboxSettings4",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-popup-blocking=false",
    "--disable-prompt-on-repost",
    "--deny-permission-prompts",
    "--disable-notifications",
    "--disable-print-preview",
    "--disable-search-engine-choice-screen",
    "--noerrdialogs",
    "--mute-audio",
    "--hide-scrollbars",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--password-store=basic",
    "--use-mock-keychain",
    "--window-size=1280,1024",
    "--force-color-profile=srgb",
    "about:blank",
];

/// A running browser.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    /// `None` after it was ended: its id could then belong to another process.
    child: Mutex<Option<Child>>,
    id: u32,
    group: Option<Pid>,
    messages: Arc<Mutex<VecDeque<u8>>>,
    _profile: TempDir,
}

impl BrowserProcess {
    /// Starts a browser and returns the two ends of its pipe.
    pub(crate) fn start(path: &Path, sandbox: bool) -> Result<(Self, ChildStdout, ChildStdin), RenderError> {
        let failed = |error: std::io::Error| RenderError::NotStarted {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let profile = tempfile::Builder::new().prefix("copal-browser-").tempdir().map_err(failed)?;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", LAUNCHER]).arg(path).args(SWITCHES);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--ignore-certificate-errors-spki-list={}", certificate_pin()?));
        if !sandbox {
            command.arg("--no-sandbox");
        }
        // The browser and the libraries it uses keep their files in the profile too.
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env(name, profile.path());
        }
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSLKEYLOGFILE", "CHROMIUM_FLAGS"]
        {
            command.env_remove(name).env_remove(name.to_ascii_lowercase());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(failed)?;
        let messages = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(mut stderr) = child.stderr.take() {
            let kept = Arc::clone(&messages);
            thread::spawn(move || keep_last(&mut stderr, &kept));
        }
        let pipe = child.stdout.take().zip(child.stdin.take());
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let id = child.id();
        let process = Self { child: Mutex::new(Some(child)), id, group, messages, _profile: profile };
        let (reader, writer) = pipe.ok_or(RenderError::Crashed)?;
        Ok((process, reader, writer))
    }

    /// Why the browser did not start, from what it printed.
    pub(crate) fn start_error(&self) -> RenderError {
        let messages: Vec<u8> = lock(&self.messages).iter().copied().collect();
        let text = String::from_utf8_lossy(&messages);
        if text.contains("no-sandbox") || text.contains("No usable sandbox") || text.contains("sandbox_linux")
        {
            return RenderError::Sandbox;
        }
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it ended at once");
        RenderError::Start { reason: printable(last) }
    }

    /// The id of the browser's process.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Ends the browser and everything it started, and waits for it.
    pub(crate) fn kill(&self) {
        let Some(mut child) = lock(&self.child).take() else { return };
        // Before `wait`, even a process that has ended keeps its id.
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn keep_last(stderr: &mut impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        let mut kept = lock(kept);
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(MAX_KEPT_MESSAGES);
        kept.drain(..surplus);
    }
}
