"""The colours of the page of ARS MAGNA, with their meaning, and the widths of its things."""

from collections.abc import Mapping

from walking_robots.viewer.common.colours import Colour, Grade

ROBOT: Colour = (58, 66, 82)
ARROW: Colour = (255, 196, 61)
EDGE: Colour = (48, 52, 62)

CAMERAS: tuple[Colour, ...] = ((226, 120, 20), (20, 140, 150), (120, 90, 200), (150, 110, 60))

PLACES: Mapping[str, Colour] = {
    'convex': (240, 128, 152),
    'concave': (250, 176, 194),
    'beak': (176, 122, 222),
    'doorway': (142, 196, 240),
}
"""The manual's colours of places (ars_magna.md §5.2)."""
OTHER_PLACE: Colour = (206, 206, 160)

THINGS: Mapping[str, Colour] = {
    'red': (205, 44, 44),
    'green': (38, 146, 68),
    'blue': (40, 84, 205),
    'violet': (132, 58, 180),
    'lightred': (245, 128, 116),
    'lightgreen': (132, 208, 128),
    'lightblue': (112, 174, 246),
    'lightviolet': (190, 144, 232),
}
OTHER_THING: Colour = (196, 178, 140)

SEVERITIES: Mapping[str, Grade] = {'error': Grade.BAD, 'warning': Grade.TIGHT}

_DARKEST, _BRIGHTEST = 62, 176
_NARROWEST, _WIDEST, _LARGE = 0.3, 1.0, 20.0


def camera_colour(index: int) -> Colour:
    """Return the colour of a camera and of all that belongs to it."""
    return CAMERAS[index % len(CAMERAS)]


def wall_colour(brightness: float) -> Colour:
    """Return the shade of a wall; brightness 0 dark ... 1 bright."""
    shade = round(_DARKEST + (_BRIGHTEST - _DARKEST) * min(max(brightness, 0.0), 1.0))
    return (shade, shade, min(shade + 8, 255))


def thing_colour(name: str) -> Colour:
    """Return the colour in which a thing of a colour is drawn; '' for none."""
    return THINGS.get(name, OTHER_THING)


def thing_width(size: float) -> float:
    """Return how wide a thing is drawn, cells: in proportion to its size within limits."""
    share = min(max(size, 0.0) / _LARGE, 1.0)
    return _NARROWEST + (_WIDEST - _NARROWEST) * share
