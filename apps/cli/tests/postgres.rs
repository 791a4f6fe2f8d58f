//! Stores runs in PostgreSQL. The test starts its own server in a temporary folder, on loopback and a socket.
//!
//! `make postgres` (part of `make test`) installs the server's programs if they are missing and runs this
//! file.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

#[cfg(feature = "serve")]
use common::service::Service;
use common::shop::Shop;
use common::{BOOKS, SHOP, many_pages, run, shell, style};
use std::fs::{self, File};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long to wait for the server. Even a slow machine needs less.
const START: Duration = Duration::from_mins(1);
const PASSWORD: &str = "open sesame";

/// A running server. It is stopped when this value is dropped.
struct Server {
    folder: TempDir,
    programs: PathBuf,
    child: Child,
    port: u16,
}

/// The folder with the server's programs. Debian does not put them on the path.
fn programs() -> PathBuf {
    let reported = Command::new("pg_config").arg("--bindir").output().ok();
    let reported = reported.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let mut found: Vec<PathBuf> =
        glob::glob("/usr/lib/postgresql/*/bin").unwrap().flatten().chain(reported).collect();
    found.retain(|folder| folder.join("initdb").exists());
    found.sort();
    found.pop().expect("no initdb: make postgres installs it")
}

/// A command of the server. It refuses to run as root, so root runs it as the user of Debian's package or as
/// nobody.
fn as_user(program: &Path) -> Command {
    let id = |arguments: &[&str]| Command::new("id").args(arguments).output().unwrap();
    if String::from_utf8_lossy(&id(&["-u"]).stdout).trim() != "0" {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", user(), "--"]).arg(program);
    command
}

fn user() -> &'static str {
    let known = Command::new("id").args(["-u", "postgres"]).output().unwrap().status.success();
    if known { "postgres" } else { "nobody" }
}

impl Server {
    fn start() -> Server {
        let (folder, programs) = (tempfile::tempdir().unwrap(), programs());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        fs::write(folder.path().join("password"), PASSWORD).unwrap();
        let data = folder.path().join("data");
        let made = as_user(&programs.join("initdb"))
            .args(["-U", "ann", "-E", "UTF8", "--locale=C", "--no-sync", "--auth-local=trust"])
            .arg("--auth-host=scram-sha-256")
            .arg(format!("--pwfile={}", folder.path().join("password").display()))
            .arg("-D")
            .arg(&data)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        certificate(folder.path());
        let port = free_port();
        let log = File::create(folder.path().join("log")).unwrap();
        let mut command = as_user(&programs.join("postgres"));
        command.arg("-D").arg(&data).arg("-k").arg(folder.path()).args(["-p", &port.to_string()]);
        for setting in ["listen_addresses=127.0.0.1", "fsync=off", "ssl=on", "ssl_cert_file=../cert.pem"] {
            command.args(["-c", setting]);
        }
        command.args(["-c", "ssl_key_file=../key.pem"]).current_dir(folder.path());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let server = Server { folder, programs, child, port };
        let begun = Instant::now();
        while server.try_ask("SELECT 1").is_none() {
            let log = || fs::read_to_string(server.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < START, "the server did not start: {}", log());
            sleep(Duration::from_millis(50));
        }
        server.ask("CREATE DATABASE shop");
        server
    }

    /// The URL of the database on its socket, which needs no password.
    fn socket(&self) -> String {
        format!(
            "postgres://ann@{}:{}/shop",
            self.folder.path().display().to_string().replace('/', "%2F"),
            self.port
        )
    }

    fn try_ask(&self, sql: &str) -> Option<String> {
        let database =
            if sql.starts_with("CREATE DATABASE") || sql == "SELECT 1" { "postgres" } else { "shop" };
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-At", "-U", "ann", "-d", database, "-p", &self.port.to_string(), "-c", sql, "-h"])
            .arg(self.folder.path())
            .output()
            .unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
    }

