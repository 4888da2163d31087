"""Functions that expressions may call: pure, total but for division, and typed.

A function's ``typed`` gives the type of its result from those of its arguments, or raises
ArgumentError. Its ``apply`` takes the values: floats in SI, bool, str, Pose2, points (x, y),
paths (tuples of points) and lists (tuples of floats).
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.language.quantities import ANGLE, LENGTH, SPEED, Dimension
from walking_robots.mdle.language.types import NUM, PATH, POINT, POSE, Type, list_of, quantity

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
    """A function of expressions; ``signature`` is for people."""

    signature: str
    typed: Callable[[Sequence[Type]], Type]
    apply: Callable[..., Any]


def _takes(result: Type, *wanted: Type | str) -> Callable[[Sequence[Type]], Type]:
    """Return the typing of a function of fixed arguments; 'place' is a point or a pose."""

    def typed(types: Sequence[Type]) -> Type:
        if len(types) != len(wanted):
            raise ArgumentError(-1, f'{len(wanted)} arguments')
        for index, (given, want) in enumerate(zip(types, wanted, strict=True)):
            good = given.is_place if want == 'place' else given == want
            if not good:
                raise ArgumentError(index, 'point or pose' if want == 'place' else str(want))
        return result

    return typed


def _one_quantity(types: Sequence[Type]) -> Type:
    if len(types) != 1:
        raise ArgumentError(-1, 'one quantity')
    if types[0].kind != 'quantity':
        raise ArgumentError(0, 'a quantity')
    return types[0]


def _sign(types: Sequence[Type]) -> Type:
    _one_quantity(types)
    return NUM


def _extreme(types: Sequence[Type]) -> Type:
    if len(types) == 1 and types[0].kind == 'list':
        return quantity(types[0].dimension)
    if len(types) < 2:
        raise ArgumentError(-1, 'a list, or two or more quantities')
    for index, given in enumerate(types):
        if given.kind != 'quantity' or given != types[0]:
            raise ArgumentError(index, str(types[0]) if index else 'a quantity')
    return types[0]


def _pair(result: Type | None) -> Callable[[Sequence[Type]], Type]:
    """Return the typing of a function of two quantities of one dimension; None: the result too."""

    def typed(types: Sequence[Type]) -> Type:
        if len(types) != 2:
            raise ArgumentError(-1, 'two quantities of one unit')
        first = _one_quantity(types[:1])
        if types[1] != first:
            raise ArgumentError(1, str(first))
        return result or first

    return typed


def _sector(types: Sequence[Type]) -> Type:
    if len(types) != 3:
        raise ArgumentError(-1, 'a list, the middle and the width')
    if types[0].kind != 'list':
        raise ArgumentError(0, 'a list, one value a direction')
    for index in (1, 2):
        if types[index] != quantity(ANGLE):
            raise ArgumentError(index, 'rad')
    return list_of(types[0].dimension)


def _path(types: Sequence[Type]) -> Type:
    if len(types) < 2:
        raise ArgumentError(-1, 'two or more points')
    for index, given in enumerate(types):
        if not given.is_place:
            raise ArgumentError(index, 'point or pose')
    return PATH


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
    return min(_off(a, b, place) for a, b in pairwise(path))


def _off(a: Point, b: Point, place: Place) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / square if square else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(place[0] - a[0] - along * dx, place[1] - a[1] - along * dy)


def pursue(pose: Pose2, place: Place, speed: float) -> tuple[float, float]:
    """Return the control that drives towards a place, its turn limited (mdle.md §4.16)."""
    error = _bearing(pose, place)
    turn = max(-FASTEST_TURN, min(FASTEST_TURN, 1.5 * error))
    return speed * max(0.0, math.cos(error)), turn


_ANGLE = quantity(ANGLE)
_LENGTH = quantity(LENGTH)

FUNCTIONS: dict[str, Function] = {
    'abs': Function('abs(q) -> q', _one_quantity, abs),
    'min': Function('min(list of q) or min(q, q, ...) -> q', _extreme, _least),
    'max': Function('max(list of q) or max(q, q, ...) -> q', _extreme, _most),
    'sat': Function('sat(num) -> num, kept within -1 .. 1', _takes(NUM, NUM), _saturated),
    'sign': Function('sign(q) -> num', _sign, lambda q: math.copysign(1.0, q) if q else 0.0),
    'sqrt': Function('sqrt(num) -> num', _takes(NUM, NUM), math.sqrt),
    'hypot': Function('hypot(q, q) -> q', _pair(None), math.hypot),
    'sin': Function('sin(rad) -> num', _takes(NUM, _ANGLE), math.sin),
    'cos': Function('cos(rad) -> num', _takes(NUM, _ANGLE), math.cos),
    'tan': Function('tan(rad) -> num', _takes(NUM, _ANGLE), math.tan),
    'atan2': Function('atan2(q, q) -> rad', _pair(_ANGLE), math.atan2),
    'wrap': Function('wrap(rad) -> rad in (-pi, pi]', _takes(_ANGLE, _ANGLE), wrap),
    'dist': Function('dist(place, place) -> m', _takes(_LENGTH, 'place', 'place'), _distance),
    'bearing': Function('bearing(pose, place) -> rad', _takes(_ANGLE, POSE, 'place'), _bearing),
    'heading': Function('heading(pose) -> rad', _takes(_ANGLE, POSE), lambda pose: pose[2]),
    'point': Function(
        'point(m, m) -> point', _takes(POINT, _LENGTH, _LENGTH), lambda x, y: (x, y)
    ),
    'pose': Function('pose(m, m, rad) -> pose', _takes(POSE, _LENGTH, _LENGTH, _ANGLE), Pose2),
    'path': Function(
        'path(place, place, ...) -> path', _path, lambda *places: tuple(p[:2] for p in places)
    ),
    'sector': Function('sector(list, middle rad, width rad) -> list', _sector, sector),
    'deviation': Function(
        'deviation(path, place) -> m', _takes(_LENGTH, PATH, 'place'), deviation
    ),
    'pursue': Function(
        'pursue(pose, place, m/s) -> control on body2',
        _takes(Type('vector', name='body2'), POSE, 'place', quantity(SPEED)),
        pursue,
    ),
}
"""By name; ``place`` is a point or a pose, ``q`` a quantity."""

MEMBERS: dict[str, dict[str, tuple[Dimension, int]]] = {
    'pose': {'x': (LENGTH, 0), 'y': (LENGTH, 1), 'heading': (ANGLE, 2)},
    'point': {'x': (LENGTH, 0), 'y': (LENGTH, 1)},
}
"""Parts of values that ``.`` reaches, with their dimension and index."""
