"""Car templates t24 to t44, even ("unseen"): not for developers of copal. Each is of another tag structure."""
from functools import partial

from marks import escape, join, some

from templates.base import chunks, each, template

cars = partial(template, 'used-cars')


@cars(24, missing={'colour': .3, 'power': .3})
def table_in_item(items, site):
    """List items with a table of one row inside."""
    def item(r):
        return f'''<li><table><tbody><tr><td>{r.img('width="140"')}</td><td><h5><a href="{r.href()}">{r.name('full')}</a></h5><span>{r.specs(', ', 'age', 'miles')}</span><br>
<span>{r.specs(', ', 'fuel_type', 'gears', 'power')}</span></td><td><em>{r.price()}</em></td></tr></tbody></table></li>'''
    return f'<ul class="plain">{each(items, item)}</ul>'


@cars(26, count=(9, 25), missing={'colour': .3})
def grouped(items, site):
    """Blocks under headings by the day they came in: records in several parents."""
    def row(r):
        return f'''<div class="r"><a href="{r.href()}">{r.name('trim')}</a><span>{r.specs(', ', 'age', 'miles', 'fuel_type')}</span><b>{r.price()}</b></div>'''
    heads = ('New today', 'New this week', 'Earlier stock', 'Older stock')
    groups = chunks(items, max(3, len(items) // 3))
    return '\n'.join(f'<section><h2>{heads[min(at, 3)]}</h2><div>{each(group, row)}</div></section>' for at, group in enumerate(groups))


@cars(28, missing={'colour': .3, 'doors': .3, 'owners': .5})
def body_each(items, site):
    """One table, a tbody each with a head row and rows of labels and values."""
    def body(r):
        def row(label, html):
            return some(f'<tr><td></td><td>{label}</td><td>{{}}</td></tr>', html)
        return f'''<tbody><tr><th colspan="2"><a href="{r.href()}">{r.name()}</a></th><th>{r.price()}</th></tr>{row('Year', r.year(True))}{row('Mileage', r.miles())}{row('Fuel', r.n('fuel_type'))}
{row('Colour', r.n('colour'))}{row('Owners', r.n('owners'))}{row('Engine', r.engine())}</tbody>'''
    return f'<table class="sheet">{each(items, body)}</table>'


@cars(30, missing={'colour': .3, 'body_type': .3})
def all_links(items, site):
    """Every fact is a link to other cars with it."""
    def card(r):
        links = ' '.join(f'<a href="/with/{at}">{text}</a>' for at, text in enumerate((
            r.year(), r.n('fuel_type'), r.gears(), r.n('body_type'), r.n('colour'))) if text)
        return f'''<div><h4><a href="{r.href()}">{r.name('short')}</a></h4><a href="{r.href()}">{r.img()}</a><p>{links}</p><p>{r.miles()} <strong>{r.price()}</strong></p></div>'''
    return f'<div class="browse">{each(items, card)}</div>'


@cars(32, missing={'description': .2, 'colour': .3})
def details_elements(items, site):
    """details and summary elements."""
    def details(r):
        return f'''<details><summary>{r.name('year')} <mark>{r.price()}</mark></summary><a href="{r.href()}">{r.img()}</a><p>{r.specs(', ', 'miles', 'fuel_type', 'gears', 'colour')}</p>
{some('<p>{}</p>', r.text(2))}</details>'''
    return f'<div>{each(items, details)}</div>'


@cars(34, old=True, missing={'colour': .3, 'doors': .3})
def spacer_rows(items, site):
    """A row each with cells of one fact, and spacer rows between."""
    def row(r):
        return f'''<tr><td>{r.img('width="70"')}</td><td><b><a href="{r.href()}">{r.name('caps')}</a></b></td><td>{r.plate('reg')}</td><td>{r.miles()}</td><td>{r.gears()}</td><td>{r.price()}</td></tr>'''
    return f'<table border="0"><tbody>{each(items, row, between="<tr><td colspan=6 height=4 bgcolor=#cccccc></td></tr>")}</tbody></table>'


@cars(36, missing={'doors': .3, 'colour': .3, 'engine_size': .2})
def nested_lists(items, site):
    """Lists in lists, labels with a colon."""
    def item(r):
        def line(label, html):
            return some(f'<li>{label}: {{}}</li>', html)
        return f'''<li>{r.name('short')}<ul><li><a href="{r.href()}">{r.img()}</a></li><li>Facts<ul>{line('First registered', r.year())}{line('Mileage', r.miles())}{line('Engine', r.cc())}{line('Doors', r.n('doors'))}</ul></li>
<li><b>{r.price()}</b></li></ul></li>'''
    return f'<ul class="tree">{each(items, item)}</ul>'


@cars(38, missing={'colour': .3, 'emissions': .3, 'mpg': .3, 'road_tax': .3})
def heading_table(items, site):
    """No element around a record: h4, table, p."""
    def sequence(r):
        return f'''<h4><a href="{r.href()}">{r.name()}</a></h4>
<table><tbody><tr><td>{r.year()}</td><td>{r.miles()}</td><td>{r.n('fuel_type')}</td><td>{r.n('colour') or '&nbsp;'}</td></tr></tbody></table>
<p>{join(', ', r.w('mpg', 'mpg', 'mpg'), r.w('emissions', 'g/km', 'g/km'), some('tax {}', r.tax()))}. <b>{r.price()}</b></p>'''
    return f'<div class="list">{each(items, sequence)}</div>'


@cars(40, missing={'colour': .3, 'description': .4})
def was_now(items, site):
    """Sections in two columns with was, now and save."""
    def section(r):
        was = f"<li>Was <span>{r.old('{}')}</span></li>" if r.old() else ''
        save = f"<li>Save £{r.raw('old') - r.raw('number'):,}</li>" if r.old() else ''
        return f'''<section><div><a href="{r.href()}">{r.img()}</a></div><div><h3>{r.name('comma')}</h3><p>{r.specs(', ', 'age', 'miles', 'gears')}</p><ul>{was}<li>Now <b>{r.price()}</b></li>{save}</ul></div></section>'''
    return f'<div class="deals">{each(items, section)}</div>'


@cars(42, missing={'colour': .2, 'owners': .4, 'registration': .3})
def registration_lines(items, site):
    """Paragraphs in a block, one a fact, with the number plate; adverts between; prices with pence."""
    def box(r):
        return f'''<div><p><a href="{r.href()}"><strong>{r.name('trim')}</strong></a></p>{some('<p>Reg: {}</p>', r.n('registration'))}<p>{r.miles()}</p><p>{join(', ', r.n('colour'), r.n('fuel_type'))}</p>
<p>{r.price('dot00')}</p><p>{r.img()}</p></div>'''
    return f'<div>{each(items, box, site=site, advert="<div><p>{}</p></div>", every=4)}</div>'


@cars(44, missing={'colour': .3, 'owners': .3})
def seller_first(items, site):
    """The seller with its town and postcode stands first, the price before the title; inner lists of equipment."""
    def item(r):
        extra = ''.join(f'<li>{escape(text)}</li>' for text in r.features(3))
        return f'''<li><div><small>{r.dealer()}</small><address>{r.seat('place', 'county', 'postcode')}</address></div><div><b>{r.price()}</b><h3><a href="{r.href()}">{r.name('full')}</a></h3>
<q>{r.specs(', ', 'age', 'miles', 'fuel_type', 'gears')}</q><ul>{extra}</ul></div></li>'''
    return f'<ol class="ads">{each(items, item)}</ol>'
