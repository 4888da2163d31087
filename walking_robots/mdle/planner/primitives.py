"""Motion primitives: constant inputs of a robot whose ends are exact (mdle.md §5.1)."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Screw2
from walking_robots.mdle.planner.motion_model import ConstantMotion, MotionModel, sampled

HEADINGS = 16
"""Of the lattice; a primitive turns by whole steps between them."""
STEP = 2.0 * math.pi / HEADINGS
SHORT, LONG = 0.1, 0.3
"""Straight primitives, m."""
TIGHT, WIDE = 0.4, 0.8
"""Radii of arcs of a robot that turns on the spot, m."""
SPACING = 0.05
"""Between the poses of a primitive that are looked at, m: a cell."""


@dataclass(frozen=True, eq=False)
class Primitives:
    """A set of moves, laid out for a search in cells.

    moves: (n); turns: (n,), steps of heading; seconds: (n,); ends: (HEADINGS, n, 2), m, by the
    heading at the beginning, relative to heading 0 of the lattice; poses: (HEADINGS, n, k, 3),
    x, y, m, and heading, rad, on the way, the last at the end.
    """

    moves: tuple[ConstantMotion, ...]
    turns: NDArray[np.int64]
    seconds: NDArray[np.float64]
    poses: NDArray[np.float64]


def default_moves(model: MotionModel) -> tuple[ConstantMotion, ...]:
    """Return straights, arcs and turns that a robot can do, each turning by whole steps."""
    moves = [
        ConstantMotion(Screw2(model.speed, 0.0, 0.0), way / model.speed) for way in (SHORT, LONG)
    ]
    radii = (TIGHT, WIDE) if model.spins else (model.least_radius, 2.0 * model.least_radius)
    moves += [arc for radius in radii for arc in _arcs(radius, model)]
    if model.spins:
        moves += [
            ConstantMotion(Screw2(0.0, 0.0, side * model.turn), STEP / model.turn)
            for side in (1, -1)
        ]
    if model.reverse:
        moves.append(ConstantMotion(Screw2(-model.reverse, 0.0, 0.0), SHORT / model.reverse))
        if not model.spins:
            moves += [_backward(arc, model) for arc in _arcs(model.least_radius, model)]
    if model.aside:
        moves += [
            ConstantMotion(Screw2(0.0, side * model.aside, 0.0), SHORT / model.aside)
            for side in (1, -1)
        ]
    return tuple(moves)


def _arcs(radius: float, model: MotionModel) -> list[ConstantMotion]:
    speed = min(model.speed, model.turn * radius)
    return [
        ConstantMotion(Screw2(speed, 0.0, side * speed / radius), STEP * radius / speed)
        for side in (1, -1)
    ]


def _backward(arc: ConstantMotion, model: MotionModel) -> ConstantMotion:
    factor = model.reverse / arc.twist.v
    return ConstantMotion(
        Screw2(-model.reverse, 0.0, -factor * arc.twist.w), arc.duration / factor
    )


def primitives(model: MotionModel, moves: tuple[ConstantMotion, ...] | None = None) -> Primitives:
    """Return the primitives of a robot, those of `default_moves` or others.

    Raises ValueError for a move that does not turn by whole steps between headings.
    """
    moves = default_moves(model) if moves is None else moves
    turns = [move.twist.w * move.duration / STEP for move in moves]
    for move, turn in zip(moves, turns, strict=True):
        if abs(turn - round(turn)) > 1e-9:
            raise ValueError(
                f'the primitive {move} turns by {turn:g} steps; whole steps of '
                f'{math.degrees(STEP):g} deg are needed'
            )
    ways = [sampled([move], ORIGIN, SPACING)[1:] for move in moves]
    most = max(map(len, ways))
    poses = np.empty((HEADINGS, len(moves), most, 3))
    for number, way in enumerate(ways):
        # Shorter ones repeat their end.
        x, y, heading = np.pad(way, ((0, most - len(way)), (0, 0)), mode='edge').T
        for h in range(HEADINGS):
            cosine, sine = math.cos(h * STEP), math.sin(h * STEP)
            poses[h, number, :, 0] = cosine * x - sine * y
            poses[h, number, :, 1] = sine * x + cosine * y
            poses[h, number, :, 2] = heading + h * STEP
    return Primitives(
        moves,
        np.array([round(turn) for turn in turns], dtype=np.int64),
        np.array([move.duration for move in moves]),
        poses,
    )
