"""Copal turns web pages into tables: it finds the list of records on a page, splits it into records and aligns their
fields into typed columns, without rules or training for a site.

>>> import copal
>>> html = '''<ul>
...   <li><a href='/1'>Blue lamp</a> <b>£12</b></li>
...   <li><a href='/2'>Red lamp</a> <b>£14</b></li>
...   <li><a href='/3'>Green lamp</a> <b>£9</b></li></ul>'''
>>> answer = copal.extract(html, url="https://shop.example/lamps")
>>> answer.columns
['url', 'title', 'price']
>>> answer[0]
{'url': 'https://shop.example/1', 'title': 'Blue lamp', 'price': '£12'}
>>> answer.values[0]
{'price': {'amount': '12', 'currency': 'GBP'}}
"""

from copal._answer import Answer, CellTable
from copal._archives import DamagedRecordWarning, archive_pages
from copal._copal import (
    CopalError,
    Domain,
    NothingFoundError,
    PageError,
    SiteChangedError,
    __version__,
    domains,
)
from copal._extraction import extract, objects
from copal._templates import learn_templates
from copal._workers import FailedPage, extract_many
from copal._wrapper import CheckReport, Wrapper, apply, check, learn

__all__ = [
    "Answer",
    "CellTable",
    "CheckReport",
    "CopalError",
    "DamagedRecordWarning",
    "Domain",
    "FailedPage",
    "NothingFoundError",
    "PageError",
    "SiteChangedError",
    "Wrapper",
    "__version__",
    "apply",
    "archive_pages",
    "check",
    "domains",
    "extract",
    "extract_many",
    "learn",
    "learn_templates",
    "objects",
]
