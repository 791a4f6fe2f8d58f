"""Car templates t02 to t22, even ("unseen"): not for developers of copal. Each is of another tag structure."""
from functools import partial

from marks import escape, join, some, value

from templates.base import chunks, each, template

cars = partial(template, 'used-cars')


@cars(2, missing={'colour': .2, 'engine_size': .2})
def table_columns(items, site):
    """A row each: photo, title with a text below, year, miles, price."""
    def row(r):
        return f'''<tr><td><a href="{r.href()}">{r.img('width="100"')}</a></td><td><a href="{r.href()}">{r.name()}</a><div>{join(', ', r.n('colour'), r.n('fuel_type'), r.gears())}</div></td>
<td>{r.year()}</td><td>{r.miles('')}</td><td><strong>{r.price()}</strong></td></tr>'''
    return f'''<table class="stock"><thead><tr><th></th><th>Car</th><th>Year</th><th>Miles</th><th>Price</th></tr></thead><tbody>{each(items, row)}</tbody></table>'''


@cars(4, missing={'doors': .3, 'colour': .3, 'owners': .4, 'mpg': .3})
def definition_each(items, site):
    """A block each with a dl of labels and values."""
    def box(r):
        def pair(label, html):
            return some(f'<dt>{label}:</dt><dd>{{}}</dd>', html)
        return f'''<div class="offer"><h2><a href="{r.href()}">{r.name('trim')}</a></h2><a href="{r.href()}">{r.img()}</a><dl>{pair('Year', r.year())}{pair('Mileage', r.miles())}
{pair('Fuel', r.n('fuel_type'))}{pair('Gearbox', r.gears())}{pair('Doors', r.n('doors'))}{pair('Colour', r.n('colour'))}{pair('MPG', r.n('mpg'))}</dl><p class="sum">{r.price()}</p></div>'''
    return f'<div class="offers">{each(items, box)}</div>'


@cars(6, missing={'colour': .3, 'description': .3})
def microdata(items, site):
    """Articles with microdata; meta elements repeat what is shown."""
    def article(r):
        return f'''<article itemscope itemtype="https://schema.org/Car"><h3 itemprop="name"><a itemprop="url" href="{r.href()}">{r.name()}</a></h3>{r.img('itemprop="image"')}
<meta itemprop="vehicleIdentificationNumber" content="X{r.raw('id')}"><ul><li itemprop="mileageFromOdometer">{r.miles()}</li><li itemprop="fuelType">{r.n('fuel_type')}</li>
<li itemprop="vehicleTransmission">{r.gears()}</li>{some('<li itemprop="color">{}</li>', r.n('colour'))}</ul><p itemprop="offers" itemscope><span itemprop="price" content="{r.raw('number')}">{r.price()}</span></p></article>'''
    return f'<section class="inventory">{each(items, article)}</section>'


@cars(8, old=True, missing={'colour': .3})
def two_rows(items, site):
    """Two rows a record: title and price, then the photo and a run of facts."""
    def rows(r):
        return f'''<tr class="h"><th colspan="2" align="left"><a href="{r.href()}">{r.name()}</a></th><th>{r.price()}</th></tr>
<tr class="d"><td>{r.img('width="90"')}</td><td colspan="2">{r.specs(', ', 'plate', 'miles', 'fuel_type', 'gears', 'colour')}</td></tr>'''
    return f'<table cellpadding="3"><tbody>{each(items, rows)}</tbody></table>'


@cars(10, missing={'doors': .3, 'colour': .3})
def head_and_body(items, site):
    """Two blocks a record in one parent: a head with title and price, a body with the rest."""
    def pair(r):
        return f'''<div class="vehicle-head"><h3>{r.name('short')}</h3><span>{r.price()}</span></div>
<div class="vehicle-body"><a href="{r.href()}">{r.img()}</a><ul><li>{r.year(True)}</li><li>{r.miles()}</li><li>{r.n('fuel_type')}</li>{some('<li>{}</li>', r.w('doors', 'door'))}</ul>
<p>{join(', ', r.dealer(), r.town())}</p></div>'''
    return f'<div class="vehicles">{each(items, pair)}</div>'


