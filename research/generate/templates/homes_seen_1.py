"""Property templates t01 to t19, odd ("seen"). Each is of another tag structure."""
from functools import partial

from marks import join, maybe, some, value, wide

from templates.base import chunks, each, template

homes = partial(template, 'real-estate')


@homes(1, missing={'bathrooms': .3, 'description': .1})
def table_rows(items, site):
    """A table with one row per record: photo, text, price."""
    def row(r):
        return f'''<tr><td class="pic"><a href="{r.href()}">{r.img('width="120"')}</a></td>
<td class="txt"><b><a href="{r.href()}">{r.titled(r.kind_line())}</a></b><br>{r.address('street', 'place', 'county')}
{some('<div>{}</div>', r.text(2))}</td><td class="cost">{r.old()}{r.price()}</td></tr>'''
    return f'''<table class="results"><thead><tr><th>Photo</th><th>Property</th><th>Price</th></tr></thead>
<tbody>{each(items, row)}</tbody></table>'''


@homes(3, missing={'bathrooms': .25, 'receptions': .5})
def nested_icons(items, site):
    """Nested blocks; the number of rooms is next to an icon without text."""
    def icon(r, name, kind):
        return some(f'<li><i class="icon icon-{kind}"></i><span>{{}}</span></li>', r.n(name))

    def card(r):
        icons = icon(r, 'bedrooms', 'bed') + icon(r, 'bathrooms', 'bath') + icon(r, 'receptions', 'sofa')
        return f'''<div class="listing"><div class="listing-inner"><div class="listing-photo"><a href="{r.href()}">{r.img()}</a>
<span class="photo-count">{r.raw('photos')}</span></div><div class="listing-body"><div class="listing-price">{r.qualified()}</div>
<h2 class="listing-title"><a href="{r.href()}">{r.titled(r.kind_line())}</a></h2>
<div class="listing-address">{r.address('street', 'place')}</div><ul class="icons">{icons}</ul></div></div></div>'''
    return f'<div class="listings">{each(items, card, site=site, advert="<div class=ad-slot><p>{}</p></div>")}</div>'


@homes(5, missing={'bathrooms': .4}, poa=.05)
def flat_headings(items, site):
    """No element around a record: h3, p, p, p, hr and so on."""
    def sequence(r):
        return f'''<h3><a href="{r.href()}">{r.titled(r.address('street', 'place'))}</a></h3>
<p class="price">{r.qualified()}</p>
<p>{join(', ', r.kind(), r.rooms(', '))}</p>
<p>{r.text()}</p>'''
    return f'<div id="results">{each(items, sequence, between="<hr>")}</div>'


@homes(7, old=True, count=(7, 23))
def grid_three(items, site):
    """A table of three columns, the last row short."""
    def cell(r):
        return f'''<td width="33%" valign="top" align="center"><a href="{r.href()}">{r.img('border="0" width="180"')}</a><br>
<b>{r.price('entity')}</b><br>{maybe('title', r.w('bedrooms', 'bed', 'bed') + ' ' + r.kind(str))}<br><i>{r.settlement()}</i></td>'''
    rows = ''.join(f'<tr>{each(row, cell)}</tr>\n' for row in chunks(items, 3))
    return f'<table cellpadding="6" width="100%"><tbody>{rows}</tbody></table>'


@homes(9, missing={'bathrooms': .5, 'receptions': .3, 'surface': .4})
def label_list(items, site):
    """Every attribute in a list item after its label."""
    def line(label, html):
        return some(f'<li><b>{label}:</b> {{}}</li>\n', html)

    def box(r):
        lines = (line('Price', r.price()) + line('Location', r.address('place', 'county')) + line('Type', r.kind())
                 + line('Bedrooms', r.n('bedrooms')) + line('Bathrooms', r.n('bathrooms'))
                 + line('Receptions', r.n('receptions')) + line('Floor area', r.n('surface')))
        return f'''<div class="prop"><h3>{r.headline()}</h3><ul>{lines}</ul><a href="{r.href()}">Full details</a></div>'''
    return f'<div>{each(items, box)}</div>'


@homes(11, old=True, missing={'receptions': .5, 'postcode': .3})
def font_lines(items, site):
    """One cell per record, lines separated by br, font elements; end tags of cells and rows left out."""
    def row(r):
        return f'''<tr><td bgcolor="#eeeedd"><font face="Arial" size="2"><b>{r.titled(r.street())}</b><br>
{r.address('place', 'county', 'postcode', last=', ')}<br>{join(', ', r.kind(), r.w('bedrooms', 'bedroom'), r.w('receptions', 'reception'))}<br>
<font color="#990000">{r.price('entity')}</font><br><a href="{r.href()}">more details</a></font>
'''
    return f'<table border="1" width="600">{each(items, row)}</table>'


