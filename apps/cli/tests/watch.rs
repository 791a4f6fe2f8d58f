//! `copal watch` on a shop on loopback whose list changes: what is reported, what is not, and how it ends.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, end, folder, shell, style};
use copal_testserver::{Request, Response, Server, html, not_found};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longer than anything takes on a slow machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A lamp: its number, its name and its price.
type Lamp = (usize, &'static str, usize);

const LAMPS: [Lamp; 5] = [
    (1, "Blue lamp", 12),
    (2, "Red lamp", 14),
    (3, "Green lamp", 9),
    (4, "Paper lamp", 5),
    (5, "Clip lamp", 6),
];

/// A list in two pages; a page without lamps is missing.
#[derive(Default)]
struct Stock {
    pages: [Vec<Lamp>; 2],
    /// Another list, under another URL.
    chairs: bool,
    requests: usize,
}

struct LampShop {
    server: Server,
    folder: TempDir,
    stock: Arc<Mutex<Stock>>,
}

impl LampShop {
    fn open() -> LampShop {
        let stock = Arc::new(Mutex::new(Stock::default()));
        stock.lock().unwrap().pages[0] = LAMPS.to_vec();
        let own = Arc::clone(&stock);
        let server = Server::start(move |request| respond(&mut own.lock().unwrap(), request));
        LampShop { server, folder: folder(&[]), stock }
    }

    /// Changes what the shop sells.
    fn restock(&self, page: usize, change: impl FnOnce(&mut Vec<Lamp>)) {
        change(&mut self.stock.lock().unwrap().pages[page]);
    }

    fn shell(&self, line: &str) -> Command {
        let mut command = shell(self.folder.path(), line);
        command.env("SHOP", self.server.url(""));
        command
    }

    fn run(&self, line: &str) -> Run {
        let run = end(&mut self.shell(line), line, b"");
        let plain = |text: &str| text.replace(&self.server.url(""), "$SHOP");
        let run = Run { stdout: plain(&run.stdout), stderr: plain(&run.stderr), ..run };
        style(&run);
        run
    }

    /// Runs the command that most tests watch with.
    fn watch(&self, more: &str) -> Run {
        self.run(&format!("copal watch $SHOP/lamps -o lamps.sqlite --allow-private --delay 0 {more}"))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }
}

fn respond(stock: &mut Stock, request: &Request) -> Response {
    match request.path.as_str() {
        "/lamps" => {
            stock.requests += 1;
            page(&stock.pages[0], if stock.pages[1].is_empty() { "" } else { "/lamps?page=2" })
        }
        "/lamps?page=2" => page(&stock.pages[1], ""),
        // a next link that leads nowhere
        "/broken" => page(&stock.pages[0], "/lamps?page=3"),
        "/chairs" if stock.chairs => {
            page(&[(71, "Oak chair", 70), (72, "Ash chair", 80), (73, "Elm chair", 90)], "")
        }
        _ => not_found(),
    }
}

fn page(lamps: &[Lamp], next: &str) -> Response {
    if lamps.is_empty() {
        return not_found();
    }
    let mut items = String::new();
    for (number, name, price) in lamps {
        write!(
            items,
            "<li class=item><h3><a href='/item/{number}'>{name}</a></h3><span class=price>£{price}.00</span>\
             <p class=about>Made by hand in workshop {number} of the old mill.</p></li>"
        )
        .unwrap();
    }
    let next =
        if next.is_empty() { String::new() } else { format!("<a rel=next href='{next}'>Next page</a>") };
    html(&format!(
        "<!doctype html><html lang=en><title>Lamps</title><nav><a href=/>Home</a> <a href=/about>About</a></nav>\
         <h1>Lamps</h1><ul class=items>{items}</ul><p>{next}</p>"
    ))
}

#[test]
fn new_gone_and_changed_records_are_reported() {
    let shop = LampShop::open();
    let first = shop.watch("");
    assert_eq!((first.code, first.stdout.as_str()), (0, ""), "{}", first.stderr);
    assert!(first.stderr.contains("first run: the next run of this command is compared with it"));
    let second = shop.watch("");
    assert_eq!((second.code, second.stdout.as_str()), (0, "0 new, 0 gone, 0 changed, 5 the same\n"));
    shop.restock(0, |lamps| {
        lamps.remove(1);
        lamps[0].2 = 11;
        lamps.push((6, "Salt lamp", 8));
    });
    // the cache does not hide the change, and options that only concern the output do not matter
    let third = shop.watch("--format=table --exec 'cp /dev/stdin got.json'");
    assert_eq!(third.code, 5, "{}", third.stderr);
    assert_eq!(
        third.stdout,
        "+ $SHOP/item/6  title: Salt lamp  price: £8.00  about: Made by hand in workshop 6 of the old mill.\n\
         - $SHOP/item/2  title: Red lamp  price: £14.00  about: Made by hand in workshop 2 of the old mill.\n\
         ~ $SHOP/item/1\n    price: £12.00 → £11.00\n1 new, 1 gone, 1 changed, 3 the same\n"
    );
    let got: Value = serde_json::from_str(&shop.read("got.json")).unwrap();
    assert_eq!((got["run"].as_i64(), got["complete"].as_bool()), (Some(3), Some(true)));
    assert_eq!(got["differences"][0]["new"][0]["fields"]["title"], "Salt lamp");
    assert_eq!(shop.watch("").code, 0);
}

#[test]
fn runs_that_did_not_see_everything_make_no_record_gone() {
    let shop = LampShop::open();
    shop.restock(1, |lamps| {
        *lamps = vec![(21, "Oil lamp", 21), (22, "Desk lamp", 22), (23, "Wall lamp", 23)];
    });
    assert_eq!(shop.watch("--follow all").code, 0);
    // the page fails
    let stocked = std::mem::take(&mut shop.stock.lock().unwrap().pages[0]);
    let failed = shop.watch("--follow all");
    assert_eq!((failed.code, failed.stdout.as_str()), (3, "0 new, 0 gone, 0 changed, 0 the same\n"));
    assert!(
        failed.stderr.contains("records that it did not see are not reported as gone"),
        "{}",
        failed.stderr
    );
    // the list is there again, without its second lamp: gone since the last complete run
    shop.restock(0, |lamps| *lamps = stocked.into_iter().filter(|lamp| lamp.0 != 2).collect());
    let complete = shop.watch("--follow all");
    assert_eq!(complete.code, 5, "{}", complete.stderr);
    assert!(complete.stdout.starts_with("- $SHOP/item/2  title: Red lamp"), "{}", complete.stdout);
    assert!(complete.stdout.ends_with("0 new, 1 gone, 0 changed, 7 the same\n"), "{}", complete.stdout);
}

#[test]
fn a_next_page_that_fails_makes_no_record_gone_and_new_ones_are_reported_once() {
    let shop = LampShop::open();
    let line = "copal watch $SHOP/broken --follow all -o lamps.sqlite --allow-private --delay 0";
    assert_eq!(shop.run(line).code, 4);
    shop.restock(0, |lamps| {
        lamps.remove(0);
        lamps.push((6, "Salt lamp", 8));
    });
    let partial = shop.run(line);
    assert_eq!(partial.code, 5, "{}", partial.stderr);
    assert!(partial.stdout.starts_with("+ $SHOP/item/6"), "{}", partial.stdout);
    assert!(partial.stdout.ends_with("1 new, 0 gone, 0 changed, 4 the same\n"), "{}", partial.stdout);
    assert!(partial.stderr.contains("did not read everything (partial)"), "{}", partial.stderr);
    let again = shop.run(line);
    assert_eq!((again.code, again.stdout.as_str()), (4, "0 new, 0 gone, 0 changed, 5 the same\n"));
}

#[test]
fn a_record_that_comes_back_is_new() {
    let shop = LampShop::open();
    shop.watch("");
    shop.restock(0, |lamps| {
        lamps.remove(2);
    });
    assert!(shop.watch("").stdout.starts_with("- $SHOP/item/3"));
    assert_eq!(shop.watch("").code, 0);
    shop.restock(0, |lamps| lamps.push((3, "Green lamp", 7)));
    let back = shop.watch("");
    assert_eq!(back.code, 5, "{}", back.stderr);
    assert!(back.stdout.starts_with("+ $SHOP/item/3  title: Green lamp  price: £7.00"), "{}", back.stdout);
    assert!(back.stdout.ends_with("1 new, 0 gone, 0 changed, 4 the same\n"), "{}", back.stdout);
    assert_eq!(shop.watch("").code, 0);
}

#[test]
fn other_commands_in_the_same_database_do_not_matter() {
    let shop = LampShop::open();
    shop.stock.lock().unwrap().chairs = true;
    let chairs = "copal watch $SHOP/chairs -o lamps.sqlite --allow-private --delay 0";
    assert_eq!((shop.watch("").code, shop.run(chairs).code), (0, 0));
    assert_eq!((shop.watch("").code, shop.run(chairs).code), (0, 0));
    shop.restock(0, |lamps| {
        lamps.pop();
    });
    let lamps = shop.watch("");
    assert!(lamps.stdout.starts_with("- $SHOP/item/5"), "{}", lamps.stdout);
    assert!(lamps.stdout.contains("0 new, 1 gone, 0 changed"), "{}", lamps.stdout);
    assert_eq!(shop.run(chairs).code, 0);
}

#[test]
fn a_run_that_is_refused_uses_no_number() {
    let shop = LampShop::open();
    for (wrong, message) in
        [("--key number", "no column \"number\" for --key"), ("--fields number", "number")]
    {
        let refused = shop.watch(wrong);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{}", refused.stderr);
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
    }
    let first = shop.watch("--key title");
    assert!(first.stderr.starts_with("lamps.sqlite: run 1: 5 records on 1 page"), "{}", first.stderr);
}

#[test]
fn a_feed_is_valid_xml_and_keeps_the_changes_of_earlier_runs() {
    let shop = LampShop::open();
    let watch = || shop.watch("--format rss --changes lamps.xml");
    assert_eq!(watch().code, 0);
    shop.restock(0, |lamps| lamps.push((6, "Salt &lt;b&gt; &amp; &quot;pepper&quot; ]]&gt; lamp", 8)));
    assert_eq!(watch().code, 5);
    shop.restock(0, |lamps| lamps[0].2 = 10);
    assert_eq!(watch().code, 5);
    let xml = shop.read("lamps.xml");
    let mut reader = quick_xml::Reader::from_str(&xml);
    let (mut titles, mut inside) = (Vec::new(), false);
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(tag) => {
                inside = tag.name().as_ref() == "title";
                if inside {
                    titles.push(String::new());
                }
            }
            quick_xml::events::Event::Text(text) if inside => {
                titles.last_mut().unwrap().push_str(&text);
            }
            quick_xml::events::Event::GeneralRef(entity) if inside => {
                let character = match &*entity {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    other => panic!("{other}"),
                };
                titles.last_mut().unwrap().push(character);
            }
            quick_xml::events::Event::End(_) => inside = false,
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    let plain: Vec<String> =
        titles.iter().map(|title| title.replace(&shop.server.url(""), "$SHOP")).collect();
    assert_eq!(
        plain,
        ["Changes: $SHOP/lamps", "changed: Blue lamp", "new: Salt <b> & \"pepper\" ]]> lamp"],
        "{xml}"
    );
}

#[test]
fn a_program_that_fails_is_reported() {
    let shop = LampShop::open();
    shop.watch("");
    for (price, program, message) in [
        (30, "sh -c 'echo broken >&2; exit 3'", "broken"),
        (31, "no-such-program", "cannot start \"no-such-program\": no such file or folder"),
        (32, "sleep 100' --exec-timeout '1s", "has not ended after 1 s"),
    ] {
        shop.restock(0, |lamps| lamps[0].2 = price);
        let run = shop
            .watch(&format!("--exec \"{}\"", program.replace("' --exec-timeout '", "\" --exec-timeout \"")));
        assert_eq!(run.code, 3, "{program}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{program}: {}", run.stderr);
        assert!(run.stdout.contains("1 changed"), "{program}: {}", run.stdout);
    }
    // nothing changed: the program is not run
    assert_eq!(shop.watch("--exec no-such-program").code, 0);
}

#[test]
fn wrappers_are_used_and_checked() {
    let shop = LampShop::open();
    let learn = "copal learn $SHOP/lamps --allow-private --delay 0 -o lamps.copal.yaml";
    assert_eq!(shop.run(learn).code, 0);
    assert_eq!(shop.watch("--wrapper lamps.copal.yaml").code, 0);
    shop.restock(0, |lamps| lamps[0].2 = 10);
    let changed = shop.watch("--wrapper lamps.copal.yaml");
    assert_eq!(changed.code, 5, "{}", changed.stderr);
    assert!(changed.stdout.contains("price: £12.00 → £10.00"), "{}", changed.stdout);
    // another site under the same URL
    let other = folder(&[("list.html", common::BOOKS.as_bytes())]);
    let line = "copal watch list.html -o books.sqlite --wrapper lamps.copal.yaml";
    fs::copy(shop.folder.path().join("lamps.copal.yaml"), other.path().join("lamps.copal.yaml")).unwrap();
    let drifted = common::run(other.path(), line);
    assert_eq!(drifted.code, 5, "{}", drifted.stderr);
    assert!(drifted.stderr.contains("the site has changed"), "{}", drifted.stderr);
    assert!(drifted.stderr.contains("copal repair"), "{}", drifted.stderr);
}

#[test]
fn watching_goes_on_after_a_failed_run_and_ends_with_an_interrupt() {
    let shop = LampShop::open();
    let line =
        "exec copal watch $SHOP/lamps -o lamps.sqlite --allow-private --delay 0 --every 1s --format json";
    let mut command = shop.shell(line);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let first = next();
    assert_eq!((first["run"].as_i64(), first["first"].as_bool()), (Some(1), Some(true)));
    let stocked = std::mem::take(&mut shop.stock.lock().unwrap().pages[0]);
    let failed = loop {
        let run = next();
        if run["complete"] == false {
            break run;
        }
    };
    assert_eq!(failed["differences"][0]["gone"].as_array().unwrap().len(), 0);
    shop.restock(0, |lamps| *lamps = stocked.into_iter().skip(1).collect());
    let complete = loop {
        let run = next();
        if run["complete"] == true {
            break run;
        }
    };
    assert_eq!(complete["differences"][0]["gone"].as_array().unwrap().len(), 1);
    // between two runs
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < PATIENCE, "the interrupt did not end the command");
        thread::sleep(Duration::from_millis(10));
    };
    // a run that had just begun is partial
    assert!(matches!(status.code(), Some(0 | 4)), "{status}");
    assert!(shop.stock.lock().unwrap().requests >= 3);
}

