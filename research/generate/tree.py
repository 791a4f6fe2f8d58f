"""Reads a marked page: its tree, and the marked values of every record.

In: HTML with the marks of marks.py. Out: read(html) -> Page with the elements and the records in page order; each
record has texts, xpaths and, per attribute, its values. Optional end tags may be missing, as in browsers (li, p, dt, dd,
td, th, tr, option), and so may tbody.
"""
from html.parser import HTMLParser

from marks import pieces

VOID = set('area base br col embed hr img input link meta param source track wbr'.split())
UNSEEN = set('script style template noscript head title'.split())
BLOCK = set('''address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption
figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main nav ol option p pre section select summary
table tbody td tfoot th thead tr ul'''.split())
CLOSES_P = BLOCK - set('body br caption html legend option select tbody td tfoot th thead tr'.split())
# A start tag closes an open element with one of these names, unless one of the walls is between them.
IMPLIED = {
    'li': ({'li'}, {'ul', 'ol'}),
    'dt': ({'dt', 'dd'}, {'dl'}),
    'dd': ({'dt', 'dd'}, {'dl'}),
    'option': ({'option'}, {'select'}),
    'tr': ({'tr'}, {'table', 'tbody', 'thead', 'tfoot'}),
    'td': ({'td', 'th'}, {'tr', 'table'}),
    'th': ({'td', 'th'}, {'tr', 'table'}),
    'tbody': ({'tbody', 'thead', 'tfoot'}, {'table'}),
}
MAY_STAY_OPEN = set('li p dt dd option tr td th tbody thead tfoot'.split())
WALLS = set('table td th body'.split())


class Element:
    """An element: its tag, attributes, children (elements and texts) and the record it was written in."""

    def __init__(self, tag, attributes, parent, record):
        self.tag, self.attributes, self.parent, self.record = tag, attributes, parent, record
        self.children = []
        if parent is not None:
            parent.children.append(self)

    def elements(self):
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def walk(self):
        """This element and all below it, in page order."""
        yield self
        for child in self.elements():
            yield from child.walk()

    def unseen(self):
        """Not shown: a script, the head, or hidden by an attribute."""
        style = (self.attributes.get('style') or '').replace(' ', '')
        return self.tag in UNSEEN or 'hidden' in self.attributes or 'display:none' in style

    def xpath(self):
        """The absolute path. Every step except html and body has a number."""
        if self.parent is None or self.tag == 'html':
            return '/html'
        if self.tag in ('body', 'head'):
            return self.parent.xpath() + '/' + self.tag
        same = [child for child in self.parent.elements() if child.tag == self.tag]
        return f'{self.parent.xpath()}/{self.tag}[{same.index(self) + 1}]'

    def text(self):
        """The visible text. Blocks and line breaks separate words."""
        if self.unseen():
            return ''
        parts = [child.text() if isinstance(child, Element) else child for child in self.children]
        space = ' ' if self.tag in BLOCK else ''
        return space + ''.join(parts) + space


class Mark:
    """An open mark and the text seen since."""

    def __init__(self, kind, name, also):
        self.kind, self.name, self.also, self.parts = kind, name, also, []

    def text(self):
        return ' '.join(''.join(self.parts).split())


class Record:
    """What was read from the marks of one record."""

    def __init__(self):
        self.texts = []
        self.found = []         # (kind, attribute, text, also, where): where is '' for text, else the attribute's name
        self.xpaths = []


