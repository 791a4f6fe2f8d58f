"""Extracts the records from the pages of one site.

    scrapy runspider FILE -a start=URL -O records.jsonl                one page
    scrapy runspider FILE -a start=URL -a pages=all -O records.jsonl   all pages of the list, or pages=N
    scrapy runspider FILE -O records.jsonl                             the lists of the site, if copal site found them

Without a crawl, call `records(selector, url)`: it takes the parsel Selector of a page and returns a list of dicts.

Written by `copal export --to scrapy`. docs/guide/wrappers.md in copal's repository describes what differs from
`copal apply`.
"""

import copy
import json
import re
from urllib.parse import parse_qsl, urljoin

import scrapy
from itemloaders import ItemLoader
from itemloaders.processors import Identity, MapCompose, TakeFirst
from w3lib.url import safe_url_string

# Where the records and their columns are. `ways` are tried in order until one fits. In a column, the first locator of
# `find` is used; if it finds fewer values than expected, all of them vote.
WRAPPER = []  # copal: the wrapper

# XPaths of the link to the next page. The first that finds one is followed.
NEXT = []  # copal: the next link
# The lists of the site, which are read if no page is given, and searches that are sent by POST.
START = []  # copal: the lists of the site
SEARCHES = []  # copal: searches by POST
PAGES = "1"  # copal: how many pages

SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WORDS = re.compile(f"[^{SPACE}\u200b\ufeff]+")
SEPARATORS = "|\xa6\xb7\xbb\u2022\u203a\u2027\u2219\u22c5\u25cf"
# Not head: lxml leaves <nav> and <main> in the head of a page that does not write <body>.
UNSEEN = frozenset(
    "title meta link base script style noscript template iframe noframes object embed audio video canvas area"
    " source col colgroup datalist option optgroup".split()
)
FORMATTING = frozenset(
    "b strong i em u s small big font sub sup mark code tt kbd samp cite q del ins strike abbr acronym var dfn nobr"
    " wbr".split()
)


class Page:
    """A tree and its hidden elements."""

    def __init__(self, root):
        self.root = with_bodies(root)
        self.hidden = set()
        for element in self.root.iter("*"):
            if element.getparent() in self.hidden or is_hidden(element):
                self.hidden.add(element)

    def texts(self, nodes, parent):
        """Yields the visible texts in order, with the element around each. None marks a line break or an image."""
        stack = [(parent, iter(nodes))]
        while stack:
            around, rest = stack[-1]
            node = next(rest, None)
            if node is None:
                stack.pop()
            elif isinstance(node, str):
                yield node, around
            elif node not in self.hidden:
                if node.tag in ("br", "img", "svg"):
                    yield None, node
                stack.append((node, iter(children(node))))

    def line(self, nodes, parent):
        """Joins texts to one line. There is a space where the page has one and between words of different elements."""
        out, apart, before = "", False, None
        for raw, around in self.texts(nodes, parent):
            if raw is None:
                apart = apart or around.tag != "svg"
                continue
            piece = " ".join(WORDS.findall(raw))
            if not piece:
                apart = True
                continue
            touch = out[-1:].isalnum() and piece[0].isalnum()
            plain = before is not None and before.tag not in FORMATTING and around.tag not in FORMATTING
            if out and (apart or re.match(f"[{SPACE}]", raw) or touch and plain):
                out += " "
            out += piece
            apart = bool(re.search(f"[{SPACE}]\\Z", raw))
            before = around
        return out

    def value(self, nodes, parent):
        """The line without separators at its ends; None if it has no letters, digits or known symbols."""
        text = self.line(nodes, parent).lstrip(" ,;" + SEPARATORS).rstrip(" " + SEPARATORS)
        says = any(letter.isalnum() or letter in "\u2605\u2606\u2713\u2714" for letter in text)
        return text if says or re.fullmatch(r"\${2,5}", text) else None

    def shows(self, nodes, parent):
        texts = self.texts(nodes, parent)
        return any(around.tag != "br" if raw is None else WORDS.search(raw) for raw, around in texts)

    def says(self, nodes, parent):
        return any(raw and WORDS.search(raw) for raw, _ in self.texts(nodes, parent))


def with_bodies(root):
    """Adds the `tbody` around rows that browsers add and lxml does not."""
    if not root.xpath("boolean(//table/tr)"):
        return root
    root = copy.deepcopy(root)
    for table in root.xpath("//table[tr]"):
        body = None
        for child in list(table):
            if child.tag != "tr":
                body = None if isinstance(child.tag, str) else body
                continue
            if body is None:
                body = table.makeelement("tbody")
                child.addprevious(body)
            body.append(child)
    return root


def is_hidden(element):
    display, invisible = None, False
    if element.get("hidden") is not None or element.tag == "input" and element.get("type", "").lower() == "hidden":
        display = "none"
    for declaration in (element.get("style") or "").split(";"):
        name, _, value = (part.strip().lower() for part in declaration.partition(":"))
        if name == "display":
            display = value
        elif name == "visibility":
            invisible = value.startswith(("hidden", "collapse"))
    return invisible or (element.tag in UNSEEN if display is None else display.startswith("none"))


