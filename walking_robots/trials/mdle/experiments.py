"""The drives of the report's figures by name (mdle.md §1.7)."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from walking_robots.geometry.se2 import Twist2
from walking_robots.simulation.planar.integrators import Integrator
from walking_robots.trials.mdle.drives import Drive, Pulse, drive

TURN_RATE, SPEED = 0.5, 0.2
"""Of pulses that last, rad/s and m/s (F3t)."""


@dataclass(frozen=True)
class Experiment:
    """A drive with a name.

    pulses: made of a turn, rad, and a way, m, whose usual values are ``turn`` and ``way``;
    integrator, step: the usual ones, the step in s; printed: with the report's own A1.
    """

    title: str
    pulses: Callable[[float, float], list[Pulse]]
    turn: float
    way: float
    integrator: Integrator = 'exp'
    step: float = 0.01
    printed: bool = False


def _circle(turn: float, way: float) -> list[Pulse]:
    duration = 2.0 * math.pi
    return [Pulse(Twist2(way / duration, turn / duration), duration)]


def _deltas(*shares: tuple[int, int]) -> Callable[[float, float], list[Pulse]]:
    """Return deltas of rotation and translation, as pulses of one second, by their shares."""
    return lambda turn, way: [
        Pulse(Twist2(ahead * way, left * turn), 1.0) for left, ahead in shares
    ]


_FOUR_PULSES = _deltas((1, 0), (0, 1), (-1, 0), (0, -1))
_FIVE_PULSES = _deltas((1, 0), (0, 1), (-2, 0), (0, -1), (1, 0))


def _lasting(turn: float, way: float) -> list[Pulse]:
    return [
        Pulse(
            Twist2(
                math.copysign(SPEED, twist.v) if twist.v else 0.0,
                math.copysign(TURN_RATE, twist.w) if twist.w else 0.0,
            ),
            abs(twist.v) / SPEED + abs(twist.w) / TURN_RATE,
        )
        for twist, _ in _FIVE_PULSES(turn, way)
    ]


def _like_a_car(turn: float, radius: float) -> list[Pulse]:
    arc = radius * turn
    return [
        Pulse(Twist2(1.0, 1.0 / radius), arc),
        Pulse(Twist2(1.0, -1.0 / radius), arc),
        Pulse(Twist2(-1.0, 0.0), 2.0 * radius * math.sin(turn)),
    ]


_ROUND = 2.0 * math.pi

EXPERIMENTS: Mapping[str, Experiment] = {
    'F2': Experiment('a circle', _circle, _ROUND, _ROUND),
    'F2e': Experiment('a circle by Euler', _circle, _ROUND, _ROUND, 'euler_matrix'),
    'F2p': Experiment(
        'a circle with A1 as printed', _circle, _ROUND, _ROUND, 'euler_matrix', printed=True
    ),
    'F3': Experiment('parallel parking', _FOUR_PULSES, 1.0, 1.0),
    'F3e': Experiment(
        'parallel parking, a step each', _FOUR_PULSES, 1.0, 1.0, 'euler_matrix', step=1.0
    ),
    'F3s': Experiment('symmetric parking', _FIVE_PULSES, 1.0, 1.0),
    'F3t': Experiment('symmetric parking that takes its time', _lasting, 0.5, 0.5, step=0.05),
    'F3c': Experiment('parking like a car', _like_a_car, math.pi / 3.0, 1.0),
}
"""By the names of mdle.md §1.7. The way of F3c is the radius of its arcs."""


def run_experiment(
    name: str,
    integrator: Integrator | None = None,
    step: float | None = None,
    *,
    turn: float | None = None,
    way: float | None = None,
    **options: Any,
) -> Drive:
    """Run an experiment by its name; None stands for what it usually takes.

    ``step`` and ``options`` are those of `drive`. Raises ValueError for an
    unknown name, and for numbers with which nothing can be driven.
    """
    if name not in EXPERIMENTS:
        raise ValueError(f'{name!r} is no experiment; there are {", ".join(EXPERIMENTS)}')
    experiment = EXPERIMENTS[name]
    turn = experiment.turn if turn is None else turn
    way = experiment.way if way is None else way
    if not (math.isfinite(turn) and math.isfinite(way)):
        raise ValueError('turn and way must be finite, rad and m')
    if name == 'F3c' and not (way > 0.0 and 0.0 < turn < math.pi):
        raise ValueError('F3c needs a radius greater than 0 and a turn of less than half a circle')
    return drive(
        experiment.pulses(turn, way),
        experiment.integrator if integrator is None else integrator,
        experiment.step if step is None else step,
        printed=experiment.printed,
        **options,
    )
