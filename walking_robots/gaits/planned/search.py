"""A fast walk over level ground: a beam search of the graph of stances, with times.

Walks of equally many swings are compared by when they would be at the goal if the body went on at
full speed, and the best are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from walking_robots.gaits.planned.stances import (
    Exchanges,
    PossibleSwings,
    StanceGraph,
    Stances,
    distinct,
)
from walking_robots.geometry.polygons import Array, Index, Points, dot, furthest, nearest, towards
from walking_robots.robots.model import TransferTiming

Table = TypeVar('Table', bound=tuple[Any, ...])


@dataclass(frozen=True)
class SwingTimes:
    """Times of a leg, s.

    ``place``: from the decision to place it until it stands; ``descent``: the part of it for which
    the foothold has to be in reach; ``settle``: from then until it may be lifted; ``lift``: from
    the decision to lift it until it may be placed again.
    """

    place: float
    descent: float
    settle: float
    lift: float

    @classmethod
    def of(cls, timing: TransferTiming) -> Self:
        """Return the times of a robot's legs; the servo needs a step to see what has happened."""
        return cls(
            place=(timing.advance + timing.descent + 1) * timing.dt,
            descent=(timing.descent + 1) * timing.dt,
            # Another step is needed to grant the lift.
            settle=(timing.contact + 2) * timing.dt,
            lift=(timing.lift + timing.swing_back + 3) * timing.dt,
        )


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
    """Swings and the walks after them: rows in the beam before, exchanges, and where feet are put.

    ``value``, s, compares the walks, and ``number`` those of equal value.
    """

    parent: Index
    exchanges: Exchanges
    put_at: Points
    beam: WalkBeam
    value: Array
    number: Index


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
        beam = _rows(beam, rows)
        if aim.place is None:
            end = furthest(stable, ahead)
            arrived = np.flatnonzero(dot(end, ahead) >= aim.goal)
        else:
            end = nearest(stable, np.full(len(rows), aim.place))
            arrived = np.flatnonzero(np.abs(end - aim.place) < NEAR)
        if arrived.size:
            time = beam.time + np.abs(end - beam.body) / aim.speed
            best = arrived[np.argmin(time[arrived])]
            return _plan(graph, levels, int(rows[best]), complex(end[best]), float(time[best]))
        level = _best_swings(graph, beam, reach, stable, aim, times, width)
        if level is None:
            return None
        levels.append(level._replace(parent=rows[level.parent]))
        beam = level.beam
    return None


def _best_swings(
    graph: StanceGraph,
    beam: WalkBeam,
    reach: Points,
    stable: Points,
    aim: Aim,
    times: SwingTimes,
    width: int,
) -> _Level | None:
    """Return the best swings out of a beam to so many stances at most; None without any.

    A bound of the value of a swing is computed much faster than where it is possible. Swings are
    looked at in the order of their bounds, until no other can be among the best.
    """
    ahead = np.array([aim.ahead])
    exchanges = graph.exchanges(beam.stances, stable)
    parent = exchanges.row
    # The earliest lift, and the furthest place of the body then.
    time = np.maximum(beam.time[parent], beam.ready[parent, exchanges.lifted])
    time = np.maximum(time, beam.ready[parent, exchanges.leg] + times.place)
    gone = dot(beam.body, ahead)[parent] + aim.speed * (time - beam.time[parent])
    hope = graph.hope(graph.after(beam.stances, exchanges), ahead)
    gone = np.minimum(np.minimum(gone, hope), graph.hope(beam.stances, ahead)[parent])
    bound = _value(time, gone, hope, aim)
    order = np.argsort(bound, kind='stable')
    level = None
    for first in range(0, len(order), BATCH):
        batch = np.sort(order[first : first + BATCH])
        swings = graph.swings(beam.stances, reach, stable, exchanges.rows(batch))
        number = batch[swings.kept]
        put_at, after = timed(beam, swings, ahead, aim.speed, times)
        after = after._replace(stances=graph.after(beam.stances, swings.exchanges))
        value = _value(after.time, dot(after.body, ahead), hope[number], aim)
        more = _Level(swings.exchanges.row, swings.exchanges, put_at, after, value, number)
        level = more if level is None else _joined(level, more)
        ranks = np.lexsort((level.number, level.value))
        level = _rows(level, ranks[distinct(level.beam.stances, ranks, width)])
        rest = order[first + BATCH :]
        full = len(level.value) == width
        if full and rest.size and level.value[-1] < bound[rest[0]] - ROUNDING:
            break
    return level if level is not None and level.value.size else None


def _value(time: Array, gone: Array, hope: Array, aim: Aim) -> Array:
    """Return what walks are compared by, s, from when and where, m, the body is after them."""
    hoped = np.clip(np.minimum(hope, aim.goal) - gone, 0.0, None)
    return np.asarray(time + (np.maximum(aim.goal - gone, 0.0) - HOPE * hoped) / aim.speed)


