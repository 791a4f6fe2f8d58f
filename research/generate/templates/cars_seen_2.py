"""Car templates t23 to t43, odd ("seen"). Each is of another tag structure."""
from functools import partial

from marks import escape, join, maybe, some, value

from templates.base import each, template

cars = partial(template, 'used-cars')


@cars(23, missing={'colour': .2, 'body_type': .3})
def figures(items, site):
    """Figures, not in a list; a heading and two lines in the caption."""
    def figure(r):
        return f'''<figure class="veh"><a href="{r.href()}">{r.img()}</a><figcaption><h4>{r.name('year')}</h4><div>{r.specs(' / ', 'miles', 'gears', 'fuel_type')}</div>
<div><strong>{r.price()}</strong> <small>{r.town()}</small></div></figcaption></figure>'''
    return f'<div class="veh-grid">{each(items, figure)}</div>'


@cars(25, missing={'colour': .2, 'owners': .4, 'mpg': .3})
def key_values(items, site):
    """Labels and values in spans, pair by pair."""
    def pair(label, html):
        return some(f'<p><span>{label}</span><span>{{}}</span></p>', html)

    def card(r):
        return f'''<article class="c"><div class="t"><a href="{r.href()}">{r.name('trim')}</a></div>{r.img()}<div class="p">{r.price()}</div>
<div class="kv">{pair('Registered', r.year())}{pair('Miles', r.miles(''))}{pair('Fuel type', r.n('fuel_type'))}{pair('Transmission', r.gears())}
{pair('Colour', r.n('colour'))}{pair('Economy', r.w('mpg', 'mpg', 'mpg'))}{pair('Keepers', r.n('owners'))}{pair('Engine', r.engine())}{pair('Road tax', r.tax())}</div></article>'''
    return f'<div>{each(items, card)}</div>'


@cars(27, missing={'doors': .3, 'seats': .4})
def compare_form(items, site):
    """A form with a fieldset per record; the legend is the title, the facts are in a paragraph with labels."""
    def fieldset(r):
        return f'''<fieldset><legend><a href="{r.href()}">{r.name()}</a></legend>{r.img('width="150"')}<p><b>Price:</b> {r.price()}<br><b>Miles:</b> {r.miles('')}<br>
<b>Fuel:</b> {r.n('fuel_type')}{some('<br><b>Doors:</b> {}', r.n('doors'))}{some('<br><b>Seats:</b> {}', r.n('seats'))}</p><input type="checkbox" name="c"></fieldset>'''
    return f'<form action="/compare">{each(items, fieldset)}</form>'


@cars(29, missing={'colour': .3, 'engine_size': .2})
def raised_currency(items, site):
    """Inline blocks only: spans in spans, the currency raised."""
    def row(r):
        return f'''<div class="line"><span class="name"><a href="{r.href()}">{r.name('short')}</a></span> <span class="bits"><span>{r.year()}</span> <span>{r.miles('mi')}</span>
{some('<span>{}</span> ', r.litres(' litre'))}{some('<span>{}</span>', r.n('colour'))}</span> <span class="amount">{r.price('sup')}</span></div>'''
    return f'<div class="lines">{each(items, row)}</div>'


@cars(31, missing={'colour': .3, 'doors': .2})
def custom_elements(items, site):
    """Custom elements, with the attributes as inner elements."""
    def car(r):
        return f'''<car-result><a href="{r.href()}" slot="media">{r.img()}</a><car-heading>{r.name()}</car-heading><car-spec>{r.year()}</car-spec><car-spec>{r.miles()}</car-spec>
<car-spec>{r.n('fuel_type')}</car-spec>{some('<car-spec>{}</car-spec>', r.n('colour'))}<car-price>{r.price()}</car-price></car-result>'''
    return f'<car-results>{each(items, car)}</car-results>'


