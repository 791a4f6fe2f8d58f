//! The frontier on disk: which URLs are queued, in flight and done, which lists were found, which records known.
//!
//! In: items with a priority and a reason. Out: the best queued item; what was done survives a kill. The file is a
//! SQLite database with a write-ahead log. Each step is one transaction: an item leaves the queue together with
//! what was found on its page, so that a page is done or will be visited again, and never half done. Items that
//! were in flight when the process died are queued again when the file is opened.

use crate::crawl_traps::TemplateYield;
use crate::error::ExploreError;
use crate::frontier_items::{FoundList, FrontierEntry, FrontierItem, ItemEnd};
use crate::post_search::request_key;
use crate::suggestion_plan::AUTOCOMPLETE_ROLE;
use crate::url_keys::url_family;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the tables.
const LAYOUT_VERSION: i64 = 2;
/// How long a second process waits for the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// URLs that the frontier of one site holds. More are not needed: the budget of pages is smaller.
const MAX_ITEMS: i64 = 50_000;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, url TEXT NOT NULL, form TEXT, role TEXT NOT NULL, parent TEXT NOT NULL,
    priority REAL NOT NULL, depth INTEGER NOT NULL, template TEXT NOT NULL, reason TEXT NOT NULL,
    family TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'queued', outcome TEXT NOT NULL DEFAULT '',
    has_list INTEGER NOT NULL DEFAULT 0, is_raised INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS items_by_state ON items (state, priority DESC, id);
