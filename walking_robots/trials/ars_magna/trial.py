"""Run a robot program in a world of ARS MAGNA without a screen."""

import math
import statistics
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.agent.messages import DONE, ERROR, CommandReport
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.agent.trace import ReportTrace
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.console.words import specification_of
from walking_robots.ars_magna.design.files import load_design
from walking_robots.ars_magna.design.model import WorldDesign
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.plans.failing import PlanFailedError
from walking_robots.ars_magna.plans.programs import program_of
from walking_robots.ars_magna.sensing.matching import matches_truth
from walking_robots.ars_magna.sensing.specifications import specification
from walking_robots.ars_magna.simulation.ground import cell_of
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.messages import Message
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.ars_magna.simulation.things import Thing

SUCCEEDED, MISSED, FAILED, TIMED_OUT = 'succeeded', 'missed', 'failed', 'timeout'
TIMEOUT = 'TIMEOUT'

NEAR = 1.0
"""Cells (m) from its goal within which a thing, or the robot, is there."""


@dataclass(frozen=True)
class ArsTrial:
    """What to run: a program in a world, or in a design that is at hand.

    worlds: files, the first with the map; plan: name of a program, or module:coroutine; what:
    words that describe the thing, such as 'color=red size=1..3', '' for what ``targets_of``
    chooses; noise: clean, default, or a factor; ticks: after how many it is given up.
    """

    worlds: tuple[str, ...]
    plan: str = 'fetch'
    seed: int = 0
    noise: str = 'default'
    ticks: int = 20_000
    what: str = ''
    robot: str = ''


@dataclass(frozen=True)
class ArsResult:
    """What came of a trial.

    outcome: succeeded, missed (the program ended, and its goal is not reached), failed, timeout;
    code: of the step that failed; goal_reached: by truth, or by the program where it has no goal
    to be measured; position_error_m: distance of the thing from where the robot began, or of the
    robot where nothing is fetched; commands: number that ended; trace_sha256: over all reports,
    see `agent.trace`; message: what the program says, and errors of the world itself.
    """

    outcome: str
    code: str
    ticks: int
    goal_reached: bool
    position_error_m: float
    commands: int
    trace_sha256: str
    message: str


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
    """A trial under way, wherever its world is.

    robot: name; home: where it begins, cells; targets: labels of the things of which one is to be
    at home at the end, none where the robot itself is; task: the program.
    """

    def __init__(
        self,
        plan: str,
        robot: str,
        home: tuple[float, float],
        targets: Sequence[str],
        what: Any,
    ) -> None:
        """Take what `prepare` has found."""
        self.robot, self.home, self.targets = robot, home, tuple(targets)
        self._plan, self._what = plan, what
        self._trace, self._ended = ReportTrace(), 0
        self.task: Task[Any]

    def start(self, robot: Robot) -> None:
        """Start the program, and listen to the reports to its robot."""
        robot.listeners.append(self._hear)
        self.task = Task(program_of(self._plan).start(robot, self._what))

    def result(
        self, ticks: int, places: Iterable[tuple[float, float]], messages: Iterable[Message]
    ) -> ArsResult:
        """Return what came of it.

        places: where the things, or the robot, are at last; messages: of the world, for people.
        """
        outcome, code, message = _ending(self.task, self._plan)
        error = min(math.dist(at, self.home) for at in places)
        has_goal = bool(self.targets) or program_of(self._plan).goes_home
        reached = outcome == SUCCEEDED and (error < NEAR or not has_goal)
        if outcome == SUCCEEDED and not reached:
            what = 'the thing' if self.targets else 'the robot'
            outcome, message = MISSED, f'the program ended, but {what} is {error:.1f} m from home'
        return ArsResult(
            outcome,
            code,
            ticks,
            reached,
            error,
            self._ended,
            self._trace.sha256,
            '; '.join((message, *_mistakes(messages))),
        )

    def _hear(self, report: CommandReport) -> None:
        self._trace.add(report)
        self._ended += report.kind == DONE


def prepare(trial: ArsTrial, simulator: Simulator | None = None) -> TrialRun:
    """Find the robot of a trial and what it is to fetch; raise ValueError for what cannot be."""
    program = program_of(trial.plan)
    if simulator is None:
        simulator = Simulator(load_design(*trial.worlds), trial.seed)
    world = simulator.world
    if not world.robots:
        raise ValueError(f"{world.name} has no robot; write one under 'robots'")
    name = trial.robot or next(iter(world.robots))
    if name not in world.robots:
        raise ValueError(f'there is no robot {name!r}; the world has {", ".join(world.robots)}')
    truth = world.robots[name]
    lacks = program.missing(truth.parts)
    if lacks:
        raise ValueError(f'{name} has no {lacks}, which {trial.plan} needs; give it one')
    targets, what = targets_of(simulator, name, trial.what)
    # A person's own program has a thing to bring home where one is asked for.
    fetches = program.fetches and (program.goes_home or trial.what)
    labels = [thing.label for thing in targets] if fetches else []
    return TrialRun(trial.plan, name, (truth.x, truth.y), labels, what)


