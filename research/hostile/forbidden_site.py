"""A network of its own, in which every address is this machine: a public site, a name server, and canaries everywhere else.

`enter()` starts the script again in a network namespace whose routes lead every IPv4 and IPv6 address to loopback. A
connection to any address succeeds there, so that what connects to a forbidden one is noticed: only PUBLIC on PORT is the
site, and every other connection is kept in `Network.forbidden`.
"""

import html
import http.server
import ipaddress
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path

PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "93.184.216.35"
PORT = 8080
SITE = f"http://site.example:{PORT}"
# ports of the forms that name one, and the defaults of schemes
CANARY_PORTS = [PORT, 21, 22, 25, 80, 443, 993, 6000, 6667, 10080]
FORMS = Path(__file__).resolve().parents[2] / "crates/copal-fetch/tests/data/forbidden-urls.txt"

# what the hostile name server says; every other name is loopback
NAMES = {
    "example.org": [OTHER_PUBLIC],
    "to-private.example": ["10.0.0.1"],
    "to-metadata.example": ["169.254.169.254"],
    "to-both.example": [PUBLIC, "127.0.0.1"],
    "to-mapped.example": ["::ffff:127.0.0.1"],
    "to-six.example": ["::1"],
    "to-unique-local.example": ["fd00::1"],
}


def enter(marker="--inside"):
    """Starts this script in the namespace. Returns there; elsewhere exits with what it returned."""
    if marker in sys.argv:
        sys.argv.remove(marker)
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        subprocess.run(["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"], check=True)
        subprocess.run(["ip", "-6", "route", "add", "local", "::/0", "dev", "lo"], check=True)
        return
    apart = ["unshare", "--user", "--map-root-user", "--net"]
    probe = "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo"
    if not shutil.which("unshare") or subprocess.run([*apart, "sh", "-c", probe], capture_output=True).returncode:
        print("forbidden URLs: not run, this needs Linux with unshare, ip, and network namespaces for users")
        sys.exit(0)
    sys.exit(subprocess.run([*apart, sys.executable, *sys.argv, marker]).returncode)


def forms():
    """All spellings, and names that lead to a forbidden address."""
    lines = [line for line in FORMS.read_text().split("\n") if line and not line.startswith("// ")]
    unescaped = [re.sub(r"\\(x(..)|\\)", lambda found: chr(int(found[2], 16)) if found[2] else "\\", line) for line in lines]
    names = [f"http://{name}:PORT/" for name in [*NAMES, "to-loopback.example"] if name.startswith("to-")]
    return [form.replace("PORT", str(PORT)) for form in [*unescaped, *names]]


class Network:
    """The servers, what they were asked for, and what they should not have been."""

    def __init__(self):
        self.forms = forms()
        self.asked, self.forbidden, self.requests, self.lookups = [], [], [], {}
        self.tolerated = set()
        self.lock, self.counter = threading.Lock(), itertools.count()
        network = self

        class Handler(SiteHandler):
            pass

        Handler.network = network
        for port in CANARY_PORTS:
            for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
                server = Listener((address, port), Handler, family)
                threading.Thread(target=server.serve_forever, daemon=True).start()
        for line in Path("/etc/resolv.conf").read_text().splitlines():
            if line.startswith("nameserver"):
                threading.Thread(target=self.resolve, args=(line.split()[1],), daemon=True).start()

    def resolve(self, address):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        server = socket.socket(family, socket.SOCK_DGRAM)
        server.bind((address, 53))
        while True:
            query, client = server.recvfrom(4096)
            end = query.index(b"\0", 12)
            labels, at = [], 12
            while at < end:
                labels.append(query[at + 1 : at + 1 + query[at]].decode(errors="replace"))
                at += 1 + query[at]
            kind = int.from_bytes(query[end + 1 : end + 3], "big")
            found = [ipaddress.ip_address(text) for text in self.addresses(".".join(labels).lower(), kind)]
            wanted = [one.packed for one in found if (kind, one.version) in ((1, 4), (28, 6))]
            answers = b"".join(b"\xc0\x0c" + kind.to_bytes(2, "big") + b"\0\1\0\0\0\0" + len(one).to_bytes(2, "big") + one for one in wanted)
            head = query[:2] + b"\x81\x80" + b"\0\1" + len(wanted).to_bytes(2, "big") + b"\0\0\0\0"
            server.sendto(head + query[12 : end + 5] + answers, client)

    def addresses(self, name, kind):
        if name.startswith("rebind-"):
            # public at the first lookup, then loopback
            with self.lock:
                self.lookups[name, kind] = self.lookups.get((name, kind), 0) + 1
                return [PUBLIC] if self.lookups[name, kind] == 1 else ["127.0.0.1"]
        if name == "site.example" or name.startswith(("robots-", "listed-")):
            return [PUBLIC]
        return NAMES.get(name, ["127.0.0.1", "::1"])

    def target(self, number, way):
        """A forbidden URL, or for the control one of the site itself, which no cache has."""
        return self.control(way) if number == "ok" else self.forms[int(number)]

    def control(self, way, host="site"):
        return f"http://{host}.example:{PORT}/control/{way}?{next(self.counter)}"

    def targets(self, numbers, way):
        if numbers == "ok":
            # more of one kind in a sitemap would be records
            return [self.control(way, "listed-ok") for _ in range(2)] if way == "listed" else [self.control(way) for _ in range(8)]
        first, last = map(int, numbers.split("-"))
        return self.forms[first:last]


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, handler, family):
        self.address_family = family
        super().__init__(address, handler, bind_and_activate=False)
        if family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self.server_bind()
        self.server_activate()

    def server_bind(self):
        # without the lookup of its own name
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = "site", self.server_address[1]

    def handle_error(self, request, client_address):
        # clients that went away
        pass


