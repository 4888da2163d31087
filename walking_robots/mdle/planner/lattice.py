"""Search a lattice of exact motions for a quick way, the first one at once, better ones later.

A state is a cell of 0.1 m and one of 16 headings, relative to the start; the pose in it is the
exact end of the moves that led there. Each search is weighted A* (Pohl 1970) with the time of the
two-dimensional way as its heuristic; an improvement repeats it with a smaller weight.
"""

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.planner.cost_map import OCTILE, CostMap
from walking_robots.mdle.planner.curves import connect, spin, spin_drive_spin
from walking_robots.mdle.planner.motion_model import (
    ConstantMotion,
    MotionModel,
    end_of,
    poses_along,
)
from walking_robots.mdle.planner.primitives import STEP, Primitives

WEIGHTS = (3.0, 1.5, 1.0)
"""Of the heuristic, one search after the other; with 1 the way is the best of the lattice."""
SIDE = 0.1
"""Of a cell of the lattice, m."""
SYMBOL = 0.1
"""Cost of one more move in the program, s: short programs are preferred (mdle.md §5.1)."""
CLOSE = 0.15
"""Distance, m, from which the last moves lead to the goal exactly."""
MOST_STATES = 400_000
"""Expanded in one search at most."""
ENDGAME = 8
"""Last moves that a curve to the goal may take the place of."""


@dataclass(frozen=True, eq=False)
class LatticePath:
    """A way: its moves from the start, and the time it takes on the map, s.

    weight: of the search that found it; its time is at most ``weight`` times the best one's of
    the lattice.
    """

    start: Pose2
    moves: tuple[ConstantMotion, ...]
    cost: float
    weight: float
    expanded: int

    @property
    def end(self) -> Pose2:
        """Return the pose at its end."""
        return end_of(self.moves, self.start)

    @property
    def length(self) -> float:
        """Return the way of the body's middle, m."""
        return sum(move.length for move in self.moves)


@compiled(
    'float64[:, :]', 'float64[:, :]', 'float64[:, :]', 'float64[:, :]', 'int64[:]',
    'float64[:]', 'float64[:, :, :, :]', 'float64[:]', 'float64[:]', 'float64[:]', 'int64',
)  # fmt: skip
def _search(  # type: ignore[no-untyped-def]
    clearance, slowness, times, discs, turns, seconds, poses, start, goal, settings, most
):
    """Return parents and moves of states, the last state (-1 for none), and how many.

    discs: (n, 3), x, y and least clearance, in cells; poses: of primitives, in cells and the
    frame of the map; start, goal: x, y in cells; goal[2], goal[3]: heading relative to the
    lattice and how far off it may end, rad; settings: weight, close (cells), side of a lattice
    cell (cells), cost of a move, heading of the lattice.
    """
    weight, close, side, symbol, frame = settings
    rows, columns = clearance.shape
    nx, ny = int(columns / side) + 1, int(rows / side) + 1
    headings, count, samples = poses.shape[0], poses.shape[1], poses.shape[2]
    total = nx * ny * headings
    cost = np.full(total, np.inf)
    closed = np.zeros(total, np.bool_)
    # The rest is read only for states that were reached, and filling it takes as long as a search.
    parent, move = np.empty(total, np.int64), np.empty(total, np.int64)
    px, py = np.empty(total), np.empty(total)
    first = (int(start[1] / side) * nx + int(start[0] / side)) * headings
    cost[first], px[first], py[first] = 0.0, start[0], start[1]
    parent[first] = move[first] = -1
    heap = [(weight * times[int(start[1]), int(start[0])], first)]
    expanded = 0
    found = -1
    while heap and expanded < most:
        _, state = heapq.heappop(heap)
        if closed[state]:
            continue
        closed[state] = True
        expanded += 1
        x, y, h = px[state], py[state], state % headings
        if (x - goal[0]) ** 2 + (y - goal[1]) ** 2 <= close * close:
            off = (h * 2.0 * math.pi / headings - goal[2]) % (2.0 * math.pi)
            if min(off, 2.0 * math.pi - off) <= goal[3]:
                found = state
                break
        for p in range(count):
            spent = 0.0
            free = True
            for k in range(samples):
                qx, qy = x + poses[h, p, k, 0], y + poses[h, p, k, 1]
                angle = poses[h, p, k, 2] + frame
                for d in range(discs.shape[0]):
                    bx, by = discs[d, 0], discs[d, 1]
                    ux, uy = qx, qy
                    if bx != 0.0 or by != 0.0:
                        ux += math.cos(angle) * bx - math.sin(angle) * by
                        uy += math.sin(angle) * bx + math.cos(angle) * by
                    if ux < 0.0 or uy < 0.0 or ux >= columns or uy >= rows:
                        free = False
                        break
                    if clearance[int(uy), int(ux)] < discs[d, 2]:
                        free = False
                        break
                if not free:
                    break
                spent += slowness[int(qy), int(qx)]
            if not free:
                continue
            ex, ey = x + poses[h, p, samples - 1, 0], y + poses[h, p, samples - 1, 1]
            ahead = times[int(ey), int(ex)]
            if ahead == np.inf:
                continue
            turned = (h + turns[p]) % headings
            there = (int(ey / side) * nx + int(ex / side)) * headings + turned
            if closed[there]:
                continue
            then = cost[state] + seconds[p] * spent / samples
            if move[state] != p:
                then += symbol
            if then < cost[there] - 1e-9:
                cost[there], parent[there], move[there] = then, state, p
                px[there], py[there] = ex, ey
                heapq.heappush(heap, (then + weight * ahead, there))
    return parent, move, found, expanded


