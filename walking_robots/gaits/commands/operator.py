"""Whose command a robot follows: nobody's, an operator's stick, or a walk."""

import math

from walking_robots.body.motion import Command
from walking_robots.gaits.commands.charge import within_charge
from walking_robots.gaits.commands.steering import Mobility, limit
from walking_robots.gaits.commands.walk import REST, Walk, WalkGoal
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.pose import Pose


class Operator:
    """Keeps the newest command and lets it expire.

    A stick's command that is not repeated for ``timeout`` (s) ends, by the steady clock or by
    the steps walked since, whichever is first. A new walk or a stick that is not at zero takes
    over from the walk before, which then has ended as superseded. ``charge`` of the battery, 0 ...
    1, may be set, NaN where it is unknown: a low one slows the robot.
    """

    def __init__(self, mobility: Mobility, timeout: float) -> None:
        """Begin with nobody's command."""
        self.timeout = timeout
        self.walk: Walk | None = None
        self.mobility = mobility
        self.charge = math.nan
        self._stick = REST
        self._since = -math.inf
        self._steps = 0

    def push_stick(self, command: Command, now: float) -> bool:
        """Take a stick's command, m/s and rad/s; False when it had to be clipped.

        Raise ValueError when it is not finite.
        """
        if not all(map(math.isfinite, command)):
            raise ValueError('the velocity is not finite')
        self._stick, self._since, self._steps = limit(command, self.mobility.limits), now, 0
        if any(command):
            self.end('superseded')
        return self._stick == command

    def start(self, goal: WalkGoal) -> Walk:
        """Begin a walk and give it."""
        self.end('superseded')
        self._stick = REST
        self.walk = Walk(goal, self.mobility)
        return self.walk

    def end(self, reason: str) -> None:
        """End the present walk at once."""
        if self.walk is not None:
            self.walk.ending = reason
            self.walk.ended = True
        self.walk = None

    def drop(self, reason: str) -> None:
        """Forget every command and end the present walk."""
        self._stick = REST
        self.end(reason)

    @property
    def goal(self) -> complex | None:
        """Return the place, m, to which the present walk leads, if it leads to one."""
        if self.walk is None or self.walk.ending or self.walk.goal.target is None:
            return None
        return complex(*self.walk.goal.target[:2])

    def command(self, pose: Pose, now: float) -> Command:
        """Return the command of the next step for a body at ``pose``; ``now`` in s."""
        limits = self.mobility.limits
        if self.walk is not None:
            return within_charge(limit(self.walk.command(pose), limits), self.charge, limits)
        expired = now - self._since > self.timeout
        if expired or self._steps >= round(self.timeout / self.mobility.dt):
            self._stick = REST
        return within_charge(self._stick, self.charge, limits)

    def add(self, gait: GaitStep) -> None:
        """Take in what came of a step."""
        self._steps += 1
        if self.walk is not None:
            self.walk.add(gait)
            if self.walk.ended:
                self.walk = None
