"""Judge a walk from what its coordinator reports, step by step.

The referee sees only :class:`GaitStep`, which also travels on the topic ``gait/state``: it
measures walks in plain Python and in the graph in the same way.
"""

import math
from dataclasses import dataclass, field

from walking_robots.gaits.commands.stall_detector import HALT_TIME, StallDetector
from walking_robots.gaits.free.ditch_crossing import CYCLES
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.trials.hexapod.forces import ForceFigures, ForceRecorder
from walking_robots.trials.hexapod.trace import Trace


@dataclass(frozen=True)
class WalkResult:
    """What came of a walk; ``ditch_state`` is the last state in the ditch, such as '5.3'.

    ``reason`` is reached, timeout, halted, or with forces why the walk ended, which legs have
    failed, and why the robot rests or goes slower. The number of plans,
    their CPU time, s, and ``forces`` are known of walks without a graph. ``possible`` says whether
    some walk gets there: yes, no or undecided.
    With eyes: how often feet came down, how often on forbidden ground, the 95th percentile of the
    errors of the map, and the share of it that was seen.
    """

    completed: bool
    reason: str
    sim_time_s: float
    distance_m: float
    mean_speed_m_s: float
    min_stability_margin_m: float
    ditch_state: str | None
    steps: int
    trace_sha256: str
    plans: int | None = field(default=None, compare=False)
    plan_cpu_s: float | None = field(default=None, compare=False)
    possible: str | None = field(default=None, compare=False)
    forces: ForceFigures | None = field(default=None, compare=False)
    footholds: int | None = field(default=None, compare=False)
    false_footholds: int | None = field(default=None, compare=False)
    map_error_m: float | None = field(default=None, compare=False)
    seen_share: float | None = field(default=None, compare=False)


class Referee:
    """Follows a walk until it reaches its goal, exceeds its time or halts.

    ``start`` and ``goal`` are x of the body (m, odometry frame); the walk is complete at the
    goal, which may lie behind. ``max_steps`` bounds its length, ``dt`` (s) is the length of a
    step. ``forces`` follows those of a simulation with them.
    """

    def __init__(
        self, start: tuple[float, float], goal: float, max_steps: int, dt: float, *, may_halt: bool
    ) -> None:
        """Begin with a body at ``start`` (x, y); without ``may_halt`` standing still is fine."""
        self.trace = Trace()
        self.reason = ''
        self.forces: ForceRecorder | None = None
        self._start, self._goal, self._max_steps, self._dt = start, goal, max_steps, dt
        self._ahead = 1.0 if goal >= start[0] else -1.0
        self._may_halt = may_halt
        self._least = math.inf
        self._stillness = StallDetector(round(HALT_TIME / dt))
        self._ditch_state: str | None = None
        self._position = start
        self._failures = self._slowed = ''

    def add(self, gait: GaitStep) -> bool:
        """Take in a step; True when the walk has ended."""
        self.trace.add(gait)
        self._failures, self._slowed = gait.failures(), gait.slowed
        self._least = min(self._least, gait.margin)
        self._ditch_state = state_number(gait.cycle, gait.state) or self._ditch_state
        self._position = gait.motion.pose.position[:2]
        if self._stillness.add(gait) and self._may_halt:
            self.reason = 'halted'
        elif self._ahead * (self._position[0] - self._goal) >= 0.0:
            self.reason = 'reached'
        elif self.trace.steps >= self._max_steps:
            self.reason = 'timeout'
        return bool(self.reason)

    def result(self) -> WalkResult:
        """Return the result so far."""
        time = self.trace.steps * self._dt
        distance = math.dist(self._position, self._start)
        return WalkResult(
            completed=self.reason == 'reached',
            reason='; '.join(filter(None, (self.reason, self._failures, self._slowed))),
            sim_time_s=round(time, 6),
            distance_m=distance,
            mean_speed_m_s=distance / time if time else 0.0,
            min_stability_margin_m=self._least,
            ditch_state=self._ditch_state,
            steps=self.trace.steps,
            trace_sha256=self.trace.hexdigest(),
            forces=None if self.forces is None else self.forces.figures(distance),
        )


def state_number(cycle: int, state: str) -> str | None:
    """Return the number of a ditch state as the paper writes it: cycle and place in it."""
    states = CYCLES.get(cycle, ())
    return f'{cycle}.{states.index(state) + 1}' if state in states else None
