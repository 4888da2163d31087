"""Where a gait takes its body to be: where it was sent, or where it is measured."""

import math

from walking_robots.geometry.pose import Pose

SAME, FAR = 1e-3, 0.5
"""Distances of a body from where it was sent that are none, and too far, in heights of a lift."""

SAME_TURN, FAR_TURN = 1e-3, 0.2
"""Turns from there, rad, that are none, and too far."""


def reference_pose(sent: Pose | None, measured: Pose, lift: float) -> Pose:
    """Return the pose from which a gait moves its body on, given that to which it was sent.

    Servos give way under the weight, and lag. A gait that moved on from the measured pose would
    command that error anew in each step, until the body lies on the ground; so it moves on from
    where it sent the body, unless that is too far away. lift: height of a lift, m.
    """
    if sent is None:
        return measured
    away = math.dist(sent.position, measured.position) / lift
    turned = math.dist(sent.rotation, measured.rotation) / math.sqrt(2.0)
    if (away < SAME and turned < SAME_TURN) or away > FAR or turned > FAR_TURN:
        return measured
    return sent
