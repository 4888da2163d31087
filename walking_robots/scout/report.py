"""How far a driver is, and what it knows of its robot."""

import math
from dataclasses import dataclass
from enum import Enum

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.scout.readings import Readings


class LinkPhase(Enum):
    """How far the driver is, in words for the diagnostics."""

    CLOSED = 'port closed'
    PROBING = 'port open, waits for an answer'
    CONFIGURING = 'robot answers, is being set up'
    RUNNING = 'connected'
    ENDING = 'ends'
    ENDED = 'ended'


@dataclass(frozen=True)
class DriverReport:
    """What the driver knows; ``count`` grows with every state the robot has sent.

    pose: by odometry; travel: of the rims of the left and right wheel, m; command: the commanded
    motion, None for none; trouble: what is wrong, empty while all is well; delay: s from the last
    request to its reply; jumps: readings that no wheel can have made; restarts: of the robot.
    """

    phase: LinkPhase
    count: int = 0
    readings: Readings | None = None
    pose: Pose2 = ORIGIN
    travel: tuple[float, float] = (0.0, 0.0)
    command: Twist2 | None = None
    limp: bool = False
    trouble: str = ''
    delay: float = math.nan
    jumps: int = 0
    restarts: int = 0
