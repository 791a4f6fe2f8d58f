"""Decides which spellings of a value are right, and which other attributes may have the same value.

In: an attribute name and the value as the page shows it. Out: spellings(name, text) -> list of texts.
"""
import re

NUMBERS = 'zero one two three four five six seven eight nine ten'.split()
NOUNS = {
    'bedrooms': ['bed', 'beds', 'bedroom', 'bedrooms', 'bedroomed', 'br'],
    'bathrooms': ['bath', 'baths', 'bathroom', 'bathrooms'],
    'receptions': ['reception', 'receptions', 'reception room', 'reception rooms', 'receps', 'recep'],
    'doors': ['door', 'doors', 'dr', 'd'],
    'seats': ['seat', 'seats', 'seater'],
    'owners': ['owner', 'owners', 'previous owner', 'previous owners', 'former keeper', 'former keepers'],
    'mileage': ['miles', 'mi'],
    'engine_size': ['litre', 'litres', 'l', 'ltr'],
    'power': ['bhp', 'hp'],
    'emissions': ['g/km', 'g/km CO2', 'g/km CO₂'],
    'mpg': ['mpg'],
    'surface': ['sq ft', 'sq. ft.', 'sqft', 'sq m', 'm²', 'sq feet'],
    'age': ['reg', 'model'],
}
TYPE_NOUNS = ('house', 'flat', 'apartment', 'bungalow', 'cottage')


def number(text):
    """The digits of a count that may be a word, or None."""
    lower = text.lower()
    if lower in NUMBERS:
        return str(NUMBERS.index(lower))
    found = re.match(r'[\d][\d.,]*', text)
    return found.group(0).rstrip('.,') if found else None


def road(street):
    """A street address without the number or the name of the house."""
    return re.sub(r'^\d+ |^.*, ', '', street)


def spellings(name, text):
    """Other texts with the same meaning for this attribute."""
    found = []
    if name in NOUNS:
        digits = number(text)
        for first in dict.fromkeys(part for part in (text, digits) if part):
            found += [first] + [f'{first} {noun}' for noun in NOUNS[name]]
    elif name == 'property_type':
        words = text.split()
        if len(words) > 1 and words[-1].lower() in TYPE_NOUNS:
            found += [' '.join(words[:-1]), words[-1]]
        elif words[-1].lower() not in TYPE_NOUNS:
            found += [text + ' house']
    elif name in ('colour', 'transmission', 'body_type', 'fuel_type'):
        words = text.split()
        found += [words[-1]] + ([f'{text} engine'] if name == 'fuel_type' else [])
    elif name == 'street_address':
        found += [road(text)]
    elif name == 'registration' and len(text) == 2:
        found += [text + ' plate', text + ' reg', f'({text})', f'({text} reg)', f'({text} plate)']
    return [spelling for spelling in dict.fromkeys(found) if spelling and spelling != text]


PLACE_KINDS = ('town', 'village', 'city')


def other_kinds(name):
    """Other attributes for which the same text is not wrong: a village may be called a town, and so on."""
    return [kind for kind in PLACE_KINDS if kind != name] if name in PLACE_KINDS else []
