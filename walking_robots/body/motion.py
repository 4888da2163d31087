"""One real step of the body and the prediction of the steps after it (asv.md §6.5)."""

from typing import NamedTuple

from walking_robots.body.regulators import (
    PostureTarget,
    follow_command,
    follow_posture,
    posture_error,
    posture_target,
)
from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose, Rates, advance
from walking_robots.robots.model import HexapodModel

MAX_STOPPING_STEPS = 100
"""Steps after which every speed within the limits has decayed into the dead zone."""

Command = tuple[float, float, float]


class BodyMotion(NamedTuple):
    """Where the body is and how it moves."""

    pose: Pose
    rates: Rates = Rates()


class Outlook(NamedTuple):
    """The motion of this step, at the foothold horizon and at the planning horizon."""

    present: BodyMotion
    foothold: BodyMotion
    plan: BodyMotion


def still(pose: Pose) -> Outlook:
    """Return the outlook of a body at rest."""
    motion = BodyMotion(pose)
    return Outlook(motion, motion, motion)


class BodyController:
    """Turns velocity commands into body motion; it holds parameters, not state."""

    def __init__(
        self, model: HexapodModel, *, level_in_body: bool = True, renew_third_column: bool = True
    ) -> None:
        """Prepare a controller for a robot; the switches repair DEF-6 and DEF-10."""
        self._velocity = model.velocity
        self._posture = model.posture
        self._dt = model.timing.dt
        self._horizon = model.horizon
        self._level_in_body = level_in_body
        self._renew = renew_third_column

    def step(
        self, motion: BodyMotion, command: Command, deceleration: int, plane: Plane
    ) -> BodyMotion:
        """Return the motion one step later.

        ``command`` is (vx, vy, wz) in m/s and rad/s, body axes; ``plane`` the support plane
        in the odometry frame.
        """
        return self._step(motion, command, deceleration, self._target(plane))

    def outlook(
        self,
        motion: BodyMotion,
        command: Command,
        deceleration: int,
        plane: Plane,
        posture: PostureTarget | None = None,
    ) -> Outlook:
        """Predict the motion at each horizon, command and support plane staying as they are.

        A ``posture`` replaces that over the plane.
        """
        target = posture or self._target(plane)
        at: dict[int, BodyMotion] = {}
        for count in range(1, self._horizon[-1] + 1):
            motion = self._step(motion, command, deceleration, target)
            at[count] = motion
        present, foothold, plan = self._horizon
        return Outlook(at[present], at[foothold], at[plan])

    def rest(self, motion: BodyMotion, plane: Plane) -> Pose:
        """Predict where a body comes to rest when its command becomes zero."""
        target = self._target(plane)
        for _ in range(MAX_STOPPING_STEPS):
            if motion.rates.at_rest:
                break
            motion = self._step(motion, (0.0, 0.0, 0.0), 0, target)
        return motion.pose

    def _target(self, plane: Plane) -> PostureTarget:
        return posture_target(plane, self._posture, level_in_body=self._level_in_body)

    def _step(
        self, motion: BodyMotion, command: Command, deceleration: int, target: PostureTarget
    ) -> BodyMotion:
        pose, (vx, vy, vz, wx, wy, wz) = motion
        dt = self._dt
        g, h, i = pose.rotation[6:] if target.vertical else (0.0, 0.0, 1.0)
        rise = g * vx + h * vy + i * vz
        vx, vy, wz = follow_command((vx, vy, wz), command, deceleration, self._velocity, dt)
        error = posture_error(target, pose)
        wx, wy, rise = follow_posture((wx, wy, rise), error, self._posture, self._velocity, dt)
        vz = (rise - g * vx - h * vy) / i
        rates = Rates(vx, vy, vz, wx, wy, wz)
        return BodyMotion(advance(pose, rates, dt, renew_third_column=self._renew), rates)
