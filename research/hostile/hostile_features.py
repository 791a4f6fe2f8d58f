"""Hostile inputs for single features, made by code: MHTML and archives, templates, stylesheets, sites, agents, the studio.

Like in `hostile_inputs.py`, nothing is random.
"""

import base64
import gzip
import io
import json
import zipfile

from hostile_inputs import WRAPPER, good_list, pages, response, warc

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
CSS = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n"


def mhtml(parts, boundary="b"):
    """A saved page: its parts, each of which has headers and a body."""
    body = b"".join(b"--" + boundary.encode() + b"\r\n" + head.encode() + b"\r\n\r\n" + content + b"\r\n" for head, content in parts)
    head = f"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type=\"text/html\"; boundary=\"{boundary}\"\r\n\r\n"
    return head.encode() + body + b"--" + boundary.encode() + b"--\r\n"


def saved_pages():
    page = "Content-Type: text/html; charset=utf-8\r\nContent-Location: https://a.example/"
    linked = b"<link rel=stylesheet href=cid:0@x>" + good_list()
    sheet = lambda n: f"Content-Type: text/css\r\nContent-ID: <{n}@x>\r\nContent-Location: cid:{n}@x"
    frames = b"".join(b"<iframe src=cid:%d@x></iframe>" % n for n in range(400))
    frame = lambda n: f"Content-Type: text/html\r\nContent-ID: <{n}@x>"
    return {
        "good": mhtml([(page, good_list())]),
        "base64": mhtml([(page + "\r\nContent-Transfer-Encoding: base64", base64.encodebytes(good_list(1, 2_000)))]),
        "base64-garbage": mhtml([(page + "\r\nContent-Transfer-Encoding: base64", b"=" * 50_000 + b"\x00\xff" * 5_000)]),
        "quoted-breaks": mhtml([(page + "\r\nContent-Transfer-Encoding: quoted-printable", b"=\r\n" * 100_000 + good_list())]),
        "quoted-garbage": mhtml([(page + "\r\nContent-Transfer-Encoding: quoted-printable", b"=ZZ=" * 60_000)]),
        "sheets": mhtml([(page, linked), *((sheet(n), b"@import 'cid:%d@x'; li{color:red}" % (n + 1)) for n in range(2_000))]),
        "sheet-loop": mhtml([(page, linked), (sheet(0), b"@import 'cid:1@x';"), (sheet(1), b"@import 'cid:0@x';")]),
        "frames": mhtml([(page, frames + good_list()), *((frame(n), frames) for n in range(400))]),
        "same-locations": mhtml([(page, good_list())] * 600),
        "long-boundary": mhtml([(page, good_list())], "b" * 50_000),
        "empty-boundary": mhtml([(page, good_list())], ""),
        "boundary-in-text": mhtml([(page, b"--b" * 40_000 + good_list())]),
        "many-headers": mhtml([(page + "".join(f"\r\nX-{n}: y" for n in range(40_000)), good_list())]),
        "folded-headers": mhtml([(page + "\r\n x" * 40_000, good_list())]),
        "no-end": mhtml([(page, good_list())])[:-200],
    }


