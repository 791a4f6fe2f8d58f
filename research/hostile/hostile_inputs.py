"""Hostile inputs, made by code: pages, wrapper files, domain files, archives, databases, configuration and responses.

Every function returns a dictionary from a name to bytes. Nothing is random: the same code gives the same bytes.
"""

import gzip
import io
import json
import zipfile
import zlib

ITEM = "<li><h3><a href='/{0}'>Lamp {0}</a></h3><i class=price>£{0}.50</i> <span>3 May 20{1:02}</span></li>"


def good_list(start=1, count=8):
    """A page that every command can read."""
    items = "".join(ITEM.format(n, n % 30) for n in range(start, start + count))
    return f"<!doctype html><title>Lamps</title><h1>Lamps</h1><ul class=list>{items}</ul>".encode()


def around(part, count=8):
    """A good list with something hostile in front of it."""
    part = part.encode() if isinstance(part, str) else part
    return b"<!doctype html><title>Lamps</title>" + part + good_list(1, count)


def pages():
    deep = 20_000
    made = {
        "empty": b"",
        "one-byte": b"<",
        "null-bytes": b"\0" * 50_000,
        "only-spaces": b" \n\t" * 50_000,
        "random-high-bytes": bytes((n * 7919) % 256 for n in range(100_000)),
        "utf16-odd": b"\xff\xfe" + good_list().decode().encode("utf-16-le") + b"\x00",
        "utf16-surrogates": b"\xfe\xff" + b"\xd8\x00" * 20_000,
        "utf7": b"<meta charset=utf-7>+ADw-script+AD4-" + good_list(),
        "two-charsets": b"<meta charset=shift_jis><meta charset=utf-8>" + good_list() + b"\x82\xa0\xff",
        "iso-2022-escapes": b"<meta charset=iso-2022-jp>" + b"\x1b$B\x1b(B" * 20_000 + good_list(),
        "deep-div": ("<div>" * deep).encode() + good_list(),
        "deep-ul": ("<ul><li>" * deep).encode() + good_list(),
        "deep-table": ("<table><tr><td>" * 3_000).encode() + good_list(),
        "deep-svg": ("<svg><g>" * 5_000).encode() + good_list(),
        "deep-math": ("<math><mtext>" * 5_000).encode() + good_list(),
        "deep-templates": ("<template>" * 5_000).encode() + good_list(),
        "deep-b": ("<b>" * deep).encode() + good_list(),
        "deep-select": ("<select><option>" * 5_000).encode() + good_list(),
        "reopened-formatting": "".join(f"<p><b a={n}>x" for n in range(4_000)).encode() + good_list(),
        "reopened-links": "".join(f"<p><a href=/{n}>x" for n in range(8_000)).encode() + good_list(),
        "adoption-agency": ("<a><b><i><p></a></b></i>" * 6_000).encode(),
        "foster-parents": ("<table>x<b>y" * 4_000).encode() + good_list(),
        "stray-end-tags": ("</p></br></li></table>" * 20_000).encode() + good_list(),
        "wide-siblings": "".join(f"<p>text {n}</p>" for n in range(40_000)).encode(),
        "wide-list": good_list(1, 6_000),
        "wide-alternating": "".join(f"<li>a{n}<p>b{n}" for n in range(20_000)).encode(),
        "nested-lists": ("<ul>" + "<li>a<ul><li>b<li>c</ul>" * 6_000 + "</ul>").encode(),
        "many-attributes": ("<p " + " ".join(f"a{n}=v" for n in range(50_000)) + ">x</p>").encode() + good_list(),
        "long-attribute": b"<p class='" + b"x " * 1_000_000 + b"'>x</p>" + good_list(),
        "many-classes": around("".join(f"<i class='k{n} k{n + 1}'>v</i>" for n in range(20_000))),
        "same-id": around("<i id=x>v</i>" * 20_000),
        "colspan": b"<table>" + b"<tr><td colspan=100000000 rowspan=100000000>x<td>y" * 800 + b"</table>",
        "wide-table": b"<table>" + (b"<tr>" + b"<td>1" * 400) * 60 + b"</table>",
        "ragged-table": ("<table>" + "".join("<tr>" + "<td>c" * (n % 60) for n in range(800)) + "</table>").encode(),
        "table-in-cells": ("<table><tr><td>" + "<table><tr><td>x</table>" * 3_000).encode(),
        "plaintext": good_list() + b"<plaintext>" + b"<li>" * 50_000,
        "open-comment": good_list() + b"<!--" + b"-" * 200_000,
        "open-script": good_list() + b"<script>" + b"<!--<script>" * 20_000,
        "open-attribute": good_list() + b"<a href='" + b"x" * 300_000,
        "long-doctype": b"<!doctype " + b"x" * 500_000 + b">" + good_list(),
        "cdata": b"<svg><![CDATA[" + b"]]" * 100_000 + good_list(),
        "entities": around("&amp;&notit;&#x110000;&#0;&nosuch;" * 20_000),
        "long-word": around("<p>" + "a" * 1_000_000 + "</p>"),
        "long-digits": around("<p>£" + "9" * 300_000 + "</p>" + "<p>1,2,3,4,5,6,7.8.9" * 5_000),
        "many-numbers": ("<ul>" + "".join(f"<li><b>£{n},{n},{n}.{n}.{n}</b> {n}/{n}/{n} {n}:{n}:{n}" for n in range(3_000)) + "</ul>").encode(),
        "date-like": ("<ul>" + "<li>99/99/9999 31 February 0000 25:61 2024-13-45T99:99:99Z</li>" * 2_000 + "</ul>").encode(),
        "phone-like": ("<ul>" + "<li>+" + "1-" * 200 + "</li>" * 500 + "</ul>").encode(),
        "url-like": ("<ul>" + "<li>http://" + "a." * 500 + "example/" + "%" * 300 + "</li>" * 200 + "</ul>").encode(),
        "postal-like": ("<ul>" + "<li>SW1A 1AA, EC1A 1BB, 12345-6789" * 8_000 + "</ul>").encode(),
        "combining-marks": around("<p>e" + "\u0301" * 200_000 + "</p>"),
        "bidirectional": around("<p>\u202e\u2066\u202d" * 30_000),
        "zero-width": around("<li>\u200b\u2060\ufeff" * 30_000),
        "surrogate-references": around("&#xD800;&#xDFFF;" * 30_000),
        "control-characters": around("<p>\x1b[31m\x07\x08\x9b" * 30_000),
        "formulas": ("<table>" + "<tr><td>=cmd|' /C calc'!A0<td>+1<td>-1<td>@SUM(1)<td>\t=1" * 2_000 + "</table>").encode(),
        "huge-script": good_list() + b"<script>var a={" + b'"k":[1,2,{"z":' * 30_000 + b"</script>",
        "deep-json": b"<script type=application/json>" + b"[" * 100_000 + b"</script>" + good_list(),
        "wide-json": b"<script type=application/json>" + json.dumps({"items": [{"name": f"Lamp {n}", "price": n} for n in range(8_000)]}).encode() + b"</script>",
        "deep-json-ld": b"<script type='application/ld+json'>" + b'{"a":' * 50_000 + b"</script>" + good_list(),
        "circular-json-ld": b"<script type='application/ld+json'>" + json.dumps({"@graph": [{"@id": f"#{n}", "@type": "Product", "item": {"@id": f"#{(n + 1) % 500}"}} for n in range(500)]}).encode() + b"</script>" + good_list(),
        "json-in-attributes": around("<i data-a='" + json.dumps([{"a": n} for n in range(200)]) + "'>x</i>" * 300),
        "microdata": around("<div itemscope itemtype='https://schema.org/Product'><i itemprop=name>x" * 6_000),
        "itemref-loop": around("".join(f"<div itemscope id=i{n} itemref='i{(n + 1) % 900}'>x</div>" for n in range(900))),
        "base-url": b"<base href='javascript:alert(1)'><base href='http://127.0.0.1/'>" + good_list(),
        "hidden-everything": b"<body hidden style='display:none'>" + good_list(),
        "nested-styles": b"<style>" + b"a{b{c{" * 30_000 + b"</style>" + good_list(),
        "many-selectors": b"<style>" + b"".join(b"li:not(.a%d) ~ li > *{color:red}" % n for n in range(4_000)) + b"</style>" + good_list(1, 400),
        "variable-loops": b"<style>:root{" + b"".join(b"--a%d:var(--a%d) var(--a%d);" % (n, n + 1, n + 1) for n in range(400)) + b"}</style>" + good_list(),
        "many-forms": around("<form action=/x><input type=search name=q><button>Search</button></form>" * 3_000),
        "many-fields": ("<form action=/x>" + "".join(f"<label>L{n}<input name=f{n}></label>" for n in range(10_000)) + "</form>").encode(),
        "many-options": ("<form action=/x><select name=s>" + "".join(f"<option value={n}>Option {n}" for n in range(50_000)) + "</select></form>").encode(),
        "label-loops": ("<form>" + "".join(f"<label for=i{n}><input id=i{(n + 1) % 2000}></label>" for n in range(2_000)) + "</form>").encode(),
        "many-pagers": around("".join(f"<a href='?page={n}'>{n}</a>" for n in range(20_000))),
        "counters": good_list() + b"<p>1 - 20 of 99999999999999999999 results</p>" * 3_000,
        "frames": ("<frameset>" + "<frame src=javascript:x><frame src=//127.0.0.1/>" * 4_000).encode(),
        "mhtml-parts": b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" + b"--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n" * 3_000,
        "mhtml-nested": b"MIME-Version: 1.0\r\n" + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(600)),
        "xml-entities": b"<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(b"<!ENTITY a%d '&a%d;&a%d;'>" % (n + 1, n, n) for n in range(60)) + b"]><l>&a60;</l>",
        "xml-deep": b"<?xml version='1.0'?>" + b"<a>" * 60_000,
        "xml-external": b"<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss><channel><item><title>&a;</title></item><item><title>b</title></item></channel></rss>",
        "rss-wide": b"<rss><channel>" + b"".join(b"<item><title>t%d</title><link>https://a.example/%d</link></item>" % (n, n) for n in range(8_000)) + b"</channel></rss>",
        "json-deep": b"[" * 200_000,
        "json-numbers": b"[" + b"1e999999," * 20_000 + b"-0]",
        "json-keys": json.dumps([{f"k{n}-{m}": m for m in range(40)} for n in range(300)]).encode(),
        "json-surrogates": b'[{"a":"\\ud800\\udfff\\ud800"},{"a":"x"},{"a":"y"}]' * 500,
        "gzip-as-page": gzip.compress(good_list(), mtime=0),
        "png-as-page": b"\x89PNG\r\n\x1a\n" + bytes(20_000),
        "pdf-as-page": b"%PDF-1.7\n" + b"0 0 obj\n" * 5_000,
        "zip-as-page": b"PK\x03\x04" + bytes(5_000),
    }
    # sizes at which limits act
    made["eleven-megabytes"] = good_list() + b"<p>x" * 2_800_000
    made["half-a-million-nodes"] = b"<i>" + b"<b></b>" * 520_000
    return made