def children(element):
    """Elements and texts in order, without comments."""
    out, text = [], element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            out += [text, child] if text else [child]
            text = ""
        text += child.tail or ""
    return out + [text] if text else out


class Record:
    """A record: adjacent elements, and all nodes from the first to the last of them."""

    def __init__(self, elements):
        self.elements = elements
        self.parent = elements[0].getparent()
        nodes = [elements[0]] if self.parent is None else children(self.parent)
        self.nodes = nodes[nodes.index(elements[0]) : nodes.index(elements[-1]) + 1]


def inside(element, elements):
    return element in elements or any(around in elements for around in element.iterancestors())


def records_of(page, rule, way):
    """The records that one pair of locators finds. If it finds several regions, the one with the most records counts."""
    best = []
    for region in page.root.xpath(way["region"])[:10]:
        found = records_below(page, rule, region.xpath(way["record"]), region)
        if len(found) > len(best):
            best = found
    return best


def records_below(page, rule, found, region):
    heads = []
    for element in found:
        if element not in page.hidden and not (heads and heads[-1] in element.iterancestors()):
            heads.append(element)
    if "needs" in rule:
        needed = set()
        for element in region.xpath(rule["needs"]):
            needed.update(element.iterancestors())
        heads = [head for head in heads if head in needed]
    out, taken, most = [], set(), rule.get("elements", 1)
    for at, head in enumerate(heads):
        if inside(head, taken):
            continue
        stop = heads[at + 1] if at + 1 < len(heads) else None
        elements, sibling = [head], head.getnext()
        while sibling is not None and (most == 0 or len(elements) < most) and sibling is not stop:
            if isinstance(sibling.tag, str) and sibling not in page.hidden:
                elements.append(sibling)
            if stop is not None and inside(stop, {sibling}):
                break
            sibling = sibling.getnext()
        taken.update(elements)
        out.append(Record(elements))
    return [record for record in out if page.shows(record.nodes, record.parent)]


def read(page, element, source, own):
    """The value of an element: its URL, its image or its text."""
    if source == "href":
        href = (element.get("href") or "").strip() if element.tag == "a" else ""
        return href if href not in ("", "#") and not href[:11].lower() == "javascript:" else None
    if source == "src":
        found = (element.get(name, "").strip() for name in ("data-src", "src")) if element.tag == "img" else ()
        return next((src for src in found if src and not src.startswith("data:")), None)
    if own is None:
        return page.value([element], element)
    texts = (page.value([node], element) for node in children(element) if isinstance(node, str))
    said = [text for text in texts if text is not None]
    return said[own - 1] if own <= len(said) else None


def cut(text, cut):
    """The part of a text that is the value; None if the text does not contain it."""
    if "after" in cut:
        _, found, text = text.partition(cut["after"])
        if not found:
            return None
    if "before" in cut:
        text = text.partition(cut["before"])[0]
    if "split" in cut:
        pieces = text.split(cut["split"])
        text = pieces[cut["piece"] - 1] if cut["piece"] <= len(pieces) else ""
    return re.sub(f"\\A[{SPACE}]+|[{SPACE}]+\\Z", "", text) or None


def bare(text):
    return text.strip().rstrip(":").rstrip()


def value_after_label(page, record, label):
    """The value after the first text that consists of the label alone."""
    levels = [[record.parent, record.nodes, 0]]
    while levels:
        parent, nodes, at = levels[-1]
        if at == len(nodes):
            levels.pop()
            continue
        levels[-1][2] += 1
        node = nodes[at]
        if not isinstance(node, str):
            if node not in page.hidden:
                levels.append([node, children(node), 0])
        elif len(node.encode()) <= 240 and bare(" ".join(WORDS.findall(node))) == bare(label):
            value = next_value(page, levels)
            if value is not None:
                return value
    return None


def next_value(page, levels):
    """The value of the next sibling that has one. Goes up as long as nothing precedes the label in its parent."""
    for parent, nodes, next_index in reversed(levels):
        for node in nodes[next_index:]:
            value = page.value([node], parent)
            if value is not None:
                return value
        if page.says(nodes[: next_index - 1], parent):
            return None
    return None


def values(page, record, column, place):
    """The values that one locator of a column finds in a record."""
    wanted = place.get("nth", 1)
    most = 1000 if column.get("many") else wanted
    if "label" in place:
        found = [value_after_label(page, record, place["label"])]
    else:
        at = place.get("element", 1) - 1
        found = []
        for element in record.elements[at].xpath(place["xpath"]) if at < len(record.elements) else []:
            value = read(page, element, column["from"], place.get("text")) if element not in page.hidden else None
            found += [] if value is None else [value]
            if len(found) == most:
                break
    if "cut" in column:
        found = [cut(text, column["cut"]) for text in found if text is not None]
    found = [text for text in found if text is not None]
    if column.get("many"):
        return found
    return [found[-1]] if len(found) == wanted else []


