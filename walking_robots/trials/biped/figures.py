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
    tick; ``felt_slip_m``: the most slip that the robot felt.
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


class SettledWalk:
    """Collects what the figures of a walk are made of, tick by tick."""

    def __init__(self) -> None:
        """Begin without a tick."""
        self._rows: list[tuple[float, ...]] = []
        self._states: list[int] = []
        self._reasons: list[str] = []
        self._friction: list[float] = []
        self._entered: float | None = None

    def __bool__(self) -> bool:
        """Return whether there is any tick."""
        return bool(self._rows)

    def add(self, tick: LoopTick) -> None:
        """Take in a tick."""
        state, gait, height = tick
        memory, (right, left) = gait.memory, gait.legs
        # A tuple of numbers alone, which the search for garbage leaves out from then on.
        self._rows.append((
            state.time, state.x, state.velocity[0], height, state.pitch, *state.efforts,
            right.length, left.length, right.angle, left.angle, gait.forward,
        ))  # fmt: skip
        self._states.append(memory.state)
        if self._entered not in (None, memory.entered):
            self._reasons.append(memory.why)
        self._entered = memory.entered
        for foot in state.feet:
            needed = needed_friction(foot, memory.slope)
            if needed is not None:
                self._friction.append(needed)

    def figures(self) -> WalkFigures:
        """Return the figures of all ticks so far."""
        rows = np.array(self._rows)
        speed, height, pitch = rows[:, 2:5].T
        turns = np.degrees(pitch)
        phases = [phase_of(number) for number in self._states]
        period, step = stride(self._states, [(row[0], row[1]) for row in self._rows])
        reasons = self._reasons
        return WalkFigures(
            speed=_range(speed),
            mean_speed=float(speed.mean()),
            height=_range(height),
            mean_height=float(height.mean()),
            pitch=_range(turns),
            mean_pitch=float(turns.mean()),
            hip=_range(rows[:, 5:9:2]),
            knee=_range(rows[:, 6:9:2]),
            length=_range(rows[:, 9:11]),
            angle=_range(rows[:, 11:13]),
            mean_forward=float(rows[:, 13].mean()),
            shares={phase: phases.count(phase) / len(phases) for phase in WalkPhase},
            period=period,
            step=step,
            friction=tuple(self._friction),
            early=reasons.count('touches ahead') + reasons.count('stumble'),
            stumbles=reasons.count('stumble'),
        )


def figures(ticks: Iterable[LoopTick]) -> WalkFigures:
    """Measure some ticks of a walk."""
    walked = SettledWalk()
    for tick in ticks:
        walked.add(tick)
    return walked.figures()


class BipedSummary:
    """Sums a walk up, tick by tick."""

    def __init__(self) -> None:
        """Begin without a tick."""
        self._first: LoopTick | None = None
        self._last: LoopTick | None = None
        self._settled = SettledWalk()
        self._states: list[int] = []
        self._held: list[tuple[float, float] | None] = [None, None]
        self._slip = self._felt_slip = 0.0

    def add(self, tick: LoopTick) -> None:
        """Take in a tick."""
        memory = tick.gait.memory
        self._first, self._last = self._first or tick, tick
        self._states.append(memory.state)
        self._felt_slip = max(self._felt_slip, memory.slip.slip)
        for side, foot in enumerate(tick.state.feet):
            if foot.force_z <= LEAST_LOAD:
                self._held[side] = None
                continue
            x, z = self._held[side] = self._held[side] or (foot.x, foot.z)
            self._slip = max(self._slip, math.hypot(foot.x - x, foot.z - z))
        if tick.state.time >= SETTLED:
            self._settled.add(tick)

    def result(self, trace: str) -> BipedResult:
        """Return what came of all ticks so far, of which there is at least one."""
        first, last = self._first, self._last
        assert first is not None and last is not None
        fell = lies(last)
        fall_time = last.state.time if fell else None
        distance = last.state.x - first.state.x
        steps = len(landings(self._states))
        if not self._settled:
            return BipedResult(
                fell, fall_time, distance, *(None,) * 8, steps, self._slip, self._felt_slip, trace
            )
        found = self._settled.figures()
        return BipedResult(
            fell, fall_time, distance, found.mean_speed, *found.speed, *found.pitch,
            found.mean_height, _known(found.step), _known(found.friction_at(99.0)), steps,
            self._slip, self._felt_slip, trace,
        )  # fmt: skip


def run(trial: BipedTrial) -> BipedResult:
    """Walk for the time of a trial, or until the robot lies."""
    return result(walk(trial))


def result(ticks: Iterable[LoopTick]) -> BipedResult:
    """Sum a walk up."""
    summary, trace = BipedSummary(), BipedTrace()
    for tick in ticks:
        trace.add(tick.gait)
        summary.add(tick)
    return summary.result(trace.hexdigest())


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


def _range(values: NDArray[np.float64]) -> tuple[float, float]:
    return float(values.min()), float(values.max())


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
