"""Check requests, read their arguments, and begin the processes that commands are."""

from collections.abc import Callable, Mapping
from typing import Any

from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL, CommandRequest
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.commands import BIN, COMMANDS, DESIGNATOR, PARTS, CommandInfo
from walking_robots.ars_magna.inputs import finite, named, normal_name, shown, whole
from walking_robots.ars_magna.sensing.specifications import specification
from walking_robots.ars_magna.simulation import cameras, hands, moving
from walking_robots.ars_magna.simulation.manipulating import manipulate
from walking_robots.ars_magna.simulation.processes import Answer, Process, ProcessRun, Step
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.world_state import WorldState

_LONGEST = 1_000_000
"""Ticks; what goes on for longer is started again."""

_REMEMBERED = 100
"""Specifications that a world remembers having read."""

Reader = Callable[[WorldState, SimulatedRobot, Any], Any]


def _grabbed(world: WorldState, part: Any) -> Process:
    """End what never begins: to take the resource is all (ars_magna.md §1.6)."""
    return Answer(Code.NIL)


def process_of(world: WorldState, request: CommandRequest) -> ProcessRun:
    """Return the process of a request; raise ValueError with one sentence for a wrong request."""
    robot = named('robot', request.robot, world.robots)
    kind = named('command', request.command, COMMANDS)
    if request.command == 'manipulate':
        return _manipulation(world, robot, kind, request)
    if len(request.arguments) != len(kind.arguments):
        raise ValueError(
            f'{request.command} takes {len(kind.arguments)} arguments, not '
            f'{len(request.arguments)}'
        )
    part = _part(robot, kind.part, request.part)
    values = [
        _READERS[name](world, robot, value)
        for name, value in zip(kind.arguments, request.arguments, strict=True)
    ]
    if kind.arguments[:1] == ('into',) and values[0] == BIN:
        # Designators are checked when the command acts.
        _part(robot, 'bin', values[1])
    resource = robot.sense_resource if kind.senses else part.resource
    return ProcessRun(request, kind, resource, part, PROCESSES[request.command], tuple(values))


def _manipulation(
    world: WorldState, robot: SimulatedRobot, kind: CommandInfo, request: CommandRequest
) -> ProcessRun:
    if len(request.arguments) != 4:
        raise ValueError('manipulate takes a name, designators, a kind of part and other values')
    name, designators, by, others = request.arguments
    found = named('manipulation', normal_name(_text(name)), world.definitions.manipulations)
    part = _part(robot, _text(by), request.part)
    numbers = tuple(_count(world, robot, number) for number in designators)
    memory = found, numbers, tuple(others)
    return ProcessRun(request, kind, part.resource, part, manipulate, memory)


def _part(robot: SimulatedRobot, kind: str, index: int) -> Any:
    """Find a part of a robot, or the robot itself."""
    if kind not in robot.parts:
        raise ValueError(f'there is no kind of part {kind!r}; use robot, camera, hand or bin')
    if kind == 'robot':
        return robot
    parts = robot.parts[kind]
    if not 0 <= index < len(parts):
        raise ValueError(
            f'{robot.name} has no {kind} {index}; it has {len(parts)}, counted from 0'
        )
    return parts[index]


def _real(world: WorldState, robot: SimulatedRobot, value: Any) -> float:
    number = finite(value)
    if number is None:
        raise ValueError(f'a finite number is needed, not {shown(value)}')
    return number


def _angle(world: WorldState, robot: SimulatedRobot, value: Any) -> float:
    angle = _real(world, robot, value)
    if abs(angle) > _LONGEST:
        raise ValueError(f'an angle must be within {_LONGEST} rad, not {angle:g}')
    return angle


def _count(world: WorldState, robot: SimulatedRobot, value: Any) -> int:
    number = whole(value)
    if number is None or not 0 <= number <= _LONGEST:
        raise ValueError(f'a whole number from 0 to {_LONGEST} is needed, not {shown(value)}')
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'a name is needed, not {shown(value)}')
    return value


def _camera(world: WorldState, robot: SimulatedRobot, value: Any) -> int:
    index = _count(world, robot, value)
    _part(robot, 'camera', index)
    return index


def _name(world: WorldState, robot: SimulatedRobot, value: Any) -> str:
    return normal_name(_text(value))


def _specification(world: WorldState, robot: SimulatedRobot, value: Any) -> Any:
    """Read what is searched for; programs search for the same again and again."""
    try:
        key = repr(value)
    except ValueError:
        # A number of thousands of digits is not written.
        key = None
    found = None if key is None else world.specifications_read.get(key)
    if found is None:
        found = specification(
            value, world.definitions.attributes, substances=world.design.substances
        )
        if len(world.specifications_read) >= _REMEMBERED:
            world.specifications_read.clear()
        if key is not None:
            world.specifications_read[key] = found
    return found


def _choice(*known: str) -> Reader:
    def read(world: WorldState, robot: SimulatedRobot, value: Any) -> str:
        if value not in known:
            raise ValueError(f'{" or ".join(known)} is needed, not {shown(value)}')
        return str(value)

    return read


def _truth(world: WorldState, robot: SimulatedRobot, value: Any) -> bool:
    return bool(value)


_READERS: Mapping[str, Reader] = {
    'speed': _real,
    'rate': _real,
    'angle': _angle,
    'ticks': _count,
    'side': _choice('left', 'right'),
    'camera': _camera,
    'type': _choice(LOCAL, NON_LOCAL),
    'specification': _specification,
    'all': _truth,
    'place': _name,
    'designator': _count,
    'into': _choice(BIN, DESIGNATOR),
    'number': _count,
}

_SHARED: Mapping[str, Step] = {
    'camera_remove': hands.remove,
    'hand_remove': hands.remove,
    'manipulate': manipulate,
    **{f'{part}_grab': _grabbed for part in PARTS},
}
PROCESSES: Mapping[str, Step] = {
    name: _SHARED.get(name)
    or vars({'camera': cameras, 'robot': moving}.get(info.part, hands))[name]
    for name, info in COMMANDS.items()
}
"""The first step of each command: the function of its name in the module of its part."""
