"""One walk of a blind biped over a profile of heights: settings in, result out."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from walking_robots.gaits.biped.controller import BipedGait
from walking_robots.gaits.biped.memory import GaitTick, WalkMemory
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.senses import BodySignals, Senses
from walking_robots.geometry.pitch import pitch_of, pitch_quaternion
from walking_robots.robots.kwalk import Kwalk, has_fallen
from walking_robots.simulation.biped.simulation import BipedSimulation
from walking_robots.simulation.biped.state import BipedState, SimulationSettings
from walking_robots.terrain.profile import LEVEL, HeightProfile

Signals = Literal['felt', 'felt_height', 'thesis']


class Push(NamedTuple):
    """A push at the hips: its beginning and duration, s, and its force, N, forward."""

    begin: float
    duration: float
    force: float


class Noise(NamedTuple):
    """Standard deviations of what is measured: of joints (rad or m), their rates, pitch and its.

    A prismatic knee has the same figure in m.
    """

    joints: float = 0.0
    rates: float = 0.0
    pitch: float = 0.0
    pitch_rate: float = 0.0


QUIET = Noise()
MOST_PUSH, MOST_NOISE = 1000.0, 1.0
NATIVE = SimulationSettings('native')
COMMON_NOISE = Noise(joints=0.001, rates=0.05, pitch=0.005, pitch_rate=0.02)
"""Of encoders of some thousand lines with differentiated rates, and of a cheap gyroscope."""


@dataclass(frozen=True)
class BipedTrial:
    """Settings of a walk, SI.

    time: how long; control_step: s between two ticks of the controller; signals: what it feels
    itself, or the thesis's own height and speed, or its speed alone; speed: desired, in place of
    that of the parameters; start: x of the hips; seed: of the noise.
    """

    robot: Kwalk
    parameters: WalkParameters
    ground: HeightProfile = LEVEL
    settings: SimulationSettings = NATIVE
    time: float = 12.0
    control_step: float = 0.004
    signals: Signals = 'felt'
    speed: float | None = None
    start: float = 0.0
    pushes: tuple[Push, ...] = ()
    noise: Noise = QUIET
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a controller that is faster than the physics, and what no simulation bears."""
        if not all(
            math.isfinite(push.begin) and push.duration >= 0.0 and abs(push.force) <= MOST_PUSH
            for push in self.pushes
        ):
            raise ValueError(f'a push is at most {MOST_PUSH:g} N, at a time in s')
        if not all(0.0 <= size <= MOST_NOISE for size in self.noise):
            raise ValueError(f'noise is from 0 to {MOST_NOISE:g}, in units of what is measured')
        steps = self.control_step / self.settings.step
        if round(steps) < 1 or abs(steps - round(steps)) > 1e-6:
            raise ValueError(
                f'the controller must tick every so many steps of {self.settings.step:g} s, '
                f'found {self.control_step:g} s'
            )


class LoopTick(NamedTuple):
    """A tick: the robot before it, what the controller made of it, and its true height, m."""

    state: BipedState
    gait: GaitTick
    height: float


def senses_of(state: BipedState, dt: float, body: BodySignals | None = None) -> Senses:
    """Return what a robot in a state feels, dt s after it felt last.

    Its pitch comes as a message carries it, by a quaternion.
    """
    pitch = pitch_of(pitch_quaternion(state.pitch))
    return Senses(state.joints, state.rates, pitch, state.velocity[2], state.contacts, dt, body)


class BipedLoop:
    """A robot, its controller and the ground in lock-step; can be put back to any instant."""

    def __init__(self, trial: BipedTrial) -> None:
        """Set the robot up."""
        self.trial = trial
        self.gait = BipedGait(trial.robot, trial.parameters)
        self.memory: WalkMemory = self.gait.beginning()
        self.simulation = BipedSimulation.standing(
            trial.robot, trial.ground, trial.settings, self.gait.start_joints, trial.start
        )
        self._steps = round(trial.control_step / trial.settings.step)
        self._generator = np.random.default_rng(trial.seed)

    def tick(self, speed: float | None = None) -> LoopTick:
        """Measure, decide, and simulate until the next tick; ``speed`` replaces the trial's."""
        trial, state = self.trial, self.simulation.state
        height = state.z - trial.ground.height(state.x)
        body = None
        if trial.signals != 'felt':
            known = height if trial.signals == 'thesis' else None
            body = BodySignals(known, state.velocity[0], state.velocity[1])
        senses = senses_of(state, trial.control_step, body)
        if trial.noise is not QUIET:
            senses = self._noisy(senses)
        found = self.gait.tick(self.memory, senses, trial.speed if speed is None else speed)
        self.memory = found.memory
        push = 0.0
        for begin, duration, force in trial.pushes:
            if begin <= state.time < begin + duration:
                push += force
        self.simulation.advance(found.orders, self._steps, push)
        return LoopTick(state, found, height)

    def _noisy(self, senses: Senses) -> Senses:
        """Add the errors of measurement."""
        noise = self.trial.noise
        sizes = np.repeat((noise.joints, noise.rates), 4)
        errors = (
            self._generator.normal(size=10) * (*sizes, noise.pitch, noise.pitch_rate)
        ).tolist()
        a, b, c, d = (q + error for q, error in zip(senses.joints, errors[:4], strict=True))
        e, f, g, h = (q + error for q, error in zip(senses.rates, errors[4:8], strict=True))
        return senses._replace(
            joints=(a, b, c, d),
            rates=(e, f, g, h),
            pitch=senses.pitch + errors[8],
            pitch_rate=senses.pitch_rate + errors[9],
        )


def lies(tick: LoopTick) -> bool:
    """Return whether a robot has fallen."""
    return has_fallen(tick.height, tick.state.pitch)


def walk(trial: BipedTrial) -> Iterator[LoopTick]:
    """Yield the ticks of a trial, to the end of its time or to that in which the robot lies."""
    loop = BipedLoop(trial)
    for _ in range(round(trial.time / trial.control_step)):
        tick = loop.tick()
        yield tick
        if lies(tick):
            return
