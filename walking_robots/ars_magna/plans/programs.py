"""The programs that ship, by name."""

import inspect
import math
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.inputs import suggestion
from walking_robots.ars_magna.interfaces.planned import deliver_by_plan
from walking_robots.ars_magna.plans import missions
from walking_robots.ars_magna.plans.failing import need
from walking_robots.ars_magna.plans.fetch import SPEED, drive_home, fetch, go_to_object
from walking_robots.ars_magna.plans.persistent import fetch_persistently
from walking_robots.ars_magna.plans.robust import fetch_robustly


class Goal(Enum):
    """What the truth must be at the end of a program that reaches its goal."""

    NONE = 'that it ended'
    ROBOT = 'the robot where it began'
    THING = 'one of what fits where the robot began'
    ALL = 'all of what fits where the robot began'
    ERRANDS = 'one of what fits at the place of each errand'
    FOUND = 'one of what fits at each place that the program returns'
    LAST = 'one of what fits the last errand where the robot began'


@dataclass(frozen=True)
class RobotProgram:
    """A program: what it does, in a line, and how it is started for a robot and a request.

    needs: kinds of parts of which the robot must have one.
    """

    summary: str
    start: Callable[[Robot, Any], Coroutine[Any, Any, Any]]
    needs: tuple[str, ...] = ()
    goal: Goal = Goal.THING

    def missing(self, parts: Mapping[str, Sequence[object]]) -> str:
        """Return the first kind of part that a robot with these of each lacks, '' for none."""
        return next((kind for kind in self.needs if not parts[kind]), '')


async def _approach(robot: Robot, what: Any) -> Any:
    """Go to what fits, with the first camera."""
    return await go_to_object(robot, robot.cameras[0], what)


async def _excursion(robot: Robot, what: Any) -> None:
    """Drive a dog-leg and come back by odometry (the check of ars_magna.md §11.7, T101)."""
    await need(robot.set_speed(SPEED), 'excursion')
    odometer = robot.new_odometer('home')
    for turn, forward in ((0.0, 30), (math.pi / 4, 20), (-math.pi / 2, 10)):
        await need(robot.turn(turn), 'excursion')
        await need(robot.go_forward(forward), 'excursion')
    await drive_home(robot, odometer)


_ALL = ('camera', 'hand', 'bin')

PROGRAMS: Mapping[str, RobotProgram] = {
    'fetch': RobotProgram(
        'the plan of the manual: find a thing, bring it home, put it down', fetch, _ALL
    ),
    'persistent': RobotProgram(
        'the same, each step checked and tried again', fetch_persistently, _ALL
    ),
    'robust': RobotProgram(
        'find the thing in whatever room, verify it, bring it home', fetch_robustly, _ALL
    ),
    'deliver': RobotProgram(
        'bring things to places, one or several robots', missions.deliver, _ALL, Goal.ERRANDS
    ),
    'planned': RobotProgram(
        'the same errands, by steps that a planner of PDDL finds',
        deliver_by_plan,
        _ALL,
        Goal.ERRANDS,
    ),
    'tidy': RobotProgram('bring home all that fits', missions.tidy, _ALL, Goal.ALL),
    'report': RobotProgram(
        'find things and return where they lie', missions.report, _ALL, Goal.FOUND
    ),
    'patrol': RobotProgram(
        'go around along the walls, look for the thing, come home',
        missions.patrol,
        _ALL,
        Goal.ROBOT,
    ),
    'guard': RobotProgram('bring the thing home again whenever it has gone', missions.guard, _ALL),
    'unlock': RobotProgram(
        'open a container with its key, and bring home what is in it',
        missions.unlock,
        _ALL,
        Goal.LAST,
    ),
    'approach': RobotProgram('find a thing and go to it', _approach, ('camera',), Goal.NONE),
    'excursion': RobotProgram('drive out and come back by odometry', _excursion, (), Goal.ROBOT),
}


def program_of(name: str) -> RobotProgram:
    """Return a program that ships, or the coroutine function that 'module:function' names.

    Such a module is found where Python runs, or installed; to import it runs what is in it. The
    function takes the robot and the description of a thing. Raises ValueError with one sentence
    for anything else.
    """
    if ':' not in name:
        if name not in PROGRAMS:
            raise ValueError(
                f'there is no plan {name!r}; use {" or ".join(PROGRAMS)}, or module:coroutine'
            )
        return PROGRAMS[name]
    module_name, _, attribute = name.partition(':')
    function = getattr(_module(module_name), attribute, None)
    if function is None:
        known = [
            each for each, _ in inspect.getmembers(_module(module_name), _is_coroutine_function)
        ]
        raise ValueError(f"{module_name} has no '{attribute}'; {suggestion(attribute, known)}")
    if not _is_coroutine_function(function):
        raise ValueError(
            f"{name} must be a coroutine function: 'async def {attribute}(robot, what)'"
        )
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise ValueError(
            f"{name} must take a robot and a description: 'async def {attribute}(robot, what)'"
        ) from None
    return RobotProgram(f'a program in {module_name}', function)


def _module(name: str) -> Any:
    """Import a module from where Python runs, or an installed one."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and name.startswith(error.name):
            raise ValueError(
                f"there is no module '{name}' here or installed; start in the folder of {name}.py"
            ) from None
        raise ValueError(f"module '{name}' cannot be imported: {error}") from None
    except Exception as error:
        raise ValueError(
            f"module '{name}' cannot be imported: {type(error).__name__}: {error}"
        ) from None


def _is_coroutine_function(found: object) -> bool:
    return inspect.iscoroutinefunction(found)
