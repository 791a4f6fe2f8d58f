//! PostgreSQL: a server.
//!
//! The tables are in the current schema (`public`, or what `options=-csearch_path=…` in the URL says).
//! Writers take turns with an advisory lock, one page each; a killed run loses only the page that it was
//! writing.
//!
//! The client opens its own socket to the server that the user names. This is the one exception to the rule
//! that sockets belong to `copal-fetch`, whose guards are for URLs that pages name. The default of `sslmode`
//! is `prefer`: encrypted if the certificate of the server is valid, else not. `require` (and `verify-full`)
//! checks the certificate and never continues without encryption.

use crate::database::{Database, quoted};
use crate::error::StoreError;
use ::postgres::config::{Host, SslMode};
use ::postgres::error::SqlState;
use ::postgres::types::private::BytesMut;
use ::postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use ::postgres::{Client, Config, NoTls};
use copal_output::rows::{ColumnType, RowValue};
use std::error::Error as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Begins a transaction that waits for other writers. The number of the lock spells "copal" and is used by
/// nobody else.
const BEGIN_SQL: &str = "BEGIN; SET LOCAL lock_timeout = '20s'; SELECT pg_advisory_xact_lock(426835042668)";

/// An open connection.
pub(crate) struct Postgres {
    client: Client,
    schema: String,
}

impl Postgres {
    /// Connects to `postgres://user@host/database`.
    pub(crate) fn connect(url: &str) -> Result<Postgres, StoreError> {
        let checked = url.replace("sslmode=verify-full", "sslmode=require");
        let mut config: Config = checked.parse().map_err(|error: ::postgres::Error| {
            let why = error.source().map_or_else(String::new, |why| format!(": {why}"));
            StoreError::InvalidUrl(why)
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("copal");
        }
        if config.get_password().is_none()
            && let Some(password) = stored_password(&config)
        {
            config.password(password);
        }
        let mut client =
            connect_with_tls(&config).map_err(|error| StoreError::CannotConnect(in_words(&error)))?;
        let rows = client.query("SELECT current_schema()::text", &[])?;
        let schema = rows.first().and_then(|row| row.get::<_, Option<String>>(0));
        let schema = schema.ok_or(StoreError::MissingSchema)?;
        Ok(Postgres { client, schema })
    }
}

/// Connects with or without encryption, as the URL says.
fn connect_with_tls(config: &Config) -> Result<Client, ::postgres::Error> {
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
        // A database error means that the server answered and refused us, so trying without encryption is
        // useless.
        Err(error) if config.get_ssl_mode() == SslMode::Prefer && error.as_db_error().is_none() => {
            config.clone().ssl_mode(SslMode::Disable).connect(NoTls)
        }
        other => other,
    }
}

/// The password from the environment, or from the file that psql reads.
fn stored_password(config: &Config) -> Option<String> {
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
    text.lines().find_map(|line| password_of_line(line, wanted))
}

/// The password of a line `host:port:database:user:password`, if it is for this connection. `*` matches
/// anything, and `\` escapes the next character.
fn password_of_line(line: &str, wanted: [&str; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => fields.last_mut()?.extend(chars.next()),
            ':' if fields.len() < 5 => fields.push(String::new()),
            c => fields.last_mut()?.push(c),
        }
    }
    let password = if fields.len() == 5 { fields.pop()? } else { return None };
    let matches = fields.iter().zip(wanted).all(|(field, wanted)| field == "*" || field == wanted);
    matches.then_some(password)
}

impl Database for Postgres {
    fn execute(&mut self, sql: &str, parameters: &[RowValue]) -> Result<(), StoreError> {
        let parameters: Vec<PostgresParameter<'_>> = parameters.iter().map(PostgresParameter).collect();
        let parameters: Vec<&(dyn ToSql + Sync)> =
            parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect();
        self.client.execute(sql, &parameters)?;
        Ok(())
    }

    fn query(
        &mut self,
        sql: &str,
        parameters: &[RowValue],
        types: &[ColumnType],
    ) -> Result<Vec<Vec<RowValue>>, StoreError> {
        let parameters: Vec<PostgresParameter<'_>> = parameters.iter().map(PostgresParameter).collect();
        let parameters: Vec<&(dyn ToSql + Sync)> =
            parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect();
        let mut out = Vec::new();
        for row in self.client.query(sql, &parameters)? {
            let value = |(at, column_type): (usize, &ColumnType)| read_value(&row, at, *column_type);
            out.push(types.iter().enumerate().map(value).collect::<Result<Vec<RowValue>, _>>()?);
        }
        Ok(out)
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        self.client.batch_execute(BEGIN_SQL).map_err(|error| {
            // The transaction began before the lock timed out.
            let _ = self.client.batch_execute("ROLLBACK");
            StoreError::from(error)
        })
    }

