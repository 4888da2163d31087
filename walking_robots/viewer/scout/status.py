"""Write the status part of the Scout's page: motion, drift, battery, link, legend."""

import math

from walking_robots.geometry.se2 import wrap
from walking_robots.robots.wheeled import BatteryModel, WheeledModel
from walking_robots.viewer.common.colours import Colour, Grade, css
from walking_robots.viewer.common.markup import FAINT, TEXT, bar, legend, notice, safe, table
from walking_robots.viewer.scout import colours
from walking_robots.viewer.scout.state import ScoutView
from walking_robots.viewer.scout.words import direction, motion_words

LOW, VERY_LOW = 0.3, 0.12
"""Shares of the battery's voltage range below which its bar changes colour."""


def heading_html(state: ScoutView, model: WheeledModel) -> str:
    """Return what the robot does, how it is connected, and what to be warned of."""
    pressed = [
        direction(bearing)
        for bearing, on in zip(model.bumper.bearings, state.bumper, strict=True)
        if on
    ]
    link = state.link or 'no news of the link'
    bump = f'The bumper is pressed {" and ".join(pressed)}.' if pressed else ''
    return (
        f'<div id="heading" style="{TEXT}min-height:92px"><div style="font-size:17px;'
        f'font-weight:600">{motion_words(state.velocity)}</div><div style="{FAINT}">'
        f'{safe(link[0].upper() + link[1:])}</div>'
        f'{notice(bump, Grade.BAD)}{notice(state.diagnostic, Grade.TIGHT)}</div>'
    )


def place_html(state: ScoutView) -> str:
    """Return velocity, place and time, and how far odometry is off where the truth is known."""
    command = 'nothing'
    if state.command is not None:
        command = f'{state.command.v:.2f} m/s, {state.command.w:.2f} rad/s'
    measured = '–'
    if state.velocity is not None:
        measured = f'{state.velocity.v:.2f} m/s, {state.velocity.w:.2f} rad/s'
    x, y, heading = state.pose
    cells = [
        ('x', f'{x:.2f} m'),
        ('y', f'{y:.2f} m'),
        ('heading', f'{math.degrees(wrap(heading)):.0f}°'),
        ('time', f'{state.time:.1f} s'),
    ]
    return (
        f'<div id="velocity" style="{TEXT}padding-bottom:2px;display:grid;'
        f'grid-template-columns:72px 1fr;font-variant-numeric:tabular-nums"><span style="{FAINT}">'
        f'measured</span><b>{measured}</b><span style="{FAINT}">asked for</span><b>{command}</b>'
        f'</div>{table("place", cells)}{_drift(state)}'
    )


def _drift(state: ScoutView) -> str:
    """Return how far odometry is off the truth."""
    if state.truth is None:
        words = 'Nobody knows the true place: only an emulated robot publishes it.'
        return f'<div id="drift" style="{TEXT}{FAINT}">{words}</div>'
    off = 100.0 * state.pose.distance(state.truth)
    turned = math.degrees(abs(wrap(state.pose.heading - state.truth.heading)))
    return (
        f'<div id="drift" style="{TEXT}">{_dot(colours.ODOMETRY)} odometry is off the '
        f'{_dot(colours.TRUTH)} truth by <b>{off:.1f} cm</b> and <b>{turned:.1f}°</b></div>'
    )


def battery_html(state: ScoutView, model: BatteryModel) -> str:
    """Return the bar of the battery: its charge, or else its voltage between empty and full."""
    share = state.charge
    if math.isnan(share):
        share = (state.voltage - model.empty) / (model.full - model.empty)
    if math.isnan(share):
        line = bar('charge', 0.0, Grade.UNKNOWN, '–')
    else:
        line = bar('charge', share, Grade.of(share, VERY_LOW, LOW), f'{state.voltage:.1f} V')
    words = f' <span style="{FAINT}">{safe(state.battery)}</span>' if state.battery else ''
    return f'<div id="battery" style="{TEXT}"><b>Battery</b>{words}{line}</div>'


def link_html(state: ScoutView) -> str:
    """Return what the driver counts."""
    if not state.counters:
        return f'<div id="link" style="{TEXT}{FAINT}">Nothing from the driver yet.</div>'
    cells = [(safe(name), safe(value)) for name, value in state.counters]
    title = f'<div style="{TEXT}padding-bottom:0"><b>Link</b></div>'
    return title + table('link', cells)


def legend_html() -> str:
    """Return the meaning of every colour on the page."""
    entries = (
        (colours.ECHO, 'sonar, up to its echo'),
        (colours.SILENT, 'sonar without an echo'),
        (colours.TOO_NEAR, 'something too near, or a bumper pressed'),
        (colours.ODOMETRY, 'way by odometry'),
        (colours.TRUTH, 'way in truth, and the outline there'),
        (colours.WALL_TOP, 'wall'),
    )
    return legend(entries, 'The orange mark on the lid is at the front.')


def _dot(colour: Colour) -> str:
    """Return a dot of a colour."""
    return (
        f'<span style="display:inline-block;width:10px;height:10px;border-radius:5px;'
        f'background:{css(colour)}"></span>'
    )
