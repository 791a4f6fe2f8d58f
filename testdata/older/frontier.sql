CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE items (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, url TEXT NOT NULL, role TEXT NOT NULL, parent TEXT NOT NULL,
    priority REAL NOT NULL, depth INTEGER NOT NULL, template TEXT NOT NULL, reason TEXT NOT NULL,
    family TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'queued', outcome TEXT NOT NULL DEFAULT '',
    has_list INTEGER NOT NULL DEFAULT 0, is_raised INTEGER NOT NULL DEFAULT 0);
CREATE INDEX items_by_state ON items (state, priority DESC, id);
CREATE INDEX items_by_template ON items (template, state);
CREATE TABLE lists (
    key TEXT PRIMARY KEY, url TEXT NOT NULL, kind TEXT NOT NULL, facts TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued', outcome TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE record_keys (key TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO meta VALUES ('layout', '1');
INSERT INTO record_keys VALUES ('https://shop.example/lamp/1');
