"""A site: its name, menus, words and the small things around a list.

In: the kind of site ('real-estate' or 'used-cars') and two random sources, one fixed for the template and one for the
page. Out: an object with texts for the page frame (frame.py, side.py) and for templates.
"""
from marks import escape
from words import listed, prose

NAMES = {
    'real-estate': listed('''Hearthstone Homes; Larkfield Property; Keystone & Vale; Doorway; HomeQuarter; Threshold;
        Vale and Harbour; Roofline; Number Nine; Countywide Keys; Lettings Loft; Garden Gate; Chimney Pots;
        Brick & Beam; Porchlight; Maple & Moss; Firstmove; Latchkey'''),
    'used-cars': listed('''Motorpond; Cartrail; Second Gear; Drivewell; Forecourt Finder; Wheelhouse; Autoharbour;
        Milestone Cars; Clutch & Co; Roadready; Piston Lane; Bonnet; Lanes of Cars; Tickover; Parkside Autos; Carlot;
        Overdrive; Dipstick'''),
}
MENUS = {
    'real-estate': listed('''Home; Buy; Rent; Sell; Let; Valuations; New homes; Our branches; About us; Contact; News;
        Mortgages; Conveyancing; Landlords; Register; My account; Sold prices; Overseas; Commercial; Auctions'''),
    'used-cars': listed('''Home; Used cars; New cars; Vans; Sell your car; Part exchange; Finance; Warranty; Reviews;
        Dealers; About us; Contact; News; Insurance; Servicing; My garage; Saved searches; Electric; Offers; Bikes'''),
}
SEARCH_TITLES = {
    'real-estate': listed('''Property for sale; Search results; Houses and flats; Our properties; Homes in your area;
        Available properties; Property search'''),
    'used-cars': listed('''Used cars for sale; Search results; Our current stock; Cars near you; Vehicles in stock;
        Used car search; Results'''),
}
ADVERTS = {
    'real-estate': listed('''Need a mortgage? Compare 4,000 deals today; Moving soon? Removal quotes from £199;
        What is your home worth? Free valuation; Home insurance from £8.50 a month;
        Sell with us for a fixed fee of £995'''),
    'used-cars': listed('''Car insurance from £21 a month; Check its history for £9.99; We buy any car: get your offer;
        Breakdown cover from £4 a month; Finance decision in 2 minutes'''),
}
SMALL = listed('Privacy; Cookies; Terms of use; Accessibility; Site map; Complaints; Careers; Modern slavery statement')


class Site:
    """The name and texts of a site. `taste` is the random source of its template, `rng` that of one page."""

    def __init__(self, kind, number, taste, rng, items, old=False):
        self.kind, self.taste, self.rng, self.items, self.old = kind, taste, rng, items, old
        self.name = taste.choice(NAMES[kind])
        self.host = ''.join(c for c in self.name.lower() if c.isalnum()) + f'{number:02}.example'
        self.title = taste.choice(SEARCH_TITLES[kind])
        self.total = rng.randint(3, 40) * 10 + rng.randint(0, 9)
        self.noun = 'properties' if kind == 'real-estate' else 'cars'
        self.hash_seed = taste.randint(0, 10 ** 6)
        menu = taste.sample(MENUS[kind][1:], taste.randint(4, 9))
        self.menu = [MENUS[kind][0], *menu]

    def link(self, text, extra=''):
        """A link of the site to a page named after its text."""
        slug = '-'.join(''.join(c if c.isalnum() else ' ' for c in text.lower()).split())
        return f'<a href="/{slug}"{extra}>{escape(text)}</a>'

    def advert(self, at=0):
        """An advertisement's text."""
        adverts = ADVERTS[self.kind]
        return escape(adverts[(self.hash_seed + at) % len(adverts)])

    def news(self):
        """Headlines of the site's magazine."""
        return (prose.HOME_NEWS if self.kind == 'real-estate' else prose.CAR_NEWS).splitlines()

    def cls(self, name):
        """A class name as a CSS compiler generates it. Equal names give equal class names."""
        number = self.hash_seed
        for letter in name:
            number = (number * 131 + ord(letter)) % 2 ** 31
        letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
        text = ''
        for _ in range(6):
            number, digit = divmod(number, len(letters))
            text += letters[digit]
        return ('sc-' if self.hash_seed % 2 else 'css-') + text

    def price_steps(self):
        """Price ranges for filters."""
        if self.kind == 'used-cars':
            steps = [1000, 2500, 5000, 7500, 10000, 15000]
        elif self.items[0].facts['rent']:
            steps = [400, 600, 800, 1000, 1250, 1500]
        else:
            steps = [100000, 150000, 200000, 250000, 350000, 500000]
        return steps

    def places(self):
        """Places near those of the page, for filters and menus."""
        return list(dict.fromkeys(item.place.name for item in self.items))[:6]

    def other(self, count):
        """(title, price, image, URL) of items in a side list, which are not records of the page."""
        return [self.plain(item) for item in self.others[:count]]

    def plain(self, item):
        """The unmarked texts of an item."""
        facts = item.facts
        if self.kind == 'real-estate':
            title = f"{facts['bedrooms']} bed {facts['property_type']}, {item.place.name}"
        else:
            title = f"{facts['make']} {facts['model']} {facts['age']}"
        price = f"£{facts['number']:,}" + (' pcm' if facts.get('rent') else '')
        return escape(title), price, facts['image'].replace('main', 'small'), facts['url']
