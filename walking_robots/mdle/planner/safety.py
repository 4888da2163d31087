"""The safety invariant: what of a way may be driven now, and how fast (mdle.md §5.1).

A robot drives on ground that is known to be free only, and never faster than what lets it stop
before the end of that ground. Beside what is near it creeps, so that a touch does no harm.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2, Screw2
from walking_robots.mdle.planner.cost_map import CAREFUL, CREEP, CostMap
from walking_robots.mdle.planner.motion_model import ConstantMotion, MotionModel, end_of, sampled

RANGE_SHARE = 0.75
"""Share of a range that counts as known to be free: the rest is noise and the next round."""
LEVELS = (1.0, 0.67, 0.46, 0.26)
"""Speeds of a program, as shares of the greatest; slower still it creeps."""
UNCERTAIN = 0.21
"""Greatest speed, m/s, on ground that is not certainly free: it is heard more often before it is
reached; measured in docs/planner.md."""
UNTRUSTED = 0.31
"""Greatest speed, m/s, while the robot may be elsewhere: more echoes on its way find it; measured
in docs/planner.md."""
SPACING = 0.025
"""Between the poses that are looked at, m: half a cell."""


@dataclass(frozen=True, eq=False)
class Commitment:
    """The part of a way that may be driven now.

    moves: with their speeds; whole: whether it is the whole way; length: m; seconds: until its
    end; swift: s until it is slowed down.
    """

    start: Pose2
    moves: tuple[ConstantMotion, ...]
    whole: bool
    length: float
    seconds: float
    swift: float

    @property
    def end(self) -> Pose2:
        """Return the pose at its end."""
        return end_of(self.moves, self.start)

    def speed_within(self, elapsed: float, span: float) -> float:
        """Return the greatest speed, m/s, within ``span`` s from a time on; negative backwards."""
        found = 0.0
        for move in self.moves:
            if elapsed < move.duration and elapsed + span > 0.0:
                found = max(found, move.twist.v, key=abs)
            elapsed -= move.duration
        return found


def room_along(
    costs: CostMap, model: MotionModel, poses: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the room, m, round the footprint at poses (n, 3): clearance beyond its radius."""
    cosine, sine = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    rooms = [
        costs.clearance_at(
            poses[:, 0] + cosine * x - sine * y, poses[:, 1] + sine * x + cosine * y
        )
        - radius
        for x, y, radius in model.footprint
    ]
    return np.asarray(np.min(rooms, axis=0))


def room_beside(
    points: NDArray[np.float64], model: MotionModel, poses: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the room, m, between points (k, 2) and the circle round the body at poses (n, 3)."""
    if not len(points):
        return np.full(len(poses), math.inf)
    x, y = poses[:, None, 0] - points[:, 0], poses[:, None, 1] - points[:, 1]
    return np.asarray(np.sqrt((x * x + y * y).min(axis=1)) - model.radius)


def commit(
    known: CostMap,
    model: MotionModel,
    start: Pose2,
    moves: Sequence[ConstantMotion],
    slack: float = 0.02,
    heard: float = math.inf,
    echoes: NDArray[np.float64] | None = None,
    certain: CostMap | None = None,
    most: float = math.inf,
) -> Commitment:
    """Return the prefix of moves that stays on known ground, at speeds that let the robot stop.

    known: its clearance is the distance to the nearest cell that is not known to be free;
    slack: by how much, m, the body may reach into such a cell; heard: shortest range ahead, m,
    by which the first part is slowed down as if the known ground ended there; echoes: (n, 2), m,
    places beside which the robot creeps; certain: its clearance is the distance to the nearest
    cell that is not certainly free, where the robot goes at UNCERTAIN at most; most: greatest
    speed, m/s. A robot that stands nearer to what is not known to be free than it may can still
    move away from it.
    """
    pieces, poses = _pieces(start, moves)
    count = len(pieces)
    # Beyond the end the robot could go on ahead: that ground is needed to stop from full speed.
    reach = model.stopping_distance(model.speed)
    last = poses[-1]
    beyond = np.arange(1, math.ceil(reach / SPACING) + 1) * SPACING
    ahead = np.column_stack(
        (
            last[0] + beyond * math.cos(last[2]),
            last[1] + beyond * math.sin(last[2]),
            np.full(beyond.size, last[2]),
        )
    )
    room = room_along(known, model, np.vstack((poses, ahead)))
    if room[0] < -slack:
        # Out of what is too near: as long as it does not get nearer.
        good = (room >= -slack) | (np.minimum.accumulate(room) >= room[0] - 1e-9)
    else:
        good = room >= -slack
    first_bad = int(np.argmin(good)) if not good.all() else good.size
    usable = min(first_bad - 1, count)
    beside = np.full(count + 1, math.inf)
    if echoes is not None:
        beside = room_beside(echoes, model, poses)
    doubt = np.full(count + 1, math.inf)
    if certain is not None:
        doubt = room_along(certain, model, poses)
    travelled = np.concatenate(([0.0], np.cumsum([piece.length for piece in pieces])))
    end_way = travelled[min(first_bad - 1, count)]
    if first_bad - 1 > count:
        end_way += (first_bad - 1 - count) * SPACING
    found: list[ConstantMotion] = []
    seconds, swift = 0.0, math.inf
    for k in range(max(usable, 0)):
        piece = pieces[k]
        speed = math.hypot(piece.twist.v, piece.twist.aside)
        if speed > 0.0:
            allowed = min(model.safe_speed(end_way - travelled[k]), most)
            if travelled[k] < heard:
                allowed = min(allowed, model.safe_speed(RANGE_SHARE * heard))
            if min(room[k], room[k + 1], beside[k + 1]) < CAREFUL:
                allowed = min(allowed, CREEP)
            elif doubt[k + 1] < 0.0:
                allowed = min(allowed, UNCERTAIN)
            level = max(
                [share * model.speed for share in LEVELS if share * model.speed <= allowed],
                default=CREEP,
            )
            if swift == math.inf and level < speed - 1e-9:
                swift = seconds
            piece = slowed(piece, min(level / speed, 1.0))
        seconds += piece.duration
        if found and _alike(found[-1].twist, piece.twist):
            found[-1] = ConstantMotion(found[-1].twist, found[-1].duration + piece.duration)
        else:
            found.append(piece)
    return Commitment(
        start,
        tuple(found),
        usable == count,
        float(travelled[max(usable, 0)]),
        seconds,
        min(swift, seconds),
    )


def slowed(move: ConstantMotion, share: float) -> ConstantMotion:
    """Return a move along the same path at a share of its speed."""
    if share == 1.0:
        return move
    v, aside, w = move.twist
    return ConstantMotion(Screw2(share * v, share * aside, share * w), move.duration / share)


def _alike(one: Screw2, other: Screw2) -> bool:
    return all(abs(a - b) < 1e-12 for a, b in zip(one, other, strict=True))


def _pieces(
    start: Pose2, moves: Sequence[ConstantMotion]
) -> tuple[list[ConstantMotion], NDArray[np.float64]]:
    """Return moves in short pieces, and the poses (n + 1, 3) between them."""
    pieces: list[ConstantMotion] = []
    for move in moves:
        turn = abs(move.twist.w) * move.duration
        count = max(math.ceil(move.length / SPACING), math.ceil(turn / 0.1), 1)
        pieces += [ConstantMotion(move.twist, move.duration / count)] * count
    poses = [start]
    for move in moves:
        poses += list(sampled([move], poses[-1], SPACING))[1:]
    return pieces, np.array(poses)
