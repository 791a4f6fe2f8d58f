//! `copal serve`: the HTTP service.

use crate::arguments::run::LogFormat;
use crate::arguments::service::{ServiceLimitArguments, ServiceNetworkArguments, parse_database, parse_port};
use crate::error::CliError;
use crate::outcome::Outcome;
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  copal serve --port 8080 --dir workspace                  on this machine only
  curl --json '{\"url\": \"https://shop.example/lamps\"}' http://127.0.0.1:8080/v1/extract
  curl -F file=@page.html http://127.0.0.1:8080/v1/extract
  copal serve --address 0.0.0.0 --token-file token.txt     for others, who send Authorization: Bearer TOKEN
  copal serve --database shop=postgres://ann@db/shop       requests may store records in \"shop\"

The studio is at / (see copal studio). All endpoints are listed at /openapi.json. The service ends with Ctrl-C or SIGTERM.
Exit codes: 0 ended, 2 wrong usage, 3 the address or the workspace cannot be used.";

/// Start the HTTP service (extraction, wrappers, jobs) and the studio
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
pub(crate) struct ServeArguments {
    /// Port to listen on; 0 for any free one
    #[arg(long, default_value_t = 8095, value_name = "N", value_parser = parse_port)]
    port: u16,

    /// Address to listen on. Others than loopback need a token
    #[arg(long, default_value = "127.0.0.1", value_name = "IP")]
    address: IpAddr,

    /// Read the token that clients have to send from this file. Also from the variable `COPAL_TOKEN`
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Workspace folder for wrappers, databases, jobs, logs and the cache [default: copal in the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,

    /// Allow requests to store records in this PostgreSQL database under a name (may be repeated). Databases
    /// without a name here are files of the workspace
    #[arg(long = "database", value_name = "NAME=URL", value_parser = parse_database)]
    databases: Vec<(String, String)>,

    /// Bytes that the workspace may have
    #[arg(long, value_name = "BYTES", default_value_t = 10_000_000_000)]
    quota: u64,

    /// Days after which finished jobs are removed
    #[arg(long, value_name = "DAYS", default_value_t = 7)]
    retention: u32,

    /// Print errors only: no requests (the log file of the workspace has them)
    #[arg(short, long)]
    quiet: bool,

    /// Format of what is printed on standard error
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    log_format: LogFormat,

    #[command(flatten)]
    limits: ServiceLimitArguments,

    #[command(flatten)]
    network: ServiceNetworkArguments,
}

#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: &ServeArguments) -> Result<Outcome, CliError> {
    Err(CliError::missing_feature("run the HTTP service", "serve"))
}

#[cfg(feature = "serve")]
pub(crate) fn run(arguments: &ServeArguments) -> Result<Outcome, CliError> {
    use crate::log_file::{LogFile, MAX_LOG_BYTES};
    use crate::{arguments::service, logging, reporting};
    use copal_service::{ServeSettings, serve};
    use std::time::Duration;

    reporting::use_json(arguments.log_format == LogFormat::Json);
    logging::start_service(!arguments.quiet);
    let workspace = service::workspace_folder(arguments.dir.clone())?;
    let mut settings = ServeSettings::new(workspace.clone());
    settings.address = arguments.address;
    settings.port = arguments.port;
    settings.token = token(arguments.token_file.as_deref())?;
    settings.quota = arguments.quota;
    settings.retention = Duration::from_hours(24 * u64::from(arguments.retention));
    settings.databases = arguments.databases.iter().cloned().collect();
    settings.limits = arguments.limits.limits();
    settings.network = arguments.network.network();
    let served = serve(&settings, |address| {
        // the workspace is ours only now
        match LogFile::open(&workspace.join("logs"), MAX_LOG_BYTES) {
            Ok(file) => logging::write_to(file),
            Err(error) => reporting::warning(format_args!("no log file can be written: {error}")),
        }
        let place = workspace.display();
        reporting::line(format_args!("listening on http://{address}, workspace {place}"));
    });
    served.map_err(service::serve_error)?;
    Ok(Outcome::Done)
}

/// The token of a file or of the environment. It is never an argument, which other users of the machine could see.
#[cfg(feature = "serve")]
fn token(file: Option<&std::path::Path>) -> Result<Option<String>, CliError> {
    let text = match file {
        Some(file) => Some(
            std::fs::read_to_string(file).map_err(|error| CliError::reading(&error).about(file.display()))?,
        ),
        None => match std::env::var("COPAL_TOKEN") {
            Ok(text) => Some(text),
            Err(std::env::VarError::NotPresent) => None,
            // without it, everybody could use the service
            Err(std::env::VarError::NotUnicode(_)) => {
                return Err(CliError::usage("not a text in UTF-8").about("COPAL_TOKEN"));
            }
        },
    };
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| file.is_some() || !text.is_empty()))
}