WRAPPER = """copal: 1
pages:
- kind: list
  region: ['ul.list']
  record: {find: [li]}
  columns:
  - {name: title, find: ['h3 a']}
  - {name: price, type: money, find: [i.price]}
"""


def wrappers():
    column = "  - {name: c%d, find: [i]}\n"
    made = {
        "empty": "",
        "not-yaml": "\x00\x01\x02",
        "list": "- a\n- b\n",
        "deep": "copal: 1\npages: " + "[" * 20_000,
        "anchors": "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)},*{chr(97 + n)},*{chr(97 + n)},*{chr(97 + n)}]\n" for n in range(20)),
        "self-anchor": "copal: 1\npages: &p [*p]\n",
        "merge-keys": "copal: 1\n<<: *x\npages: []\n",
        "tags": "copal: !!python/object/apply:os.system ['id']\npages: []\n",
        "version-2": WRAPPER.replace("copal: 1", "copal: 2"),
        "version-huge": WRAPPER.replace("copal: 1", "copal: 99999999999999999999"),
        "version-negative": WRAPPER.replace("copal: 1", "copal: -1"),
        "unknown-key": WRAPPER + "extra: 1\n",
        "two-megabytes": WRAPPER + "#" * 2_000_000,
        "many-columns": WRAPPER + "".join(column % n for n in range(300)),
        "most-columns": WRAPPER + "".join(column % n for n in range(190)),
        "same-columns": WRAPPER + column % 1 + column % 1,
        "no-pages": "copal: 1\npages: []\n",
        "siblings": WRAPPER.replace("[li]", "['li ~ li ~ li ~ li ~ li']"),
        "universal": WRAPPER.replace("[li]", "['* * * * * * * * * *']"),
        "has": WRAPPER.replace("[li]", "['li:has(* ~ *):has(* ~ * ~ *)']"),
        "not-chain": WRAPPER.replace("[li]", "['li" + ":not(.a)" * 400 + "']"),
        "nested-not": WRAPPER.replace("[li]", "['li" + ":not(" * 40 + "a" + ")" * 40 + "']"),
        "long-selector": WRAPPER.replace("[li]", "['" + "li, " * 2_000 + "li']"),
        "nth": WRAPPER.replace("[li]", "['li:nth-child(99999999n+99999999)']"),
        "nth-of": WRAPPER.replace("[li]", "['li:nth-child(2n of li ~ li)']"),
        "bad-selector": WRAPPER.replace("[li]", "['li:::']"),
        "namespace": WRAPPER.replace("[li]", "['x|li']"),
        "escapes": WRAPPER.replace("[li]", "['\\\\000000\\\\110000 li']"),
        "elements": WRAPPER.replace("{find: [li]}", "{find: [li], elements: 18446744073709551615}"),
        "elements-zero": WRAPPER.replace("{find: [li]}", "{find: [li], elements: 0}"),
        "piece": WRAPPER.replace("find: [i.price]}", "find: [i.price], cut: {split: '', piece: 18446744073709551615}}"),
        "nth-huge": WRAPPER.replace("find: [i.price]}", "find: [{css: i, nth: 18446744073709551615, text: 99}]}"),
        "nan": WRAPPER.replace("find: [i.price]}", "find: [i.price], presence: .nan}"),
        "infinite": WRAPPER.replace("find: [i.price]}", "find: [i.price], presence: .inf}"),
        "negative-counts": WRAPPER.replace("  columns:", "  profile: {samples: -1, records: [-5, 3]}\n  columns:"),
        "huge-counts": WRAPPER.replace("  columns:", "  profile: {samples: 4294967295, records: [9223372036854775807, 1]}\n  columns:"),
        "quotes": WRAPPER.replace("name: title", "name: \"a'b\\\"c\\\\d\\n</script>{{x}}\""),
        "control-names": WRAPPER.replace("name: title", "name: \"\\x1b[31m\\u202e\\0\""),
        "url": WRAPPER + "url: 'javascript:alert(1)'\n",
        "url-stars": WRAPPER + "url: '" + "*a" * 3_000 + "'\n",
        "navigation": WRAPPER + "navigation: {next: ['" + "a ~ " * 60 + "a'], steps: [{click: '*'}]}\n",
    }
    return {name: text.encode("utf-8", "surrogatepass") for name, text in made.items()}