@cars(12, missing={'colour': .2, 'doors': .4})
def picture_icons(items, site):
    """Most facts only in the alt text of icons, in table rows."""
    def icon(name, r):
        return f'<img src="/icons/{name}.gif" alt="{value(name, escape(r.raw(name)))}" width="16">' if r.has(name) else ''

    def row(r):
        return f'''<tr><td>{r.img('width="80"')}</td><td><p><a href="{r.href()}">{r.name('trim')}</a></p><p>{icon('fuel_type', r)}{icon('transmission', r)}{icon('body_type', r)}{icon('colour', r)}</p></td>
<td><p>{r.miles()}</p><p>{r.year()}</p></td><td><p>{r.price()}</p></td></tr>'''
    return f'<table class="icons"><tbody>{each(items, row)}</tbody></table>'


@cars(14, missing={'colour': .3, 'seats': .4})
def link_cards(items, site):
    """The whole card is one link with spans."""
    def card(r):
        return f'''<li><a href="{r.href()}"><span class="i">{r.img()}</span><span class="n">{r.name('trim')}</span><span class="s">{r.specs(' • ', 'age', 'miles', 'gears')}</span>
<span class="s">{join(' • ', r.n('fuel_type'), r.n('colour'), r.w('seats', 'seat'))}</span><span class="p">{r.price()}</span></a></li>'''
    return f'<ul>{each(items, card)}</ul>'


@cars(16, missing={'doors': .3, 'colour': .2, 'road_tax': .4})
def numbered_labels(items, site):
    """A numbered list with labels in bold and values as bare text."""
    def item(r):
        def pair(label, html):
            return some(f'<strong>{label}</strong> {{}}; ', html)
        return f'''<li><h4><a href="{r.href()}">{r.name()}</a></h4><p>{pair('Year', r.year())}{pair('Mileage', r.miles())}{pair('Fuel', r.n('fuel_type'))}
{pair('Tax', r.tax())}{pair('Colour', r.n('colour'))}<strong>Price</strong> {r.price()}</p></li>'''
    return f'<ol>{each(items, item)}</ol>'


@cars(18, old=True, missing={'colour': .3, 'description': .3})
def table_each(items, site):
    """A table each with a caption, siblings in one parent."""
    def table(r):
        return f'''<table class="car" border="1"><caption>{r.name()}</caption><tbody><tr><td rowspan="3"><a href="{r.href()}">{r.img('width="120"')}</a></td><td>Price</td><td><b>{r.price()}</b></td></tr>
<tr><td>Mileage</td><td>{r.miles()}</td></tr><tr><td>Fuel</td><td>{r.n('fuel_type')}</td></tr></tbody></table>'''
    return f'<div>{each(items, table)}</div>'


@cars(20, old=True, count=(8, 24), missing={})
def rows_apart(items, site):
    """Three columns; a row of titles, a row of photos, a row of prices: a record's parts lie apart."""
    def title(r):
        return f'<td><b>{r.name("trim")}</b></td>'

    def photo(r):
        return f'<td><a href="{r.href()}">{r.img()}</a></td>'

    def facts(r):
        return f'<td>{r.specs(", ", "age", "miles", "fuel_type")}<br><font color="red">{r.price("entity")}</font></td>'
    rows = ''.join(''.join(f'<tr>{each(row, make)}</tr>\n' for make in (title, photo, facts)) for row in chunks(items, 3))
    return f'<table width="100%"><tbody>{rows}</tbody></table>'


@cars(22, missing={'colour': .3, 'description': .3})
def one_definition_list(items, site):
    """One dl for all: dt is the title, several dd follow."""
    def sequence(r):
        return f'''<dt><a href="{r.href()}">{r.name()}</a></dt>
<dd>{r.specs(', ', 'age', 'miles', 'fuel_type', 'gears', 'colour')}</dd><dd>{r.old('<s>{}</s> ')}<b>{r.price()}</b></dd>{some('<dd>{}</dd>', r.text(2))}'''
    return f'<dl>{each(items, sequence)}</dl>'
