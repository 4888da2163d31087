"""What came of a biped's walk: the figures of the thesis's pages (biped.md §11)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walking_robots.gaits.biped.states import WalkPhase, half_of, phase_of
from walking_robots.simulation.biped.friction import LEAST_LOAD, needed_friction
from walking_robots.trials.biped.trace import BipedTrace
from walking_robots.trials.biped.trial import BipedTrial, LoopTick, lies, walk

SETTLED = 3.0
"""s; figures are of the time after it, when the walk has settled (biped.md §15.1)."""


@dataclass(frozen=True)
class BipedResult:
    """What came of a walk; speeds, pitch, height, steps and friction are of the settled time.

    They are None where the robot did not walk so long, and a step where it made fewer than two.
    ``friction_p99`` is the 99th percentile of the friction that a loaded foot needs; None in a
    graph, none of whose messages carries forces and slope of one instant. ``steps``: feet put
    ahead of the other; ``max_slip_m``: how far a loaded foot moved from where it first bore load,
    some mm of it by rolling on its round end; None in a graph, where forces do not come with every
    tick; ``felt_slip_m``: by how much the feet moved apart or together at most while both stood,
    as the robot felt it.
    """

    fell: bool
    fall_time_s: float | None
    distance_m: float
    mean_speed_m_s: float | None
    min_speed_m_s: float | None
    max_speed_m_s: float | None
    pitch_min_deg: float | None
    pitch_max_deg: float | None
    mean_height_m: float | None
    step_length_m: float | None
    friction_p99: float | None
    steps: int
    max_slip_m: float | None
    felt_slip_m: float
    trace_sha256: str


@dataclass(frozen=True)
class WalkFigures:
    """Figures of a settled walk; pairs are least and greatest, SI, degrees for pitch.

    shares: of the time, by phase; period: s of a step; stumbles: early contacts that led back.
    """

    speed: tuple[float, float]
    mean_speed: float
    height: tuple[float, float]
    mean_height: float
    pitch: tuple[float, float]
    mean_pitch: float
    hip: tuple[float, float]
    knee: tuple[float, float]
    length: tuple[float, float]
    angle: tuple[float, float]
    mean_forward: float
    shares: dict[WalkPhase, float]
    period: float
    step: float
    friction: tuple[float, ...]
    early: int
    stumbles: int

    def friction_at(self, percent: float) -> float:
        """Return a percentile of the needed friction."""
        return float(np.percentile(self.friction, percent)) if self.friction else math.nan


def run(trial: BipedTrial) -> BipedResult:
    """Walk for the time of a trial, or until the robot lies."""
    return result(*traced_walk(trial))


def traced_walk(trial: BipedTrial) -> tuple[list[LoopTick], str]:
    """Walk, and give all ticks with the fingerprint of the walk."""
    trace = BipedTrace()
    ticks = list(walk(trial))
    for tick in ticks:
        trace.add(tick.gait)
    return ticks, trace.hexdigest()


def result(ticks: Sequence[LoopTick], trace: str) -> BipedResult:
    """Sum a walk up."""
    last = ticks[-1]
    fell = lies(last)
    settled = [tick for tick in ticks if tick.state.time >= SETTLED]
    distance = last.state.x - ticks[0].state.x
    steps = len(landings([tick.gait.memory.state for tick in ticks]))
    fall_time = last.state.time if fell else None
    felt_slip = max(abs(tick.gait.memory.slip.slip) for tick in ticks)
    if not settled:
        return BipedResult(
            fell, fall_time, distance, *(None,) * 8, steps, max_slip(ticks), felt_slip, trace
        )
    found = figures(settled)
    return BipedResult(
        fell=fell,
        fall_time_s=fall_time,
        distance_m=distance,
        mean_speed_m_s=found.mean_speed,
        min_speed_m_s=found.speed[0],
        max_speed_m_s=found.speed[1],
        pitch_min_deg=found.pitch[0],
        pitch_max_deg=found.pitch[1],
        mean_height_m=found.mean_height,
        step_length_m=_known(found.step),
        friction_p99=_known(found.friction_at(99.0)),
        steps=steps,
        max_slip_m=max_slip(ticks),
        felt_slip_m=felt_slip,
        trace_sha256=trace,
    )


def figures(ticks: Sequence[LoopTick]) -> WalkFigures:
    """Measure some ticks of a walk."""
    states = np.array([(t.state.velocity[0], t.height, t.state.pitch) for t in ticks])
    speed, height, pitch = states.T
    efforts = np.array([tick.state.efforts for tick in ticks])
    legs = np.array([[leg[:2] for leg in tick.gait.legs] for tick in ticks])
    numbers = [tick.gait.memory.state for tick in ticks]
    phases = [phase_of(number) for number in numbers]
    period, step = stride(numbers, [(tick.state.time, tick.state.x) for tick in ticks])
    reasons = _reasons(ticks)
    turns = np.degrees(pitch)
    return WalkFigures(
        speed=_range(speed),
        mean_speed=float(speed.mean()),
        height=_range(height),
        mean_height=float(height.mean()),
        pitch=_range(turns),
        mean_pitch=float(turns.mean()),
        hip=_range(efforts[:, ::2]),
        knee=_range(efforts[:, 1::2]),
        length=_range(legs[:, :, 0]),
        angle=_range(legs[:, :, 1]),
        mean_forward=float(np.mean([tick.gait.forward for tick in ticks])),
        shares={phase: phases.count(phase) / len(phases) for phase in WalkPhase},
        period=period,
        step=step,
        friction=tuple(_friction(ticks)),
        early=reasons.count('touches ahead') + reasons.count('stumble'),
        stumbles=reasons.count('stumble'),
    )


def stride(states: Sequence[int], places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return mean period, s, and length, m, of the steps in some ticks, NaN for fewer than two.

    states: of the controller; places: time, s, and x of the hips, m, of each tick.
    """
    begun = [places[place] for place in landings(states)]
    if len(begun) < 2:
        return math.nan, math.nan
    (t0, x0), (t1, x1), steps = begun[0], begun[-1], len(begun) - 1
    return (t1 - t0) / steps, (x1 - x0) / steps


def landings(states: Sequence[int]) -> list[int]:
    """Return the places in states of a controller at which a foot was put ahead of the other."""
    return [
        place
        for place, (before, state) in enumerate(pairwise(states), start=1)
        if phase_of(state) == WalkPhase.DOUBLE and half_of(state) != half_of(before)
    ]


def max_slip(ticks: Iterable[LoopTick]) -> float:
    """Return how far a foot moved at most, m, from where it began to bear load."""
    most = 0.0
    held: list[tuple[float, float] | None] = [None, None]
    for tick in ticks:
        for side, foot in enumerate(tick.state.feet):
            if foot.force_z <= LEAST_LOAD:
                held[side] = None
                continue
            x, z = held[side] = held[side] or (foot.x, foot.z)
            most = max(most, math.hypot(foot.x - x, foot.z - z))
    return most


def _reasons(ticks: Sequence[LoopTick]) -> list[str]:
    """Return why each state was left that was left in these ticks."""
    memories = [tick.gait.memory for tick in ticks]
    return [after.why for before, after in pairwise(memories) if after.entered != before.entered]


def _friction(ticks: Iterable[LoopTick]) -> Iterable[float]:
    """Yield the friction that each loaded foot needs, tick by tick."""
    for tick in ticks:
        for foot in tick.state.feet:
            needed = needed_friction(foot, tick.gait.memory.slope)
            if needed is not None:
                yield needed


def _range(values: NDArray[np.float64]) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
