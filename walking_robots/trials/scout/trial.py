"""Drive an emulated Scout in simulated time: the driver of the real one, and nothing else.

The driver and the emulator exchange bytes in lock-step, so that a seed gives the same bytes and
the same poses every time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.report import DriverReport, LinkPhase
from walking_robots.scout.settings import DriverSettings
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.worlds.files import load_world, parse_world
from walking_robots.worlds.world import World

SLICE = 0.005
"""Time, s, between two looks at the line; a reply takes 12.5 ms."""
REPEAT = 20
"""Slices between two velocities: ten a second."""
PATIENCE = 10.0
"""Time, s, to find the robot, and to come to rest at the end."""

OPEN_FIELD = """
ars_schema: 1
world:
  name: open_field
  size: [400, 400]
  cell: 1m
  walls: []
"""


class ScoutLoop:
    """A driver and an emulated robot on one line, in steps of simulated time."""

    def __init__(self, driver: ScoutDriver, emulator: Emulator) -> None:
        """Begin with the cable plugged in and nothing said."""
        self.driver, self.emulator = driver, emulator
        self._ticks = 0

    @property
    def time(self) -> float:
        """Return the simulated time, s."""
        return self._ticks * SLICE

    def tick(self) -> None:
        """Advance by 5 ms."""
        now, driver = self.time, self.driver
        plugged = self.emulator.connected
        if driver.wants_port and not plugged:
            driver.lost('the cable is cut', now)
        elif driver.may_open(now):
            if plugged:
                driver.opened()
            else:
                driver.lost('the cable is cut', now)
        out = driver.step(now, self.emulator.take())
        if out:
            self.emulator.feed(out)
        self.emulator.advance(SLICE)
        self._ticks += 1

    def run(self, duration: float, twist: Twist2 | None = None) -> None:
        """Advance the time, s, with a velocity commanded ten times a second, or none."""
        for count in range(round(duration / SLICE)):
            if twist is not None and count % REPEAT == 0:
                self.driver.command(twist, self.time)
            self.tick()

    def until(self, done: Callable[[DriverReport], bool], patience: float = PATIENCE) -> bool:
        """Advance the time until something holds, at most ``limit`` s; return whether it does."""
        end = self.time + patience
        while not (found := done(self.driver.report())) and self.time < end:
            self.tick()
        return found


@dataclass(frozen=True)
class ScoutTrial:
    """A drive: velocity (m/s, rad/s), how long, s, where, and with which seed."""

    twist: Twist2 = field(default_factory=Twist2)
    duration: float = 5.0
    seed: int = 0
    world: str = ''
    emulator: EmulatorSettings = field(default_factory=EmulatorSettings)
    driver: DriverSettings = field(default_factory=DriverSettings)

    def build_world(self) -> World:
        """Read the world file, or give an open field; raise WorldFileError for a wrong one."""
        return load_world(self.world) if self.world else parse_world(OPEN_FIELD, 'open field')


@dataclass(frozen=True)
class ScoutResult:
    """What came of a drive: poses in the world (m, m, rad), packets and what went wrong."""

    pose_true: Pose2
    pose_odom: Pose2
    drift_m: float
    touched: bool
    sim_time_s: float
    packets: int
    errors: int


def run(trial: ScoutTrial) -> ScoutResult:
    """Drive and come to rest.

    Raises ValueError for a twist that no robot can take.
    """
    world = trial.build_world()
    emulator = Emulator(world, trial.emulator, SUPER_SCOUT, seed=trial.seed)
    loop = ScoutLoop(ScoutDriver(trial.driver), emulator)
    start = emulator.state.pose
    if not loop.until(lambda report: report.phase is LinkPhase.RUNNING):
        raise ValueError(f'the emulated robot does not answer: {loop.driver.report().trouble}')
    touched = False
    for _ in range(round(trial.duration * 10)):
        loop.run(0.1, trial.twist)
        touched |= emulator.state.bumper != 0
    at_rest = loop.until(_at_rest)
    report, counters = loop.driver.report(), loop.driver.counters
    odometry = start @ report.pose
    wrong = counters.refused + counters.silent + counters.unasked + counters.noise + report.jumps
    return ScoutResult(
        pose_true=emulator.state.pose,
        pose_odom=odometry,
        drift_m=emulator.state.pose.distance(odometry),
        touched=touched,
        sim_time_s=loop.time,
        packets=counters.answered,
        errors=wrong + (not at_rest),
    )


def _at_rest(report: DriverReport) -> bool:
    return report.command is None and report.readings is not None and not report.readings.moving
