"""Shortest curves of bounded curvature, bracket manoeuvres, and turns on the spot (mdle.md §5.2).

The curves with cusps are those of Reeds and Shepp (Optimal paths for a car that goes both forwards
and backwards, 1990, §8); those without are Dubins' (1957).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from walking_robots.geometry.se2 import Pose2, Screw2, wrap
from walking_robots.mdle.planner.motion_model import ConstantMotion, MotionModel, end_of

QUARTER = 0.5 * math.pi
NOTHING = 1e-10
"""Length, of the least radius, of a part that is left out."""
MISSED = 1e-6
"""By how far, of the least radius, a candidate may end beside its goal."""


class Part(NamedTuple):
    """A piece of a curve: ``turn`` 1 left, -1 right, 0 straight; length in radii, < 0 backward."""

    turn: int
    length: float


Lengths = tuple[float, ...]
Word = Callable[[float, float, float], Lengths | None]


def _polar(x: float, y: float) -> tuple[float, float]:
    return math.hypot(x, y), math.atan2(y, x)


def _lsl(x: float, y: float, phi: float) -> Lengths | None:
    u, t = _polar(x - math.sin(phi), y - 1.0 + math.cos(phi))
    v = wrap(phi - t)
    return (t, u, v) if t >= 0.0 and v >= 0.0 else None


def _lsr(x: float, y: float, phi: float) -> Lengths | None:
    u1, t1 = _polar(x + math.sin(phi), y - 1.0 - math.cos(phi))
    if u1 < 2.0:
        return None
    u = math.sqrt(u1 * u1 - 4.0)
    t = wrap(t1 + math.atan2(2.0, u))
    v = wrap(t - phi)
    return (t, u, v) if t >= 0.0 and v >= 0.0 else None


def _lrl(x: float, y: float, phi: float) -> Lengths | None:
    u1, theta = _polar(x - math.sin(phi), y - 1.0 + math.cos(phi))
    if u1 > 4.0:
        return None
    u = -2.0 * math.asin(0.25 * u1)
    t = wrap(theta + 0.5 * u + math.pi)
    v = wrap(phi - t + u)
    return (t, u, v) if t >= 0.0 else None


def _tau_omega(u: float, v: float, xi: float, eta: float, phi: float) -> tuple[float, float]:
    delta = wrap(u - v)
    a = math.sin(u) - math.sin(delta)
    b = math.cos(u) - math.cos(delta) - 1.0
    t = math.atan2(eta * a - xi * b, xi * a + eta * b)
    back = 2.0 * (math.cos(delta) - math.cos(v) - math.cos(u)) + 3.0 < 0.0
    tau = wrap(t + math.pi) if back else wrap(t)
    return tau, wrap(tau - u + v - phi)


def _lrlr_even(x: float, y: float, phi: float) -> Lengths | None:
    xi, eta = x + math.sin(phi), y - 1.0 - math.cos(phi)
    rho = 0.25 * (2.0 + math.hypot(xi, eta))
    if rho > 1.0:
        return None
    u = math.acos(rho)
    t, v = _tau_omega(u, -u, xi, eta, phi)
    return (t, u, -u, v) if t >= 0.0 and v <= 0.0 else None


def _lrlr_odd(x: float, y: float, phi: float) -> Lengths | None:
    xi, eta = x + math.sin(phi), y - 1.0 - math.cos(phi)
    rho = (20.0 - xi * xi - eta * eta) / 16.0
    if not 0.0 <= rho <= 1.0:
        return None
    u = -math.acos(rho)
    if u < -QUARTER:
        return None
    t, v = _tau_omega(u, u, xi, eta, phi)
    return (t, u, u, v) if t >= 0.0 and v >= 0.0 else None


def _lrsl(x: float, y: float, phi: float) -> Lengths | None:
    rho, theta = _polar(x - math.sin(phi), y - 1.0 + math.cos(phi))
    if rho < 2.0:
        return None
    r = math.sqrt(rho * rho - 4.0)
    t = wrap(theta + math.atan2(r, -2.0))
    v = wrap(phi - QUARTER - t)
    return (t, -QUARTER, 2.0 - r, v) if t >= 0.0 and r >= 2.0 and v <= 0.0 else None


def _lrsr(x: float, y: float, phi: float) -> Lengths | None:
    xi, eta = x + math.sin(phi), y - 1.0 - math.cos(phi)
    rho, t = _polar(-eta, xi)
    if rho < 2.0:
        return None
    v = wrap(t + QUARTER - phi)
    return (t, -QUARTER, 2.0 - rho, v) if t >= 0.0 and v <= 0.0 else None


def _lrslr(x: float, y: float, phi: float) -> Lengths | None:
    xi, eta = x + math.sin(phi), y - 1.0 - math.cos(phi)
    rho = math.hypot(xi, eta)
    if rho < 2.0:
        return None
    u = 4.0 - math.sqrt(rho * rho - 4.0)
    if u > 0.0:
        return None
    t = wrap(math.atan2((4.0 - u) * xi - 2.0 * eta, -2.0 * xi + (u - 4.0) * eta))
    v = wrap(t - phi)
    return (t, -QUARTER, u, -QUARTER, v) if t >= 0.0 and v >= 0.0 else None


_CUSPED: Sequence[tuple[Word, tuple[int, ...]]] = (
    (_lsl, (1, 0, 1)),
    (_lsr, (1, 0, -1)),
    (_lrl, (1, -1, 1)),
    (_lrlr_even, (1, -1, 1, -1)),
    (_lrlr_odd, (1, -1, 1, -1)),
    (_lrsl, (1, -1, 0, 1)),
    (_lrsr, (1, -1, 0, -1)),
    (_lrslr, (1, -1, 0, 1, -1)),
)


def _cusped(goal: Pose2) -> Iterator[tuple[Part, ...]]:
    """Yield all curves with cusps to a goal, in radii; some may miss it."""
    x, y, phi = goal.x, goal.y, wrap(goal.heading)
    cosine, sine = math.cos(phi), math.sin(phi)
    backwards = (x * cosine + y * sine, x * sine - y * cosine)
    for word, turns in _CUSPED:
        for reverse, (gx, gy) in ((False, (x, y)), (True, backwards)):
            for way in (1, -1):
                for side in (1, -1):
                    lengths = word(way * gx, side * gy, way * side * phi)
                    if lengths is not None:
                        parts = [
                            Part(side * turn, way * length)
                            for turn, length in zip(turns, lengths, strict=True)
                        ]
                        yield tuple(reversed(parts) if reverse else parts)


def _forward(goal: Pose2) -> Iterator[tuple[Part, ...]]:
    """Yield all curves that never go back to a goal, in radii; some may miss it."""
    for first in (1, -1):
        # Seen in a mirror a curve to the right is one to the left.
        x, y, phi = goal.x, first * goal.y, first * goal.heading
        same, other = (
            _polar(x - math.sin(phi), y - 1.0 + math.cos(phi)),
            _polar(x + math.sin(phi), y - 1.0 - math.cos(phi)),
        )
        candidates: list[tuple[tuple[int, float], ...]] = [
            ((1, same[1]), (0, same[0]), (1, phi - same[1])),
        ]
        if other[0] >= 2.0:
            u = math.sqrt(other[0] * other[0] - 4.0)
            t = other[1] + math.atan2(2.0, u)
            candidates.append(((1, t), (0, u), (-1, t - phi)))
        if same[0] <= 4.0:
            u = 2.0 * math.pi - 2.0 * math.asin(0.25 * same[0])
            t = same[1] + 0.5 * u
            candidates.append(((1, t), (-1, u), (1, phi - t + u)))
        for parts in candidates:
            yield tuple(
                Part(first * turn, length % (2.0 * math.pi) if turn else length)
                for turn, length in parts
            )


def _move(part: Part, radius: float, speed: float, reverse: float) -> ConstantMotion:
    v = speed if part.length > 0.0 else -reverse
    w = abs(v) / radius * part.turn * (1.0 if part.length > 0.0 else -1.0)
    return ConstantMotion(Screw2(v, 0.0, w), abs(part.length) * radius / abs(v))


def shortest_curve(
    start: Pose2,
    goal: Pose2,
    radius: float,
    *,
    cusps: bool = True,
    speed: float = 1.0,
    reverse: float = 1.0,
) -> tuple[ConstantMotion, ...]:
    """Return the shortest curve between two poses that is nowhere tighter than ``radius``, m.

    cusps: whether it may go back; speed, reverse: m/s ahead and back. There is always one.
    """
    local = start.inverse() @ goal
    scaled = Pose2(local.x / radius, local.y / radius, wrap(local.heading))
    best: tuple[Part, ...] = ()
    least = math.inf
    for parts in _cusped(scaled) if cusps else _forward(scaled):
        length = sum(abs(part.length) for part in parts)
        if length < least - 1e-12:
            moves = tuple(
                _move(part, 1.0, 1.0, 1.0) for part in parts if abs(part.length) > NOTHING
            )
            end = end_of(moves)
            if end.distance(scaled) < MISSED and abs(wrap(end.heading - local.heading)) < MISSED:
                best, least = parts, length
    return tuple(
        _move(part, radius, speed, reverse) for part in best if abs(part.length) > NOTHING
    )


def spin(angle: float, rate: float) -> tuple[ConstantMotion, ...]:
    """Return the turn on the spot by an angle, rad, at a rate, rad/s; none for no angle."""
    if abs(angle) < NOTHING:
        return ()
    return (ConstantMotion(Screw2(0.0, 0.0, math.copysign(rate, angle)), abs(angle) / rate),)


def spin_drive_spin(
    start: Pose2, goal: Pose2, model: MotionModel, *, back: bool = False
) -> tuple[ConstantMotion, ...]:
    """Return a turn, a straight and a turn between two poses, backward if ``back``."""
    way = start.distance(goal)
    if way < NOTHING:
        return spin(wrap(goal.heading - start.heading), model.turn)
    course = math.atan2(goal.y - start.y, goal.x - start.x) + (math.pi if back else 0.0)
    v = -model.reverse if back else model.speed
    return (
        *spin(wrap(course - start.heading), model.turn),
        ConstantMotion(Screw2(v, 0.0, 0.0), way / abs(v)),
        *spin(wrap(goal.heading - course), model.turn),
    )


def duration(moves: Sequence[ConstantMotion]) -> float:
    """Return how long moves take, s."""
    return sum(move.duration for move in moves)


def connect(start: Pose2, goal: Pose2, model: MotionModel) -> tuple[ConstantMotion, ...]:
    """Return the quickest of the ways on open ground between two poses that the robot can go.

    A robot that turns on the spot turns, drives and turns; another takes arcs of its least
    radius, with cusps only if it can go back.
    """
    if model.spins:
        ways = [spin_drive_spin(start, goal, model)]
        if model.reverse:
            ways.append(spin_drive_spin(start, goal, model, back=True))
        return min(ways, key=duration)
    return shortest_curve(
        start,
        goal,
        model.least_radius,
        cusps=model.reverse > 0.0,
        speed=model.speed,
        reverse=model.reverse or model.speed,
    )


def sideways(aside: float, angle: float, model: MotionModel) -> tuple[ConstantMotion, ...]:
    """Return the five pulses that move the robot ``aside`` m to the left (mdle.md §1.6, F3s).

    angle: of the first turn, rad, within a quarter turn; the greater it is, the less room ahead
    they take. Raises ValueError for an angle of 0, and for a robot that cannot turn on the spot or
    go back.
    """
    if not 0.0 < angle <= QUARTER:
        raise ValueError('the angle of a bracket manoeuvre must be in (0, 90] degrees')
    if not (model.spins and model.reverse):
        raise ValueError('a bracket manoeuvre needs turns on the spot and driving backward')
    way = 0.5 * abs(aside) / math.sin(angle)
    turn = math.copysign(angle, aside)
    return (
        *spin(turn, model.turn),
        ConstantMotion(Screw2(model.speed, 0.0, 0.0), way / model.speed),
        *spin(-2.0 * turn, model.turn),
        ConstantMotion(Screw2(-model.reverse, 0.0, 0.0), way / model.reverse),
        *spin(turn, model.turn),
    )
