"""Whether a hexapod can cross level ground at all: a search of the whole graph of stances."""

import heapq
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from walking_robots.gaits.planned.sections import STRICT, BodyPosture, Sections
from walking_robots.gaits.planned.stances import (
    Ground,
    StanceGraph,
    Stances,
    distinct,
    ground_of,
    start_stance,
)
from walking_robots.geometry.polygons import Array, Index, Points, dot
from walking_robots.terrain.cells import TernaryTerrain

LARGEST_BATCH = 64
"""Stances to look at together where the way ahead is hard to find."""

HOPE = 0.3
"""Weight of how far the body could be on the feet of a stance beside how far it is at least."""

MOST_STANCES = 100_000
"""Stances to look at before a crossing is left undecided."""


@dataclass(frozen=True)
class Start:
    """A body at rest: its place, m, index of its posture, and the feet that stand, m, by leg."""

    body: complex
    posture: int
    feet: Mapping[int, complex]


class PathStance(NamedTuple):
    """One stance of a path: a posture, and the feet that stand, by index of leg, m."""

    posture: BodyPosture
    feet: dict[int, complex]


class Crossing(NamedTuple):
    """Whether a goal can be reached: 'yes' with a path, 'no' (proved) or 'undecided'.

    ``stances`` counts those that were looked at.
    """

    possible: str
    path: tuple[PathStance, ...]
    stances: int


def find_crossing(
    sections: Sections,
    terrain: TernaryTerrain,
    start: Start,
    goal: complex,
    *,
    margin: float,
    aside: float = math.inf,
    most: int = MOST_STANCES,
) -> Crossing:
    """Find whether the body can come to a goal, or beside it, going up to ``aside`` m aside.

    The path keeps a stability margin, m. Without one, all stances without a margin are looked at:
    if the goal is not among them it cannot be reached, which is a proof for feet on the centres of
    cells and in these postures.
    """
    ground = ground_of(terrain, list(start.feet.values()))
    way = goal - start.body
    ahead = way / abs(way) if way else 1.0 + 0.0j
    end = (goal * ahead.conjugate()).real
    if gap_ahead(sections, ground, start.feet.values(), ahead, end):
        return Crossing('no', (), 0)
    middle = (start.body * ahead.conjugate()).imag
    lane = [(1j * ahead, aside + middle), (-1j * ahead, aside - middle)]
    count = 0
    for least in (margin, 0.0):
        graph = StanceGraph(sections, ground, least, lane if math.isfinite(aside) else ())
        search = StanceSearch(graph, _first_stance(graph, start), ahead, end)
        reached = search.run(most)
        count += search.count
        if reached and least == margin:
            return Crossing('yes', _named(graph, search.path()), count)
        if reached or not search.exhausted:
            return Crossing('undecided', (), count)
    return Crossing('no', (), count)


def gap_ahead(
    sections: Sections, ground: Ground, feet: Iterable[complex], ahead: complex, goal: float
) -> bool:
    """Return whether there is a gap on the way that no leg spans, or no ground at its end.

    ``feet`` are those that stand, m; the goal is so far along a direction, m. The body is not
    ahead of all feet, and the first foot beyond a gap has to be in reach.
    """
    direction = np.array([ahead])
    own = dot(np.array(list(feet)), direction)
    cells = dot(ground.centres[: len(ground.permitted)][ground.permitted], direction)
    places = np.unique(np.concatenate((cells, own)))
    if places[-1] < goal - STRICT:
        return True
    reach = float(np.nanmax(dot(sections.corners, direction)))
    gaps = np.diff(places) > reach + STRICT
    return bool((gaps & (places[:-1] >= own.max() - STRICT) & (places[:-1] < goal)).any())


def wide_gaps(ground: Ground, ahead: complex, width: float) -> list[tuple[float, float]]:
    """Return where, along a direction, gaps wider than so much, m, begin and end, in their order.

    These are the last and the first centres of permitted cells beside them.
    """
    cells = ground.centres[: len(ground.permitted)][ground.permitted]
    places = np.unique(dot(cells, np.array([ahead])))
    wide = np.flatnonzero(np.diff(places) > width)
    return [(float(places[k]), float(places[k + 1])) for k in wide]


def next_gap(
    sections: Sections, ground: Ground, feet: Iterable[complex], ahead: complex
) -> tuple[float, float] | None:
    """Return where, along a direction, m, the next gap that no leg spans begins and ends.

    Gaps that all feet, m, have behind them do not count. None if there is no other.
    """
    last = min((foot * ahead.conjugate()).real for foot in feet)
    reach = float(np.nanmax(dot(sections.corners, np.array([ahead]))))
    gaps = wide_gaps(ground, ahead, reach + STRICT)
    return next((gap for gap in gaps if gap[1] > last + STRICT), None)


_Node = tuple[int, int]
"""A stance, by the number of its block and its place there."""


class _Block(NamedTuple):
    """Stances that were found together, those furthest ahead first, and where they come from."""

    stances: Stances
    ahead: Array
    parents: list[_Node]
    parent: Index