def fell(presence, there, count):
    """True if a column is in fewer records than chance explains (a one-sided test of proportions)."""
    share = min(max(presence, 0.05), 0.95)
    return share * count - there > 2.33 * (share * (1 - share) * count) ** 0.5


def cells(page, records, column):
    """The values of a column for each record. Only if the first locator finds too few, all locators vote."""
    first, *others = column["find"]
    by_place = [[values(page, record, column, first) for record in records]]
    there = sum(1 for cell in by_place[0] if cell)
    if others and fell(column.get("presence", 0), there, len(records)):
        by_place += [[values(page, record, column, place) for record in records] for place in others]
    return [max(cell, key=lambda one: (bool(one), cell.count(one))) for cell in zip(*by_place)]


def fits(rule, records, table):
    """True if the records have the columns that the sample pages had."""
    expected = [number for number, column in enumerate(rule["columns"]) if column.get("presence", 0) >= 0.9]
    if not expected:
        return bool(records)
    there = sum(1 for number in expected for cell in table[number] if cell)
    return there > 0 and there >= 0.5 * len(records) * len(expected)


class RecordLoader(ItemLoader):
    """Keeps the first value of each column. Columns with several values get a list as their first value."""

    default_item_class = dict
    default_input_processor = Identity()
    default_output_processor = TakeFirst()


def records(selector, url=None):
    """The records of a page as dicts of texts. Columns that a record lacks are omitted."""
    page = Page(selector.root)
    stated = next(iter(page.root.xpath("//base/@href")), "").strip()
    base = urljoin(url or "", stated) if url or re.match("[a-zA-Z][a-zA-Z0-9+.-]*:", stated) else None

    def absolute(address):
        try:
            return safe_url_string(urljoin(base, address)) if base else address
        except ValueError:
            return address

    for rule in WRAPPER:
        for way in rule["ways"]:
            found = records_of(page, rule, way)
            table = [cells(page, found, column) for column in rule["columns"]]
            if fits(rule, found, table):
                return [load(rule, table, number, absolute) for number in range(len(found))]
    return []


def load(rule, table, number, absolute):
    loader = RecordLoader()
    for column, column_cells in zip(rule["columns"], table):
        cell = MapCompose(absolute)(column_cells[number]) if column["from"] != "text" else column_cells[number]
        several = any(len(other) > 1 for other in column_cells)
        loader.add_value(column["name"], [cell] if several and cell else cell)
    return loader.load_item()


def next_page(selector, url):
    """The URL of the next page of the list; None on the last one."""
    base = urljoin(url, (selector.xpath("//base/@href").get() or "").strip())
    for path in NEXT:
        for href in selector.xpath(path).xpath("self::a/@href").getall()[:1]:
            address = urljoin(base, href.strip())
            if address.startswith(("http:", "https:", "file:")) and address != url:
                return address
    return None


# Parts of the names of fields that prove that a form was shown before it is sent.
TOKEN_NAMES = ("csrf", "xsrf", "token", "nonce", "viewstate", "eventvalidation", "form_build_id", "formhash")


class CopalSpider(scrapy.Spider):
    name = "copal"

    def __init__(self, start=None, pages=PAGES, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [start] if start else START
        self.searches = [] if start else SEARCHES
        self.most = None if pages == "all" else int(pages)

    async def start(self):
        for request in self.start_requests():
            yield request

    def start_requests(self):
        for url in self.start_urls:
            yield scrapy.Request(url, self.parse, dont_filter=True)
        for search in self.searches:
            yield scrapy.Request(search["page"], self.send, dont_filter=True, cb_kwargs={"search": search})

    def send(self, response, search):
        """Sends the search form of a page. Tokens have the values that the page has now."""
        for form in response.xpath("//form"):
            address = urljoin(response.url, form.attrib.get("action", "").strip())
            if form.attrib.get("method", "").lower() == "post" and address == search["url"]:
                hidden = {one.attrib.get("name", ""): one.attrib.get("value", "")
                          for one in form.xpath(".//input[@type='hidden']")}
                # other hidden fields may have been filled in by a script
                tokens = {name: value for name, value in hidden.items()
                          if any(part in name.lower() for part in TOKEN_NAMES)}
                fields = [(name, tokens.get(name, value))
                          for name, value in parse_qsl(search["form"], keep_blank_values=True)]
                yield scrapy.FormRequest(search["url"], self.parse, method="POST", formdata=fields)
                return
        self.logger.error("%s no longer has the form that is sent to %s", response.url, search["url"])

    def parse(self, response, page=1, known=frozenset()):
        found = list(records(response.selector, response.url))
        texts = {json.dumps(record, sort_keys=True) for record in found}
        # a page without new records is the end, whatever it links to: the last page may link to the first one by another
        # URL; Scrapy drops URLs it has seen
        if texts <= known:
            return
        yield from found
        if self.most is None or page < self.most:
            address = next_page(response.selector, response.url)
            if address:
                following = {"page": page + 1, "known": known | texts}
                yield scrapy.Request(address, self.parse, cb_kwargs=following)
