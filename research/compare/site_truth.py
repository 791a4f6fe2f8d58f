"""What the applications of a sites folder hold, read from their own databases and seed data.

`TRUTH[app](folder)` gives the records of an application: a list of `(identity, attributes)`. The identity is a text that
the key of the stored record ends with, or else one of its values. The attributes are those that the application's list
shows, as it shows them; what a list abbreviates, or shows relative to today, is left out. Nothing here reads a web page.
"""

import json
import mailbox
import sqlite3
from email.header import decode_header, make_header
from email.utils import parseaddr
from pathlib import Path


def query(path, sql):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return database.execute(sql).fetchall()


def datasette(folder):
    sql = (
        "SELECT listing.id, title, city, kind, bedrooms, price, listed, agent.name, description"
        " FROM listing JOIN agent ON agent.id = agent_id"
    )
    names = ["id", "title", "city", "kind", "bedrooms", "price", "listed", "agent", "description"]
    rows = query(folder / "homes.db", sql)
    return [(f"/listing/{row[0]}", dict(zip(names, map(str, row)))) for row in rows]


def roundup(folder):
    sql = (
        "SELECT issue.id, issue._title, status._name FROM _issue AS issue"
        " JOIN _status AS status ON status.id = issue._status WHERE issue.__retired__ = 0"
    )
    rows = query(folder / "trk" / "db" / "db", sql)
    return [(f"/issue{row[0]}", {"id": str(row[0]), "title": row[1], "status": row[2]}) for row in rows]


def oscar(folder):
    sql = (
        "SELECT product.id, product.slug, product.title, stock.price, stock.num_in_stock FROM catalogue_product AS product"
        " JOIN partner_stockrecord AS stock ON stock.product_id = product.id"
    )
    records = []
    for number, slug, title, price, in_stock in query(folder / "db.sqlite3", sql):
        availability = "In stock" if in_stock else "Unavailable"
        # the text of the title is abbreviated on the page, but its HTML attribute is not
        attributes = {"title": title, "price": f"£{float(price):.2f}", "availability": availability}
        records.append((f"/catalogue/{slug}_{number}/", attributes))
    return records


def gitweb(folder):
    records = []
    for repository in sorted((folder / "repos").glob("*.git")):
        name = repository.name
        description = (repository / "description").read_text(encoding="utf-8").strip()
        # cgit shows the owner of the folder
        attributes = {"name": name, "description": description, "owner": repository.owner()}
        records.append((f"/{name}/", attributes))
    return records


def hyperkitty(folder):
    threads = {}
    for message in mailbox.mbox(folder / "list.mbox"):
        first = message["References"] or message["Message-ID"]
        threads.setdefault(first, []).append(message)
    records = []
    for messages in threads.values():
        subject = str(make_header(decode_header(messages[0]["Subject"])))
        author = parseaddr(messages[0]["From"])[0]
        people = {message["From"] for message in messages}
        attributes = {
            "subject": subject,
            # with the word before the name, as the list shows it
            "author": f"by {author}",
            "text": messages[0].get_payload(),
            "participants": str(len(people)),
            "comments": str(len(messages) - 1),
        }
        records.append((subject, attributes))
    return records


def dokuwiki(folder):
    pages = sorted((folder / "w" / "data" / "pages" / "plants").glob("*.txt"))
    return [(f"plants:{page.stem}", {"name": page.stem}) for page in pages]


def verdaccio(folder):
    records = []
    for file in sorted((folder / "storage").glob("*/package.json")):
        package = json.loads(file.read_text(encoding="utf-8"))
        latest = package["versions"][package["dist-tags"]["latest"]]
        author = latest["author"]["name"]
        names = ("name", "description", "license")
        attributes = {name: latest[name] for name in names}
        records.append((latest["name"], {**attributes, "version": f"v{latest['version']}", "author": author}))
    return records


def reactadmin(folder):
    jobs = json.loads((folder / "src" / "data.json").read_text(encoding="utf-8"))["jobs"]
    names = ("title", "employer", "sector")
    return [(job["title"], {name: job[name] for name in names}) for job in jobs]


TRUTH = {
    "datasette": datasette,
    "roundup": roundup,
    "oscar": oscar,
    "gitweb": gitweb,
    "hyperkitty": hyperkitty,
    "dokuwiki": dokuwiki,
    "verdaccio": verdaccio,
    "reactadmin": reactadmin,
}


def truth(app, sites_folder):
    """The records of an application, or nothing if its data is not there or cannot be read."""
    folder = Path(sites_folder, app)
    try:
        return TRUTH[app](folder) if app in TRUTH else []
    except (OSError, sqlite3.Error, KeyError, ValueError) as error:
        print(f"no truth for {app}: {error}")
        return []


def normal(text):
    return " ".join(str(text).split())


def stored_rows(database):
    """The records in a database of copal: their key and the texts of their columns, without typed parts."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        sql = "SELECT column_name FROM copal_columns WHERE table_name = 'records' AND part = ''"
        columns = ["key", *(name for (name,) in connection.execute(sql))]
        names = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        rows = connection.execute(f"SELECT {names} FROM records")
        return [{name: normal(value) for name, value in zip(columns, row) if value is not None} for row in rows]


def scores(records, rows):
    """How many true records are stored, and per attribute how many values one column has exactly.

    An attribute is the column that has most of its values: values that are spread over columns do not count.
    """
    found = []
    for identity, attributes in records:
        wanted = normal(identity)
        # the key is the URL of the record's own page, if it has one
        own = [row for row in rows if row["key"].endswith(wanted)]
        own = own or [row for row in rows if wanted in row.values()]
        found.append((attributes, own[0] if own else None))
    exact = {}
    for name in records[0][1] if records else []:
        counts = {}
        for attributes, row in found:
            for column, value in (row or {}).items():
                counts[column] = counts.get(column, 0) + (value == normal(attributes[name]))
        exact[name] = max(counts.values(), default=0)
    return sum(row is not None for _, row in found), exact