class StanceSearch:
    """A search that goes to the stances furthest ahead first; it looks at many where it is stuck.

    ``count`` counts the stances that it looked at; ``exhausted`` says that none are left.
    ``furthest`` is how far ahead, m, the body can be on one of them.
    """

    def __init__(
        self,
        graph: StanceGraph,
        starts: Stances,
        ahead: complex,
        goal: float,
        final: int | None = None,
    ) -> None:
        """Begin with some stances; the goal is so far, m, along a direction.

        It is reached in a ``final`` posture, or in any.
        """
        self._graph, self._ahead = graph, np.array([ahead])
        self._goal, self._final = goal, final
        self._blocks: list[_Block] = []
        self._open: list[tuple[float, int, int]] = []
        self._known: set[bytes] = set()
        self._end: _Node | None = None
        self.count, self.exhausted, self.furthest = 0, False, -math.inf
        count = len(starts.feet)
        self._add([], np.zeros(count, np.intp), starts, np.zeros((count, 1), complex))

    def run(self, most: int, given_up: Callable[[], bool] = lambda: False) -> bool:
        """Look at up to so many stances; return whether the goal was reached."""
        batch, best = 1, -np.inf
        while self._open and self.count < most:
            front = -self._open[0][0]
            nodes = [self._next() for _ in range(min(batch, len(self._open)))]
            batch = max(batch // 2, 1) if front > best else min(2 * batch, LARGEST_BATCH)
            best = max(best, front)
            self.count += len(nodes)
            self._expand(nodes)
            if self.furthest >= self._goal or given_up():
                return self.furthest >= self._goal
        self.exhausted = not self._open
        return False

    def path(self) -> list[Stances]:
        """Return the stances, one by one, from a start to the one that is furthest ahead."""
        found, node = [], self._end
        while node is not None:
            block = self._blocks[node[0]]
            found.append(block.stances.rows(np.array([node[1]])))
            node = block.parents[block.parent[node[1]]] if block.parents else None
        return found[::-1]

    def _next(self) -> _Node:
        """Take out the stance furthest ahead; the next one of its block takes its place."""
        _, number, k = self._open[0]
        block = self._blocks[number]
        if k + 1 < len(block.ahead):
            heapq.heapreplace(self._open, (-float(block.ahead[k + 1]), number, k + 1))
        else:
            heapq.heappop(self._open)
        return number, k

    def _expand(self, nodes: list[_Node]) -> None:
        graph = self._graph
        stances = Stances(
            np.array([self._blocks[b].stances.posture[k] for b, k in nodes]),
            np.array([self._blocks[b].stances.feet[k] for b, k in nodes]),
        )
        rows, reach = graph.reach(stances)
        kept, stable = graph.stable(stances.rows(rows), reach)
        rows, reach = rows[kept], reach[kept]
        stances = stances.rows(rows)
        front = dot(stable, self._ahead).max(axis=1, initial=-np.inf)
        if self._final is not None:
            front = np.where(stances.posture == self._final, front, -np.inf)
        if front.size and front.max() > self.furthest:
            best = int(front.argmax())
            self.furthest, self._end = float(front[best]), nodes[rows[best]]
            if self.furthest >= self._goal:
                return
        exchanges = graph.exchanges(stances, stable)
        _, exchanges, _, up = graph.swings(stances, reach, stable, exchanges)
        self._add(nodes, rows[exchanges.row], graph.after(stances, exchanges), up)
        turns = graph.turns(stances, stable)
        turned = Stances(turns.posture, stances.feet[turns.row])
        self._add(nodes, rows[turns.row], turned, turns.places)

    def _add(self, parents: list[_Node], parent: Index, stances: Stances, places: Points) -> None:
        """Keep the stances that are new, those furthest ahead to be looked at first.

        ``places`` are those of the body where a stance is entered.
        """
        if not len(parent):
            return
        ahead = dot(places, self._ahead).max(axis=1) + HOPE * self._graph.hope(
            stances, self._ahead
        )
        order = np.argsort(-ahead, kind='stable')
        new = order[distinct(stances, order, len(order), self._known)]
        if new.size:
            heapq.heappush(self._open, (-float(ahead[new[0]]), len(self._blocks), 0))
            self._blocks.append(_Block(stances.rows(new), ahead[new], parents, parent[new]))


def _first_stance(graph: StanceGraph, start: Start) -> Stances:
    legs = graph.sections.limits.shape[1]
    cells = graph.ground.rows * graph.ground.columns
    return Stances(np.array([start.posture]), start_stance(start.feet, legs, cells))


def _named(graph: StanceGraph, path: Iterable[Stances]) -> tuple[PathStance, ...]:
    """Return a path with its postures and the places of its feet."""
    centres, postures = graph.ground.centres, graph.sections.postures
    return tuple(
        PathStance(
            postures[posture[0]],
            {
                leg: complex(centres[cell])
                for leg, cell in enumerate(feet[0].tolist())
                if cell >= 0
            },
        )
        for posture, feet in path
    )
