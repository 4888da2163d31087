"""Read what a mission is to do: descriptions of things, and the places where they are to be."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from walking_robots.ars_magna.console.words import real, specification_of
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.sensing.attributes import Attribute

HOME = Point(0.0, 0.0)
"""Where the robot began."""


class Errand(NamedTuple):
    """A thing, by a description, and where it is to be.

    place: cells from where the robot begins, x along its heading there and y to its right.
    """

    what: Any
    place: Point = HOME


def request_of(text: str, attributes: Mapping[str, Attribute]) -> Any:
    """Read 'kind=key to 2,0; color=red': a specification, or several errands.

    A description alone, without a place, is returned as it is; anything else as a tuple of
    errands. Raises ValueError with one sentence for what cannot be read.
    """
    parts = text.split(';')
    if len(parts) == 1 and ' to ' not in text:
        return specification_of(text.split(), attributes)
    return tuple(_errand(part, attributes) for part in parts if part.strip())


def _errand(text: str, attributes: Mapping[str, Attribute]) -> Errand:
    words, to, place = text.partition(' to ')
    entries = specification_of(words.split(), attributes)
    if not entries:
        raise ValueError(f"'{text:.40}' describes nothing; write for example kind=key to 2,0")
    return Errand(entries, _place(place) if to else HOME)


def _place(text: str) -> Point:
    across, comma, down = text.partition(',')
    if not comma:
        raise ValueError(f"'{text:.40}' is no place; write cells ahead and to the right: to 2,0")
    return Point(real(across.strip()), real(down.strip()))


def errands_of(request: Any) -> Sequence[Errand]:
    """Return the errands of a request, one where it is a description alone."""
    if isinstance(request, tuple) and any(isinstance(one, Errand) for one in request):
        return request
    return (Errand(request),)
