"""Manipulations: what a robot can do to things, by methods of a world's design (§4.7, §13.7)."""

from collections.abc import Sequence
from typing import Any

from walking_robots.ars_magna.agent.messages import PartName
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.model import Manipulation, Method
from walking_robots.ars_magna.sensing.attributes import Value
from walking_robots.ars_magna.sensing.matching import matches_truth
from walking_robots.ars_magna.simulation.behaving import Act
from walking_robots.ars_magna.simulation.processes import After, Answer, Process
from walking_robots.ars_magna.simulation.robots import (
    SimulatedPart,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.things import Thing
from walking_robots.ars_magna.simulation.world_state import WorldState

_LARGEST = 2**53
"""Whole numbers beyond it cannot be represented exactly, and are left out."""


def manipulate(
    world: WorldState,
    by: SimulatedRobot | SimulatedPart,
    manipulation: Manipulation,
    designators: Sequence[int],
    others: Sequence[Any],
) -> Process:
    """Do something to what designators mean, by a part of the robot; gives the method's value.

    The first method that fits is taken; after its delay the things must still fit.
    """
    robot = _robot(by)
    method = next(
        (
            method
            for method in manipulation.methods
            if len(method.others) == len(others)
            and _is_by(method, by)
            and _things(world, robot, method, designators)
        ),
        None,
    )
    if method is None:
        return Answer(Code.FAILED)
    return After(method.delay, _act, (manipulation, method, designators, others))


def _act(
    world: WorldState,
    by: SimulatedRobot | SimulatedPart,
    manipulation: Manipulation,
    method: Method,
    designators: Sequence[int],
    others: Sequence[Any],
) -> Process:
    robot = _robot(by)
    things = _things(world, robot, method, designators)
    if things is None:
        return Answer(Code.FAILED)
    chance = robot.streams.manipulation
    certain = world.parameters.clean and world.parameters.clean_manipulations
    if not certain and chance.random() >= method.success:
        return Answer(Code.FAILED)
    names = {
        **dict(zip((name for name, _ in method.objects), things, strict=True)),
        **dict(zip(method.others, others, strict=True)),
        method.by: by,
        'robot': robot,
        'tick': world.now,
    }
    act = Act(world, f"manipulation '{manipulation.name}'", names, chance, (robot.x, robot.y))
    act.run(method.body)
    return Answer(act.code, (_as_known(act.value),))


def _robot(by: SimulatedRobot | SimulatedPart) -> SimulatedRobot:
    return by if isinstance(by, SimulatedRobot) else by.robot


def _is_by(method: Method, by: SimulatedRobot | SimulatedPart) -> bool:
    """Return whether a part is of the kind that a method names, if it names one."""
    kinds = ('robot', 'camera', 'hand', 'bin')
    return method.by not in kinds or by.kind == method.by


def _things(
    world: WorldState, robot: SimulatedRobot, method: Method, designators: Sequence[int]
) -> list[Thing] | None:
    """Return the things that designators mean if they fit a method, on their true values."""
    if len(designators) != len(method.objects):
        return None
    things: list[Thing] = []
    bound: dict[str, Value] = {}
    for number, (_, specification) in zip(designators, method.objects, strict=True):
        designation = robot.designation(number)
        thing = designation.thing if designation is not None else None
        if designation is None or thing is None or not designation.is_local:
            return None
        if not world.reaches(robot, designation):
            return None
        found = matches_truth(specification, thing.attributes, world.parameters, bound)
        if found is None:
            return None
        bound = found
        things.append(thing)
    return things


def _as_known(value: Any) -> Any:
    """Return a value as a robot may know it: parts by kind and number, things not at all."""
    if isinstance(value, SimulatedPart):
        return PartName(value.kind, value.index)
    if isinstance(value, SimulatedRobot):
        return PartName('robot', 0)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _LARGEST:
        return None
    return None if isinstance(value, Thing) else value
