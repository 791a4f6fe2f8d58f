"""Property templates t23 to t41, odd ("seen"). Each is of another tag structure."""
from functools import partial

from marks import escape, join, maybe, some, wide

from templates.base import each, template

homes = partial(template, 'real-estate')


@homes(23, missing={'receptions': .5})
def figures(items, site):
    """Figures in a list, everything in the caption."""
    def item(r):
        return f'''<li><figure><a href="{r.href()}">{r.img()}</a><figcaption><strong>{r.price()}</strong>
<span>{r.titled(r.kind_line(False))}</span><span>{r.address('place', 'outward')}</span></figcaption></figure></li>'''
    return f'<ul class="gallery">{each(items, item)}</ul>'


@homes(25, missing={'bathrooms': .5}, old=True)
def one_paragraph(items, site):
    """One paragraph per record: a link, lines, nothing else. The end tags are left out."""
    def paragraph(r):
        return f'''<p><a href="{r.href()}"><b>{r.titled(r.kind_line(False))}</b></a><br>
{r.address('street', 'place', 'county')}<br>{join(', ', r.price('bare'), r.raw('tenure'))}'''
    return f'<div>{each(items, paragraph)}</div>'


@homes(27, old=True, missing={'description': .15, 'bathrooms': .4})
def three_rows(items, site):
    """Three table rows per record, and the photo spans them."""
    def rows(r):
        return f'''<tr class="a"><td rowspan="3">{r.img('width="140"')}</td><td><a href="{r.href()}">{r.titled(r.kind_line())}</a></td></tr>
<tr class="b"><td>{r.address('street', 'place', 'postcode')} &nbsp; <b>{r.price()}</b></td></tr>
<tr class="c"><td>{r.text(2) or '&nbsp;'}</td></tr>'''
    return f'<table class="list"><tbody>{each(items, rows)}</tbody></table>'


@homes(29, missing={'bathrooms': .2, 'furnishing': .3, 'availability_date': .3}, rent=True)
def fieldsets(items, site):
    """A form with a fieldset per record (tick to compare); the legend is the title. Lettings."""
    def fieldset(r):
        return f'''<fieldset><legend>{r.titled(r.kind_line())}</legend><label><input type="checkbox" name="pick" value="{r.raw('id')}"> Compare</label>
<p>{r.address('street', 'place')}</p><p>Rent: <b>{r.price()}</b> ({r.weekly()})</p>
{some('<p>{}</p>', join(', ', r.n('furnishing'), r.before('availability_date', 'available from')))}<p><a href="{r.href()}">Details</a></p></fieldset>'''
    return f'<form action="/compare" method="post">{each(items, fieldset)}<input type="submit" value="Compare ticked"></form>'


@homes(31, missing={'bathrooms': .3, 'receptions': .3})
def inner_table(items, site):
    """One block per record with a table of labels above values; the price is split into elements."""
    def box(r):
        return f'''<div class="box"><div class="box-head"><a href="{r.href()}">{r.titled(r.address('street', 'place', 'county'))}</a>
<div class="box-price">{r.old('<s>{}</s> ')}{r.price('split')}</div></div>{r.img()}
<table class="facts"><tbody><tr><th>Type</th><th>Beds</th><th>Baths</th><th>Receptions</th></tr>
<tr><td>{r.kind()}</td><td>{r.n('bedrooms') or '-'}</td><td>{r.n('bathrooms') or '-'}</td><td>{r.n('receptions') or '-'}</td></tr></tbody></table></div>'''
    return f'<div class="boxes">{each(items, box)}</div>'


@homes(33, old=True, missing={'bathrooms': .5, 'receptions': .5})
def quotes(items, site):
    """A heading and a blockquote, in the style of the nineties."""
    def sequence(r):
        rooms = join(', ', r.w('bedrooms', 'bedroom'), r.w('receptions', 'reception'), r.w('bathrooms', 'bathroom'))
        return f'''<h4>{r.titled(r.settlement())}</h4>
<blockquote>{r.img('align="left" hspace="8"')}{wide('description', f'{r.text()}<br>{rooms}.<br><b>{r.qualified("entity")}</b> <a href="{r.href()}">[details]</a>')}</blockquote>'''
    return each(items, sequence)


