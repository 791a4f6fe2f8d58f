"""Datasette with one table of 312 boats, 25 on a page; its next pages have cursors.

python datasette_app.py FOLDER
"""

import asyncio
import pathlib
import random
import socket
import sqlite3
import sys

import serving
import uvicorn
from datasette.app import Datasette

BOATS, SIZE = 312, 25
NAMES = "Heron Curlew Petrel Plover Tern Gannet Dunlin Avocet".split()
KINDS = ["Cutter", "Ketch", "Sloop", "Yawl", "Dinghy"]
PORTS = ["Whitby", "Fowey", "Oban", "Brixham", "Amble", "Mallaig"]


def fill(path):
    chance = random.Random(3)
    with sqlite3.connect(path) as database:
        database.execute("create table boat(id integer primary key, name text, kind text, port text, metres real, note text)")
        for number in range(1, BOATS + 1):
            kind, port = chance.choice(KINDS), chance.choice(PORTS)
            name = f"{chance.choice(NAMES)} {number}"
            note = f"Built in {chance.randint(1950, 2020)}, lies in {port}" if chance.random() < 0.8 else ""
            row = (number, name, kind, port, chance.randint(40, 180) / 10, note)
            database.execute("insert into boat values (?, ?, ?, ?, ?, ?)", row)


def main():
    path = pathlib.Path(sys.argv[1]) / "harbour.db"
    fill(path)
    metadata = {"databases": {"harbour": {"tables": {"boat": {"size": SIZE, "facets": ["kind", "port"]}}}}}
    datasette = Datasette([str(path)], metadata=metadata)
    asyncio.run(datasette.invoke_startup())
    server = uvicorn.Server(uvicorn.Config(datasette.app(), log_level="warning", lifespan="on"))
    listener = socket.create_server(("127.0.0.1", 0))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    records = [f"{base}/harbour/boat/{number}" for number in range(1, BOATS + 1)]
    serving.ready(f"{base}/harbour/boat", records, -(-BOATS // SIZE), BOATS)
    server.run(sockets=[listener])


main()