ROW = "<li class=item><h3><a href=\"{1}\">Copper kettle model {0}</a></h3><span class=price>£{0}.99</span><p class=about>Made by hand in workshop {0}.</p></li>"


def listing(links, extra="", more=""):
    rows = "".join(ROW.format(n, html.escape(link)) for n, link in enumerate(links, 1))
    return f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Kettles</title>{extra}</head><h1>Kettles</h1><ul class=kettles>{rows}</ul>{more}"


# Ways for a script to ask for URL.
SCRIPTS = """
for (const url of URLS) for (const way of [
  () => { new Image().src = url; }, () => fetch(url, { mode: "no-cors" }).catch(() => {}), () => add("script", { src: url }),
  () => add("iframe", { src: url }), () => add("link", { rel: "stylesheet", href: url }), () => add("object", { data: url }),
  () => new WebSocket(url.replace(/^http/, "ws")), () => new EventSource(url), () => navigator.sendBeacon(url, "x"),
  () => add("video", { src: url }), () => add("link", { rel: "preconnect", href: url }), () => add("link", { rel: "prefetch", href: url }),
  () => import(url).catch(() => {}), () => { const f = add("form", { action: url, method: "post", target: "t" }); f.submit(); },
]) try { way(); } catch {}
function add(name, properties) { const made = Object.assign(document.createElement(name), properties); document.body.append(made); return made; }
"""


