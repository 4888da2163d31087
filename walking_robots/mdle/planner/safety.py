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
from walking_robots.mdle.planner.motion_model import (
    ConstantMotion,
    MotionModel,
    end_of,
    poses_along,
)

RANGE_SHARE = 0.75
"""Share of a range that counts as known to be free: the rest is noise and the next round."""
LEVELS = (0.26, 0.46, 0.67, 1.0)
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
    parts = [move.parts(SPACING) for move in moves]
    poses = poses_along(moves, start, parts)
    of_move = np.repeat(np.arange(len(moves)), parts)
    count = of_move.size
    speed = np.array([math.hypot(move.twist.v, move.twist.aside) for move in moves])[of_move]
    lasting = np.array([move.duration for move in moves])[of_move] / np.repeat(parts, parts)
    travelled = np.concatenate(([0.0], np.cumsum(speed * lasting)))
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
    usable = min(max(first_bad - 1, 0), count)
    near = np.minimum(room[:count], room[1 : count + 1]) < CAREFUL
    if echoes is not None:
        near |= room_beside(echoes, model, poses)[1:] < CAREFUL
    doubtful = np.zeros(count, np.bool_)
    if certain is not None:
        doubtful = room_along(certain, model, poses)[1:] < 0.0
    end_way = travelled[usable] + max(first_bad - 1 - count, 0) * SPACING
    allowed = np.minimum.reduce(
        (
            model.safe_speed(end_way - travelled[:-1]),
            np.where(travelled[:-1] < heard, model.safe_speed(RANGE_SHARE * heard), most),
            np.where(doubtful, UNCERTAIN, most),
            np.where(near, CREEP, most),
        )
    )
    levels = model.speed * np.array(LEVELS)
    level = np.concatenate(([CREEP], levels))[np.searchsorted(levels, allowed, side='right')]
    slow = level < speed - 1e-9
    share = np.where(slow, level / np.where(slow, speed, 1.0), 1.0)
    lasting, share, of_move = (lasting / share)[:usable], share[:usable], of_move[:usable]
    changes = (np.diff(of_move, prepend=-1) != 0) | (np.diff(share, prepend=0.0) != 0.0)
    begins = np.flatnonzero(changes)
    found = [
        ConstantMotion(_scaled(moves[of_move[k]].twist, float(share[k])), float(seconds))
        for k, seconds in zip(begins, np.add.reduceat(lasting, begins), strict=True)
    ]
    times = np.concatenate(([0.0], np.cumsum(lasting)))
    return Commitment(
        start,
        tuple(found),
        usable == count,
        float(travelled[usable]),
        float(times[-1]),
        float(times[np.argmax(np.append(slow[:usable], True))]),
    )


def _scaled(twist: Screw2, share: float) -> Screw2:
    return Screw2(*(share * part for part in twist))
