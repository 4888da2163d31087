"""What is true, as plain values for those who may know it (ars_magna.md §1.11, §5.3)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from walking_robots.ars_magna.sensing.attributes import Value
from walking_robots.ars_magna.simulation.robots import (
    SimulatedCamera,
    SimulatedHand,
    SimulatedPart,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.seeing import view
from walking_robots.ars_magna.simulation.things import DesignatorTruth, Holder, Thing
from walking_robots.ars_magna.simulation.world_state import WorldState


@dataclass(frozen=True)
class _Snapshot:
    @classmethod
    def of(cls, found: object, **own: Any) -> Self:
        """Return a snapshot of an object: its attributes, but for those that are given here."""
        names = [field.name for field in fields(cls) if field.name not in own]
        return cls(**{name: getattr(found, name) for name in names}, **own)


@dataclass(frozen=True)
class ThingSnapshot(_Snapshot):
    """A thing: where it is, cells, and in what.

    inside: the container's label, or a hand or bin such as robbie/bin/1; '' on the ground.
    """

    label: str
    name: str
    x: float
    y: float
    inside: str
    attributes: Mapping[str, Value]
    contents: tuple[str, ...]
    kickers: tuple[str, ...]


@dataclass(frozen=True)
class DesignatorSnapshot(_Snapshot):
    """A valid designator, and what it truly means: a thing's label, a place type, or FALSE.

    angle, rad, relative to the heading, and distance, cells: as the robot perceives them; x, y:
    where it truly is, cells; cameras: those that track it.
    """

    number: int
    type: str
    angle: float
    distance: float
    denotation: str
    data: Mapping[str, Value] | str
    x: float
    y: float
    cameras: tuple[int, ...]


@dataclass(frozen=True)
class CameraSnapshot(_Snapshot):
    """A camera: field of view and angle to the heading, rad; view: what it would see by now."""

    index: int
    fov: float
    resolution: int
    angle: float
    inside: str
    tracks: DesignatorSnapshot | None
    view: tuple[float, ...]


@dataclass(frozen=True)
class HandSnapshot(_Snapshot):
    """A hand: held and inside are labels, '' for none and for the robot itself."""

    index: int
    strength: float
    held: str
    inside: str


@dataclass(frozen=True)
class BinSnapshot(_Snapshot):
    """A bin: free is how much size still fits in."""

    index: int
    closed: bool
    capacity: float
    free: float
    contents: tuple[str, ...]


@dataclass(frozen=True)
class RobotSnapshot(_Snapshot):
    """A robot: x and y, cells; heading, rad, clockwise from x, not normalised.

    change: distance, cells, and rotation, rad, of the last tick in which it moved, and estimate:
    what its odometers took them for; speed: cells a tick; turn_angle: rad a tick; place: the type
    of the place, '' for none.
    """

    name: str
    x: float
    y: float
    heading: float
    change: tuple[float, float]
    estimate: tuple[float, float]
    speed: float
    turn_angle: float
    place: str
    cameras: tuple[CameraSnapshot, ...]
    hands: tuple[HandSnapshot, ...]
    bins: tuple[BinSnapshot, ...]
    designators: tuple[DesignatorSnapshot, ...]


def state_of_thing(world: WorldState, thing: Thing) -> ThingSnapshot:
    """Return a snapshot of a thing."""
    x, y = world.scene.position(thing)
    return ThingSnapshot.of(
        thing,
        x=x,
        y=y,
        inside=_name(thing.holder),
        attributes=dict(thing.attributes),
        contents=_labels(thing),
        kickers=tuple(thing.kickers),
    )


def state_of_robot(world: WorldState, robot: SimulatedRobot) -> RobotSnapshot:
    """Return a snapshot of a robot, its parts and its designators."""
    place = world.ground.place(*robot.cell)
    return RobotSnapshot.of(
        robot,
        change=robot.last_change,
        estimate=robot.last_estimate,
        place='' if place is None else place.type.name,
        cameras=tuple(_camera(world, camera) for camera in robot.cameras),
        hands=tuple(map(_hand, robot.hands)),
        bins=tuple(BinSnapshot.of(one, contents=_labels(one)) for one in robot.bins),
        designators=tuple(_designator(world, found) for found in robot.designations.values()),
    )


def _camera(world: WorldState, camera: SimulatedCamera) -> CameraSnapshot:
    tracks = None if camera.track is None else _designator(world, camera.track)
    return CameraSnapshot.of(
        camera, inside=_name(camera.inside), tracks=tracks, view=view(world, camera)
    )


def _hand(hand: SimulatedHand) -> HandSnapshot:
    held = '' if hand.held is None else hand.held.label
    return HandSnapshot.of(hand, held=held, inside=_name(hand.inside))


def _designator(world: WorldState, found: DesignatorTruth) -> DesignatorSnapshot:
    x, y = world.where(found)
    return DesignatorSnapshot.of(
        found,
        denotation=found.label,
        data=found.data if isinstance(found.data, str) else dict(found.data),
        x=x,
        y=y,
        cameras=tuple(sorted(found.cameras)),
    )


def _name(holder: Holder | None) -> str:
    """Name what holds something, so that it is the only one of that name."""
    if holder is None:
        return ''
    return holder.resource if isinstance(holder, SimulatedPart) else holder.label


def _labels(holder: Holder) -> tuple[str, ...]:
    return tuple(thing.label for thing in holder.contents)