CREATE INDEX IF NOT EXISTS items_by_template ON items (template, state);
CREATE TABLE IF NOT EXISTS lists (
    key TEXT PRIMARY KEY, url TEXT NOT NULL, form TEXT, kind TEXT NOT NULL, facts TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued', outcome TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS record_keys (key TEXT PRIMARY KEY, list TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS record_keys_by_list ON record_keys (list);
";

/// Pages that were linked beside one with a list, from the same page and with a similar URL, probably have lists too.
const RAISE_FAMILY: &str = "UPDATE items SET priority = CASE ?2 WHEN '/' THEN priority + 0.5 ELSE max(priority + 1.0, 1.0) END, \
    is_raised = 1 WHERE state = 'queued' AND is_raised = 0 AND role = 'link' AND parent = ?1 AND family = ?2";

/// An open frontier.
#[derive(Debug)]
pub struct Frontier {
    connection: Connection,
    path: PathBuf,
}

impl Frontier {
    /// Opens the frontier of a site in a file, or creates it. What was in flight is queued again.
    pub fn open(path: &Path) -> Result<Frontier, ExploreError> {
        let connection = Connection::open(path).map_err(|error| frontier_error(path, &error))?;
        let mut frontier = Frontier { connection, path: path.to_owned() };
        frontier.prepare()?;
        Ok(frontier)
    }

    /// A frontier in memory, which nothing survives. For plans that are only shown.
    pub fn in_memory() -> Result<Frontier, ExploreError> {
        let path = PathBuf::from(":memory:");
        let connection = Connection::open_in_memory().map_err(|error| frontier_error(&path, &error))?;
        let mut frontier = Frontier { connection, path };
        frontier.prepare()?;
        Ok(frontier)
    }

    fn prepare(&mut self) -> Result<(), ExploreError> {
        let busy = self.connection.busy_timeout(BUSY_TIMEOUT);
        self.checked(busy)?;
        // before anything is changed: a file of another version may have other tables under the same names
        let known = self.stored_layout()?;
        if let Some(version) = known.as_ref().filter(|version| **version != LAYOUT_VERSION.to_string()) {
            return Err(ExploreError::FrontierVersion {
                path: self.path.clone(),
                found: version.parse().unwrap_or(-1),
                expected: LAYOUT_VERSION,
            });
        }
        let prepared = (|| {
            self.connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            self.connection.execute_batch("PRAGMA synchronous = NORMAL")?;
            self.connection.execute_batch(TABLES)?;
            self.connection.execute("UPDATE items SET state = 'queued' WHERE state = 'in flight'", [])?;
            self.connection.execute("UPDATE lists SET state = 'queued' WHERE state = 'in flight'", [])
        })();
        self.checked(prepared)?;
        match known {
            None => self.set_meta("layout", &LAYOUT_VERSION.to_string()),
            Some(_) => Ok(()),
        }
    }

    /// The version of the tables that are in the file; `None` in a new file.
    fn stored_layout(&self) -> Result<Option<String>, ExploreError> {
        let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'meta'";
        let tables = self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        if self.checked(tables)? == 0 { Ok(None) } else { self.meta("layout") }
    }

    /// Forgets everything.
    pub fn clear(&mut self) -> Result<(), ExploreError> {
        let cleared = self.connection.execute_batch(
            "BEGIN; DELETE FROM items; DELETE FROM lists; DELETE FROM record_keys; \
             DELETE FROM meta WHERE name <> 'layout'; COMMIT",
        );
        self.checked(cleared)
    }

    /// A fact about the whole run.
    pub fn meta(&self, name: &str) -> Result<Option<String>, ExploreError> {
        let value = self
            .connection
            .query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0))
            .optional();
        self.checked(value)
    }

    /// Remembers a fact about the whole run.
    pub fn set_meta(&mut self, name: &str, value: &str) -> Result<(), ExploreError> {
        let sql =
            "INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2";
        let written = self.connection.execute(sql, [name, value]).map(drop);
        self.checked(written)
    }

    /// Queues an item, unless its page is known already. Returns whether it is new.
    pub fn add(&mut self, item: &FrontierItem) -> Result<bool, ExploreError> {
        let added = insert(&self.connection, item, "queued", "");
        self.checked(added)
    }

    /// Remembers a URL that is not visited, with the reason. Known pages are left as they are.
    pub fn discard(&mut self, item: &FrontierItem, why: &str) -> Result<bool, ExploreError> {
        let added = insert(&self.connection, item, ItemEnd::Discarded.name(), why);
        self.checked(added)
    }

    /// Takes the queued item with the highest priority, the oldest first among equals.
    pub fn take(&mut self) -> Result<Option<FrontierItem>, ExploreError> {
        let taken = (|| {
            let transaction = self.connection.transaction()?;
            let best = transaction
                .query_row(
                    "SELECT url, role, parent, priority, depth, template, reason, form FROM items \
                     WHERE state = 'queued' ORDER BY priority DESC, id LIMIT 1",
                    [],
                    read_item,
                )
                .optional()?;
            if let Some(item) = &best {
                let key = item_key(item);
                transaction.execute("UPDATE items SET state = 'in flight' WHERE key = ?1", [key])?;
            }
            transaction.commit()?;
            Ok(best)
        })();
        self.checked(taken)
    }

    /// Ends an item: its outcome, the items and the list that its page gave, in one transaction.
    pub fn finish(
        &mut self,
        item: &FrontierItem,
        end: ItemEnd,
        outcome: &str,
        found: &[FrontierItem],
        list: Option<&FoundList>,
    ) -> Result<(), ExploreError> {
        let finished = (|| {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "UPDATE items SET state = ?2, outcome = ?3, has_list = ?4 WHERE key = ?1",
                params![item_key(item), end.name(), outcome, list.is_some()],
            )?;
            for item in found {
                insert(&transaction, item, "queued", "")?;
            }
            if let Some(list) = list {
                transaction.execute(RAISE_FAMILY, params![item.parent, url_family(&item.url)])?;
                transaction.execute(
                    "INSERT OR IGNORE INTO lists (key, url, kind, facts, form) VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![list_key(list), list.url, list.kind, list.facts, list.form],
                )?;
            }
            transaction.commit()
        })();
        self.checked(finished)
    }

    /// All lists that were found, in the order of their URLs.
    pub fn lists(&self) -> Result<Vec<FoundList>, ExploreError> {
        let lists = (|| {
            let sql = "SELECT url, kind, facts, state, outcome, form FROM lists ORDER BY url, key";
            let mut statement = self.connection.prepare(sql)?;
            let rows = statement.query_map([], |row| {
                Ok(FoundList {
                    url: row.get(0)?,
                    kind: row.get(1)?,
                    facts: row.get(2)?,
                    state: row.get(3)?,
                    outcome: row.get(4)?,
                    form: row.get(5)?,
                })
            })?;
            rows.collect()
        })();
        self.checked(lists)
    }

    /// Adds a list, unless its page is known already.
    pub fn add_list(&mut self, list: &FoundList) -> Result<(), ExploreError> {
        let sql = "INSERT OR IGNORE INTO lists (key, url, kind, facts, state, form) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let values = params![list_key(list), list.url, list.kind, list.facts, list.state, list.form];
        let added = self.connection.execute(sql, values).map(drop);
        self.checked(added)
    }

    /// Marks a list as being read. Records that an unfinished reading of it gave are forgotten, so that the whole list
    /// is stored, with the columns of all its pages.
    pub fn begin_list(&mut self, list: &FoundList) -> Result<(), ExploreError> {
        let begun = (|| {
            let transaction = self.connection.transaction()?;
            let key = list_key(list);
            transaction.execute("UPDATE lists SET state = 'in flight' WHERE key = ?1", [&key])?;
            transaction.execute("DELETE FROM record_keys WHERE list = ?1", [&key])?;
            transaction.commit()
        })();
        self.checked(begun)
    }

    /// Ends a list (`done`, `skipped`, or `queued` if it has to be read again) and remembers its records, in one transaction. To be called after the
    /// records were stored: storing them twice does no harm, and forgetting them would.
    pub fn finish_list(
        &mut self,
        list: &FoundList,
        state: &str,
        outcome: &str,
        facts: &str,
        record_keys: &[String],
    ) -> Result<(), ExploreError> {
        let finished = (|| {
            let transaction = self.connection.transaction()?;
            transaction.execute(
                "UPDATE lists SET state = ?2, outcome = ?3, facts = ?4 WHERE key = ?1",
                params![list_key(list), state, outcome, facts],
            )?;
            {
                let mut statement = transaction
                    .prepare_cached("INSERT OR IGNORE INTO record_keys (key, list) VALUES (?1, ?2)")?;
                for key in record_keys {
                    statement.execute([key, &list_key(list)])?;
                }
            }
            transaction.commit()
        })();
        self.checked(finished)
    }

    /// Of these keys, those that no list had yet, each once and in order.
    pub fn new_record_keys(&self, keys: &[String]) -> Result<Vec<String>, ExploreError> {
        let new = (|| {
            let mut statement = self.connection.prepare_cached("SELECT 1 FROM record_keys WHERE key = ?1")?;
            let mut seen = std::collections::HashSet::new();
            let mut new = Vec::new();
            for key in keys {
                if seen.insert(key) && !statement.exists([key])? {
                    new.push(key.clone());
                }
            }
            Ok(new)
        })();
        self.checked(new)
    }

    /// How many records are known.
    pub fn record_count(&self) -> Result<u64, ExploreError> {
        self.count("SELECT count(*) FROM record_keys")
    }

    /// How many items have a state.
    pub fn item_count(&self, state: &str) -> Result<u64, ExploreError> {
        let sql = "SELECT count(*) FROM items WHERE state = ?1";
        let count = self.connection.query_row(sql, [state], |row| row.get::<_, i64>(0));
        Ok(self.checked(count)?.unsigned_abs())
    }

    /// How many queued items have at least this priority.
    pub fn promising_count(&self, priority: f64) -> Result<u64, ExploreError> {
        let sql = "SELECT count(*) FROM items WHERE state = 'queued' AND priority >= ?1";
        let count = self.connection.query_row(sql, [priority], |row| row.get::<_, i64>(0));
        Ok(self.checked(count)?.unsigned_abs())
    }

    /// The priority of the best queued item.
    pub fn best_priority(&self) -> Result<Option<f64>, ExploreError> {
        let sql = "SELECT max(priority) FROM items WHERE state = 'queued'";
        let best = self.connection.query_row(sql, [], |row| row.get(0));
        self.checked(best)
    }

    /// How often pages of a template were visited, and how many of them had a list.
    pub fn template_yield(&self, template: &str) -> Result<TemplateYield, ExploreError> {
        let sql = "SELECT count(*), coalesce(sum(has_list), 0) FROM items \
                   WHERE template = ?1 AND state IN ('in flight', 'done', 'failed')";
        let counts = self.connection.query_row(sql, [template], |row| {
            Ok(TemplateYield {
                visited: row.get::<_, i64>(0)?.unsigned_abs() as usize,
                lists: row.get::<_, i64>(1)?.unsigned_abs() as usize,
            })
        });
        self.checked(counts)
    }

    /// All items in the order in which they were found.
    pub fn entries(&self) -> Result<Vec<FrontierEntry>, ExploreError> {
        let entries = (|| {
            let mut statement = self.connection.prepare(
                "SELECT url, role, parent, priority, depth, template, reason, form, state, outcome FROM items \
                 ORDER BY id",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(FrontierEntry { item: read_item(row)?, state: row.get(8)?, outcome: row.get(9)? })
            })?;
            rows.collect()
        })();
        self.checked(entries)
    }

    fn count(&self, sql: &str) -> Result<u64, ExploreError> {
        let count = self.connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        Ok(self.checked(count)?.unsigned_abs())
    }

    fn checked<T>(&self, result: Result<T, rusqlite::Error>) -> Result<T, ExploreError> {
        result.map_err(|error| frontier_error(&self.path, &error))
    }
}

