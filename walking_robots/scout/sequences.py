"""Commands to a Scout at the start and at the end (scout_protocol.md §1.3)."""

from walking_robots.robots.super_scout import TENTH_INCH
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet
from walking_robots.scout.protocol import Op, plain
from walking_robots.scout.settings import DriverSettings


def start_up(settings: DriverSettings, *, define_pose: bool) -> list[Packet]:
    """Return the requests after a robot was found; without ``zr`` for its quirks (§7.4).

    ``define_pose``: this is the first time, so that the pose may be defined as zero.
    """
    acceleration = round(settings.linear_acceleration / TENTH_INCH)
    speed = round(settings.max_linear_speed / TENTH_INCH)
    requests = [
        plain(Op.STOP),
        protocol.watchdog(settings.watchdog),
        protocol.accelerations(acceleration, acceleration),
        protocol.speeds(speed, speed),
        protocol.sonar_order(settings.sonar_rate, settings.sonar_order),
    ]
    if define_pose and settings.reset_odometry_on_start:
        requests += [protocol.define_position(0, 0), protocol.define_heading(0)]
    return requests


def shut_down(settings: DriverSettings) -> list[Packet]:
    """Return the last requests: rest, hold, sonars off, and limp where that is wanted."""
    requests = [
        protocol.velocities(0, 0),
        plain(Op.STOP),
        protocol.sonar_order(settings.sonar_rate),
    ]
    return [*requests, plain(Op.LIMP)] if settings.limp_at_end else requests
