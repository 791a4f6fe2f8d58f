"""Marks that templates put around the values they write, so that the gold is read from the page itself.

In: HTML text. Out: the same text between private characters, which tree.py reads and removes.

    record(4, html)                 the record number 4, or one of its parts
    value('bedrooms', '3')          a value of the record around it, in text or in an attribute (alt, title, src, href)
    wide('bedrooms', value(..) + ' bedrooms')   a longer text that is right for the attribute too
    maybe('title', html)            right if found, not wrong if missing

Every function returns '' for None or '', so templates need not test for absent values.
"""
import html as html_library
import re

OPEN, HEAD, CLOSE, NEXT = '\ue000', '\ue001', '\ue002', '\ue003'
MARK = re.compile(f'{OPEN}([^{HEAD}]*){HEAD}|({CLOSE})')


def escape(text):
    """Text for use in HTML, in an element or a quoted attribute."""
    return html_library.escape(str(text), quote=True)


def mark(kind, name, html, also=()):
    """HTML between an opening and a closing mark."""
    if html is None or html == '':
        return ''
    head = NEXT.join([kind + str(name), *map(escape, also)])
    return f'{OPEN}{head}{HEAD}{html}{CLOSE}'


def record(index, html):
    """A record or a part of it."""
    return mark('R', index, html)


def value(name, html, also=()):
    """The value of an attribute; `also` lists other spellings that are right."""
    return mark('V', name, html, also)


def wide(name, html):
    """A longer text around a value that is right too (a unit, a noun, a qualifier)."""
    return mark('W', name, html)


def maybe(name, html):
    """A value that is not wrong if it is missing."""
    return mark('M', name, html)


def strip(html):
    """The page as it is written: without marks."""
    return MARK.sub('', html)


def pieces(text):
    """('text', string), ('open', kind, name, also) and ('close',) in the order of a marked text."""
    at = 0
    for found in MARK.finditer(text):
        if found.start() > at:
            yield ('text', text[at:found.start()])
        if found.group(2):
            yield ('close',)
        else:
            name, *also = found.group(1).split(NEXT)
            yield ('open', name[0], name[1:], also)
        at = found.end()
    if at < len(text):
        yield ('text', text[at:])


def some(pattern, html):
    """The pattern with its {} filled, or nothing if there is nothing to fill in."""
    return pattern.replace('{}', html) if html else ''


def join(between, *parts):
    """Joins the parts that are not empty with a text between them."""
    return between.join(part for part in parts if part)
