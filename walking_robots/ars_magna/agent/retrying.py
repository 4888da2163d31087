"""Time limits, repeated tries and second looks for programs."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from walking_robots.ars_magna.agent.futures import Task, first_of
from walking_robots.ars_magna.agent.handles import Command, Designator, Outcome
from walking_robots.ars_magna.agent.robot import Camera, Robot
from walking_robots.geometry.se2 import wrap

Value = TypeVar('Value')


class TimeLimitError(Exception):
    """Says that a part of a program has not come to its end in time."""


async def within(robot: Robot, ticks: int, program: Coroutine[Any, Any, Value]) -> Value:
    """Return the value of a program; cancel it and raise TimeLimitError after so many ticks.

    A command that it awaits goes on until another one takes its part.
    """
    task = Task(program)
    if not task.done and await first_of(task, robot.wait(ticks)) == 1:
        raise TimeLimitError(f'not done in {ticks} ticks')
    return task.result()


async def retry(
    robot: Robot, issue: Callable[[], Command], *codes: str, tries: int = 5, pause: int = 1
) -> Outcome:
    """Issue a command again while it ends with one of some codes; return the last outcome.

    codes: without any, all but success; pause: ticks before the second try, doubled from try to
    try; with 0 there is none.
    """
    outcome = await issue()
    for _ in range(tries - 1):
        if outcome.ok or (codes and outcome.code not in codes):
            break
        if pause:
            await robot.wait(pause)
            pause *= 2
        outcome = await issue()
    return outcome


async def look_again(
    camera: Camera, designator: Designator, alike: float = 0.06
) -> Designator | None:
    """Search once more for what a designator means; return a fresh one, None where nothing is.

    It reads all attributes anew that the designator has. alike: difference of bearings, rad, up
    to which both may mean the same.
    """
    model = camera.robot.sensor_model()
    outcome = await camera.get_all_object_designators(
        designator.type, model.any_of(designator.data)
    )
    found = [one for one in outcome.value or () if _apart(one, designator) <= alike]
    return min(found, key=lambda one: _apart(one, designator), default=None)


def _apart(one: Designator, other: Designator) -> float:
    return abs(wrap(one.angle - other.angle))
