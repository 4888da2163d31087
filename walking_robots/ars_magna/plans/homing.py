"""Return to where an odometer was reset (ars_magna.md §6.5)."""

import math

from walking_robots.ars_magna.agent.handles import Odometer
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.geometry.point import norm
from walking_robots.ars_magna.plans.failing import need
from walking_robots.geometry.se2 import wrap

NEAR_HOME = 0.5
"""Cells from home at which the robot is there."""


async def drive_home(robot: Robot, odometer: Odometer) -> None:
    """Turn towards home and move for a tick, again and again, by the middle of the intervals.

    As printed the loop would look at its first reading for ever. Raises PlanFailedError when
    something is in the way.
    """
    while norm(at := odometer.position().nominal) >= NEAR_HOME:
        towards = math.atan2(-at.y, -at.x)
        await need(robot.turn(wrap(towards - odometer.angle().nominal)), 'home')
        await need(robot.go_forward(1), 'home')