@cars(33, count=(8, 24), missing={'description': .4})
def two_columns(items, site):
    """Two columns of cards, filled downwards."""
    def card(r):
        return f'''<div class="card"><div class="pic">{r.img()}<b class="tag">{r.price()}</b></div><div class="cap"><a href="{r.href()}">{r.name('year')}</a>
<em>{r.specs(' · ', 'miles', 'gears', 'fuel_type')}</em>{some('<p>{}</p>', r.text(1))}</div></div>'''
    half = -(-len(items) // 2)
    return '<div class="cols">' + ''.join(f'<div class="col-6">{each(part, card)}</div>' for part in (items[:half], items[half:])) + '</div>'


@cars(35, missing={'colour': .4, 'doors': .3})
def badges(items, site):
    """Articles with header, main part and footer; badges in a list, one of them may be the state."""
    def article(r):
        flags = ''.join(f'<li>{escape(text)}</li>' for text in ([r.raw('badge')] if r.raw('badge') else []) + r.features(2))
        return f'''<article><header><a href="{r.href()}"><h3>{r.name('short')}</h3><p>{join(' ', r.engine(), r.trim())}</p></a></header>{r.img()}
<ul class="flags">{flags}</ul><div class="facts"><span>{r.miles()}</span><span>{r.year(True)}</span><span>{r.gears()}</span><span>{r.n('fuel_type')}</span></div>
<footer><b>{r.price()}</b> <span>{r.dealer()}, {r.seat('place', 'county', 'postcode')}</span></footer></article>'''
    return f'<div class="stock">{each(items, article)}</div>'


@cars(37, missing={'colour': .3, 'power': .3})
def anonymous(items, site):
    """Blocks without a class, deep; drawings before the values."""
    icon = '<svg viewBox="0 0 4 4"><path d="M0 0h4"></path></svg>'

    def card(r):
        lines = ''.join(f'<div>{icon}<div><div>{text}</div></div></div>' for text in (r.miles(), r.n('fuel_type'), r.gears(), r.n('colour')) if text)
        return f'''<div><div><div><div><a href="{r.href()}">{r.img()}</a></div></div></div><div><div><div><a href="{r.href()}">{r.name('year')}</a></div></div><div>{lines}</div></div><div><div>{r.price()}</div></div></div>'''
    return f'<div><div><div>{each(items, card)}</div></div></div>'


@cars(39, old=True, missing={'colour': .2, 'owners': .3})
def centred(items, site):
    """Centred text, lines separated by br and hr, no element around a record."""
    def sequence(r):
        return f'''<font size="4"><a href="{r.href()}">{r.name('year')}</a></font><br>{r.img('width="200"')}<br>
<font size="2">{join(', ', r.n('colour'), r.n('fuel_type'), r.miles(), r.w('owners', 'previous owner'))}</font><br><font size="4" color="blue">{r.price('entity')}</font><hr>'''
    return f'<center>{each(items, sequence)}</center>'


@cars(41, missing={'mileage': .1, 'colour': .2, 'doors': .3})
def make_model_table(items, site):
    """One column per attribute, with make and model in separate columns."""
    def row(r):
        return f'''<tr><td>{r.img('width="60"')}</td><td>{maybe('title', r.n('make'))}</td><td>{maybe('title', r.n('model'))}</td><td>{r.year()}</td><td>{r.miles('') or '-'}</td><td>{r.n('fuel_type')}</td>
<td>{r.n('doors')}</td><td>{r.n('colour')}</td><td class="num">{r.price()}</td><td><a href="{r.href()}">Details</a></td></tr>'''
    return f'''<table><thead><tr><th></th><th>Make</th><th>Model</th><th>Year</th><th>Mileage</th><th>Fuel</th><th>Doors</th><th>Colour</th><th>Price</th><th></th></tr></thead>
<tbody>{each(items, row, site=site, advert='<tr class="ad"><td colspan="10">{}</td></tr>', every=8)}</tbody></table>'''


@cars(43, missing={'colour': .3, 'doors': .3})
def icon_titles(items, site):
    """Fuel and gearbox are only in the title of icons, the rest in the text."""
    def card(r):
        fuel = f'<i class="f" title="{value("fuel_type", r.raw("fuel_type"))}"></i>'
        gears = f'<i class="g" title="{value("transmission", r.raw("transmission"))}"></i>'
        return f'''<div class="tile"><h3><a href="{r.href()}">{r.name('full')}</a></h3><a href="{r.href()}">{r.img()}</a><div class="icons">{fuel}{gears}</div>
<div class="row"><span>{r.miles()}</span><span>{r.year()}</span></div><div class="pound">{r.price()}</div></div>'''
    return f'<section class="tiles">{each(items, card)}</section>'
