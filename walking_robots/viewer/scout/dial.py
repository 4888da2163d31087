"""Draw the ring of sonars and the bumper as a dial, seen from above, ahead upwards."""

import math
from collections.abc import Sequence

from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.colours import Colour, css
from walking_robots.viewer.common.markup import EMPTY, NUMERIC, faint, section
from walking_robots.viewer.scout import colours

RANGE = 3.0
"""Range, m, at the rim of the dial."""

_WIDTH, _HEIGHT = 340, 258
_RIM, _BODY, _WORDS = 100.0, 24.0, 114.0


def dial_html(ranges: Sequence[float], bumper: Sequence[bool], model: WheeledModel) -> str:
    """Return the dial; `ranges` (m) and `bumper` as in ScoutView."""
    parts = [
        f'<circle r="{_circle(metres):.1f}" fill="none" stroke="{EMPTY}"/>'
        for metres in (1.0, 2.0, RANGE)
    ]
    half = math.pi / model.sonar.count
    for number, value in enumerate(ranges):
        bearing = model.sonar.bearing(number)
        colour, share, words = _heard(value)
        if share > 0.0:
            arc = _sector(bearing, 0.86 * half, _BODY, _circle(share * RANGE))
            parts.append(f'<path d="{arc}" fill="{css(colour)}" fill-opacity="0.55"/>')
        x, y = _point(bearing, _WORDS)
        # Words beside the dial begin or end at it, so that they never lie on it.
        anchor = 'middle' if abs(x) < 20.0 else ('start' if x > 0.0 else 'end')
        parts.append(
            f'<text x="{x:.1f}" y="{y + 4.0:.1f}" text-anchor="{anchor}" '
            f'fill="currentColor">{words}</text>'
        )
    parts.append(f'<circle r="{_BODY - 6.0}" fill="{EMPTY}"/>')
    for bearing, on in zip(model.bumper.bearings, bumper, strict=True):
        arc = _sector(bearing, 0.44 * model.bumper.sector, _BODY - 7.0, _BODY - 2.0)
        colour = colours.PRESSED if on else colours.BUMPER
        parts.append(f'<path d="{arc}" fill="{css(colour)}"/>')
    parts.append(f'<path d="M 0 -12 L 6 2 L -6 2 Z" fill="{css(colours.ODOMETRY)}"/>')
    left, top = -_WIDTH / 2, -_HEIGHT / 2
    body = (
        f'<b>Sonar and bumper</b> {faint(f"rim at {RANGE:.0f} m; – no echo, ? unknown")}'
        f'<svg viewBox="{left} {top} {_WIDTH} {_HEIGHT}" style="display:block;width:100%;'
        f'font-size:11px;{NUMERIC}">{"".join(parts)}</svg>'
    )
    return section('dial', body)


def _heard(value: float) -> tuple[Colour, float, str]:
    """Return the colour, the length as a share of the dial and the words of a reading (m)."""
    if math.isnan(value):
        return colours.SILENT, 0.0, '?'
    if value == math.inf:
        return colours.SILENT, 0.0, '–'
    if value == -math.inf:
        return colours.TOO_NEAR, 0.12, 'near'
    return colours.ECHO, min(value / RANGE, 1.0), f'{value:.2f}'


def _circle(metres: float) -> float:
    """Return the radius on the dial of a range."""
    return _BODY + (_RIM - _BODY) * metres / RANGE


def _point(bearing: float, radius: float) -> tuple[float, float]:
    """Return a point of the dial, x to the right and y downwards."""
    return -radius * math.sin(bearing), -radius * math.cos(bearing)


def _sector(bearing: float, half: float, inner: float, outer: float) -> str:
    """Return the path of a piece of a ring, `half` its angle (rad) to either side."""
    corners = [
        _point(bearing + sign * half, radius)
        for sign, radius in ((1, inner), (1, outer), (-1, outer), (-1, inner))
    ]
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    return (
        f'M {x1:.1f} {y1:.1f} L {x2:.1f} {y2:.1f} A {outer:.1f} {outer:.1f} 0 0 1 {x3:.1f} '
        f'{y3:.1f} L {x4:.1f} {y4:.1f} A {inner:.1f} {inner:.1f} 0 0 0 {x1:.1f} {y1:.1f} Z'
    )
