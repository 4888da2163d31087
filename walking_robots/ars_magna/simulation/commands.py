"""All commands by name: on which part they work, what they take, and which process they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL, CommandRequest
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.names import normal_name, suggestion
from walking_robots.ars_magna.quantities import finite, shown, whole
from walking_robots.ars_magna.sensing.specifications import specification
from walking_robots.ars_magna.simulation import cameras, hands, moving
from walking_robots.ars_magna.simulation.inserting import BIN, DESIGNATOR
from walking_robots.ars_magna.simulation.manipulating import manipulate
from walking_robots.ars_magna.simulation.processes import Answer, Process
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.world_state import WorldState

_LONGEST = 1_000_000
"""Ticks; what goes on for longer is started again."""

_REMEMBERED = 100
"""Specifications that a world remembers having read."""

Reader = Callable[[WorldState, SimulatedRobot, Any], Any]


@dataclass(frozen=True)
class CommandSpec:
    """A command: the kind of part that it is for, how its arguments are read, what it gives.

    results: the number of values of its report; grabs: whether it only ends others; ends_track:
    whether it turns the camera away from what it tracks; senses: whether it leaves the robot's
    motion alone (ars_magna.md §1.6, §12.1); check: refuses arguments that do not go together.
    """

    part: str
    process: Callable[..., Process]
    arguments: tuple[Reader, ...] = ()
    results: int = 0
    grabs: bool = False
    ends_track: bool = False
    senses: bool = False
    check: Callable[..., None] | None = None


def _grabbed(realm: WorldState, part: Any) -> Process:
    """Return a process that never begins: to take the resource is all (ars_magna.md §1.6)."""
    yield 1
    return Answer(Code.NIL)


@dataclass(frozen=True)
class ScheduledCommand:
    """A request that can be begun; rank: its place among those of one tick."""

    request: CommandRequest
    kind: CommandSpec
    resource: str
    begin: Callable[[], Process]

    @property
    def rank(self) -> tuple[str, int]:
        """Order by resource, then as the robot issued them (ars_magna.md §8.2)."""
        return self.resource, self.request.number


def ordered(realm: WorldState, request: CommandRequest) -> ScheduledCommand:
    """Check a request; raise ValueError with one sentence for what no robot could be commanded."""
    robot = realm.robots.get(request.robot)
    if robot is None:
        raise ValueError(f'there is no robot {request.robot!r}; {_one_of(realm.robots)}')
    kind = COMMANDS.get(request.command)
    if kind is None:
        raise ValueError(f'there is no command {request.command!r}; {_one_of(COMMANDS)}')
    if request.command == 'manipulate':
        return _manipulation(realm, robot, kind, request)
    if len(request.arguments) != len(kind.arguments):
        raise ValueError(
            f'{request.command} takes {len(kind.arguments)} arguments, not '
            f'{len(request.arguments)}'
        )
    part = _part(robot, kind.part, request.part)
    values = [
        read(realm, robot, value)
        for read, value in zip(kind.arguments, request.arguments, strict=True)
    ]
    if kind.check is not None:
        kind.check(robot, *values)
    resource = robot.sense_resource if kind.senses else part.resource
    return ScheduledCommand(request, kind, resource, partial(kind.process, realm, part, *values))


def _manipulation(
    realm: WorldState, robot: SimulatedRobot, kind: CommandSpec, request: CommandRequest
) -> ScheduledCommand:
    if len(request.arguments) != 4:
        raise ValueError('manipulate takes a name, designators, a kind of part and other values')
    name, designators, by, others = request.arguments
    known = realm.definitions.manipulations
    found = known.get(normal_name(_text(name)))
    if found is None:
        raise ValueError(f'there is no manipulation {name!r}; {suggestion(str(name), known)}')
    part = _part(robot, _text(by), request.part)
    numbers = tuple(_count(realm, robot, number) for number in designators)
    begin = partial(manipulate, realm, robot, part, found, numbers, tuple(others))
    return ScheduledCommand(request, kind, part.resource, begin)


def _part(robot: SimulatedRobot, kind: str, index: int) -> Any:
    """Find a part of a robot, or the robot itself."""
    if kind == 'robot':
        return robot
    parts: Mapping[str, list[Any]] = {
        'camera': robot.cameras,
        'hand': robot.hands,
        'bin': robot.bins,
    }
    if kind not in parts:
        raise ValueError(f'there is no kind of part {kind!r}; use robot, camera, hand or bin')
    if not 0 <= index < len(parts[kind]):
        raise ValueError(
            f'{robot.name} has no {kind} {index}; it has {len(parts[kind])}, counted from 0'
        )
    return parts[kind][index]


def _real(realm: WorldState, robot: SimulatedRobot, value: Any) -> float:
    number = finite(value)
    if number is None:
        raise ValueError(f'a finite number is needed, not {shown(value)}')
    return number


def _angle(realm: WorldState, robot: SimulatedRobot, value: Any) -> float:
    angle = _real(realm, robot, value)
    if abs(angle) > _LONGEST:
        raise ValueError(f'an angle must be within {_LONGEST} rad, not {angle:g}')
    return angle


def _count(realm: WorldState, robot: SimulatedRobot, value: Any) -> int:
    number = whole(value)
    if number is None or not 0 <= number <= _LONGEST:
        raise ValueError(f'a whole number from 0 to {_LONGEST} is needed, not {shown(value)}')
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'a name is needed, not {shown(value)}')
    return value


def _camera(realm: WorldState, robot: SimulatedRobot, value: Any) -> int:
    index = _count(realm, robot, value)
    _part(robot, 'camera', index)
    return index


def _name(realm: WorldState, robot: SimulatedRobot, value: Any) -> str:
    return normal_name(_text(value))


def _specification(realm: WorldState, robot: SimulatedRobot, value: Any) -> Any:
    """Read what is looked for; programs ask for the same again and again."""
    try:
        key = repr(value)
    except ValueError:
        # A number of thousands of digits is not written.
        key = None
    found = None if key is None else realm.asked_for.get(key)
    if found is None:
        found = specification(
            value, realm.definitions.attributes, substances=realm.design.substances
        )
        if len(realm.asked_for) >= _REMEMBERED:
            realm.asked_for.clear()
        if key is not None:
            realm.asked_for[key] = found
    return found


def _choice(*known: str) -> Reader:
    def read(realm: WorldState, robot: SimulatedRobot, value: Any) -> str:
        if value not in known:
            raise ValueError(f'{" or ".join(known)} is needed, not {shown(value)}')
        return str(value)

    return read


def _truth(realm: WorldState, robot: SimulatedRobot, value: Any) -> bool:
    return bool(value)


def _one_of(known: Mapping[str, Any]) -> str:
    return 'use one of ' + ', '.join(known)


def _check_destination(robot: SimulatedRobot, into: str, number: int) -> None:
    """Refuse a bin that there is not; designators are checked when the command acts."""
    if into == BIN:
        _part(robot, 'bin', number)


_INTO = (_choice(BIN, DESIGNATOR), _count)

COMMANDS: Mapping[str, CommandSpec] = {
    'set_speed': CommandSpec('robot', moving.set_speed, (_real,), 1),
    'set_turn_angle': CommandSpec('robot', moving.set_turn_angle, (_real,), 1),
    'turn': CommandSpec('robot', moving.turn, (_angle,), 1),
    'align_place': CommandSpec('robot', moving.align_place, (), 1),
    'turn_corner': CommandSpec('robot', moving.turn_corner, (), 1),
    'go_forward': CommandSpec('robot', moving.go_forward, (_count,)),
    'goto_wall': CommandSpec('robot', moving.goto_wall),
    'follow_wall': CommandSpec('robot', moving.follow_wall, (_choice('left', 'right'), _count)),
    'goto_designator': CommandSpec('robot', moving.goto_designator, (_camera,), 1),
    'stop': CommandSpec('robot', moving.stop),
    'place': CommandSpec('robot', moving.sense_place, (), 1, senses=True),
    'camera_view': CommandSpec('camera', cameras.look, (), 1),
    'find_object': CommandSpec(
        'camera',
        cameras.find_object,
        (_choice(LOCAL, NON_LOCAL), _specification, _truth),
        1,
    ),
    'find_place': CommandSpec('camera', cameras.find_place, (_name, _truth), 1),
    'camera_track': CommandSpec('camera', cameras.track, (_count,)),
    'camera_untrack': CommandSpec('camera', cameras.untrack),
    'camera_turn': CommandSpec('camera', cameras.turn_camera, (_angle,), 1, ends_track=True),
    'camera_align_robot': CommandSpec('camera', cameras.align_robot, (), 1, ends_track=True),
    'camera_align_place': CommandSpec(
        'camera', cameras.align_camera_place, (), 2, ends_track=True
    ),
    'camera_insert': CommandSpec(
        'camera', cameras.insert_camera, _INTO, 1, check=_check_destination
    ),
    'camera_remove': CommandSpec('camera', cameras.remove_camera),
    'hand_grasp': CommandSpec('hand', hands.grasp, (_camera, _count), 1),
    'hand_ungrasp': CommandSpec('hand', hands.ungrasp),
    'hand_grasp_check': CommandSpec('hand', hands.grasp_check),
    'hand_track': CommandSpec('hand', hands.track_grasp),
    'hand_insert': CommandSpec('hand', hands.insert_hand, _INTO, 1, check=_check_destination),
    'hand_remove': CommandSpec('hand', hands.remove_hand),
    'bin_open': CommandSpec('bin', hands.open_bin),
    'bin_close': CommandSpec('bin', hands.close_bin, (), 1),
    'manipulate': CommandSpec('robot', manipulate, (), 1),
    **{
        f'{part}_grab': CommandSpec(part, _grabbed, (), 1, grabs=True)
        for part in ('robot', 'camera', 'hand', 'bin')
    },
}