def packed(files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return file.getvalue()


def page_archives():
    """WACZ with damaged lists of pages and indexes, and WARC with records that name each other."""
    one = warc("https://a.example/1", response(good_list()))
    index = '{"url":"https://a.example/1","offset":"%s","length":"%s","filename":"x.warc.gz","mime":"text/html","status":"200"}'
    line = lambda offset, length: f"example,a)/1 20260101000000 {index % (offset, length)}\n"
    data = gzip.compress(one, mtime=0)
    wacz = lambda files: packed({"archive/x.warc.gz": data, **files})
    revisit = one.replace(b"WARC-Type: response", b"WARC-Type: revisit\r\nWARC-Refers-To-Target-URI: https://a.example/1\r\nWARC-Payload-Digest: sha1:x")
    return {
        "no-pages.wacz": wacz({}),
        "pages-garbage.wacz": wacz({"pages/pages.jsonl": b"{" * 50_000}),
        "pages-many.wacz": wacz({"pages/pages.jsonl": b'{"url":"https://a.example/1"}\n' * 50_000}),
        "package-deep.wacz": wacz({"datapackage.json": b"[" * 100_000}),
        "index-beyond.wacz": wacz({"indexes/index.cdxj": line(10**18, 10**18).encode()}),
        "index-negative.wacz": wacz({"indexes/index.cdxj": line(-1, -5).encode()}),
        "index-many.wacz": wacz({"indexes/index.cdxj": line(0, len(data)).encode() * 20_000}),
        "index-garbage.wacz": wacz({"indexes/index.cdx.gz": b"\x1f\x8b" + b"\xff" * 5_000}),
        "inside-itself.wacz": packed({"archive/x.wacz": packed({"archive/x.warc.gz": data})}),
        "names.wacz": packed({f"archive/{'../' * 40}\x1b[31m{n}.warc": one for n in range(50)}),
        "revisits.warc": one + revisit * 300,
        "resources.warc": one.replace(b"WARC-Type: response", b"WARC-Type: resource").replace(b"application/http; msgtype=response", b"text/html") * 200,
        "languages.warc": warc("https://a.example/1", response(good_list(), "Content-Type: text/html\r\nContent-Language: " + "en," * 20_000 + "\r\n")) + one,
        "urls.warc": b"".join(warc(url, response(good_list())) for url in ("", "x" * 60_000, "http://[::", "javascript:1", "https://a.example/" + "%" * 5_000, "//")),
    }


def indexes():
    """CDX indexes of an archive that is next to them."""
    line = "com,a)/1 20260101000000 https://a.example/1 text/html 200 X - - %s %s crawl.warc\n"
    return {
        "empty": b"",
        "garbage": b"\xff\x00" * 50_000,
        "long-line": b"a" * 2_000_000,
        "head-only": b" CDX N b a m s k r M S V g\n",
        "beyond": (line % (10**17, 10**17)).encode(),
        "negative": (line % (-4, -9)).encode(),
        "same-record": (line % (500, 0)).encode() * 20_000,
        "outside": (line % (500, 0)).replace("crawl.warc", "../../../etc/passwd").encode(),
        "absolute": (line % (500, 0)).replace("crawl.warc", "/dev/zero").encode(),
        "json": b'20260101 {"url": [' + b"[" * 60_000,
    }


def templates():
    """Folders of pages that seem to have one template, or none."""
    item = "<li class=item><h3><a href='/{0}'>Lamp {0}</a></h3><i class=price>£{0}.50</i></li>"
    page = lambda first, count, more="": f"<!doctype html><title>Lamps</title><main><ul class=list>{''.join(item.format(n) for n in range(first, first + count))}</ul>{more}</main>".encode()
    return {
        "one-each": {f"{n:03}.html": f"<title>t</title><main><{'section><' * (n % 40)}ul class=k{n}>{''.join(f'<li class=c{n}{m}><b{n}>x {m}</b{n}>' for m in range(9))}</ul>".encode() for n in range(300)},
        "sizes": {f"{n:03}.html": page(n * 1000, 1 + (n * n) % 900) for n in range(60)},
        "same-page": {f"{n:03}.html": page(1, 8) for n in range(400)},
        "turns-hostile": {f"{n:03}.html": page(n, 8) if n < 30 else page(n, 8, ("<div>" * 3_000)) for n in range(60)},
        "empties": {f"{n:03}.html": page(n, 8) if n % 2 else page(n, 0) for n in range(100)},
        "classes": {f"{n:03}.html": page(n, 8).replace(b"class=item", b"class='" + b" ".join(b"k%d" % (m * n) for m in range(300)) + b"'") for n in range(40)},
        "changing-depth": {f"{n:03}.html": b"<div>" * n + page(n, 8) for n in range(200)},
    }


def stylesheets():
    """Pages with stylesheets that cost much for what they are."""
    item = "<div class='item k{0}'><b>Lamp {0}</b><i>£{0}.50</i></div>"
    body = f"<main class=list>{''.join(item.format(n) for n in range(1, 600))}</main>".encode()
    styled = lambda text: b"<!doctype html><style>" + text + b"</style>" + body
    return {
        "has": styled(b"".join(b".k%d:has(~ .k%d:has(b)) i{display:none}" % (n, n + 1) for n in range(600))),
        "siblings": styled(b"div ~ div ~ div ~ div ~ div ~ div i{color:red}" * 60),
        "nth-of": styled(b"".join(b"div:nth-last-child(%dn+1 of .item:not(.k%d)){color:red}" % (n + 1, n) for n in range(300))),
        "descendants": styled(b"* * * * * * * * * * * *{color:red}" * 500),
        "is-nested": styled(b":is(" * 300 + b"div" + b")" * 300 + b"{color:red}"),
        "is-wide": styled(b":is(" + b"div,b,i," * 5_000 + b"p) :is(" + b"div,b,i," * 5_000 + b"p){color:red}"),
        "calc": styled(b"div{width:" + b"calc(1px + " * 3_000 + b"1px" + b")" * 3_000 + b"}"),
        "variables-wide": styled(b":root{" + b"".join(b"--a%d:%s;" % (n, b"var(--a%d) " % (n + 1) * 8) for n in range(30)) + b"} div{color:var(--a0)}"),
        "media": styled(b"@media screen{" * 2_000 + b"div{color:red}" + b"}" * 2_000),
        "layers": styled(b"".join(b"@layer l%d;" % n for n in range(30_000)) + b"@layer l0{div{color:red}}"),
        "content": styled(b"div::before{content:'" + b"x" * 4_000 + b"'}"),
        "counters": styled(b"div{counter-increment:c 99999999999}" + b"div::before{content:counter(c)}"),
        "escapes": styled(b"\\000000\\110000" * 20_000 + b"{color:red}"),
        "many-sheets": b"<style>div{color:red}</style>" * 20_000 + body,
        "imports": styled(b"@import 'https://a.example/x.css';" * 20_000),
        "inline": b"<!doctype html>" + b"".join(b"<div style='%s'>x</div>" % (b"color:red;" * 2_000) for _ in range(40)) + body,
        "not-css": styled(b"{}}{{;@" * 60_000),
    }


def site_pages():
    """Responses of sites, by name of the site: each answers every path."""
    links = lambda count, make: b"".join(b"<a href='%s'>Page %d</a> " % (make(n), n) for n in range(count))
    search = b"<form action=/x><label>Search <input name=q type=search></label><button>Search</button></form>"
    select = b"<form action=/x>%s<button>Find</button></form>"
    payload = b"<script>alert(1)</script><img src=x onerror=alert(2)>\"'`]]>{{7*7}}\x1b[31m"
    made = {
        "site-endless": lambda path: OK + b"<title>t</title>" + links(30, lambda n: path + b"/%d" % n) + good_list(),
        "site-calendar": lambda path: OK + b"<title>Calendar</title>" + links(40, lambda n: b"?year=%d&from=%s" % (1900 + n, path[-20:])),
        "site-wide": lambda _: OK + links(8_000, lambda n: b"/c%d" % n) + good_list(),
        "site-forms": lambda _: OK + search * 800 + good_list(),
        "site-selects": lambda _: OK + select % b"".join(b"<select name=s%d>%s</select>" % (n, b"".join(b"<option value=%d>o%d" % (m, m) for m in range(300))) for n in range(20)),
        "site-payloads": lambda path: OK + b"<title>" + payload + b"</title><h1>" + payload.replace(b"<", b"&lt;") + b"</h1>" + links(9, lambda n: b"/%d?" % n + payload.replace(b"'", b"")) + good_list().replace(b"Lamp", b"Lamp &lt;script&gt;alert(1)&lt;/script&gt;"),
        "site-deep": lambda path: OK + pages()["deep-div"][:40_000] + links(5, lambda n: path + b"/%d" % n),
        "site-pagers": lambda path: OK + good_list(1 + len(path)) + b"<a rel=next href='%s1'>Next</a>" % path,
        "site-same": lambda _: OK + good_list() + b"<a rel=next href='?page=2'>Next</a>" + links(50, lambda n: b"/same/%d" % n),
        "site-tokens": lambda path: OK + search.replace(b"<label>", b"<input type=hidden name=token value='%s'><label>" % (path * 400)[:60_000]) + good_list(),
        "site-names": lambda path: OK + b"<title>" + b"A" * 200_000 + b"</title>" + links(20, lambda n: b"/" + b"%2e" * 1_000 + b"%d" % n) + good_list(),
        "site-sheets": lambda path: CSS + b"@import '%s1.css';" % path + b"li{color:red}" * 5_000 if path.endswith(b".css") else OK + b"".join(b"<link rel=stylesheet href=/%d.css>" % n for n in range(300)) + good_list(),
        "site-sitemap": lambda path: OK + b"<urlset>" + b"<url><loc>/x</loc></url>" * 20_000 if path.endswith(b".xml") else b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"Sitemap: /s.xml\n" * 3_000 + b"Disallow: /*a*b*c*d*e*f*$\n" * 3_000 if path.endswith(b"robots.txt") else OK + links(30, lambda n: b"/" + b"a" * n) + good_list(),
    }
    return made


def messages():
    """What a client writes to the MCP server, a line per message, and the page that it names, if it names one."""
    begin = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "hostile", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    call = lambda name, arguments: json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
    begun = "".join(json.dumps(message) + "\n" for message in begin)
    made = {
        "nothing": b"",
        "garbage": b"\xff\x00{[" * 20_000 + b"\n",
        "no-start": (call("find_lists", {"page": "page.html"}) + "\n").encode(),
        "deep": begun.encode() + b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":' + b"[" * 100_000 + b"\n",
        "long-line": begun.encode() + b"x" * 20_000_000 + b"\n",
        "unknown-tool": (begun + call("rm -rf /", {}) + "\n").encode(),
        "unknown-argument": (begun + call("find_lists", {"page": "page.html", "run": "id"}) + "\n").encode(),
        "wrong-types": (begun + call("read_list", {"page": [1], "rows": "x"}) + "\n").encode(),
        "file": (begun + call("find_lists", {"page": "../../../../etc/passwd"}) + "\n" + call("find_lists", {"page": "/etc/passwd"}) + "\n").encode(),
        "database-outside": (begun + call("store_list", {"page": "page.html", "database": "../../../tmp/x.sqlite"}) + "\n").encode(),
        "again": (begun * 500).encode(),
        "same-numbers": (begun + (call("find_lists", {"page": "page.html"}) + "\n") * 60).encode(),
    }
    tools = {
        "find_lists": {"page": "page.html", "navigation": True}, "read_list": {"page": "page.html", "rows": 500}, "read_object": {"page": "page.html"},
        "learn_wrapper": {"name": "shop", "pages": ["page.html"]}, "store_list": {"page": "page.html", "database": "data.sqlite"},
    }
    found = {name: (text, good_list()) for name, text in made.items()}
    for number, (name, page) in enumerate(pages().items()):
        if len(page) < 1_000_000 and number % 2:
            tool = list(tools)[number // 2 % len(tools)]
            found[f"page-{name}"] = ((begun + call(tool, tools[tool]) + "\n").encode(), page)
    return found


def studio_bodies():
    """Bodies of the endpoints that the studio uses, and the endpoint of each."""
    page = good_list().decode()
    body = lambda **fields: json.dumps(fields).encode()
    many = [{"rename": {"column": "title", "to": f"name {n}"}} for n in range(5_000)]
    made = {
        "point/node-huge": ("point", body(html=page, node=4_294_967_295)),
        "point/pattern-slow": ("point", body(html=pages()["wide-siblings"].decode(), pattern="p ~ p ~ p ~ p ~ p")),
        "point/pattern-long": ("point", body(html=page, pattern="li, " * 5_000 + "li")),
        "correct/many": ("correct", body(html=page, wrapper_text=WRAPPER, corrections=many)),
        "correct/node-huge": ("correct", body(html=page, corrections=[{"add": {"name": "x", "node": 4_000_000_000, "from": "text"}}])),
        "correct/split": ("correct", body(html=page, corrections=[{"split": {"column": "title", "at": "", "names": ["a"] * 3_000}}])),
        "correct/examples": ("correct", body(html=page, examples=list(range(20_000)))),
        "correct/wrapper": ("correct", body(html=page, wrapper_text="copal: 1\npages: " + "[" * 20_000)),
        "questions/labels": ("questions", body(html=page, attribute="x" * 100_000, labels=["l"] * 20_000)),
        "images/files": ("images", body(urls=["file:///etc/passwd", "http://127.0.0.1:1/", "data:image/svg+xml,<svg onload=alert(1)>", "x" * 7_000])),
        "drafts/deep": ("PUT drafts/work", b"[" * 100_000),
        "drafts/name": ("PUT drafts/..%2f..%2fetc%2fpasswd", b"{}"),
        "wrappers/name": ("PUT wrappers/%2e%2e%2fx", WRAPPER.encode()),
        "jobs/many": ("jobs", body(pages=[{"html": "<p>x"}] * 3_000)),
        "jobs/bad-wrapper": ("jobs", body(operation="apply", wrapper_text="\x00", pages=[{"html": page}])),
    }
    for number, (name, content) in enumerate(pages().items()):
        if len(content) < 1_000_000 and number % 4 == 0:
            html = content.decode("utf-8", "replace")
            made[f"view-styles/{name}"] = ("view", body(html=html, styles=True))
            made[f"point/{name}"] = ("point", body(html=html, node=7 + number))
            made[f"correct/{name}"] = ("correct", body(html=html, examples=[9 + number]))
    return made
