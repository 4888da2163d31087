"""Fetch a thing whatever chance does: every step is tried again, and checked by feeling.

The manual leaves the robustness of its programs to the reader (ars_magna.md §6.3). A lost track is
taken up where the camera still points, a grip is believed when the hand feels it, bumps and jams
are tried again, and what is in the way home is walked around.
"""

import math
from collections.abc import Callable
from typing import Any

from walking_robots.ars_magna.agent.handles import Command, Designator, Odometer, Outcome
from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.agent.robot import Bin, Camera, Hand, Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.point import norm
from walking_robots.ars_magna.plans.failing import (
    NO_DESIGNATOR_FOUND,
    NO_OBJECT_FOUND,
    PlanFailedError,
    need,
)
from walking_robots.ars_magna.plans.fetch import NEAR_HOME, SPEED, sectors
from walking_robots.geometry.se2 import wrap

TRIES = 40
"""How often a step is tried before the program gives up."""


async def fetch_persistently(
    robot: Robot, specification: Any, camera: int = 0, hand: int = 0, bin: int = 0
) -> None:
    """Bring what fits to where the robot is now; raises PlanFailedError after many tries."""
    eye, grip, store = robot.cameras[camera], robot.hands[hand], robot.bins[bin]
    odometer = robot.new_odometer('home')
    await need(robot.set_speed(SPEED), 'fetch')
    for _ in range(TRIES):
        await _approach(robot, eye, specification)
        if await _grasp(grip, eye, specification, rounds=2):
            break
    else:
        raise PlanFailedError(NO_OBJECT_FOUND, 'fetch')
    await _stow(grip, store)
    await _go_home(robot, odometer)
    await _take_out(grip, eye, specification, store)
    await need(grip.ungrasp(), 'put down')


async def _again(issue: Callable[[], Command], step: str, *chances: Code) -> Outcome:
    """Try a command again as long as it fails by chance."""
    for _ in range(TRIES):
        outcome = await issue()
        if outcome.code not in chances:
            break
    if not outcome.ok:
        raise PlanFailedError(outcome.code, step)
    return outcome


async def _look(camera: Camera, type: str, what: Any, rounds: int) -> Designator | None:
    """Search where the camera points, and then from sector to sector."""
    for _ in range(rounds * sectors(camera)):
        found = await camera.get_object_designator(type, what)
        if found.ok:
            designator: Designator = found.value
            return designator
        if found.code != Code.DESIGNATOR_NOT_FOUND:
            raise PlanFailedError(found.code, 'look around')
        await need(camera.turn(camera.field_of_view), 'look around')
    return None


async def _approach(robot: Robot, camera: Camera, what: Any) -> None:
    """Go to something that fits, on and on after each loss of its track."""
    for _ in range(TRIES):
        designator = await _look(camera, NON_LOCAL, what, rounds=3)
        if designator is None:
            # The last steps may have led to within reach, or it hides: look from elsewhere.
            if await _look(camera, LOCAL, what, rounds=1) is not None:
                return
            await _wander(robot)
            continue
        track = camera.track(designator)
        if await track.started:
            outcome = await robot.goto_designator(camera)
            if outcome.ok:
                return
            if outcome.code == Code.ROBOT_BLOCKED:
                await camera.untrack()
                await _wander(robot)
    raise PlanFailedError(NO_OBJECT_FOUND, 'approach')


async def _wander(robot: Robot) -> None:
    """Go some way to the side; the way ahead may be blocked."""
    await need(robot.turn(0.7 * math.pi / 2), 'look elsewhere')
    await need(robot.go_forward(8), 'look elsewhere', Code.ROBOT_BLOCKED)


async def _grasp(hand: Hand, camera: Camera, what: Any, rounds: int) -> bool:
    """Grasp what fits within reach, until the hand feels it; return whether it does."""
    for _ in range(TRIES):
        designator = await _look(camera, LOCAL, what, rounds)
        if designator is None:
            return False
        track = camera.track(designator)
        if await track.started:
            await hand.grasp(camera, designator)
            await camera.untrack()
        if (await hand.grasp_check()).code == Code.GRASPING:
            return True
    return False


async def _stow(hand: Hand, store: Bin) -> None:
    """Put what the hand holds into a bin."""
    await need(store.open(), 'stow', Code.BIN_OPEN)
    await _again(lambda: hand.insert(store), 'stow', Code.HAND_BUMP)
    await need(hand.ungrasp(), 'stow')
    await need(hand.remove(), 'stow')
    await _again(store.close, 'stow', Code.BIN_JAMMED)


async def _take_out(hand: Hand, camera: Camera, what: Any, store: Bin) -> None:
    """Take what fits out of a bin."""
    await need(store.open(), 'take out', Code.BIN_OPEN)
    await _again(lambda: camera.insert(store), 'take out', Code.CAMERA_BUMP)
    await _again(lambda: hand.insert(store), 'take out', Code.HAND_BUMP)
    if not await _grasp(hand, camera, what, rounds=5):
        raise PlanFailedError(NO_DESIGNATOR_FOUND, 'take out')
    await need(hand.remove(), 'take out')
    await need(camera.remove(), 'take out')


async def _go_home(robot: Robot, odometer: Odometer) -> None:
    """Return by odometry, in strides, around what is in the way."""
    side = 1.0
    for _ in range(10 * TRIES):
        at = odometer.position().nominal
        way = norm(at)
        if way < NEAR_HOME:
            return
        towards = math.atan2(-at.y, -at.x)
        await need(robot.turn(wrap(towards - odometer.angle().nominal)), 'home')
        if await _stride(robot, max(1, min(10, int(way / (2 * SPEED))))):
            continue
        await need(robot.turn(side * math.pi / 2), 'home')
        if not await _stride(robot, 12):
            side = -side
    raise PlanFailedError(Code.ROBOT_BLOCKED, 'home')


async def _stride(robot: Robot, ticks: int) -> bool:
    """Go ahead; return whether nothing was in the way."""
    return (await need(robot.go_forward(ticks), 'home', Code.ROBOT_BLOCKED)).ok
