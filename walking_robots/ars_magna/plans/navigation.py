"""Where a robot believes it is, the legs that it has driven, and how it drives along them again."""

import heapq
import math
from dataclasses import dataclass, field

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.point import Point, distance
from walking_robots.geometry.se2 import wrap

SIDESTEP = 0.6
"""Cells to the side at the first try around something; somewhat more than half a doorway."""
_ALONG = 0.5
"""Speed along walls, cells a tick: of half a cell, so that no doorway is passed over."""
_SAME = 0.25
"""Cells within which two stations are one."""
_BESIDE = 0.3
"""Cells from a leg that a short cut may be."""
_ALIGNED = 0.1
"""Rad from the axes of the grid, at which the border that stops a robot is surely across."""
SIDESTEPS = 6
"""How often a way around something is tried."""


@dataclass
class Station:
    """A place where the robot stood; next: stations to which it drove straight from here."""

    at: Point
    next: set['Station'] = field(default_factory=set)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Navigator:
    """Estimates the pose by dead reckoning, and keeps a graph of the legs that were driven.

    Positions are in cells from where the robot began, with x along its heading there and y to its
    right; `heading` is clockwise, rad.
    """

    def __init__(self, robot: Robot) -> None:
        """Begin here."""
        self.robot = robot
        # Short intervals have unbiased middles: it is reset after each motion.
        self._odometer = robot.new_odometer('navigator')
        self._at, self._heading = Point(0.0, 0.0), 0.0
        self._grid = WallGrid()
        self.top_speed = robot.sensor_model().parameters.max_speed
        self.here = Station(self._at)
        self.stations = [self.here]
        self.home = self.here

    @property
    def at(self) -> Point:
        """Return the estimated position."""
        return self._pose()[0]

    @property
    def heading(self) -> float:
        """Return the estimated heading."""
        return self._pose()[1]

    def _pose(self) -> tuple[Point, float]:
        step, turned = self._odometer.position().nominal, self._odometer.angle().nominal
        cos, sin = math.cos(self._heading), math.sin(self._heading)
        moved = Point(cos * step.x - sin * step.y, sin * step.x + cos * step.y)
        return self._at + moved, self._heading + turned

    def note_station(self) -> Station:
        """Remember where the robot stands, as the end of a leg."""
        self._at, self._heading = self._pose()
        self._odometer.reset()
        before = self.here
        near = min(self.stations, key=lambda one: distance(one.at, self._at))
        if distance(near.at, self._at) > _SAME:
            near = Station(self._at)
            # No wall is thin enough to be between neighbours.
            linked = [one for one in self.stations if distance(one.at, self._at) < 1.0]
            for one in linked:
                _link(one, near)
            self.stations.append(near)
        if near is not before:
            _link(before, near)
        self.here = near
        return near

    def _note_wall_beside(self) -> None:
        """Correct the heading: it is along a wall."""
        self._at, self._heading = self._pose()
        self._odometer.reset()
        self._heading = self._grid.heading_along(self._heading)

    def _note_border_ahead(self) -> None:
        """Correct the position: it is at the border of a cell."""
        self._at, self._heading = self._pose()
        self._odometer.reset()
        self._at = self._grid.position_at_border(self._at, self._heading)

    def bearing_of(self, place: Point) -> float:
        """Return the direction of a place, relative to the heading, and clockwise."""
        at, heading = self._pose()
        return wrap(math.atan2(place.y - at.y, place.x - at.x) - heading)

    async def turn(self, angle: float) -> None:
        """Turn in place."""
        await self.robot.turn(angle)

    async def forward(self, way: float) -> bool:
        """Go straight ahead, cells; return whether nothing was in the way."""
        ticks = max(1, math.ceil(way / self.top_speed))
        await self.set_speed(way / ticks)
        outcome = await self.robot.go_forward(ticks)
        self.note_station()
        return outcome.ok

    async def set_speed(self, speed: float) -> None:
        """Set the speed unless it is so already, cells a tick."""
        if abs(self.robot.speed - speed) > 1e-9:
            await self.robot.set_speed(speed)

    async def drive_to(self, place: Point, near: float = 0.3) -> bool:
        """Drive straight to a place, with steps to the side around what is in the way."""
        side = 1.0
        for attempt in range(1, SIDESTEPS + 1):
            while distance(self.at, place) > near:
                await self.turn(self.bearing_of(place))
                if not await self.forward(distance(self.at, place)):
                    break
            else:
                return True
            await self.sidestep(side * attempt * SIDESTEP)
            side = -side
        return False

    async def sidestep(self, way: float) -> None:
        """Go to the right, or with a negative way to the left, and face ahead again."""
        quarter = math.copysign(math.pi / 2, way)
        await self.turn(quarter)
        await self.forward(abs(way))
        await self.turn(-quarter)

    async def return_to(self, goal: Station) -> bool:
        """Drive to a station along legs that were driven before; return whether it was reached."""
        way = self._legs_to(goal)
        while way:
            ahead = self._straight_ahead(way)
            if not await self.drive_to(way[ahead].at):
                # What is in the way now was not there before.
                for one in way[: ahead + 1]:
                    self.here.next.discard(one)
                    one.next.discard(self.here)
                return False
            way = way[ahead + 1 :]
        self.here = goal
        return True

    def _straight_ahead(self, way: list[Station]) -> int:
        """Return the last station to which a straight line keeps to the legs up to there."""
        at, last = self.at, 0
        for number in range(1, len(way)):
            if all(
                _distance_to_leg(one.at, at, way[number].at) < _BESIDE for one in way[:number]
            ):
                last = number
        return last

    async def follow_walls(self, way: float) -> None:
        """Go on along the wall at the left, cells, around all corners; find one where there is none.

        Who keeps to the wall comes through every doorway, into all rooms whose walls hang together.
        """
        gone, openings = 0.0, 0
        while gone < way:
            before = self.at
            await self.set_speed(_ALONG)
            outcome = await self.robot.follow_wall('left', math.ceil((way - gone) / _ALONG))
            step = distance(before, self.at)
            if outcome.code != Code.NO_WALL:
                self._note_wall_beside()
                if outcome.code == Code.ROBOT_BLOCKED or step < _ALONG / 2:
                    self._note_border_ahead()
            self.note_station()
            gone += max(step, _ALONG)
            if outcome.code != Code.NO_WALL:
                openings = 0
                if outcome.code == Code.ROBOT_BLOCKED or step < _ALONG / 2:
                    await self._turn_along_what_is_ahead()
            elif openings < 3:
                openings += 1
                await self._turn_into_opening()
            else:
                await self.robot.goto_wall()
                await self._turn_along_what_is_ahead()

    async def _turn_along_what_is_ahead(self) -> None:
        """Turn so that what is ahead is at the left, half a cell away."""
        await self.turn(math.pi)
        await self.forward(0.5)
        await self.turn(-math.pi / 2)

    async def _turn_into_opening(self) -> None:
        """Turn around the end of the wall at the left."""
        await self.forward(_ALONG / 2)
        await self.turn(-math.pi / 2)
        await self.forward(1.0)

    def _legs_to(self, goal: Station) -> list[Station]:
        """Return the stations on the shortest way; the goal alone where no legs lead to it."""
        before = self._ways()
        path = [goal]
        while path[-1] is not self.here and path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _ways(self) -> dict[Station, Station]:
        """Return the station before each on the shortest ways from here (Dijkstra)."""
        ways, before = {self.here: 0.0}, dict[Station, Station]()
        queue = [(0.0, 0, self.here)]
        count = 0
        while queue:
            way, _, one = heapq.heappop(queue)
            if way > ways[one]:
                continue
            for other in one.next:
                longer = way + distance(one.at, other.at)
                if longer < ways.get(other, math.inf):
                    ways[other], before[other] = longer, one
                    count += 1
                    heapq.heappush(queue, (longer, count, other))
        return before


