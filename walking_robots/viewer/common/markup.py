"""Pieces of text that the status parts of all pages are made of."""

import html
import math
from collections.abc import Iterable

from walking_robots.viewer.common.colours import Colour, Grade, css

# No colour of its own for text: the page may be light or dark.
TEXT = 'font-size:13px;line-height:1.45;padding:2px 12px 8px 12px;'
FAINT = 'opacity:0.68;'
EMPTY = 'rgba(128,136,150,0.25)'
NUMERIC = 'font-variant-numeric:tabular-nums;'
ONE_LINE = 'overflow:hidden;text-overflow:ellipsis;white-space:nowrap;'


def section(name: str, body: str, look: str = '') -> str:
    """Return a part of the status called `name`."""
    return f'<div id="{name}" style="{TEXT}{look}">{body}</div>'


def heading(words: str, look: str = '') -> str:
    """Return safe words as a large heading."""
    return f'<div style="font-size:17px;font-weight:600;{look}">{words}</div>'


def title(words: str, remark: str = '') -> str:
    """Return the headline of a part, with a remark that does not stand out."""
    more = f' <span style="{FAINT}font-size:12px">{remark}</span>' if remark else ''
    return f'<div style="{TEXT}padding-bottom:0"><b>{words}</b>{more}</div>'


def faint(words: str, look: str = '') -> str:
    """Return safe words that do not stand out."""
    return f'<span style="{FAINT}{look}">{words}</span>'


def and_more(count: int, words: str = 'more') -> str:
    """Return how many entries of a list are left out; nothing for none."""
    return f'<div style="{FAINT}">and {count} {words}</div>' if count > 0 else ''


def dot(colour: Colour, look: str = 'width:10px;height:10px;border-radius:5px') -> str:
    """Return a dot of a colour."""
    return f'<span style="display:inline-block;{look};background:{css(colour)}"></span>'


def number(value: float, digits: int, sign: str = '') -> str:
    """Return a number, a dash for NaN; `sign` '+' gives positive ones one."""
    if math.isnan(value):
        return '–'
    shown = round(value, digits) + 0.0
    return f'{shown:{sign if shown else ""}.{digits}f}'


def event(time: str, words: str, age: int) -> str:
    """Return when something was and what, both safe, the fainter the more came after it."""
    return (
        f'<div style="display:flex;gap:8px;opacity:{1.0 - 0.16 * age:.2f}"><span style="'
        f'min-width:48px;white-space:nowrap;text-align:right;{NUMERIC}">{time}</span>'
        f'<span>{words}</span></div>'
    )


def cards(cells: Iterable[str]) -> str:
    """Return cards in two columns."""
    return (
        '<div style="display:grid;grid-template-columns:1fr 1fr;gap:5px;margin-top:4px">'
        f'{"".join(cells)}</div>'
    )


def card(colour: Colour, name: str, remark: str, body: str, look: str = '') -> str:
    """Return a card with a coloured edge; all texts are safe."""
    return (
        f'<div style="{look}border:1px solid {EMPTY};border-top:4px solid {css(colour)};'
        f'border-radius:5px;padding:3px 7px"><b>{name}</b> {faint(remark)}{body}</div>'
    )


def bar(name: str, share: float, grade: Grade, words: str, marks: tuple[float, ...] = ()) -> str:
    """Return a labelled bar; `share` (NaN where unknown) and `marks` are shares of its length."""
    if math.isnan(share):
        share, grade, words = 0.0, Grade.UNKNOWN, '–'
    width = 100.0 * min(max(share, 0.0), 1.0)
    lines = ''.join(
        f'<div style="position:absolute;left:{100 * mark:.1f}%;top:0;bottom:0;'
        f'width:1px;background:currentColor"></div>'
        for mark in marks
    )
    return (
        f'<div style="display:flex;align-items:center;gap:6px;font-size:12px">'
        f'<span style="{FAINT}min-width:34px">{name}</span><div style="flex:1;height:9px;'
        f'position:relative;background:{EMPTY};border-radius:3px;overflow:hidden"><div '
        f'style="width:{width:.1f}%;height:100%;background:{css(grade.value)}"></div>{lines}</div>'
        f'<b style="min-width:58px;text-align:right;{NUMERIC}">{words}</b></div>'
    )


def notice(words: str, grade: Grade) -> str:
    """Return a sentence that stands out; nothing for no words."""
    if not words:
        return ''
    return (
        f'<div style="margin-top:6px;padding:3px 8px;border-radius:4px;'
        f'border-left:4px solid {css(grade.value)};background:{EMPTY}">{safe(words)}</div>'
    )


def table(name: str, cells: Iterable[tuple[str, str]]) -> str:
    """Return names and values, both already safe, in two columns of an element called `name`."""
    items = ''.join(f'<div>{faint(label)} <b>{value}</b></div>' for label, value in cells)
    return section(
        name, items, f'display:grid;grid-template-columns:1fr 1fr;column-gap:10px;{NUMERIC}'
    )


def legend(entries: Iterable[tuple[Colour, str]], remark: str) -> str:
    """Return the meaning of every colour of a page, and a remark below."""
    items = ''.join(
        f'<div style="display:flex;gap:7px;align-items:center"><span style="width:13px;'
        f'height:13px;flex:none;border-radius:3px;border:1px solid {EMPTY};'
        f'background:{css(colour)}"></span>'
        f'{words}</div>'
        for colour, words in entries
    )
    return f'<div style="{TEXT}">{items}<div style="margin-top:4px;{FAINT}">{remark}</div></div>'


def safe(text: str) -> str:
    """Return text that cannot be taken for markup."""
    return html.escape(text)
