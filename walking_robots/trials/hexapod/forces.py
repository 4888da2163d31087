"""The figures of a walk with forces: what servos give, and how feet hold on the ground."""

import math
from dataclasses import dataclass

import numpy as np

from walking_robots.geometry.pose import Vector
from walking_robots.geometry.se2 import wrap
from walking_robots.simulation.engine import engine_name
from walking_robots.simulation.hexapod.physical import PhysicalHexapod
from walking_robots.simulation.hexapod.simulated import HexapodState

USUAL = 95.0


@dataclass(frozen=True)
class ForceFigures:
    """What a walk with forces took.

    ``physics`` is the version of what computes the forces; ``heading_error_rad`` how far the
    heading is at last from where the command leads; ``energy_j_per_m`` the work of the servos, of
    which nothing is recovered, and ``cost_of_transport`` the same in weights of the robot;
    ``peak_torque_nm`` the greatest torque of a servo, ``max_overload_s`` the longest time for
    which one was at its limit; ``max_slip_m`` how far a standing foot went from where it came
    down, ``needed_friction`` the coefficient of friction with which `USUAL` per cent of the time
    none would have slipped; ``battery_left`` the charge at the end, 0 ... 1, None without a
    battery.
    """

    physics: str
    fell: bool
    heading_error_rad: float
    energy_j_per_m: float
    cost_of_transport: float
    peak_torque_nm: float
    max_overload_s: float
    max_slip_m: float
    needed_friction: float
    battery_left: float | None


class ForceRecorder:
    """Follows a robot with forces step by step."""

    def __init__(self, robot: PhysicalHexapod) -> None:
        """Begin with a robot at rest."""
        self._robot = robot
        self._came_down: dict[int, Vector] = {}
        self._turned = self._slip = 0.0

    @property
    def fell(self) -> bool:
        """Return whether the robot has fallen."""
        return self._robot.fell

    def add(self, before: HexapodState, after: HexapodState, turn: float) -> None:
        """Take in a step in which the body was to turn, rad."""
        self._turned += wrap(after.pose.yaw() - before.pose.yaw()) - turn
        pose = after.pose
        for leg, (foot, contact) in enumerate(zip(after.feet, after.contacts, strict=True)):
            if contact:
                place = pose.apply(foot)
                first = self._came_down.setdefault(leg, place)
                self._slip = max(self._slip, math.dist(place[:2], first[:2]))
            else:
                self._came_down.pop(leg, None)

    def figures(self, distance: float) -> ForceFigures:
        """Return the figures of a walk of a distance, m."""
        robot = self._robot
        work = robot.energy / distance if distance else math.inf
        return ForceFigures(
            physics=engine_name(),
            fell=self.fell,
            heading_error_rad=self._turned,
            energy_j_per_m=work,
            cost_of_transport=work / robot.weight,
            peak_torque_nm=robot.peak_torque,
            max_overload_s=robot.overload,
            max_slip_m=self._slip,
            needed_friction=float(np.percentile(robot.friction or [0.0], USUAL)),
            battery_left=None if robot.battery is None else robot.battery.charge,
        )
