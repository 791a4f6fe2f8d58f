"""What homes and cars have in common: facts, of which some are left out, and their marked texts.

In: facts by attribute name. Out: methods for templates that return marked HTML, or '' if the fact is missing.
"""
from marks import escape, maybe, value, wide
from words import rows

LETTERS = 'ABDEFGHJLNPQRSTUWXYZ'


class Item:
    """An item on a result page. `facts` maps attributes to texts or numbers; `rng` is the random source of the page."""

    def __init__(self, index, rng, facts):
        self.index, self.rng, self.facts = index, rng, facts

    def has(self, name):
        """Whether the page shows this attribute for this record."""
        return self.facts.get(name) is not None

    def raw(self, name, otherwise=''):
        """The fact unmarked, for file names and links."""
        return self.facts[name] if self.has(name) else otherwise

    def n(self, name, case=str):
        """The value alone: 3, Diesel."""
        return value(name, escape(case(str(self.facts[name])))) if self.has(name) else ''

    def w(self, name, one, many=None, space=' '):
        """The value with its noun or unit: 3 bedrooms, 55.4 mpg."""
        if not self.has(name):
            return ''
        noun = one if str(self.facts[name]) == '1' else one + 's' if many is None else many
        return wide(name, self.n(name) + space + noun)

    def before(self, name, noun):
        """The value after its noun: available from 3 March. Right with and without the noun."""
        return wide(name, f'{noun} {self.n(name)}') if self.has(name) else ''

    def drop(self, rates):
        """Leaves attributes out, each with its probability."""
        for name, rate in sorted(rates.items()):
            if self.rng.random() < rate:
                self.facts[name] = None

    def one_of(self, *choices):
        """A choice that stays the same however often the page asks for other things."""
        return choices[self.index % len(choices)]

    # Links and pictures

    def href(self):
        """The URL of the detail page, marked, for href attributes."""
        return value('url', escape(self.facts['url']))

    def img(self, attributes='', alt=''):
        """The picture, or the site's "no photo" picture if there is none."""
        extra = f' {attributes}' if attributes else ''
        if not self.has('image'):
            return f'<img src="/img/no-photo.png"{extra} alt="">'
        return f'<img src="{value("image", self.facts["image"])}"{extra} alt="{escape(alt)}">'

    def text(self, most=9, end=''):
        """The description: some sentences, sometimes cut, sometimes followed by a link to more."""
        if not self.has('description'):
            return ''
        plain = ' '.join(self.facts['description'][:most])
        if end == '...':
            cut = plain[:max(60, len(plain) * 2 // 3)].rsplit(' ', 1)[0]
            return value('description', escape(cut) + '...', [cut])
        if end:
            return wide('description', value('description', escape(plain)) + ' ' + end)
        return value('description', escape(plain))

    def amount(self, name, number, style='plain'):
        """Money: £350,000 in one of the ways pages write it."""
        digits = f'{number:,}'
        forms = {
            'plain': f'£{digits}',
            'entity': f'&pound;{digits}',
            'split': f'<span>£</span><b>{digits}</b>',
            'sup': f'<sup>&pound;</sup>{digits}',
            'bare': f'£{number}',
            'dot00': f'£{digits}.00',
            'space': f'£ {digits}',
            'nbsp': f'&pound;&nbsp;{digits}',
        }
        return value(name, forms[style], [f'£{digits}', digits])


class Place:
    """A row of the place tables. `kind` is None for an invented place."""

    def __init__(self, name, kind, county, area, near):
        self.name, self.kind, self.county, self.area, self.near = name, kind, county, area, near

    def postcode(self, rng):
        """A postcode of the area that no building has (second half begins with 0)."""
        number = str(rng.randint(1, 19))
        return f'{self.area}{number} 0{rng.choice(LETTERS)}{rng.choice(LETTERS)}'

    def marked(self):
        """The name, marked as town, village or city. For an invented or inner-city place nobody can tell which."""
        if self.kind in ('town', 'village', 'city'):
            return value(self.kind, escape(self.name))
        return maybe('town', maybe('village', maybe('city', escape(self.name))))


def load_places():
    """All places: real ones, then invented ones."""
    real = [Place(*row) for row in rows('places.txt')]
    return real + [Place(name, None, county, area, near) for name, county, area, near in rows('invented.txt')]


PLACES = load_places()
BY_NAME = {place.name: place for place in PLACES}
LONDON = Place('London', 'city', 'Greater London', 'EC', '')


def some_places(rng, count):
    """Places of a few counties, as a search result has them, every third one invented."""
    counties = rng.sample(sorted({place.county for place in PLACES}), 4)
    near = [place for place in PLACES if place.county in counties]
    real = [place for place in near if place.kind] or PLACES
    invented = [place for place in near if not place.kind] or [place for place in PLACES if not place.kind]
    return [rng.choice(invented if rng.random() < .33 else real) for _ in range(count)]


def near_place(place):
    """The town or city that a village or district belongs to, or None."""
    return LONDON if place.near == 'London' else BY_NAME.get(place.near)
