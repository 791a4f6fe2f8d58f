"""The command lines of the hostile set: which input goes to which command, and what its run may end with."""

import hostile_features
import hostile_inputs

# exit codes that are documented: done, nothing found, usage, unreadable, partial, changed
EXPECTED_CODES = {0, 1, 2, 3, 4, 5}
# A command line that is ours is never wrong usage: a run that was refused for that has tried nothing.
WELL_USED = EXPECTED_CODES - {2}


class Case:
    """A command line, the files it needs, and what must be in its output."""

    def __init__(self, name, line, files, wanted=(), codes=WELL_USED, service=False):
        self.name, self.line, self.files, self.wanted = name, line, files, wanted
        self.codes, self.service = codes, service


def file_cases():
    good = hostile_inputs.good_list()
    wrapper = hostile_inputs.WRAPPER.encode()
    page_commands = {
        "extract": "copal extract page.html --all --format json",
        "report": "copal extract page.html --explain -o report.html",
        "object": "copal extract page.html --kind object --domain products --format csv",
        "sections": "copal sections page.html",
        "forms": "copal forms page.html",
        "learn": "copal learn page.html -o new.copal.yaml",
        "apply": "copal apply shop.copal.yaml page.html --format csv",
        "check": "copal check shop.copal.yaml page.html",
    }
    # the commands that cost as much as extract again are tried with every third page
    fewer_commands = {
        "repair": "copal repair shop.copal.yaml page.html --dry-run",
        "stylesheets": "copal extract page.html --render css --format csv",
        "embedded": "copal extract page.html --embedded --format json",
        "database": "copal extract page.html -o data.sqlite && copal watch page.html -o data.sqlite",
        "isolate": "copal extract page.html --isolate --format csv",
        "domain-test": "copal domain test books page.html",
    }
    for number, (name, page) in enumerate(hostile_inputs.pages().items()):
        files = {"page.html": page, "shop.copal.yaml": wrapper}
        large = len(page) > 1_000_000
        for command, line in page_commands.items():
            if not large or command in ("extract", "apply"):
                yield Case(f"{command}/{name}", line, files)
        if number % 3 == 0 and not large:
            for command, line in fewer_commands.items():
                yield Case(f"{command}/{name}", line, files)
    for name, text in hostile_inputs.wrappers().items():
        files = {"page.html": good, "bad.copal.yaml": text}
        yield Case(f"bad-wrapper/apply/{name}", "copal apply bad.copal.yaml page.html --format csv", files, codes=EXPECTED_CODES)
        yield Case(f"bad-wrapper/check/{name}", "copal check bad.copal.yaml page.html", files, codes=EXPECTED_CODES)
        for tool in ("scrapy", "playwright", "oxpath"):
            yield Case(f"bad-wrapper/{tool}/{name}", f"copal export bad.copal.yaml --to {tool}", files, codes=EXPECTED_CODES)
    for name, text in hostile_inputs.domains().items():
        files = {"page.html": good, "bad.yaml": text}
        yield Case(f"bad-domain/extract/{name}", "copal extract page.html --domain bad.yaml --format csv", files, codes=EXPECTED_CODES)
        yield Case(f"bad-domain/test/{name}", "copal domain test bad.yaml page.html", files, codes=EXPECTED_CODES)
    for name, content in hostile_inputs.archives().items():
        yield Case(f"archive/{name}", f"copal extract {name} -o all.jsonl", {name: content})
        yield Case(f"archive-long/{name}", f"copal extract {name} --long -o cells.csv", {name: content})
    for name, content in hostile_inputs.databases().items():
        files = {"page.html": good, "data.sqlite": content}
        yield Case(f"database/extract/{name}", "copal extract page.html -o data.sqlite", files)
        yield Case(f"database/diff/{name}", "copal diff data.sqlite", files)
        yield Case(f"database/watch/{name}", "copal watch page.html -o data.sqlite", files)
    for name, text in hostile_inputs.configurations().items():
        files = {"page.html": good, "copal.toml": text}
        yield Case(f"config/{name}", "copal extract page.html --format csv", files, codes=EXPECTED_CODES)


