"""Find a thing, go to it, bring it home in a bin and put it down (ars_magna.md §6.2 - §6.6)."""

import math
from typing import Any

from walking_robots.ars_magna.agent.futures import Task, all_of, first_of
from walking_robots.ars_magna.agent.handles import Designator, Odometer
from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.agent.robot import Bin, Camera, Hand, Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.point import norm
from walking_robots.ars_magna.plans.failing import (
    NO_DESIGNATOR_FOUND,
    NO_OBJECT_FOUND,
    PlanFailedError,
    need,
    need_while,
)
from walking_robots.geometry.se2 import wrap

SPEED = 0.3
"""Speed of the search, cells a tick."""


async def go_to_object(
    robot: Robot, camera: Camera, specification: Any, timeout: int = 200
) -> Any:
    """Drive ahead while looking around, then go to what fits; gives its perceived attributes."""
    await need(robot.set_speed(SPEED), 'go to object')
    search = Task(scan(camera, NON_LOCAL, specification, rounds=timeout))
    if await first_of(search, robot.go_forward(timeout)) == 1:
        raise PlanFailedError(NO_OBJECT_FOUND, 'go to object')
    designator = search.result()
    track = camera.track(designator)
    if not await track.started:
        raise PlanFailedError(track.result().code, 'go to object')
    # Arrival ends the track, and is reported no later than a tick after it.
    await need(robot.goto_designator(camera), 'go to object')
    return designator.data


async def grab(hand: Hand, camera: Camera, specification: Any, bin: Bin) -> None:
    """Grasp what fits beside the robot and put it into a bin.

    As printed the track would have to outlive the way into the bin, which ends it; here only the
    grasp needs it (ars_magna.md §6.3).
    """
    designator = await scan(camera, LOCAL, specification)
    track = camera.track(designator)
    if not await track.started:
        raise PlanFailedError(track.result().code, 'grab')
    await need_while(track, hand.grasp(camera, designator), 'grab')
    await need(bin.open(), 'grab', Code.BIN_OPEN)
    await need(hand.insert(bin), 'grab')
    await need(hand.ungrasp(), 'grab')
    await need(hand.remove(), 'grab')
    await need(bin.close(), 'grab')


async def put_down(hand: Hand, camera: Camera, specification: Any, bin: Bin) -> None:
    """Take what fits out of a bin and lay it on the ground; the bin stays open."""
    await need(bin.open(), 'put down', Code.BIN_OPEN)
    await need(camera.insert(bin), 'put down')
    designator = await scan(camera, LOCAL, specification)
    track = camera.track(designator)
    if not await track.started:
        raise PlanFailedError(track.result().code, 'put down')
    await need(hand.insert(bin), 'put down')
    await need_while(track, hand.grasp(camera, designator), 'put down')

    async def lay_down() -> None:
        await need(hand.remove(), 'put down')
        await need(hand.ungrasp(), 'put down')

    async def look_up() -> None:
        await need(camera.remove(), 'put down')
        await need(camera.untrack(), 'put down', Code.NOT_TRACKING)

    await all_of(Task(lay_down()), Task(look_up()))


async def fetch(
    robot: Robot,
    specification: Any,
    camera: int = 0,
    hand: int = 0,
    bin: int = 0,
    timeout: int = 200,
) -> None:
    """Bring what fits to where the robot is now (ars_magna.md §6.6)."""
    eye, grip, store = robot.cameras[camera], robot.hands[hand], robot.bins[bin]
    odometer = robot.new_odometer('home')
    await go_to_object(robot, eye, specification, timeout)
    await grab(grip, eye, specification, store)
    await drive_home(robot, odometer)
    await put_down(grip, eye, specification, store)


NEAR_HOME = 0.5
"""Cells from home at which the robot is there."""


async def drive_home(robot: Robot, odometer: Odometer) -> None:
    """Turn towards home and move for a tick, again and again, by the middle of the intervals.

    As printed the loop would test its first reading for ever. Raises PlanFailedError when
    something is in the way.
    """
    while norm(at := odometer.position().nominal) >= NEAR_HOME:
        towards = math.atan2(-at.y, -at.x)
        await need(robot.turn(wrap(towards - odometer.angle().nominal)), 'home')
        await need(robot.go_forward(1), 'home')


def sectors(camera: Camera) -> int:
    """Return how many fields of view make a full turn."""
    return math.ceil(math.tau / camera.field_of_view - 1e-9)


async def scan(camera: Camera, type: str, specification: Any, rounds: int = 10) -> Designator:
    """Turn a camera from sector to sector until something fits; the sector in view comes last.

    The printed program has no bound; here it is a number of full turns. Raises PlanFailedError.
    """
    for _ in range(rounds * sectors(camera)):
        await need(camera.turn(camera.field_of_view), 'scan')
        found = await camera.get_object_designator(type, specification)
        if found.ok:
            designator: Designator = found.value
            return designator
        if found.code != Code.DESIGNATOR_NOT_FOUND:
            raise PlanFailedError(found.code, 'scan')
    raise PlanFailedError(NO_DESIGNATOR_FOUND, 'scan')