@compiled(
    'float64[:, :]', 'float64[:, :]', 'float64[:, :]', 'float64[:]', 'float64[:]', 'float64[:]'
)
def _straighten(clearance, slowness, places, spent, goal, settings):  # type: ignore[no-untyped-def]
    """Return the pose before each pose of the quickest way, and whether a straight leads there.

    places: (n, 3), x, y in cells and heading; spent: (n,), s, from the first; goal: x, y, heading,
    whether that matters; the goal is number n, -1 before it where it is not reached; settings:
    least clearance, s a cell, s a radian, cost of a move.
    """
    least, a_cell, a_radian, symbol = settings
    count = places.shape[0]
    rows, columns = clearance.shape
    cost = np.full(count + 1, np.inf)
    before = np.full(count + 1, -1, np.int64)
    by_line = np.zeros(count + 1, np.bool_)
    cost[0] = 0.0
    for j in range(1, count + 1):
        if j < count:
            cost[j], before[j] = cost[j - 1] + spent[j] - spent[j - 1], j - 1
            gx, gy, gh = places[j, 0], places[j, 1], places[j, 2]
        else:
            gx, gy, gh = goal[0], goal[1], goal[2]
        for i in range(j):
            dx, dy = gx - places[i, 0], gy - places[i, 1]
            way = math.sqrt(dx * dx + dy * dy)
            if way < 1e-9 and j < count:
                continue
            course = math.atan2(dy, dx) if way >= 1e-9 else places[i, 2]
            turn = (course - places[i, 2]) % (2.0 * math.pi)
            turned = min(turn, 2.0 * math.pi - turn)
            if j < count or goal[3] > 0.0:
                turn = (gh - course) % (2.0 * math.pi)
                turned += min(turn, 2.0 * math.pi - turn)
            then = cost[i] + turned * a_radian + 3.0 * symbol
            if then + way * a_cell >= cost[j]:
                continue
            samples = int(way) + 1
            share = way / samples
            free = True
            for k in range(1, samples + 1):
                x, y = places[i, 0] + dx * k / samples, places[i, 1] + dy * k / samples
                if x < 0.0 or y < 0.0 or x >= columns or y >= rows:
                    free = False
                    break
                if clearance[int(y), int(x)] < least:
                    free = False
                    break
                then += share * a_cell * slowness[int(y), int(x)]
            if free and then < cost[j]:
                cost[j], before[j], by_line[j] = then, i, True
    return before, by_line


