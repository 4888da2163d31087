"""Functions that expressions may call: pure, total but for division, and typed.

A function's signature gives the type of its result from those of its arguments. Its ``apply``
takes the values: floats in SI, bool, str, Pose2, points (x, y), paths (tuples of points) and lists
(tuples of floats).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.language.quantities import ANGLE, LENGTH, Dimension
from walking_robots.mdle.language.types import NUM, Type, list_of, quantity, type_named

Point = tuple[float, float]
Place = Pose2 | Point


FASTEST_TURN = 1.5
"""Of the law ``pursue``, rad/s: less than any robot here turns, so that none slows its way too."""


class ArgumentError(ValueError):
    """An argument of the wrong type.

    index: which one, from 0; -1 where the number of arguments is wrong; wanted: what to give.
    """

    def __init__(self, index: int, wanted: str) -> None:
        """Keep which argument, and what it should have been."""
        super().__init__(f'argument {index + 1} must be {wanted}')
        self.index = index
        self.wanted = wanted


class Function(NamedTuple):
    """A function of expressions.

    signature: for people, and what ``typed`` reads: ``q`` is a quantity, the same one everywhere,
    ``place`` a point or a pose, ``...`` more of the last; any other argument ends with its type.
    """

    signature: str
    apply: Callable[..., Any]

    def typed(self, types: Sequence[Type]) -> Type:
        """Return the type of the result; raises ArgumentError where the arguments do not fit."""
        forms, _, result = self.signature.partition(' -> ')
        takes = ''
        for form in forms.split(' or '):
            words = form[form.index('(') + 1 : form.index(')')].split(', ')
            takes += f'{", or " if takes else ""}{", ".join(words)}'
            if words[-1] == '...':
                words[-1:] = words[-2:-1] * (len(types) - len(words) + 1)
            lists = len(types) == 1 and (types[0].kind == 'list') != words[0].startswith('list')
            if len(words) == len(types) and not (' or ' in forms and lists):
                return _result(result, _quantity_of(words, types))
        raise ArgumentError(-1, takes)


def _quantity_of(words: Sequence[str], types: Sequence[Type]) -> Type:
    """Return the quantity that ``q`` is; raises ArgumentError for the first that does not fit."""
    found: Type | None = None
    for index, (word, given) in enumerate(zip(words, types, strict=True)):
        kind = word.split()[-1]
        if word.startswith('list'):
            good, wanted = given.kind == 'list', 'a list'
            found = quantity(given.dimension)
        elif kind == 'q':
            good = given == found if found else given.kind == 'quantity'
            wanted = str(found or 'a quantity')
            found = found or given
        elif kind == 'place':
            good, wanted = given.is_place, 'point or pose'
        else:
            good, wanted = given == type_named(kind), str(type_named(kind))
        if not good:
            raise ArgumentError(index, wanted)
    return found or NUM


def _result(text: str, found: Type) -> Type:
    if text.startswith('control on '):
        return Type('vector', name=text.split()[-1])
    word = text.split(',')[0].split()[0]
    if word == 'list':
        return list_of(found.dimension)
    return found if word == 'q' else type_named(word)


def _least(*values: Any) -> float:
    return float(min(values[0] if len(values) == 1 else values))


def _most(*values: Any) -> float:
    return float(max(values[0] if len(values) == 1 else values))


def _saturated(value: float) -> float:
    return -1.0 if value < -1.0 else 1.0 if value > 1.0 else value


def _distance(a: Place, b: Place) -> float:
    return math.hypot(b[0] - a[0], b[1] - a[1])


def _bearing(pose: Pose2, place: Place) -> float:
    """Return the angle from a pose's heading to a place, in (-pi, pi]; 0 at the place itself."""
    dx, dy = place[0] - pose[0], place[1] - pose[1]
    return wrap(math.atan2(dy, dx) - pose[2]) if dx or dy else 0.0


def sector(values: Sequence[float], middle: float, width: float) -> tuple[float, ...]:
    """Return the values of evenly spread directions, 0 ahead and counter-clockwise, in a sector.

    Both ends belong to it (mdle.md §4.16: 60 deg ahead of 16 are numbers 15, 0 and 1); a sector
    between two directions gives the nearest one, so that it is never empty.
    """
    step = 2.0 * math.pi / len(values)
    away = [abs(wrap(i * step - middle)) for i in range(len(values))]
    limit = max(0.5 * width, min(away)) + 1e-9
    return tuple(value for value, angle in zip(values, away, strict=True) if angle <= limit)


def deviation(path: Sequence[Point], place: Place) -> float:
    """Return the distance from a place to the nearest point of a polyline, m."""
    return min(off for off, _ in distances(path, place))


def distances(path: Sequence[Point], place: Place) -> Iterator[tuple[float, float]]:
    """Return of each leg of a polyline how far it is, m, and the share of it that is nearest."""
    for a, b in pairwise(path):
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        along = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / square if square else 0.0
        along = min(1.0, max(0.0, along))
        yield math.hypot(place[0] - a[0] - along * dx, place[1] - a[1] - along * dy), along


def pursue(pose: Pose2, place: Place, speed: float) -> tuple[float, float]:
    """Return the control that drives towards a place, its turn limited (mdle.md §4.16)."""
    error = _bearing(pose, place)
    turn = max(-FASTEST_TURN, min(FASTEST_TURN, 1.5 * error))
    return speed * max(0.0, math.cos(error)), turn


FUNCTIONS: dict[str, Function] = {
    signature.partition('(')[0]: Function(signature, apply)
    for signature, apply in (
        ('abs(q) -> q', abs),
        ('min(list of q) or min(q, q, ...) -> q', _least),
        ('max(list of q) or max(q, q, ...) -> q', _most),
        ('sat(num) -> num, kept within -1 .. 1', _saturated),
        ('sign(q) -> num', lambda q: math.copysign(1.0, q) if q else 0.0),
        ('sqrt(num) -> num', math.sqrt),
        ('hypot(q, q) -> q', math.hypot),
        ('sin(rad) -> num', math.sin),
        ('cos(rad) -> num', math.cos),
        ('tan(rad) -> num', math.tan),
        ('atan2(q, q) -> rad', math.atan2),
        ('wrap(rad) -> rad in (-pi, pi]', wrap),
        ('dist(place, place) -> m', _distance),
        ('bearing(pose, place) -> rad', _bearing),
        ('heading(pose) -> rad', lambda pose: pose[2]),
        ('point(m, m) -> point', lambda x, y: (x, y)),
        ('pose(m, m, rad) -> pose', Pose2),
        ('path(place, place, ...) -> path', lambda *places: tuple(p[:2] for p in places)),
        ('sector(list, middle rad, width rad) -> list', sector),
        ('deviation(path, place) -> m', deviation),
        ('pursue(pose, place, m/s) -> control on body2', pursue),
    )
}
"""By name."""

MEMBERS: dict[str, dict[str, tuple[Dimension, int]]] = {
    'pose': {'x': (LENGTH, 0), 'y': (LENGTH, 1), 'heading': (ANGLE, 2)},
    'point': {'x': (LENGTH, 0), 'y': (LENGTH, 1)},
}
"""Parts of values that ``.`` reaches, with their dimension and index."""
