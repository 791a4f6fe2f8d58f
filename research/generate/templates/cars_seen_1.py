"""Car templates t01 to t21, odd ("seen"). Each is of another tag structure."""
from functools import partial

from marks import escape, join, maybe, some

from templates.base import chunks, each, template

cars = partial(template, 'used-cars')


@cars(1, missing={'doors': .2, 'colour': .3})
def spec_items(items, site):
    """List items; the attributes are items of an inner list without labels."""
    def item(r):
        specs = ''.join(f'<li>{text}</li>' for text in (r.year(True), r.miles(), r.gears(), r.n('fuel_type'), r.n('body_type'), r.n('colour')) if text)
        return f'''<li class="vehicle"><a href="{r.href()}" class="pic">{r.img()}</a><h2><a href="{r.href()}">{r.name()}</a></h2>
<ul class="key-specs">{specs}</ul><div class="price-box">{r.price()}</div><p class="seller">{r.dealer()} - {r.seat('place', 'county')}</p></li>'''
    return f'<ul class="search-results">{each(items, item, site=site, advert="<li class=promo><p>{}</p></li>")}</ul>'


@cars(3, missing={'description': .2})
def text_run(items, site):
    """Blocks with the attributes in one text: 2015 | 41,250 miles | Petrol | Manual."""
    def box(r):
        return f'''<div class="car"><div class="car-img"><a href="{r.href()}">{r.img()}</a></div><div class="car-txt"><h3><a href="{r.href()}">{r.name('trim')}</a></h3>
<p class="spec">{r.specs(' | ', 'age', 'miles', 'fuel_type', 'gears')}</p><p class="about">{r.text(2)}</p></div>
<div class="car-cost"><span class="now">{r.price()}</span>{some('<span class="was">Was {}</span>', r.old('{}'))}</div></div>'''
    return f'<div id="stock">{each(items, box)}</div>'


@cars(5, missing={'owners': .4, 'colour': .3})
def flat_sequence(items, site):
    """No element around a record: h2, a photo paragraph, a list, a price paragraph."""
    def sequence(r):
        lines = ''.join(f'<li>{text}</li>' for text in (r.plate('plate'), r.miles(), r.n('colour'), r.w('owners', 'owner')) if text)
        return f'''<h2>{r.name()}</h2>
<p><a href="{r.href()}">{r.img('width="160"')}</a></p>
<ul>{lines}</ul>
<p><b>{r.price()}</b> <a href="{r.href()}">More about this car</a></p>'''
    return f'<div>{each(items, sequence)}</div>'


@cars(7, old=True, count=(7, 22), missing={'colour': .3})
def grid_two(items, site):
    """Two columns in a table with a small table in every cell; the last row may be short."""
    def cell(r):
        return f'''<td width="50%"><table cellpadding="2"><tbody><tr><td colspan="2"><b>{r.name('trim')}</b></td></tr><tr><td><a href="{r.href()}">{r.img('width="110"')}</a></td>
<td><font size="2">{join('<br>', r.year(), r.miles(), r.n('fuel_type'), r.n('colour'))}<br><b>{r.price('entity')}</b></font></td></tr></tbody></table></td>'''
    rows = ''.join(f'<tr valign="top">{each(row, cell)}</tr>\n' for row in chunks(items, 2))
    return f'<table width="100%"><tbody>{rows}</tbody></table>'


@cars(9, missing={'doors': .3, 'owners': .5, 'engine_size': .2})
def four_column_specs(items, site):
    """A block with a table of label, value, label, value."""
    def box(r):
        def pair(label, html):
            return f'<th>{label}</th><td>{html or "n/a"}</td>'
        return f'''<div class="ad"><div class="ad-head"><h3><a href="{r.href()}">{r.name('short')}</a></h3><div class="ad-price">{r.price()}</div></div>
<table class="ad-specs"><tbody><tr>{pair('Year', r.year())}{pair('Mileage', r.miles(''))}</tr><tr>{pair('Fuel', r.n('fuel_type'))}{pair('Gearbox', r.gears())}</tr>
<tr>{pair('Engine', r.litres(' litre'))}{pair('Doors', r.n('doors'))}</tr><tr>{pair('Owners', r.n('owners'))}{pair('Colour', r.n('colour'))}</tr></tbody></table></div>'''
    return f'<div class="ads">{each(items, box)}</div>'


