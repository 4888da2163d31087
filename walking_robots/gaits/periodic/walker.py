"""A robot that walks by a periodic gait: measured joints and foot switches in, feet out."""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.body.mass_centre import mass_centre
from walking_robots.gaits.periodic.plan import GaitPlan, without_legs
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.periodic.step import PeriodicState, PeriodicStep, standing, step
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.geometry.se2 import Screw2
from walking_robots.legs.articulated import OutOfReachError, Reach
from walking_robots.legs.driven import DrivenLegs
from walking_robots.legs.servo_faults import FaultDetector

Array = NDArray[np.float64]

STRAY = 1.0
"""How far a foot may be measured from where it was sent, beyond what servos give way: heights of a
swing."""

FEW = 2
"""Feet that one leg may bring astray before it is found failed: its own, and that of another."""

SLOWER = (0.99, 0.9, 0.5)
"""Shares of the joint speed to try one after the other if a step requires more."""

LEVELLING = 1.0
"""Time constant, s, with which the level frame follows the measured tilt: guessed."""

WITHIN = 1.0 + 1e-9
"""Share of the joint speed that a step may ask for, with room for the last bits."""


class StrayFootError(ValueError):
    """Say that a foot is not where it was sent."""


class Walked(NamedTuple):
    """A step of a walker.

    ``gait``: what the gait made of it; ``before``: where the feet were, and ``feet``: where they
    are sent, within reach, m, body frame; ``twist``: of the body in its heading, m/s and rad/s;
    ``held``: why the body keeps its posture on the way to another, or ''.
    """

    gait: PeriodicStep
    before: tuple[Vector, ...]
    feet: tuple[Vector, ...]
    twist: Screw2
    held: str = ''


