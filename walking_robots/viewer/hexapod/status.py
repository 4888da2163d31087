"""Write the status part of the page: mode, reasons, margin bars, legend."""

import math

from walking_robots.robots.model import HexapodModel
from walking_robots.viewer.colours import Grade, css
from walking_robots.viewer.hexapod import colours
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.words import mode_words, purpose
from walking_robots.viewer.markup import EMPTY, FAINT, TEXT, bar, legend, notice, safe, table

__all__ = ['legend_html', 'legs_html', 'margin_html', 'mode_html', 'motion_html']

WIDEST_MARGIN = 1.0
LONGEST_REACH = 20.0


def mode_html(state: ViewState, reasons: tuple[tuple[float, str], ...]) -> str:
    """Return the heading, what the gait is after, and the last rules that fired."""
    lines = [
        f'<div style="font-size:17px;font-weight:600">{safe(mode_words(state.mode, state.cycle))}'
        f'</div><div style="{FAINT}">{safe(purpose(state.mode, state.state))}</div>'
    ]
    if reasons:
        lines.append('<div style="margin-top:6px;font-weight:600">Last decisions</div>')
    for age, (time, sentence) in enumerate(reasons):
        lines.append(
            f'<div style="display:flex;gap:8px;opacity:{1.0 - 0.17 * age:.2f}"><span style="'
            f'min-width:48px;text-align:right;font-variant-numeric:tabular-nums">{time:.1f} s'
            f'</span><span>{safe(sentence)}</span></div>'
        )
    lines.append(notice(state.stop_reason, Grade.TIGHT))
    lines.append(notice(state.diagnostic, Grade.BAD))
    return f'<div id="mode" style="{TEXT}min-height:230px">{"".join(lines)}</div>'


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
    return table('motion', cells)


def margin_html(state: ViewState, model: HexapodModel) -> str:
    """Return the bars of the stability margin now and one second ahead (m)."""
    limits = model.stability
    ahead = f'in {model.horizon[2] * model.timing.dt:g} s'
    now = _margin_bar('now', state.margin, limits.lift, limits.comfort_present)
    planned = _margin_bar(ahead, state.planned_margin, limits.plan, limits.comfort_plan)
    return (
        f'<div id="margin" style="{TEXT}"><b>Stability margin</b> <span style="{FAINT}">'
        f'from the centre of gravity to the border of the support; marks: least for a lift, '
        f'and comfortable</span>{now}{planned}</div>'
    )


def _margin_bar(name: str, value: float, bad_below: float, tight_below: float) -> str:
    """Return one stability bar with marks at its two thresholds."""
    if math.isnan(value):
        return bar(name, 0.0, Grade.UNKNOWN, '–')
    grade = Grade.of(value, bad_below, tight_below)
    words = f'{value:.2f} m' if value >= 0.0 else 'not stable'
    marks = (bad_below / WIDEST_MARGIN, tight_below / WIDEST_MARGIN)
    return bar(name, value / WIDEST_MARGIN, grade, words, marks)


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
            reach = bar('reach', 0.0, Grade.UNKNOWN, '–')
        elif value >= limits.at_rest:
            reach = bar('reach', 1.0, Grade.GOOD, 'at rest')
        else:
            grade = Grade.of(value, limits.present_limit, 4 * limits.present_limit)
            reach = bar('reach', value / LONGEST_REACH, grade, f'{value:.1f} s')
        cells.append(
            f'<div style="border:1px solid {EMPTY};border-top:4px solid {css(phase.colour)};'
            f'border-radius:5px;padding:3px 7px"><b>Leg {leg.number}</b> <span style="{FAINT}">'
            f'{safe(name or "–")}</span>{reach}</div>'
        )
    return (
        f'<div id="legs" style="{TEXT}"><b>Legs</b> <span style="{FAINT}">left and right, '
        f'front to rear; reach = time left until the leg reaches the border of its working '
        f'volume</span><div style="display:grid;grid-template-columns:1fr 1fr;gap:5px;'
        f'margin-top:4px">{"".join(cells)}</div></div>'
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
    remark = (
        'Disc: foothold of a leg. Coloured area: support polygon. Dark ball: centre of gravity '
        'on the ground. Dark line: stability margin.'
    )
    return legend(entries, remark)


def _yaw(state: ViewState) -> float:
    """Return the heading of the body, rad."""
    w, x, y, z = state.quaternion
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
