"""One walk of a hexapod on articulated legs by a periodic gait: settings in, result out."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.body.mass_centre import mass_centre
from walking_robots.body.motion import Command
from walking_robots.body.stability import energy_margin
from walking_robots.gaits.commands.charge import explained, within_charge
from walking_robots.gaits.commands.path_hold import PathHold
from walking_robots.gaits.commands.steering import limit
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.gaits.periodic.paths import PATHS
from walking_robots.gaits.periodic.patterns import find_pattern
from walking_robots.gaits.periodic.plan import STEP_TIME, GaitPlan, plan_gait
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.periodic.record import mobility, record
from walking_robots.gaits.periodic.walker import PeriodicWalker, Walked
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.geometry.se2 import Screw2
from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.simulation.hexapod.articulated import (
    KinematicArticulated,
    start_place,
    terrain_size,
)
from walking_robots.simulation.hexapod.odometry import EXACT, make_odometry
from walking_robots.simulation.hexapod.physical import PhysicalHexapod, physical_articulated
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.simulation.hexapod.simulated import (
    GroundSurface,
    HexapodState,
    SimulatedHexapod,
)
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.generator import build
from walking_robots.terrain.level import LevelGround
from walking_robots.terrain.relief import Relief
from walking_robots.trials.hexapod.forces import ForceFigures, ForceRecorder
from walking_robots.trials.hexapod.trace import Trace

LEVEL = LevelGround()


@dataclass(frozen=True)
class HexapodTrial:
    """Settings of a walk: speeds m/s and rad/s, lengths m, times s, angles rad.

    ``speed`` goes ahead, ``lateral`` to the left; without a ``period`` that of the fastest walk is
    taken, without a ``height`` that at which the robot stands; ``start`` is the x where it does,
    by the near side of a terrain without one. Without ``physics`` the simulation is kinematic;
    ``odometry`` is a kind as `drift_of` reads it, and ``seed`` that of all noise.
    """

    robot: ArticulatedHexapod
    gait: str = 'tripod'
    speed: float = 0.02
    lateral: float = 0.0
    turn: float = 0.0
    time: float = 60.0
    step: float = STEP_TIME
    period: float | None = None
    height: float | None = None
    roll: float = 0.0
    pitch: float = 0.0
    path: str = 'trapezoid'
    terrain: GroundSurface = LEVEL
    start: float | None = None
    physics: PhysicsSettings | None = None
    odometry: str = EXACT
    seed: int = 1

    @property
    def command(self) -> Command:
        """Return the operator's command (vx, vy, wz)."""
        return (self.speed, self.lateral, self.turn)

    @property
    def steps(self) -> int:
        """Return how many steps the walk has."""
        return round(self.time / self.step)

    @property
    def way(self) -> float:
        """Return how far the body may come at most, m."""
        return self.time * math.hypot(self._limited.v, self._limited.aside)

    @cached_property
    def _limited(self) -> Screw2:
        """Return the twist that the legs allow."""
        plan = self.plan()
        return plan.limited(Screw2(*limit(self.command, mobility(plan, self.step).limits)))

    @property
    def place(self) -> tuple[float, float]:
        """Return where the walk starts, x and y, m.

        On level ground without a start it is as far from the edges as the walk may lead there.
        """
        edge = start_place(self.robot)
        if self.start is not None or not isinstance(self.terrain, LevelGround):
            return (edge if self.start is None else self.start, edge)
        if self.turn:
            return (edge + self.way, edge + self.way)
        if self.speed >= 0.0 and self.lateral >= 0.0:
            return (edge, edge)
        back, right, _ = (self.time * max(0.0, -part) for part in self._limited)
        return (edge + back, edge + right)

    def over(self, *relief: Relief) -> 'HexapodTrial':
        """Return the same walk over ground with relief, as large as the walk."""
        rows, columns = terrain_size(self.robot)
        cell = self.robot.cell
        way = math.ceil(self.way / cell)
        terrain = build(rows + way, columns + 2 * way, cell, relief=relief)
        return replace(self, terrain=terrain)

    @property
    def posture(self) -> Posture:
        """Return how the body is held."""
        rise = 0.0 if self.height is None else self.height - self.robot.height
        return Posture(self.robot.height + rise, self.roll, self.pitch)

    def plan(self) -> GaitPlan:
        """Plan the gait; raises ValueError, one sentence, when the robot cannot walk so."""
        return plan_gait(
            self.robot,
            find_pattern(self.gait),
            period=self.period,
            posture=self.posture,
            path=PATHS[self.path],
        )


class PeriodicLoopStep(NamedTuple):
    """All that happened in a step; ``pose`` is where odometry had the body before it.

    ``charge`` is what is known of the battery, and ``asked`` the command as slow as it asks for.
    """

    before: HexapodState
    pose: Pose
    charge: float
    asked: Screw2
    walked: Walked
    after: HexapodState


