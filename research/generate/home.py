"""Homes: made-up properties for sale or to let, and their marked texts.

In: a random source and options. Out: homes(rng, count, rent, missing) -> list of Home.
"""
import datetime

from accept import road
from item import Item, near_place, some_places
from marks import escape, join, maybe, value, wide
from words import homes as words
from words import listed, prose

STREETS, HOUSES = listed(words.STREETS), listed(words.HOUSE_NAMES)
TYPES = [line.split('|') for line in words.TYPES.splitlines()]
HEADLINES = listed('''A home with far-reaching views; Move straight in; Space for a growing family; Character and charm;
    Moments from the park; Quietly placed near the river; A blank canvas with potential; Light and airy living;
    Sunny garden and garage; In the heart of the old town; Walk to the station; Period features throughout''')


class Home(Item):
    """A property. Its facts are the attributes and: number, qualifier, old, badge, tenure, agent, photos, added."""

    def __init__(self, index, rng, facts, place):
        super().__init__(index, rng, facts)
        self.place = place

    # Price

    def price(self, style='plain', period='pcm'):
        """The price alone (or POA); a rent with its period."""
        if self.facts['poa']:
            return maybe('price', 'POA')
        if self.facts['rent']:
            return wide('price', self.amount('price', self.facts['number'], style) + ' ' + period)
        return self.amount('price', self.facts['number'], style)

    def qualified(self, style='plain', pattern='{} '):
        """The price with "Guide price" or the like before it, where it has one."""
        if self.facts['poa'] or self.facts['rent'] or not self.has('qualifier'):
            return self.price(style)
        return wide('price', pattern.replace('{}', self.facts['qualifier']) + self.price(style))

    def old(self, pattern='<del>{}</del> '):
        """The former price, crossed out: not the price."""
        if self.facts['poa'] or not self.has('old'):
            return ''
        return pattern.replace('{}', f"£{self.facts['old']:,}")

    def weekly(self):
        """A rent per week."""
        return f"£{round(self.facts['number'] * 12 / 52):,} pw"

    # Kind and rooms

    def kind(self, case=str.capitalize):
        """The type of property."""
        return self.n('property_type', case)

    def kind_line(self, sale=True):
        """3 bedroom semi-detached house for sale."""
        beds = self.w('bedrooms', 'bedroom', 'bedroom')
        line = join(' ', beds, self.kind(str if beds else str.capitalize) or 'property')
        status = 'to rent' if self.facts['rent'] else 'for sale'
        return line + (' ' + maybe('property_status', status) if sale else '')

    def rooms(self, between, style='long'):
        """The room counts in one line."""
        nouns = {'long': ('bedroom', 'bathroom', 'reception'), 'short': ('bed', 'bath', 'recep')}[style]
        names = ('bedrooms', 'bathrooms', 'receptions')
        return join(between, *[self.w(name, noun) for name, noun in zip(names, nouns)])

    def status(self):
        """Under offer, To let."""
        return self.n('property_status')

    # Place

    def parts(self, *wanted):
        """(name, text, marked) of the address parts that are wanted and known."""
        place, near = self.place, near_place(self.place)
        known = {
            'street': ('street_address', self.facts.get('street_address')),
            'county': ('county', place.county if place.county not in ('Greater London', place.name) else None),
            'postcode': ('postcode', self.facts.get('postcode')),
            'outward': ('postcode', self.facts['postcode'].split()[0] if self.has('postcode') else None),
        }
        found = []
        for name in wanted:
            if name == 'place':
                found.append(('place', place.name, place.marked()))
            elif name == 'near':
                if near is not None:
                    found.append(('near', near.name, near.marked()))
            elif known[name][1]:
                attribute, text = known[name]
                found.append((name, text, value(attribute, escape(text))))
        return found

    def address(self, *wanted, between=', ', last=' '):
        """The location in one text: address('street', 'place', 'county', 'postcode')."""
        parts = self.parts(*wanted)
        marked = ''
        for at, (name, _, html) in enumerate(parts):
            marked += ('' if at == 0 else last if name in ('postcode', 'outward') else between) + html
        return value('location', marked, self.spans(parts))

    def spans(self, parts):
        """Every run of address parts that contains the place itself."""
        names = [name for name, _, _ in parts]
        at = names.index('place')
        found = []
        for start in range(at + 1):
            for end in range(at + 1, len(parts) + 1):
                texts = [text for _, text, _ in parts[start:end]]
                found.append(', '.join(texts))
                if names[start] == 'street':
                    found.append(', '.join([road(texts[0]), *texts[1:]]))
                if names[end - 1] in ('postcode', 'outward'):
                    found += [head + ' ' + texts[-1] for head in (', '.join(texts[:-1]), ', '.join([road(texts[0]), *texts[1:-1]]))]
        return list(dict.fromkeys(found))

    def street(self):
        """The street, alone in its element."""
        return self.n('street_address')

    def settlement(self):
        """The place alone. If the street is elsewhere in the record, both together are right too."""
        return value('location', self.place.marked(), self.spans(self.parts('street', 'place', 'county', 'postcode')))

    def county(self):
        """The county, alone in its element."""
        return join('', *[html for _, _, html in self.parts('county')])

    def postcode(self, part='postcode'):
        """The postcode, or its first half ('outward')."""
        return join('', *[html for _, _, html in self.parts(part)])

    def branch(self, between=', '):
        """The agent and the town of its office."""
        if not self.has('branch_location'):
            return ''
        office = value('branch_location', escape(self.facts['branch_location']))
        return wide('branch_location', escape(self.facts['agent']) + between + office)

    def floor_plan(self, text='Floor plan'):
        """A link to the floor plan."""
        if not self.has('floor_plan'):
            return ''
        return f'<a href="{value("floor_plan", self.facts["floor_plan"], [text])}">{text}</a>'

    def map(self, text='Map'):
        """A link to a map."""
        latitude, longitude = self.facts['map']
        spot = maybe('map', f'{latitude}&amp;lng={longitude}')
        return f'<a href="{maybe("map", f"/map?lat={spot}")}">{maybe("map", text)}</a>'

    # Texts

    def headline(self):
        """A seller's phrase as the title."""
        return value('title', HEADLINES[(self.index * 5 + len(self.place.name)) % len(HEADLINES)])

    def titled(self, html):
        """Any of the above as the record's title."""
        return value('title', html)

    def features(self, count=3):
        """Bullet points that are not attributes."""
        return self.facts['features'][:count]

    def story(self):
        """A description with the facts in its sentences and numbers as words."""
        words_ = 'no one two three four five six seven'.split()

        def spelled(name, noun, many=None):
            if not self.has(name):
                return ''
            count = self.facts[name]
            return wide(name, value(name, words_[count]) + ' ' + (noun if count == 1 else many or noun + 's'))

        kind = self.kind(str)
        first = f'A {spelled("bedrooms", "bedroom", "bedroom")} {kind}' if kind and self.has('bedrooms') else (
            f'This {kind}' if kind else 'A property')
        rooms = join(' and ', spelled('receptions', 'reception room'), spelled('bathrooms', 'bathroom'))
        sentences = [f'{first} in {self.address("place", "near", "county")}{" with " + rooms if rooms else ""}.',
                     *map(escape, self.facts['sentences'][:2])]
        return value('description', ' '.join(sentences))


