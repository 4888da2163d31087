"""Messages of the truth about robots and things of ARS MAGNA (ars_magna.md §5.2)."""

from typing import Any

from walking_robots_interfaces.msg import ArsPart, ArsPictureRobot, ArsThing

from walking_robots.ars_magna.agent.messages import DesignatorReport
from walking_robots.ars_magna.simulation.snapshots import (
    BinSnapshot,
    CameraSnapshot,
    DesignatorSnapshot,
    HandSnapshot,
    RobotSnapshot,
    ThingSnapshot,
)
from walking_robots.nodes.ars_magna.conversions import (
    NOTHING,
    attribute_to_msg,
    designator_to_msg,
)


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
