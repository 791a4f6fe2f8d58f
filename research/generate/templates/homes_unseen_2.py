"""Property templates t24 to t42, even ("unseen"): not for developers of copal. Each is of another tag structure."""
from functools import partial

from marks import escape, join, some, value

from templates.base import chunks, each, template

homes = partial(template, 'real-estate')


@homes(24, missing={'bathrooms': .3, 'receptions': .5, 'surface': .4})
def label_spans(items, site):
    """Labels and values in spans of their own, in blocks; a button at the end."""
    def pair(label, html):
        return some(f'<div class="kv"><span class="k">{label}</span><span class="v">{{}}</span></div>', html)

    def card(r):
        return f'''<div class="unit" data-id="{r.raw('id')}"><div class="unit-top"><span class="unit-name">{r.titled(r.address('street', 'place'))}</span>
<span class="unit-sum">{r.price()}</span></div><div class="unit-facts">{pair('Type', r.kind())}{pair('Bedrooms', r.n('bedrooms'))}
{pair('Bathrooms', r.n('bathrooms'))}{pair('Size', r.n('surface'))}</div><a class="btn" href="{r.href()}">See more</a></div>'''
    return f'<div class="units">{each(items, card)}</div>'


@homes(26, missing={'bathrooms': .4}, count=(9, 25))
def grouped(items, site):
    """Lists under headings by price band: the records are in several lists."""
    def item(r):
        return f'''<li><a href="{r.href()}">{r.titled(r.kind_line(False))}</a> <span>{r.address('place', 'county')}</span>
<strong>{r.price()}</strong></li>'''
    groups = chunks(items, max(3, len(items) // 3))
    heads = ('Just listed', 'This week', 'Earlier', 'Older')
    return '\n'.join(f'<h3>{heads[min(at, 3)]}</h3><ul>{each(group, item)}</ul>' for at, group in enumerate(groups))


@homes(28, missing={'bathrooms': .3, 'availability_date': .3, 'furnishing': .4}, rent=True)
def html5_elements(items, site):
    """Sections with address, data and time elements. Lettings."""
    def section(r):
        return f'''<section><a href="{r.href()}">{r.img()}</a><div><h3>{r.titled(r.kind_line())}</h3><address>{r.address('street', 'place', 'postcode')}</address>
<data value="{r.raw('number')}">{r.price()}</data>{some('<p>Available <time>{}</time></p>', r.n('availability_date'))}
{some('<p>{}</p>', r.n('furnishing'))}</div></section>'''
    return f'<div role="list">{each(items, section)}</div>'


@homes(30, missing={'bathrooms': .3, 'description': .2})
def details_elements(items, site):
    """details and summary elements."""
    def details(r):
        return f'''<details open><summary><span>{r.titled(r.address('street', 'place'))}</span> <b>{r.price()}</b></summary>
<div>{r.img()}<p>{r.text(3)}</p><p>{r.rooms(' / ')}</p><a href="{r.href()}">Arrange a viewing</a></div></details>'''
    return f'<div class="accordion">{each(items, details)}</div>'


@homes(32, missing={'bathrooms': .3, 'receptions': .4})
def custom_elements(items, site):
    """Elements with names of their own."""
    def card(r):
        return f'''<property-card><property-media>{r.img()}</property-media><property-title><a href="{r.href()}">{r.titled(r.kind_line())}</a></property-title>
<property-address>{r.address('street', 'place')}</property-address><property-rooms>{r.rooms(', ')}</property-rooms>
<property-price>{r.qualified('plain')}</property-price></property-card>'''
    return f'<property-list>{each(items, card)}</property-list>'


@homes(34, old=True, missing={'receptions': .3, 'postcode': .4})
def spacer_rows(items, site):
    """A row each and a row with a line between; the price left, the text right."""
    def row(r):
        return f'''<tr><td width="110"><font color="green"><b>{r.qualified('entity', '<i>{}</i><br>')}</b></font></td>
<td><a href="{r.href()}">{r.titled(r.address('street', 'place', 'postcode'))}</a><br>{join(', ', r.kind(), r.rooms(', '))}</td><td>{r.img('height="70"')}</td></tr>'''
    return f'<table><tbody>{each(items, row, between="<tr><td colspan=3><hr size=1></td></tr>")}</tbody></table>'


@homes(36, missing={'bathrooms': .3}, count=(8, 24))
def columns(items, site):
    """Three columns of cards, filled downwards."""
    def card(r):
        return f'''<div class="tile"><a href="{r.href()}">{r.img()}</a><div class="tile-price">{r.price()}</div><div class="tile-name">{r.titled(r.kind(str.title) + ' in ' + r.settlement())}</div>
<div class="tile-meta">{r.rooms(' &middot; ', 'short')}</div></div>'''
    return '<div class="masonry">' + ''.join(f'<div class="column">{each(part, card)}</div>' for part in chunks(items, -(-len(items) // 3))) + '</div>'


@homes(38, missing={'bathrooms': .3, 'receptions': .3, 'surface': .5})
def nested_lists(items, site):
    """Lists in lists: a record is an item with two inner lists, one of them with labels."""
    def item(r):
        facts = ''.join(f'<li>{label} <b>{html}</b></li>' for label, html in (
            ('Bedrooms', r.n('bedrooms')), ('Bathrooms', r.n('bathrooms')), ('Receptions', r.n('receptions'))) if html)
        extra = ''.join(f'<li>{escape(text)}</li>' for text in r.features(3))
        return f'''<li><a href="{r.href()}">{r.titled(r.address('street', 'place', 'county'))}</a><ul><li>{r.price()}<ul>{facts}</ul></li><li>{r.kind()}<ul>{extra}</ul></li></ul></li>'''
    return f'<ul>{each(items, item)}</ul>'


@homes(40, missing={'bathrooms': .3, 'receptions': .4, 'furnishing': .3, 'availability_date': .4}, rent=True)
def grouped_terms(items, site):
    """A dl each with its pairs in blocks, the photo as a background. Lettings."""
    def card(r):
        def pair(label, html):
            return some(f'<div><dt>{label}</dt><dd>{{}}</dd></div>', html)
        return f'''<li><div style="background-image:url(/photos/{r.raw('id')}/bg.jpg)"></div><h6><a href="{r.href()}">{r.titled(r.street())}</a></h6>
<dl>{pair('Where', r.settlement())}{pair('Per month', r.price())}{pair('Beds', r.n('bedrooms'))}{pair('Let from', r.n('availability_date'))}{pair('Furnishing', r.n('furnishing'))}</dl></li>'''
    return f'<ul role="list">{each(items, card)}</ul>'


@homes(42, old=True, missing={'bathrooms': .4, 'description': .3})
def table_each(items, site):
    """A table each, its caption is the title; the tables are siblings."""
    def table(r):
        return f'''<table border="1" width="90%"><caption><b>{r.titled(r.kind_line())}</b></caption><tbody><tr><td rowspan="2"><a href="{r.href()}">{r.img('width="90"')}</a></td>
<td>{r.address('street', 'place')}</td><td>{r.old('<strike>{}</strike> ')}{r.price()}</td></tr><tr><td colspan="2">{r.text(3) or '&nbsp;'}</td></tr></tbody></table>'''
    return each(items, table, between='<br>\n')


@homes(44, missing={'bathrooms': .3, 'property_status': .4})
def titles_of_icons(items, site):
    """The kind of room is told only by the title of an element, the number is its text; the state in a class-less span."""
    def icon(name, noun, r):
        return some(f'<abbr title="{noun}">{{}}</abbr>', r.n(name))

    def row(r):
        return f'''<div><div><span>{r.address('place', 'near', 'county')}</span><span>{r.status()}</span></div>
<h3><a href="{r.href()}">{r.headline()}</a></h3><div>{icon('bedrooms', 'Bedrooms', r)} {icon('bathrooms', 'Bathrooms', r)}
<span title="{value('property_type', escape(r.raw('property_type')))}">&#8962;</span></div><div><ins>{r.price('nbsp')}</ins></div></div>'''
    return f'<section>{each(items, row, site=site, advert="<div><p>Sponsored: {}</p></div>")}</section>'