DOMAIN = "domain: lamps\nobject: lamp\npivot: price\nattributes:\n  price: {type: money}\n"


def domains():
    rule = lambda text: DOMAIN + "  size: {type: text, rules: ['" + text + "']}\n"
    made = {
        "empty": "",
        "not-yaml": "\x00",
        "deep": "domain: " + "[" * 20_000,
        "anchors": "a: &a [x,x,x,x,x]\n" + "".join(f"b{n}: &b{n} [*{'a' if n == 0 else f'b{n - 1}'},*a,*a]\n" for n in range(40)),
        "unknown-key": DOMAIN + "run: rm -rf /\n",
        "backtracking": rule("(a+)+$"),
        "nested-repeats": rule("((a{1,100}){1,100}){1,100}"),
        "huge-repeat": rule("a{1000000000}"),
        "unicode-classes": rule("[\\\\p{L}\\\\p{N}]{500}"),
        "alternatives": rule("|".join(f"word{n}" for n in range(20_000))),
        "many-rules": DOMAIN + "  size: {type: text, rules: [" + ",".join(f"'a{n}+b'" for n in range(5_000)) + "]}\n",
        "definitions": rule("{word}" * 50_000) + "define: {word: '" + "a" * 300_000 + "'}\n",
        "bad-rule": rule("(((("),
        "look-behind": rule("(?<=a)b"),
        "back-reference": rule("(a)\\\\1"),
        "matches-empty": rule("x*"),
        "many-attributes": DOMAIN + "".join(f"  a{n}: {{type: money}}\n" for n in range(5_000)),
        "many-labels": DOMAIN + "  size: {type: text, labels: [" + ",".join(f"l{n}" for n in range(20_000)) + "]}\n",
        "outside-gazetteer": DOMAIN + "  size: {type: text, gazetteer: ../../etc/passwd}\n",
        "absolute-gazetteer": DOMAIN + "  size: {type: text, gazetteer: /etc/passwd}\n",
        "missing-pivot": DOMAIN.replace("pivot: price", "pivot: nothing"),
        "wrong-type": DOMAIN + "  size: {type: no such type}\n",
        "annotators": DOMAIN + "  size: {type: text, annotators: ['rm -rf /']}\n",
        "two-megabytes": DOMAIN + "#" * 2_000_000,
        "control-characters": DOMAIN + '  "\\x1b[31m": {type: text}\n',
    }
    return {name: text.encode() for name, text in made.items()}


