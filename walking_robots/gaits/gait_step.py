"""The record of one step of a gait, whichever coordinator made it."""

from typing import NamedTuple

from walking_robots.body.motion import BodyMotion
from walking_robots.gaits.free.rule_engine import Firing
from walking_robots.geometry.pose import Vector
from walking_robots.legs.states import Decision

Command = tuple[float, float, float]
"""Velocity of the body (vx, vy, wz) in m/s, m/s and rad/s."""


class PlannedSwing(NamedTuple):
    """A swing ahead: the number of the leg, its foothold, the body at the lift of the next leg, m.

    ``margin`` is the stability margin (m) after that lift.
    """

    leg: int
    foothold: Vector
    body: Vector
    margin: float


class PlanAhead(NamedTuple):
    """The swings that a gait has planned, the next first, and what it would do without."""

    swings: tuple[PlannedSwing, ...] = ()
    otherwise: str = ''


class GaitStep(NamedTuple):
    """What a coordinator decided in one step, and why.

    ``motion`` is the body's motion of this step; ``margin`` and ``planned_margin`` are
    stability margins (m) now and at the planning horizon; ``kinematic_margins`` (s, leg 1
    first) are None where undefined. ``clear_heights`` (m, odometry frame, leg 1 first) are what
    feet in the air have to keep; none over level ground. ``failed`` are the numbers of legs that
    take no part because their joints do not follow. ``slowed`` says why the body goes slower than
    commanded, or rests: what its battery asks for, or how little it sees.
    """

    decisions: tuple[Decision, ...]
    motion: BodyMotion
    mode: str
    cycle: int
    state: str
    fired: tuple[Firing, ...]
    stop_reason: str
    deceleration: int
    margin: float
    planned_margin: float
    kinematic_margins: tuple[float | None, ...]
    footholds: tuple[Vector | None, ...]
    support: tuple[int, ...]
    planned_support: tuple[int, ...]
    clear_heights: tuple[float, ...] = ()
    failed: tuple[int, ...] = ()
    slowed: str = ''

    def failures(self) -> str:
        """Say which legs have failed, or nothing."""
        if not self.failed:
            return ''
        legs = ' and '.join(map(str, self.failed))
        return f'leg {legs} has failed' if len(self.failed) == 1 else f'legs {legs} have failed'
