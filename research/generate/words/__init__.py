"""Word lists of the generator, written from general knowledge; they share nothing with copal's domain packs.

places() and cars() give rows of the two tables; listed() splits a text of words at the semicolons.
"""
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent


def listed(text):
    """The words of a text with semicolons between them."""
    return [' '.join(word.split()) for word in text.split(';')]


def rows(name):
    """The rows of a table file, split at the bars; comments and empty lines left out."""
    lines = (FOLDER / name).read_text(encoding='utf-8').splitlines()
    return [[cell.strip() for cell in line.split('|')] for line in lines if line.strip() and not line.startswith('#')]
