"""Longer missions, put together from the parts of the program that fetches."""

from collections.abc import Sequence
from typing import Any

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.plans.robust import Worker


async def deliver(robot: Robot, deliveries: Sequence[tuple[Any, Point]]) -> None:
    """Bring things to places, one after the other; raise PlanFailedError for one that fails.

    deliveries: descriptions, each with a place in cells from where the robot is now, x along its
    heading and y to its right.
    """
    worker = Worker(robot)
    for what, place in deliveries:
        await worker.bring(what, place)


async def report(robot: Robot, descriptions: Sequence[Any]) -> list[Point]:
    """Find things and return where each lies; raise PlanFailedError for one that is not found.

    Each is taken up, to be sure that it is the right one, and laid down where it was. The places
    are in cells from where the robot is now, as for `deliver`.
    """
    worker, places = Worker(robot), []
    for what in descriptions:
        await worker.take(what)
        places.append(worker.navigator.at)
        await worker.put_down()
    return places
