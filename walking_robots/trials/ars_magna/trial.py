"""Run robot programs in a world of ARS MAGNA without a screen."""

import hashlib
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.messages import DONE, ERROR, CommandReport
from walking_robots.ars_magna.agent.radio import RadioChannel
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.agent.trace import ReportTrace
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.plans.failing import PlanFailedError
from walking_robots.ars_magna.plans.programs import Goal, program_of
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.messages import Message
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.trials.ars_magna.goals import Frame, Place, Target, targets_of
from walking_robots.trials.ars_magna.metrics import Metrics, MetricsListener, together
from walking_robots.trials.ars_magna.team import Role, role_of, with_robots

SUCCEEDED, MISSED, FAILED, TIMED_OUT = 'succeeded', 'missed', 'failed', 'timeout'
TIMEOUT = 'TIMEOUT'

NEAR = 1.0
"""Cells (m) from its goal within which a thing, or the robot, is there."""


@dataclass(frozen=True)
class ArsTrial:
    """What to run: programs in a world, or in a design that is at hand.

    worlds: files, the first with the map; plan: name of a program, or module:coroutine; what:
    words that describe the thing, such as 'color=red size=1..3', or errands, '' for what
    `targets_of` chooses; noise: clean, default, or a factor; ticks: after how many it is given up;
    robot: name, '' for the first; robots: how many carry out the plan; mates: programs of further
    robots, such as 'patrol' or 'robust color=red'.
    """

    worlds: tuple[str, ...]
    plan: str = 'fetch'
    seed: int = 0
    noise: str = 'default'
    ticks: int = 20_000
    what: str = ''
    robot: str = ''
    robots: int = 1
    mates: tuple[str, ...] = ()

    @property
    def roles(self) -> Sequence[Role]:
        """Return what each robot is to do, the first one first."""
        return [Role(self.plan, self.what)] * self.robots + [role_of(one) for one in self.mates]


@dataclass(frozen=True)
class RobotResult:
    """What came of the program of one robot; fields as those of `ArsResult`."""

    robot: str
    plan: str
    outcome: str
    code: str
    goal_reached: bool
    position_error_m: float | None
    commands: int
    trace_sha256: str
    message: str
    metrics: Metrics


@dataclass(frozen=True)
class ArsResult:
    """What came of a trial.

    outcome: succeeded, missed (the program ended, and its goal is not reached), failed, timeout;
    code: of the step that failed; goal_reached: by truth, or by the program where it has no goal
    to be measured; position_error_m: largest distance of a thing from where it is to be, or of the
    robot where nothing is fetched, None where the program did not say where it found something;
    commands: number that ended; trace_sha256: over all reports, see `agent.trace`; message: what
    the program says, and errors of the world itself; metrics: sums over robots; each: what came
    of each where there are several. Of these, one that failed gives the outcome, or else one that
    did not end, or one that missed.
    """

    outcome: str
    code: str
    ticks: int
    goal_reached: bool
    position_error_m: float | None
    commands: int
    trace_sha256: str
    message: str
    metrics: Metrics
    each: tuple[RobotResult, ...] = ()


def noisy(parameters: Parameters, noise: str) -> Parameters:
    """Return parameters with clean, default or so many times the noise, or raise ValueError."""
    if noise == 'clean':
        return parameters.cleaned()
    if noise == 'default':
        return parameters
    try:
        return parameters.with_noise(float(noise))
    except ValueError:
        raise ValueError(
            f'noise {noise!r} is unknown; use clean, default, or a factor such as 0.5'
        ) from None


class TrialRun:
    """The program of one robot in a trial under way, wherever its world is.

    robot: name; targets: what is to be where at the end; task: the program.
    """

    def __init__(
        self,
        role: Role,
        robot: str,
        frame: Frame,
        goal: Goal,
        targets: Sequence[Target],
        request: Any,
    ) -> None:
        """Take what `prepare` has found."""
        self.robot, self.targets = robot, targets
        self._role, self._frame, self._goal, self._request = role, frame, goal, request
        self._trace, self._ended = ReportTrace(), 0
        self._metrics: MetricsListener
        self.task: Task[Any]

    @property
    def labels(self) -> Sequence[str]:
        """Return the labels of all things of its targets."""
        return list(dict.fromkeys(label for target in self.targets for label in target.labels))

    def start(self, robot: Robot, channel: RadioChannel) -> None:
        """Start the program, and listen to the reports to its robot."""
        robot.radio.channel = channel
        robot.listeners.append(self._hear)
        self._metrics = MetricsListener(robot)
        self.task = Task(program_of(self._role.plan).start(robot, self._request))

    def result(self, places: Mapping[str, Place]) -> RobotResult:
        """Return what came of it; places: of things by label, and of robots by name, cells."""
        plan = self._role.plan
        outcome, code, message = _ending(self.task, plan)
        targets, goal = self.targets, self._goal
        if goal is Goal.FOUND:
            targets = self._found() if outcome == SUCCEEDED else ()
        error = max((one.error(places, self.robot) for one in targets), default=None)
        is_near = error is not None and error < NEAR
        reached = outcome == SUCCEEDED and (is_near or goal is Goal.NONE)
        if outcome == SUCCEEDED and not reached:
            what = 'a thing' if any(one.labels for one in targets) else 'the robot'
            where = 'from where it should be' if error is None else f'{error:.1f} m from its place'
            outcome, message = MISSED, f'the program ended, but {what} is {where}'
        return RobotResult(
            self.robot,
            plan,
            outcome,
            code,
            reached,
            error,
            self._ended,
            self._trace.sha256,
            message,
            self._metrics.metrics(),
        )

    def _found(self) -> Sequence[Target]:
        """Return the targets at the places that the program has returned."""
        places = [self._frame.to_room(place) for place in self.task.result()]
        return [
            replace(target, place=place)
            for target, place in zip(self.targets, places, strict=True)
        ]

    def _hear(self, report: CommandReport) -> None:
        self._trace.add(report)
        self._ended += report.kind == DONE


