"""A robot that walks by a periodic gait: measured joints and foot switches in, feet out."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.body.mass_centre import mass_centre
from walking_robots.gaits.periodic.plan import GaitPlan
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.periodic.step import GaitStep, PeriodicState, standing, step
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.geometry.se2 import Screw2
from walking_robots.legs.articulated import OutOfReachError
from walking_robots.legs.driven import DrivenLegs

__all__ = ['PeriodicWalker', 'StrayFootError', 'Walked']

Array = NDArray[np.float64]

STRAY = 1.0
"""How far a standing foot may be measured from where it was sent: heights of a swing."""


class StrayFootError(ValueError):
    """Say that a standing foot is not where it was sent."""


class Walked(NamedTuple):
    """A step of a walker.

    ``gait``: what the gait made of it; ``before``: where the feet were, and ``feet``: where they
    are sent, within reach, m, body frame; ``twist``: of the body in its heading, m/s and rad/s.
    """

    gait: GaitStep
    before: tuple[Vector, ...]
    feet: tuple[Vector, ...]
    twist: Screw2


class PeriodicWalker:
    """Keeps a gait in step with the legs; ``state`` is all it remembers.

    Another ``plan`` from one step to the next is a transition to it.
    """

    def __init__(self, plan: GaitPlan, legs: DrivenLegs, joints: Array, upright: Pose) -> None:
        """Take over a robot at rest.

        joints: measured, (6, 3), in the robot's own values; upright: a pose of the body, of which
        the tilt counts.
        """
        self.plan = plan
        self._legs = legs
        feet = _vectors(legs.forward(joints))
        roll = math.atan2(upright.rotation[7], upright.rotation[8])
        tilted = Posture(0.0, roll, upright.pitch())
        heights = [tilted.pose().apply(foot)[2] for foot in feet]
        posture = tilted._replace(height=-sum(heights) / len(heights))
        self.state: PeriodicState = standing(plan, feet, posture)

    def step(self, joints: Array, contacts: Sequence[bool], twist: Screw2, dt: float) -> Walked:
        """Go one step of ``dt`` seconds under a twist of the body, m/s and rad/s, in its heading.

        ``joints`` (6, 3) and ``contacts`` are measured at its beginning. A swinging foot goes as
        near as it gets to where it should be. Raises OutOfReachError where a standing foot
        would leave its reach and StrayFootError where one is not where it was sent; the state
        stays as it was.
        """
        points = self._legs.points(joints)
        centre = mass_centre(self.plan.robot.masses, points)
        before = _vectors(points[:, -1])
        self._check(before)
        level = self.state.posture.level_twist(twist)
        gait = step(self.plan, self.state, level, contacts, dt, centre=centre)
        wanted = np.array(gait.feet)
        _, found, reached = self._legs.reach(wanted, joints)
        state, feet = gait.state, list(gait.feet)
        for place in np.flatnonzero(~reached).tolist():
            if state.legs[place].stands:
                raise OutOfReachError(place + 1, wanted[place], found[place])
            x, y, z = found[place].tolist()
            feet[place] = (x, y, z)
            state = state.moved(place, feet[place])
        self.state = state
        gait = gait._replace(state=state)
        return Walked(gait, before, tuple(feet), state.posture.body_twist(gait.twist))

    def _check(self, measured: Sequence[Vector]) -> None:
        """Raise StrayFootError unless the standing feet are where they were sent."""
        most = STRAY * self.plan.stepping.clearance
        for place, (leg, sent) in enumerate(zip(self.state.legs, self.state.feet(), strict=True)):
            away = math.dist(sent, measured[place])
            if leg.stands and away > most:
                raise StrayFootError(
                    f'the foot of leg {place + 1} is {away:.3f} m from where it was sent'
                )


def _vectors(feet: Array) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x, y, z in feet.tolist())
