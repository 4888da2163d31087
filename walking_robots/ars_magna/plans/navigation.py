"""Where a robot believes it is, the legs that it has driven, and how it drives along them again."""

import heapq
import math
from dataclasses import dataclass, field

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.geometry.point import Point, distance
from walking_robots.geometry.se2 import wrap

SIDESTEP = 0.6
"""Cells to the side at the first try around something; somewhat more than half a doorway."""
SIDESTEPS = 9
"""How often a way around something is tried."""


@dataclass
class Station:
    """A place where the robot stood; next: stations to which it drove straight from here.

    looked: whether nothing new is to be expected of a look around from here.
    """

    at: Point
    next: set['Station'] = field(default_factory=set)
    looked: bool = True

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
        self.top_speed = robot.sensor_model().parameters.max_speed
        self.here = Station(self._at, looked=False)
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
        if distance(near.at, self._at) > 0.25:
            near = Station(self._at)
            self.stations.append(near)
        self.here = near
        if near is not before:
            before.next.add(near)
            near.next.add(before)
        return near

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
        await self.robot.set_speed(way / ticks)
        outcome = await self.robot.go_forward(ticks)
        await self.robot.set_speed(self.top_speed)
        self.note_station()
        return outcome.ok

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
        for station in self._legs_to(goal):
            if not await self.drive_to(station.at):
                # What is in the way now was not there before: this leg is none any more.
                for one in self.stations:
                    if distance(one.at, station.at) < 1.0:
                        one.next.discard(station)
                return False
        self.here = goal
        return True

    def nearest(self, goals: list[Station]) -> Station | None:
        """Return the one with the shortest way along legs."""
        ways = self._ways()[0]
        return min((one for one in goals if one in ways), key=ways.__getitem__, default=None)

    def _legs_to(self, goal: Station) -> list[Station]:
        before = self._ways()[1]
        path = [goal]
        while path[-1] is not self.here and path[-1] in before:
            path.append(before[path[-1]])
        return path[::-1]

    def _ways(self) -> tuple[dict[Station, float], dict[Station, Station]]:
        """Return lengths of the shortest ways from here, and the station before each (Dijkstra)."""
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
        return ways, before