def _rows(parts: Table, rows: Index) -> Table:
    """Return some rows of all arrays in a tuple of arrays and such tuples."""
    found = (part[rows] if isinstance(part, np.ndarray) else _rows(part, rows) for part in parts)
    return type(parts)(*found)


def _joined(one: Table, other: Table) -> Table:
    """Return the rows of the arrays in one tuple before those in another."""
    pairs = zip(one, other, strict=True)
    found = (
        np.concatenate(pair) if isinstance(pair[0], np.ndarray) else _joined(*pair)
        for pair in pairs
    )
    return type(one)(*found)


HOPE = 0.5
"""Share of the way that the body could go on the feet of a stance that counts as gone."""

BATCH = 640
"""Swings that are looked at together."""

ROUNDING = 1e-9
"""Time, s, by which rounding may change the value of a walk."""

NEAR = 1e-6
"""Distance, m, up to which a body is at a place."""

MOST_SWINGS = 120
"""Swings after which a search gives up."""

MOST_WITHOUT_PROGRESS = 16
"""Swings by which no walk gets further ahead after which a search gives up."""


def timed(
    beam: WalkBeam, swings: PossibleSwings, ahead: Points, speed: float, times: SwingTimes
) -> tuple[Points, WalkBeam]:
    """Return where the body is when feet are put down, and the walks after swings out of a beam.

    The body goes the shortest way; while it waits for a leg, it goes on as far as it may.
    """
    parent, leg, _, lifted = swings.exchanges
    rows = np.arange(len(parent))
    body, time, ready = beam.body[parent], beam.time[parent], beam.ready[parent]
    put_at = nearest(swings.down, body)
    there = time + np.abs(put_at - body) / speed
    comes = np.where(there > time, times.descent, 0.0)
    contact = np.maximum(there + comes, ready[rows, leg] + times.place)
    put_at = towards(put_at, furthest(swings.down, ahead), speed * (contact - there))
    lift_at = nearest(swings.up, put_at)
    there = contact + np.abs(lift_at - put_at) / speed
    lift = np.maximum(there, ready[rows, lifted])
    lift_at = towards(lift_at, furthest(swings.up, ahead), speed * (lift - there))
    ready[rows, leg] = contact + times.settle
    ready[rows, lifted] = lift + times.lift
    return put_at, WalkBeam(beam.stances, lift_at, lift, ready)


def walk_at(beam: WalkBeam, stance: Stances) -> WalkBeam:
    """Return the first walk of a beam on the feet of one stance."""
    return _rows(beam, np.flatnonzero((beam.stances.feet == stance.feet).all(axis=1))[:1])


def follow(
    graph: StanceGraph, walk: WalkBeam, way: Sequence[Stances], aim: Aim, times: SwingTimes
) -> tuple[tuple[Swing, ...], WalkBeam, Points]:
    """Return the swings from stance to stance in one posture, the walk after them, and its places.

    ``walk`` is one at the beginning of the way.
    """
    ahead, moves = np.array([aim.ahead]), []
    for before, after in zip_longest(way, way[1:]):
        _, reach = graph.reach(before)
        _, stable = graph.stable(before, reach)
        if after is None:
            break
        exchanges = graph.exchanges(before, stable)
        same = (graph.after(before, exchanges).feet == after.feet).all(axis=1)
        swings = graph.swings(before, reach, stable, exchanges.rows(np.flatnonzero(same)))
        put_at, walk = timed(walk, swings, ahead, aim.speed, times)
        moves.append(_swing_of(graph, swings.exchanges, put_at, walk, 0))
    return tuple(moves), walk, stable


def _plan(graph: StanceGraph, levels: list[_Level], row: int, end: complex, time: float) -> Plan:
    """Return the walk that ends in a row of the last beam."""
    moves = []
    for level in reversed(levels):
        moves.append(_swing_of(graph, level.exchanges, level.put_at, level.beam, row))
        row = int(level.parent[row])
    return Plan(row, tuple(reversed(moves)), end, time)


def _swing_of(
    graph: StanceGraph, exchanges: Exchanges, put_at: Points, beam: WalkBeam, row: int
) -> Swing:
    """Return a swing of some, with where and when it leads, by its row in all of them."""
    return Swing(
        leg=int(exchanges.leg[row]),
        foot=complex(graph.ground.centres[exchanges.cell[row]]),
        put_at=complex(put_at[row]),
        lifted=int(exchanges.lifted[row]),
        lift_at=complex(beam.body[row]),
        time=float(beam.time[row]),
        ready=tuple(beam.ready[row].tolist()),
    )
