"""One crossing of a terrain by the Adaptive Suspension Vehicle: settings in, result out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from walking_robots.gaits.free.repairs import RULE_SETS, Repairs
from walking_robots.gaits.planned.bound import bound_of_any
from walking_robots.robots.asv import ASV, ft
from walking_robots.robots.model import HexapodModel
from walking_robots.simulation.hexapod.odometry import EXACT
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.cells import HOLE, KINDS, TernaryTerrain
from walking_robots.terrain.generator import Ditch, build
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.free import cleared
from walking_robots.trials.hexapod.invariants import InvariantMonitor
from walking_robots.trials.hexapod.loop import ClosedLoop, LoopStep, walk
from walking_robots.trials.hexapod.referee import Referee, WalkResult

MOST_STANCES = 30_000
"""Stances to look at for whether a goal is possible, with each freedom."""


@dataclass(frozen=True)
class AsvTrial:
    """Settings of a trial: speeds in m/s and rad/s, lengths in m, times in s.

    ``gait`` is one of `GAITS`. ``terrain`` replaces the generated one; ``goal`` is the x at which
    the crossing is complete; ``max_time`` defaults to 60 s and the time of 60 ft at the commanded
    speed (asv.md §19). Without ``physics`` the simulation is kinematic; with it, or with ``eyes``,
    forbidden cells are of ``forbidden_kind``, one of `KINDS`, and ditches are holes. ``odometry``
    is a kind as `drift_of` reads it; ``seed`` is that of the forbidden cells and of all noise.
    """

    speed: float = ft(0.4)
    lateral: float = 0.0
    turn: float = 0.0
    ditch: float = 0.0
    forbidden: float = 0.0
    forbidden_kind: str = KINDS[HOLE]
    seed: int = 123
    gait: str = 'rules'
    rules: str = 'repaired'
    goal: float = ft(38.0)
    max_time: float | None = None
    cross_ditches: bool = True
    terrain: TernaryTerrain | None = None
    physics: PhysicsSettings | None = None
    eyes: EyesSettings | None = None
    odometry: str = EXACT

    @property
    def command(self) -> tuple[float, float, float]:
        """Return the operator's command (vx, vy, wz)."""
        return (self.speed, self.lateral, self.turn)

    def repairs(self) -> Repairs:
        """Return the switches of the rule set; raise ValueError for an unknown name."""
        if self.rules not in RULE_SETS:
            names = ' or '.join(RULE_SETS)
            raise ValueError(f'rules {self.rules!r} are unknown; use {names}')
        return RULE_SETS[self.rules]

    def build_terrain(self) -> TernaryTerrain:
        """Return the terrain of the trial."""
        if self.terrain is not None:
            return self.terrain
        ditches = (Ditch(ASV.ditch.default_location, self.ditch),) if self.ditch else ()
        terrain = build(
            share=self.forbidden,
            seed=self.seed,
            kinds=KINDS.index(self.forbidden_kind),
            ditches=ditches,
        )
        return terrain if self.physics is None else cleared(terrain, ASV, 0.5)

    def time_limit(self) -> float:
        """Return the time after which the trial ends, s."""
        if self.max_time is not None:
            return self.max_time
        return 60.0 + (ft(60.0) / abs(self.speed) if self.speed else 0.0)

    def referee(self, start: tuple[float, ...], dt: float) -> Referee:
        """Return a referee for a walk that begins with the body at ``start``, m."""
        return Referee(
            (start[0], start[1]),
            self.goal,
            round(self.time_limit() / dt),
            dt,
            may_halt=any(self.command),
        )


def run(
    trial: AsvTrial,
    *,
    model: HexapodModel = ASV,
    repairs: Repairs | None = None,
    monitor: InvariantMonitor | None = None,
    watch: Callable[[LoopStep, int], None] | None = None,
) -> WalkResult:
    """Walk until the goal, the time limit or a halt.

    ``monitor`` checks the invariants of every step; ``watch`` is called with every step and
    its number, from 1.
    """
    terrain = trial.build_terrain()
    eyes = None
    if trial.eyes is not None:
        # Trials without eyes need neither MuJoCo nor a reader of files.
        from walking_robots.trials.hexapod.eyes import Eyes

        eyes = Eyes(trial.eyes, model, terrain, trial.seed)
    loop = ClosedLoop(
        model,
        terrain,
        repairs or trial.repairs(),
        gait=trial.gait,
        cross_ditches=trial.cross_ditches,
        physics=trial.physics,
        eyes=eyes,
        odometry=trial.odometry,
        seed=trial.seed,
    )
    referee = trial.referee(loop.backend.start, model.timing.dt)
    for count, step in enumerate(walk(loop, referee, trial.command), start=1):
        if monitor is not None:
            monitor.check(step, count)
        if watch is not None:
            watch(step, count)
    result = replace(
        referee.result(),
        plans=len(loop.planning.times),
        plan_cpu_s=sum(loop.planning.times),
    )
    return eyes.add_to(result) if eyes else result


def run_and_bound(trial: AsvTrial) -> WalkResult:
    """Walk, and find whether the vehicle could have reached the goal if it did not."""
    return with_bound(trial, run(trial))


def with_bound(trial: AsvTrial, result: WalkResult) -> WalkResult:
    """Return a result that says whether the goal is possible, with more and more freedom.

    Nothing is said of ground that is not level, and of a walk whose time is too short for its way.
    """
    if result.completed:
        return replace(result, possible='yes')
    terrain = trial.build_terrain()
    way = abs(trial.goal - ASV.start_position[0])
    if not terrain.is_level or way > abs(trial.speed) * trial.time_limit():
        return result
    goal = complex(trial.goal, ASV.start_position[1])
    return replace(result, possible=bound_of_any(ASV, terrain, goal, MOST_STANCES))