class SiteHandler(http.server.BaseHTTPRequestHandler):
    """The pages of the site: /WAY/NUMBERS asks for these forms in this way."""

    timeout = 30

    def setup(self):
        super().setup()
        address, port = self.request.getsockname()[:2]
        self.is_site = (address, port) == (PUBLIC, PORT)
        if not self.is_site and (address, port) not in self.network.tolerated:
            with self.network.lock:
                self.network.forbidden.append(f"{address} port {port}")
        self.destination = f"{address} port {port}"

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        with self.network.lock:
            self.network.asked.append(self.path)
        if not self.is_site:
            self.network.requests.append(f"{self.destination}: {self.requestline} Host {self.headers.get('Host')} {self.headers.get('User-Agent', '')[:40]}")
            self.answer("you should not see this")
            return
        path = urllib.parse.urlsplit(self.path).path
        host = self.headers.get("Host", "").split(".")[0]
        own = [f"/kettle/{n}" for n in range(1, 9)]
        if path == "/robots.txt":
            self.robots(host)
            return
        parts = path.strip("/").split("/")
        page = getattr(self, "page_" + parts[0], None) if len(parts) == 2 and parts[0] != "control" else None
        if page:
            page(parts[1], own)
        elif path == "/missing":
            self.send_error(404)
        elif path == "/sitemap.xml" and host.startswith("listed-"):
            self.page_sitemap(host.removeprefix("listed-"), own, "listed")
        elif path.endswith(".css"):
            self.answer("p { color: red }", "text/css")
        else:
            self.answer(listing(own))

    def robots(self, host):
        if host.startswith("robots-"):
            self.redirect(self.network.target(host.removeprefix("robots-"), "robots"))
        elif host.startswith("listed-"):
            self.answer("".join(f"Sitemap: {line}\n" for line in self.network.targets(host.removeprefix("listed-"), "listed")), "text/plain")
        else:
            self.send_error(404)

    def answer(self, body, content_type="text/html; charset=utf-8", headers=()):
        data = body.encode(errors="replace")
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.send_header(name, value.encode().decode("latin-1"))
        self.end_headers()
        self.wfile.write(data)

    def redirect(self, url):
        clean = re.sub(r"[\r\n\0]", "", url)
        self.wfile.write(b"HTTP/1.1 302 Found\r\nLocation: " + clean.encode() + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def page_redirect(self, number, own):
        self.redirect(self.network.target(number, "redirect"))

    def page_refresh(self, number, own):
        url = html.escape(self.network.target(number, "refresh"))
        self.answer(f'<!doctype html><meta http-equiv=refresh content="0; url={url}"><p>This page has moved.')

    def page_next(self, number, own):
        url = html.escape(self.network.target(number, "next"))
        self.answer(listing(own, f'<link rel=next href="{url}">', f'<p><a rel=next class=next href="{url}">Next page</a>'))

    def page_nextredirect(self, number, own):
        self.answer(listing(own, more=f'<p><a rel=next href="/redirect/{number}?{next(self.network.counter)}">Next page</a>'))

    def page_base(self, number, own):
        base = html.escape(self.network.target(number, "base") + "/")
        self.answer(listing(own, f'<base href="{base}">', "<p><a rel=next href=more>Next page</a>"))

    def page_linked(self, number, own):
        url = re.sub(r"[\r\n\0]", "", self.network.target(number, "linked"))
        items = [{"name": f"Copper kettle model {n}", "price": n} for n in range(8)]
        self.answer(json.dumps({"items": items}), "application/json", [("Link", f'<{url}>; rel="next"')])

    def page_details(self, numbers, own):
        self.answer(listing(self.network.targets(numbers, "details")))

    def page_detailsredirect(self, numbers, own):
        every = ["ok"] * 8 if numbers == "ok" else range(*map(int, numbers.split("-")))
        self.answer(listing([f"/redirect/{n}?{next(self.network.counter)}" for n in every]))

    def page_feed(self, numbers, own):
        items = "".join(f"<item><title>Copper kettle model {n}</title><link>{html.escape(url)}</link></item>" for n, url in enumerate(self.network.targets(numbers, "feed")))
        self.answer(f"<rss version='2.0'><channel><title>Kettles</title>{items}</channel></rss>", "application/rss+xml")

    def page_styles(self, numbers, own):
        urls = [html.escape(url) for url in self.network.targets(numbers, "styles")]
        self.answer(listing(own, "".join(f'<link rel=stylesheet href="{url}">' for url in urls)))

    def page_stylesredirect(self, numbers, own):
        every = ["ok"] if numbers == "ok" else range(*map(int, numbers.split("-")))
        self.answer(listing(own, "".join(f'<link rel=stylesheet href="/redirect/{n}?{next(self.network.counter)}">' for n in every)))

    def imports(self, numbers):
        rules = "".join(f"@import url({json.dumps(url)});" for url in self.network.targets(numbers, "imports"))
        return f"{rules} p {{ color: red }}"

    def page_imports(self, numbers, own):
        self.answer(listing(own, f"<style>{self.imports(numbers)}</style>"))

    def page_linkedimports(self, numbers, own):
        self.answer(listing(own, f'<link rel=stylesheet href="/sheet/{numbers}?{next(self.network.counter)}">'))

    def page_sheet(self, numbers, own):
        self.answer(self.imports(numbers), "text/css")

    def page_forms(self, numbers, own):
        urls = [html.escape(url) for url in self.network.targets(numbers, "forms")]
        made = "".join(f'<form action="{url}"><input type=search name=q placeholder="Search kettles"><button>Search</button></form>' for url in urls)
        self.answer(listing(own, more=made))

    def page_links(self, numbers, own):
        urls = [html.escape(url) for url in self.network.targets(numbers, "links")]
        self.answer("<h1>Shop</h1><nav>" + "".join(f'<a href="{url}">All kettles {n}</a> ' for n, url in enumerate(urls)) + "</nav>")

    def page_frames(self, numbers, own):
        urls = [html.escape(url) for url in self.network.targets(numbers, "frames")]
        self.answer("<h1>Shop</h1>" + "".join(f'<iframe src="{url}"></iframe>' for url in urls))

    def page_sitemap(self, numbers, own, way="sitemap"):
        urls = "".join(f"<url><loc>{html.escape(re.sub('[^ -~]', '', url))}</loc></url>" for url in self.network.targets(numbers, way))
        self.answer(f"<urlset>{urls}</urlset>", "application/xml")

    def page_sitemapindex(self, numbers, own):
        urls = "".join(f"<sitemap><loc>{html.escape(re.sub('[^ -~]', '', url))}</loc></sitemap>" for url in self.network.targets(numbers, "sitemapindex"))
        self.answer(f"<sitemapindex>{urls}</sitemapindex>", "application/xml")

    def page_scripts(self, numbers, own):
        urls = json.dumps(self.network.targets(numbers, "scripts")).replace("<", "\\u003c")
        self.answer(listing(own, more=f"<iframe name=t></iframe><script>const URLS = {urls};{SCRIPTS}</script>"))
