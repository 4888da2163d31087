"""One walk of a blind biped in space: settings in, ticks out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from walking_robots.gaits.biped.spatial.controller import SpatialGait, SpatialMemory, SpatialTick
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.gaits.biped.spatial.senses import Eight, SpatialSenses, posture
from walking_robots.geometry.pose import Vector
from walking_robots.robots.kwalk_spatial import SpatialKwalk, has_tumbled
from walking_robots.simulation.biped.disturbances import SmallDisturbances
from walking_robots.simulation.biped.spatial_build import SpatialGround
from walking_robots.simulation.biped.spatial_simulation import SpatialSimulation, height_of
from walking_robots.simulation.biped.spatial_state import SpatialState
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.terrain.profile import LEVEL
from walking_robots.trials.biped.trial import NATIVE, QUIET, Noise

AHEAD, BESIDE = 0.0, math.pi / 2.0


class SpatialPush(NamedTuple):
    """A push between the hips: its beginning and duration, s, its force, N, and where it acts.

    direction: rad to the left of the heading with which the robot begins.
    """

    begin: float
    duration: float
    force: float
    direction: float


@dataclass(frozen=True)
class SpatialTrial:
    """Settings of a walk in space, SI.

    heading: rad, to the left of straight up the ground, with which the robot begins; speed, turn:
    desired, m/s and rad/s to the left; stop: when it is to stop, s, if ever; noise: as of the
    planar robots, with roll and heading as the pitch; seed: of the noise and of small disturbances
    (`walking_robots.simulation.biped.disturbances`), which are none with 0; else as
    `walking_robots.trials.biped.trial.BipedTrial`.
    """

    robot: SpatialKwalk
    parameters: SpatialParameters
    ground: SpatialGround = LEVEL
    settings: SimulationSettings = NATIVE
    time: float = 20.0
    control_step: float = 0.004
    heading: float = 0.0
    speed: float | None = None
    turn: float = 0.0
    stop: float = math.inf
    pushes: tuple[SpatialPush, ...] = ()
    noise: Noise = QUIET
    seed: int = 0


class SpatialLoopTick(NamedTuple):
    """A tick: the robot before it, what the controller made of it, its true posture.

    height: of the hips over the ground below, m; roll, pitch, heading: rad.
    """

    state: SpatialState
    gait: SpatialTick
    height: float
    roll: float
    pitch: float
    heading: float


def spatial_senses_of(state: SpatialState, angles: Vector, dt: float) -> SpatialSenses:
    """Return what a robot feels, dt s after it felt last; angles: roll, pitch, heading, rad."""
    return SpatialSenses(state.joints, state.rates, *angles, state.turning, state.contacts, dt)


class SpatialLoop:
    """A robot, its controller and the ground in lock-step."""

    def __init__(self, trial: SpatialTrial) -> None:
        """Set the robot up."""
        self.trial = trial
        self.gait = SpatialGait(trial.robot, trial.parameters)
        self.memory: SpatialMemory = self.gait.beginning()
        self._disturbances = SmallDisturbances(trial.seed)
        self.simulation = SpatialSimulation.standing(
            trial.robot, trial.ground, trial.settings, self.gait.start_joints,
            heading=trial.heading, velocity=self._disturbances.start_velocity(),
        )  # fmt: skip
        self._height = height_of(trial.ground)
        self._steps = round(trial.control_step / trial.settings.step)
        self._generator = np.random.default_rng(trial.seed)

    def tick(self, speed: float | None = None, turn: float | None = None) -> SpatialLoopTick:
        """Measure, decide, simulate until the next tick; what is given replaces the trial's."""
        trial, state = self.trial, self.simulation.state
        angles = posture(state.attitude)
        senses = spatial_senses_of(state, angles, trial.control_step)
        if trial.noise is not QUIET:
            senses = self._noisy(senses)
        if speed is None:
            speed = trial.speed if state.time < trial.stop else 0.0
        if turn is None:
            turn = trial.turn if state.time < trial.stop else 0.0
        found = self.gait.tick(self.memory, senses, speed, turn)
        self.memory = found.memory
        self.simulation.advance(found.orders, self._steps, self._force(state.time))
        x, y, z = state.place
        return SpatialLoopTick(state, found, z - self._height(x, y), *angles)

    def _force(self, time: float) -> Vector:
        """Return the force between the hips, N along the axes of the world."""
        x, y, z = self._disturbances.force(time)
        for push in self.trial.pushes:
            if push.begin <= time < push.begin + push.duration:
                direction = self.trial.heading + push.direction
                x += push.force * math.cos(direction)
                y += push.force * math.sin(direction)
        return (x, y, z)

    def _noisy(self, senses: SpatialSenses) -> SpatialSenses:
        """Add the errors of measurement."""
        noise = self.trial.noise
        sizes = np.repeat(tuple(noise), (8, 8, 3, 3))
        errors = (self._generator.normal(size=22) * sizes).tolist()

        def eight(values: Eight, first: int) -> Eight:
            a, b, c, d, e, f, g, h = map(sum, zip(values, errors[first : first + 8], strict=True))
            return (a, b, c, d, e, f, g, h)

        x, y, z = senses.turning
        return senses._replace(
            joints=eight(senses.joints, 0),
            rates=eight(senses.rates, 8),
            roll=senses.roll + errors[16],
            pitch=senses.pitch + errors[17],
            heading=senses.heading + errors[18],
            turning=(x + errors[19], y + errors[20], z + errors[21]),
        )


def tumbled(tick: SpatialLoopTick) -> bool:
    """Return whether a robot has fallen."""
    return has_tumbled(tick.height, tick.roll, tick.pitch)


def spatial_walk(trial: SpatialTrial) -> Iterator[SpatialLoopTick]:
    """Yield the ticks of a trial, to the end of its time or to that in which the robot lies."""
    loop = SpatialLoop(trial)
    for _ in range(round(trial.time / trial.control_step)):
        tick = loop.tick()
        yield tick
        if tumbled(tick):
            return