fn frontier_error(path: &Path, error: &rusqlite::Error) -> ExploreError {
    ExploreError::Frontier { path: path.to_owned(), reason: error.to_string() }
}

fn list_key(list: &FoundList) -> String {
    request_key(&list.url, list.form.as_deref())
}

fn item_key(item: &FrontierItem) -> String {
    let key = request_key(&item.url, item.form.as_deref());
    // the page of a form is visited, and later its field is typed into; URLs have no spaces
    if item.role == AUTOCOMPLETE_ROLE { format!("{AUTOCOMPLETE_ROLE} {key}") } else { key }
}

/// Adds an item unless its page is known or there are too many. Returns whether it was added.
fn insert(
    connection: &Connection,
    item: &FrontierItem,
    state: &str,
    outcome: &str,
) -> Result<bool, rusqlite::Error> {
    let added = connection
        .prepare_cached(
            "INSERT OR IGNORE INTO items (key, url, role, parent, priority, depth, template, reason, state, outcome, \
             family, form) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?12, ?13 \
             WHERE (SELECT coalesce(max(id), 0) FROM items) < ?11",
        )?
        .execute(params![
            item_key(item),
            item.url,
            item.role,
            item.parent,
            item.priority,
            i64::try_from(item.depth).unwrap_or(i64::MAX),
            item.template,
            item.reason,
            state,
            outcome,
            MAX_ITEMS,
            url_family(&item.url),
            item.form
        ])?;
    Ok(added > 0)
}

fn read_item(row: &Row<'_>) -> Result<FrontierItem, rusqlite::Error> {
    Ok(FrontierItem {
        url: row.get(0)?,
        role: row.get(1)?,
        parent: row.get(2)?,
        priority: row.get(3)?,
        depth: row.get::<_, i64>(4)?.unsigned_abs() as usize,
        template: row.get(5)?,
        reason: row.get(6)?,
        form: row.get(7)?,
    })
}
