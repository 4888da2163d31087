"""Plot the last ten seconds of a walk: the figures of the thesis's pages, one below the other."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from walking_robots.robots.kwalk import Kwalk
from walking_robots.viewer.biped import colours
from walking_robots.viewer.biped.colours import LegAction, actions
from walking_robots.viewer.biped.history import SPAN, WalkSample
from walking_robots.viewer.common.colours import Colour, css
from walking_robots.viewer.common.markup import FAINT, TEXT

WIDTH, LEFT_EDGE, HEIGHT, TITLE = 376, 34, 46, 14
"""Of a figure, in units of the picture: the whole width, where curves begin, height, title."""
BAND = 9
STICKS_OUT = 0.2
"""Share of a step of an axis."""
GREY: Colour = (136, 142, 152)


class Curve(NamedTuple):
    """A curve: its values, its colour, and whether it is dashed."""

    values: Sequence[float]
    colour: Colour
    dashed: bool = False


class PlotFigure(NamedTuple):
    """A figure: its title, its curves, the least range of its axis, and by what that grows."""

    title: str
    curves: tuple[Curve, ...]
    low: float
    high: float
    step: float


def plots_html(moments: Sequence[WalkSample], robot: Kwalk) -> str:
    """Return bands of what the legs did, and the figures below them, as one picture."""
    if not moments:
        return f'<div id="plots" style="{TEXT}{FAINT}">Nothing has been measured yet.</div>'
    now = moments[-1].time
    across = [_across(moment.time - now) for moment in moments]
    figures = _figures(moments, robot)
    parts = [_bands(moments, across)]
    top = 3.0 * BAND + 6.0
    for figure in figures:
        parts.append(_figure(figure, across, top))
        top += TITLE + HEIGHT + 6.0
    parts.append(_times(top))
    return (
        '<div id="plots" style="padding:2px 6px 6px 6px">'
        f'<svg viewBox="0 0 {WIDTH} {top + 12:.0f}" width="100%" '
        'style="display:block" font-size="9.5" fill="currentColor">'
        f'{"".join(parts)}</svg></div>'
    )


def _figures(moments: Sequence[WalkSample], robot: Kwalk) -> tuple[PlotFigure, ...]:
    """Return the figures of a robot."""
    right, left = colours.RIGHT_CURVE, colours.LEFT_CURVE
    efforts = list(zip(*(moment.efforts for moment in moments), strict=True))
    unit = 'N' if robot.knee == 'prismatic' else 'N m'
    full = robot.leg_length
    words = f'{_ink("true", right)}, {_ink("felt", left)}'
    sides = f'{_ink("right", right)}, {_ink("left", left)}'
    return (
        PlotFigure(
            f'Height of the hips, m: {words}',
            (
                Curve([m.felt_height for m in moments], left),
                Curve([m.height for m in moments], right),
            ),
            0.75 * full, 0.95 * full, 0.02,
        ),
        PlotFigure(
            f'Speed, m/s: {words}, {_ink("desired", GREY)}',
            (
                Curve([m.desired_speed for m in moments], GREY, dashed=True),
                Curve([m.felt_speed for m in moments], left),
                Curve([m.speed for m in moments], right),
            ),
            0.0, 0.5, 0.1,
        ),
        PlotFigure(
            'Pitch, ° (nose down)',
            (Curve([m.pitch for m in moments], right),),
            -5.0, 5.0, 5.0,
        ),
        PlotFigure(
            f'Hips, N m: {sides}',
            (Curve(efforts[2], left), Curve(efforts[0], right)),
            -robot.hip_effort, robot.hip_effort, 5.0,
        ),
        PlotFigure(
            f'Knees, {unit}: {sides}',
            (Curve(efforts[3], left), Curve(efforts[1], right)),
            -robot.knee_effort, robot.knee_effort, 10.0,
        ),
    )  # fmt: skip


def _figure(figure: PlotFigure, across: Sequence[float], top: float) -> str:
    """Return a figure that begins so far down the picture."""
    known = [v for curve in figure.curves for v in curve.values if math.isfinite(v)]
    step = figure.step
    # Rounded outwards, or the axis would never rest; a little may stick out.
    low = min([figure.low, *(step * math.floor(v / step + STICKS_OUT) for v in known)])
    high = max([figure.high, *(step * math.ceil(v / step - STICKS_OUT) for v in known)])
    upper, lower = top + TITLE, top + TITLE + HEIGHT

    def down(value: float) -> float:
        return lower - (value - low) / (high - low) * HEIGHT

    lines = [
        f'<text x="{LEFT_EDGE}" y="{top + 10:.0f}">{figure.title}</text>'
        f'<rect x="{LEFT_EDGE}" y="{upper:.0f}" width="{WIDTH - LEFT_EDGE - 1}" height="{HEIGHT}" '
        'fill="none" stroke="currentColor" stroke-opacity="0.25"/>'
    ]
    lines += [_number(low, lower - 0.5), _number(high, upper + 8.0)]
    if low < 0.0 < high:
        if min(-low, high) > 0.3 * (high - low):
            lines.append(_number(0.0, down(0.0) + 3.5))
        lines.append(
            f'<line x1="{LEFT_EDGE}" x2="{WIDTH - 1}" y1="{down(0.0):.1f}" y2="{down(0.0):.1f}" '
            'stroke="currentColor" stroke-opacity="0.25"/>'
        )
    for curve in figure.curves:
        points = ' '.join(
            f'{x:.0f},{down(value):.1f}'
            for x, value in zip(across, curve.values, strict=True)
            if math.isfinite(value)
        )
        dashes = ' stroke-dasharray="4 3"' if curve.dashed else ''
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{css(curve.colour)}" '
            f'stroke-width="1.2"{dashes}/>'
        )
    return ''.join(lines)


def _bands(moments: Sequence[WalkSample], across: Sequence[float]) -> str:
    """Return two rows that show by colour what right and left leg did."""
    found = []
    ends = [*across[1:], WIDTH - 1.0]
    for row, name in enumerate(('right', 'left')):
        y = row * (BAND + 3.0) + 2.0
        found.append(f'<text x="{LEFT_EDGE - 5}" y="{y + 8:.0f}" text-anchor="end">{name}</text>')
        begin, last = across[0], actions(moments[0].state)[row]
        for moment, x in zip(moments, across, strict=True):
            action = actions(moment.state)[row]
            if action is not last:
                found.append(_stretch(begin, x, y, last))
                begin, last = x, action
        found.append(_stretch(begin, ends[-1], y, last))
    return ''.join(found)


def _stretch(begin: float, end: float, y: float, action: LegAction) -> str:
    """Return the piece of a row in which a leg did one thing."""
    width = max(end - begin, 0.5)
    return (
        f'<rect x="{begin:.1f}" y="{y:.0f}" width="{width:.1f}" height="{BAND}" '
        f'fill="{css(action.colour)}"/>'
    )


def _times(top: float) -> str:
    """Return the numbers of the axis of time."""
    return ''.join(
        f'<text x="{min(max(_across(-age), LEFT_EDGE + 12), WIDTH - 10):.0f}" y="{top + 6:.0f}" '
        f'text-anchor="middle">{"now" if not age else f"-{age:g} s"}</text>'
        for age in (SPAN, 0.75 * SPAN, 0.5 * SPAN, 0.25 * SPAN, 0.0)
    )


def _across(time: float) -> float:
    """Return where a time, s, negative before now, lies from left to right."""
    return WIDTH - 1.0 + (WIDTH - 1.0 - LEFT_EDGE) * time / SPAN


def _number(value: float, y: float) -> str:
    """Return a number beside an axis."""
    return f'<text x="{LEFT_EDGE - 4}" y="{y:.1f}" text-anchor="end">{value:.3g}</text>'


def _ink(words: str, colour: Colour) -> str:
    """Return words of a colour."""
    return f'<tspan fill="{css(colour)}" font-weight="600">{words}</tspan>'
