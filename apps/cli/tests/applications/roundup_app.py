"""Roundup, an issue tracker, with 208 issues, 20 on a page; its pages have offsets.

python roundup_app.py FOLDER
"""

import contextlib
import io
import os
import pathlib
import random
import socketserver
import sys
from wsgiref import simple_server

import serving
from roundup import instance
from roundup.admin import AdminTool
from roundup.cgi.wsgi_handler import RequestDispatcher

ISSUES, SIZE = 208, 20
PARTS = ["harbour map", "tide table", "crew list", "log book", "weather page", "fuel report", "berth plan"]
FAULTS = ["is empty after midnight", "shows last year", "cannot be printed", "loads twice", "has a wrong total"]


def admin(tracker, *arguments):
    tool = AdminTool()
    sys.argv[1:] = ["-i", str(tracker), *arguments]
    if tool.main():
        sys.exit(f"roundup-admin {arguments[0]} failed")


def install(tracker, web):
    admin(tracker, "install", "classic", "sqlite", f"tracker_web={web},mail_domain=harbour.example,mail_host=localhost")
    admin(tracker, "initialise", "secret")


def fill(tracker):
    chance = random.Random(5)
    database = instance.open(str(tracker)).open("admin")
    users = [database.user.create(username=name, address=f"{name}@harbour.example", roles="User") for name in ("ida", "tom", "uma")]
    status, priority = database.status.list(), database.priority.list()
    for _ in range(ISSUES):
        database.issue.create(
            title=f"The {chance.choice(PARTS)} {chance.choice(FAULTS)}",
            status=chance.choice(status),
            priority=chance.choice(priority),
            assignedto=chance.choice(users) if chance.random() < 0.7 else None,
        )
    database.commit()
    database.close()


class Threads(socketserver.ThreadingMixIn, simple_server.WSGIServer):
    daemon_threads = True


class Quiet(simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main():
    os.environ["SENDMAILDEBUG"] = os.devnull
    tracker = pathlib.Path(sys.argv[1]) / "tracker"
    # bound before it serves: the tracker must know its own address
    server = Threads(("127.0.0.1", 0), Quiet)
    base = f"http://127.0.0.1:{server.server_port}"
    # what the installer says is for a person who goes on by hand
    with contextlib.redirect_stdout(io.StringIO()):
        install(tracker, f"{base}/")
        fill(tracker)
    server.set_app(RequestDispatcher(str(tracker)))
    query = f"@columns=id,title,status,priority,assignedto&@sort=id&@pagesize={SIZE}&@startwith=0"
    records = [f"{base}/issue{number}" for number in range(1, ISSUES + 1)]
    serving.ready(f"{base}/issue?@template=index&{query}", records, -(-ISSUES // SIZE), ISSUES)
    server.serve_forever()


main()
