"""Between messages and what robots of ARS MAGNA and their programs exchange.

Values cross unchanged to the last bit. What comes from a message is checked here, and a ValueError
says in one sentence what is wrong with it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from walking_robots_interfaces.msg import (
    ArsAttribute,
    ArsConstraint,
    ArsDesignator,
    ArsOdometry,
    ArsPart,
    ArsPictureRobot,
    ArsThing,
)

from walking_robots.ars_magna.agent.messages import DesignatorReport, PartName
from walking_robots.ars_magna.geometry.interval import Box, Interval
from walking_robots.ars_magna.sensing.attributes import Substance
from walking_robots.ars_magna.sensing.specifications import entries
from walking_robots.ars_magna.simulation.snapshots import (
    BinSnapshot,
    CameraSnapshot,
    DesignatorSnapshot,
    HandSnapshot,
    RobotSnapshot,
    ThingSnapshot,
)

NOTHING = -1
"""Number of a designator or part that there is not."""
_LARGEST = 2**53
"""Whole numbers up to it are exact."""

_WORDS = {'true': True, 'false': False}


def attribute_to_msg(name: str, value: Any) -> ArsAttribute:
    """Return the message of a value: None, a truth, a number, a word, a substance or a part."""
    found = ArsAttribute(name=name)
    if value is None:
        return found
    if isinstance(value, bool):
        found.kind, found.number = ArsAttribute.TRUTH, float(value)
    elif isinstance(value, int):
        found.kind, found.number = ArsAttribute.WHOLE, float(value)
    elif isinstance(value, float):
        found.kind, found.number = ArsAttribute.NUMBER, value
    elif isinstance(value, str):
        found.kind, found.symbol = ArsAttribute.SYMBOL, value
    elif isinstance(value, Substance):
        found.kind, found.symbol, found.number = ArsAttribute.SUBSTANCE, *value
    elif isinstance(value, PartName):
        found.kind, found.symbol = ArsAttribute.PART, value.kind
        found.number = float(value.number)
    else:
        raise ValueError(f'{str(value)[:40]!r} is no number, word, truth, substance or part')
    return found


def value_from_msg(message: Any) -> Any:
    """Read a value."""
    given, symbol = message.number, message.symbol
    match message.kind:
        case ArsAttribute.NONE:
            return None
        case ArsAttribute.NUMBER:
            return given
        case ArsAttribute.SYMBOL:
            return symbol
        case ArsAttribute.TRUTH:
            return bool(given)
        case ArsAttribute.SUBSTANCE:
            return Substance(symbol, given)
        case ArsAttribute.WHOLE | ArsAttribute.PART if abs(given) <= _LARGEST:
            whole = int(given)
            return whole if message.kind == ArsAttribute.WHOLE else PartName(symbol, whole)
    raise ValueError(f'the value of {message.name!r} is of no kind that there is')


def designator_to_msg(sighting: DesignatorReport | None) -> ArsDesignator:
    """Return the message of a designator, or of none."""
    if sighting is None:
        return ArsDesignator(id=NOTHING)
    found = ArsDesignator(id=sighting.number, type=sighting.type, angle=sighting.angle)
    if isinstance(sighting.data, str):
        found.place_type = sighting.data
    else:
        found.attributes = [attribute_to_msg(name, value) for name, value in sighting.data.items()]
    return found


def designator_from_msg(message: Any) -> DesignatorReport | None:
    """Read a designator, None for none."""
    if message.id == NOTHING:
        return None
    data: Mapping[str, Any] | str = message.place_type or {
        entry.name: value_from_msg(entry) for entry in message.attributes
    }
    return DesignatorReport(message.id, message.type, message.angle, data)


def specification_to_msg(data: Any) -> list[ArsConstraint]:
    """Return the messages of a specification in plain data (`specifications.specification`)."""
    return [_constraint(*entry) for entry in entries(data)]


def specification_from_msg(messages: Iterable[Any]) -> tuple[tuple[Any, ...], ...]:
    """Read a specification as plain data."""
    found: list[tuple[Any, ...]] = []
    for message in messages:
        symbols = [_WORDS.get(symbol, symbol) for symbol in message.symbols]
        fitting = (*symbols, *message.numbers)
        value = fitting[0] if len(fitting) == 1 else fitting
        found.append((message.attribute, value, *message.threshold))
    return tuple(found)


def odometry_to_msg(
    name: str, generation: int, tick: int, box: Box, angle: Interval
) -> ArsOdometry:
    """Return the message of an odometer."""
    return ArsOdometry(
        name=name,
        generation=generation,
        tick=tick,
        x_min=box.x.min,
        x_max=box.x.max,
        y_min=box.y.min,
        y_max=box.y.max,
        angle_min=angle.min,
        angle_max=angle.max,
    )


def odometry_from_msg(message: Any) -> tuple[Box, Interval]:
    """Read displacement and rotation of an odometer."""
    box = Box(Interval(message.x_min, message.x_max), Interval(message.y_min, message.y_max))
    return box, Interval(message.angle_min, message.angle_max)


def _constraint(attribute: str, value: object, threshold: object) -> ArsConstraint:
    found = ArsConstraint(attribute=attribute)
    symbols, numbers = [], []
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, bool):
            symbols.append(str(one).lower())
        elif isinstance(one, str):
            symbols.append(one)
        else:
            numbers.append(number(one))
    found.symbols, found.numbers = symbols, numbers
    found.threshold = [] if threshold is None else [number(threshold)]
    return found


def number(value: Any) -> float:
    """Return a number as a decimal; raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f'a number is needed, not {str(value)[:40]!r}')
    return float(value)


