"""One crossing of a terrain by the Adaptive Suspension Vehicle: settings in, result out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from walking_robots.gaits.repairs import RULE_SETS, Repairs
from walking_robots.robots.asv import ASV, ft
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.generator import Ditch, build
from walking_robots.trials.invariants import InvariantMonitor
from walking_robots.trials.loop import ClosedLoop, LoopStep
from walking_robots.trials.trace import Trace

HALT_STEPS = 150
"""Steps without any change after which a walk counts as halted."""


@dataclass(frozen=True)
class AsvTrial:
    """Settings of a trial: speeds in m/s and rad/s, lengths in m, times in s.

    ``terrain`` replaces the generated one; ``goal`` is the x at which the crossing is complete;
    ``max_time`` defaults to 60 s and the time of 60 ft at the commanded speed (asv.md §19).
    """

    speed: float = ft(0.4)
    lateral: float = 0.0
    turn: float = 0.0
    ditch: float = 0.0
    forbidden: float = 0.0
    seed: int = 123
    rules: str = 'repaired'
    goal: float = ft(38.0)
    max_time: float | None = None
    cross_ditches: bool = True
    terrain: TernaryTerrain | None = None

    def repairs(self) -> Repairs:
        """Give the switches of the rule set; raise ValueError for an unknown name."""
        if self.rules not in RULE_SETS:
            names = ' or '.join(RULE_SETS)
            raise ValueError(f'rules {self.rules!r} are unknown; use {names}')
        return RULE_SETS[self.rules]

    def build_terrain(self) -> TernaryTerrain:
        """Give the terrain of the trial."""
        if self.terrain is not None:
            return self.terrain
        ditches = (Ditch(ASV.ditch.default_location, self.ditch),) if self.ditch else ()
        return build(share=self.forbidden, seed=self.seed, ditches=ditches)

    def time_limit(self) -> float:
        """Give the time after which the trial ends, s."""
        if self.max_time is not None:
            return self.max_time
        return 60.0 + (ft(60.0) / abs(self.speed) if self.speed else 0.0)


@dataclass(frozen=True)
class AsvResult:
    """What came of a trial; ``ditch_state`` is the last state in the ditch, such as '5.3'."""

    completed: bool
    reason: str
    sim_time_s: float
    distance_m: float
    mean_speed_m_s: float
    min_stability_margin_m: float
    ditch_state: str | None
    steps: int
    trace_sha256: str


def run(
    trial: AsvTrial,
    *,
    model: HexapodModel = ASV,
    repairs: Repairs | None = None,
    monitor: InvariantMonitor | None = None,
    watch: Callable[[LoopStep, int], None] | None = None,
) -> AsvResult:
    """Walk until the goal, the time limit or a halt.

    ``monitor`` checks the invariants of every step; ``watch`` is called with every step and
    its number.
    """
    loop = ClosedLoop(
        model,
        trial.build_terrain(),
        repairs or trial.repairs(),
        cross_ditches=trial.cross_ditches,
    )
    trace = Trace()
    start = loop.backend.state.position
    limit = round(trial.time_limit() / model.timing.dt)
    command = (trial.speed, trial.lateral, trial.turn)
    least, still, ditch_state = float('inf'), 0, None
    reason = 'timeout'
    while trace.steps < limit:
        step = loop.step(command)
        trace.add(step.gait)
        if monitor is not None:
            monitor.check(step, trace.steps)
        if watch is not None:
            watch(step, trace.steps)
        least = min(least, step.gait.margin)
        ditch_state = state_number(step.gait.cycle, step.gait.state) or ditch_state
        if step.after.position[0] >= trial.goal:
            reason = 'reached'
            break
        still = still + 1 if nothing_changes(step) else 0
        if still >= HALT_STEPS and trial.speed:
            reason = 'halted'
            break
    end = loop.backend.state.position
    time = trace.steps * model.timing.dt
    distance = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    return AsvResult(
        completed=reason == 'reached',
        reason=reason,
        sim_time_s=round(time, 6),
        distance_m=distance,
        mean_speed_m_s=distance / time,
        min_stability_margin_m=least,
        ditch_state=ditch_state,
        steps=trace.steps,
        trace_sha256=trace.hexdigest(),
    )


def nothing_changes(step: LoopStep) -> bool:
    """Tell whether a step left body and legs as they were, with nothing under way."""
    return (
        not step.gait.decisions
        and step.gait.motion.rates.at_rest
        and all(
            report.plan is leg.plan and report.control is leg.control
            for report, leg in zip(step.reports, step.servo.legs, strict=True)
        )
    )


def state_number(cycle: int, state: str) -> str | None:
    """Number a state of the ditch crossing as the paper does: cycle and place in it."""
    from walking_robots.gaits.ditch_crossing import CYCLES

    states = CYCLES.get(cycle, ())
    return f'{cycle}.{states.index(state) + 1}' if state in states else None


def with_trigger(model: HexapodModel, trigger: float) -> HexapodModel:
    """Give a model whose ditch crossing begins at another distance, m."""
    return replace(model, ditch=replace(model.ditch, trigger=trigger))
