"""Write a way as a program of the motion language, guarded against what the map does not know."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.language.formatter import WIDTH
from walking_robots.mdle.planner.atom_selection import (
    BARE,
    AtomCall,
    AtomSelection,
    alias_of,
    quantity,
    standard_atoms,
)
from walking_robots.mdle.planner.cost_map import CREEP, CostMap
from walking_robots.mdle.planner.motion_model import (
    ConstantMotion,
    MotionModel,
    poses_along,
    sampled,
)

TUBE = 0.10
"""Distance, m, from the predicted path at which a program ends."""
RAYS = np.radians((-35.0, -25.0, -15.0, -5.0, 5.0, 15.0, 25.0, 35.0))
"""Directions in which the sonars of the guard ``near`` hear, rad: three cones of 25 degrees."""
FAR = 1.5
"""Distance, m, beyond which nothing is expected of the guard ``near``."""
TRUST = 0.75
"""Share of the expected distance, less a cell, at which something unexpected is near."""
CONTACT = """\
  until front_contact => run back_off(0.1 m, {back}) then fail "contact";
  until rear_contact => run drive(0.05 m, {ahead}) then fail "contact";
  until contact => fail "contact";
"""
"""What follows a touch, in the language; the planner then plans anew with what was felt."""
TIMER_FACTOR = 1.2
"""Timer of a program, as a multiple of the time that it needs."""


@dataclass(frozen=True, eq=False)
class PlannedProgram:
    """A program and what is predicted of it.

    source: its text; entry: its plan; start: where it begins; trajectory: (n, 3), x, y, m, and
    heading, rad, at ``times``, s; tube: m, left only by what is not in the map; bound: s.
    """

    source: str
    entry: str
    start: Pose2
    times: NDArray[np.float64]
    trajectory: NDArray[np.float64]
    tube: float
    bound: float

    @property
    def end(self) -> Pose2:
        """Return the predicted pose at its end."""
        return Pose2(*self.trajectory[-1].tolist())

    def pose_at(self, time: float) -> Pose2:
        """Return the predicted pose after a time, s."""
        return Pose2(
            *(float(np.interp(time, self.times, self.trajectory[:, axis])) for axis in range(3))
        )

    def seen_from(self, frame: Pose2) -> 'PlannedProgram':
        """Return the same with its poses in another frame, in which the old one has a pose."""
        x, y, heading = self.trajectory.T
        cosine, sine = math.cos(frame.heading), math.sin(frame.heading)
        moved = (
            frame.x + cosine * x - sine * y,
            frame.y + sine * x + cosine * y,
            heading + frame.heading,
        )
        return replace(self, start=frame @ self.start, trajectory=np.column_stack(moved))


@compiled('boolean[:, :]', 'float64[:, :]', 'float64[:]', 'float64')
def _nearest(blocked, poses, rays, far):  # type: ignore[no-untyped-def]
    """Return the way to the first blocked cell on any ray from poses, in cells, at most ``far``.

    poses: (n, 3), x, y in cells, heading; rays: rad from the heading.
    """
    least = np.full(poses.shape[0], far)
    rows, columns = blocked.shape
    for n in range(poses.shape[0]):
        for ray in range(rays.size):
            dx, dy = math.cos(poses[n, 2] + rays[ray]), math.sin(poses[n, 2] + rays[ray])
            way = 0.0
            while way < least[n]:
                x, y = poses[n, 0] + way * dx, poses[n, 1] + way * dy
                if x < 0.0 or y < 0.0 or x >= columns or y >= rows or blocked[int(y), int(x)]:
                    least[n] = way
                    break
                way += 0.5
    return least


def _expected(blocked: NDArray[np.bool_], costs: CostMap, poses: NDArray[np.float64]) -> float:
    """Return the shortest range, m, that the sonars ahead are to report at poses (n, 3)."""
    cell = costs.resolution
    places = (poses - (*costs.origin, 0.0)) / (cell, cell, 1.0)
    return float(_nearest(blocked, places, RAYS, FAR / cell).min()) * cell


def write_program(
    moves: Sequence[ConstantMotion],
    start: Pose2,
    model: MotionModel,
    *,
    blocked: NDArray[np.bool_] | None = None,
    costs: CostMap | None = None,
    nearest: float | None = None,
    ahead: float = math.inf,
    has_contact: bool = True,
    title: str = 'Written by the planner.',
    entry: str = 'go',
    frame: Pose2 | None = ORIGIN,
    atoms: AtomSelection | None = None,
) -> PlannedProgram:
    """Return the program of moves from a pose, in the layout of `format_program`.

    blocked, costs: the map, by which the guard ``near`` knows what to expect; without one there
    is no such guard. nearest: shortest range of the robot's sonars, m, None without any;
    ahead: shortest range that those ahead report at the start, m; has_contact: whether it has
    contact channels; title: first line; frame: pose of the map in the frame of the robot's
    odometry, in which programs run, None for a program without the guard ``left_tube``, which
    may begin anywhere; atoms: what moves are written with, by default those of the standard
    library. Raises ValueError for a move that no atom does.
    """
    selection = atoms or standard_atoms(model.spaces)
    modules: set[str] = set()
    poses = [start]
    for move in moves:
        poses.append(poses[-1] @ move.end)
    tube = ''
    if frame is not None:
        points = ', '.join(_points(moves, frame @ start))
        condition = f'left_tube(path({points}), {quantity(TUBE, "m")})'
        tube = f'  until {condition} => fail "left the tube";\n'
    bound = TIMER_FACTOR * sum(move.duration for move in moves) + 2.0
    steps = ''
    for speed, same in groupby(
        zip(moves, poses, strict=False), key=lambda item: round(abs(item[0].twist.v), 6)
    ):
        pairs = list(same)
        calls = [selection.call(move) for move, _ in pairs]
        modules.update(call.module for call in calls)
        guard = ''
        if nearest is not None and blocked is not None and costs is not None and speed > 0.0:
            stretch = sampled([move for move, _ in pairs], pairs[0][1], 0.1)
            expected = _expected(blocked, costs, stretch)
            if start.distance(pairs[0][1]) < ahead:
                expected = min(expected, ahead)
            near = TRUST * expected - costs.resolution
            stop = model.stopping_distance(speed)
            least = max(1.2 * stop, nearest + costs.resolution)
            if near >= least:
                guard = f' until near({quantity(least, "m")}, 0 deg, 45 deg) => fail "near"'
        steps += f'    {_step(calls, guard)};\n'
    contact = ''
    if has_contact:
        back, on = (min(CREEP, most) for most in (model.reverse, model.speed))
        contact = CONTACT.format(back=quantity(back, 'm/s'), ahead=quantity(on, 'm/s'))
    modules.discard(BARE)
    imports = ''.join(f'import {name} as {alias_of(name)};\n' for name in sorted(modules))
    source = f"""\
