"""Run programs of the motion language on simulated robots, in simulated time (mdle.md §4.17)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from random import Random
from typing import Any

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.analysis.report import Report
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.knowledge.names import Library
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.program_store import FORMATS, parse_program
from walking_robots.mdle.robot import RobotSpec, VirtualRobot
from walking_robots.mdle.runtime.events import Event, Result
from walking_robots.mdle.runtime.settings import SECOND, ExecutorSettings, OperatorRequest
from walking_robots.mdle.session import RunRequest, Session
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.local_services import LocalServices
from walking_robots.virtual_robots.recorded import RecordedReading, Replayed
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.virtual_robots.twist import twist_spec
from walking_robots.worlds.files import load_world
from walking_robots.worlds.moving_disc import Jump

ROBOTS: Mapping[str, Callable[[], RobotSpec]] = {'scout-sim': scout_spec, 'twist': twist_spec}
"""Simulated robots by name, each with what it offers to programs."""

RECORDED = ('entry', 'arguments', 'robot', 'gait', 'tick_period', 'limit', 'default_guards')
"""Fields of a trial that what is recorded does not show."""
CONE = 5
"""Rays of a sonar among walls."""


@dataclass(frozen=True)
class MdleTrial:
    """A program, the robot that runs it, and where.

    source, form, file: the text, 'mdle' or 'yaml', its name in messages; entry: empty for the
    last plan; arguments: of the entry, as written; robot: one of ROBOTS, or one on legs
    (`program_robots`); gait: of a hexapod, empty for the usual one; world: a file, empty for
    an open plane; noise: of the sonars, as a share of the distance; slip, latency, integrator: of
    the simulation; tick_period, limit: s; default_guards: whether a contact ends the program.
    """

    source: str
    form: str = FORMATS[0]
    file: str = 'program'
    entry: str = ''
    arguments: Mapping[str, str] = field(default_factory=dict)
    robot: str = 'scout-sim'
    gait: str = ''
    tick_period: float = 0.05
    world: str = ''
    start: Pose2 | None = None
    object_script: tuple[Jump, ...] = ()
    seed: int = 0
    noise: float = 0.0
    slip: float = 0.0
    latency: float = 0.0
    integrator: str = 'exp'
    limit: float = 3600.0
    default_guards: bool = True

    def about(self) -> dict[str, Any]:
        """Return what a recording has to say, so that its program can be run on it again."""
        return {name: getattr(self, name) for name in RECORDED}

    def order(self) -> RunRequest:
        """Return the request to run it."""
        return RunRequest(self.source, self.form, self.file, self.entry, self.arguments)

    def spec(self) -> RobotSpec:
        """Return what the robot offers; raises ValueError for one that is not there."""
        if self.robot not in ROBOTS:
            raise ValueError(f'{self.robot!r} is no robot here; use one of {", ".join(ROBOTS)}')
        return ROBOTS[self.robot]()

    def build_robot(self) -> KinematicRobot:
        """Put the robot where it begins.

        Raises WorldFileError for a wrong world, ValueError where nothing can be simulated.
        """
        world = load_world(self.world) if self.world else None
        return KinematicRobot(
            self.spec(),
            self.start or (world.start if world else ORIGIN),
            integrator=self.integrator,
            slip=self.slip,
            latency=self.latency,
            world=world,
            beam_rays=CONE,
            sonar_noise=self.noise,
            object_script=self.object_script,
            rng=Random(self.seed),
        )


@dataclass(frozen=True)
class MdleResult:
    """How a run ended; poses in m and rad.

    code: of mdle.md §7; path, line, guard: what ended it, and where that stands; end_pose: by
    odometry; way_m: driven on body2; events_sha256: of all events, equal for equal runs;
    log: what the program said.
    """

    outcome: str
    code: str
    message: str
    path: str
    duration_s: float
    ticks: int
    end_pose: Pose2
    events_sha256: str
    line: int
    guard: str
    way_m: float
    interrupts: int
    log: tuple[str, ...] = ()

    @property
    def succeeded(self) -> bool:
        """Return whether the program ended as it may: at its end, or by an interrupt."""
        return self.outcome in ('DONE', 'INTERRUPT')

    def plain(self) -> dict[str, Any]:
        """Return it as JSON holds it."""
        return asdict(self) | {'end_pose': list(self.end_pose), 'log': list(self.log)}


Watch = Callable[['MdleLoop', Sequence[Event]], None]


class MdleLoop:
    """A session on a robot, in steps of simulated time.

    report: what the checker says of the program. Raises ProgramError for a program that cannot
    run, ValueError for arguments that cannot be read.
    """

    def __init__(self, trial: MdleTrial, robot: VirtualRobot, library: Library) -> None:
        """Take the program; the clock begins at 0."""
        # The checker speaks of what can be read; what cannot is reported here, all of it.
        parse_program(trial.source, trial.form, trial.file)
        self.robot = robot
        self.services = LocalServices()
        settings = ExecutorSettings(
            trial.tick_period,
            default_guards=trial.default_guards,
        )
        self.session = Session(robot, library, settings, self.services)
        self._limit: int | None = round(trial.limit * SECOND)
        self.now = 0
        self.ticket = self.session.submit(trial.order(), self.now)
        self.report: Report | None = self.ticket.report
        refused = self.ticket.result
        if refused and self.report and self.report.errors:
            raise ProgramError(self.report.errors, trial.file)
        if refused:
            raise ValueError(f'{trial.file}: {refused.message}')

    def tick(self) -> list[Event]:
        """Do one tick, and advance time to the next."""
        executor = self.session.executor
        if self._limit is not None and self.now >= self._limit:
            text = f'stopped at the time limit of {self._limit / SECOND:g} s'
            executor.ask(OperatorRequest('stop', text))
            self._limit = None
        events = self.session.tick(self.now)
        self.now += executor.settings.period
        return events

    def run(self, watch: Watch | None = None) -> MdleResult:
        """Do ticks until the program has ended; ``watch`` sees each with its events."""
        while self.ticket.result is None:
            events = self.tick()
            if watch:
                watch(self, events)
        return self._summary(self.ticket.result)

    def _summary(self, result: Result) -> MdleResult:
        same = {item.name for item in fields(Result)} & {item.name for item in fields(MdleResult)}
        return MdleResult(
            **{name: getattr(result, name) for name in same},
            duration_s=result.duration,
            way_m=result.way,
            log=tuple(self.services.lines),
        )


def run(
    trial: MdleTrial,
    *,
    library: Library | None = None,
    robot: VirtualRobot | None = None,
    watch: Watch | None = None,
) -> MdleResult:
    """Run a program to its end; without a robot, on the one that the trial simulates.

    Raises ProgramError, with all errors, for a program that has some; ValueError for a trial that
    cannot be, or arguments that cannot be read.
    """
    loop = MdleLoop(trial, robot or trial.build_robot(), library or standard_library())
    return loop.run(watch)


def recorded_trial(about: Mapping[str, Any], source: str, form: str, file: str) -> MdleTrial:
    """Return the trial of a recording, with a program.

    Raises ValueError where it lacks what is needed.
    """
    try:
        # Recordings of robots on wheels may have no gait.
        recorded = {name: {'gait': '', **about}[name] for name in RECORDED}
    except KeyError as error:
        raise ValueError(f'the recording lacks {error}') from None
    return MdleTrial(source, form, file, **recorded)


def replay(
    trial: MdleTrial,
    readings: Sequence[RecordedReading],
    *,
    spec: RobotSpec | None = None,
    library: Library | None = None,
    watch: Watch | None = None,
) -> MdleResult:
    """Run a program on the readings of another run; equal programs do equally (AC-28).

    ``spec`` is what the recorded robot offers, by default that of the trial. Raises as ``run``
    does, and RecordingError where the recording ends before the program.
    """
    robot = Replayed(spec or trial.spec(), readings)
    return run(trial, library=library, robot=robot, watch=watch)
