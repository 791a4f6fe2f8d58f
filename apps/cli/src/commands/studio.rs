//! `copal studio`: starts the service on this machine and opens its page in the user's browser.

use crate::arguments::service::{ServiceLimitArguments, ServiceNetworkArguments, parse_database, parse_port};
use crate::error::CliError;
use crate::outcome::Outcome;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal studio                                   open the studio
  copal studio page.html                         … with a saved page
  copal studio page.html --url https://shop.example/lamps   … with its links absolute
  copal studio https://shop.example/lamps        … with a page of the web
  copal studio --database shop=postgres://ann@db/shop       records may be stored in \"shop\"

The studio runs on this machine only and ends with Ctrl-C. What you save is in the workspace.
Exit codes: 0 ended, 2 wrong usage, 3 the page, the port or the workspace cannot be used.";

/// Open the studio: see, correct and save what a page has, by pointing and clicking
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
pub(crate) struct StudioArguments {
    /// The page to begin with: a file or a URL
    #[arg(value_name = "PAGE|URL")]
    page: Option<String>,

    /// The URL that a saved page came from: makes its links and images absolute
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Allow to store records in this PostgreSQL database under a name (may be repeated). Databases without a name here
    /// are files of the workspace
    #[arg(long = "database", value_name = "NAME=URL", value_parser = parse_database)]
    databases: Vec<(String, String)>,

    /// Port to listen on; 0 for any free one
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_port)]
    port: u16,

    /// Workspace folder for wrappers, databases, drafts and the cache [default: copal in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    /// Only print the URL of the studio, do not open a browser
    #[arg(long)]
    no_open: bool,

    #[command(flatten)]
    limits: ServiceLimitArguments,

    #[command(flatten)]
    network: ServiceNetworkArguments,
}

#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: &StudioArguments) -> Result<Outcome, CliError> {
    Err(CliError::missing_feature("run the studio", "serve"))
}

#[cfg(feature = "serve")]
pub(crate) fn run(arguments: &StudioArguments) -> Result<Outcome, CliError> {
    use crate::arguments::service;
    use crate::reporting;
    use copal_service::{ServeSettings, serve};

    let workspace = service::workspace_folder(arguments.dir.clone())?;
    let mut settings = ServeSettings::new(workspace);
    settings.port = arguments.port;
    settings.limits = arguments.limits.limits();
    settings.network = arguments.network.network();
    settings.databases = arguments.databases.iter().cloned().collect();
    if arguments.url.is_some() && arguments.page.as_deref().is_none_or(is_url) {
        return Err(CliError::usage("--url is the address of a saved page: give its file too"));
    }
    let start = |page: &str| start_page(page, arguments.url.clone());
    settings.start = arguments.page.as_deref().map(start).transpose()?;
    let served = serve(&settings, |address| {
        let url = format!("http://{address}/");
        reporting::line(format_args!("studio at {url} (Ctrl-C ends it)"));
        if !arguments.no_open && !open_browser(&url) {
            reporting::hint("open this URL in your browser");
        }
    });
    served.map_err(service::serve_error)?;
    Ok(Outcome::Done)
}

/// The page to begin with. A file is read here, because requests to the service can never name one.
#[cfg(feature = "serve")]
fn start_page(page: &str, url: Option<String>) -> Result<copal_service::StartPage, CliError> {
    use copal_service::StartPage;
    if is_url(page) {
        return Ok(StartPage::Url(page.to_owned()));
    }
    let bytes = std::fs::read(page).map_err(|error| CliError::reading(&error).about(page))?;
    let name = std::path::Path::new(page).file_name().map_or(page.into(), |name| name.to_string_lossy());
    Ok(StartPage::File { name: name.into_owned(), url, bytes })
}

#[cfg(feature = "serve")]
fn is_url(page: &str) -> bool {
    page.starts_with("http://") || page.starts_with("https://")
}

/// Opens a URL in the user's browser; false if no program for that can be started.
#[cfg(feature = "serve")]
fn open_browser(url: &str) -> bool {
    use std::process::{Command, Stdio};
    let chosen = std::env::var("BROWSER").ok().filter(|name| !name.is_empty() && !name.contains(['%', ' ']));
    let system: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["explorer"]
    } else {
        &["xdg-open", "x-www-browser"]
    };
    chosen.as_deref().into_iter().chain(system.iter().copied()).any(|program| {
        let mut command = Command::new(program);
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    })
}
