"""The surroundings of a list: filters with prices and counts, lists of other things, pagers, sort forms.

In: a Site (website.py). Out: HTML; every function of FILTERS, SIDE_LISTS, PAGERS and BARS takes the site.
"""
from marks import escape


# Filters

def ranges(site):
    """(text, count) of price ranges."""
    steps = site.price_steps()
    texts = [f'Up to £{steps[0]:,}'] + [f'£{a:,} - £{b:,}' for a, b in zip(steps, steps[1:])] + [f'£{steps[-1]:,}+']
    return [(text, site.rng.randint(1, 60)) for text in texts]


def kinds(site):
    """(text, count) of a second filter: rooms or fuel."""
    texts = ('1 bedroom', '2 bedrooms', '3 bedrooms', '4 bedrooms', '5+ bedrooms') if site.kind == 'real-estate' else (
        'Petrol', 'Diesel', 'Hybrid', 'Automatic', 'Manual')
    return [(text, site.rng.randint(1, 80)) for text in texts]


def filter_list(site):
    def block(head, rows):
        lines = ''.join(f'<li><a href="?f={at}">{text}</a> <span>({count})</span></li>' for at, (text, count) in rows)
        return f'<h4>{head}</h4>\n<ul>{lines}</ul>\n'
    return '<div class="refine">' + block('Price', enumerate(ranges(site))) + block(
        'Rooms' if site.kind == 'real-estate' else 'Fuel and gearbox', enumerate(kinds(site))) + '</div>'


def filter_boxes(site):
    lines = ''.join(f'<label><input type="checkbox" name="p" value="{at}"> {text} <em>{count}</em></label>\n'
                    for at, (text, count) in enumerate(ranges(site)))
    return f'<form action="/search"><fieldset><legend>Price range</legend>\n{lines}</fieldset><button>Apply</button></form>'


def filter_select(site):
    steps = site.price_steps()
    options = ''.join(f'<option value="{step}">£{step:,}</option>' for step in steps)
    places = ''.join(f'<option>{escape(place)}</option>' for place in site.places())
    return (f'<form action="/search" method="get"><p>Area <select name="area"><option>Any</option>{places}</select></p>\n'
            f'<p>Min price <select name="min"><option>No min</option>{options}</select></p>\n'
            f'<p>Max price <select name="max"><option>No max</option>{options}</select></p>'
            '<p><input type="submit" value="Search"></p></form>')


def filter_terms(site):
    lines = ''.join(f'<dd><a href="?price={at}">{text}</a> ({count})</dd>' for at, (text, count) in enumerate(ranges(site)))
    more = ''.join(f'<dd><a href="?kind={at}">{text}</a> ({count})</dd>' for at, (text, count) in enumerate(kinds(site)))
    places = ''.join(f'<dd>{site.link(place)}</dd>' for place in site.places())
    return f'<dl class="facets"><dt>Price</dt>{lines}<dt>Type</dt>{more}<dt>Area</dt>{places}</dl>'


def filter_table(site):
    rows = ''.join(f'<tr><td><a href="?p={at}">{text}</a></td><td align="right">{count}</td></tr>\n'
                   for at, (text, count) in enumerate(ranges(site)))
    return f'<table border="0" cellpadding="2" width="160"><tbody><tr><th colspan="2">By price</th></tr>\n{rows}</tbody></table>'


def no_filter(site):
    return ''


# Lists of other things, with prices

def recently_viewed(site):
    lines = ''.join(f'<li><a href="{url}"><img src="{image}" width="60" alt=""></a><a href="{url}">{title}</a>'
                    f'<span>{price}</span></li>\n' for title, price, image, url in site.other(3))
    return f'<div class="recent"><h3>Recently viewed</h3>\n<ul>{lines}</ul></div>'


def featured(site):
    title, price, image, url = site.other(1)[0]
    head = 'Featured property' if site.kind == 'real-estate' else 'Car of the week'
    return (f'<div class="spotlight"><h3>{head}</h3><img src="{image}" alt="{title}"><p><a href="{url}">{title}</a></p>'
            f'<p><strong>{price}</strong></p></div>')


