#!/usr/bin/env python3
"""Generates detail pages of homes and cars in many templates, with the element that contains the object's data.

In: a seed. Out: OUT/<kind>-<template>/<n>.html and areas.json (file to XPath). A template is a choice of frame, order,
form of the facts and surroundings. The area is the lowest element around headline, price, facts and description. It is
known from how the page is built, and written to areas.json only. The same seed gives the same bytes. Uses only the
standard library and shares nothing with copal.

    python3 details.py OUT --seed 1 --pages 5
"""
import argparse
import json
import pathlib
import random
from html import escape

from words import prose

TEMPLATES = 24
VOID = {'img', 'br', 'input', 'link', 'meta'}
STREETS = 'Mill Lane,Corn Street,Station Road,Church Hill,Park Avenue,Castle Street,Abbey Close,Orchard Way,Bridge Road'.split(',')
TOWNS = 'Witney,Ludlow,Malton,Frome,Hexham,Oakham,Diss,Tavistock,Kelso,Brecon'.split(',')
MAKES = 'Ford Focus,Volvo V60,Skoda Fabia,Kia Ceed,Mazda 3,Toyota Yaris,Seat Leon,Fiat Panda,Honda Jazz'.split(',')
FUELS, COLOURS = ['Petrol', 'Diesel', 'Hybrid'], ['Red', 'Blue', 'Silver', 'Black', 'White', 'Green']


class E:
    """An element; children are elements and texts."""

    def __init__(self, tag, *children, **attributes):
        self.tag, self.children, self.attributes, self.parent = tag, [], attributes, None
        self.add(*children)

    def add(self, *children):
        for child in children:
            if child is None:
                continue
            if isinstance(child, E):
                child.parent = self
            self.children.append(child)
        return self

    def html(self):
        names = ''.join(f' {name.strip("_").replace("_", "-")}="{escape(value)}"' for name, value in self.attributes.items())
        if self.tag in VOID:
            return f'<{self.tag}{names}>'
        inside = ''.join(child.html() if isinstance(child, E) else escape(child, quote=False) for child in self.children)
        return f'<{self.tag}{names}>{inside}</{self.tag}>\n'

    def path(self):
        """The elements from the root to this one."""
        return [*(self.parent.path() if self.parent else []), self]

    def xpath(self):
        steps = []
        for element in self.path():
            same = [x for x in element.parent.children if isinstance(x, E) and x.tag == element.tag] if element.parent else [element]
            number = '' if element.tag in ('html', 'body') else f'[{same.index(element) + 1}]'
            steps.append(element.tag + number)
        return '/' + '/'.join(steps)


def lowest(elements):
    """The lowest common ancestor of these elements."""
    common = elements[0].path()
    for element in elements[1:]:
        path = element.path()
        common = [a for a, b in zip(common, path) if a is b]
    return common[-1]


def home(rng):
    number, street, town = rng.randint(1, 99), rng.choice(STREETS), rng.choice(TOWNS)
    beds, kind = rng.randint(1, 6), rng.choice(['house', 'flat', 'cottage', 'bungalow'])
    facts = [('Bedrooms', str(beds)), ('Bathrooms', str(rng.randint(1, 3))), ('Property type', kind.title()),
             ('Tenure', rng.choice(['Freehold', 'Leasehold'])), ('Council tax band', rng.choice('ABCDEFG')),
             ('Floor area', f'{rng.randint(40, 240)} sq m'), ('Reference', f'{rng.choice("AHKW")}{rng.randint(1000, 9999)}')]
    text = ' '.join(rng.sample(prose.HOME.splitlines(), 3))
    return {'title': f'{number} {street}, {town}', 'price': f'£{rng.randint(120, 900)},{rng.choice(["000", "500", "950"])}',
            'facts': facts, 'text': text, 'short': f'{beds} bedroom {kind}', 'place': town,
            'points': rng.sample(['Large garden', 'Two cellars', 'Near the station', 'Corner plot', 'New boiler', 'Sea view', 'Garage'], 4)}


