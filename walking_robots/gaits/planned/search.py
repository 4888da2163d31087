"""A fast walk over level ground: a beam search of the graph of stances, with times.

Walks of equally many swings are compared by when they would be at the goal if the body went on at
full speed, and the best are kept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from walking_robots.gaits.planned.stances import (
    StanceGraph,
    Stances,
    SwingCandidates,
    distinct,
)
from walking_robots.geometry.polygons import Array, Index, Points, dot, furthest, nearest, towards


@dataclass(frozen=True)
class SwingTimes:
    """Times of a leg, s.

    ``place``: from the decision to place it until it stands; ``settle``: from then until it may
    be lifted; ``lift``: from the decision to lift it until it may be placed again.
    """

    place: float
    settle: float
    lift: float


class WalkBeam(NamedTuple):
    """Walks of equally many swings: stance, body, m, and time, s, after the last of them.

    ``ready``, s, (n, legs): when a leg in the air may be placed and one that stands be lifted.
    """

    stances: Stances
    body: Points
    time: Array
    ready: Array


class Swing(NamedTuple):
    """A swing: a leg is put on a foothold, m, at a place of the body, then another is lifted.

    ``time``, s, is that of the lift after the start of the plan, and ``ready`` is as in a beam.
    """

    leg: int
    foot: complex
    put_at: complex
    lifted: int
    lift_at: complex
    time: float
    ready: tuple[float, ...]

    def carry_out(self, stance: dict[int, complex]) -> None:
        """Change a stance, feet by index of leg, to the one after the swing."""
        stance[self.leg] = self.foot
        del stance[self.lifted]


class Plan(NamedTuple):
    """Swings from one of several starts, and the place, m, and time, s, of the body in the end."""

    start: int
    moves: tuple[Swing, ...]
    end: complex
    time: float


class Aim(NamedTuple):
    """Where to: a direction, how far along it the goal is, m, and the speed of the body, m/s.

    The body has to come to a ``place``, m, if there is one.
    """

    ahead: complex
    goal: float
    speed: float
    place: complex | None = None


class _Level(NamedTuple):
    """The swings that led to a beam: their rows in the beam before, and when and where."""

    parent: Index
    swings: SwingCandidates
    put_at: Points
    beam: WalkBeam


def search(
    graph: StanceGraph,
    beam: WalkBeam,
    aim: Aim,
    times: SwingTimes,
    width: int,
    given_up: Callable[[], bool],
) -> Plan | None:
    """Return a fast walk from one of some starts to a goal; None if the beam does not get there.

    ``width`` is the number of walks that are kept after each swing. It ends without a walk as soon
    as it is ``given_up``.
    """
    ahead = np.array([aim.ahead])
    levels: list[_Level] = []
    furthest_ahead, since = -np.inf, 0
    for _ in range(MOST_SWINGS):
        front = dot(beam.body, ahead).max()
        since = since + 1 if front <= furthest_ahead else 0
        furthest_ahead = max(front, furthest_ahead)
        if since > MOST_WITHOUT_PROGRESS or given_up():
            return None
        rows, reach = graph.reach(beam.stances)
        kept, stable = graph.stable(beam.stances.rows(rows), reach)
        rows, reach = rows[kept], reach[kept]
        if aim.place is None:
            end = furthest(stable, ahead)
            arrived = np.flatnonzero(dot(end, ahead) >= aim.goal)
        else:
            end = nearest(stable, np.full(len(rows), aim.place))
            arrived = np.flatnonzero(np.abs(end - aim.place) < NEAR)
        if arrived.size:
            time = beam.time[rows] + np.abs(end - beam.body[rows]) / aim.speed
            best = arrived[np.argmin(time[arrived])]
            return _plan(graph, levels, int(rows[best]), complex(end[best]), float(time[best]))
        stances = beam.stances.rows(rows)
        swings = graph.swings(stances, reach, stable)
        if not swings.row.size:
            return None
        put_at, after = timed(beam, rows[swings.row], swings, ahead, aim.speed, times)
        after = after._replace(stances=graph.after(stances, swings))
        gone = dot(after.body, ahead)
        hope = np.clip(np.minimum(graph.hope(after.stances, ahead), aim.goal) - gone, 0.0, None)
        value = after.time + (np.maximum(aim.goal - gone, 0.0) - HOPE * hope) / aim.speed
        order = np.argsort(value, kind='stable')
        best = order[distinct(after.stances, order, width)]
        beam = WalkBeam(
            after.stances.rows(best), after.body[best], after.time[best], after.ready[best]
        )
        levels.append(_Level(rows[swings.row[best]], swings.rows(best), put_at[best], beam))
    return None


HOPE = 0.8
"""Share of the way that the body could go on the feet of a stance that counts as gone."""

NEAR = 1e-6
"""Distance, m, up to which a body is at a place."""

MOST_SWINGS = 120
"""Swings after which a search gives up."""

MOST_WITHOUT_PROGRESS = 16
"""Swings by which no walk gets further ahead after which a search gives up."""


def timed(
    beam: WalkBeam,
    parent: Index,
    swings: SwingCandidates,
    ahead: Points,
    speed: float,
    times: SwingTimes,
) -> tuple[Points, WalkBeam]:
    """Return where the body is when legs are put down, and the walks after the lifts.

    The body goes the shortest way; while it waits for a leg, it goes on as far as it may.
    """
    rows = np.arange(len(parent))
    body, time, ready = beam.body[parent], beam.time[parent], beam.ready[parent]
    put_at = nearest(swings.down, body)
    there = time + np.abs(put_at - body) / speed
    contact = np.maximum(there, ready[rows, swings.leg] + times.place)
    put_at = towards(put_at, furthest(swings.down, ahead), speed * (contact - there))
    lift_at = nearest(swings.up, put_at)
    there = contact + np.abs(lift_at - put_at) / speed
    lift = np.maximum(there, ready[rows, swings.lifted])
    lift_at = towards(lift_at, furthest(swings.up, ahead), speed * (lift - there))
    ready[rows, swings.leg] = contact + times.settle
    ready[rows, swings.lifted] = lift + times.lift
    return put_at, WalkBeam(beam.stances, lift_at, lift, ready)


def _plan(graph: StanceGraph, levels: list[_Level], row: int, end: complex, time: float) -> Plan:
    """Return the walk that ends in a row of the last beam."""
    moves = []
    for parent, swings, put_at, beam in reversed(levels):
        moves.append(swing_of(graph, swings, put_at, beam, row))
        row = int(parent[row])
    return Plan(row, tuple(reversed(moves)), end, time)


def swing_of(
    graph: StanceGraph, swings: SwingCandidates, put_at: Points, beam: WalkBeam, row: int
) -> Swing:
    """Return a swing of some, with where and when it leads, by its row in all of them."""
    return Swing(
        leg=int(swings.leg[row]),
        foot=complex(graph.ground.centres[swings.cell[row]]),
        put_at=complex(put_at[row]),
        lifted=int(swings.lifted[row]),
        lift_at=complex(beam.body[row]),
        time=float(beam.time[row]),
        ready=tuple(beam.ready[row].tolist()),
    )