    fn table_names(&mut self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                   WHERE n.nspname::text = $1 AND c.relkind::text IN ('r', 'p', 'v', 'm', 'f')";
        let schema = RowValue::Text(self.schema.clone());
        let rows = self.query(sql, &[schema], &[ColumnType::Text])?;
        Ok(rows.into_iter().flatten().map(|name| name.to_text()).collect())
    }

    fn quoted_table(&self, name: &str) -> String {
        format!("{}.{}", quoted(&self.schema), quoted(name))
    }

    fn sql_type(&self, column_type: ColumnType) -> &'static str {
        match column_type {
            ColumnType::Boolean => "boolean",
            ColumnType::Integer => "bigint",
            ColumnType::Real => "double precision",
            ColumnType::Text | ColumnType::List => "text",
        }
    }

    fn timestamp_type(&self) -> &'static str {
        "timestamptz"
    }

    fn timestamp_value(&self, parameter: &str) -> String {
        format!("CAST(CAST({parameter} AS text) AS timestamptz)")
    }

    fn identity_column(&self) -> &'static str {
        "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    }

    fn insertion_order(&self) -> &'static str {
        "first_run, \"key\""
    }

    fn json_elements(&self, parameter: &str) -> String {
        format!("SELECT json_array_elements_text(CAST(CAST({parameter} AS text) AS json))")
    }

    fn widen_statements(&self, table: &str, column: &str, from: ColumnType, to: ColumnType) -> Vec<String> {
        let (table, column) = (self.quoted_table(table), quoted(column));
        let value = match to {
            ColumnType::List => format!(
                "CASE WHEN {column} IS NULL THEN NULL ELSE json_build_array(CAST({column} AS text))::text END"
            ),
            to => format!("CAST({column} AS {})", self.sql_type(to)),
        };
        if self.sql_type(from) == self.sql_type(to) {
            return vec![format!("UPDATE {table} SET {column} = {value} WHERE {column} IS NOT NULL")];
        }
        vec![format!("ALTER TABLE {table} ALTER COLUMN {column} TYPE {} USING {value}", self.sql_type(to))]
    }
}

/// A value as a parameter of a statement.
#[derive(Debug)]
struct PostgresParameter<'a>(&'a RowValue);

impl ToSql for PostgresParameter<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self.0 {
            RowValue::Null => Ok(IsNull::Yes),
            RowValue::Boolean(yes) => yes.to_sql(ty, out),
            RowValue::Integer(whole) => whole.to_sql(ty, out),
            RowValue::Real(real) => real.to_sql(ty, out),
            RowValue::Text(text) => text.to_sql(ty, out),
            RowValue::List(_) => self.0.to_text().to_sql(ty, out),
        }
    }

    /// Values were fitted to their columns before.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn read_value(
    row: &::postgres::Row,
    at: usize,
    column_type: ColumnType,
) -> Result<RowValue, ::postgres::Error> {
    Ok(match column_type {
        ColumnType::Boolean => row.try_get::<_, Option<bool>>(at)?.map_or(RowValue::Null, RowValue::Boolean),
        ColumnType::Integer => row.try_get::<_, Option<i64>>(at)?.map_or(RowValue::Null, RowValue::Integer),
        ColumnType::Real => row.try_get::<_, Option<f64>>(at)?.map_or(RowValue::Null, RowValue::Real),
        ColumnType::Text | ColumnType::List => {
            row.try_get::<_, Option<String>>(at)?.map_or(RowValue::Null, RowValue::Text)
        }
    })
}

fn in_words(error: &::postgres::Error) -> String {
    if let Some(answer) = error.as_db_error() {
        return answer.message().to_owned();
    }
    let mut text = error.to_string();
    if let Some(why) = error.source().map(ToString::to_string).filter(|why| !text.contains(why)) {
        text = format!("{text}: {why}");
    }
    // The error number of the operating system helps no user.
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

impl From<::postgres::Error> for StoreError {
    fn from(error: ::postgres::Error) -> StoreError {
        match error.code() {
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => StoreError::Busy,
            _ => StoreError::Database(in_words(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::password_of_line;

    #[test]
    fn the_password_file_of_psql_is_read() {
        let wanted = ["db.example", "5432", "shop", "ann"];
        let found = |line| password_of_line(line, wanted);
        assert_eq!(found("db.example:5432:shop:ann:se:cr\\\\et"), Some("se:cr\\et".into()));
        assert_eq!(found("*:*:*:ann:x"), Some("x".into()));
        assert_eq!(found("#*:*:*:ann:x"), None);
        assert_eq!(found("*:*:*:bob:x"), None);
        assert_eq!(found("*:*:ann:x"), None);
        assert_eq!(found(""), None);
    }
}