def car(rng):
    make, year = rng.choice(MAKES), rng.randint(2009, 2024)
    facts = [('Mileage', f'{rng.randint(4, 130)},{rng.randint(100, 999)} miles'), ('Fuel type', rng.choice(FUELS)),
             ('Gearbox', rng.choice(['Manual', 'Automatic'])), ('Colour', rng.choice(COLOURS)), ('Year', str(year)),
             ('Engine size', f'{rng.choice(["1.0", "1.2", "1.6", "2.0"])} litres'), ('Stock number', f'{rng.randint(10000, 99999)}')]
    text = ' '.join(rng.sample(prose.CAR.splitlines(), 3))
    return {'title': f'{year} {make} {rng.choice(["SE", "Zetec", "Sport", "Life", "Style"])}', 'price': f'£{rng.randint(2, 38)},{rng.randint(100, 999)}',
            'facts': facts, 'text': text, 'short': f'{facts[1][1]}, {facts[2][1]}', 'place': make.split()[0],
            'points': rng.sample(['One owner', 'New tyres', 'Tow bar', 'Heated seats', 'Sunroof', 'Two keys', 'Roof bars'], 4)}


def facts_of(style, facts):
    """Labels and values in one of six forms."""
    if style == 0:
        return E('table', E('tbody', *[E('tr', E('th', a), E('td', b)) for a, b in facts]))
    if style == 1:
        return E('dl', *[x for a, b in facts for x in (E('dt', a), E('dd', b))])
    if style == 2:
        return E('ul', *[E('li', f'{a}: {b}') for a, b in facts], class_='facts')
    if style == 3:
        return E('div', *[E('div', E('span', a, class_='label'), E('span', b, class_='value'), class_='row') for a, b in facts], class_='spec')
    if style == 4:
        return E('ul', *[E('li', E('strong', a), ' ', E('span', b)) for a, b in facts])
    return E('section', E('h3', 'Details'), *[E('p', E('b', f'{a}:'), f' {b}') for a, b in facts])


def card(kind, other, n):
    return E('li', E('a', E('img', src=f'/img/{n}.jpg', alt=''), E('h4', other['title']), href=f'/{kind}/{n}'),
             E('p', other['price']), E('p', other['short']))


def similar(kind, template, rng, make):
    title = ['Similar ones', 'You may also like', 'Handpicked for you', None, 'Other visitors looked at', 'Why not try', 'Recently viewed'][template % 7]
    cards = [card(kind, make(rng), rng.randint(100, 999)) for _ in range(rng.randint(2, 5))]
    head = E(['h2', 'h3'][template % 2], title) if title else None
    return E(['section', 'div', 'aside'][template % 3], head, E('ul', *cards))


def agent(kind, template, rng):
    who = 'Harbour & Vale' if kind == 'home' else 'Northgate Motors'
    # in every third template the contact person differs from page to page
    person = rng.choice(['Ada Holm', 'Ifan Prys', 'Mara Bell', 'Tom Verhoef', 'Jo Quill']) if template % 3 == 2 else 'Ada Holm'
    box = E('div', E('h3', f'Contact {who}'), E('p', person), E('p', '3 Quay Street, Norland NL1 4AB'), E('p', '01632 960 123'),
            E('a', 'Request a viewing', href='/contact'))
    return E('aside', box) if template % 2 else E('div', box, class_='agent')


def header(template, kind, rng):
    links = [E('a', word, href=f'/{word.lower()}') for word in (['Buy', 'Rent', 'Sell', 'Contact'] if kind == 'home' else ['Cars', 'Vans', 'Finance', 'Contact'])]
    style = template % 4
    if style == 0:
        return E('header', E('a', 'Home', href='/'), E('nav', *links))
    if style == 1:
        return E('div', E('a', 'Start', href='/'), E('ul', *[E('li', link) for link in links], class_='menu'), id='header')
    if style == 2:
        seen = E('div', f'{rng.randint(2, 900)} people are looking now')
        return E('div', E('div', 'Call us on 01632 960 123'), seen, E('div', *links, class_='menu'), class_='topbar')
    return E('header', E('nav', E('ul', *[E('li', link) for link in links])))


def footer(template, kind, rng):
    text = E('p', 'Copyright. All rights reserved. Prices and details may change without notice.')
    links = E('ul', *[E('li', E('a', word, href='/' + word.split()[0].lower())) for word in ['About us', 'Privacy', 'Cookies', 'Terms of use', 'Site map']])
    made = E('p', f'Page made in 0.{rng.randint(10, 99)} s') if template % 5 == 4 else None
    return E('footer', links, text, made) if template % 3 else E('div', links, text, made, id='footer')