#[test]
fn saved_pages_can_be_watched_and_wrong_uses_are_refused() {
    let folder = folder(&[("shop.html", common::SHOP.as_bytes())]);
    let run = |line: &str| {
        let run = common::run(folder.path(), line);
        style(&run);
        run
    };
    assert_eq!(run("copal watch shop.html --url https://a.example/ -o shop.db").code, 0);
    fs::write(folder.path().join("shop.html"), common::SHOP.replace("£14", "£15")).unwrap();
    let changed = run("copal watch shop.html --url https://a.example/ -o shop.db --quiet");
    assert_eq!(changed.code, 5);
    assert_eq!(
        changed.stdout.lines().next_back(),
        Some("0 new, 0 gone, 1 changed, 3 the same"),
        "{}",
        changed.stdout
    );
    for (line, message) in [
        ("copal watch shop.html -o list.csv", "is not a database"),
        ("copal watch shop.html -o x.db --every 5", "expected a time such as"),
        ("copal watch shop.html -o x.db --every 1h --format rss", "with --every, write it with --changes"),
        ("copal watch - -o x.db --every 1h", "standard input can be read only once"),
        ("copal watch shop.html -o x.db --exec \"'\"", "a quote is not closed"),
        ("copal watch shop.html -o x.db --wrapper w.yaml --list 2", "cannot be used with"),
        ("copal watch shop.html -o x.db --key nothing", "no column"),
    ] {
        let refused = run(line);
        assert_eq!(refused.code, 2, "{line}: {}", refused.stderr);
        assert!(refused.stderr.contains(message), "{line}: {}", refused.stderr);
    }
}

