"""The frame of a page: doctype, head, header, columns, footer. Which one a template has is fixed by its number.

In: a Site and the HTML of the list. Out: page(site, listing) -> the whole page.
"""
import side
from marks import escape
from website import SMALL


# Headers

def header_plain(site):
    links = ''.join(f'<li>{site.link(word)}</li>' for word in site.menu)
    return f'<div id="header"><a href="/" id="logo">{escape(site.name)}</a><ul id="nav">{links}</ul></div>'


def header_semantic(site):
    links = '\n'.join(site.link(word) for word in site.menu)
    return f'<header><a href="/"><img src="/logo.svg" alt="{escape(site.name)}"></a>\n<nav>{links}</nav></header>'


def header_bar(site):
    links = ' '.join(f'<span>{site.link(word)}</span>' for word in site.menu)
    return (f'<div class="top"><div class="tel">Call us on 01632 960 123</div><form action="/find"><input name="q" '
            f'placeholder="Search"><button>Go</button></form></div>\n<div class="menu">{links}</div>')


def header_nested(site):
    half = len(site.menu) // 2
    below = ''.join(f'<li>{site.link(word)}</li>' for word in site.menu[half:])
    top = ''.join(f'<li>{site.link(word)}</li>' for word in site.menu[:half])
    return (f'<header class="site-header"><div class="container"><button aria-label="Menu">&#9776;</button><nav><ul>{top}'
            f'<li><a href="#">More</a><ul>{below}</ul></li></ul></nav></div></header>')


def header_title(site):
    links = ' | '.join(site.link(word) for word in site.menu)
    return f'<div><h1>{escape(site.name)}</h1><p>Established 1987</p><div>{links}</div></div>'


def header_crumbs(site):
    return (f'<div class="brand">{site.link(site.name)}</div><ol class="crumbs"><li><a href="/">Home</a></li>'
            f'<li><a href="/search">Search</a></li><li>{site.title}</li></ol>')


def header_table(site):
    cells = ''.join(f'<td>{site.link(word)}</td>' for word in site.menu)
    return (f'<table width="100%" border="0"><tbody><tr><td><img src="/gfx/logo.gif" alt="{escape(site.name)}"></td></tr></tbody>'
            f'</table><table width="100%" bgcolor="#003366"><tbody><tr>{cells}</tr></tbody></table>')


def header_center(site):
    links = ' &middot; '.join(site.link(word) for word in site.menu)
    return f'<center><font size="6">{escape(site.name)}</font><br>{links}</center><hr>'


# Footers

def footer_links(site):
    links = ''.join(f'<li>{site.link(word)}</li>' for word in site.footer)
    return f'<div id="footer"><ul>{links}</ul><p>&copy; 2024 {escape(site.name)}</p></div>'


def footer_columns(site):
    columns = ''.join(
        f'<div><h5>{head}</h5>' + ''.join(f'<a href="#">{escape(word)}</a>' for word in words) + '</div>'
        for head, words in (('Company', site.footer), ('Popular areas', site.places())))
    return f'<footer><div class="cols">{columns}</div><small>All rights reserved</small></footer>'


def footer_line(site):
    return f'<p align="center"><font size="1">&copy; {escape(site.name)}. Prices correct when published. E&amp;OE.</font></p>'


def footer_address(site):
    return (f'<footer><address>{escape(site.name)}, 4 Market Hall, Anytown</address><p>Tel 01632 960 999</p>'
            f'<p>{" ".join(site.link(word) for word in site.footer)}</p></footer>')


def no_footer(site):
    return '<script>window.loaded = 1;</script>'


# Columns: where the list, the filters and the side list are placed

def one_column(main, filters, aside):
    return f'{filters}\n{main}\n{aside}'


def left_column(main, filters, aside):
    return f'<div class="wrap"><div class="left">{filters}\n{aside}</div>\n<div class="right">{main}</div></div>'


def right_aside(main, filters, aside):
    return f'<div class="page">{filters}<main>{main}</main>\n<aside>{aside}</aside></div>'


def deep(main, filters, aside):
    return (f'<div id="root"><div><div><section>{filters}</section><div><div><div>{main}</div></div></div></div></div>'
            f'<div>{aside}</div></div>')


def above(main, filters, aside):
    return f'<div class="hero">{aside}{filters}</div>\n<main id="content">{main}</main>'


def table_columns(main, filters, aside):
    return (f'<table width="780" align="center" cellspacing="0"><tbody><tr valign="top"><td width="170">{filters}{aside}</td>\n'
            f'<td>{main}</td></tr></tbody></table>')


def table_single(main, filters, aside):
    return f'{filters}<table width="95%"><tbody><tr><td>{main}</td></tr></tbody></table>{aside}'


DOCTYPES = ['<!DOCTYPE html>', '<!doctype html>', '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" '
            '"http://www.w3.org/TR/html4/strict.dtd">']
HEADERS = [header_plain, header_semantic, header_bar, header_nested, header_title, header_crumbs]
OLD_HEADERS = [header_table, header_center, header_title, header_plain]
FOOTERS = [footer_links, footer_columns, footer_address, no_footer]
OLD_FOOTERS = [footer_line, footer_links]
COLUMNS = [one_column, left_column, right_aside, deep, above]
OLD_COLUMNS = [table_columns, table_single, one_column]
HEADINGS = ['<h1>{}</h1>', '<h2>{}</h2>', '<div class="title">{}</div>', '', '<h1 class="page-title"><span>{}</span></h1>']


def parts(site):
    """The functions that make this template's frame, the same for all its pages."""
    taste, old = site.taste, site.old
    return {
        'doctype': taste.choice(DOCTYPES[2:] if old else DOCTYPES[:2]),
        'header': taste.choice(OLD_HEADERS if old else HEADERS),
        'columns': taste.choice(OLD_COLUMNS if old else COLUMNS),
        'filters': taste.choice(side.OLD_FILTERS if old else side.FILTERS),
        'aside': taste.choice(side.OLD_SIDE_LISTS if old else side.SIDE_LISTS),
        'bar': taste.choice(side.OLD_BARS if old else side.BARS),
        'pager': taste.choice(side.OLD_PAGERS if old else side.PAGERS),
        'footer': taste.choice(OLD_FOOTERS if old else FOOTERS),
        'heading': taste.choice(HEADINGS),
        'twice': taste.random() < .25,
    }


def page(site, listing):
    """The whole page around a list."""
    site.footer = site.taste.sample(SMALL, 4)
    chosen = parts(site)
    pager = chosen['pager'](site)
    main = '\n'.join(part for part in (
        chosen['heading'].replace('{}', escape(site.title)), chosen['bar'](site), pager if chosen['twice'] else '',
        listing, pager) if part)
    body = chosen['columns'](main, chosen['filters'](site), chosen['aside'](site))
    head = f'<meta charset="utf-8"><title>{escape(site.title)} | {escape(site.name)}</title>'
    if not site.old:
        head += '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">'
    return (f'{chosen["doctype"]}\n<html lang="en"><head>{head}</head>\n<body>\n{chosen["header"](site)}\n{body}\n'
            f'{chosen["footer"](site)}\n</body></html>\n')