def _facing(here: Pose2, goal: Pose2) -> Pose2:
    """Return a goal with the heading in which a straight from a pose leads there."""
    if here.distance(goal) < 1e-9:
        return here
    return goal._replace(heading=math.atan2(goal.y - here.y, goal.x - here.x))


@dataclass(frozen=True, eq=False)
class Lattice:
    """Searches ways of one robot."""

    model: MotionModel
    primitives: Primitives

    def ways(
        self,
        costs: CostMap,
        times: NDArray[np.float64],
        start: Pose2,
        goal: Pose2,
        heading_matters: bool = False,
        weights: Sequence[float] = WEIGHTS,
    ) -> Iterator[LatticePath]:
        """Yield ways from a start to a goal, each quicker than the one before it.

        times: s to the goal by `times_to`. The first weight gives the first way; nothing is
        yielded where none is found. A goal whose heading does not matter is reached in any.
        """
        best = math.inf
        for weight in weights:
            found = self._way(costs, times, start, goal, heading_matters, weight)
            if found is None:
                return
            if found.cost < best - 1e-9:
                best = found.cost
                yield found

    def _way(
        self,
        costs: CostMap,
        times: NDArray[np.float64],
        start: Pose2,
        goal: Pose2,
        heading_matters: bool,
        weight: float,
    ) -> LatticePath | None:
        """Search once; return None where there is no way."""
        model, cell = self.model, costs.resolution
        if not self._inside(costs, start):
            return None
        discs = np.array(
            [(x / cell, y / cell, radius + costs.margin) for x, y, radius in model.footprint]
        )
        cosine, sine = math.cos(start.heading), math.sin(start.heading)
        local = self.primitives.poses
        poses = np.empty_like(local)
        poses[..., 0] = (cosine * local[..., 0] - sine * local[..., 1]) / cell
        poses[..., 1] = (sine * local[..., 0] + cosine * local[..., 1]) / cell
        poses[..., 2] = local[..., 2]
        tolerance = 1.01 * STEP if heading_matters and not model.spins else 2.0 * math.pi
        ends = [
            np.array([(pose.x - costs.origin[0]) / cell, (pose.y - costs.origin[1]) / cell])
            for pose in (start, goal)
        ]
        parent, move, last, expanded = _search(
            costs.clearance,
            costs.slowness,
            times / OCTILE,
            discs,
            self.primitives.turns,
            self.primitives.seconds,
            poses,
            ends[0],
            np.array([*ends[1], goal.heading - start.heading, tolerance]),
            np.array([weight, CLOSE / cell, SIDE / cell, SYMBOL, start.heading]),
            MOST_STATES,
        )
        if last < 0:
            return None
        numbers = []
        state = last
        while parent[state] >= 0:
            numbers.append(int(move[state]))
            state = parent[state]
        moves = [self.primitives.moves[number] for number in reversed(numbers)]
        return self._finished(costs, start, goal, heading_matters, moves, weight, expanded)

    def _finished(
        self,
        costs: CostMap,
        start: Pose2,
        goal: Pose2,
        heading_matters: bool,
        moves: Sequence[ConstantMotion],
        weight: float,
        expanded: int,
    ) -> LatticePath | None:
        """Lead moves to the goal exactly; straights take the place of what is slower."""
        poses = [start]
        for move in moves:
            poses.append(poses[-1] @ move.end)
        if self.model.spins and self.model.footprint == ((0.0, 0.0, self.model.radius),):
            found = self._straightened(costs, poses, moves, goal, heading_matters)
        else:
            found = self._led_on(costs, poses, moves, goal, heading_matters)
        if found is None:
            return None
        way = merged(found)
        return LatticePath(start, way, self.cost(costs, start, way), weight, expanded)

    def _straightened(
        self,
        costs: CostMap,
        poses: Sequence[Pose2],
        moves: Sequence[ConstantMotion],
        goal: Pose2,
        heading_matters: bool,
    ) -> list[ConstantMotion] | None:
        """Return the quickest of all ways over some of the poses, with straights between them."""
        model, cell = self.model, costs.resolution
        seconds = self._seconds(costs, poses[0], moves)
        spent = np.cumsum([0.0, *(SYMBOL + time for time in seconds)])
        places = np.array(poses)
        places[:, 0] = (places[:, 0] - costs.origin[0]) / cell
        places[:, 1] = (places[:, 1] - costs.origin[1]) / cell
        before, by_line = _straighten(
            costs.clearance,
            costs.slowness,
            places,
            spent,
            np.array(
                [
                    (goal.x - costs.origin[0]) / cell,
                    (goal.y - costs.origin[1]) / cell,
                    goal.heading,
                    float(heading_matters),
                ]
            ),
            np.array([model.radius + costs.margin, cell / model.speed, 1.0 / model.turn, SYMBOL]),
        )
        at = len(poses)
        if before[at] < 0:
            return None
        chain = []
        while at > 0:
            chain.append(at)
            at = before[at]
        found: list[ConstantMotion] = []
        at = 0
        for number in reversed(chain):
            if not by_line[number]:
                found.append(moves[at])
            else:
                there = poses[number] if number < len(poses) else goal
                if number == len(poses) and not heading_matters:
                    there = _facing(poses[at], goal)
                found += spin_drive_spin(poses[at], there, model)
            at = number
        return found

    def _led_on(
        self,
        costs: CostMap,
        poses: Sequence[Pose2],
        moves: Sequence[ConstantMotion],
        goal: Pose2,
        heading_matters: bool,
    ) -> list[ConstantMotion] | None:
        """Return the quickest way that leaves the moves near their end for the goal."""
        best: list[ConstantMotion] | None = None
        least = math.inf
        for count in range(len(moves), max(len(moves) - ENDGAME, -1), -1):
            here = poses[count]
            there = goal if heading_matters else goal._replace(heading=here.heading)
            way = [*moves[:count], *connect(here, there, self.model)]
            cost = self.cost(costs, poses[0], way)
            if cost < least:
                best, least = way, cost
        return best

    def _inside(self, costs: CostMap, pose: Pose2) -> bool:
        row, column = costs.cell_of(pose.x, pose.y)
        rows, columns = costs.clearance.shape
        return bool(0 <= row < rows and 0 <= column < columns)

    def cost(self, costs: CostMap, start: Pose2, moves: Sequence[ConstantMotion]) -> float:
        """Return the time that moves take on a map, s, inf where they run into something."""
        return sum(self._seconds(costs, start, moves), SYMBOL * len(moves))

    def _seconds(
        self, costs: CostMap, start: Pose2, moves: Sequence[ConstantMotion]
    ) -> list[float]:
        """Return the time of each move, s, inf where it runs into something."""
        if not moves:
            return []
        parts = [move.parts(costs.resolution) for move in moves]
        x, y, heading = poses_along(moves, start, parts)[1:].T
        time = costs.slowness_at(x, y)
        for ahead, aside, radius in self.model.footprint:
            cosine, sine = np.cos(heading), np.sin(heading)
            room = costs.clearance_at(
                x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside
            )
            time[room < radius + costs.margin] = math.inf
        mean = np.add.reduceat(time, np.cumsum([0, *parts[:-1]])) / parts
        return [move.duration * float(each) for move, each in zip(moves, mean, strict=True)]


def merged(moves: Sequence[ConstantMotion]) -> tuple[ConstantMotion, ...]:
    """Return moves with equal ones in a row, and all turns on the spot in a row, made one."""
    found: list[ConstantMotion] = []
    for move in moves:
        last = found[-1] if found else None
        if last and last.twist == move.twist:
            found[-1] = ConstantMotion(move.twist, last.duration + move.duration)
        elif last and _on_the_spot(last) and _on_the_spot(move):
            rate = max(abs(last.twist.w), abs(move.twist.w))
            angle = last.twist.w * last.duration + move.twist.w * move.duration
            found[-1:] = spin(wrap(angle), rate)
        else:
            found.append(move)
    return tuple(found)


def _on_the_spot(move: ConstantMotion) -> bool:
    return move.twist.v == 0.0 and move.twist.aside == 0.0
