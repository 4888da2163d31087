"""Drive constant motions one after the other, exactly or less so (mdle.md §1.4 and §1.7)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.differential_drive import (
    Convention,
    Wheels,
    body_twist,
    wheel_speeds,
)
from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.simulation.planar.integrators import (
    A1,
    A1_AS_PRINTED,
    A2,
    POSE_INTEGRATORS,
    Integrator,
    frame_of,
    matrix_of,
)

Floats = NDArray[np.float64]

SEPARATION = 0.34519
"""Of the wheels, m, by default (mdle.md §1.3)."""
MOST_STEPS = 1_000_000


class Pulse(NamedTuple):
    """A constant motion for a time, s."""

    twist: Twist2
    duration: float


@dataclass(frozen=True, eq=False)
class Drive:
    """What came of a drive.

    times: (n,), s; path: (n, 3), x and y, m, and heading, rad, not wrapped; scale: (n,), of the
    rotation block, 1 unless the integrator leaves the rotations; length: m that the wheels' middle
    was to go; lag: greatest distance, m, from where the robot would be without latency.
    """

    times: Floats
    path: Floats
    scale: Floats
    length: float
    lag: float = 0.0

    @property
    def end(self) -> Pose2:
        """Return the last pose."""
        x, y, heading = self.path[-1].tolist()
        return Pose2(x, y, heading)

    def figures(self) -> dict[str, float]:
        """Return the numbers of mdle.md §1.7; ``gap_m`` lies between beginning and end."""
        end = self.end
        return {
            'x_m': end.x,
            'y_m': end.y,
            'heading_rad': end.heading,
            'gap_m': end.distance(ORIGIN),
            'scale': float(self.scale[-1]),
            'length_m': self.length,
            'duration_s': float(self.times[-1]),
            'steps': float(len(self.times) - 1),
            'lag_m': self.lag,
        }


def drive(
    pulses: Sequence[Pulse],
    integrator: Integrator = 'exp',
    step: float = 0.01,
    *,
    printed: bool = False,
    separation: float = SEPARATION,
    convention: Convention = 'ros',
    slip: float = 0.0,
    latency: float = 0.0,
    rng: Random | None = None,
) -> Drive:
    """Drive pulses one after the other from the origin.

    step: longest step, s; each pulse takes equal ones. printed: take A1 as the report prints it,
    which only ``euler_matrix`` can. slip: sigma of the share by which each wheel, ``separation``
    m apart, goes farther than commanded, drawn once from ``rng``. convention: ``report`` turns the
    other way. latency: from a command to its effect, s; the robot rests before the first and
    obeys the last as late, so that the path is the same and only behind.

    Raises ValueError for what cannot be, and for more than a million steps.
    """
    if integrator != 'euler_matrix' and integrator not in POSE_INTEGRATORS:
        known = ', '.join([*POSE_INTEGRATORS, 'euler_matrix'])
        raise ValueError(f'{integrator!r} is no integrator; use one of {known}')
    if printed and integrator != 'euler_matrix':
        raise ValueError('A1 as printed is no generator of rotations; use euler_matrix with it')
    for what, value in (('step', step), ('separation', separation)):
        if not 0.0 < value < math.inf:
            raise ValueError(f'the {what} must be greater than 0')
    for what, value in (('slip', slip), ('latency', latency)):
        if not 0.0 <= value < math.inf:
            raise ValueError(f'the {what} must not be negative')
    if slip and rng is None:
        raise ValueError('slip needs a generator of random numbers, rng')
    grip = Wheels(*(1.0 + rng.gauss(0.0, slip) if rng and slip else 1.0 for _ in range(2)))
    true = [Pulse(_true(twist, grip, separation, convention), time) for twist, time in pulses]
    if latency:
        true.insert(0, Pulse(Twist2(), latency))
    if sum(duration for _, duration in true) / step > MOST_STEPS:
        raise ValueError(f'a drive takes at most {MOST_STEPS} steps; choose a longer step')
    steps = [
        (twist, duration / count)
        for twist, duration in true
        if duration > 0.0
        for count in (max(math.ceil(duration / step - 1e-9), 1),)
        for _ in range(count)
    ]
    times = np.concatenate(([0.0], np.cumsum([dt for _, dt in steps])))
    if integrator == 'euler_matrix':
        path, scale = _by_matrix(steps, A1_AS_PRINTED if printed else A1)
    else:
        path = _by_pose(steps, POSE_INTEGRATORS[integrator])
        scale = np.ones(len(path))
    length = sum(abs(twist.v) * duration for twist, duration in true)
    return Drive(times, path, scale, length, _lag(times, path, latency))


def _true(twist: Twist2, grip: Wheels, separation: float, convention: Convention) -> Twist2:
    """Return the motion that comes of one that is commanded to wheels."""
    if grip == (1.0, 1.0) and convention == 'ros':
        return twist
    wheels = wheel_speeds(twist, separation)
    slipped = Wheels(wheels.left * grip.left, wheels.right * grip.right)
    return body_twist(slipped, separation, convention)


def _by_pose(
    steps: Sequence[tuple[Twist2, float]], advance: Callable[[Pose2, Twist2, float], Pose2]
) -> Floats:
    path = [ORIGIN]
    for twist, dt in steps:
        path.append(advance(path[-1], twist, dt))
    return np.array(path)


def _by_matrix(steps: Sequence[tuple[Twist2, float]], turning: Floats) -> tuple[Floats, Floats]:
    matrix = matrix_of(ORIGIN)
    frames = [frame_of(matrix)]
    for twist, dt in steps:
        matrix = matrix + matrix @ (turning * twist.w + A2 * twist.v) * dt
        frames.append(frame_of(matrix))
    path = np.array([frame.pose for frame in frames])
    path[:, 2] = np.unwrap(path[:, 2])
    return path, np.array([frame.scale for frame in frames])


def _lag(times: Floats, path: Floats, latency: float) -> float:
    if not latency:
        return 0.0
    ahead = times + latency
    apart = [np.interp(ahead, times, path[:, axis]) - path[:, axis] for axis in (0, 1)]
    return float(np.hypot(*apart).max())