class HexapodLoop:
    """A robot, its gait and the ground in lock-step."""

    def __init__(
        self,
        plan: GaitPlan,
        terrain: GroundSurface,
        dt: float,
        *,
        x: float = 0.0,
        y: float = 0.0,
        physics: PhysicsSettings | None = None,
        odometry: str = EXACT,
        seed: int = 1,
    ) -> None:
        """Stand the robot on the ground, its body at (x, y), m.

        ``odometry`` is a kind as `drift_of` reads it, ``seed`` that of its noise and of foot
        switches.
        """
        self.legs = DrivenLegs(plan.robot)
        self.backend: SimulatedHexapod
        if physics is None:
            self.backend = KinematicArticulated(plan.robot, terrain, x=x, y=y)
        else:
            assert isinstance(terrain, TernaryTerrain | LevelGround)
            self.backend = physical_articulated(
                plan.robot, terrain, dt, physics, x=x, y=y, seed=seed
            )
        state = self.backend.state
        self.odometry = make_odometry(odometry, state, dt, seed)
        self.walker = PeriodicWalker(plan, self.legs, state.joints, state.pose)
        self._dt = dt
        self._hold = None if physics is None else PathHold(dt, plan.radius)

    @property
    def plan(self) -> GaitPlan:
        """Return the plan that is walked by."""
        return self.walker.followed

    def step(self, twist: Screw2) -> PeriodicLoopStep:
        """Walk one step; raises OutOfReachError when a standing foot leaves its reach.

        A swinging foot goes as near as it gets to where it should be.
        """
        before, pose = self.backend.state, self.odometry.measured.pose
        charge = self.backend.charge
        limits = mobility(self.walker.plan, self._dt).limits
        twist = asked = Screw2(*within_charge(twist, charge, limits))
        if self._hold is not None:
            twist = self._hold.correct(twist, pose)
        walked = self.walker.step(before.joints, before.contacts, twist, self._dt, tilt=pose)
        after = self.backend.step(self.walker.ordered)
        self.odometry.add(after)
        return PeriodicLoopStep(before, pose, charge, asked, walked, after)


@dataclass(frozen=True)
class HexapodResult:
    """What came of a walk.

    ``completed``: the body did not stand still at the end for the time of a swing, held by what
    the gait ``waits`` for; ``speed_m_s`` is the limited command, ``distance_m`` the `Path` of the
    body; the time stopped is that in which the gait would walk and the body stood. A static margin
    is None where the weight was not over the feet. The rest is measured in plain Python only, and
    None in a graph: drift is how far a standing foot went from where it came down, the room at the
    limits the least distance of a joint from its own, the effort the greatest speed of a joint as
    a share of what it can do, and the jump the longest way of a foot in a step; likewise the
    ``forces`` of a simulation with them. ``reason`` says why the walk ended early, which legs
    have failed, and what the battery asks for.
    """

    robot: str
    gait: str
    completed: bool
    period_s: float
    stride_m: float
    limit_m_s: float
    speed_m_s: float
    sim_time_s: float
    distance_m: float
    mean_speed_m_s: float
    stopped_s: float
    waits: str
    min_static_margin_m: float | None
    min_energy_margin_j: float | None
    max_drift_m: float | None
    min_limit_room_rad: float | None
    max_joint_effort: float | None
    max_jump_m: float | None
    steps: int
    reason: str
    forces: ForceFigures | None
    trace_sha256: str


class Path:
    """The way of a body along its path, m, by what its gait reports.

    A report is of the beginning of a step; the last one is gone at its velocity.
    """

    def __init__(self, dt: float) -> None:
        """Begin with a body at rest; ``dt``: time of a step, s."""
        self._dt, self._steps = dt, 0
        self._gone = self._last_step = 0.0
        self._place: tuple[float, float] | None = None

    def add(self, gait: GaitStep) -> None:
        """Take in a step."""
        x, y, _ = gait.motion.pose.position
        self._gone += math.dist((x, y), self._place or (x, y))
        self._place, rates = (x, y), gait.motion.rates
        self._last_step = math.hypot(rates.vx, rates.vy) * self._dt
        self._steps += 1

    @property
    def length(self) -> float:
        """Return how far it came, m."""
        return self._gone + self._last_step

    @property
    def mean_speed(self) -> float:
        """Return its mean speed, m/s."""
        return self.length / (self._steps * self._dt) if self._steps else 0.0