def run(trial: ArsTrial, design: WorldDesign | None = None) -> ArsResult:
    """Run a trial in plain Python; raise ValueError with one sentence for one that cannot be."""
    simulator = Simulator(load_design(*trial.worlds) if design is None else design, trial.seed)
    world = simulator.world
    world.parameters = noisy(world.parameters, trial.noise)
    course = prepare(trial, simulator)
    course.start(connect(simulator, course.robot))
    while not course.task.done and simulator.now < trial.ticks:
        simulator.skip(trial.ticks - simulator.now)
    truth = world.robots[course.robot]
    things = [thing for label in course.targets for thing in world.scene.find(label)]
    places = [world.scene.position(thing) for thing in things] or [(truth.x, truth.y)]
    messages = [] if world.parameters.flush_all_errors else world.messages.take()
    return course.result(simulator.now, places, messages)


def _mistakes(messages: Iterable[Message]) -> list[str]:
    """Return the first of the errors of the world itself, and how many more there are."""
    errors = [one.text.rstrip('.') for one in messages if one.severity == ERROR and not one.robot]
    more = [f'and {len(errors) - 3} more errors of the world'] if len(errors) > 3 else []
    return errors[:3] + more


def targets_of(
    simulator: Simulator, robot: str, words: str = ''
) -> tuple[Sequence[Thing], Sequence[Any]]:
    """Return the things on the ground that truly fit a description, and the description.

    words: of it; without them it is that of something that the robot can lift and stow, by its
    color where it has one, otherwise by its size; nothing where there is none. What the robot
    could see from where it stands goes before what is behind walls, and the near before the far.
    Raises ValueError for a description that nothing on the ground fits.
    """
    world = simulator.world
    truth = world.robots[robot]
    strength = max((hand.strength for hand in truth.hands), default=0.0)
    room = max((found.capacity for found in truth.bins), default=0.0)

    def is_beyond(thing: Thing) -> bool:
        walled = world.ground.is_filled(*cell_of(thing.x, thing.y))
        heavy = thing.weight > strength or thing.size > room
        return thing.blocks_movement or walled or heavy

    def rank(thing: Thing) -> tuple[bool, float]:
        hidden = not world.scene.is_visible(truth.x, truth.y, thing.x, thing.y)
        return hidden, truth.distance_to(thing.x, thing.y)

    lying, attributes = world.scene.lying()[0], world.definitions.attributes
    entries: Sequence[Any] = specification_of(words.split(), attributes)
    if not words:
        suitable = [
            thing
            for thing in lying
            if not is_beyond(thing) and ('color' in thing.attributes or 'size' in thing.attributes)
        ]
        if not suitable:
            return (), ()
        nearest = min(suitable, key=rank)
        name = 'color' if 'color' in nearest.attributes else 'size'
        entries = ((name, nearest.attributes[name]),)
    wanted = specification(entries, attributes, substances=world.design.substances)
    fitting = [
        thing
        for thing in lying
        if matches_truth(wanted, thing.attributes, world.parameters, {}) is not None
    ]
    if not fitting:
        raise ValueError(
            f"nothing on the ground of {world.name} fits '{words:.80}'; describe one of its things"
        )
    return fitting, entries


@dataclass(frozen=True)
class ArsSummary:
    """What trials over seeds have in common.

    rate: share that succeeded, and ``rate_low`` ... ``rate_high`` its 95 % interval
    by Wilson's score; median_ticks, median_error_m: of those, None for none; codes: of all, by
    count.
    """

    trials: int
    succeeded: int
    missed: int
    rate: float
    rate_low: float
    rate_high: float
    median_ticks: float | None
    median_error_m: float | None
    codes: Mapping[str, int]


def summarise(results: Sequence[ArsResult]) -> ArsSummary:
    """Summarise the results of some trials, one or more."""
    done = [result for result in results if result.outcome == SUCCEEDED]
    low, high = _wilson(len(done), len(results))
    return ArsSummary(
        len(results),
        len(done),
        sum(result.outcome == MISSED for result in results),
        len(done) / len(results),
        low,
        high,
        statistics.median(result.ticks for result in done) if done else None,
        statistics.median(result.position_error_m for result in done) if done else None,
        dict(Counter(result.code for result in results).most_common()),
    )


def _wilson(hits: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """Return the interval of a probability by Wilson's score."""
    share, extra = hits / count, z * z / count
    middle = (share + extra / 2) / (1 + extra)
    half = z * math.sqrt(share * (1 - share) / count + extra / (4 * count)) / (1 + extra)
    return max(middle - half, 0.0), min(middle + half, 1.0)


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
