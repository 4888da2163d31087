"""Write the status part of the page: mode, reasons, margin bars, legend."""

import math

from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.viewer.common.colours import Grade
from walking_robots.viewer.common.markup import (
    FAINT,
    bar,
    card,
    cards,
    event,
    faint,
    heading,
    legend,
    notice,
    number,
    safe,
    section,
    table,
)
from walking_robots.viewer.hexapod import colours
from walking_robots.viewer.hexapod.colours import LegPhase
from walking_robots.viewer.hexapod.machine import HexapodMachine, MarginScale
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.words import mode_words, purpose, waiting

LONGEST_REACH = 20.0
"""Time to the border of a working volume at the end of a bar, s."""

LEAST_STRENGTH, SMALL_STRENGTH = 0.02, 0.3
"""Strength that is left to a joint, as a share, below which its load is graded."""

EMPTY_BATTERY, LOW_BATTERY = 0.05, 0.2
"""Charges below which the bar of the battery changes colour, and below which gaits rest and slow
down (`gaits/commands/charge.py`)."""

WIDEST_ROOM = math.radians(60.0)
LEAST_ROOM, SMALL_ROOM = math.radians(2.0), math.radians(8.0)
"""Distances of a joint from its limit, rad: at the end of a bar, and below which it is graded."""


def mode_html(
    state: ViewState, reasons: tuple[tuple[float, str], ...], machine: HexapodMachine
) -> str:
    """Return the heading, what the gait is after, and the last rules that fired."""
    lines = [
        heading(safe(mode_words(state.mode, state.cycle))),
        f'<div style="{FAINT}">{safe(purpose(state.mode, state.state))}</div>',
    ]
    if state.swings and state.otherwise:
        lines.append(
            f'<div style="{FAINT}">{safe(state.otherwise[0].upper())}'
            f'{safe(state.otherwise[1:])}.</div>'
        )
    if reasons:
        lines.append('<div style="margin-top:6px;font-weight:600">Last decisions</div>')
    for age, (time, sentence) in enumerate(reasons):
        lines.append(event(f'{time:.1f} s', safe(sentence), age))
    # What a gait waits for is shown by the decisions, its reason to stop may be the same.
    waits = state.state.capitalize() if waiting(state.state) else ''
    lines.append(notice(waits or state.stop_reason, Grade.TIGHT))
    lines.append(notice(state.diagnostic, Grade.BAD))
    height = 90 if machine.gaits else 230
    return section('mode', ''.join(lines), f'min-height:{height}px')


def motion_html(state: ViewState, machine: HexapodMachine) -> str:
    """Return time, position and velocity of the body, and its posture if that can be commanded."""
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
        ('heading', f'{number(yaw, 0)}°'),
    ]
    if machine.body is not None:
        cells += [
            ('height', f'{z:.3f} m'),
            ('roll', f'{number(roll, 1)}°'),
            ('pitch', f'{number(pitch, 1)}°'),
        ]
    return table('motion', cells)


def margin_html(state: ViewState, machine: HexapodMachine) -> str:
    """Return the bars of the stability margin (m), now and as planned where a gait does."""
    values = (state.margin, state.planned_margin)
    bars = ''.join(
        _margin_bar(scale, value, machine)
        for scale, value in zip(machine.margins, values, strict=False)
    )
    remark = (
        f'from the centre of gravity to the border of the support; marks: {machine.mark}, '
        'and comfortable'
    )
    return section('margin', f'<b>Stability margin</b> {faint(remark)}{bars}')


def _margin_bar(scale: MarginScale, value: float, machine: HexapodMachine) -> str:
    """Return one stability bar with marks at its two thresholds."""
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
    if state.efforts and machine.strengths:
        left += '; load = torque or force of the joint nearest to its strength'
    cells = []
    for row in machine.rows:
        wide = '' if len(row) > 1 else 'grid-column:1/3;'
        for leg in row:
            name = state.leg_states[leg - 1]
            colour = LegPhase.of(name).colour
            rest = _left(state, leg, machine) + _load(state, f'leg{leg}_', machine)
            cells.append(card(colour, f'Leg {leg}', safe(name or '–'), rest, wide))
    remark = faint(f'left and right, front to rear; {left}')
    return section('legs', f'<b>Legs</b> {remark}{cards(cells)}')


def _left(state: ViewState, leg: int, machine: HexapodMachine) -> str:
    """Return the bar of what a leg has left."""
    if machine.reach is None:
        return _room(state, f'leg{leg}_', machine)
    least, at_rest = machine.reach
    value = state.kinematic_margins[leg - 1]
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
    room = min(rooms, default=math.nan)
    grade = Grade.of(room, LEAST_ROOM, SMALL_ROOM)
    return bar('room', room / WIDEST_ROOM, grade, f'{math.degrees(room):.0f}°')


def _load(state: ViewState, prefix: str, machine: HexapodMachine) -> str:
    """Return the bar of the joint of a leg that is nearest to its strength, where measured."""
    shares = [
        abs(effort) / machine.strengths[name]
        for name, effort in state.efforts.items()
        if name.startswith(prefix) and name in machine.strengths
    ]
    if not shares:
        return ''
    share = max(shares)
    grade = Grade.of(1.0 - share, LEAST_STRENGTH, SMALL_STRENGTH)
    return bar('load', share, grade, f'{100.0 * share:.0f} %')


def battery_html(state: ViewState) -> str:
    """Return the bar of the charge of the battery, nothing where it is not measured."""
    if math.isnan(state.battery):
        return ''
    grade = Grade.of(state.battery, EMPTY_BATTERY, LOW_BATTERY)
    charge = bar('charge', state.battery, grade, f'{100.0 * state.battery:.0f} %')
    return section('battery', f'<b>Battery</b>{charge}')


def legend_html(machine: HexapodMachine) -> str:
    """Return the meaning of every colour on the page."""
    phases = (LegPhase.CARRIES, LegPhase.PLACED) if machine.gaits else LegPhase
    entries = [(phase.colour, f'leg {phase.words}') for phase in phases]
    entries += [
        (colours.PERMITTED_CELL, 'permitted cell'),
        (colours.FORBIDDEN_CELL, 'forbidden cell'),
        (colours.DITCH_FLOOR, 'ditch (drawn deep)'),
        (colours.UNSEEN_CELL, 'cell not seen well enough'),
        (Grade.GOOD.value, 'margin comfortable'),
        (Grade.TIGHT.value, 'margin tight'),
        (Grade.BAD.value, 'margin too small'),
        (colours.VOLUME, 'working volume of a leg'),
        *(
            [(colours.PLANNED_FOOTHOLD, 'planned foothold, by its place in the plan')]
            if machine.horizon
            else []
        ),
        *([(colours.RAY, 'rays of the depth sensor, some of them')] if machine.sees else []),
        (colours.FORCE, 'force of the ground on a foot, where measured'),
    ]
    remark = (
        'Disc: foothold of a leg. Coloured area: support polygon. Dark ball: centre of gravity '
        'on the ground. Dark line: stability margin.'
    )
    if machine.sees:
        remark += ' Ground that was never seen is not drawn; True terrain shows it.'
    return legend(entries, remark)
