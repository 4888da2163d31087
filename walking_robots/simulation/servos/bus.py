"""An emulated bus of servos at the other end of a serial line, in simulated time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from walking_robots.robots.articulated import ServoWiring
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.servos.model_files import find_model
from walking_robots.servos.models import MODELS, ServoModel
from walking_robots.simulation.servos.faults import BusFaults
from walking_robots.simulation.servos.packets import (
    BROADCAST,
    Instruction,
    InstructionReader,
    status,
)
from walking_robots.simulation.servos.servo import (
    FIRMWARE,
    LENGTH,
    STEP,
    EmulatedServo,
)
from walking_robots.simulation.wire import BITS, Wire

PING, READ, WRITE, REG_WRITE, ACTION, REBOOT = 1, 2, 3, 4, 5, 8
SYNC_READ, SYNC_WRITE, BULK_READ, BULK_WRITE = 0x82, 0x83, 0x92, 0x93
INSTRUCTION_ERROR = 2


@dataclass(frozen=True)
class ServoBusSettings:
    """Settings of the emulated bus.

    baud: bit/s; latency: s by which the adapter hands bytes to the host later; volts: of the
    supply without load; resistance: ohm of the supply and its leads.
    """

    baud: int = 1_000_000
    latency: float = 0.001
    volts: float = 12.0
    resistance: float = 0.02


class EmulatedBus:
    """Takes bytes from a host and gives bytes to it, as servos would, while time passes.

    The same seed and the same bytes at the same times give the same bytes and states.
    """

    def __init__(
        self,
        servos: Sequence[EmulatedServo],
        settings: ServoBusSettings = ServoBusSettings(),
        *,
        seed: int = 0,
    ) -> None:
        """Switch servos on, all of one protocol."""
        self.servos = list(servos)
        self.settings = replace(settings, volts=min(settings.volts, servos[0].model.rated))
        self.faults = BusFaults(Random(f'{seed} faults'))
        self._protocol = servos[0].model.protocol
        self._reader = InstructionReader(self._protocol)
        self._from_host, self._to_host = Wire(settings.baud), Wire(settings.baud)
        self._now = self._quiet_from = 0.0
        self._powered = True
        self._stepped = 0
        self._others = {
            servo.number: EmulatedServo(_other(servo.model), servo.number) for servo in servos
        }
        self._twins = {
            servo.number: EmulatedServo(servo.model, servo.number, 0.3) for servo in servos
        }

    @property
    def now(self) -> float:
        """Return the time, s."""
        return self._now

    @property
    def connected(self) -> bool:
        """Return whether the cable is whole."""
        return not self.faults.active('cut_cable', self._now)

    @property
    def powered(self) -> bool:
        """Return whether the servos have power."""
        return self._powered

    def servo(self, number: int) -> EmulatedServo:
        """Return the servo of an id; raises StopIteration where there is none."""
        return next(servo for servo in self.servos if servo.number == number)

    def inject(self, fault: str, duration: float) -> str:
        """Inject a fault for a time, s, 0 to end it, and return it in words.

        Raises ValueError, naming the known faults, for one that is not.
        """
        numbers = tuple(servo.number for servo in self.servos)
        words = self.faults.inject(fault, duration, self._now, numbers)
        if not self.connected:
            self._from_host.cut()
            self._to_host.cut()
        return words

    # The line

    def feed(self, data: bytes) -> None:
        """Take bytes that the host sends now."""
        if self.connected:
            self._from_host.send(data, self._now * 1e6)

    def take(self) -> bytes:
        """Return the bytes that have reached the host by now."""
        return self._to_host.take(self._now * 1e6)

    def due(self) -> float:
        """Return after how long, s, the next byte arrives at either end; infinity for none."""
        arrival = min(self._from_host.arrival(), self._to_host.arrival())
        return max(arrival * 1e-6 - self._now, 0.0)

    def advance(self, dt: float) -> None:
        """Advance simulated time, s; raise ValueError if it would run back."""
        if not 0.0 <= dt < math.inf:
            raise ValueError('time passes by a number of seconds that is not negative')
        until = self._now + dt
        while (arrival := self._from_host.arrival()) <= until * 1e6:
            self._now = max(arrival * 1e-6, self._now)
            for instruction in self._reader.feed(self._from_host.take(arrival)):
                if self._powered and self.faults.heard(self._now):
                    self._move()
                    self._answer(instruction)
        self._now = until
        self._move()

    def _move(self) -> None:
        """Move the servos up to now."""
        while (self._stepped + 1) * STEP <= self._now:
            self._stepped += 1
            now = self._stepped * STEP
            faults = self.faults
            drawn = sum(servo.current for servo in self.servos)
            volts = max(self.settings.volts - self.settings.resistance * drawn, 0.0)
            power = not faults.active('power_off', now)
            if power != self._powered:
                self._powered = power
                for servo in self.servos:
                    servo.restart()
            for servo in self.servos:
                number = servo.number
                low = faults.active('undervolted', now, number)
                servo.volts = servo.model.voltage[0] - 1.0 if low else volts
                servo.stuck = faults.active('stuck', now, number)
                servo.dead = faults.active('dead', now, number)
                if servo.dead or faults.active('other_model', now, number):
                    servo.restart()
                if faults.active('hot', now, number):
                    servo.heat = servo.model.hottest + 5.0
                servo.step()

    # Instructions

    def _at(self, number: int) -> list[EmulatedServo]:
        """Return the servos that hear an id."""
        faults, now = self.faults, self._now
        found = []
        for servo in self.servos:
            if servo.number == number and not servo.dead:
                other = faults.active('other_model', now, number)
                found.append(self._others[number] if other else servo)
                if faults.active('twin', now, number):
                    found.append(self._twins[number])
        return found

    def _answer(self, instruction: Instruction) -> None:
        """Carry out an instruction; the answers follow each other on the line."""
        code, data = instruction.code, instruction.data
        self._quiet_from = max(self._quiet_from, self._now)
        if code == SYNC_READ and len(data) > 4:
            for number in data[4:]:
                self._reply(number, READ, data[:4])
        elif code == SYNC_WRITE and data:
            self._sync_write(data)
        elif code == BULK_READ:
            self._bulk_read(data)
        elif code == BULK_WRITE:
            while len(data) > 5:
                size = int.from_bytes(data[3:5], 'little')
                self._write(data[0], data[1:3], data[5 : 5 + size])
                data = data[5 + size :]
        elif instruction.servo == BROADCAST:
            for number in sorted({servo.number for servo in self.servos}):
                # Only a ping to all by protocol 2.0 is answered.
                if code != PING or self._protocol == 2:
                    self._reply(number, code, data, silent=code != PING)
        else:
            self._reply(instruction.servo, code, data)

    def _sync_write(self, data: bytes) -> None:
        head = 4 if self._protocol == 2 else 2
        size = int.from_bytes(data[head // 2 : head], 'little')
        for start in range(head, len(data) - size, size + 1):
            self._write(data[start], data[: head // 2], data[start + 1 : start + 1 + size])

    def _bulk_read(self, data: bytes) -> None:
        if self._protocol == 2:
            for start in range(0, len(data) - 4, 5):
                self._reply(data[start], READ, data[start + 1 : start + 5])
        else:
            for start in range(1, len(data) - 2, 3):
                size, number, address = data[start : start + 3]
                self._reply(number, READ, bytes((address, size)))

    def _write(self, number: int, address: bytes, data: bytes) -> None:
        for servo in self._at(number):
            servo.write(int.from_bytes(address, 'little'), data)

    def _reply(self, number: int, code: int, data: bytes, *, silent: bool = False) -> None:
        """Have the servos of an id carry out an instruction and answer, at the same time."""
        packets, delay = [], 0.0
        for servo in self._at(number):
            found = self._carry_out(servo, code, data)
            if found is not None and not silent:
                packets.append(status(number, found[0], found[1], self._protocol))
                delay = servo.return_delay
        if not packets or not self.connected:
            return
        # Several at once pull the line down together.
        together = _wired_and(packets)
        wire = self.faults.spoil(together, self._now)
        start = self._quiet_from + delay
        self._quiet_from = start + len(together) * BITS / self.settings.baud
        self._to_host.send(wire, (start + self.settings.latency) * 1e6)

    def _carry_out(self, servo: EmulatedServo, code: int, data: bytes) -> tuple[int, bytes] | None:
        """Return error and data of the answer of a servo, None where it does not answer."""
        half = 2 if self._protocol == 2 else 1
        if code == PING:
            firmware = servo.read(0, 2) + bytes((FIRMWARE,))
            return servo.error, firmware if self._protocol == 2 else b''
        if code == READ:
            if not servo.answers_reads:
                return None
            address = int.from_bytes(data[:half], 'little')
            found = servo.read(address, int.from_bytes(data[half : 2 * half], 'little'))
            return servo.error, found
        answers, error = servo.answers_writes, 0
        if code in (WRITE, REG_WRITE) and len(data) > half:
            address = int.from_bytes(data[:half], 'little')
            if code == WRITE:
                error = servo.write(address, data[half:])
            else:
                servo.register(address, data[half:])
        elif code == ACTION:
            # The SDK waits for no answer.
            servo.act()
            return None
        elif code == REBOOT and self._protocol == 2:
            servo.restart()
        else:
            error = LENGTH if code in (WRITE, REG_WRITE) else INSTRUCTION_ERROR
        if not answers:
            return None
        return (servo.error | error if self._protocol == 2 else servo.error), b''


def emulated_robot(robot: str, model: str = '', seed: int = 0) -> EmulatedBus:
    """Return the bus of a hexapod, a file or a shipped name, whose servos are at its home.

    model: of the servos, empty: as its file says. Raises ValueError, one sentence, for a robot
    that is none, or of which nobody says which servos it has.
    """
    found = find_hexapod(robot)
    wiring = found.servo_bus
    if wiring is None and not model:
        raise ValueError(f'{robot}: its file has no servo_bus; name the model of its servos')
    servo = find_model(model or (wiring.model if wiring else ''))
    home = [
        direction * angle + offset
        for leg in found.legs
        for direction, angle, offset in zip(leg.directions, leg.home, leg.offsets, strict=True)
    ]
    ids = wiring.ids if wiring else ServoWiring.ids
    baud = wiring.baud if wiring else ServoWiring.baud
    servos = [EmulatedServo(servo, *each) for each in zip(ids, home, strict=True)]
    return EmulatedBus(servos, ServoBusSettings(baud=baud), seed=seed)


def _wired_and(packets: Sequence[bytes]) -> bytes:
    """Return what is on a line that several pull down at the same time."""
    found = bytearray(max(packets, key=len))
    for packet in packets:
        for place, byte in enumerate(packet):
            found[place] &= byte
    return bytes(found)


def _other(model: ServoModel) -> ServoModel:
    """Return another model of the same protocol."""
    return next(
        other
        for other in MODELS.values()
        if other.protocol == model.protocol and other.number != model.number
    )
