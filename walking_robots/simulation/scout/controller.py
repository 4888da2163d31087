"""What the robot's controller keeps, reports, and does while time passes (§3.5, §4)."""

from collections.abc import Callable
from typing import NamedTuple

from walking_robots.geometry.differential_drive import Wheels
from walking_robots.robots.super_scout import TENTH_INCH
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.scout.framing import Packet
from walking_robots.scout.protocol import Op, State, encode_state
from walking_robots.simulation.scout.axis import Axis
from walking_robots.simulation.scout.battery import Supply, level, raw_voltage
from walking_robots.simulation.scout.reckoning import Reckoning
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.scout.sonar_ring import SonarRing

SECOND = 1_000_000
MILLISECOND = 1000
LEFT_MOVES, RIGHT_MOVES, LEVEL, PLUGGED, CHARGING, ESTOP = 1, 2, 4, 16, 32, 64
"""Bits of the status byte; the level takes two (§4.7)."""


class SensorReadings(NamedTuple):
    """What the controller gets from the rest of the robot."""

    bumper: int
    supply: Supply
    estop: bool


class Controller:
    """Controls both wheels and holds the present request; times in microseconds.

    The requests themselves are in :mod:`walking_robots.simulation.scout.requests`. While the
    emergency stop is pressed nothing moves, and requests are dropped; a choice.
    """

    def __init__(
        self,
        model: WheeledModel,
        settings: EmulatorSettings,
        ring: SonarRing,
        sense: Callable[[], SensorReadings],
        now: int,
    ) -> None:
        """Switch on: at rest, at the origin, without a watchdog, which is a choice."""
        self._model, self._sense = model, sense
        self.settings = settings
        self.ring = ring
        self.right, self.left = Axis(model), Axis(model)
        self.odometry = Reckoning(model.wheel_separation, settings.overflow)
        self._on_since = self._heard = now
        self._patience = 0
        self._awaited: tuple[Axis, ...] = ()
        self._answer_by = 0

    def hear(self, now: int) -> None:
        """Take note that a packet came, whatever it is: it feeds the watchdog (§7.3).

        Who was waiting for a stop waits no more, since a request has one reply; a choice.
        """
        self._heard = now
        self._awaited = ()

    def watch(self, seconds: int) -> None:
        """Stop after so long without a packet, 0 for never (``conf_tm``)."""
        self._patience = seconds * SECOND

    def wait(self, axes: tuple[Axis, ...], seconds: int, now: int) -> None:
        """Answer when these wheels rest, or after a time (``ws``)."""
        self._awaited, self._answer_by = axes, now + seconds * SECOND

    @property
    def waiting(self) -> bool:
        """Return whether an answer is due when the wheels rest."""
        return bool(self._awaited)

    @property
    def halted(self) -> bool:
        """Return whether the emergency stop keeps the motors from moving."""
        return self._sense().estop

    def stop(self) -> None:
        """Stop both wheels and hold (``st``)."""
        self.right.hold()
        self.left.hold()

    def rest(self) -> None:
        """Stop both wheels at once, as where the robot is taken off the floor."""
        self.stop()
        self.right.speed = self.left.speed = 0.0

    def wanted(self, now: int, dt: float) -> Wheels:
        """Return the speeds of the wheels, m/s, for the next step of ``dt`` seconds."""
        if (self._patience and now - self._heard > self._patience) or self.halted:
            self.stop()
        return Wheels(self.left.wanted(dt), self.right.wanted(dt))

    def turned(self, wheels: Wheels, now: int, dt: float) -> Packet | None:
        """Take in how the wheels turned; give the answer that waited for their rest."""
        self.left.turned(wheels.left, dt)
        self.right.turned(wheels.right, dt)
        self.odometry.advance(wheels, dt)
        if self._awaited and (now >= self._answer_by or not any(a.busy for a in self._awaited)):
            self._awaited = ()
            return Packet(Op.WAIT_FOR_STOP, encode_state(self.state(now)))
        return None

    def clock(self, now: int) -> int:
        """Return the time since power-up, ms, as the wire holds it."""
        return (now - self._on_since) // MILLISECOND & 0xFFFFFFFF

    def speeds(self) -> tuple[int, int]:
        """Return the speeds of the right and left wheel, 0.1 inch/s."""
        return round(self.right.speed / TENTH_INCH), round(self.left.speed / TENTH_INCH)

    def state(self, now: int) -> State:
        """Return everything as the wire has it (§4.3); there is no turret and no compass."""
        senses = self._sense()
        x, y, heading = self.odometry.reported()
        right, left = self.speeds()
        battery = self._model.battery
        return State(
            sonar=tuple(self.ring.readings),
            bumper=senses.bumper,
            x=x,
            y=y,
            heading=heading,
            right=right,
            left=left,
            status=self._status(senses),
            clock=self.clock(now),
            cpu=raw_voltage(senses.supply.volts, battery.cpu_range),
            motor=raw_voltage(senses.supply.volts, battery.motor_range),
        )

    def bumper(self) -> int:
        """Return the word of the bumper switches."""
        return self._sense().bumper

    def _status(self, senses: SensorReadings) -> int:
        """Return the status byte; a wheel that is commanded to turn counts as moving, a choice."""
        return (
            LEFT_MOVES * self.left.busy
            | RIGHT_MOVES * self.right.busy
            | LEVEL * level(senses.supply.volts, self._model.battery)
            | PLUGGED * senses.supply.plugged
            | CHARGING * senses.supply.charging
            | ESTOP * senses.estop
        )
