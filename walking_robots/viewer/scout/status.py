"""Write the status part of the Scout's page: motion, drift, battery, link, legend."""

import math

from walking_robots.geometry.se2 import Twist2, wrap
from walking_robots.robots.wheeled import BatteryModel, WheeledModel
from walking_robots.viewer.common.colours import Grade
from walking_robots.viewer.common.markup import (
    FAINT,
    NUMERIC,
    bar,
    dot,
    faint,
    heading,
    legend,
    notice,
    safe,
    section,
    table,
    title,
)
from walking_robots.viewer.scout import colours
from walking_robots.viewer.scout.state import CONNECTED, ScoutView

LOW, VERY_LOW = 0.3, 0.12
"""Shares of the battery's voltage range below which its bar changes colour."""


def link_fault(state: ScoutView) -> str:
    """Return how the robot is connected, nothing while it answers."""
    return '' if state.link == CONNECTED else state.link or 'unknown link'


def heading_html(state: ScoutView, model: WheeledModel) -> str:
    """Return what the robot does, how it is connected, and what to be warned of."""
    pressed = [
        direction(bearing)
        for bearing, on in zip(model.bumper.bearings, state.bumper, strict=True)
        if on
    ]
    link = state.link or 'the state of the link is unknown'
    bump = f'The bumper is pressed {" and ".join(pressed)}.' if pressed else ''
    body = (
        f'{heading(motion_words(state.velocity))}<div style="{FAINT}">'
        f'{safe(link[0].upper() + link[1:])}</div>'
        f'{notice(bump, Grade.BAD)}{notice(state.diagnostic, Grade.TIGHT)}'
    )
    return section('heading', body, 'min-height:92px')


def place_html(state: ScoutView) -> str:
    """Return velocity, place and time, and how far its pose is off where the truth is known."""
    x, y, turn = state.pose
    cells = [
        ('x', f'{x:.2f} m'),
        ('y', f'{y:.2f} m'),
        ('heading', f'{math.degrees(wrap(turn)):.0f}°'),
        ('time', f'{state.time:.1f} s'),
    ]
    body = (
        f'{faint("measured")}<b>{_velocity(state.velocity, "–")}</b>'
        f'{faint("commanded")}<b>{_velocity(state.command, "nothing")}</b>'
    )
    columns = 'grid-template-columns:max-content 1fr;column-gap:8px'
    look = f'padding-bottom:2px;display:grid;{columns};{NUMERIC}'
    return section('velocity', body, look) + table('place', cells) + _drift(state)


def _velocity(velocity: Twist2 | None, unknown: str) -> str:
    """Return a velocity with its units."""
    return unknown if velocity is None else f'{velocity.v:.2f} m/s, {velocity.w:.2f} rad/s'


def _drift(state: ScoutView) -> str:
    """Return how far the robot's own pose is off the truth."""
    if state.truth is None:
        words = 'Nobody knows the true place: only an emulated robot publishes it.'
        return section('drift', words, FAINT)
    off = 100.0 * state.pose.distance(state.truth)
    turned = math.degrees(abs(wrap(state.pose.heading - state.truth.heading)))
    words = (
        f'{dot(colours.ODOMETRY)} its own pose is off the {dot(colours.TRUTH)} truth by '
        f'<b>{off:.1f} cm</b> and <b>{turned:.1f}°</b>'
    )
    return section('drift', words)


def battery_html(state: ScoutView, model: BatteryModel) -> str:
    """Return the bar of the battery: its charge, or else its voltage between empty and full."""
    share = state.charge
    if math.isnan(share):
        share = (state.voltage - model.empty) / (model.full - model.empty)
    line = bar('charge', share, Grade.of(share, VERY_LOW, LOW), f'{state.voltage:.1f} V')
    words = f' {faint(safe(state.battery))}' if state.battery else ''
    return section('battery', f'<b>Battery</b>{words}{line}')


def link_html(state: ScoutView) -> str:
    """Return what the driver counts."""
    if not state.counters:
        return section('link', 'Nothing from the driver yet.', FAINT)
    cells = [(safe(name), safe(value)) for name, value in state.counters]
    return title('Link') + table('link', cells)


def legend_html() -> str:
    """Return the meaning of every colour on the page."""
    entries = (
        (colours.ECHO, 'sonar, up to its echo'),
        (colours.SILENT, 'sonar without an echo'),
        (colours.TOO_NEAR, 'something too near, or a bumper pressed'),
        (colours.ODOMETRY, 'way as the robot believes'),
        (colours.TRUTH, 'way in truth, and the outline there'),
        (colours.WALL_TOP, 'wall'),
    )
    return legend(entries, 'The orange mark on the lid is at the front.')


SLOWEST = 0.005
"""Speed, m/s, below which a robot is said to stand."""
SLOWEST_TURN = 0.02
"""Turning rate, rad/s, below which a robot is said to go straight."""

_DIRECTIONS = (
    'ahead', 'ahead on the left', 'on the left', 'behind on the left', 'behind',
    'behind on the right', 'on the right', 'ahead on the right',
)  # fmt: skip


def direction(bearing: float) -> str:
    """Return where a bearing (rad, counter-clockwise from ahead) lies, seen from the robot."""
    return _DIRECTIONS[round(wrap(bearing) / (math.pi / 4.0)) % len(_DIRECTIONS)]


def motion_words(velocity: Twist2 | None) -> str:
    """Return what a robot does at a velocity, None where it is unknown."""
    if velocity is None:
        return 'Waiting for the robot'
    ahead = abs(velocity.v) >= SLOWEST
    side = 'left' if velocity.w > 0.0 else 'right'
    if abs(velocity.w) < SLOWEST_TURN:
        return ('Drives ahead' if velocity.v > 0.0 else 'Backs up') if ahead else 'Stands still'
    if not ahead:
        return f'Turns {side} on the spot'
    return f'{"Drives ahead" if velocity.v > 0.0 else "Backs up"}, turning {side}'