def mixed_cases():
    """Folders of good and bad pages: all records of the good ones must be in the output."""
    bad = [(name, page) for name, page in hostile_inputs.pages().items() if len(page) < 1_000_000]
    for number in range(0, len(bad), 3):
        files, wanted = {}, []
        for place, (name, page) in enumerate(bad[number : number + 3]):
            first = 1000 * (place + 1)
            files[f"pages/{place}a-good.html"] = hostile_inputs.good_list(first, 6)
            files[f"pages/{place}b-{name}.html"] = page
            wanted += [f">Lamp {n}<".encode().strip(b"<>") for n in range(first, first + 6)]
        lines = ("--format records -j 1", "--isolate --format records", "--format records -j 4", "--isolate --format records -j 4")
        # 1: a page without a list is among them
        yield Case(f"mixed/{number}", f"copal extract pages {lines[number // 3 % 4]}", files, wanted, codes={0, 1, 3, 4})
        # the same pages as records of one archive, which is read in processes of its own with --long
        pages = [hostile_inputs.warc(f"https://a.example/{name}", hostile_inputs.response(page)) for name, page in sorted(files.items())]
        line = ("copal extract pages.warc --format records", "copal extract pages.warc --long -o cells.csv -j 4; code=$?; cat cells.csv; exit $code")[number // 3 % 2]
        yield Case(f"mixed-archive/{number}", line, {"pages.warc": b"".join(pages)}, wanted, codes={0, 1, 3, 4})
    everything = {}
    for place, (name, page) in enumerate(bad):
        everything[f"pages/{place:03}-{name}.html"] = page
        everything[f"pages/{place:03}-a-good.html"] = hostile_inputs.good_list(1000 + 10 * place, 6)
    wanted = [f"Lamp {n}".encode() for place in range(len(bad)) for n in range(1000 + 10 * place, 1006 + 10 * place)]
    for name, options in {"jobs-1": "-j 1", "jobs-4": "-j 4", "isolate": "--isolate", "isolate-4": "--isolate -j 4", "by-template": "--by-template --long -o cells.csv -j 4; code=$?; cat cells.csv; exit $code"}.items():
        line = f"copal extract pages {options}" if "--long" in options else f"copal extract pages --format records {options}"
        yield Case(f"mixed-all/{name}", line, everything, wanted, codes={0, 1, 3, 4})


def network_cases():
    yield from (
        Case(f"fetch/{name}", f"copal extract $SERVER/{name} --format json --allow-private --delay 0 --no-cache --timeout 20", {})
        for name in hostile_inputs.responses()
    )
    for name in ("page-many-forms", "page-frames", "page-many-pagers", "page-base-url", "page-deep-div", "redirect-loop", "gzip-bomb"):
        options = "--allow-private --delay 0 --no-cache --budget pages=12 -o site.sqlite"
        yield Case(f"site/{name}", f"copal site $SERVER/{name} {options}", {})
        yield Case(f"follow/{name}", f"copal extract $SERVER/{name} --follow 5 --details 3 --format csv --allow-private --delay 0 --no-cache", {})


def service_cases():
    endpoints = ("extract", "objects", "sections", "learn", "view")
    for number, (name, body) in enumerate(hostile_inputs.bodies().items()):
        endpoint = endpoints[number % len(endpoints)]
        yield Case(f"service/{endpoint}/{name}", endpoint, {"body": body}, service=True)


def feature_cases():
    """The inputs that are for one feature each."""
    good = hostile_inputs.good_list()
    for name, page in hostile_features.saved_pages().items():
        files = {"page.mhtml": page}
        yield Case(f"mhtml/extract/{name}", "copal extract page.mhtml --format json", files)
        yield Case(f"mhtml/styled/{name}", "copal extract page.mhtml --render css --format csv", files)
        yield Case(f"mhtml/learn/{name}", "copal learn page.mhtml -o new.copal.yaml", files)
    for name, content in hostile_features.page_archives().items():
        yield Case(f"archive-pages/{name}", f"copal extract {name} --revisits -o all.jsonl", {name: content})
        yield Case(f"archive-pages-long/{name}", f"copal extract {name} --long --by-template -o cells.csv", {name: content})
    for name, content in hostile_features.indexes().items():
        files = {"crawl.cdx": content, "crawl.warc": hostile_inputs.warc("https://a.example/1", hostile_inputs.response(good))}
        yield Case(f"cdx/{name}", "copal extract crawl.warc --cdx crawl.cdx --long -o cells.csv", files, codes=EXPECTED_CODES)
    for name, folder in hostile_features.templates().items():
        files = {f"pages/{page}": content for page, content in folder.items()}
        yield Case(f"templates/long/{name}", "copal extract pages --by-template --long -o cells.csv", files)
        yield Case(f"templates/parts/{name}", "copal extract pages --by-template --template-pages 3 --part-pages 7 --long -o cells/ --format csv", files)
        yield Case(f"templates/learn/{name}", "copal learn pages -o new.copal.yaml", files)
    for name, page in hostile_features.stylesheets().items():
        files = {"page.html": page}
        yield Case(f"styles/extract/{name}", "copal extract page.html --render css --format csv", files)
        yield Case(f"styles/report/{name}", "copal extract page.html --render css -o report.html", files)


def site_cases():
    own = "--allow-private --delay 0 --no-cache"
    for name in hostile_features.site_pages():
        yield Case(f"site-report/{name}", f"copal site $SITE/{name}/ {own} --budget pages=15 -o site.sqlite --report report.html --wrapper site.copal.yaml --explain", {})
        yield Case(f"site-styled/{name}", f"copal extract $SITE/{name}/ {own} --render css --stylesheets --follow 8 --details 4 --format json", {})
        yield Case(f"site-watch/{name}", f"copal watch $SITE/{name}/ {own} -o data.sqlite && copal watch $SITE/{name}/ {own} -o data.sqlite", {})
    names = "\n".join(f"$SITE/{name}/" for name in hostile_features.site_pages())
    yield Case("site-many", f"printf '{names}\\n' >sites.txt && copal site --urls sites.txt {own} --budget pages=4 -o sites.sqlite --report reports", {})


def agent_cases():
    for name, (text, page) in hostile_features.messages().items():
        # the server ends when its input ends; a page that it does not read because the call is wrong tests nothing
        line = "copal mcp --root . --dir workspace <messages >answers; code=$?; cat answers"
        line += "; grep -q 'failed to deserialize' answers && exit 2; exit $code" if name.startswith("page-") else "; exit $code"
        yield Case(f"mcp/{name}", line, {"messages": text, "page.html": page})
    for name, (endpoint, body) in hostile_features.studio_bodies().items():
        yield Case(f"studio/{name}", endpoint, {"body": body}, service=True)


def demo_cases(demo):
    """The program of the demo, built for this machine."""
    for name, page in hostile_inputs.pages().items():
        if len(page) < 3_000_000:
            yield Case(f"demo/{name}", f"{demo} <page.html", {"page.html": page})


def all_cases(demo):
    yield from file_cases()
    yield from mixed_cases()
    yield from network_cases()
    yield from service_cases()
    yield from feature_cases()
    yield from site_cases()
    yield from agent_cases()
    if demo:
        yield from demo_cases(demo)
