"""Measure what a robot did, by the reports to it and by an odometer."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from walking_robots.ars_magna.agent.messages import DONE, CommandReport
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.commands import COMMANDS

PER_TICK, PER_METRE, PER_RADIAN, PER_LOOK, PER_GRIP = 1.0, 10.0, 2.0, 1.0, 5.0
"""Energy, J, of the stated model: for each tick, and for what is done in it."""

_LOOKS = ('find_object', 'find_place', 'camera_view')
_COLLISIONS = (Code.ROBOT_BLOCKED, Code.HAND_BUMP, Code.CAMERA_BUMP)


@dataclass(frozen=True)
class Metrics:
    """What a robot did.

    distance_m, turned_rad: by an odometer, between the ends of its commands; looks: searches and
    views; grips, drops: of hands that succeeded; collisions: commands that ended with
    ROBOT-BLOCKED, HAND-BUMP or CAMERA-BUMP; energy_j: by the model of this module; codes: of
    all commands, by count.
    """

    distance_m: float
    turned_rad: float
    looks: int
    grips: int
    drops: int
    collisions: int
    energy_j: float
    codes: Mapping[str, int]


class MetricsListener:
    """Measures a robot from now on."""

    def __init__(self, robot: Robot) -> None:
        """Listen to the reports to a robot."""
        self._robot, self._begin = robot, robot.now
        self._odometer = robot.new_odometer('metrics')
        self._distance = self._turned = 0.0
        self._ended: Counter[tuple[str, str]] = Counter()
        robot.listeners.append(self._hear)

    def _hear(self, report: CommandReport) -> None:
        if report.kind != DONE:
            return
        self._ended[report.command, report.code] += 1
        if COMMANDS[report.command].part == 'robot' and not COMMANDS[report.command].senses:
            at, angle = self._odometer.position().nominal, self._odometer.angle().nominal
            if at.x or at.y or angle:
                self._distance += math.hypot(at.x, at.y)
                self._turned += abs(angle)
                # The middles of long intervals are off.
                self._odometer.reset()

    def metrics(self) -> Metrics:
        """Return what was measured so far."""
        looks = self._count(_LOOKS)
        grips, drops = (self._count([name], [Code.NIL]) for name in ('hand_grasp', 'hand_ungrasp'))
        ticks = self._robot.now - self._begin
        codes: Counter[str] = Counter()
        for (_, code), count in self._ended.items():
            codes[code] += count
        return Metrics(
            self._distance,
            self._turned,
            looks,
            grips,
            drops,
            self._count(COMMANDS, _COLLISIONS),
            PER_TICK * ticks
            + PER_METRE * self._distance
            + PER_RADIAN * self._turned
            + PER_LOOK * looks
            + PER_GRIP * (grips + drops),
            dict(codes.most_common()),
        )

    def _count(self, commands: Iterable[str], codes: Iterable[str] | None = None) -> int:
        names, ends = set(commands), None if codes is None else set(codes)
        return sum(
            count
            for (name, code), count in self._ended.items()
            if name in names and (ends is None or code in ends)
        )


def together(each: Iterable[Metrics]) -> Metrics:
    """Return the sums over robots."""
    found = list(each)
    codes: Counter[str] = Counter()
    for one in found:
        codes.update(one.codes)
    return Metrics(
        sum(one.distance_m for one in found),
        sum(one.turned_rad for one in found),
        sum(one.looks for one in found),
        sum(one.grips for one in found),
        sum(one.drops for one in found),
        sum(one.collisions for one in found),
        sum(one.energy_j for one in found),
        dict(codes.most_common()),
    )