def thing_to_msg(thing: ThingSnapshot, *, attributes: bool = False) -> ArsThing:
    """Return the message of a thing, with all its ``attributes`` or those that are drawn."""
    found = thing.attributes
    message = ArsThing(
        name=thing.name,
        label=thing.label,
        inside=thing.inside,
        x=float(thing.x),
        y=float(thing.y),
        size=_size(thing),
        color=str(found.get('color', '')),
        obsmove=found.get('obsmove') is True,
        obsview=found.get('obsview') is True,
    )
    if attributes:
        message.attributes = [attribute_to_msg(name, value) for name, value in found.items()]
    return message


def robot_to_msg(robot: RobotSnapshot) -> ArsPictureRobot:
    """Return the message of a robot with its parts and designators."""
    return ArsPictureRobot(
        name=robot.name,
        x=float(robot.x),
        y=float(robot.y),
        heading=float(robot.heading),
        parts=[
            *map(_camera, robot.cameras),
            *(
                _part('hand', hand, inside=hand.inside, contents=[hand.held] if hand.held else [])
                for hand in robot.hands
            ),
            *(
                _part('bin', found, contents=list(found.contents), closed=found.closed)
                for found in robot.bins
            ),
        ],
        designators=[designator_to_msg(_sighting(found)) for found in robot.designators],
        denotations=[found.denotation for found in robot.designators],
    )


def _part(kind: str, part: CameraSnapshot | HandSnapshot | BinSnapshot, **more: Any) -> ArsPart:
    return ArsPart(kind=kind, index=part.index, tracked=NOTHING, **more)


def _camera(camera: CameraSnapshot) -> ArsPart:
    part = _part(
        'camera',
        camera,
        inside=camera.inside,
        angle=float(camera.angle),
        field_of_view=float(camera.fov),
        view=camera.view,
    )
    if camera.tracks is not None:
        part.tracked, part.tracked_type = camera.tracks.number, camera.tracks.type
        part.denotation = camera.tracks.denotation
        part.distance = float(camera.tracks.distance)
    return part


def _sighting(found: DesignatorSnapshot) -> DesignatorReport:
    return DesignatorReport(found.number, found.type, found.angle, found.data)


def _size(thing: ThingSnapshot) -> float:
    size = thing.attributes.get('size', 0.0)
    return size if isinstance(size, float) else 0.0
