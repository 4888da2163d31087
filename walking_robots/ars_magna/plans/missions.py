"""Longer missions, put together from the parts of the program that fetches."""

from collections.abc import Sequence
from typing import Any

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.plans.errands import HOME, errands_of
from walking_robots.ars_magna.plans.failing import NO_OBJECT_FOUND, PlanFailedError
from walking_robots.ars_magna.plans.looking import Recognizer
from walking_robots.ars_magna.plans.opening import open_with_key, take_out
from walking_robots.ars_magna.plans.robust import Worker

TIDY = 8
"""Looks around without finding anything in a search, before a room is taken for tidy."""
ROUND = 200
"""Stops at most on a round along the walls."""
WATCH = 1000
"""Ticks for which a thing is guarded."""


async def deliver(robot: Robot, request: Any) -> None:
    """Bring things to their places and come home; raise PlanFailedError for one that fails.

    request: errands, or one description of what is to come home. Robots with one radio share the
    errands: who is free takes the next one.
    """
    worker, errands = Worker(robot), errands_of(request)
    takers: dict[Any, str] = {}
    for number, (what, place) in enumerate(errands):
        # Robots with other lists of errands may be on the channel.
        if await _take_over(robot, (number, repr(what)), takers):
            await worker.bring(what, place)
            worker.leave_alone(place)
    await worker.carry_to(HOME)


async def _take_over(robot: Robot, errand: Any, takers: dict[Any, str]) -> bool:
    """Say that this robot takes an errand; return whether no other robot was before it.

    All robots hear all messages in the same order, so that they agree.
    """
    _note_takers(robot, takers)
    if errand not in takers:
        robot.radio.send(errand)
        await robot.wait(1)
        _note_takers(robot, takers)
    return takers[errand] == robot.name


def _note_takers(robot: Robot, takers: dict[Any, str]) -> None:
    for message in robot.radio.hear():
        takers.setdefault(message.content, message.sender)


async def tidy(robot: Robot, what: Any) -> int:
    """Bring all that fits to where the robot is now; return how many things that were.

    It ends after it has searched twice in a row without finding anything more.
    """
    worker, count, vain = Worker(robot), 0, 0
    worker.leave_alone(HOME)
    while vain < 2:
        try:
            await worker.bring(what, looks=TIDY)
        except PlanFailedError as error:
            if error.code != NO_OBJECT_FOUND:
                raise
            vain += 1
        else:
            count, vain = count + 1, 0
    return count


async def report(robot: Robot, request: Any) -> Sequence[Point]:
    """Find things and return where each lies; raise PlanFailedError for one that is not found.

    Each is taken up, to be sure that it is the right one, and laid down where it was. The places
    are in cells from where the robot is now, as those of errands.
    """
    worker, places = Worker(robot), []
    for what, _ in errands_of(request):
        await worker.take(what)
        places.append(worker.navigator.at)
        await worker.put_down()
    return places


async def patrol(robot: Robot, what: Any) -> Sequence[Point]:
    """Go once around along the walls and come home; return from where what fits was likely seen.

    The places are in cells from where the robot is now.
    """
    worker, places = Worker(robot), []
    seeker = Recognizer(worker.eye, what)
    for _ in range(ROUND):
        if await worker.look_around(seeker) is not None:
            places.append(worker.navigator.at)
        if await worker.go_on_along_walls():
            break
    await worker.carry_to(HOME)
    return places


async def guard(robot: Robot, what: Any) -> None:
    """Bring a thing home, and again whenever it has gone, until the time is over."""
    worker = Worker(robot)
    seeker = Recognizer(worker.eye, what)
    await worker.bring(what)
    end = robot.now + WATCH
    while robot.now < end:
        if await worker.best_here(seeker) is None:
            await worker.bring(what)


async def unlock(robot: Robot, request: Any) -> None:
    """Bring home what is in a locked container.

    request: three errands: the key, the container, and what is in it.
    """
    errands = errands_of(request)
    if len(errands) != 3:
        raise PlanFailedError(Code.FAILED, 'unlock needs a key; a container; what is in it')
    key, container, content = (one.what for one in errands)
    worker = Worker(robot)
    await worker.take(container)
    at = worker.navigator.at
    await worker.put_down()
    worker.leave_alone(at)
    await worker.bring(key, at)
    await open_with_key(worker, 'unlock', container, key)
    await take_out(worker, container, content)
    await worker.carry_to(HOME)
    await worker.put_down()
