"""The registry of templates, and what they share: writing records in sequence, adverts, rows of a grid.

A template is a function (items, site) -> HTML of the list, with every record inside record(). Odd numbers are "seen",
even ones "unseen"; they are in files of their own, so that nobody need look at the unseen ones.
"""
from marks import record

TEMPLATES = {}
DEFAULT_MISSING = {'real-estate': {'bathrooms': .2, 'receptions': .3}, 'used-cars': {'colour': .15, 'doors': .1}}


class Template:
    """A template: its kind of site, number, function and what its pages are like."""

    def __init__(self, kind, number, make, old, rent, missing, count, poa):
        self.kind, self.number, self.make, self.old, self.rent = kind, number, make, old, rent
        self.missing, self.count, self.poa = missing, count, poa
        self.name = f't{number:02}'
        self.split = 'seen' if number % 2 else 'unseen'


def template(kind, number, old=False, rent=False, missing=None, count=(6, 25), poa=0.0):
    """Registers a function as a template. `missing` maps attributes to the rate at which records lack them."""
    def register(make):
        if (kind, number) in TEMPLATES:
            raise ValueError(f'{kind} t{number:02} is there already')
        rates = DEFAULT_MISSING[kind] if missing is None else missing
        TEMPLATES[kind, number] = Template(kind, number, make, old, rent, rates, count, poa)
        return make
    return register


def each(items, make, between='\n', advert='', site=None, every=5):
    """All records in sequence, with an advert after every few of them."""
    parts = []
    for at, item in enumerate(items):
        parts.append(record(item.index, make(item)))
        if advert and at % every == every - 1 and at < len(items) - 1:
            parts.append(advert.replace('{}', site.advert(at)))
    return between.join(parts)


def chunks(items, size):
    """The rows of a grid. The last one may be shorter."""
    return [items[at:at + size] for at in range(0, len(items), size)]
