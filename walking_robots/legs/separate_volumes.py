"""Working volumes of articulated legs that keep clear of one another, and places in them."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from walking_robots.geometry.pose import Vector
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.legs.workspace import leg_volume
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HalfSpace

Places = tuple[tuple[float, float], ...]

KEPT = 0.15
"""Share of the way from a neutral foot to the border of its reach that is kept in reserve.

A foot comes down by so much ahead of its volume where the body stops while it is on its way, and
one that stands is left behind by some of that until the body rests.
"""

MOST_PLACES = 2000
"""Places to look at for a foot, beyond which a search takes longer than a step."""


class LegRoom(NamedTuple):
    """Where the foot of a leg may be, body frame.

    ``volume`` bounds it; ``places`` are (x, y), m, one a cell, front to rear and outer to inner;
    ``low`` and ``high`` are the heights, m, between which it lies.
    """

    volume: tuple[HalfSpace, ...]
    places: Places
    low: float
    high: float

    def edges(self, margin: float) -> tuple[tuple[Vector, Vector], ...]:
        """Return the upright edges, as point and direction, of a box round all places.

        The box is wider by a margin, m, on every side.
        """
        (west, south), (east, north) = (
            [side(part) for part in zip(*self.places, strict=True)] for side in (min, max)
        )
        west, south, east, north = west - margin, south - margin, east + margin, north + margin
        corners = ((east, south), (east, north), (west, north), (west, south))
        return tuple(((x, y, 0.0), (0.0, 0.0, -1.0)) for x, y in corners)


def leg_rooms(robot: ArticulatedHexapod) -> tuple[LegRoom, ...]:
    """Return the room of every leg: its `leg_volume`, less what is nearer to the foot of another.

    To the sides a share of the reach is kept. Upright planes half-way between the neutral feet
    keep two feet a foot's width apart, wherever in their rooms they are. Every leg has as many
    places; the last is repeated where it has fewer. Raises ValueError, one sentence, when a leg
    has no room or cells are too fine for it.
    """
    rooms = [_room(robot, leg.number) for leg in robot.legs]
    most = max(len(room.places) for room in rooms)
    return tuple(
        room._replace(places=room.places + room.places[-1:] * (most - len(room.places)))
        for room in rooms
    )


def _room(robot: ArticulatedHexapod, number: int) -> LegRoom:
    """Return the room of a leg."""
    foot, mount = robot.neutral_feet[number - 1], robot.legs[number - 1].mount
    found = leg_volume(robot, number)
    others = [other for other in range(1, len(robot.legs) + 1) if other != number]
    room = LegRoom(
        tuple(_shrunk(plane, foot) for plane in found.volume)
        + tuple(_between(robot, number, other) for other in others),
        (),
        mount[2] + found.height[0],
        mount[2] + found.height[1],
    )
    return room._replace(places=_places(robot, number, foot, room))


def _shrunk(plane: HalfSpace, foot: Vector) -> HalfSpace:
    """Return an upright plane of a volume, brought nearer to a foot inside; another as it is."""
    if plane.normal[2]:
        return plane
    distance = sum(n * part for n, part in zip(plane.normal, foot, strict=True)) + plane.offset
    return replace(plane, offset=plane.offset - KEPT * distance)


def _between(robot: ArticulatedHexapod, number: int, other: int) -> HalfSpace:
    """Return the half-space of a leg on its own side of the middle between two neutral feet."""
    (x, y, _), (u, v, _) = (robot.neutral_feet[leg - 1] for leg in (number, other))
    apart = math.hypot(u - x, v - y)
    if apart <= 2.0 * robot.foot_radius:
        raise ValueError(
            f'the neutral feet of legs {number} and {other} of {robot.name} are {apart:.3g} m '
            'apart, which is less than the width of a foot; place them further apart'
        )
    normal = ((u - x) / apart, (v - y) / apart, 0.0)
    middle = normal[0] * (x + u) / 2.0 + normal[1] * (y + v) / 2.0
    return HalfSpace(f'leg{other}', normal, robot.foot_radius - middle, -1)


def _places(robot: ArticulatedHexapod, number: int, foot: Vector, room: LegRoom) -> Places:
    """Return the places of a leg: a grid of cells about its neutral foot, as far as it reaches."""
    leg, cell = robot.legs[number - 1], robot.cell
    x, y, z = foot
    reach = leg.coxa + leg.femur + leg.tibia + math.dist(foot[:2], leg.mount[:2])
    count = int(reach / cell)
    volume = WorkingVolume(room)
    if (2 * count + 1) ** 2 <= 100 * MOST_PLACES:
        steps = np.arange(-count, count + 1) * cell
        grid = np.stack(np.meshgrid(x + steps, y + steps, indexing='ij'), axis=-1).reshape(-1, 2)
        distance = grid @ volume.normals[:, :2].T + volume.normals[:, 2] * z + volume.offsets
        places = grid[(distance < 0.0).all(axis=1)].tolist()
        if 0 < len(places) <= MOST_PLACES:
            places.sort(key=lambda place: (-place[0], -math.hypot(*place)))
            return tuple((u, v) for u, v in places)
        if not places:
            raise ValueError(
                f'leg {number} of {robot.name} has no room of its own about its neutral foot; '
                'place its feet further from joint limits and from one another'
            )
    raise ValueError(
        f'cells of {cell:.3g} m are too fine for the legs of {robot.name}, which reach '
        f'{reach:.3g} m; give a larger cell'
    )