def similar(site):
    cells = ''.join(f'<td align="center"><a href="{url}"><img src="{image}" border="0" alt=""></a><br>{title}<br><b>{price}</b></td>'
                    for title, price, image, url in site.other(4))
    return f'<h3>You may also like</h3><table><tbody><tr>{cells}</tr></tbody></table>'


def news(site):
    lines = ''.join(f'<p>{site.link(line)}</p>\n' for line in site.news())
    return f'<section><h2>Advice</h2>{lines}</section>'


def banner(site):
    return f'<div class="mpu"><small>Advertisement</small><p>{site.advert()}</p><p>{site.advert(1)}</p></div>'


def viewed_cards(site):
    cards = ''.join(f'<div><a href="{url}"><img src="{image}" alt=""><div>{price}</div><div>{title}</div></a></div>\n'
                    for title, price, image, url in site.other(4))
    return f'<aside><h5>Others also looked at</h5><div>{cards}</div></aside>'


def nothing(site):
    return ''


# Above the list: how many there are, and how they are sorted

def count_line(site):
    return f'<p>Showing 1 - {len(site.items)} of {site.total} {site.noun}</p>'


def count_head(site):
    return f'<h2>{site.total} {site.noun} found</h2>'


def sort_form(site):
    return (f'<div class="sort"><strong>{site.total}</strong> results <select name="sort"><option>Lowest price</option>'
            '<option>Highest price</option><option>Newest</option></select></div>')


def sort_links(site):
    links = ' | '.join(f'<a href="?sort={word}">{word}</a>' for word in ('price', 'newest', 'distance'))
    return f'<p>{site.total} {site.noun}. Sort by: {links}</p>'


def tabs(site):
    links = ''.join(f'<li><a href="?view={word.lower()}">{word}</a></li>' for word in ('List', 'Map', 'Gallery'))
    return f'<ul class="tabs">{links}</ul><div><span>{site.total}</span> {site.noun} match your search</div>'


# Pagers

def pages(site):
    """The numbers of the pages that the pager links to."""
    return range(2, min(9, site.total // max(1, len(site.items)) + 2))


def pager_list(site):
    lines = ''.join(f'<li><a href="?page={n}">{n}</a></li>' for n in pages(site))
    return f'<ul class="pagination"><li class="active"><span>1</span></li>{lines}<li><a href="?page=2" rel="next">Next</a></li></ul>'


def pager_links(site):
    links = ' '.join(f'<a href="results-{n}.html">{n}</a>' for n in pages(site))
    return f'<div>Page: <b>1</b> {links} <a href="results-2.html">Next &gt;&gt;</a></div>'


def pager_table(site):
    cells = ''.join(f'<td><a href="?start={(n - 1) * 10}">{n}</a></td>' for n in pages(site))
    return f'<table align="center"><tbody><tr><td><b>1</b></td>{cells}<td><a href="?start=10">next</a></td></tr></tbody></table>'


def pager_nav(site):
    return f'<nav aria-label="Pages"><span>Page 1 of {len(pages(site)) + 1}</span> <a href="?p=2">Older &rarr;</a></nav>'


def pager_button(site):
    return '<button type="button" data-next="/more?page=2">Show more results</button>'


def no_pager(site):
    return ''


FILTERS = [filter_list, filter_boxes, filter_select, filter_terms, no_filter, no_filter]
OLD_FILTERS = [filter_table, filter_select, filter_list, no_filter]
SIDE_LISTS = [recently_viewed, featured, news, banner, viewed_cards, nothing, nothing]
OLD_SIDE_LISTS = [recently_viewed, similar, banner, nothing]
BARS = [count_line, count_head, sort_form, sort_links, tabs]
OLD_BARS = [count_line, count_head, sort_links]
PAGERS = [pager_list, pager_links, pager_nav, pager_button, no_pager]
OLD_PAGERS = [pager_links, pager_table, no_pager]
