"""Property templates t02 to t22, even ("unseen"): not for developers of copal. Each is of another tag structure."""
from functools import partial

from marks import join, maybe, some, wide

from templates.base import chunks, each, template

homes = partial(template, 'real-estate')


@homes(2, missing={'bathrooms': .3, 'receptions': .4})
def list_cards(items, site):
    """List items with a block for the photo and one for the text; the rooms in an inner list."""
    def item(r):
        rooms = ''.join(f'<li>{text}</li>' for text in (r.w('bedrooms', 'bedroom'), r.w('bathrooms', 'bathroom'), r.w('receptions', 'reception')) if text)
        return f'''<li class="item"><div class="image"><a href="{r.href()}">{r.img()}</a></div><div class="info">
<h2><a href="{r.href()}">{r.titled(r.kind(str.title) + ', ' + r.street())}</a></h2><p class="addr">{r.address('place', 'county')}</p>
<ul class="rooms">{rooms}</ul><p class="price">{r.qualified()}</p><p class="agent">{r.branch(' - ')}</p></div></li>'''
    return f'<ul class="items">{each(items, item, site=site, advert="<li class=sponsor><a href=/out>{}</a></li>")}</ul>'


@homes(4, missing={'description': .2, 'bathrooms': .4})
def one_definition_list(items, site):
    """One dl for all: dt is the title, dd after dd the rest."""
    def sequence(r):
        return f'''<dt><a href="{r.href()}">{r.titled(r.kind_line(False))}</a></dt>
<dd>{r.address('street', 'place', 'postcode')}</dd><dd><em>{r.price()}</em></dd>{some('<dd>{}</dd>', r.text(2))}'''
    return f'<dl class="search">{each(items, sequence)}</dl>'


@homes(6, missing={'bathrooms': .3, 'description': .2})
def microdata(items, site):
    """Articles with microdata: meta elements repeat what is shown."""
    def article(r):
        return f'''<article itemscope itemtype="https://schema.org/Residence"><header><h3 itemprop="name"><a itemprop="url" href="{r.href()}">{r.titled(r.kind_line())}</a></h3></header>
<figure><a href="{r.href()}">{r.img('itemprop="image"')}</a></figure><p itemprop="address">{r.address('street', 'place', 'county')}</p>
<p itemprop="description">{r.text(2)}</p><footer itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="GBP">
<span itemprop="price" content="{r.raw('number')}">{r.price()}</span> <time>{r.raw('added')}</time></footer></article>'''
    return f'<section>{each(items, article)}</section>'


@homes(8, old=True, missing={'description': .1, 'receptions': .5})
def two_rows(items, site):
    """Two rows a record: title and price, then photo and text."""
    def rows(r):
        return f'''<tr bgcolor="#ccddee"><td colspan="2"><b><a href="{r.href()}">{r.titled(r.address('street', 'place'))}</a></b></td><td align="right"><b>{r.price()}</b></td></tr>
<tr><td>{r.img('width="100"')}</td><td>{r.text(2) or '&nbsp;'}</td><td>{join('<br>', r.kind(), r.w('bedrooms', 'bed', 'bed'), r.w('receptions', 'reception', 'reception'))}</td></tr>'''
    return f'<table width="640" cellpadding="4"><tbody>{each(items, rows)}</tbody></table>'


@homes(10, missing={'bathrooms': .3, 'receptions': .4, 'surface': .5})
def spec_table(items, site):
    """A block each with a table of one label and one value a row."""
    def box(r):
        def row(label, html):
            return some(f'<tr><th scope="row">{label}</th><td>{{}}</td></tr>', html)
        return f'''<div class="home"><h3>{r.headline()}</h3><a href="{r.href()}">{r.img('width="240"')}</a><table class="spec"><tbody>
{row('Address', wide('street_address', r.address('street', 'place')))}{row('Kind', r.kind())}{row('Bedrooms', r.n('bedrooms'))}{row('Bathrooms', r.n('bathrooms'))}
{row('Internal area', r.n('surface'))}{row('Guide', r.price())}</tbody></table></div>'''
    return f'<div class="homes">{each(items, box)}</div>'