def crumbs(template, kind, item):
    names = ['Home', 'For sale', item['place']] if kind == 'home' else ['Home', 'Used cars', item['place']]
    links = [E('a', name, href='/' + name.lower()) for name in names]
    if template % 5 == 3:
        return E('div', *[part for link in links for part in (link, ' / ')], item['title'])
    return E('nav', *[E('span', link, ' > ') for link in links]) if template % 2 else E('ol', *[E('li', link) for link in links], class_='breadcrumb')


def make_page(kind, template, rng, number):
    """(HTML, XPath of the area)."""
    make = home if kind == 'home' else car
    item = make(rng)
    headline = E('h1', item['title'])
    price = E(['p', 'div', 'strong'][template % 3], item['price'], class_=['price', 'amount', 'cost'][template % 3])
    photos = E('div', *[E('img', src=f'/photos/{number}-{n}.jpg', alt='Photo', width='320') for n in range(3)], class_='gallery')
    facts = facts_of(template % 6, item['facts'])
    about = E('div', E('h2', ['Description', 'About', 'Overview'][template % 3]), E('p', item['text']))
    own = [headline, price, facts, about]
    frame = template // 3 % 8
    others, contact, bread = similar(kind, template, rng, make), agent(kind, template, rng), crumbs(template, kind, item)
    if frame == 0:
        inside = E('main', bread, E('article', headline, price, photos, facts, about), others)
        body = [header(template, kind, rng), inside, footer(template, kind, rng)]
    elif frame == 1:
        inside = E('div', E('div', headline, price, photos, facts, about, class_='left'), E('div', contact, class_='right'), class_='columns')
        body = [header(template, kind, rng), bread, inside, others, footer(template, kind, rng)]
    elif frame == 2:
        inside = E('div', E('div', headline, price, class_='head'), E('div', photos, E('div', facts, about), class_='body'), class_='object')
        body = [header(template, kind, rng), E('div', bread, inside, contact, class_='page'), others, footer(template, kind, rng)]
    elif frame == 3:
        inside = E('section', E('div', headline, photos), E('div', E('div', price, facts), E('div', about)))
        body = [header(template, kind, rng), E('main', inside, contact, others), footer(template, kind, rng)]
    elif frame == 4:
        inside = E('table', E('tbody', E('tr', E('td', headline, price, photos)), E('tr', E('td', facts, about))))
        body = [header(template, kind, rng), E('div', bread, inside), contact, others, footer(template, kind, rng)]
    elif frame == 6:
        inside = E('div', bread, E('article', headline, photos, facts, about), E('div', price, E('button', 'Ask for a call')), class_='sheet')
        body = [header(template, kind, rng), inside, contact, others, footer(template, kind, rng)]
    elif frame == 7:
        points = E('ul', *[E('li', point) for point in item['points']])
        extra = E('div', E('h2', 'Key features'), points)
        own.append(extra)
        inside = E('main', E('div', headline, price, facts, about), extra, others)
        body = [header(template, kind, rng), bread, inside, contact, footer(template, kind, rng)]
    else:
        inside = E('main', bread, headline, E('div', photos, E('div', price, facts)), about, contact)
        body = [header(template, kind, rng), inside, others, footer(template, kind, rng)]
    if template % 4 == 3:
        body = [E('div', *body, id='wrapper')]
    title = f'{item["title"]} - ' + ('Harbour & Vale' if kind == 'home' else 'Northgate Motors')
    page = E('html', E('head', E('meta', charset='utf-8'), E('title', title)), E('body', *body), lang='en')
    return '<!doctype html>\n' + page.html(), lowest(own).xpath()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--seed', default='1')
    parser.add_argument('--pages', type=int, default=5)
    args = parser.parse_args()
    areas = {}
    for kind in ('home', 'car'):
        for template in range(TEMPLATES):
            folder = args.out / f'{kind}-{template:02}'
            folder.mkdir(parents=True, exist_ok=True)
            for number in range(1, args.pages + 1):
                html, area = make_page(kind, template, random.Random(f'{args.seed} {kind} {template} {number}'), number)
                (folder / f'{number}.html').write_text(html, encoding='utf-8', newline='\n')
                areas[f'{folder.name}/{number}.html'] = area
    (args.out / 'areas.json').write_text(json.dumps(areas, indent=1) + '\n', encoding='utf-8', newline='\n')


if __name__ == '__main__':
    main()