@homes(13, missing={'bathrooms': .3, 'receptions': .4})
def icons_alt(items, site):
    """The rooms are only in the alt text of icons."""
    def icon(name, noun, r):
        if not r.has(name):
            return ''
        count = r.raw(name)
        return f'<img class="ico" src="/i/{name}-{count}.png" alt="{value(name, str(count))} {noun}{"" if count == 1 else "s"}">'

    def item(r):
        icons = icon('bedrooms', 'bedroom', r) + icon('bathrooms', 'bathroom', r) + icon('receptions', 'reception', r)
        return f'''<li class="property-row"><a href="{r.href()}" class="thumb">{r.img('width="200" height="150"')}</a>
<h4><a href="{r.href()}">{r.titled(r.address('street', 'place', 'outward'))}</a></h4><p class="type">{r.kind()}</p>
<div class="ico-row">{icons}</div><strong class="amount">{r.price()}</strong></li>'''
    return f'<ul class="property-list">{each(items, item)}</ul>'


@homes(15, missing={'bathrooms': .3, 'property_status': .4})
def link_card(items, site):
    """The whole card is one link; attributes run in one text with bars."""
    def card(r):
        return f'''<a class="card" href="{r.href()}"><div class="card__media">{r.img('loading="lazy"')}{some('<em>{}</em>', r.status())}</div>
<div class="card__body"><h3>{r.titled(r.kind(str.title) + ' in ' + r.settlement())}</h3>
<p>{join(' | ', r.w('bedrooms', 'bed'), r.w('bathrooms', 'bath'), r.raw('tenure'))}</p><p><strong>{r.price()}</strong></p></div></a>'''
    return f'<div class="cards">{each(items, card)}</div>'


@homes(17, old=True, missing={'description': .2})
def nested_tables(items, site):
    """A table in every cell of a table, spacer pictures, font elements."""
    def row(r):
        return f'''<tr><td><table width="100%" cellspacing="0"><tbody><tr><td rowspan="3" width="130"><a href="{r.href()}">{r.img('width="120" border="0"')}</a></td>
<td><font size="3"><b>{r.titled(r.address('street', 'place'))}</b></font></td><td align="right"><font color="red">{r.price('space')}</font></td></tr>
<tr><td colspan="2"><font size="2">{r.text(2)}</font></td></tr>
<tr><td><font size="1">{r.w('bedrooms', 'bedroom')} {r.kind(str)}</font></td><td align="right"><a href="{r.href()}">View</a></td></tr></tbody></table>
<img src="/gfx/spacer.gif" height="8" alt=""></td></tr>'''
    return f'<table width="100%"><tbody>{each(items, row, advert="<tr><td bgcolor=yellow>{}</td></tr>", site=site, every=6)}</tbody></table>'


@homes(19, missing={'bathrooms': .3, 'receptions': .5}, count=(7, 23))
def hashed_grid(items, site):
    """Rows of three blocks with compiled class names, the last row short; currency and amount apart."""
    c = site.cls

    def cell(r):
        return f'''<div class="{c('col')}"><article class="{c('card')}"><div class="{c('img')}">{r.img()}</div>
<div class="{c('body')}"><span class="{c('price')}">{r.price('split')}</span><div class="{c('addr')}">{maybe('title', r.address('street', 'place'))}</div>
<div class="{c('meta')}"><span>{r.w('bedrooms', 'bed')}</span>{some('<span>{}</span>', r.w('bathrooms', 'bath'))}{some('<span>{}</span>', r.w('receptions', 'living room', 'living rooms'))}</div>
<a href="{r.href()}" class="{c('cta')}">View {maybe('property_type', r.raw('property_type'))}</a></div></article></div>'''
    return '\n'.join(f'<div class="{c("row")}">{each(row, cell)}</div>' for row in chunks(items, 3))


@homes(21, missing={'bathrooms': .4, 'description': .2})
def flat_blocks(items, site):
    """Five adjacent blocks per record in one parent, and a clearing block."""
    def sequence(r):
        return f'''<div class="pTitle"><a href="{r.href()}">{r.titled(join(', ', r.street(), r.address('place')))}</a></div>
<div class="pImage"><a href="{r.href()}">{r.img('width="150"')}</a></div>
<div class="pText">{wide('description', join(' - ', r.kind(), r.w('bedrooms', 'bedroom'), r.w('bathrooms', 'bathroom')) + some('<br>{}', r.text(2, '...')))}</div>
<div class="pPrice">{r.qualified('plain')}</div>
<div class="pLinks"><a href="{r.href()}">Details</a> {join(' ', r.floor_plan(), r.map())}</div>
<div class="clear"></div>'''
    return f'<div id="propertyList">{each(items, sequence)}</div>'
