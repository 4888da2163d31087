"""Write the status part of the page: mode, reasons, margin bars, legend."""

import html
import math

from walking_robots.robots.model import HexapodModel
from walking_robots.viewer import colours
from walking_robots.viewer.colours import Grade, LegPhase, css
from walking_robots.viewer.state import ViewState
from walking_robots.viewer.words import mode_words, purpose

__all__ = ['legend_html', 'legs_html', 'margin_html', 'mode_html', 'motion_html']

WIDEST_MARGIN = 1.0
LONGEST_REACH = 20.0

# No colour of its own for text: the page may be light or dark.
_TEXT = 'font-size:13px;line-height:1.45;padding:2px 12px 8px 12px;'
_FAINT = 'opacity:0.68;'
_EMPTY = 'rgba(128,136,150,0.25)'


def mode_html(state: ViewState, reasons: tuple[tuple[float, str], ...]) -> str:
    """Return the heading, what the gait is after, and the last rules that fired."""
    lines = [
        f'<div style="font-size:17px;font-weight:600">{_safe(mode_words(state.mode, state.cycle))}'
        f'</div><div style="{_FAINT}">{_safe(purpose(state.mode, state.state))}</div>'
    ]
    if reasons:
        lines.append('<div style="margin-top:6px;font-weight:600">Last decisions</div>')
    for age, (time, sentence) in enumerate(reasons):
        lines.append(
            f'<div style="display:flex;gap:8px;opacity:{1.0 - 0.17 * age:.2f}"><span style="'
            f'min-width:48px;text-align:right;font-variant-numeric:tabular-nums">{time:.1f} s'
            f'</span><span>{_safe(sentence)}</span></div>'
        )
    for words, grade in ((state.stop_reason, Grade.TIGHT), (state.diagnostic, Grade.BAD)):
        if words:
            lines.append(
                f'<div style="margin-top:6px;padding:3px 8px;border-radius:4px;'
                f'border-left:4px solid {css(grade.value)};background:{_EMPTY}">'
                f'{_safe(words)}</div>'
            )
    return f'<div id="mode" style="{_TEXT}min-height:230px">{"".join(lines)}</div>'


def motion_html(state: ViewState) -> str:
    """Return time, place and velocity of the body."""
    x, y, _ = state.position
    forward, lateral, turn = state.velocity
    cells = [
        ('time', f'{state.time:.1f} s'),
        ('step', f'{state.step}'),
        ('x', f'{x:.2f} m'),
        ('y', f'{y:.2f} m'),
        ('forward', f'{forward:.2f} m/s'),
        ('lateral', f'{lateral:.2f} m/s'),
        ('turn', f'{turn:.3f} rad/s'),
        ('heading', f'{math.degrees(_yaw(state)):.0f}°'),
    ]
    items = ''.join(
        f'<div><span style="{_FAINT}">{name}</span> <b>{value}</b></div>' for name, value in cells
    )
    return (
        f'<div id="motion" style="{_TEXT}display:grid;grid-template-columns:1fr 1fr;'
        f'column-gap:10px;font-variant-numeric:tabular-nums">{items}</div>'
    )


def margin_html(state: ViewState, model: HexapodModel) -> str:
    """Return the bars of the stability margin now and one second ahead (m)."""
    limits = model.stability
    ahead = f'in {model.horizon[2] * model.timing.dt:g} s'
    now = _margin_bar('now', state.margin, limits.lift, limits.comfort_present)
    planned = _margin_bar(ahead, state.planned_margin, limits.plan, limits.comfort_plan)
    return (
        f'<div id="margin" style="{_TEXT}"><b>Stability margin</b> <span style="{_FAINT}">'
        f'from the centre of gravity to the border of the support; marks: least for a lift, '
        f'and comfortable</span>{now}{planned}</div>'
    )


def _margin_bar(name: str, value: float, bad_below: float, tight_below: float) -> str:
    """Return one stability bar with marks at its two thresholds."""
    if math.isnan(value):
        return _bar(name, 0.0, Grade.UNKNOWN, '–', ())
    grade = Grade.of(value, bad_below, tight_below)
    words = f'{value:.2f} m' if value >= 0.0 else 'not stable'
    marks = (bad_below / WIDEST_MARGIN, tight_below / WIDEST_MARGIN)
    return _bar(name, value / WIDEST_MARGIN, grade, words, marks)


