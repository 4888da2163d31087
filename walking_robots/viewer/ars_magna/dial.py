"""Draw a camera as a dial, seen from above, ahead upwards (ars_magna.md §5.2)."""

import math

from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.state import CameraView
from walking_robots.viewer.common.colours import Colour, css
from walking_robots.viewer.common.markup import EMPTY

_RIM, _BODY = 26.0, 6.0


def dial_svg(camera: CameraView, estimate: float | None, colour: Colour) -> str:
    """Return the dial: field of view, and a tick for `estimate`, rad, of what is tracked."""
    half = 0.5 * min(camera.field_of_view, 1.999 * math.pi)
    (x1, y1), (x2, y2) = (_point(camera.angle + side * half, _RIM) for side in (-1.0, 1.0))
    large = int(half > 0.5 * math.pi)
    wedge = f'M 0 0 L {x1:.1f} {y1:.1f} A {_RIM} {_RIM} 0 {large} 1 {x2:.1f} {y2:.1f} Z'
    tick = ''
    if estimate is not None:
        (x3, y3), (x4, y4) = (_point(estimate, radius) for radius in (_RIM - 7.0, _RIM + 3.0))
        tick = (
            f'<path class="tick" d="M {x3:.1f} {y3:.1f} L {x4:.1f} {y4:.1f}" '
            'stroke="currentColor" stroke-width="3"/>'
        )
    faded = 0.15 if camera.inside else 0.6
    return (
        f'<svg class="dial" viewBox="-31 -31 62 62" style="width:62px;height:62px;flex:none">'
        f'<circle r="{_RIM}" fill="none" stroke="{EMPTY}"/>'
        f'<path d="{wedge}" fill="{css(colour)}" fill-opacity="{faded}"/>'
        f'<circle r="{_BODY}" fill="{css(colours.ROBOT)}"/>'
        f'<path d="M 0 -5 L 3.5 3 L -3.5 3 Z" fill="{css(colours.ARROW)}"/>{tick}</svg>'
    )


def _point(angle: float, radius: float) -> tuple[float, float]:
    """Return a point of the dial, x to the right and y downwards, as the manual's axes lie."""
    return radius * math.sin(angle), -radius * math.cos(angle)
