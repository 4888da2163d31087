"""Where a gait takes its body to be: where it was sent, or where it is measured."""

import math

from walking_robots.geometry.pose import Pose, Vector

SAME, FAR = 1e-3, 0.5
"""Distances of a body from where it was sent that are none, and too far, in heights of a lift."""

SAME_TURN, FAR_TURN = 1e-3, 0.2
"""Turns from there, rad, that are none, and too far."""


class BodyReference:
    """The pose from which a gait moves its body on, step by step.

    Servos give way under the weight, and lag. A gait that moved on from the measured pose would
    command that error anew in each step, until the body lies on the ground; so it moves on from
    where it sent the body, unless that is too far away. What odometry has drifted meanwhile moves
    that place along.
    """

    def __init__(self, lift: float) -> None:
        """Begin with a body that was sent nowhere yet; lift: height of a lift, m."""
        self._lift = lift
        self._sent: Pose | None = None
        self._drift = (0.0, 0.0, 0.0)

    def pose(self, measured: Pose, drift: Vector) -> Pose:
        """Return the pose; ``drift`` is that of odometry up to now, m, as standing feet tell."""
        sent, before, self._drift = self._sent, self._drift, drift
        if sent is None:
            return measured
        if drift != before:
            x, y, z = sent.position
            sent = sent._replace(position=(x + drift[0] - before[0], y + drift[1] - before[1], z))
            self._sent = sent
        away = math.dist(sent.position, measured.position) / self._lift
        turned = math.dist(sent.rotation, measured.rotation) / math.sqrt(2.0)
        if (away < SAME and turned < SAME_TURN) or away > FAR or turned > FAR_TURN:
            return measured
        return sent

    def send(self, pose: Pose) -> None:
        """Note where the body is sent."""
        self._sent = pose