def result_of(
    team: Sequence[TrialRun],
    ticks: int,
    places: Mapping[str, Place],
    messages: Iterable[Message],
) -> ArsResult:
    """Return what came of a trial.

    places: where things, by label, and robots, by name, are at last; messages: of the world, for
    people.
    """
    each = [course.result(places) for course in team]
    # What failed is the reason where others miss what they share with it.
    worst = [FAILED, TIMED_OUT, MISSED, SUCCEEDED]
    first = min(each, key=lambda one: worst.index(one.outcome))
    errors = [one.position_error_m for one in each if one.position_error_m is not None]
    traces = '\n'.join(one.trace_sha256 for one in each)
    is_single = len(each) == 1
    return ArsResult(
        first.outcome,
        first.code,
        ticks,
        all(one.goal_reached for one in each),
        max(errors, default=None),
        sum(one.commands for one in each),
        traces if is_single else hashlib.sha256(traces.encode()).hexdigest(),
        '; '.join((first.message, *_mistakes(messages))),
        together(one.metrics for one in each),
        () if is_single else tuple(each),
    )


def design_of(
    trial: ArsTrial, design: WorldDesign | None = None
) -> tuple[WorldDesign, Sequence[str]]:
    """Return the world of a trial, with as many robots as it needs, and their names."""
    found = load_design(*trial.worlds) if design is None else design
    if not found.robots:
        raise ValueError(f"{found.name} has no robot; write one under 'robots'")
    known = [robot.name for robot in found.robots]
    first = trial.robot or known[0]
    if first not in known:
        raise ValueError(f'there is no robot {first!r}; the world has {", ".join(known)}')
    return with_robots(found, first, len(trial.roles))


def prepare(trial: ArsTrial, simulator: Simulator, names: Sequence[str]) -> Sequence[TrialRun]:
    """Find what each robot of a trial is to do; raise ValueError for what cannot be."""
    world, team = simulator.world, []
    for role, name in zip(trial.roles, names, strict=True):
        truth, program = world.robots[name], program_of(role.plan)
        lacks = program.missing(truth.parts)
        if lacks:
            raise ValueError(f'{name} has no {lacks}, which {role.plan} needs; give it one')
        # A person's own program has a goal where one is asked for.
        goal = program.goal if ':' not in role.plan or role.what else Goal.NONE
        leader = Frame.of(world.robots[names[0]])
        targets, request = targets_of(world, truth, goal, role.what, leader)
        team.append(TrialRun(role, name, Frame.of(truth), goal, targets, request))
    return team


def run(
    trial: ArsTrial,
    design: WorldDesign | None = None,
    listen: Callable[[CommandReport], None] | None = None,
) -> ArsResult:
    """Run a trial in plain Python; raise ValueError with one sentence for one that cannot be.

    listen: is called with all reports to robots.
    """
    found, names = design_of(trial, design)
    simulator = Simulator(found, trial.seed)
    world = simulator.world
    world.parameters = noisy(world.parameters, trial.noise)
    team, channel = prepare(trial, simulator, names), RadioChannel()
    for course in team:
        robot = connect(simulator, course.robot)
        if listen is not None:
            robot.listeners.append(listen)
        course.start(robot, channel)
    while not all(course.task.done for course in team) and simulator.now < trial.ticks:
        simulator.skip(trial.ticks - simulator.now)
    places = {name: (robot.x, robot.y) for name, robot in world.robots.items()}
    for label in (label for course in team for label in course.labels):
        places.update((label, world.scene.position(thing)) for thing in world.scene.find(label))
    messages = [] if world.parameters.flush_all_errors else world.messages.take()
    return result_of(team, simulator.now, places, messages)


def _mistakes(messages: Iterable[Message]) -> list[str]:
    """Return the first of the errors of the world itself, and how many more there are."""
    errors = [one.text.rstrip('.') for one in messages if one.severity == ERROR and not one.robot]
    more = [f'and {len(errors) - 3} more errors of the world'] if len(errors) > 3 else []
    return errors[:3] + more


def _ending(task: Task[Any], plan: str) -> tuple[str, str, str]:
    if not task.done:
        return TIMED_OUT, TIMEOUT, 'the program had not come to its end'
    try:
        task.result()
    except PlanFailedError as error:
        return FAILED, str(error.code), str(error)
    except Exception as error:
        if ':' not in plan:
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f'{Path(last.filename).name}, line {last.lineno}'
        return FAILED, type(error).__name__.upper(), f'{where}: {type(error).__name__}: {error}'
    return SUCCEEDED, str(Code.NIL), 'done'
