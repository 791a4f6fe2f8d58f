"""Cars: made-up used cars, and their marked texts.

In: a random source and options. Out: cars(rng, count, missing) -> list of Car.
"""
from item import LETTERS, Item, near_place, some_places
from marks import escape, join, maybe, value, wide
from words import cars as words
from words import listed, prose, rows

MODELS = rows('cars.txt')
LATEST = 2018


class Car(Item):
    """A car. Its facts are the attributes and: number, old, badge, trim, dealer, monthly, photos, phone."""

    def __init__(self, index, rng, facts, place):
        super().__init__(index, rng, facts)
        self.place = place

    # Price

    def price(self, style='plain'):
        """The price alone (or POA)."""
        return maybe('price', 'POA') if self.facts['poa'] else self.amount('price', self.facts['number'], style)

    def old(self, pattern='<del>{}</del> '):
        """The former price, crossed out: not the price."""
        if self.facts['poa'] or not self.has('old'):
            return ''
        return pattern.replace('{}', f"£{self.facts['old']:,}")

    def monthly(self):
        """The monthly rate of a loan: not the price."""
        return f"£{self.facts['monthly']}"

    # What it is

    def make_model(self):
        """Ford Focus."""
        return f"{self.n('make')} {value('model', escape(self.facts['model']), [self.facts['model'] + ' ' + self.facts['trim']])}"

    def trim(self):
        """Zetec: not an attribute."""
        return '' if self.facts['trim'] == '.' else escape(self.facts['trim'])

    def badge(self):
        """TDCi or 320d, where the engine has one."""
        return '' if self.facts['engine_badge'] == '.' else escape(self.facts['engine_badge'])

    def litres(self, unit=''):
        """1.6, with or without a unit after it."""
        if not self.has('engine_size'):
            return ''
        return maybe('engine', wide('engine_size', self.n('engine_size') + unit)) if unit else self.n('engine_size')

    def engine(self):
        """1.6 TDCi, marked as the engine and its size."""
        text = join(' ', self.litres(), self.badge())
        return value('engine', text) if self.litres() and self.badge() else text

    def cc(self):
        """The size in cubic centimetres."""
        if not self.has('engine_size'):
            return ''
        plain = self.facts['engine_size']
        exact = int(float(plain) * 1000) - 2 - self.index % 3
        shown = value('engine_size', f'{exact:,}', [str(exact), f'{exact}cc', plain])
        return maybe('engine', wide('engine_size', shown + ' cc'))

    def name(self, style='full'):
        """The title: full 'Ford Focus 1.6 TDCi Zetec 5dr', short 'Ford Focus', year 'first the year', caps."""
        doors = self.w('doors', 'dr', 'dr', space='')
        trim = self.trim()
        lines = {
            'short': self.make_model(),
            'trim': join(' ', self.make_model(), trim),
            'full': join(' ', self.make_model(), maybe('engine', join(' ', self.litres(), self.badge())), trim, doors),
            'year': join(' ', self.n('age'), self.make_model(), self.litres(), trim),
            'caps': join(' ', self.n('make', str.upper), self.n('model', str.upper), self.litres(), trim.upper()),
            'comma': join(', ', self.make_model(), join(' ', self.litres('L'), trim), self.n('body_type')),
        }
        return value('title', lines[style])

    def year(self, plate=False):
        """2015, or 2015 (65)."""
        if not self.has('age'):
            return ''
        reg = maybe('registration', self.facts['plate'])
        return wide('age', f"{self.n('age')} ({reg})") if plate else self.n('age')

    def plate(self, noun='plate'):
        """65 plate: the registration as far as most adverts give it."""
        return wide('registration', value('registration', self.facts['plate']) + ' ' + noun)

    def miles(self, unit=' miles'):
        """41,250 miles: the unit belongs to the value if it is in the same text."""
        if not self.has('mileage'):
            return ''
        digits = f"{self.facts['mileage']:,}"
        return value('mileage', digits + unit, [digits, digits + ' miles', str(self.facts['mileage'])])

    def gears(self, style='plain'):
        """Manual, or 5 speed manual."""
        if not self.has('transmission'):
            return ''
        plain = self.n('transmission')
        return wide('transmission', f"{self.facts['gears']} speed {plain}") if style == 'speed' else plain

    def tax(self, pattern='{} a year'):
        """The road tax."""
        if not self.has('road_tax'):
            return ''
        return wide('road_tax', pattern.replace('{}', self.amount('road_tax', self.facts['road_tax'])))

    # Where it is

    def town(self):
        """The place alone."""
        return self.place.marked()

    def seat(self, *wanted):
        """The seller's place: seat('place', 'county', 'postcode')."""
        near = near_place(self.place)
        found = []
        for name in wanted:
            if name == 'place':
                found.append(self.place.marked())
            elif name == 'near' and near is not None:
                found.append(near.marked())
            elif name == 'county' and self.place.county != 'Greater London':
                found.append(value('county', self.place.county))
            elif name == 'postcode' and self.has('postcode'):
                found.append(self.n('postcode'))
        return join(', ', *found)

    def dealer(self):
        """The seller's name: not an attribute."""
        return escape(self.facts['dealer'])

    def specs(self, between, *names):
        """A run of attributes: specs(' | ', 'age', 'miles', 'fuel_type')."""
        made = {'age': self.year, 'miles': self.miles, 'gears': self.gears, 'plate': self.plate,
                'litres': lambda: self.litres('L'), 'doors': lambda: self.w('doors', 'door'),
                'power': lambda: self.w('power', 'bhp', 'bhp', space=''), 'mpg': lambda: self.w('mpg', 'mpg', 'mpg')}
        return join(between, *[made[name]() if name in made else self.n(name) for name in names])

    def story(self, price=True):
        """A private advert: everything in one text."""
        first = join(' ', self.make_model(), self.litres(), self.trim())
        facts = join(', ', self.plate('plate'), self.n('colour', str.lower), self.n('fuel_type', str.lower),
                     self.miles(), self.w('owners', 'owner'))
        text = f"{maybe('title', first)}, {facts}. {escape(self.facts['sentences'][0])}" + (f' {self.price()} ono.' if price else '')
        return maybe('description', text)

    def features(self, count=3):
        """Equipment: not an attribute."""
        return self.facts['features'][:count]


