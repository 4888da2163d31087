"""What the demonstration of the Scout shows: it roams through rooms, and how well it knows where.

The emulated robot is on a pseudo-terminal of its own, so that demonstrations can run side by side.
"""

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nav_msgs.msg import Odometry
from std_srvs.srv import SetBool
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.nodes.common.demo import Presenter, Show

PERIOD = 4.0
"""Wall time, s, between two lines."""
LENGTH = 30.0
"""Wall time, s, of roaming that is shown where nobody stays to watch."""
ENOUGH = 1.0
"""Way, m, that the robot must have gone by then."""


class ScoutDemo(Presenter):
    """Lets a robot roam by its sonars and watches it."""

    @staticmethod
    def overrides(speed: float) -> Overrides:
        """Return the parameters of the demonstration; the robot keeps to real time."""
        line = Path(tempfile.gettempdir()) / f'walking_robots_scout_{os.getpid()}'
        return {
            'scout_emulator': {'link': str(line)},
            'scout_driver': {'port': str(line)},
        }

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Begin as soon as the robot can."""
        super().__init__(say, **options)
        self._odometry: Pose2 | None = None
        self._start: Pose2 | None = None
        self._truth: Pose2 | None = None
        self._way = self._time = 0.0
        self._touches, self._touched = 0, False
        self._wander: Any = self.create_client(SetBool, 'scout_wander/enable')
        self._timer = self.create_timer(0.05, self._begin)
        self.create_subscription(Odometry, 'odom', self._told, 10)
        self.create_subscription(Odometry, 'ground_truth/odom', self._moved, 10)
        self.create_subscription(Bumper, 'bumper', self._felt, 10)
        self.create_timer(PERIOD, self._tell)

    def _begin(self) -> None:
        if self._odometry is not None and self._wander.service_is_ready():
            self._timer.cancel()
            self._wander.call_async(SetBool.Request(data=True))

    def _told(self, message: Any) -> None:
        self._odometry = planar_pose_from_msg(message.pose.pose)

    def _felt(self, message: Any) -> None:
        self._touches += message.pressed and not self._touched
        self._touched = message.pressed

    def _moved(self, message: Any) -> None:
        before, self._truth = self._truth, planar_pose_from_msg(message.pose.pose)
        if self._start is None and self._odometry is not None:
            self._start = self._truth @ self._odometry.inverse()
        if before is not None:
            self._way += before.distance(self._truth)

    def _tell(self) -> None:
        if self._odometry is None or self._truth is None or self._start is None:
            self._say('waits for the robot to answer')
            return
        self._time += PERIOD
        drift = self._truth.distance(self._start @ self._odometry)
        heading = math.degrees(math.remainder(self._truth.heading, 2.0 * math.pi))
        self._say(
            f'{self._time:6.1f} s  x {self._truth.x:5.2f} m  y {self._truth.y:5.2f} m  '
            f'heading {heading:4.0f} deg  odometry off by {100.0 * drift:.1f} cm'
        )
        if self._time >= LENGTH and not self.ended:
            self.ended, self.succeeded = True, self._way >= ENOUGH
            touches = 'once' if self._touches == 1 else f'{self._touches} times'
            self._say(
                f'Roamed {self._way:.1f} m in {self._time:.0f} s, touched something {touches}, '
                f'odometry off by {100.0 * drift:.1f} cm.'
            )


def show() -> Show:
    """Return how the system is demonstrated."""
    return Show(ScoutDemo, ScoutDemo.overrides)