@homes(12, missing={'bathrooms': .4})
def two_siblings(items, site):
    """Two blocks a record side by side in one parent: the photo, the details."""
    def pair(r):
        return f'''<div class="photo"><a href="{r.href()}">{r.img()}</a></div>
<div class="details"><h4><a href="{r.href()}">{r.titled(r.kind_line(False))}</a></h4><span class="loc">{r.address('place', 'county')}</span>
<span class="amount">{r.price()}</span>
{some('<span>{}</span>', r.w('bathrooms', 'bathroom'))}<p>{join(' | ', r.floor_plan('Floorplan'), r.map('View on map'))}</p></div>'''
    return f'<div class="listing">{each(items, pair)}</div>'


@homes(14, missing={'bathrooms': .3, 'receptions': .3, 'furnishing': .4}, rent=True)
def definition_each(items, site):
    """A section each with a dl of labels and values. Lettings."""
    def section(r):
        def pair(label, html):
            return some(f'<dt>{label}</dt><dd>{{}}</dd>', html)
        return f'''<section><h2><a href="{r.href()}">{r.titled(r.address('street', 'place'))}</a></h2><dl>{pair('Rent', r.price('plain', 'per month'))}
{pair('Property type', r.kind())}{pair('Bedrooms', r.n('bedrooms'))}{pair('Bathrooms', r.n('bathrooms'))}{pair('Furnished?', r.n('furnishing'))}</dl></section>'''
    return each(items, section)


@homes(16, missing={'bathrooms': .3, 'receptions': .4})
def prose(items, site):
    """Everything in a sentence: number words, the place in the text; the price is bold at the end."""
    def item(r):
        return f'''<div class="ad"><h5>{r.headline()}</h5><p>{wide('description', f'{r.story()} <strong>{r.price()}</strong> <a href="{r.href()}">Details and viewing</a>')}</p></div>'''
    return f'<div class="ads">{each(items, item)}</div>'


@homes(18, missing={'bathrooms': .4, 'description': .3})
def numbered(items, site):
    """A numbered list with bold and italic runs, no blocks inside."""
    def item(r):
        return f'''<li><b><a href="{r.href()}">{r.titled(r.address('street', 'place'))}</a></b> <i>{r.kind()}</i>{wide('description', f", {r.rooms(', ', 'short')}. {r.text(1)}")} <big>{r.price()}</big></li>'''
    return f'<ol>{each(items, item)}</ol>'


@homes(20, old=True, count=(8, 24))
def rows_apart(items, site):
    """Four columns; a row of photos, then a row of prices and texts: a record's parts lie apart."""
    def top(r):
        return f'<td align="center"><a href="{r.href()}">{r.img("width=150")}</a></td>'

    def below(r):
        return f'''<td align="center"><b>{r.price('entity')}</b><br><small>{maybe('title', r.w('bedrooms', 'bed', 'bed') + ' ' + r.kind(str))}<br>{r.settlement()}</small></td>'''
    rows = ''.join(f'<tr>{each(row, top)}</tr>\n<tr>{each(row, below)}</tr>\n' for row in chunks(items, 4))
    return f'<table width="100%" cellspacing="4"><tbody>{rows}</tbody></table>'


@homes(22, missing={'bathrooms': .4, 'postcode': .3, 'receptions': .5})
def data_table(items, site):
    """A column an attribute."""
    def row(r):
        return f'''<tr><td>{r.raw('id')}</td><td>{maybe('title', r.street())}</td><td>{r.settlement()}</td><td>{r.postcode('outward')}</td><td>{r.kind()}</td>
<td>{r.n('bedrooms')}</td><td>{r.n('bathrooms')}</td><td>{r.n('receptions')}</td><td>{r.price()}</td><td><a href="{r.href()}">view</a></td></tr>'''
    return f'''<table id="grid"><thead><tr><th>Ref</th><th>Street</th><th>Town</th><th>Postcode</th><th>Type</th><th>Beds</th><th>Baths</th><th>Recs</th>
<th>Price</th><th></th></tr></thead><tbody>{each(items, row)}</tbody></table>'''
