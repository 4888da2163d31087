"""How things look in pictures, by their colour and size (ars_magna.md §5.2)."""

from walking_robots.viewer.ars_magna.colours import OTHER_THING, THINGS
from walking_robots.viewer.common.colours import Colour

_NARROWEST, _WIDEST, _LARGE = 0.3, 1.0, 20.0


def colour(name: str) -> Colour:
    """Return the colour in which a thing of a colour is drawn; '' for none."""
    return THINGS.get(name, OTHER_THING)


def width(size: float) -> float:
    """Return how wide a thing is drawn, cells: in proportion to its size within limits."""
    share = min(max(size, 0.0) / _LARGE, 1.0)
    return _NARROWEST + (_WIDEST - _NARROWEST) * share
