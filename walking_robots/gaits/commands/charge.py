"""Go slower on a low battery, and rest on an empty one."""

import math

from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.robots.model import CommandLimits

LOW, EMPTY = 20, 5
"""Charges, per cent: from the first down a robot goes slower, from the second down it rests."""

CRAWL = 1 / 3
"""Share of the greatest speed that is left just above `EMPTY`: less would not move a body at rest
in a free gait."""


def speed_share(charge: float) -> float:
    """Return the share of the greatest speed that a charge allows, 0 ... 1; all if unknown.

    charge: of the battery, 0 ... 1, NaN where it is unknown.
    """
    if math.isnan(charge):
        return 1.0
    percent = round(100.0 * charge)
    if percent <= EMPTY:
        return 0.0
    return min(1.0, CRAWL + (1.0 - CRAWL) * (percent - EMPTY) / (LOW - EMPTY))


def within_charge(command: Command, charge: float, limits: CommandLimits) -> Command:
    """Return a command (m/s, rad/s) as slow as the charge asks for, along the same path.

    charge: as in `speed_share`; limits: of a robot with a full battery.
    """
    allowed = speed_share(charge)
    if allowed == 1.0:
        return command
    vx, vy, wz = command
    most = max(abs(vx) / limits.forward, abs(vy) / limits.lateral, abs(wz) / limits.turn)
    share = min(1.0, allowed / most) if most else 1.0
    return (share * vx, share * vy, share * wz)


def reason_to_slow(charge: float) -> str:
    """Say what the charge asks for, or nothing."""
    share = speed_share(charge)
    if share == 1.0:
        return ''
    what = f'at most {share:.0%} of the greatest speed' if share else 'the robot rests'
    return f'the battery is at {charge:.0%}: {what}'


def explained(step: GaitStep, charge: float) -> GaitStep:
    """Return a step that says what the charge asks for."""
    why = reason_to_slow(charge)
    if not why:
        return step
    stop = step.stop_reason if speed_share(charge) else why
    return step._replace(slowed=why, stop_reason=stop)