def warc(url, http, length=None):
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http) if length is None else length}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"


def response(body, headers="Content-Type: text/html; charset=utf-8\r\n"):
    return f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body


def archives():
    one = warc("https://a.example/1", response(good_list()))
    zipped = gzip.compress(one, mtime=0)
    bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([bomb.compress(b"\0" * 1_000_000) for _ in range(60)] + [bomb.flush()])
    made = {
        "empty.warc": b"",
        "only-head.warc": b"WARC/1.0\r\n",
        "negative-length.warc": one.replace(b"Content-Length: ", b"Content-Length: -", 1),
        "huge-length.warc": warc("https://a.example/1", response(good_list()), 2**63),
        "short-length.warc": warc("https://a.example/1", response(good_list()), 10) + one,
        "no-length.warc": b"WARC/1.0\r\nWARC-Type: response\r\n\r\nx" + one,
        "long-head.warc": b"WARC/1.0\r\n" + b"X-A: b\r\n" * 50_000 + b"\r\n" + one,
        "garbage-between.warc": one + b"garbage " * 10_000 + one,
        "flipped.warc.gz": zipped[:60] + bytes([zipped[60] ^ 1]) + zipped[61:] + zipped,
        "cut.warc.gz": zipped[: len(zipped) // 2],
        "trailing.warc.gz": zipped + b"\0" * 10_000,
        "bomb.warc.gz": bomb,
        "bomb-body.warc": warc("https://a.example/1", response(bomb, "Content-Type: text/html\r\nContent-Encoding: gzip\r\n")) + one,
        "bomb-brotli.warc": warc("https://a.example/1", response(b"\x1b" * 4_000, "Content-Encoding: br\r\n")) + one,
        "endless-chunks.warc": warc("https://a.example/1", response(b"1\r\na\r\n" * 30_000, "Transfer-Encoding: chunked\r\n")) + one,
        "huge-chunk.warc": warc("https://a.example/1", response(b"ffffffffffffffff\r\nx", "Transfer-Encoding: chunked\r\n")) + one,
        "many-encodings.warc": warc("https://a.example/1", response(b"x", "Content-Encoding: " + "gzip, " * 500 + "\r\n")) + one,
        "many-headers.warc": warc("https://a.example/1", response(b"x", "A: b\r\n" * 20_000)) + one,
        "control-url.warc": warc("https://a.example/\x1b[31m\x07", response(good_list())) + one,
        "many-records.warc": b"".join(warc(f"https://a.example/{n}", response(b"<p>x")) for n in range(400)) + one,
        "bad-zstd.warc.zst": b"\x28\xb5\x2f\xfd" + b"\xff" * 3_000,
        "zstd-dictionary.warc.zst": b"\x5d\x2a\x4d\x18\xff\xff\xff\x7f" + b"x" * 100,
    }
    for name, names in {"parents.wacz": ["archive/../../x.warc", "../../etc/x.warc"], "many.wacz": [f"archive/{n}.warc" for n in range(400)]}.items():
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as packed:
            for inner in names:
                packed.writestr(zipfile.ZipInfo(inner), one)
        made[name] = file.getvalue()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo("archive/bomb.warc.gz"), bomb)
    made["bomb.wacz"] = file.getvalue()
    made["cut.wacz"] = made["many.wacz"][:-200]
    made["entries.wacz"] = b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\x7f\0\0"
    return made


