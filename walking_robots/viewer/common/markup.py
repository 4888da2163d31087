"""Pieces of text that the status parts of all pages are made of."""

import html
from collections.abc import Iterable

from walking_robots.viewer.common.colours import Colour, Grade, css

# No colour of its own for text: the page may be light or dark.
TEXT = 'font-size:13px;line-height:1.45;padding:2px 12px 8px 12px;'
FAINT = 'opacity:0.68;'
EMPTY = 'rgba(128,136,150,0.25)'


def bar(name: str, share: float, grade: Grade, words: str, marks: tuple[float, ...] = ()) -> str:
    """Return a labelled bar; `share` and `marks` are shares of its length."""
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
        f'<b style="min-width:58px;text-align:right;font-variant-numeric:tabular-nums">{words}'
        f'</b></div>'
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
    items = ''.join(
        f'<div><span style="{FAINT}">{label}</span> <b>{value}</b></div>' for label, value in cells
    )
    return (
        f'<div id="{name}" style="{TEXT}display:grid;grid-template-columns:1fr 1fr;'
        f'column-gap:10px;font-variant-numeric:tabular-nums">{items}</div>'
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