# {title}
mdle 1;
import {BARE};
{imports}
plan {entry} {{
{contact}{tube}  timeout {quantity(math.ceil(bound), 's')} => fail "late";
  do {{
{steps}  }}
}}
"""
    times, trajectory = _trajectory(moves, start)
    return PlannedProgram(source, entry, start, times, trajectory, TUBE, math.ceil(bound))


def _step(calls: Sequence[AtomCall], guard: str) -> str:
    """Return calls one after the other as a step of a plan with a guard."""
    if len(calls) == 1:
        return f'{calls[0].text}{guard}{calls[0].timeout}'
    inner = [f'{call.text}{call.timeout}' for call in calls]
    line = f'({"; ".join(inner)}){guard}'
    if len(f'    {line};') <= WIDTH:
        return line
    lines = ';\n      '.join(inner)
    return f'(\n      {lines}\n    ){guard}'


def _points(moves: Sequence[ConstantMotion], start: Pose2) -> Iterator[str]:
    """Yield the points of the path, closely enough that arcs stay within a centimetre of it."""
    last = None
    turns = [abs(move.twist.w) * move.duration if move.twist.v else 0.0 for move in moves]
    for x, y, _ in poses_along(moves, start, [max(math.ceil(turn / 0.4), 1) for turn in turns]):
        point = _point(x, y)
        if point != last:
            yield point
        last = point
    if last == _point(start.x, start.y):
        # A path has a leg, also that of a robot that only turns.
        yield _point(start.x + 0.001, start.y)


def _point(x: float, y: float) -> str:
    return f'point({quantity(float(f"{x:.4f}"), "m")}, {quantity(float(f"{y:.4f}"), "m")})'


def _trajectory(
    moves: Sequence[ConstantMotion], start: Pose2
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return times, s, and poses (n, 3) at most 0.1 s apart."""
    parts = [max(math.ceil(move.duration / 0.1), 1) for move in moves]
    lasting = np.repeat([move.duration for move in moves], parts) / np.repeat(parts, parts)
    return np.concatenate(([0.0], np.cumsum(lasting))), poses_along(moves, start, parts)