def databases():
    sqlite = b"SQLite format 3\x00"
    return {
        "empty": b"",
        "text": b"a text, not a database\n",
        "head": sqlite,
        "zeros": sqlite + bytes(4080),
        "garbage": sqlite + bytes((n * 31) % 256 for n in range(8176)),
        "page-size": sqlite + b"\x00\x01" + bytes(500),
    }


def configurations():
    return {
        "not-toml": b"\x00=\xff",
        "deep": b"a = " + b"[" * 20_000,
        "proxy": b"proxy = 'http://127.0.0.1:1'\n",
        "annotators": b"[annotators]\nner = 'rm -rf /'\n",
        "private": b"allow-private = true\n",
        "headers": b"header = ['Authorization: x']\n",
        "huge": b"#" * 200_000,
        "delay": b"delay = -1\n",
        "delay-nan": b"delay = nan\n",
        "format": b"format = 'no such format'\n",
    }


def responses():
    """Responses of a server, complete with status line and headers."""
    page = good_list()
    ok = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    bomb = archives()["bomb.warc.gz"]
    made = {
        "nothing": b"",
        "half-status": b"HTTP/1.1 2",
        "not-http": b"SSH-2.0-OpenSSH\r\n",
        "http-09": page,
        "status-999": b"HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n",
        "status-words": b"HTTP/1.1 abc X\r\n\r\n",
        "endless-100": b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000,
        "many-headers": ok + b"".join(b"X-%d: y\r\n" % n for n in range(20_000)) + b"\r\n" + page,
        "long-header": ok + b"X: " + b"y" * 2_000_000 + b"\r\n\r\n" + page,
        "folded": ok + b"X: y\r\n z\r\n\r\n" + page,
        "null-header": ok + b"X: y\0z\r\n\r\n" + page,
        "two-lengths": ok + b"Content-Length: 5\r\nContent-Length: 500\r\n\r\n" + page,
        "negative-length": ok + b"Content-Length: -5\r\n\r\n" + page,
        "huge-length": ok + b"Content-Length: 18446744073709551615\r\n\r\n" + page,
        "length-and-chunks": ok + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + page,
        "bad-chunk": ok + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + page,
        "huge-chunk": ok + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        "gzip-bomb": ok + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb) + bomb,
        "gzip-garbage": ok + b"Content-Encoding: gzip\r\n\r\n" + b"\xff" * 5_000,
        "brotli-garbage": ok + b"Content-Encoding: br\r\n\r\n" + b"\xff" * 5_000,
        "zstd-garbage": ok + b"Content-Encoding: zstd\r\n\r\n\x28\xb5\x2f\xfd" + b"\xff" * 5_000,
        "unknown-encoding": ok + b"Content-Encoding: x-nothing\r\n\r\n" + page,
        "many-encodings": ok + b"Content-Encoding: " + b"gzip, " * 300 + b"\r\n\r\n" + page,
        "redirect-loop": b"HTTP/1.1 302 Found\r\nLocation: /redirect-loop\r\nContent-Length: 0\r\n\r\n",
        "redirect-file": b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
        "redirect-script": b"HTTP/1.1 302 Found\r\nLocation: javascript:alert(1)\r\nContent-Length: 0\r\n\r\n",
        "redirect-long": b"HTTP/1.1 302 Found\r\nLocation: /" + b"a" * 60_000 + b"\r\nContent-Length: 0\r\n\r\n",
        "redirect-empty": b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
        "many-links": ok + b"Link: " + b"</a>; rel=next, " * 3_000 + b"\r\n\r\n" + page,
        "many-cookies": ok + b"Set-Cookie: a=b; Max-Age=99999999999999999999\r\n" * 2_000 + b"\r\n" + page,
        "retry-after": b"HTTP/1.1 503 X\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n",
        "pdf": b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7" + bytes(10_000),
    }
    for name in ("deep-div", "reopened-formatting", "deep-json", "xml-entities", "many-forms", "frames", "base-url", "many-pagers"):
        made[f"page-{name}"] = ok + b"\r\n" + pages()[name]
    return made


