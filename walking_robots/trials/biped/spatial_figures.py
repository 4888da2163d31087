"""What came of a biped's walk in space."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from walking_robots.gaits.biped.states import half_of
from walking_robots.geometry.pose import Vector
from walking_robots.trials.biped.trace import BipedTrace
from walking_robots.trials.biped.spatial_trial import (
    SpatialLoopTick,
    SpatialTrial,
    spatial_walk,
    tumbled,
)

LAST = 1.0
"""s; the heading is that of the mean of so long at the end: a body sways with each step."""


@dataclass(frozen=True)
class SpatialResult:
    """What came of a walk in space.

    distance_m: along the desired heading, which may turn; heading_error_rad: of the last second,
    to the left; max_slip_m: the farthest that a foot came, level, from where it touched down, as
    long as its switch stayed closed; a foot rolls by some millimetres in a step; steps: of both
    feet.
    """

    fell: bool
    fall_time_s: float | None
    distance_m: float
    heading_error_rad: float
    max_slip_m: float
    steps: int
    mean_speed_m_s: float | None
    mean_height_m: float
    roll_min_deg: float
    roll_max_deg: float
    pitch_min_deg: float
    pitch_max_deg: float
    trace_sha256: str


class SlipMeter:
    """Follows where feet touched down, and how far from there they came."""

    def __init__(self) -> None:
        """Begin with both feet in the air."""
        self.most = 0.0
        self._touched: list[Vector | None] = [None, None]

    def add(self, contacts: Iterable[bool], places: Iterable[Vector]) -> None:
        """Take in a tick: foot switches, and where the feet are, m; right and left."""
        for leg, (contact, place) in enumerate(zip(contacts, places, strict=True)):
            begun = self._touched[leg]
            if contact and begun is not None:
                self.most = max(self.most, math.dist(begun[:2], place[:2]))
            else:
                self._touched[leg] = place if contact else None


class SpatialSummary:
    """Sums a walk up, tick by tick."""

    def __init__(self, step: float) -> None:
        """Take the time between two ticks, s."""
        self._step = step
        self._trace = BipedTrace()
        self._slip = SlipMeter()
        self._way = 0.0
        self._steps = 0
        self._half: int | None = None
        self._errors: list[float] = []
        self._rolls: list[float] = []
        self._pitches: list[float] = []
        self._heights: list[float] = []
        self._last: SpatialLoopTick | None = None

    def add(self, tick: SpatialLoopTick) -> None:
        """Take in a tick."""
        state, gait = tick.state, tick.gait
        self._trace.add(gait.planar)
        self._slip.add(state.contacts, (foot.place for foot in state.feet))
        heading = gait.memory.heading
        self._way += self._step * (
            state.velocity[0] * math.cos(heading) + state.velocity[1] * math.sin(heading)
        )
        half = half_of(gait.memory.walk.state)
        self._steps += self._half is not None and half != self._half
        self._half, self._last = half, tick
        self._errors.append(math.remainder(tick.heading - heading, math.tau))
        self._rolls.append(tick.roll)
        self._pitches.append(tick.pitch)
        self._heights.append(tick.height)

    def result(self) -> SpatialResult:
        """Return what came of the ticks so far, of which there is at least one."""
        assert self._last is not None
        fell, time = tumbled(self._last), self._last.state.time
        return SpatialResult(
            fell=fell,
            fall_time_s=time if fell else None,
            distance_m=self._way,
            heading_error_rad=fmean(self._errors[-round(LAST / self._step) :]),
            max_slip_m=self._slip.most,
            steps=self._steps,
            mean_speed_m_s=self._way / time if time else None,
            mean_height_m=fmean(self._heights),
            roll_min_deg=math.degrees(min(self._rolls)),
            roll_max_deg=math.degrees(max(self._rolls)),
            pitch_min_deg=math.degrees(min(self._pitches)),
            pitch_max_deg=math.degrees(max(self._pitches)),
            trace_sha256=self._trace.hexdigest(),
        )


def run_in_space(trial: SpatialTrial) -> SpatialResult:
    """Walk for the time of a trial, or until the robot lies."""
    summary = SpatialSummary(trial.control_step)
    for tick in spatial_walk(trial):
        summary.add(tick)
    return summary.result()
