"""Makes gold answers from the marks of a page.

In: a Page of tree.py. Out: gold(page, url) -> the dictionary in corpus format, with the additional keys `accepted`,
`maybe`, `hidden` and `xpaths` (see README.md).
"""
from accept import other_kinds, spellings

SHOWN_IN = ('', 'src', 'href')


def fields(record):
    """The attributes of a record: (fields, accepted, maybe, hidden)."""
    values, accepted, perhaps, hidden = {}, {}, {}, []
    for _, name, text, also, where in sorted(
            (found for found in record.found if found[0] == 'V'), key=lambda found: found[4] not in SHOWN_IN):
        if name not in values:
            values[name] = text
            if where not in SHOWN_IN:
                hidden.append(name)
        accepted.setdefault(name, []).extend([text, *also, *spellings(name, text)])
    for kind, name, text, also, _ in record.found:
        if name in values:
            accepted[name].extend([text, *also])
        elif kind in 'MW':
            perhaps.setdefault(name, []).extend([text, *also, *spellings(name, text)])
    for name in list(values):
        for other in other_kinds(name):
            if other not in values:
                perhaps.setdefault(other, []).append(values[name])

    def tidy(lists):
        clean = {name: [text for text in dict.fromkeys(texts) if text != values.get(name)] for name, texts in lists.items()}
        return {name: texts for name, texts in sorted(clean.items()) if texts}
    return dict(sorted(values.items())), tidy(accepted), tidy(perhaps), sorted(hidden)


def gold(page, url):
    """The gold answer of a page."""
    records = []
    for index in sorted(page.records):
        record = page.records[index]
        values, accepted, perhaps, hidden = fields(record)
        records.append({
            'texts': record.texts, 'fields': values, 'xpath': record.xpaths[0] if len(record.xpaths) == 1 else None,
            'xpaths': record.xpaths, 'accepted': accepted, 'maybe': perhaps, 'hidden': hidden,
        })
    return {'url': url, 'main': True, 'complete': True, 'records': records}