@cars(11, old=True, missing={'colour': .3, 'doors': .3})
def font_cells(items, site):
    """Rows with font elements and lines separated by br; end tags of cells and rows left out."""
    def row(r):
        return f'''<tr><td width=120><a href="{r.href()}">{r.img('width=110 border=0')}</a>
<td><font face="Verdana" size=2><b>{r.name('caps')}</b><br>{r.miles()}, {r.plate('reg')}<br>{join(', ', r.n('colour'), r.w('doors', 'door', 'door'), r.n('fuel_type'))}</font>
<td align=right><font color=#cc0000 size=4>{r.price('entity')}</font>
'''
    return f'<table border=0 cellspacing=3 width="100%">{each(items, row)}</table>'


@cars(13, old=True, missing={'colour': .2, 'owners': .4})
def classifieds(items, site):
    """Private adverts: one paragraph per record with everything in it."""
    def paragraph(r):
        return f'''<p>{r.story()} Tel {r.raw('phone')} ({r.town()}) <a href="{r.href()}">See advert</a></p>'''
    return f'<div class="classified">{each(items, paragraph)}</div>'


@cars(15, missing={'mpg': .3, 'description': .3})
def finance_aside(items, site):
    """Sections with an aside that shows a monthly rate next to the price."""
    def section(r):
        return f'''<section><header><h2><a href="{r.href()}">{r.name()}</a></h2></header><figure>{r.img()}</figure><div><p>{r.specs(', ', 'age', 'miles', 'fuel_type', 'gears', 'mpg')}</p>
{some('<p>{}</p>', r.text(2, '...'))}</div><aside><strong>{r.price()}</strong><p>or <b>{r.monthly()}</b> per month</p><button>Enquire</button></aside></section>'''
    return each(items, section)


@cars(17, old=True, missing={'colour': .3, 'emissions': .3})
def three_rows(items, site):
    """Three rows per record, and the photo spans them; the last row is an empty line."""
    def rows(r):
        return f'''<tr><td rowspan="2"><a href="{r.href()}">{r.img('width="130"')}</a></td><td><b>{r.name('full')}</b></td><td rowspan="2"><b>{r.price()}</b></td></tr>
<tr><td>{r.specs(', ', 'age', 'miles', 'fuel_type', 'colour')}{some(', CO2 {}', r.w('emissions', 'g/km', 'g/km'))}</td></tr>
<tr><td colspan="3"><hr></td></tr>'''
    return f'<table><tbody>{each(items, rows)}</tbody></table>'


@cars(19, missing={'doors': .4, 'power': .3}, count=(7, 23))
def hashed_cards(items, site):
    """Cards in rows of four with compiled class names and spans."""
    c = site.cls

    def card(r):
        specs = ''.join(f'<span class="{c("chip")}">{text}</span>' for text in (r.year(), r.miles(), r.n('fuel_type'), r.w('power', 'bhp', 'bhp', space='')) if text)
        return f'''<div class="{c('card')}"><a class="{c('a')}" href="{r.href()}"><span class="{c('img')}">{r.img()}</span><span class="{c('name')}">{r.name('trim')}</span></a>
<div class="{c('chips')}">{specs}</div><div class="{c('foot')}"><div class="{c('price')}">{r.price('split')}</div></div></div>'''
    return '\n'.join(f'<div class="{c("row")}">{each(row, card)}</div>' for row in chunks(items, 4))


@cars(21, missing={'colour': .3, 'doors': .3})
def flat_blocks(items, site):
    """Three blocks per record in one parent: a title bar, a text with the photo, a price bar."""
    def sequence(r):
        facts = join(', ', r.year(True), r.miles(), r.gears('speed'), r.n('colour'))
        return f'''<div class="bar">{r.name()} <span>{r.n('registration')}</span></div>
<div class="mid"><a href="{r.href()}">{r.img('width="180"')}</a> {maybe('description', f"{facts}. {escape(', '.join(r.features(3)))}.")}</div>
<div class="low">{r.old('<strike>{}</strike> ')}{r.price()}</div>'''
    return f'<div class="stocklist">{each(items, sequence)}</div>'
