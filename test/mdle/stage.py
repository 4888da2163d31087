"""Run programs on the reference simulation, and on a robot whose channels a test sets."""

from dataclasses import dataclass, field, replace

from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.robot import Channel, Observation, OutputSpec, RobotSpec, SpaceSpec
from walking_robots.mdle.runtime.executor import Executor, RunPhase
from walking_robots.mdle.runtime.job import Job, default_entry
from walking_robots.mdle.runtime.settings import ExecutorSettings, OperatorRequest
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.local_services import LocalServices
from walking_robots.virtual_robots.scout import scout_spec

SECOND = 1_000_000_000
START = SECOND
HEAD = 'mdle 1;\nimport std.body2;\n'
GO = 'atom go() on body2 { control [0.2 m/s, 0 rad/s]; timeout inf; }\n'
SEG = 'atom seg() on body2 { control [0.2 m/s, 0 rad/s] for 1 s; }\n'
SAY = 'atom say() on none { timeout 0.1 s => next; until false; }\n'

LABORATORY = RobotSpec(
    'laboratory',
    {
        'body2': SpaceSpec(
            'body2',
            (Channel('v', 'm/s', -1.0, 1.0), Channel('w', 'rad/s', -2.0, 2.0)),
            resources=frozenset(['base']),
        )
    },
    {
        'a': OutputSpec('bool'),
        'b': OutputSpec('bool'),
        'c': OutputSpec('bool'),
        'x': OutputSpec('m', -10.0, 10.0),
        'quiet': OutputSpec('m', 0.0, 10.0, safety=False),
        'beams': OutputSpec('m', 0.0, 10.0, size=3),
        'bumper.any': OutputSpec('bool'),
        'bumper.front': OutputSpec('bool'),
        'bumper.rear': OutputSpec('bool'),
    },
)


class Told:
    """A robot whose channels are what the test sets, and that keeps what it was reported to do."""

    def __init__(self, **values):
        self.spec = LABORATORY
        self.values = dict.fromkeys(LABORATORY.outputs, False)
        self.values |= {'x': 0.0, 'quiet': 0.0, 'beams': (1.0, 2.0, 3.0)} | values
        self.ages = {}
        self.log = []
        self.now = 0
        self.rests = True

    def read(self, now):
        self.now = now
        stamps = {name: now - self.ages.get(name, 0) for name in self.values}
        return Observation(dict(self.values), stamps)

    def apply(self, space, control, valid_for):
        self.log.append((self.now, space, control))

    def stop(self, mode='brake'):
        self.log.append((self.now, 'stop', ()))

    def stopped(self):
        return self.rests


@dataclass
class Stage:
    """An executor, its robot, and the time."""

    executor: Executor
    robot: object
    now: int = START
    events: list = field(default_factory=list)

    def tick(self, times=1):
        """Do so many ticks; tells the phase after the last."""
        for _ in range(times):
            phase = self.executor.tick(self.now)
            self.events += self.executor.take_events()
            self.now += self.executor.settings.period
        return phase

    def ask(self, kind, text='', **fields):
        """Ask as an operator, for the next tick."""
        self.executor.ask(OperatorRequest(kind, text, **fields))

    def finish(self, seconds=3600.0, between=None):
        """Tick until the program has ended; gives its result."""
        ticks = 0
        while self.executor.phase is not RunPhase.TERMINATED:
            if between:
                between(self)
            self.tick()
            ticks += 1
            assert ticks * self.executor.settings.tick_period < seconds, 'it does not end'
        return self.executor.result

    @property
    def running(self):
        """Give the paths of what runs."""
        return list(dict.fromkeys(frame.path for frame in self.executor.frames()))

    def entered(self, kind='enter'):
        """Give the last part of the paths of what was entered, in order."""
        return [e.path.rsplit('.', 1)[-1] for e in self.events if e.kind == kind]

    @property
    def said(self):
        """Give what the program wrote to the log."""
        return self.executor.services.lines

    def driven(self):
        """Give the controls that the robot was reported, without stops."""
        return [control for _, space, control in self.robot.log if space != 'stop']


def job(text, entry='', **fields):
    program = parse_text(text if text.startswith('mdle') else HEAD + text)
    return Job(program, standard_library(), entry or default_entry(program), **fields)


def begin(text, entry='', robot=None, settings=None, services=None, paused=False, **fields):
    """Start a program; without a robot, on the reference simulation of the Scout."""
    robot = robot or KinematicRobot(scout_spec())
    executor = Executor(robot, settings or ExecutorSettings(), services or LocalServices())
    executor.start(job(text, entry, **fields), START, paused)
    return Stage(executor, robot)


def after(ticks, text, values=None, **fields):
    """Start a program, by default on Told, and set channels after so many ticks."""
    stage = begin(text, **{'robot': Told()} | fields)
    stage.tick(ticks)
    stage.robot.values |= values or {}
    return stage


def run(text, entry='', **fields):
    """Run a program to its end; gives the result and the stage."""
    stage = begin(text, entry, **fields)
    return stage.finish(), stage


def settings(**fields):
    return replace(ExecutorSettings(), **fields)
