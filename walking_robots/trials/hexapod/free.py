"""One walk of any hexapod by the free gait: settings in, result out."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from walking_robots.body.mass_centre import mass_centre
from walking_robots.body.stability import stability_margin
from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.gaits.planned.bound import bound_of_any
from walking_robots.geometry.pose import Vector
from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.odometry import EXACT
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.cells import HOLE, KINDS, PERMITTED, TernaryTerrain
from walking_robots.terrain.generator import Ditch, build
from walking_robots.terrain.refinement import refined
from walking_robots.terrain.relief import Relief
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.forces import ForceFigures
from walking_robots.trials.hexapod.invariants import InvariantMonitor
from walking_robots.trials.hexapod.loop import ClosedLoop, LoopStep, walk
from walking_robots.trials.hexapod.referee import Referee, WalkResult

CELLS = 40
"""Cells to go where nothing says how far."""

MOST_STANCES = 10_000
"""Stances to look at for whether a goal is possible, with each freedom."""

LARGEST_SIDE = 2000
"""Cells along a side of a terrain that is made."""


@dataclass(frozen=True)
class FreeGaitTrial:
    """Settings of a walk: speeds m/s and rad/s, lengths m, times s; ``gait`` is one of `GAITS`.

    ``distance`` is how far ahead, or behind at a negative speed, the walk is complete, `CELLS`
    cells without one; a walk that goes neither way ends by its time. ``ditch`` is the width of a
    ditch half-way there, and ``relief`` raises the ground. ``terrain`` replaces the one that is
    made, which has the robot's cells; there the body starts at ``start``, x, and half-way aside.
    ``time`` bounds the walk; without one it may take a minute and twice as long as the command
    would. Without ``physics`` the simulation is kinematic; with it, or with ``eyes``, forbidden
    cells are of ``forbidden_kind``, one of `KINDS`, and ditches are holes. ``odometry`` is a kind
    as `drift_of` reads it. ``seed`` is that of the forbidden cells and of all noise.
    """

    model: HexapodModel
    speed: float = 0.02
    lateral: float = 0.0
    turn: float = 0.0
    ditch: float = 0.0
    forbidden: float = 0.0
    forbidden_kind: str = KINDS[HOLE]
    relief: tuple[Relief, ...] = ()
    seed: int = 123
    gait: str = 'rules'
    distance: float | None = None
    time: float | None = None
    start: float | None = None
    terrain: TernaryTerrain | None = None
    physics: PhysicsSettings | None = None
    eyes: EyesSettings | None = None
    odometry: str = EXACT

    @property
    def command(self) -> tuple[float, float, float]:
        """Return the command (vx, vy, wz), lowered to what the robot can do."""
        most = self.model.command
        return (
            _within(self.speed, most.forward),
            _within(self.lateral, most.lateral),
            _within(self.turn, most.turn),
        )

    @property
    def way(self) -> float:
        """Return how far from its start the walk is complete, m."""
        return CELLS * self.model.cell if self.distance is None else self.distance

    def goal(self, x: float) -> float:
        """Return the x at which a walk from another one is complete, m."""
        return x + math.copysign(self.way, self.speed)

    @property
    def reach(self) -> float:
        """Return how far from the body its feet are looked for, m, and a cell more."""
        places = (place for leg in self.model.legs for place in leg.template)
        return max(abs(part) for place in places for part in place) + self.model.cell

    def ground(self) -> tuple[TernaryTerrain, HexapodModel]:
        """Return the terrain, and the robot with the place where it starts on it.

        Raises ValueError, one sentence, for a terrain that does not suit.
        """
        terrain, x = self.terrain, self.start
        if terrain is None:
            terrain = self._made(self.reach)
            x = self.reach + (0.0 if self.speed > 0.0 else self.way)
        else:
            terrain = refined(terrain, self.model.cell)
        x = self.model.start_position[0] if x is None else x
        y = 0.5 * terrain.columns * terrain.cell
        height = self.model.start_position[2]
        model = replace(self.model, start_position=(x, y, height))
        if not all(terrain.contains(*place) for place in _start_places(model)):
            raise ValueError(
                f'{model.name} does not find its six places on a terrain of '
                f'{terrain.rows * terrain.cell:.3g} m by {2.0 * y:.3g} m with its body at x = '
                f'{x:.3g} m; give a larger terrain or another start'
            )
        if self.terrain is not None:
            return terrain, model
        return cleared(terrain, model, 0.0 if self.physics is None else 0.5), model

    def _made(self, x: float) -> TernaryTerrain:
        """Return a square terrain with ground for every foot on a way from ``x`` on."""
        cell, way = self.model.cell, self.way
        side = math.ceil((2.0 * x + way) / cell)
        if side > LARGEST_SIDE:
            raise ValueError(
                f'a way of {way:.3g} m is too far for cells of {cell:.3g} m; give one of '
                f'{LARGEST_SIDE * cell - 2.0 * x:.3g} m or less, or a terrain'
            )
        ditches = (Ditch(x + 0.5 * way, self.ditch),) if self.ditch else ()
        return build(
            side,
            side,
            cell,
            share=self.forbidden,
            seed=self.seed,
            kinds=KINDS.index(self.forbidden_kind),
            ditches=ditches,
            relief=self.relief,
        )

    def time_limit(self) -> float:
        """Return the time after which the walk ends, s."""
        if self.time is not None:
            return self.time
        speed = abs(self.command[0])
        return 60.0 + (2.0 * self.way / speed if speed else 0.0)


@dataclass(frozen=True)
class FreeGaitResult:
    """What came of a walk; ``reason`` is reached, timeout, halted, or with forces why it ended.

    The stability margin takes the body's origin for the centre of gravity, as the rules do; the
    static margin weighs the legs, and is None where they have no masses or the weight was not
    over the feet. Drift is how far a standing foot went from where it came down, the room at the
    limits the least distance of a joint from its own, and the effort the greatest speed of a
    joint as a share of what it can do; ``forces`` are those of a simulation with them. With eyes:
    how often feet came down, how often on forbidden ground, the 95th percentile of the errors of
    the map, and the share of it that was seen. None where it is unknown, as all of them are in a
    graph. Plans, their CPU time and whether the goal is possible are as in `WalkResult`.
    """

    robot: str
    gait: str
    completed: bool
    reason: str
    limit_m_s: float
    speed_m_s: float
    sim_time_s: float
    distance_m: float
    mean_speed_m_s: float
    min_stability_margin_m: float
    min_static_margin_m: float | None
    max_drift_m: float | None
    min_limit_room_rad: float | None
    max_joint_effort: float | None
    forces: ForceFigures | None
    steps: int
    trace_sha256: str
    footholds: int | None = None
    false_footholds: int | None = None
    map_error_m: float | None = None
    seen_share: float | None = None
    plans: int | None = field(default=None, compare=False)
    plan_cpu_s: float | None = field(default=None, compare=False)
    possible: str | None = field(default=None, compare=False)


def run(
    trial: FreeGaitTrial,
    *,
    monitor: Callable[[HexapodModel, TernaryTerrain], InvariantMonitor] | None = None,
    watch: Callable[[LoopStep, int], None] | None = None,
) -> FreeGaitResult:
    """Walk until the goal, the time limit or a halt.

    ``monitor`` makes what checks the invariants of every step; ``watch`` is called with every step
    and its number, from 1. Raises ValueError, one sentence, when the robot cannot walk so.
    """
    terrain, model = trial.ground()
    eyes = None
    if trial.eyes is not None:
        # Trials without eyes need neither MuJoCo nor a reader of files.
        from walking_robots.trials.hexapod.eyes import Eyes

        eyes = Eyes(trial.eyes, model, terrain, trial.seed)
    loop = ClosedLoop(
        model, terrain, REPAIRED, gait=trial.gait, physics=trial.physics, eyes=eyes,
        odometry=trial.odometry, seed=trial.seed,
    )  # fmt: skip
    dt = model.timing.dt
    x, y, _ = loop.backend.start
    steps = round(trial.time_limit() / dt)
    referee = Referee((x, y), trial.goal(x), steps, dt, may_halt=any(trial.command))
    drift, joints = _Drift(), _joints_of(model)
    checked = monitor(model, terrain) if monitor is not None else None
    for step in walk(loop, referee, trial.command):
        drift.add(step)
        if joints is not None:
            joints.add(step, dt)
        if checked is not None:
            checked.check(step, referee.trace.steps)
        if watch is not None:
            watch(step, referee.trace.steps)
    found = result_of(
        trial,
        model,
        referee.result(),
        min_static_margin_m=joints.margin if joints is not None and joints.margin > 0.0 else None,
        max_drift_m=drift.most,
        min_limit_room_rad=joints.room if joints is not None else None,
        max_joint_effort=joints.effort if joints is not None else None,
    )
    times = loop.planning.times
    found = replace(found, plans=len(times), plan_cpu_s=sum(times))
    return eyes.add_to(found) if eyes else found


def cleared(terrain: TernaryTerrain, model: HexapodModel, room: float) -> TernaryTerrain:
    """Return a terrain whose cells under the first feet are permitted: no search chose those.

    room: how far round them, in sides of a cell.
    """
    cells = terrain.cells.copy()
    away = (-room * terrain.cell, 0.0, room * terrain.cell)
    for leg, (x, y) in zip(model.legs, _start_places(model), strict=True):
        if leg.starts_supporting:
            for dx, dy in product(away, away):
                i, j = terrain.cell_of(x + dx, y + dy)
                cells[i - terrain.first_row, j - terrain.first_column] = PERMITTED
    return replace(terrain, cells=cells)


def with_bound(trial: FreeGaitTrial, result: FreeGaitResult) -> FreeGaitResult:
    """Return a result that says whether the goal is possible; nothing of uneven ground."""
    if result.completed:
        return replace(result, possible='yes')
    terrain, model = trial.ground()
    if not terrain.is_level or not trial.speed:
        return result
    x, y, _ = model.start_position
    goal = complex(trial.goal(x), y)
    return replace(result, possible=bound_of_any(model, terrain, goal, MOST_STANCES))


def result_of(
    trial: FreeGaitTrial, model: HexapodModel, walked: WalkResult, **measured: float | None
) -> FreeGaitResult:
    """Return the result of a trial; ``measured`` are figures of the simulation itself.

    A walk that goes neither ahead nor back has no goal: it is complete unless it halts.
    """
    figures: dict[str, Any] = {**dict.fromkeys(_OF_SIMULATION), **measured}
    return FreeGaitResult(
        robot=model.name,
        gait='free' if trial.gait == 'rules' else trial.gait,
        completed=walked.completed or (not trial.speed and walked.reason.startswith('timeout')),
        forces=walked.forces,
        reason=walked.reason,
        limit_m_s=model.command.forward,
        speed_m_s=math.hypot(*trial.command[:2]),
        sim_time_s=walked.sim_time_s,
        distance_m=walked.distance_m,
        mean_speed_m_s=walked.mean_speed_m_s,
        min_stability_margin_m=walked.min_stability_margin_m,
        steps=walked.steps,
        trace_sha256=walked.trace_sha256,
        **figures,
    )


_OF_SIMULATION = ('min_static_margin_m', 'max_drift_m', 'min_limit_room_rad', 'max_joint_effort')


class _Drift:
    """Follows how far standing feet go from where they came down, m."""

    def __init__(self) -> None:
        self._anchors: dict[int, Vector] = {}
        self.most = 0.0

    def add(self, step: LoopStep) -> None:
        """Take in a step."""
        after = step.after
        for leg, foot in zip(step.servo.legs, after.feet, strict=True):
            if leg.control.carries:
                place = after.pose.apply(foot)
                anchor = self._anchors.setdefault(leg.number, place)
                self.most = max(self.most, math.dist(place, anchor))
            else:
                self._anchors.pop(leg.number, None)


class _Joints:
    """Records the load of a walk on articulated legs: margin (m), room (rad) and effort."""

    def __init__(self, robot: ArticulatedHexapod, model: HexapodModel) -> None:
        self._robot, self._limits = robot, model.stability
        self._driven = DrivenLegs(robot)
        self.margin = self.room = math.inf
        self.effort = 0.0

    def add(self, step: LoopStep, dt: float) -> None:
        """Take in a step."""
        legs = self._driven.canonical
        joints = legs.canonical(step.after.joints)
        self.room = min(self.room, float(np.minimum(joints - legs.low, legs.high - joints).min()))
        turned = float(np.abs(step.after.joints - step.before.joints).max())
        self.effort = max(self.effort, turned / dt / self._robot.joint_speed)
        pose = step.after.pose
        centre = pose.apply(mass_centre(self._robot.masses, legs.points(joints)))
        feet = [
            pose.apply(foot)
            for leg, foot in zip(step.servo.legs, step.after.feet, strict=True)
            if leg.control.carries
        ]
        self.margin = min(self.margin, stability_margin(feet, centre, self._limits).value)


def _joints_of(model: HexapodModel) -> _Joints | None:
    """Return what follows the joints of a robot with known limits."""
    robot = model.kinematics
    return _Joints(robot, model) if isinstance(robot, ArticulatedHexapod) else None


def _within(speed: float, most: float) -> float:
    return max(-most, min(most, speed))


def _start_places(model: HexapodModel) -> list[tuple[float, float]]:
    """Return the places (x, y) of all feet at the start, m, odometry frame."""
    x, y, _ = model.start_position
    return [(x + leg.start_foot[0], y + leg.start_foot[1]) for leg in model.legs]
