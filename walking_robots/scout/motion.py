"""The commanded motion of a Scout: its duration and its end."""

import math

from walking_robots.geometry.differential_drive import Wheels, wheel_speeds
from walking_robots.geometry.se2 import Twist2
from walking_robots.robots.super_scout import TENTH_INCH
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet
from walking_robots.scout.protocol import Op, plain
from walking_robots.scout.readings import Readings
from walking_robots.scout.settings import DriverSettings


class Motion:
    """The commanded motion, which is sent every cycle and expires unless repeated.

    The robot's own watchdog is fed by any packet, so that asking for its state alone would keep
    an old motion alive (scout_protocol.md §7.3).
    """

    def __init__(self, settings: DriverSettings) -> None:
        """Begin at rest."""
        self._settings = settings
        self._until = 0.0
        self._driving = False
        self._stop_due = False
        self.command: Twist2 | None = None

    def ask(self, twist: Twist2, now: float) -> None:
        """Ask for a motion; raises ValueError for numbers that are not finite."""
        if not (math.isfinite(twist.v) and math.isfinite(twist.w)):
            raise ValueError('a velocity must be finite numbers of m/s and rad/s')
        self.command, self._until = twist, now + self._settings.command_timeout

    def end(self) -> None:
        """Slow down in the next cycle, and hold in the one after."""
        self.command = None

    def stop(self) -> None:
        """Say stop in the next cycle, whatever the robot may have heard."""
        self.command = None
        self._driving, self._stop_due = False, True

    def clear(self) -> None:
        """Begin again at rest, with a robot that has been commanded to stop."""
        self.command = None
        self._driving = self._stop_due = False

    @property
    def rests(self) -> bool:
        """Return whether no motion is commanded and none has to be ended."""
        return not (self.command or self._driving or self._stop_due)

    def request(self, now: float, state: Readings | None) -> Packet | None:
        """Return the request of a cycle: a valid motion or the end of one, None at rest."""
        if self.command and now >= self._until:
            self.end()
        if self.command:
            self._driving, self._stop_due = True, False
            return motion_request(self._allowed(self.command, state), self._settings)
        if self._driving:
            self._driving, self._stop_due = False, True
            return protocol.velocities(0, 0)
        if self._stop_due:
            self._stop_due = False
            return plain(Op.STOP)
        return None

    def _allowed(self, twist: Twist2, state: Readings | None) -> Twist2:
        """Keep from pushing against what a bumper at the front feels, where that is wanted."""
        if not (self._settings.stop_on_bumper and state and twist.v > 0.0):
            return twist
        switches = zip(self._settings.bumper_bearings, state.bumper.switches, strict=True)
        ahead = any(closed and math.cos(bearing) > 0.0 for bearing, closed in switches)
        return Twist2(0.0, twist.w) if ahead else twist


def motion_request(twist: Twist2, settings: DriverSettings) -> Packet:
    """Return the request for a motion, limited so that its curvature is kept (§3.4).

    Speeds are rounded once, to the nearest 2.54 mm/s of a wheel.
    """
    factor = min(
        _ratio(settings.max_linear_speed, twist.v), _ratio(settings.max_angular_speed, twist.w)
    )
    slower = Twist2(twist.v * factor, twist.w * factor)
    wheels = wheel_speeds(slower, settings.wheel_separation).scaled_to(settings.max_wheel_speed)
    if settings.swap_wheels:
        wheels = Wheels(wheels.right, wheels.left)
    unit = TENTH_INCH * settings.odometry_scale
    return protocol.velocities(round(wheels.right / unit), round(wheels.left / unit))


def _ratio(limit: float, value: float) -> float:
    return 1.0 if abs(value) <= limit else limit / abs(value)
