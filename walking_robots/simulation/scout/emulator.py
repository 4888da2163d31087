"""An emulated Super Scout at the other end of a serial line, in simulated time."""

import math
from dataclasses import dataclass
from random import Random

from walking_robots.geometry.differential_drive import Wheels
from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.simulation.scout.battery import supply_at
from walking_robots.simulation.scout.body import ScoutBody
from walking_robots.simulation.scout.controller import Controller, SensorReadings
from walking_robots.simulation.scout.faults import Faults
from walking_robots.simulation.scout.requests import REFUSAL, answer
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.scout.sonar_ring import SonarRing
from walking_robots.simulation.wire import Wire
from walking_robots.worlds.moving_disc import Disc
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

STEP = 10_000
"""Step of the motion, microseconds."""
DT = STEP * 1e-6
SILENCE = 50_000
"""Pause within a request, microseconds, after which its beginning is forgotten; a choice."""

_REST = Wheels(0.0, 0.0)


@dataclass(frozen=True)
class EmulatorState:
    """What is true of the robot, whatever it reports.

    time: s since the beginning; wheels: m/s over the ground; bumper: bits of the closed switches;
    battery: V; faults: those there are; object: the thing that moves about, None without one.
    """

    time: float
    pose: Pose2
    wheels: Wheels
    bumper: int
    battery: float
    faults: tuple[str, ...]
    object: Disc | None = None


class Emulator:
    """Takes bytes from a host and gives bytes to it, as the robot would, while time passes.

    The same seed and the same bytes at the same times give the same bytes and states, however
    the time in between is cut. Time is kept in whole microseconds.
    """

    def __init__(
        self,
        world: World,
        settings: EmulatorSettings = EmulatorSettings(),  # noqa: B008
        model: WheeledModel = SUPER_SCOUT,
        *,
        seed: int = 0,
        start: Pose2 | None = None,
    ) -> None:
        """Switch a robot on in a world; raises ValueError where it does not fit."""
        self._settings, self._model, self._seed = settings, model, seed
        self._caster = RayCaster(world)
        slip, self._noise = Random(f'{seed} slip'), Random(f'{seed} sonar')
        grip = Wheels(*(1.0 + slip.uniform(-settings.slip, settings.slip) for _ in range(2)))
        separation = settings.wheel_separation or model.wheel_separation
        self._body = ScoutBody(world, model, grip, separation, start or world.start)
        self._object = settings.scripted_object()
        self._faults = Faults(Random(f'{seed} faults'))
        self._from_host, self._to_host = Wire(settings.baud), Wire(settings.baud)
        self._elapsed = 0.0
        self._now = self._last_heard = 0
        self._next_step = STEP
        self._reader = PacketReader()
        self._controller: Controller | None = None
        self._switch(on=True)

    def feed(self, data: bytes) -> None:
        """Take bytes that the host sends now."""
        if self.connected:
            self._from_host.send(data, self._now)

    def advance(self, dt: float) -> None:
        """Advance simulated time, s; raise ValueError if it would run back."""
        if not 0.0 <= dt < math.inf:
            raise ValueError('time passes by a number of seconds that is not negative')
        self._elapsed += dt
        until = round(self._elapsed * 1e6)
        while True:
            arrival = self._from_host.arrival()
            if arrival <= min(self._next_step, until):
                self._now = math.ceil(arrival)
                self._hear(self._from_host.take(arrival))
            elif self._next_step <= until:
                self._now = self._next_step
                self._next_step += STEP
                self._step()
            else:
                break
        self._now = until

    def take(self) -> bytes:
        """Return the bytes that have reached the host by now."""
        return self._to_host.take(self._now)

    def due(self) -> float:
        """Return after how long, s, the next byte arrives at either end; infinity for none."""
        arrival = min(self._from_host.arrival(), self._to_host.arrival())
        return max(arrival - self._now, 0.0) * 1e-6

    def inject(self, fault: str, duration: float) -> str:
        """Inject a fault for a time, s, 0 to end it, and return it in words.

        Raises ValueError, naming the known faults, for one that is not.
        """
        words = self._faults.inject(fault, duration, self._now)
        if not self.connected:
            self._from_host.cut()
            self._to_host.cut()
        if self._faults.active('power_off', self._now):
            self._switch(on=False)
        return words

    def place(self, pose: Pose2) -> None:
        """Put the robot somewhere, at rest; raises ValueError where it would be inside a wall."""
        self._body.place(pose)
        self._body.move(_REST, DT)
        if self._controller is not None:
            self._controller.rest()

    def move_object(self, x: float, y: float) -> None:
        """Put the object somewhere, m; raises ValueError where the robot stands."""
        disc = self._object.at(x, y)
        if not self._body.has_room(disc):
            raise ValueError(f'the object does not fit at x {x:g} m, y {y:g} m: the robot')
        self._object.disc = disc
        self._meet_object()

    @property
    def connected(self) -> bool:
        """Return whether the cable is whole."""
        return not self._faults.active('cut_cable', self._now)

    @property
    def powered(self) -> bool:
        """Return whether the robot is switched on."""
        return self._controller is not None

    @property
    def state(self) -> EmulatorState:
        """Return what is true now, of the motion to within one step of 10 ms."""
        body, volts = self._body, self._sense().supply.volts
        faults = self._faults.names(self._now)
        return EmulatorState(
            self._now * 1e-6,
            body.pose,
            body.wheels,
            body.bumper,
            volts,
            faults,
            self._object.disc,
        )

    def _switch(self, *, on: bool) -> None:
        self._reader.clear()
        self._controller = None
        if on:
            model, settings = self._model, self._settings
            ring = SonarRing(self._caster, model.sonar, settings, self._noise)
            ring.disc = self._object.disc
            self._controller = Controller(model, settings, ring, self._sense, self._now)
        else:
            self._body.move(_REST, DT)
            self._from_host.cut()
            self._to_host.cut()

    def _sense(self) -> SensorReadings:
        supply = supply_at(self._now * 1e-6, self._settings, self._model.battery)
        return SensorReadings(self._body.bumper, supply, self._faults.active('estop', self._now))

    def _hear(self, data: bytes) -> None:
        """Take in the byte that arrives now, and carry out the request that it ends."""
        controller = self._controller
        if controller is None:
            return
        if self._now - self._last_heard > SILENCE:
            self._reader.clear()
        self._last_heard = self._now
        for request in self._reader.feed(data):
            if self._faults.active('nak', self._now):
                controller.hear(self._now)
                self._say(REFUSAL)
            else:
                self._say(answer(controller, request, self._now))

    def _meet_object(self) -> None:
        disc = self._object.disc
        if disc is not None:
            self._body.meet(disc)
        if self._controller is not None:
            self._controller.ring.disc = disc

    def _step(self) -> None:
        moving = self._body.wheels != _REST
        if self._object.step(self._now * 1e-6, moving, self._body.has_room):
            self._meet_object()
        controller = self._controller
        if controller is None:
            if not self._faults.active('power_off', self._now):
                self._switch(on=True)
            return
        wheels = self._body.move(controller.wanted(self._now, DT), DT)
        late = controller.turned(wheels, self._now, DT)
        controller.ring.step(self._now, self._body.pose)
        self._say(late)
        self._send(self._faults.chatter(self._now), 0)

    def _say(self, reply: Packet | None) -> None:
        if reply is not None:
            wire, delay = self._faults.spoil(frame(reply), self._now)
            self._send(wire, round(self._settings.latency * 1e6) + delay)

    def _send(self, wire: bytes, delay: int) -> None:
        if self.connected:
            self._to_host.send(wire, self._now + delay)