class PeriodicWalker:
    """Keeps a gait in step with the legs.

    ``state``, the joints that were ``ordered`` last, (6, 3), where feet were sent of late, and the
    legs that have failed are all that it remembers.

    Another ``plan`` from one step to the next is a transition to it. A leg that does not follow is
    taken out, and the others walk by the plan ``followed``.
    """

    def __init__(self, plan: GaitPlan, legs: DrivenLegs, joints: Array, upright: Pose) -> None:
        """Take over a robot at rest.

        joints: measured, (6, 3), in the robot's own values; upright: a pose of the body, of which
        the tilt counts.
        """
        self.plan = self.followed = plan
        self._planned_for = plan
        self._faults: FaultDetector | None = None
        self._legs = legs
        feet = _vectors(legs.forward(joints))
        roll = math.atan2(upright.rotation[7], upright.rotation[8])
        tilted = Posture(0.0, roll, upright.pitch())
        heights = [tilted.pose().apply(foot)[2] for foot in feet]
        posture = tilted._replace(height=-sum(heights) / len(heights))
        self.state: PeriodicState = standing(plan, feet, posture)
        self.ordered = joints
        self._sent = deque([self.state.feet()], maxlen=1)

    def step(
        self,
        joints: Array,
        contacts: Sequence[bool],
        twist: Screw2,
        dt: float,
        *,
        tilt: Pose | None = None,
        within: float | None = None,
    ) -> Walked:
        """Go one step of ``dt`` seconds under a twist of the body, m/s and rad/s, in its heading.

        ``joints`` (6, 3) and ``contacts`` are measured at its beginning, and so is ``tilt``, a
        pose of the body of which the tilt counts: what the ground below its feet is believed to be
        does not drift from it. Where a joint could not
        come ``within`` a time, s, from what it was ordered to last, time goes slower for all legs
        alike; without one it has ``dt``. A swinging foot goes as near as it gets to where it
        should be, and where a standing one would leave its reach on the way to another posture,
        the body keeps the one that it has. Raises OutOfReachError where that does not help, and
        StrayFootError where a foot is not where it was sent; the state stays as it was.
        """
        self._take_out_failed(joints, dt)
        if tilt is not None:
            self.state = self.state.upright(tilt, min(1.0, dt / LEVELLING))
        plan = self.followed
        points = self._legs.points(joints)
        centre = mass_centre(plan.robot.masses, points)
        before = _vectors(points[:, -1])
        self._check(before)
        ask = _Asked(joints, contacts, self.state.posture.level_twist(twist), centre)
        most = plan.robot.joint_speed * (dt if within is None else within)
        held = ''
        try:
            tried = self._in_time(plan, ask, dt, most)
        except OutOfReachError as error:
            stepping = plan.stepping
            if stepping.posture == self.state.posture:
                raise
            stepping = stepping._replace(posture=self.state.posture)
            tried = self._in_time(replace(plan, stepping=stepping), ask, dt, most)
            held = str(error)
        self.state, self.ordered = tried.gait.state, tried.joints
        self._sent.append(tried.feet)
        body = self.state.posture.body_twist(tried.gait.twist)
        return Walked(tried.gait, before, tried.feet, body, held)

    @property
    def failed(self) -> tuple[int, ...]:
        """Return the numbers of the legs that have failed."""
        return tuple(leg + 1 for leg in self.followed.stepping.failed)

    def _take_out_failed(self, joints: Array, dt: float) -> None:
        """Walk on without legs that have failed; raises ValueError where the others cannot."""
        if self._faults is None:
            self._faults = FaultDetector(self.plan.robot.servo, dt)
            self._sent = deque(self._sent, maxlen=self._faults.late)
        if not self._faults.add(self.ordered, joints) and self._planned_for is self.plan:
            return
        self._planned_for = self.followed = self.plan
        if self._faults.failed:
            self.followed = without_legs(self.plan, self._faults.failed)

    def _in_time(self, plan: GaitPlan, ask: '_Asked', dt: float, most: float) -> '_Tried':
        """Try a step, and slower where a joint would go more than ``most``, rad.

        The speed of a joint is that from order to order: servos that lag or give way under the
        weight slow nothing down.
        """
        share, best = 1.0, self._try(plan, ask, dt)
        least = effort = best.way(self.ordered) / most
        for aim in SLOWER:
            if effort <= WITHIN:
                break
            share *= aim / effort
            tried = self._try(plan, ask, share * dt)
            effort = tried.way(self.ordered) / most
            if effort < least:
                twist = Screw2(*(part * share for part in tried.gait.twist))
                least, best = effort, tried._replace(gait=tried.gait._replace(twist=twist))
        return best

    def _try(self, plan: GaitPlan, ask: '_Asked', dt: float) -> '_Tried':
        """Return what would come of a step; raises OutOfReachError for a standing foot."""
        gait = step(plan, self.state, ask.twist, ask.contacts, dt, centre=ask.centre)
        wanted = np.array(gait.feet)
        reach: Reach = self._legs.reach(wanted, ask.joints)
        if reach.reached.all():
            return _Tried(gait, gait.feet, reach.joints)
        state, feet = gait.state, list(gait.feet)
        for place in np.flatnonzero(~reach.reached).tolist():
            if state.legs[place].stands:
                raise OutOfReachError(place + 1, wanted[place], reach.feet[place])
            x, y, z = reach.feet[place].tolist()
            feet[place] = (x, y, z)
            state = state.moved(place, feet[place])
        # As a servo finds them that is sent these feet.
        joints = self._legs.reach(np.array(feet), ask.joints).joints
        return _Tried(gait._replace(state=state), tuple(feet), joints)

    def _check(self, measured: Sequence[Vector]) -> None:
        """Raise StrayFootError unless the feet are where they were sent.

        Standing and swinging feet change places, so that by the standing ones alone a gait would
        never see that no foot moves. `FEW` that are suspected may be about to be found failed.
        """
        plan = self.followed
        most = STRAY * plan.stepping.clearance + plan.servo_give
        astray = [place for place, foot in enumerate(measured) if self._away(place, foot) > most]
        if not astray:
            return
        suspected = () if self._faults is None else self._faults.suspected
        if len(astray) <= FEW and set(astray) <= set(suspected):
            return
        place = astray[0]
        raise StrayFootError(
            f'the foot of leg {place + 1} is {self._away(place, measured[place]):.3f} m from '
            'where it was sent; see whether its joints can follow'
        )

    def _away(self, place: int, measured: Vector) -> float:
        """Return how far a foot is from where a sound servo may have it by now, m."""
        return min([math.dist(feet[place], measured) for feet in self._sent])


class _Asked(NamedTuple):
    """What a step begins with: measured joints and foot switches, level twist, centre (m)."""

    joints: Array
    contacts: Sequence[bool]
    twist: Screw2
    centre: Vector


class _Tried(NamedTuple):
    """A step that may be taken: what the gait makes of it, feet (m, body frame) and joints."""

    gait: PeriodicStep
    feet: tuple[Vector, ...]
    joints: Array

    def way(self, joints: Array) -> float:
        """Return the greatest way of a joint from others, rad."""
        return float(np.abs(self.joints - joints).max())


def _vectors(feet: Array) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x, y, z in feet.tolist())