class WallGrid:
    """The grid of cells in which all walls stand, as far as contacts have shown how it lies.

    The first wall that the robot follows shows the angle, and the first border that stops it in
    each of both directions the offset; all later ones correct the robot's own errors.
    """

    def __init__(self) -> None:
        """Know nothing."""
        self._angle: float | None = None
        self._offsets: list[float | None] = [None, None]

    def heading_along(self, heading: float) -> float:
        """Return the exact heading of a robot that has followed a wall."""
        if self._angle is None:
            self._angle = heading
        return heading - math.remainder(heading - self._angle, math.pi / 2)

    def position_at_border(self, at: Point, heading: float) -> Point:
        """Return the corrected position of a robot that was stopped ahead."""
        if self._angle is None:
            return at
        off = math.remainder(heading - self._angle, math.pi / 2)
        if abs(off) > _ALIGNED:
            return at
        quarter = round((heading - self._angle) / (math.pi / 2)) % 2
        angle = self._angle + quarter * math.pi / 2
        axis = Point(math.cos(angle), math.sin(angle))
        along = at.x * axis.x + at.y * axis.y
        offset = self._offsets[quarter]
        if offset is None:
            self._offsets[quarter] = along
            return at
        return at - axis * math.remainder(along - offset, 1.0)


def _link(one: Station, other: Station) -> None:
    one.next.add(other)
    other.next.add(one)


def _distance_to_leg(place: Point, start: Point, end: Point) -> float:
    """Return how far a place is from the straight leg between two others."""
    along, off = end - start, place - start
    length = along.x**2 + along.y**2
    share = (off.x * along.x + off.y * along.y) / length if length else 0.0
    return distance(place, start + along * min(max(share, 0.0), 1.0))