    fn ask(&self, sql: &str) -> String {
        self.try_ask(sql).unwrap_or_else(|| panic!("{sql}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // its process id is in its folder
        let mut stop = as_user(&self.programs.join("pg_ctl"));
        stop.args(["stop", "-m", "immediate", "-t", "30", "-D"]).arg(self.folder.path().join("data"));
        let _ = stop.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

// A port that is free now, because the server cannot choose one by itself.
#[allow(clippy::disallowed_types)]
fn free_port() -> u16 {
    std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A self-signed certificate.
fn certificate(folder: &Path) {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", "key.pem", "-out", "cert.pem"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    if as_user(Path::new("id")).get_program() == "runuser" {
        assert!(Command::new("chown").arg(user()).arg(folder.join("key.pem")).status().unwrap().success());
    }
}

#[test]
#[ignore = "needs PostgreSQL: make postgres"]
fn kept_in_a_server() {
    let server = Server::start();
    same_as_in_a_file(&server);
    from_a_url(&server);
    who_may_come_in(&server);
    killed(&server);
    tables_of_others(&server);
    renamed_columns(&server);
    #[cfg(feature = "serve")]
    through_the_service(&server);
    watched_pages(&server);
}

/// The tables are typed and grow, each record is stored once, and `copal diff` shows the changes, as with
/// SQLite.
fn same_as_in_a_file(server: &Server) {
    let folder = common::folder(&[
        ("monday.html", SHOP.replace("-10%", "10%").replace("-25%", "25%").as_bytes()),
        (
            "tuesday.html",
            SHOP.replace("£14<", "£11<").replace("-10%", "12.5%").replace("-25%", "25%").as_bytes(),
        ),
    ]);
    let keep = |day: &str| {
        let line = format!("copal extract {day}.html --url https://shop.example/ -o '{}'", server.socket());
        let run = run(folder.path(), &line);
        style(&run);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr.rsplit_once("run ").unwrap().1.trim_end().to_owned()
    };
    assert_eq!(keep("monday"), "1: 4 records on 1 page, 4 new, 0 changed");
    assert_eq!(keep("monday"), "2: 4 records on 1 page, 0 new, 0 changed");
    let types = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'public' \
                 AND table_name = 'records' AND column_name IN ('price_amount', 'percent_percent', 'tags', 'first_seen') ORDER BY 1";
    let before = "first_seen|timestamp with time zone\npercent_percent|bigint\nprice_amount|double precision\ntags|text";
    assert_eq!(server.ask(types), before);
    assert_eq!(keep("tuesday"), "3: 4 records on 1 page, 0 new, 2 changed");
    assert_eq!(server.ask(types), before.replace("bigint", "double precision"));
    let history = server.ask("SELECT key, column_name, old, new, run FROM history ORDER BY 1, 2");
    let wanted = "https://shop.example/lamp/1|percent|10%|12.5%|3\n\
                  https://shop.example/lamp/1|percent_percent|10|12.5|3\n\
                  https://shop.example/lamp/2|price|£14|£11|3\n\
                  https://shop.example/lamp/2|price_amount|14|11|3";
    assert_eq!(history, wanted);
    assert_eq!(keep("tuesday"), "4: 4 records on 1 page, 0 new, 0 changed");
    assert_eq!(server.ask("SELECT count(*) FROM history"), "4");
    assert_eq!(server.ask("SELECT tags FROM records WHERE key LIKE '%/lamp/2'"), r#"["floor"]"#);
    let runs =
        server.ask("SELECT id, pages, records, outcome, finished IS NOT NULL FROM runs ORDER BY id LIMIT 1");
    assert_eq!(runs, "1|1|4|done|t");
    let difference = run(folder.path(), &format!("copal diff '{}' --runs 2 3 --quiet", server.socket()));
    let wanted = "~ https://shop.example/lamp/1\n    percent: 10% → 12.5%\n~ https://shop.example/lamp/2\n    price: £14 → £11\n\
                  0 new, 0 gone, 2 changed, 2 the same\n";
    assert_eq!((difference.stdout.as_str(), difference.code), (wanted, 5), "{}", difference.stderr);
}

/// Fetches and stores in one run: the PostgreSQL client must work inside the asynchronous runtime of the
/// fetcher.
fn from_a_url(server: &Server) {
    let shop = Shop::open();
    let line = "copal extract $SHOP/kettles --follow all --allow-private --delay 0 --quiet --table kettles";
    let kept = shop.run(&format!("{line} -o '{}'", server.socket()));
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    assert_eq!(server.ask("SELECT count(*), count(DISTINCT page) FROM kettles"), "23|5");
    // killed while the third page is awaited: two are there, and the next run replaces its pages by the list
    shop.hold(true);
    let line = format!(
        "exec copal extract $SHOP/held --follow all --details all --allow-private --delay 0 --quiet \
         --table held -o '{}'",
        server.socket()
    );
    let mut child = shop.shell(&line).stdin(Stdio::null()).spawn().unwrap();
    shop.wait_for("/held?page=3");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(server.ask("SELECT count(*), count(DISTINCT page) FROM held"), "10|2");
    shop.hold(false);
    for _ in 0..2 {
        let kept = shop.run(&line);
        assert_eq!(kept.code, 0, "{}", kept.stderr);
        assert_eq!(server.ask("SELECT count(*), count(weight), count(DISTINCT run) FROM held"), "23|23|1");
    }
    let changes =
        "SELECT count(*) FROM history WHERE table_name = 'held' AND run = (SELECT max(run) FROM held)";
    assert_eq!(server.ask(changes), "0");
}

/// Passwords from the URL, the environment and psql's password file; certificates.
fn who_may_come_in(server: &Server) {
    let folder = common::folder(&[("shop.html", SHOP.as_bytes())]);
    let port = server.port;
    let pass = format!("#\nlocalhost:{port}:*:bob:x\n127.0.0.1:{port}:shop:ann:{PASSWORD}\n");
    fs::write(folder.path().join(".pgpass"), pass).unwrap();
    let certificate = server.folder.path().join("cert.pem");
    let keep = |before: &str, host: &str, after: &str| {
        let before = format!("env -u PGPASSWORD -u PGPASSFILE HOME=/nowhere {before}");
        let line =
            format!("{before} copal extract shop.html --quiet -o 'postgres://{host}:{port}/shop{after}'");
        let run = run(folder.path(), &line);
        style(&run);
        assert!(!run.stderr.contains("sesame"), "{}", run.stderr);
        (run.code, run.stderr)
    };
    let ok = (0, String::new());
    assert_eq!(keep("", "ann:open%20sesame@127.0.0.1", ""), ok);
    assert_eq!(keep("PGPASSWORD='open sesame'", "ann@127.0.0.1", "?sslmode=disable"), ok);
    assert_eq!(keep("HOME=.", "ann@127.0.0.1", ""), ok);
    let (code, why) = keep("PGPASSWORD=wrong-sesame", "ann@127.0.0.1", "");
    assert_eq!(code, 3);
    assert!(why.contains("password authentication failed for user"), "{why}");
    assert_eq!(keep("", "ann@127.0.0.1", "").0, 3, "no password at all");
    // an untrusted certificate is rejected if verification is required
    let (code, why) = keep("PGPASSWORD='open sesame'", "ann@localhost", "?sslmode=require");
    assert_eq!(code, 3, "{why}");
    assert!(why.contains("certificate"), "{why}");
    let known = format!("SSL_CERT_FILE={} PGPASSWORD='open sesame'", certificate.display());
    assert_eq!(keep(&known, "ann@localhost", "?sslmode=verify-full"), ok);
    let commands = server.ask("SELECT command FROM runs");
    assert!(!commands.contains("sesame") && commands.contains("-o postgres://127.0.0.1"), "{commands}");
    assert_eq!(server.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'copal'"), "0");
}

const PAGES: usize = 150;
const RECORDS: usize = 8;

/// A killed run leaves only complete pages, and the next run adds the rest.
fn killed(server: &Server) {
    let folder = many_pages(PAGES, RECORDS);
    let line = format!("exec copal extract pages -o '{}' --table lamps --quiet -j 1", server.socket());
    let begun = Instant::now();
    assert_eq!(run(folder.path(), &line).code, 0);
    let whole = begun.elapsed();
    let mut partial = 0;
    for kill in 1..=5 {
        server.ask("DROP TABLE IF EXISTS lamps");
        let mut child = shell(folder.path(), &line).stdin(Stdio::null()).spawn().unwrap();
        sleep(whole.mul_f64(f64::from(kill) / 6.0));
        child.kill().unwrap();
        child.wait().unwrap();
        let there = server.ask("SELECT to_regclass('lamps') IS NOT NULL") == "t";
        let counts =
            if there { server.ask("SELECT count(*) FROM lamps GROUP BY page") } else { String::new() };
        assert!(counts.lines().all(|count| count == RECORDS.to_string()), "{counts}");
        partial += usize::from((1..PAGES).contains(&counts.lines().count()));
    }
    assert!(partial > 0, "no kill came while pages were kept");
    let again = run(folder.path(), &line);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let all = server
        .ask("SELECT count(*), count(DISTINCT key), count(DISTINCT page), count(DISTINCT run) FROM lamps");
    assert_eq!(all, format!("{0}|{0}|{PAGES}|1", PAGES * RECORDS));
    assert_eq!(server.ask("SELECT count(*) FROM history WHERE table_name = 'lamps'"), "0");
}

fn tables_of_others(server: &Server) {
    let folder = common::folder(&[("shop.html", SHOP.as_bytes())]);
    server.ask("CREATE TABLE mine (a text)");
    server.ask("CREATE SCHEMA other");
    let refused =
        run(folder.path(), &format!("copal extract shop.html -o '{}' --table mine", server.socket()));
    assert_eq!(refused.code, 3);
    assert!(refused.stderr.contains("the table \"mine\" exists and is not copal's"), "{}", refused.stderr);
    // another schema has tables of its own
    let there = format!("{}?options=-csearch_path%3Dother", server.socket());
    let kept = run(folder.path(), &format!("copal extract shop.html -o '{there}' --table mine"));
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    assert_eq!(server.ask("SELECT count(*) FROM other.mine"), "4");
    assert_eq!(server.ask("SELECT count(*) FROM public.mine"), "0");
}

fn renamed_columns(server: &Server) {
    let page = |price: &str| {
        let row = |n: usize| format!("<tr><td><a href='/{n}'>Lamp {n}</a><td>£{n}.50<td>{n}0 g</tr>");
        let rows: String = (1..=8).map(row).collect();
        format!("<table><tr><th>item<th>{price}<th>weight</tr>{rows}</table>")
    };
    let (monday, tuesday) = (page("price"), page("cost"));
    let folder = common::folder(&[("monday.html", monday.as_bytes()), ("tuesday.html", tuesday.as_bytes())]);
    let store = |file: &str| {
        let url = "--url https://shop.example/";
        run(folder.path(), &format!("copal extract {file} {url} -o '{}' --table renamed", server.socket()))
    };
    assert_eq!(store("monday.html").code, 0);
    for _ in 0..2 {
        let renamed = store("tuesday.html");
        assert!(renamed.stderr.contains("0 new, 0 changed"), "{}", renamed.stderr);
        let warning = "warning: column \"cost\" is stored as \"price\" in table renamed";
        assert!(renamed.stderr.contains(warning), "{}", renamed.stderr);
    }
    assert_eq!(server.ask("SELECT count(price_amount) FROM renamed"), "8");
    assert_eq!(server.ask("SELECT value FROM copal_meta"), "2");
}

/// A request may name a database that the service was started with, and no other server.
#[cfg(feature = "serve")]
fn through_the_service(server: &Server) {
    let service = Service::start(&["--database", &format!("lamps={}", server.socket())]);
    let store = |database: &str| {
        let store = serde_json::json!({ "database": database, "table": "served", "key": ["title"] });
        let options = serde_json::json!({ "store": store });
        service.post("/v1/extract", &serde_json::json!({ "html": SHOP, "options": options }))
    };
    let stored = store("lamps");
    assert_eq!(stored.status, 200, "{}", stored.text());
    let summary = stored.header("x-copal-stored").unwrap();
    assert!(summary.contains("4 records") && summary.contains("4 new"), "{summary}");
    assert!(store("lamps").header("x-copal-stored").unwrap().contains("0 new, 0 changed"));
    assert_eq!(server.ask("SELECT count(*), count(DISTINCT run) FROM served"), "4|1");
    let commands = server.ask("SELECT DISTINCT command FROM runs WHERE command LIKE '%/v1/extract%'");
    assert_eq!(commands, "POST /v1/extract");
    // what was stored is read in the same way as from a file
    let records = service.get("/v1/databases/lamps/records?table=served&most=2").json();
    assert_eq!(
        (&records["total"], records["records"].as_array().unwrap().len()),
        (&4.into(), 2),
        "{records}"
    );
    assert!(records["records"][0]["first_seen"].is_string(), "{records}");
    let runs = service.get("/v1/databases/lamps/runs").json()["runs"].clone();
    assert_eq!((&runs[0]["records"], &runs[0]["command"]), (&4.into(), &"POST /v1/extract".into()), "{runs}");
    let path =
        format!("/v1/databases/lamps/differences?old={}&new={}&table=served", runs[1]["id"], runs[0]["id"]);
    assert_eq!(service.get(&path).json()["differences"][0]["same"], 4);
    assert_eq!(service.get("/v1/databases/lamps/records?table=pg_class").status, 404);
    assert!(!service.get("/v1/databases").text().contains("ann@"));
    for other in [server.socket(), format!("postgres://ann@127.0.0.1:{}/shop", server.port)] {
        assert_eq!(store(&other).status, 400, "{other}");
    }
    // a job stores too
    let shop = Shop::open();
    let service = Service::start(&[
        "--database",
        &format!("lamps={}", server.socket()),
        "--allow-private",
        "--delay",
        "0",
    ]);
    let store = serde_json::json!({ "database": "lamps", "table": "kettles_served" });
    let job = serde_json::json!({ "urls": [shop.server.url("/kettles")], "options": { "follow": 10, "store": store } });
    let begun = service.post("/v1/jobs", &job).json();
    let status = service.wait_for_job(begun["id"].as_str().unwrap());
    assert_eq!(status["state"], "done", "{status}");
    assert_eq!(server.ask("SELECT count(*) FROM kettles_served"), "23");
}

/// Runs of one command are compared, also if another command wrote to the database in between.
fn watched_pages(server: &Server) {
    let folder = common::folder(&[("shop.html", SHOP.as_bytes()), ("books.html", BOOKS.as_bytes())]);
    let watch = |page: &str| {
        let options = "--url https://watched.example/ --quiet";
        run(folder.path(), &format!("copal watch {page} {options} -o '{}'", server.socket()))
    };
    assert_eq!((watch("shop.html").code, watch("books.html").code), (0, 0));
    let changed = SHOP.replace("£14", "£15").replace("/lamp/1\"", "/lamp/5\"");
    fs::write(folder.path().join("shop.html"), changed).unwrap();
    let second = watch("shop.html");
    assert_eq!(second.code, 5, "{}", second.stderr);
    assert!(second.stdout.contains("+ https://watched.example/lamp/5"), "{}", second.stdout);
    assert!(second.stdout.contains("- https://watched.example/lamp/1"), "{}", second.stdout);
    assert!(second.stdout.contains("    price: £14 → £15"), "{}", second.stdout);
    assert!(second.stdout.contains("1 new, 1 gone, 1 changed, 2 the same"), "{}", second.stdout);
    assert_eq!((watch("shop.html").code, watch("books.html").code), (0, 0));
    fs::write(folder.path().join("shop.html"), SHOP).unwrap();
    let third = watch("shop.html");
    assert!(third.stdout.contains("+ https://watched.example/lamp/1"), "{}", third.stdout);
}
