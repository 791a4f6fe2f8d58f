//! PostgreSQL: a server.
//!
//! Our tables are in the schema that is the current one (`public`, or what `options=-csearch_path=…` in the address says). Writers take
//! turns by an advisory lock, one page each; a run that is killed loses the page it was writing, whole.
//!
//! The client opens a socket of its own, to the server that the user names: the one exception to the rule that sockets belong to
//! `copal-fetch`, whose guards are for addresses that pages name. `sslmode` is `prefer` if the address says nothing: encrypted if the server's
//! certificate is good, else not; `require` (and `verify-full`) checks it and never goes on without.

use crate::Error;
use crate::cell::{Cell, Kind};
use crate::database::{Database, quoted};
use ::postgres::config::{Host, SslMode};
use ::postgres::error::SqlState;
use ::postgres::types::private::BytesMut;
use ::postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use ::postgres::{Client, Config, NoTls};
use std::error::Error as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long to wait for the server to answer.
const CONNECT: Duration = Duration::from_secs(20);
/// Begins a transaction that waits for its turn; the number is ours ("copal").
const BEGIN: &str = "BEGIN; SET LOCAL lock_timeout = '20s'; SELECT pg_advisory_xact_lock(426835042668)";

/// An open connection.
pub(crate) struct Postgres {
    client: Client,
    schema: String,
}

impl Postgres {
    /// Connects to `postgres://user@host/database`.
    pub(crate) fn connect(address: &str) -> Result<Postgres, Error> {
        let checked = address.replace("sslmode=verify-full", "sslmode=require");
        let mut config: Config = checked.parse().map_err(|error: ::postgres::Error| {
            let why = error.source().map_or_else(String::new, |why| format!(": {why}"));
            Error::Place(format!("not an address of a database, expected postgres://user@host/database{why}"))
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_application_name().is_none() {
            config.application_name("copal");
        }
        if config.get_password().is_none()
            && let Some(password) = password(&config)
        {
            config.password(password);
        }
        let mut client = connect(&config).map_err(|error| unreachable(&error))?;
        let rows = client.query("SELECT current_schema()::text", &[])?;
        let schema = rows.first().and_then(|row| row.get::<_, Option<String>>(0));
        let schema = schema.ok_or_else(|| Error::Place("no schema to make tables in".into()))?;
        Ok(Postgres { client, schema })
    }
}

/// Connects encrypted, or not, as the address says.
fn connect(config: &Config) -> Result<Client, ::postgres::Error> {
    if config.get_ssl_mode() == SslMode::Disable {
        return config.connect(NoTls);
    }
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let Ok(tls) = tls else { return config.connect(NoTls) };
    let tls = tls.with_root_certificates(roots).with_no_client_auth();
    match config.connect(MakeRustlsConnect::new(tls)) {
        // a server that refuses us says so; one whose certificate is not known does not get that far
        Err(error) if config.get_ssl_mode() == SslMode::Prefer && error.as_db_error().is_none() => {
            config.clone().ssl_mode(SslMode::Disable).connect(NoTls)
        }
        other => other,
    }
}

/// The password of the environment, or of the file that psql reads.
fn password(config: &Config) -> Option<String> {
    if let Ok(password) = env::var("PGPASSWORD") {
        return Some(password);
    }
    let file = env::var_os("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".pgpass")))?;
    let text = fs::read_to_string(file).ok()?;
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.as_str(),
        _ => "localhost",
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let user = config.get_user().unwrap_or_default();
    let wanted = [host, &port, config.get_dbname().unwrap_or(user), user];
    text.lines().find_map(|line| matching(line, wanted))
}

/// The password of a line `host:port:database:user:password`, if it is for this connection; `*` is for all, `\` before a sign takes it as it is.
fn matching(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![String::new()];
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => fields.last_mut()?.extend(signs.next()),
            ':' if fields.len() < 5 => fields.push(String::new()),
            sign => fields.last_mut()?.push(sign),
        }
    }
    let password = if fields.len() == 5 { fields.pop()? } else { return None };
    let fits = fields.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
    fits.then_some(password)
}

impl Database for Postgres {
    fn execute(&mut self, sql: &str, parameters: &[Cell]) -> Result<(), Error> {
        let parameters: Vec<&(dyn ToSql + Sync)> =
            parameters.iter().map(|cell| cell as &(dyn ToSql + Sync)).collect();
        self.client.execute(sql, &parameters)?;
        Ok(())
    }

