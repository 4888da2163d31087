"""What came of a biped's walk in space."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from walking_robots.gaits.biped.states import half_of
from walking_robots.geometry.pose import Vector
from walking_robots.robots.kwalk_spatial import has_tumbled
from walking_robots.trials.biped.spatial_trial import SpatialLoopTick, SpatialTrial, spatial_walk
from walking_robots.trials.biped.trace import BipedTrace

LAST = 1.0
"""s; the heading is that of the mean of so long at the end: a body sways with each step."""


@dataclass(frozen=True)
class SpatialResult:
    """What came of a walk in space.

    distance_m: along the desired heading, which may turn; heading_error_rad: of the last second,
    to the left; max_slip_m: the farthest that a foot came, level, from where it touched down, as
    long as its switch stayed closed; a foot rolls by some millimetres in a step; felt_slip_m: the
    most slip that the robot felt; steps: of both feet.
    """

    fell: bool
    fall_time_s: float | None
    distance_m: float
    heading_error_rad: float
    max_slip_m: float
    felt_slip_m: float
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


class SpatialMoment(NamedTuple):
    """The robot at one instant, as a referee sees it.

    time: s; velocity: level, m/s along x and y of the world; height: of the hips over the ground,
    m; roll, pitch, heading, desired: rad, the latter the heading that it is to have; half: the leg
    that carries; contacts, feet: foot switches, and where the feet are, m.
    """

    time: float
    velocity: tuple[float, float]
    height: float
    roll: float
    pitch: float
    heading: float
    desired: float
    half: int
    contacts: tuple[bool, bool]
    feet: tuple[Vector, Vector]

    @property
    def lies(self) -> bool:
        """Return whether the robot has fallen."""
        return has_tumbled(self.height, self.roll, self.pitch)


def moment_of(tick: SpatialLoopTick) -> SpatialMoment:
    """Return what a referee sees of a tick."""
    state, memory = tick.state, tick.gait.memory
    right, left = state.feet
    x, y, _ = state.moving
    return SpatialMoment(
        state.time, (x, y), tick.height, tick.roll, tick.pitch, tick.heading, memory.heading,
        half_of(memory.walk.state), state.contacts, (right.place, left.place),
    )  # fmt: skip


class SpatialSummary:
    """Sums a walk up, instant by instant."""

    def __init__(self, step: float) -> None:
        """Take the time between two instants, s."""
        self._step = step
        self._slip = SlipMeter()
        self._way = 0.0
        self._steps = 0
        self._last: SpatialMoment | None = None
        self._errors: list[float] = []
        self._postures: list[tuple[float, float, float]] = []

    def add(self, now: SpatialMoment) -> None:
        """Take in an instant."""
        self._slip.add(now.contacts, now.feet)
        x, y = now.velocity
        self._way += self._step * (x * math.cos(now.desired) + y * math.sin(now.desired))
        self._steps += self._last is not None and now.half != self._last.half
        self._last = now
        self._errors.append(math.remainder(now.heading - now.desired, math.tau))
        self._postures.append((now.height, now.roll, now.pitch))

    def result(self, trace: str, felt_slip: float) -> SpatialResult:
        """Return what came of all instants so far, of which there is at least one.

        felt_slip: the most that the robot felt, m.
        """
        assert self._last is not None
        fell, time = self._last.lies, self._last.time
        heights, rolls, pitches = zip(*self._postures, strict=True)
        return SpatialResult(
            fell=fell,
            fall_time_s=time if fell else None,
            distance_m=self._way,
            heading_error_rad=fmean(self._errors[-round(LAST / self._step) :]),
            max_slip_m=self._slip.most,
            felt_slip_m=felt_slip,
            steps=self._steps,
            mean_speed_m_s=self._way / time if time else None,
            mean_height_m=fmean(heights),
            roll_min_deg=math.degrees(min(rolls)),
            roll_max_deg=math.degrees(max(rolls)),
            pitch_min_deg=math.degrees(min(pitches)),
            pitch_max_deg=math.degrees(max(pitches)),
            trace_sha256=trace,
        )


def run_in_space(trial: SpatialTrial) -> SpatialResult:
    """Walk for the time of a trial, or until the robot lies."""
    summary, trace, felt_slip = SpatialSummary(trial.control_step), BipedTrace(), 0.0
    for tick in spatial_walk(trial):
        trace.add(tick.gait.planar)
        summary.add(moment_of(tick))
        felt_slip = max(felt_slip, tick.gait.memory.walk.slip.slip)
    return summary.result(trace.hexdigest(), felt_slip)
