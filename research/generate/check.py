"""Checks a generated corpus: does the gold say what the pages show?

In: a corpus folder. Out: faults(folder) -> list of texts, empty if all is well. It reads the files again from the disk:
every page parses, every text and value of the gold is in the page (visible, or in an attribute where the gold says so),
every XPath leads to its record, no mark is left, and no two templates of a kind have records of the same tags.
"""
import json
import pathlib

from marks import CLOSE, OPEN
from tree import read

IN_ATTRIBUTES = ('url', 'image', 'floor_plan', 'map')
NEEDED = {'real-estate': ('price', 'bedrooms', 'location'),
          'used-cars': ('price', 'make', 'model', 'mileage')}


def squeeze(text):
    """Text without white space, because line breaks in a value do not matter."""
    return ''.join(text.split())


def attributes_text(page):
    """All attribute values of a page, squeezed, with a bar between them."""
    return '|'.join(squeeze(text) for element in page.root.walk() for text in element.attributes.values())


def find(page, xpath):
    """The element at a path as Element.xpath writes it, or None."""
    element = page.root
    for step in xpath.strip('/').split('/'):
        tag, _, number = step.partition('[')
        same = [child for child in element.elements() if child.tag == tag]
        at = int(number.rstrip(']')) - 1 if number else 0
        if at >= len(same):
            return None
        element = same[at]
    return element


def shape(elements):
    """The tag paths in a record's elements, in the order of the first occurrence."""
    paths = {}

    def walk(element, above):
        path = f'{above}/{element.tag}'
        paths[path] = True
        for child in element.elements():
            walk(child, path)
    for element in elements:
        walk(element, '')
    return tuple(paths)


def record_faults(record, page, visible, attributes):
    """What is wrong with one record of the gold."""
    found = []
    for text in record['texts']:
        if squeeze(text) not in visible:
            found.append(f'text is not on the page: {text[:60]!r}')
    for name, text in record['fields'].items():
        hidden = name in record['hidden'] or name in IN_ATTRIBUTES
        if not text or squeeze(text) not in (attributes if hidden else visible):
            found.append(f'{name} is not on the page: {text[:60]!r}')
        if not hidden and squeeze(text) not in squeeze(''.join(record['texts'])):
            found.append(f'{name} is not in the texts of its record: {text[:60]!r}')
    elements = [find(page, xpath) for xpath in record['xpaths']]
    if None in elements or not elements:
        found.append(f'an XPath leads nowhere: {record["xpaths"]}')
    elif record['xpath'] is not None:
        inside = squeeze(elements[0].text())
        lost = [text for text in record['texts'] if squeeze(text) not in inside]
        if lost:
            found.append(f'{record["xpath"]} lacks {lost[0][:60]!r}')
    return found, [element for element in elements if element is not None]


def page_faults(folder, line):
    """(faults, shapes of the records) of one page."""
    html = (folder / f'{line["id"]}.html').read_text(encoding='utf-8')
    answer = json.loads((folder / f'{line["id"]}.json').read_text(encoding='utf-8'))
    page = read(html)
    found = list(page.faults)
    if any('\ue000' <= letter <= '\uf8ff' for letter in html) or OPEN in html or CLOSE in html:
        found.append('a mark is left')
    records = answer['records']
    if not 6 <= len(records) <= 25 or len(records) != line['n_records']:
        found.append(f'{len(records)} records')
    visible, attributes = squeeze(page.root.text()), attributes_text(page)
    paths = {}
    for at, record in enumerate(records):
        wrong, elements = record_faults(record, page, visible, attributes)
        found += [f'record {at}: {text}' for text in wrong]
        paths.update(dict.fromkeys(shape(elements)))
    for name in NEEDED[line['vertical']]:
        holders = sum(1 for record in records if name in record['fields'] or name in record['maybe'])
        if holders * 2 < len(records):
            found.append(f'{name} is in {holders} of {len(records)} records')
    return found, tuple(sorted(paths))


def faults(folder):
    """All faults of a corpus."""
    folder = pathlib.Path(folder)
    index = folder / 'index.jsonl'
    if not index.is_file():
        return [f'{index}: expected a corpus made by generate.py']
    found, shapes = [], {}
    for text in index.read_text(encoding='utf-8').splitlines():
        line = json.loads(text)
        wrong, paths = page_faults(folder, line)
        found += [f'{line["id"]}: {fault}' for fault in wrong]
        other = shapes.setdefault((line['vertical'], paths), line['template'])
        if other != line['template']:
            found.append(f'{line["id"]}: the same tags as {other}')
    return found