def make(rng, index, place, rent):
    """One property with all its facts."""
    row = rng.choices(TYPES, weights=[int(row[1]) for row in TYPES])[0]
    kind, beds, base = row[0], rng.randint(int(row[2]), int(row[3])), int(row[4])
    worth = base * rng.uniform(.7, 1.5) * (1 + .16 * (beds - 2))
    if rent:
        number = int(worth * 3.1 / 25) * 25 or 495
    else:
        number = int(worth / 5) * 5000 + rng.choice([0, 0, 0, -50, -5, 950])
    near = near_place(place) or place
    house = rng.choice(HOUSES) + ', ' if rng.random() < .06 else f'{rng.randint(1, 140)} ' if rng.random() < .3 else ''
    sentences = rng.sample(prose.HOME.splitlines(), 4)
    description = sentences[:rng.randint(1, 3)]
    if rng.random() < .3:
        description.append(rng.choice(prose.HOME_NUMBERS.splitlines()))
    day = datetime.date(2024, 3, 1) + datetime.timedelta(days=rng.randint(0, 120))
    number_id = rng.randint(10000, 989999)
    return Home(index, rng, {
        'number': number, 'rent': rent, 'poa': False,
        'old': int(number * rng.uniform(1.03, 1.12) / 5) * 5 if rng.random() < .25 else None,
        'qualifier': rng.choice(listed(words.QUALIFIERS)) if rng.random() < .4 else None,
        'bedrooms': beds, 'bathrooms': rng.randint(1, max(1, beds - 1)), 'receptions': rng.randint(1, 3),
        'property_type': kind, 'tenure': rng.choice(listed(words.TENURES)),
        'property_status': rng.choice(listed(words.STATUS_RENT if rent else words.STATUS_SALE)),
        'badge': rng.choice(listed(words.BADGES)) if rng.random() < .3 else None,
        'street_address': house + rng.choice(STREETS), 'postcode': place.postcode(rng),
        'furnishing': rng.choice(listed(words.FURNISHING)),
        'availability_date': f'{day.day} {day:%B %Y}', 'added': f'{day.day:02}/{day.month:02}/{day.year}',
        'surface': f'{rng.randint(9, 26) * 50:,} sq ft', 'agent': rng.choice(listed(words.AGENTS)),
        'branch_location': near.name, 'features': rng.sample(listed(words.FEATURES), 4),
        'description': description, 'sentences': sentences, 'photos': rng.randint(3, 24),
        'floor_plan': f'/property/{number_id}/plan.pdf' if rng.random() < .6 else None,
        'map': (f'{51 + rng.random():.4f}', f'{-rng.random() * 2:.4f}'),
        'image': f'/photos/{number_id}/main.jpg', 'url': f'/property/{number_id}', 'id': number_id,
    }, place)


def homes(rng, count, rent=False, missing=None, poa=0.0):
    """A page of properties. `missing` gives the rates at which attributes are left out, `poa` those without a price."""
    found = []
    for index, place in enumerate(some_places(rng, count)):
        home = make(rng, index, place, rent)
        home.drop(missing or {})
        home.facts['poa'] = index > 0 and rng.random() < poa
        found.append(home)
    return found
