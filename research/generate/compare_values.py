"""Compares texts: are two values the same, how much do two records share, which record is which.

In: plain texts. Out: right(name, text, accepted) -> bool; align(predicted, gold) -> (index, index, overlap) triples.
"""
import re
import unicodedata
from collections import Counter

RECORD_RIGHT = .9
ALIGN_LEAST = .3
LINKS = ('url', 'image', 'floor_plan', 'map')


def key(text):
    """A value for comparison: case, white space, thousands separators and outer punctuation do not matter."""
    text = unicodedata.normalize('NFKC', text).casefold()
    text = re.sub(r'(?<=\d),(?=\d{3})', '', text)
    text = re.sub(r'\s+', '', text)
    return text.replace('gbp', '£').strip('.,;:…')


def right(name, text, accepted):
    """Whether a predicted text is one of the accepted ones. A link may also end with one, because it may be absolute."""
    found = key(text)
    for other in map(key, accepted):
        if found == other or (name in LINKS and other.startswith('/') and found.endswith(other)):
            return True
    return False


def words(text):
    """The words and numbers of a text, counted; 5dr is two."""
    return Counter(re.findall(r'\d+|[^\W\d_]+', unicodedata.normalize('NFKC', text).casefold()))


def overlap(one, other):
    """The share of words that two counted texts have in common (Dice)."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def align(predicted, gold):
    """Pairs predicted and gold records one to one, the most similar first; among equals in page order."""
    ours, theirs = [words(text) for text in predicted], [words(text) for text in gold]
    pairs = [(overlap(one, other), at, to) for at, one in enumerate(ours) for to, other in enumerate(theirs)]
    pairs.sort(key=lambda pair: (-pair[0], abs(pair[1] - pair[2]), pair[1]))
    used, met, found = set(), set(), []
    for share, at, to in pairs:
        if share >= ALIGN_LEAST and at not in used and to not in met:
            used.add(at)
            met.add(to)
            found.append((at, to, share))
    return found
