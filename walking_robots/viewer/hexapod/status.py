"""Write the status part of the page: mode, reasons, margin bars, legend."""

import math

from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.common.markup import (
    EMPTY,
    FAINT,
    TEXT,
    bar,
    legend,
    notice,
    safe,
    table,
)
from walking_robots.viewer.hexapod import colours
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine, MarginScale
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.words import mode_words, purpose, waiting

LONGEST_REACH = 20.0
"""Time to the border of a working volume at the end of a bar, s."""

WIDEST_ROOM = math.radians(60.0)
LEAST_ROOM, SMALL_ROOM = math.radians(2.0), math.radians(8.0)
"""Distances of a joint from its limit, rad: at the end of a bar, and below which it is graded."""


def mode_html(
    state: ViewState, reasons: tuple[tuple[float, str], ...], machine: HexapodMachine
) -> str:
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
            f'min-width:48px;white-space:nowrap;text-align:right;'
            f'font-variant-numeric:tabular-nums">{time:.1f} s'
            f'</span><span>{safe(sentence)}</span></div>'
        )
    # What a gait waits for is shown by the decisions, its reason to stop may be the same.
    waits = state.state.capitalize() if waiting(state.state) else ''
    lines.append(notice(waits or state.stop_reason, Grade.TIGHT))
    lines.append(notice(state.diagnostic, Grade.BAD))
    height = 90 if machine.gaits else 230
    return f'<div id="mode" style="{TEXT}min-height:{height}px">{"".join(lines)}</div>'


def motion_html(state: ViewState, machine: HexapodMachine) -> str:
    """Return time, place and velocity of the body, and its posture where that can be asked for."""
    x, y, z = state.position
    roll, pitch, yaw = map(math.degrees, roll_pitch_yaw(state.quaternion))
    digits = machine.decimals
    forward, lateral, turn = state.velocity
    cells = [
        ('time', f'{state.time:.1f} s'),
        ('step', f'{state.step}'),
        ('x', f'{x:.{digits}f} m'),
        ('y', f'{y:.{digits}f} m'),
        ('forward', f'{forward:.{digits}f} m/s'),
        ('lateral', f'{lateral:.{digits}f} m/s'),
        ('turn', f'{turn:.3f} rad/s'),
        ('heading', _degrees(yaw, 0)),
    ]
    if machine.body is not None:
        cells += [
            ('height', f'{z:.3f} m'),
            ('roll', _degrees(roll, 1)),
            ('pitch', _degrees(pitch, 1)),
        ]
    return table('motion', cells)


def _degrees(angle: float, digits: int) -> str:
    """Return an angle in degrees, without the sign of a nothing."""
    return f'{round(angle, digits) + 0.0:.{digits}f}°'


def margin_html(state: ViewState, machine: HexapodMachine) -> str:
    """Return the bars of the stability margin (m), now and as planned where a gait does."""
    values = (state.margin, state.planned_margin)
    bars = ''.join(
        _margin_bar(scale, value, machine)
        for scale, value in zip(machine.margins, values, strict=False)
    )
    return (
        f'<div id="margin" style="{TEXT}"><b>Stability margin</b> <span style="{FAINT}">'
        f'from the centre of gravity to the border of the support; marks: {machine.mark}, '
        f'and comfortable</span>{bars}</div>'
    )


def _margin_bar(scale: MarginScale, value: float, machine: HexapodMachine) -> str:
    """Return one stability bar with marks at its two thresholds."""
    if math.isnan(value):
        return bar(scale.name, 0.0, Grade.UNKNOWN, '–')
    grade = Grade.of(value, scale.least, scale.comfort)
    words = f'{value:.{machine.decimals}f} m' if value >= 0.0 else 'not stable'
    marks = (scale.least / machine.widest, scale.comfort / machine.widest)
    return bar(scale.name, value / machine.widest, grade, words, marks)


def legs_html(state: ViewState, machine: HexapodMachine) -> str:
    """Return a table of the legs, placed as on the vehicle: what each does, and what it has left.

    That is the time to the border of its working volume (s), or the room of its joints (°).
    """
    if machine.reach is not None:
        left = 'reach = time left until the leg reaches the border of its working volume'
    else:
        left = 'room = what the joint nearest to its limit has left'
    cells = []
    for row in machine.rows:
        for number in row:
            name = state.leg_states[number - 1]
            wide = '' if len(row) > 1 else 'grid-column:1/3;'
            cells.append(
                f'<div style="{wide}border:1px solid {EMPTY};border-top:4px solid '
                f'{css(LegPhase.of(name).colour)};border-radius:5px;padding:3px 7px">'
                f'<b>Leg {number}</b> <span style="{FAINT}">{safe(name or "–")}</span>'
                f'{_left(state, number, machine)}</div>'
            )
    return (
        f'<div id="legs" style="{TEXT}"><b>Legs</b> <span style="{FAINT}">left and right, '
        f'front to rear; {left}</span><div style="display:grid;grid-template-columns:1fr 1fr;'
        f'gap:5px;margin-top:4px">{"".join(cells)}</div></div>'
    )


def _left(state: ViewState, number: int, machine: HexapodMachine) -> str:
    """Return the bar of what a leg has left."""
    if machine.reach is None:
        return _room(state, f'leg{number}_', machine)
    least, at_rest = machine.reach
    value = state.kinematic_margins[number - 1]
    if math.isnan(value):
        return bar('reach', 0.0, Grade.UNKNOWN, '–')
    if value >= at_rest:
        return bar('reach', 1.0, Grade.GOOD, 'at rest')
    grade = Grade.of(value, least, 4 * least)
    return bar('reach', value / LONGEST_REACH, grade, f'{value:.1f} s')


def _room(state: ViewState, prefix: str, machine: HexapodMachine) -> str:
    """Return the bar of the joint of a leg that is nearest to a limit."""
    rooms = [
        min(state.joints[name] - low, high - state.joints[name])
        for name, (low, high) in machine.joints.items()
        if name.startswith(prefix) and name in state.joints
    ]
    if not rooms:
        return bar('room', 0.0, Grade.UNKNOWN, '–')
    room = min(rooms)
    grade = Grade.of(room, LEAST_ROOM, SMALL_ROOM)
    return bar('room', room / WIDEST_ROOM, grade, f'{math.degrees(room):.0f}°')


def legend_html(machine: HexapodMachine) -> str:
    """Return the meaning of every colour on the page."""
    phases = (LegPhase.CARRIES, LegPhase.PLACED) if machine.gaits else LegPhase
    entries = [(phase.colour, f'leg {phase.words}') for phase in phases]
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
