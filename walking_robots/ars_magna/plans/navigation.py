"""Where a robot believes it is, the cells that it has driven through, and ways through these."""

import heapq
import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from walking_robots.ars_magna.agent.dead_reckoning import DeadReckoning, PoseEstimate
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.geometry.point import Point, distance
from walking_robots.ars_magna.plans.wall_grid import MARGIN, Cell, WallGrid
from walking_robots.geometry.se2 import wrap

_ALONG = 0.5
"""Speed along walls, cells a tick: of half a cell, so that no doorway is passed over."""
_SAMPLE = 0.1
"""Cells between the places of a leg that are noted."""
_NEAR = 0.3
"""Cells from a place at which the robot is there."""
_SHY = 0.7
"""Cells from where something stopped the robot that it does not trust its old way."""
_SQUARE = 0.15
"""Side, cells, of the squares in which ways are remembered."""
_ASIDE, _PAST = 1.2, 3.0
"""Cells beside what is in the way, and along it, until the robot is past it."""
_STOPS = 6
"""How often the robot may be stopped on its way back before it looks for a wall."""
_UNSURE = 0.12
"""Standard deviation, cells, beyond which a wall may be taken for that of the next cell.

Half a cell off is then four of them.
"""
_STEPS, _STEP = 25, 4.0
"""Steps along walls, and cells of each, after which the position stays as unsure as it is."""