@homes(35, missing={'bathrooms': .3, 'property_status': .5})
def many_pictures(items, site):
    """Several pictures per record, a banner with the state, the agent below with its own town."""
    def card(r):
        more = ''.join(f'<li><img src="/photos/{r.raw("id")}/{at}.jpg" alt=""></li>' for at in range(2, 5))
        return f'''<section class="result"><div class="slides">{r.img()}<ul>{more}</ul>{some('<div class="flag">{}</div>', r.status())}</div>
<div class="info"><header><h2><a href="{r.href()}">{r.titled(r.kind_line(False))}</a></h2><address>{r.address('street', 'place')}</address></header>
<div class="sum">{r.price()}</div><p class="blurb">{r.text(2, '<a href="#">Read more</a>')}</p>
<footer>Marketed by {r.branch()} <button>Save</button></footer></div></section>'''
    return f'<div class="result-list">{each(items, card)}</div>'


@homes(37, missing={'bathrooms': .4, 'receptions': .4, 'surface': .5})
def inline_labels(items, site):
    """Labels and values in one paragraph, only the labels in elements."""
    def box(r):
        def pair(label, html):
            return some(f'<strong>{label}:</strong> {{}} ', html)
        return f'''<div><h2><a href="{r.href()}">{r.headline()}</a></h2><p>{pair('Where', r.address('place', 'county'))}
{pair('Type', r.kind())}{pair('Beds', r.n('bedrooms'))}{pair('Baths', r.n('bathrooms'))}{pair('Size', r.n('surface'))}{pair('Price', r.price())}</p></div>'''
    return f'<div>{each(items, box)}</div>'


@homes(39, missing={'bathrooms': .3, 'receptions': .5})
def anonymous_blocks(items, site):
    """Blocks in blocks without a class; drawings instead of words for the rooms."""
    def icon(html, title):
        return some(f'<div><svg viewBox="0 0 8 8"><title>{title}</title><path d="M1 1h6v6z"></path></svg><div>{{}}</div></div>', html)

    def card(r):
        return f'''<div><div><div><a href="{r.href()}">{r.img()}</a></div></div><div><div><div>{r.price()}</div></div>
<div><div><a href="{r.href()}">{r.titled(r.address('street', 'place'))}</a></div><div>{r.kind()}</div></div>
<div>{icon(r.n('bedrooms'), 'bed')}{icon(r.n('bathrooms'), 'bath')}{icon(r.n('receptions'), 'sofa')}</div></div></div>'''
    return f'<div><div>{each(items, card)}</div></div>'


@homes(41, rent=True, missing={'furnishing': .3, 'availability_date': .4, 'bathrooms': .3})
def letting_rows(items, site):
    """A table of lettings: one column per attribute, two lines in a cell."""
    def row(r):
        return f'''<tr><td><a href="{r.href()}">{maybe('title', r.street())}</a><br>{r.settlement()}</td><td>{r.kind()}</td><td>{r.n('bedrooms')}</td>
<td>{r.n('furnishing') or 'Ask'}</td><td>{r.n('availability_date') or '-'}</td><td><b>{r.price()}</b><br><small>{r.weekly()}</small></td></tr>'''
    return f'''<table class="lets"><thead><tr><th>Address</th><th>Type</th><th>Beds</th><th>Furnishing</th><th>Available</th><th>Rent</th></tr></thead>
<tbody>{each(items, row)}</tbody></table>'''


@homes(43, missing={'bathrooms': .3, 'property_status': .3})
def featured_first(items, site):
    """Two featured records of the same form with a ribbon come first; tags instead of a text run."""
    def item(r):
        ribbon = '<div class="ribbon"><span>Featured</span></div>' if r.index < 2 else ''
        tags = ''.join(f'<span class="tag">{text}</span>' for text in (r.w('bedrooms', 'bed'), r.w('bathrooms', 'bath'), *map(escape, r.features(2))) if text)
        return f'''<li class="{'top' if r.index < 2 else 'std'}">{ribbon}<div class="l"><a href="{r.href()}">{r.img()}</a></div>
<div class="r"><p class="h"><a href="{r.href()}">{r.titled(r.kind_line())}</a></p><p class="w">{r.address('place', 'county')}</p>
<div class="tags">{tags}</div><p class="c">{r.price()} {some('<i>{}</i>', r.status())}</p></div></li>'''
    return f'<ol class="hits">{each(items, item)}</ol>'