def legs_html(state: ViewState, model: HexapodModel) -> str:
    """Return a table of the legs, placed as on the vehicle: what each does, and its reach (s)."""
    limits = model.kinematic_margin
    cells = []
    for leg in sorted(model.legs, key=lambda leg: (leg.number - 1) // 2 * 2 + (leg.side < 0)):
        index = leg.number - 1
        name = state.leg_states[index]
        phase = LegPhase.of(name)
        value = state.kinematic_margins[index]
        if math.isnan(value):
            bar = _bar('reach', 0.0, Grade.UNKNOWN, '–', ())
        elif value >= limits.at_rest:
            bar = _bar('reach', 1.0, Grade.GOOD, 'at rest', ())
        else:
            grade = Grade.of(value, limits.present_limit, 4 * limits.present_limit)
            bar = _bar('reach', value / LONGEST_REACH, grade, f'{value:.1f} s', ())
        cells.append(
            f'<div style="border:1px solid {_EMPTY};border-top:4px solid {css(phase.colour)};'
            f'border-radius:5px;padding:3px 7px"><b>Leg {leg.number}</b> <span style="{_FAINT}">'
            f'{_safe(name or "–")}</span>{bar}</div>'
        )
    return (
        f'<div id="legs" style="{_TEXT}"><b>Legs</b> <span style="{_FAINT}">left and right, '
        f'front to rear; reach = time left until the leg reaches the border of its working '
        f'volume</span><div style="display:grid;grid-template-columns:1fr 1fr;gap:5px;'
        f'margin-top:4px">{"".join(cells)}</div></div>'
    )


def _bar(name: str, share: float, grade: Grade, words: str, marks: tuple[float, ...]) -> str:
    """Return a labelled bar; marks are shares of its length."""
    width = 100.0 * min(max(share, 0.0), 1.0)
    lines = ''.join(
        f'<div style="position:absolute;left:{100 * mark:.1f}%;top:0;bottom:0;'
        f'width:1px;background:currentColor"></div>'
        for mark in marks
    )
    return (
        f'<div style="display:flex;align-items:center;gap:6px;font-size:12px">'
        f'<span style="{_FAINT}min-width:34px">{name}</span><div style="flex:1;height:9px;'
        f'position:relative;background:{_EMPTY};border-radius:3px;overflow:hidden"><div '
        f'style="width:{width:.1f}%;height:100%;background:{css(grade.value)}"></div>{lines}</div>'
        f'<b style="min-width:58px;text-align:right;font-variant-numeric:tabular-nums">{words}'
        f'</b></div>'
    )


def legend_html() -> str:
    """Return the meaning of every colour on the page."""
    entries = [(phase.colour, f'leg {phase.words}') for phase in LegPhase]
    entries += [
        (colours.PERMITTED_CELL, 'permitted cell'),
        (colours.FORBIDDEN_CELL, 'forbidden cell'),
        (colours.DITCH_FLOOR, 'ditch (drawn deep)'),
        (colours.UNSEEN_CELL, 'cell not seen yet'),
        (Grade.GOOD.value, 'margin comfortable'),
        (Grade.TIGHT.value, 'margin tight'),
        (Grade.BAD.value, 'margin too small'),
        (colours.VOLUME, 'working volume of a leg'),
    ]
    items = ''.join(
        f'<div style="display:flex;gap:7px;align-items:center"><span style="width:13px;'
        f'height:13px;flex:none;border-radius:3px;border:1px solid {_EMPTY};'
        f'background:{css(colour)}"></span>'
        f'{words}</div>'
        for colour, words in entries
    )
    return (
        f'<div style="{_TEXT}">{items}<div style="margin-top:4px;{_FAINT}">Disc: foothold '
        f'of a leg. Coloured area: support polygon. Dark ball: centre of gravity on the '
        f'ground. Dark line: stability margin.</div></div>'
    )


def _yaw(state: ViewState) -> float:
    """Return the heading of the body, rad."""
    w, x, y, z = state.quaternion
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def _safe(text: str) -> str:
    """Return text that cannot be taken for markup."""
    return html.escape(text)