class GridNavigator:
    """Estimates the pose by dead reckoning, and remembers the cells that the robot came through.

    What stands in a cell fills it, so that a cell through which the robot came is free.
    Positions are in cells from where the robot began, with x along its heading there and y to its
    right; `heading` is clockwise, rad.
    """

    def __init__(self, robot: Robot) -> None:
        """Begin here."""
        self.robot = robot
        self._reckoning = DeadReckoning(robot, 'navigator')
        self._noted = Point(0.0, 0.0)
        self._grid = WallGrid()
        self.top_speed = robot.sensor_model().parameters.max_speed
        self._trail = [self._noted]
        self._driven: set[Cell] = set()
        self._free: dict[Cell, set[Cell]] = {}
        self._sorted = (0, 0)
        self._bumps: list[Point] = []
        self._walls: list[Point] = []
        self._beside: list[Point] = []

    # The pose

    @property
    def at(self) -> Point:
        """Return the estimated position."""
        return self._reckoning.position()[0]

    @property
    def heading(self) -> float:
        """Return the estimated heading."""
        return self._reckoning.position()[1]

    @property
    def pose(self) -> PoseEstimate:
        """Return the estimated pose with its covariance."""
        return self._reckoning.pose()

    def bearing_of(self, place: Point) -> float:
        """Return the direction of a place, relative to the heading, and clockwise."""
        at, heading = self._reckoning.position()
        return wrap(math.atan2(place.y - at.y, place.x - at.x) - heading)

    def cell_of(self, place: Point) -> Cell:
        """Return the cell in which a place is."""
        return self._grid.cell_of(place)

    def middle_of(self, cell: Cell) -> Point:
        """Return the middle of a cell."""
        return self._grid.middle_of(cell)

    def note_leg(self) -> None:
        """Remember the straight leg that the robot has come."""
        before, self._noted = self._noted, self._reckoning.settle().at
        samples = math.ceil(distance(before, self._noted) / _SAMPLE)
        for number in range(1, samples + 1):
            place = before + (self._noted - before) * (number / samples)
            self._trail.append(place)
            across, down = _square(place)
            self._driven.update((across + i, down + j) for i in (-1, 0, 1) for j in (-1, 0, 1))

    def walls(self) -> set[Cell]:
        """Return the cells that are filled, as far as the robot has met or followed walls."""
        found = {self._grid.cell_of(place) for place in self._walls + self._beside}
        return found - self._free_cells().keys()

    def _note_wall_beside(self, before: Point) -> None:
        """Correct the heading, which is along a wall; remember this wall from a place on."""
        self._reckoning.correct_heading(self._grid.heading_along(self.heading))
        at, heading = self._reckoning.position()
        ahead = Point(math.cos(heading), math.sin(heading))
        aside = Point(ahead.y, -ahead.x)
        # Where the robot is now, the wall may have come to its end.
        for number in range(1, math.ceil(distance(before, at))):
            self._beside.append(at - ahead * number + aside)
        # The leg along the wall leads from cell to cell without what is between.
        self._noted = self.at

    def _note_border_ahead(self) -> None:
        """Correct the position: it is at the border of a cell.

        Of two borders, the one counts that the walls met before and the way come contradict least.
        """
        at, heading = self._reckoning.position()
        along = self._grid.along_axis(heading)
        half = Point(math.cos(along), math.sin(along)) * 0.5
        places = self._grid.positions_at_border(at, heading)
        free, walls = self._free_cells(), {self._grid.cell_of(one) for one in self._walls}

        def contradictions(place: Point) -> int:
            here, ahead = self._grid.cell_of(place - half), self._grid.cell_of(place + half)
            return (here in walls) + (ahead in free)

        corrected = min(places, key=contradictions)
        if corrected != at:
            self._reckoning.correct_position(corrected, along)
            self._noted = corrected
        self._walls.append(corrected + half)

    # Single motions

    async def turn(self, angle: float) -> None:
        """Turn in place."""
        await self.robot.turn(angle)

    async def forward(self, way: float) -> bool:
        """Go straight ahead, cells; return whether nothing was in the way."""
        ticks = max(1, math.ceil(way / self.top_speed))
        await self.set_speed(way / ticks)
        outcome = await self.robot.go_forward(ticks)
        self.note_leg()
        return outcome.ok

    async def set_speed(self, speed: float) -> None:
        """Set the speed unless it is so already, cells a tick."""
        if abs(self.robot.speed - speed) > 1e-9:
            await self.robot.set_speed(speed)

    async def sidestep(self, way: float) -> None:
        """Go to the right, or with a negative way to the left, and face ahead again."""
        quarter = math.copysign(math.pi / 2, way)
        await self.turn(quarter)
        await self.forward(abs(way))
        await self.turn(-quarter)

    async def pass_by(self, place: Point, side: float) -> None:
        """Go past what is in the way to a place, at the right (1) or at the left (-1)."""
        await self.turn(self.bearing_of(place))
        await self.sidestep(side * _ASIDE)
        await self.forward(_PAST)

    # Ways through free cells

    async def return_to(self, place: Point, careful: bool = False) -> bool:
        """Drive to a place where the robot has been; return whether it was reached.

        careful: from each cell to the next beside it only, and not along its own tracks.
        """
        await self._make_sure()
        stops = 0
        while distance(self.at, place) >= _NEAR:
            goal = self._next_goal(place, careful)
            if goal is None or stops == _STOPS:
                return False
            leg = self._grid.cell_of(self.at), self._grid.cell_of(goal)
            await self.turn(self.bearing_of(goal))
            if not await self.forward(max(distance(self.at, goal), 0.1)):
                stops += 1
                self._unlink(*leg)
                await self._back_off()
        return True

    async def _make_sure(self) -> None:
        """Where the position has become unsure, follow walls until their corners have shown it."""
        for _ in range(_STEPS):
            variances = self.pose.covariance.diagonal()[:2]
            if not self._grid.is_known or math.sqrt(max(variances)) <= _UNSURE:
                return
            await self.follow_walls(_STEP)

    def _unlink(self, one: Cell, other: Cell) -> None:
        for here, there in ((one, other), (other, one)):
            self._free.get(here, set()).discard(there)

    async def _back_off(self) -> None:
        """Take what is ahead for filled, until the robot comes through it again, and leave it."""
        at, heading = self._reckoning.position()
        self._bumps.append(at)
        cell = self._grid.cell_ahead(at, heading)
        beside = self._free.pop(cell, set())
        for other in beside:
            # The robot did come from one to the other, but not through this.
            self._free[other] = (self._free[other] | beside) - {cell, other}
        await self.turn(math.pi)
        await self.forward(0.4)

    def _next_goal(self, place: Point, careful: bool) -> Point | None:
        """Return where to drive straight next on the way to a place, None where there is none."""
        free = self._free_cells()
        if careful:
            free = {cell: set() for cell in free}
        start, end = (
            min(free, key=lambda cell: distance(self._grid.middle_of(cell), one))
            for one in (self.at, place)
        )
        cells = self._way(start, end, free)
        if cells is None:
            return None
        goals = [*map(self._grid.middle_of, cells), place]
        # Where the next is not straight ahead, the way there is from the middle of this cell.
        if distance(self.at, goals[0]) < _NEAR / 2:
            goals = goals[1:]
        straight = [goal for goal in goals if self._is_clear(goal, free, careful)]
        return straight[-1] if straight else goals[0]

    def _free_cells(self) -> dict[Cell, set[Cell]]:
        """Return the cells through which the robot came, each with those to which it went on."""
        count, changes = self._sorted
        if changes != self._grid.changes:
            count, self._free = 0, {}
        if not self._free:
            self._free[self._grid.cell_of(self._trail[0])] = set()
        last = self._grid.cell_of(self._trail[max(count - 1, 0)])
        for place in self._trail[count:]:
            if self._grid.is_inner(place):
                cell = self._grid.cell_of(place)
                self._free.setdefault(cell, set())
                if cell != last and last in self._free:
                    self._free[cell].add(last)
                    self._free[last].add(cell)
                last = cell
        self._sorted = len(self._trail), self._grid.changes
        return self._free

    def _is_clear(self, goal: Point, free: Collection[Cell], careful: bool) -> bool:
        """Return whether the straight way to a place leads where the robot came, or through cells.

        The one where nothing has stopped it since, the other with a margin.
        """
        at = self.at
        way = distance(at, goal)
        if way == 0.0:
            return True
        ahead = (goal - at) * (1.0 / way)
        aside = Point(-ahead.y, ahead.x) * MARGIN
        for number in range(int(way / _SAMPLE) + 1):
            place = at + ahead * (number * _SAMPLE)
            is_track = not careful and _square(place) in self._driven
            if is_track and all(distance(place, bump) > _SHY for bump in self._bumps):
                continue
            if any(self._grid.cell_of(place + side) not in free for side in (aside, aside * -1.0)):
                return False
        return True

    def _way(self, start: Cell, end: Cell, free: Mapping[Cell, set[Cell]]) -> list[Cell] | None:
        """Return the cells of the shortest way (Dijkstra), None where there is none."""
        ways, before = {start: 0.0}, dict[Cell, Cell]()
        queue = [(0.0, start)]
        while queue:
            way, cell = heapq.heappop(queue)
            if cell == end:
                cells = [end]
                while cells[-1] != start:
                    cells.append(before[cells[-1]])
                return cells[::-1]
            if way > ways[cell]:
                continue
            x, y = cell
            for other in {*free[cell], (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}:
                if other not in free:
                    continue
                longer = way + math.dist(cell, other)
                if longer < ways.get(other, math.inf):
                    ways[other], before[other] = longer, cell
                    heapq.heappush(queue, (longer, other))
        return None

    # Along walls

    async def follow_walls(self, way: float) -> None:
        """Go on along the wall at the left, cells, around all corners; look for one first.

        Who keeps to the wall comes through every doorway, into all rooms whose walls are
        connected.
        """
        gone, openings = 0.0, 0
        while gone < way:
            before = self.at
            await self.set_speed(_ALONG)
            # Fewer ticks might end before the robot has turned along the wall.
            turning = math.ceil(math.pi / 4 / self.robot.turn_angle)
            ticks = turning + math.ceil((way - gone) / _ALONG)
            outcome = await self.robot.follow_wall('left', ticks)
            step = distance(before, self.at)
            if outcome.code != Code.NO_WALL:
                self._note_wall_beside(before)
                if outcome.code == Code.ROBOT_BLOCKED or step < _ALONG / 2:
                    self._note_border_ahead()
            self.note_leg()
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

    async def drive_through(self, cells: Sequence[Cell]) -> bool:
        """Drive from cell to cell beside it; return whether nothing was in the way.

        What stops the robot is at its left then, and its cell is noted as filled.
        """
        places = [self._grid.middle_of(cell) for cell in cells]
        for number, (before, after) in enumerate(pairwise(places)):
            onward = after - before
            if number + 2 < len(places) and distance(places[number + 2] - after, onward) < 0.1:
                continue
            for _ in range(2):
                await self.turn(self.bearing_of(after))
            if not await self.forward(distance(self.at, after)):
                self._note_border_ahead()
                await self._turn_along_what_is_ahead()
                return False
        return True

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


def _square(place: Point) -> Cell:
    """Return the small square in which a place is."""
    return math.floor(place.x / _SQUARE), math.floor(place.y / _SQUARE)