class Page(HTMLParser):
    """Reads a page. `faults` lists marks that are not properly nested."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element('#document', {}, None, None)
        self.open = [self.root]
        self.marks, self.records, self.faults = [], {}, []
        self.run = []

    # Marks

    def record_index(self):
        for mark in reversed(self.marks):
            if mark.kind == 'R':
                return int(mark.name)
        return None

    def record(self):
        index = self.record_index()
        return None if index is None else self.records.setdefault(index, Record())

    def keep(self, mark, where=''):
        record = self.record()
        if mark.kind == 'R':
            return
        if record is None:
            self.faults.append(f'{mark.name} is marked outside a record')
        else:
            record.found.append((mark.kind, mark.name, mark.text(), mark.also, where))

    def spread(self, text):
        for mark in self.marks:
            mark.parts.append(text)

    def end_run(self):
        """A text node ends here: it goes to its record."""
        for index, text in self.run:
            if text.strip():
                self.records.setdefault(index, Record()).texts.append(' '.join(text.split()))
        self.run = []

    # Parser events

    def handle_starttag(self, tag, attrs):
        self.end_run()
        self.close_implied(tag)
        index = self.record_index()
        element = Element(tag, {}, self.open[-1], index)
        for name, text in attrs:
            element.attributes[name] = self.read_attribute(name, text or '')
        if tag in BLOCK:
            self.spread(' ')
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID and self.open[-1].tag == tag:
            self.open.pop()

    def read_attribute(self, name, text):
        """The attribute's text without marks; the values marked in it are kept."""
        inside, plain = [], []
        for piece in pieces(text):
            if piece[0] == 'text':
                plain.append(piece[1])
                for mark in inside:
                    mark.parts.append(piece[1])
            elif piece[0] == 'open':
                inside.append(Mark(*piece[1:]))
            else:
                self.keep(inside.pop(), name)
        return ''.join(plain)

    def close_implied(self, tag):
        names, walls = IMPLIED.get(tag, (set(), set()))
        if tag in CLOSES_P:
            self.close_to({'p'}, WALLS | {'button', 'caption'})
        if names:
            self.close_to(names, walls)
        if tag == 'tr' and self.open[-1].tag == 'table':
            self.open.append(Element('tbody', {}, self.open[-1], None))

    def close_to(self, names, walls):
        for at in range(len(self.open) - 1, 0, -1):
            tag = self.open[at].tag
            if tag in names:
                del self.open[at:]
                return
            if tag in walls:
                return

    def handle_endtag(self, tag):
        self.end_run()
        for at in range(len(self.open) - 1, 0, -1):
            if self.open[at].tag == tag:
                left = [element.tag for element in self.open[at + 1:] if element.tag not in MAY_STAY_OPEN]
                if left:
                    self.faults.append(f'</{tag}> closes {left}')
                del self.open[at:]
                break
        else:
            self.faults.append(f'</{tag}> without a start')
        if tag in BLOCK:
            self.spread(' ')

    def handle_data(self, data):
        shown = not any(element.unseen() for element in self.open)
        for piece in pieces(data):
            if piece[0] == 'text':
                self.open[-1].children.append(piece[1])
                if not shown:
                    continue
                self.spread(piece[1])
                index = self.record_index()
                if index is None:
                    continue
                if self.run and self.run[-1][0] == index:
                    self.run[-1] = (index, self.run[-1][1] + piece[1])
                else:
                    self.run.append((index, piece[1]))
            elif piece[0] == 'open':
                self.marks.append(Mark(*piece[1:]))
            else:
                self.keep_closed()

    def keep_closed(self):
        if not self.marks:
            self.faults.append('a mark is closed that was not opened')
            return
        mark = self.marks.pop()
        self.keep(mark)

    def finish(self):
        """Ends the page and assigns the elements to their records."""
        self.close()
        self.end_run()
        if self.marks:
            self.faults.append(f'marks left open: {[mark.name for mark in self.marks]}')
        left = [element.tag for element in self.open[1:] if element.tag not in MAY_STAY_OPEN]
        if left:
            self.faults.append(f'left open: {left}')
        for element in self.root.walk():
            if element.record is not None and element.parent.record != element.record:
                self.records.setdefault(element.record, Record()).xpaths.append(element.xpath())
        return self


def read(html):
    """The page of a (marked or plain) HTML text."""
    page = Page()
    page.feed(html)
    return page.finish()