def make(rng, index, place):
    """One car with all its facts."""
    make_, model, bodies, engines, trims, new, seats = rng.choice(MODELS)
    body = rng.choice(bodies.split(','))
    # The badge may have a space in it: what is between the size and the last five words.
    size, *badge, fuel, bhp, co2, mpg, tax = rng.choice(engines.split(';')).split()
    year = rng.randint(2007, LATEST)
    half = rng.random() < .5
    plate = f'{year % 100 + (50 if half else 0):02}'
    age = LATEST + 1 - year
    number = max(795, int(float(new) * 1000 * .86 ** age * rng.uniform(.85, 1.1) / 100) * 100 - 5)
    mileage = max(900, int(age * rng.uniform(5000, 11500)) + rng.randint(0, 999))
    if rng.random() < .25:
        mileage = round(mileage, -3) or 1000
    doors = {'hatchback': rng.choice([3, 5, 5]), 'coupe': 3, 'saloon': 4, 'convertible': 2}.get(body, 5)
    letters = ''.join(rng.choice(LETTERS) for _ in range(5))
    sentences = rng.sample(prose.CAR.splitlines(), 4)
    description = sentences[:rng.randint(1, 3)]
    if rng.random() < .3:
        description.append(rng.choice(prose.CAR_NUMBERS.splitlines()))
    number_id = rng.randint(100000, 9899999)
    return Car(index, rng, {
        'number': number, 'poa': False, 'monthly': max(59, number // 52),
        'old': number + rng.choice([200, 300, 500, 750, 1000]) if rng.random() < .25 else None,
        'badge': rng.choice(listed(words.BADGES)) if rng.random() < .3 else None,
        'make': make_, 'model': model, 'trim': rng.choice(trims.split(',')), 'body_type': body.capitalize()
        if body.islower() else body, 'engine_badge': ' '.join(badge), 'engine_size': None if size == '.' else size,
        'fuel_type': fuel, 'power': bhp, 'emissions': co2, 'mpg': None if mpg == '.' else mpg, 'road_tax': int(tax),
        'age': year, 'plate': plate, 'registration': f'{letters[:2]}{plate} {letters[2:]}', 'mileage': mileage,
        'gears': rng.choice([5, 6]), 'transmission': rng.choice(['Manual', 'Manual', 'Automatic']),
        'doors': doors, 'seats': seats, 'owners': rng.randint(1, 4), 'colour': rng.choice(listed(words.COLOURS)),
        'postcode': place.postcode(rng), 'dealer': rng.choice(listed(words.DEALERS)),
        'features': rng.sample(listed(words.FEATURES), 4), 'description': description, 'sentences': sentences,
        'photos': rng.randint(2, 30), 'phone': f'01632 960{rng.randint(0, 999):03}',
        'image': f'/stock/{number_id}_1.jpg', 'url': f'/used-cars/{number_id}', 'id': number_id,
    }, place)


def cars(rng, count, missing=None, poa=0.0):
    """A page of cars. `missing` gives the rates at which attributes are left out, `poa` those without a price."""
    found = []
    for index, place in enumerate(some_places(rng, count)):
        car = make(rng, index, place)
        car.drop(missing or {})
        car.facts['poa'] = index > 0 and rng.random() < poa
        found.append(car)
    return found