    fn query(&mut self, sql: &str, parameters: &[Cell], kinds: &[Kind]) -> Result<Vec<Vec<Cell>>, Error> {
        let parameters: Vec<&(dyn ToSql + Sync)> =
            parameters.iter().map(|cell| cell as &(dyn ToSql + Sync)).collect();
        let mut out = Vec::new();
        for row in self.client.query(sql, &parameters)? {
            let cell = |(at, kind): (usize, &Kind)| read(&row, at, *kind);
            out.push(kinds.iter().enumerate().map(cell).collect::<Result<Vec<Cell>, _>>()?);
        }
        Ok(out)
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.client.batch_execute(BEGIN).map_err(|error| {
            // the transaction was begun before its turn did not come
            let _ = self.client.batch_execute("ROLLBACK");
            Error::from(error)
        })
    }

    fn tables(&mut self) -> Result<Vec<String>, Error> {
        let sql = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                   WHERE n.nspname::text = $1 AND c.relkind::text IN ('r', 'p', 'v', 'm', 'f')";
        let schema = Cell::Text(self.schema.clone());
        let rows = self.query(sql, &[schema], &[Kind::Text])?;
        Ok(rows.into_iter().flatten().map(|name| name.shown()).collect())
    }

    fn table(&self, name: &str) -> String {
        format!("{}.{}", quoted(&self.schema), quoted(name))
    }

    fn type_of(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Boolean => "boolean",
            Kind::Integer => "bigint",
            Kind::Real => "double precision",
            Kind::Text | Kind::List => "text",
        }
    }

    fn moment_type(&self) -> &'static str {
        "timestamptz"
    }

    fn moment(&self, parameter: &str) -> String {
        format!("CAST(CAST({parameter} AS text) AS timestamptz)")
    }

    fn numbered(&self) -> &'static str {
        "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    }

    fn elements(&self, parameter: &str) -> String {
        format!("SELECT json_array_elements_text(CAST(CAST({parameter} AS text) AS json))")
    }

    fn widen(&self, table: &str, column: &str, from: Kind, to: Kind) -> Vec<String> {
        let (table, column) = (self.table(table), quoted(column));
        let value = match to {
            Kind::List => format!(
                "CASE WHEN {column} IS NULL THEN NULL ELSE json_build_array(CAST({column} AS text))::text END"
            ),
            to => format!("CAST({column} AS {})", self.type_of(to)),
        };
        if self.type_of(from) == self.type_of(to) {
            return vec![format!("UPDATE {table} SET {column} = {value} WHERE {column} IS NOT NULL")];
        }
        vec![format!("ALTER TABLE {table} ALTER COLUMN {column} TYPE {} USING {value}", self.type_of(to))]
    }
}

impl ToSql for Cell {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Cell::Null => Ok(IsNull::Yes),
            Cell::Boolean(yes) => yes.to_sql(ty, out),
            Cell::Integer(whole) => whole.to_sql(ty, out),
            Cell::Real(real) => real.to_sql(ty, out),
            Cell::Text(text) => text.to_sql(ty, out),
            Cell::List(_) => self.shown().to_sql(ty, out),
        }
    }

    /// Cells fit their columns before they come here.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn read(row: &::postgres::Row, at: usize, kind: Kind) -> Result<Cell, ::postgres::Error> {
    Ok(match kind {
        Kind::Boolean => row.try_get::<_, Option<bool>>(at)?.map_or(Cell::Null, Cell::Boolean),
        Kind::Integer => row.try_get::<_, Option<i64>>(at)?.map_or(Cell::Null, Cell::Integer),
        Kind::Real => row.try_get::<_, Option<f64>>(at)?.map_or(Cell::Null, Cell::Real),
        Kind::Text | Kind::List => row.try_get::<_, Option<String>>(at)?.map_or(Cell::Null, Cell::Text),
    })
}

/// Why there is no connection.
fn unreachable(error: &::postgres::Error) -> Error {
    Error::Place(format!("cannot connect: {}", in_words(error)))
}

fn in_words(error: &::postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        return said.message().to_owned();
    }
    let mut text = error.to_string();
    if let Some(why) = error.source().map(ToString::to_string).filter(|why| !text.contains(why)) {
        text = format!("{text}: {why}");
    }
    // the number of the system says nothing to anyone
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

impl From<::postgres::Error> for Error {
    fn from(error: ::postgres::Error) -> Error {
        match error.code() {
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => Error::Busy,
            _ => Error::Database(in_words(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::matching;

    #[test]
    fn the_password_file_of_psql() {
        let wanted = ["db.example", "5432", "shop", "ann"];
        let found = |line| matching(line, wanted);
        assert_eq!(found("db.example:5432:shop:ann:se:cr\\\\et"), Some("se:cr\\et".into()));
        assert_eq!(found("*:*:*:ann:x"), Some("x".into()));
        assert_eq!(found("#*:*:*:ann:x"), None);
        assert_eq!(found("*:*:*:bob:x"), None);
        assert_eq!(found("*:*:ann:x"), None);
        assert_eq!(found(""), None);
    }
}
