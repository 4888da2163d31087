"""Data of servo models, from the ROBOTIS e-manual (https://emanual.robotis.com/docs/en/dxl/).

Its pages of the models: ax/ax-12a, ax/ax-18a, x/xl320, x/xl430-w250 and x/xm430-w350; the packets
are on its pages protocol1 and protocol2. AX servos speak protocol 1.0 only: their controllers
cannot run a firmware for 2.0 (ROBOTIS in issue 612 of ROBOTIS-GIT/DynamixelSDK). Protocol 1.0 has
no sync read, so these servos are read one after the other.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Code = Literal['unsigned', 'signed', 'direction']
RPM = math.tau / 60.0
CLOCKWISE = 1 << 10
"""The bit that tells clockwise from counter-clockwise where a count has a direction."""


class Register(NamedTuple):
    """Where a value is in the control table of a servo, and how it counts.

    address, size: in bytes; unit: SI units of one count; zero: the count of 0; code: of negative
    values: none, two's complement, or a bit for clockwise.
    """

    address: int
    size: int
    unit: float = 1.0
    zero: int = 0
    code: Code = 'unsigned'

    def decode(self, data: bytes) -> float:
        """Return the value of its bytes."""
        count = int.from_bytes(data, 'little', signed=self.code == 'signed')
        if self.code == 'direction' and count & CLOCKWISE:
            count = CLOCKWISE - count
        return (count - self.zero) * self.unit

    def encode(self, value: float) -> bytes:
        """Return the bytes of a value, which must fit."""
        count = round(value / self.unit) + self.zero
        if self.code == 'direction' and count < 0:
            count = CLOCKWISE - count
        return count.to_bytes(self.size, 'little', signed=self.code == 'signed')

    @property
    def end(self) -> int:
        """Return the first address behind it."""
        return self.address + self.size


@dataclass(frozen=True)
class ServoModel:
    """A model of servo; all SI, angles counted from the middle of its travel.

    number: what it answers to a ping; protocol: 1 or 2; travel: greatest angle to either side,
    rad; stall_torque, stall_current, no_load_speed: N m, A and rad/s at ``rated`` V; voltage: V,
    least and greatest; hottest: °C at which it switches itself off; mass: kg; errors: words by bit
    of its register ``errors``, of protocol 1 by bit of each reply; registers: by name. ``load``
    and ``torque_limit`` are shares of the stall torque, ``return_delay`` is a time, s.
    """

    name: str
    number: int
    protocol: Literal[1, 2]
    travel: float
    stall_torque: float
    stall_current: float
    no_load_speed: float
    rated: float
    voltage: tuple[float, float]
    hottest: float
    mass: float
    errors: Mapping[int, str]
    registers: Mapping[str, Register]

    def __getitem__(self, name: str) -> Register:
        """Return a register by name; KeyError where the model has none."""
        return self.registers[name]

    def __contains__(self, name: str) -> bool:
        """Return whether the model has a register."""
        return name in self.registers

    def block(self, *names: str) -> tuple[int, int]:
        """Return address and length, bytes, of the part of the table that holds registers."""
        found = [self.registers[name] for name in names]
        start = min(register.address for register in found)
        return start, max(register.end for register in found) - start

    def pick(self, name: str, start: int, data: bytes) -> float:
        """Return the value of a register from the bytes of a block."""
        register = self.registers[name]
        first = register.address - start
        return register.decode(data[first : first + register.size])

    def words(self, bits: int) -> tuple[str, ...]:
        """Return the errors of a byte in words."""
        return tuple(word for bit, word in self.errors.items() if bits >> bit & 1)


def _degrees(degrees: float, counts: int) -> float:
    return math.radians(degrees) / counts


_AX = {
    'id': Register(3, 1),
    'return_delay': Register(5, 1, 2e-6),
    'status_return': Register(16, 1),
    'torque_enable': Register(24, 1),
    'goal': Register(30, 2, _degrees(300.0, 1023), 512),
    'torque_limit': Register(34, 2, 1.0 / 1023.0),
    'position': Register(36, 2, _degrees(300.0, 1023), 512),
    'velocity': Register(38, 2, 0.111 * RPM, code='direction'),
    'load': Register(40, 2, 0.001, code='direction'),
    'voltage': Register(42, 1, 0.1),
    'temperature': Register(43, 1),
}
# Bits 1, 3, 4 and 6 are about a request.
_AX_ERRORS = {0: 'input voltage', 2: 'overheating', 5: 'overload'}
_XL320 = {
    'id': Register(3, 1),
    'return_delay': Register(5, 1, 2e-6),
    'status_return': Register(17, 1),
    'torque_enable': Register(24, 1),
    'goal': Register(30, 2, _degrees(300.0, 1023), 512),
    'torque_limit': Register(35, 2, 1.0 / 1023.0),
    'position': Register(37, 2, _degrees(300.0, 1023), 512),
    'velocity': Register(39, 2, 0.111 * RPM, code='direction'),
    'load': Register(41, 2, 0.001, code='direction'),
    'voltage': Register(45, 1, 0.1),
    'temperature': Register(46, 1),
    'errors': Register(50, 1),
}
_X = {
    'id': Register(7, 1),
    'return_delay': Register(9, 1, 2e-6),
    'torque_enable': Register(64, 1),
    'status_return': Register(68, 1),
    'errors': Register(70, 1),
    # Goal PWM, which bounds the output while a position is held.
    'torque_limit': Register(100, 2, 1.0 / 885.0, code='signed'),
    'goal': Register(116, 4, _degrees(360.0, 4096), 2048, 'signed'),
    'load': Register(126, 2, 0.001, code='signed'),
    'velocity': Register(128, 4, 0.229 * RPM, code='signed'),
    'position': Register(132, 4, _degrees(360.0, 4096), 2048, 'signed'),
    'voltage': Register(144, 2, 0.1),
    'temperature': Register(146, 1),
}
_X_ERRORS = {
    0: 'input voltage',
    2: 'overheating',
    3: 'motor encoder',
    4: 'electrical shock',
    5: 'overload',
}

MODELS: Mapping[str, ServoModel] = {
    model.name: model
    for model in (
        ServoModel(
            'AX-12A', 12, 1, math.radians(150.0), 1.5, 1.5, 59.0 * RPM, 12.0, (9.0, 12.0), 70.0,
            0.0546, _AX_ERRORS, _AX,
        ),
        ServoModel(
            'AX-18A', 18, 1, math.radians(150.0), 1.8, 2.2, 97.0 * RPM, 12.0, (9.0, 12.0), 75.0,
            0.0559, _AX_ERRORS, _AX,
        ),
        ServoModel(
            'XL-320', 350, 2, math.radians(150.0), 0.39, 1.1, 114.0 * RPM, 7.4, (6.0, 8.4), 65.0,
            0.0167, {0: 'overload', 1: 'overheating', 2: 'input voltage'}, _XL320,
        ),
        ServoModel(
            'XL430-W250', 1060, 2, math.pi, 1.5, 1.4, 61.0 * RPM, 12.0, (6.5, 12.0), 72.0,
            0.0572, _X_ERRORS, _X,
        ),
        # Its register of load is a current, in steps of 2.69 mA.
        ServoModel(
            'XM430-W350', 1020, 2, math.pi, 4.1, 2.3, 46.0 * RPM, 12.0, (10.0, 14.8), 80.0,
            0.082, _X_ERRORS, _X | {'load': Register(126, 2, 2.69e-3 / 2.3, code='signed')},
        ),
    )
}  # fmt: skip
"""The models that come with this package, by name."""