class GaitFigures:
    """The figures of a walk that its gait reports, in plain Python and in a graph."""

    def __init__(self, dt: float) -> None:
        """Begin with a body at rest; ``dt``: time of a step, s."""
        self._dt = dt
        self.trace, self.path = Trace(), Path(dt)
        self.margin = math.inf
        self.stopped = self._held = 0.0
        self.state = self.failures = self.slowed = ''

    def add(self, step: GaitStep) -> None:
        """Take in a step."""
        self.trace.add(step)
        self.path.add(step)
        self.margin = min(self.margin, step.margin)
        self.state, self.failures = step.state, step.failures()
        self.slowed = step.slowed
        self._held = self._held + self._dt if step.stop_reason else 0.0
        if step.stop_reason:
            self.stopped += self._dt

    def result(
        self, trial: HexapodTrial, plan: GaitPlan, reason: str = '', **measured: Any
    ) -> HexapodResult:
        """Return the result of a trial; ``measured`` are figures of the simulation itself."""
        unknown = dict.fromkeys(_OF_SIMULATION)
        limited = plan.limited(Screw2(*limit(trial.command, mobility(plan, trial.step).limits)))
        return HexapodResult(
            robot=trial.robot.name,
            gait=trial.gait,
            completed=self._held < plan.swing_time and not reason,
            reason='; '.join(filter(None, (reason, self.failures, self.slowed))),
            period_s=plan.period,
            stride_m=plan.stride,
            limit_m_s=plan.speed,
            speed_m_s=math.hypot(limited.v, limited.aside),
            sim_time_s=round(self.trace.steps * trial.step, 6),
            distance_m=self.path.length,
            mean_speed_m_s=self.path.mean_speed,
            stopped_s=round(self.stopped, 6),
            waits=self.state.removeprefix('waits for '),
            min_static_margin_m=self.margin if math.isfinite(self.margin) else None,
            steps=self.trace.steps,
            trace_sha256=self.trace.hexdigest(),
            **{**unknown, **measured},
        )


_OF_SIMULATION = (
    'min_energy_margin_j',
    'max_drift_m',
    'min_limit_room_rad',
    'max_joint_effort',
    'max_jump_m',
    'forces',
)


class _Figures:
    """Gathers the figures of a walk in plain Python."""

    def __init__(self, loop: HexapodLoop, dt: float) -> None:
        """Begin with a robot at rest."""
        self._loop, self._dt = loop, dt
        self._anchors: dict[int, Vector] = {}
        self.energy = self.room = math.inf
        self.drift = self.effort = self.jump = 0.0
        self.of_gait = GaitFigures(dt)
        robot = loop.backend
        self._forces = ForceRecorder(robot) if isinstance(robot, PhysicalHexapod) else None

    def add(self, walked: PeriodicLoopStep) -> None:
        """Take in a step."""
        before, gait, after = walked.before, walked.walked.gait, walked.after
        step = record(self._loop.plan, walked.walked, walked.pose)
        self.of_gait.add(explained(step, walked.charge))
        loop, robot = self._loop, self._loop.plan.robot
        standing_feet = []
        for place, leg in enumerate(gait.state.legs):
            if not leg.stands:
                self._anchors.pop(place, None)
                continue
            world = after.pose.apply(after.feet[place])
            standing_feet.append(world)
            self.drift = max(self.drift, math.dist(world, self._anchors.setdefault(place, world)))
        centre = after.pose.apply(mass_centre(robot.masses, loop.legs.points(after.joints)))
        self.energy = min(self.energy, energy_margin(standing_feet, centre, robot.masses.total))
        legs = loop.legs.canonical
        joints = legs.canonical(after.joints)
        room = np.minimum(joints - legs.low, legs.high - joints)
        self.room = min(self.room, room.min().item())
        self.effort = max(self.effort, _greatest(after.joints - before.joints) / self._dt)
        self.jump = max(self.jump, *map(math.dist, after.feet, before.feet))
        if self._forces is not None:
            self._forces.add(before, after, walked.asked.w * self._dt)

    def of_forces(self) -> ForceFigures | None:
        """Return the figures of a simulation with forces, none without them."""
        return None if self._forces is None else self._forces.figures(self.of_gait.path.length)


def _greatest(values: NDArray[np.float64]) -> float:
    return float(np.abs(values).max())


def run(
    trial: HexapodTrial, *, watch: Callable[[PeriodicLoopStep, int], None] | None = None
) -> HexapodResult:
    """Walk for the time of a trial; ``watch`` is called with every step and its number, from 1.

    Raises ValueError, one sentence, when the robot cannot walk so.
    """
    plan = trial.plan()
    x, y = trial.place
    loop = HexapodLoop(
        plan, trial.terrain, trial.step, x=x, y=y, physics=trial.physics,
        odometry=trial.odometry, seed=trial.seed,
    )  # fmt: skip
    command = limit(trial.command, mobility(plan, trial.step).limits)
    figures = _Figures(loop, trial.step)
    reason = ''
    for count in range(1, trial.steps + 1):
        try:
            walked = loop.step(Screw2(*command))
        except ValueError as error:
            if trial.physics is None:
                raise
            reason = str(error)
            break
        figures.add(walked)
        if watch is not None:
            watch(walked, count)
        if isinstance(loop.backend, PhysicalHexapod) and loop.backend.fell:
            reason = 'fell'
            break
    return figures.of_gait.result(
        trial,
        plan,
        reason,
        min_energy_margin_j=figures.energy,
        max_drift_m=figures.drift,
        min_limit_room_rad=figures.room,
        max_joint_effort=figures.effort / trial.robot.joint_speed,
        max_jump_m=figures.jump,
        forces=figures.of_forces(),
    )