def bodies():
    """Bodies of requests to the service."""
    page = good_list().decode()
    made = {
        "empty": b"",
        "not-json": b"{",
        "deep": b"[" * 100_000,
        "numbers": b'{"html": 1e999}',
        "unknown-key": b'{"html":"<p>","run":"id"}',
        "wrong-types": b'{"html":["<p>"],"url":{}}',
        "file-url": json.dumps({"url": "file:///etc/passwd"}).encode(),
        "loopback-url": json.dumps({"url": "http://127.0.0.1:1/"}).encode(),
        "surrogates": b'{"html":"\\ud800\\udfff"}',
        "null-bytes": json.dumps({"html": "\0" * 10_000}).encode(),
        "many-pages": json.dumps({"pages": [{"html": "<p>x"}] * 2_000}).encode(),
        "bad-domain": json.dumps({"html": page, "options": {"domain": "../../etc/passwd"}}).encode(),
        "bad-selector": json.dumps({"html": page, "options": {"select": "*" * 10_000}}).encode(),
        "control-name": json.dumps({"pages": [{"html": page, "name": "../../\x1b[31m"}]}).encode(),
    }
    for name, content in pages().items():
        if len(content) < 3_000_000:
            made[f"page-{name}"] = json.dumps({"html": content.decode("utf-8", "replace")}).encode()
    return made