/// The commands of the examples for cron and systemd in the guide.
fn scheduled_commands() -> Vec<String> {
    let guide = fs::read_to_string(common::root().join("docs/guide/watching.md")).unwrap();
    let cron = guide.lines().filter_map(|line| line.strip_prefix("7 * * * * "));
    let systemd = guide.lines().filter_map(|line| line.strip_prefix("ExecStart="));
    cron.chain(systemd).map(|line| line.replace("%h", "\"$HOME\"")).collect()
}

#[test]
fn the_examples_for_cron_and_systemd_work() {
    let commands = scheduled_commands();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for line in commands {
        let shop = LampShop::open();
        let line = line
            .replace("https://shop.example", "$SHOP")
            .replace("--follow all", "--follow all --allow-private --delay 0");
        let run = |shop: &LampShop| {
            let mut command = shop.shell(&line);
            end(command.env("HOME", shop.folder.path()), &line, b"")
        };
        assert_eq!(run(&shop).code, 0, "{line}");
        shop.restock(0, |lamps| lamps[0].2 = 1);
        let changed = run(&shop);
        // cron gets 0 and mails the output; systemd knows 5 as a success
        assert_eq!(changed.code, if line.contains("test $?") { 0 } else { 5 }, "{line}: {}", changed.stderr);
        let printed = if line.contains("--changes") { shop.read("lamps.txt") } else { changed.stdout };
        assert!(printed.contains("price: £12.00 → £1.00"), "{line}: {printed}");
    }
}

