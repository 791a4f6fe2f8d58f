CREATE TABLE jobs (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, finished INTEGER, state TEXT NOT NULL, task TEXT NOT NULL
) STRICT;
CREATE TABLE job_pages (
  job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, number INTEGER NOT NULL, page TEXT NOT NULL, body BLOB,
  state TEXT NOT NULL DEFAULT 'pending', records INTEGER NOT NULL DEFAULT 0, result BLOB, error TEXT,
  PRIMARY KEY (job, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_pages ON job_pages (job, number) WHERE state = 'pending';
INSERT INTO jobs VALUES ('0a1b2c3d4e5f60718293a4b5', unixepoch(), NULL, 'running', '{"operation":"extract","pages":[],"options":{"kind":"auto","all":false,"navigation":false,"list":null,"near":null,"select":null,"min_confidence":null,"field":[],"fields":["title"],"rename":{},"embedded":false,"domain":null,"method":null,"query":null,"explain":false,"follow":null,"details":null,"render":"none","format":"records","sources":false,"all_columns":false,"values":false,"csv_safe":false,"first_row":0,"max_rows":null,"store":null},"store":null,"names_pages":true}');
INSERT INTO job_pages VALUES ('0a1b2c3d4e5f60718293a4b5', 1, '{"name":"one","url":null,"body":0,"content_type":null,"charset":null}', NULL, 'done', 1, CAST('{"page":"one","title":"Done before"}' || char(10) AS BLOB), NULL);
INSERT INTO job_pages VALUES ('0a1b2c3d4e5f60718293a4b5', 2, '{"name":"two","url":null,"body":1,"content_type":null,"charset":null}', CAST('<title>Lamps</title><ul><li><h3><a href=/1>Lamp one</a></h3><i class=price>£1</i><li><h3><a href=/2>Lamp two</a></h3><i class=price>£2</i><li><h3><a href=/3>Lamp three</a></h3><i class=price>£3</i></ul>' AS BLOB), 'pending', 0, NULL, NULL);
INSERT INTO jobs VALUES ('ffffffffffffffffffffffff', unixepoch(), NULL, 'running', '{"operation":"extract","pages":[],"options":{"an option that is gone":1},"store":null,"names_pages":true}');
INSERT INTO job_pages VALUES ('ffffffffffffffffffffffff', 1, '{"name":"one","url":"https://shop.example/","body":null,"content_type":null,"charset":null}', NULL, 'pending', 0, NULL, NULL);
