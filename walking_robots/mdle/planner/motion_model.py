"""What a planner knows of a robot: its footprint, its limits, and how it may move."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2
from walking_robots.mdle.robot import RobotSpec

FULL_TURN = 2.0 * math.pi
SPEED = 0.45
"""Greatest speed, m/s, where nothing else is said, and where the robot has room to stop from it; a
choice, measured in docs/planner.md."""


class ConstantMotion(NamedTuple):
    """A constant input for a time, s: one scaled atom of the library (mdle.md §4.1)."""

    twist: Screw2
    duration: float

    @property
    def end(self) -> Pose2:
        """Return where it leads from the origin, exactly."""
        return self.twist.exp(self.duration)

    @property
    def length(self) -> float:
        """Return the way of the body's middle, m."""
        return math.hypot(self.twist.v, self.twist.aside) * self.duration

    def parts(self, step: float) -> int:
        """Return into how many equal parts of at most ``step`` m and 0.1 rad it can be cut."""
        turn = abs(self.twist.w) * self.duration
        return max(math.ceil(self.length / step), math.ceil(turn / 0.1), 1)


def end_of(moves: Iterable[ConstantMotion], start: Pose2 = ORIGIN) -> Pose2:
    """Return where moves lead, one after the other."""
    for move in moves:
        start = start @ move.end
    return start


def sampled(
    moves: Sequence[ConstantMotion], start: Pose2, step: float = 0.025
) -> NDArray[np.float64]:
    """Return poses (n, 3), m and rad, at most ``step`` m and 0.1 rad apart, with both ends."""
    return poses_along(moves, start, [move.parts(step) for move in moves])


def poses_along(
    moves: Sequence[ConstantMotion], start: Pose2, parts: Sequence[int]
) -> NDArray[np.float64]:
    """Return the poses (1 + sum(parts), 3), m and rad, between equal parts of moves, exactly.

    parts: into how many each move is cut. The exponential map of mdle.md §1.5, as `Screw2.exp`.
    """
    begins = [start]
    for move in moves[:-1]:
        begins.append(begins[-1] @ move.end)
    numbers = np.arange(1, sum(parts) + 1) - np.repeat(np.cumsum(parts) - parts, parts)
    moving = [
        (*move.twist, move.duration / count, *begin)
        for move, count, begin in zip(moves, parts, begins, strict=False)
    ]
    v, aside, w, lasting, x, y, heading = np.repeat(
        np.array(moving).reshape(-1, 7), parts, axis=0
    ).T
    time = lasting * numbers
    half = 0.5 * w * time
    # sin(t) / t and (1 - cos(t)) / t of the whole turn t = 2 half.
    ahead, across = np.sinc(2.0 * half / np.pi), np.sin(half) * np.sinc(half / np.pi)
    dx, dy = time * (ahead * v - across * aside), time * (across * v + ahead * aside)
    cosine, sine = np.cos(heading), np.sin(heading)
    led = (x + cosine * dx - sine * dy, y + sine * dx + cosine * dy, heading + 2.0 * half)
    return np.vstack((start, np.column_stack(led)))


@dataclass(frozen=True)
class MotionModel:
    """The footprint and the limits of a robot.

    footprint: discs (x, y, radius) in the body, m; speed, reverse, aside: greatest speeds ahead,
    back and to either side, m/s, 0 for what it cannot do; turn: rad/s; least_radius: of an arc,
    m, 0 for a robot that turns on the spot; braking: m/s^2; delay: s from a change of the world
    until the robot brakes: a round of the sensors, a tick and the actuation (mdle.md §5.1).
    """

    footprint: tuple[tuple[float, float, float], ...]
    speed: float = 0.3
    reverse: float = 0.15
    aside: float = 0.0
    turn: float = 0.8
    least_radius: float = 0.0
    braking: float = 0.5
    delay: float = 1.11

    @property
    def radius(self) -> float:
        """Return the radius of the circle round the whole footprint, m."""
        return max(math.hypot(x, y) + radius for x, y, radius in self.footprint)

    @property
    def inner_radius(self) -> float:
        """Return the radius of a circle round the middle that the footprint certainly fills, m."""
        return max(max(radius - math.hypot(x, y) for x, y, radius in self.footprint), 0.0)

    @property
    def spaces(self) -> tuple[str, ...]:
        """Return the control spaces of its moves."""
        return ('body2', 'body3') if self.aside else ('body2',)

    @property
    def spins(self) -> bool:
        """Return whether the robot turns on the spot."""
        return self.least_radius == 0.0

    def stopping_distance(self, speed: float) -> float:
        """Return the way, m, in which the robot certainly stops (mdle.md §5.1)."""
        return speed * self.delay + speed * speed / (2.0 * self.braking)

    def safe_speed(self, way: Any) -> Any:
        """Return the greatest speeds, m/s, from which the robot stops within ways, m."""
        b = self.braking * self.delay
        return np.minimum(
            self.speed, np.sqrt(b * b + 2.0 * self.braking * np.maximum(way, 0.0)) - b
        )


def motion_model(spec: RobotSpec, radius: float, *, speed: float = SPEED) -> MotionModel:
    """Return the model of a round robot from what its adapter offers on ``body2`` and ``body3``.

    radius, speed: m and m/s. The delay is that of its slowest range sensor, a tick of 0.1 s and
    0.05 s of actuation. Raises ValueError for a robot without ``body2``.
    """
    if 'body2' not in spec.spaces:
        raise ValueError(f'{spec.name} has no control space body2; the planner needs it')
    ahead, turn = spec.spaces['body2'].channels
    sensing = max(
        (spec.outputs[name].period for name in ('sonar',) if name in spec.outputs), default=0.1
    )
    return MotionModel(
        ((0.0, 0.0, radius),),
        speed=min(speed, ahead.high),
        reverse=min(speed / 3.0, -ahead.low),
        aside=min(speed, spec.spaces['body3'].channels[1].high) if 'body3' in spec.spaces else 0.0,
        turn=min(1.2, turn.high),
        braking=spec.braking,
        delay=sensing + 0.15,
    )