#[test]
fn a_run_that_stored_nothing_is_not_compared_with() {
    let folder = folder(&[]);
    let watch = |options: &str| {
        let line = format!("copal watch shop.html --url https://shop.example/ {options} -o s.sqlite");
        end(&mut shell(folder.path(), &line), &line, b"")
    };
    let missing = watch("");
    assert_eq!(missing.code, 3, "{}", missing.stderr);
    assert!(!missing.stderr.contains("first run"), "{}", missing.stderr);
    fs::write(folder.path().join("shop.html"), common::SHOP).unwrap();
    let first = watch("");
    assert_eq!((first.code, first.stdout.as_str()), (0, ""), "{}", first.stderr);
    assert!(first.stderr.contains("first run"), "{}", first.stderr);
    // nothing to say
    assert_eq!((watch("--quiet").code, watch("--quiet").stdout.as_str()), (0, ""));
}

/// The records of a saved page have no URLs, so their keys are hashes, which mean nothing to people.
#[test]
fn changes_of_a_saved_page_are_shown_by_title() {
    let shop = LampShop::open();
    let save = |pairs: &[(&str, &str)]| {
        let rows = pairs.iter().map(|(name, price)| {
            format!("<li class=lamp><b class=title>{name}</b> <span class=price>{price}</span></li>")
        });
        let page = format!("<ul class=lamps>{}</ul>", rows.collect::<String>());
        fs::write(shop.folder.path().join("lamps.html"), page).unwrap();
    };
    let lamps = [("Blue lamp", "£12"), ("Red lamp", "£14"), ("Green lamp", "£9"), ("Clip lamp", "£6")];
    save(&lamps);
    let line = "copal watch lamps.html -o saved.sqlite";
    assert_eq!(shop.run(line).code, 0);
    save(&[lamps[0], ("Red lamp", "£11"), lamps[2], lamps[3], ("Oil lamp", "£30")]);
    let run = shop.run(line);
    assert_eq!(run.code, 5, "{}", run.stderr);
    assert!(run.stdout.contains("~ Red lamp\n") && !run.stdout.contains('#'), "{}", run.stdout);
    let feed = shop.run(&format!("{line} --quiet --format rss")).stdout;
    assert!(feed.contains("<title>changed: Red lamp</title>"), "{feed}");
    assert!(!feed.contains("<link></link>"), "{feed}");
}

#[test]
fn the_hint_for_a_page_without_a_list_names_options_that_watch_has() {
    let shop = LampShop::open();
    fs::write(shop.folder.path().join("empty.html"), "<p>Closed today.</p>").unwrap();
    let run = shop.run("copal watch empty.html -o empty.sqlite");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("hint: ") && !run.stderr.contains("--all"), "{}", run.stderr);
}
