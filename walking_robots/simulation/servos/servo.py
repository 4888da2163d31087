"""One emulated servo: its control table, and the motor that follows it."""

import math

from walking_robots.servos.models import ServoModel

STEP = 0.004
"""Step of the motion, s."""
STALLED = 1.0
"""Time, s, at the greatest torque after which a servo switches itself off."""
SPIN_UP = 0.05
"""Time, s, in which the motor alone comes to its speed; with it the inertia is chosen."""
GIVES = 0.1
"""Angle, rad, beside its goal at which a servo pulls with all its torque."""
HEATING, COOLING = 60.0, 120.0
"""How much warmer, K, a stalled servo becomes, and in which time, s; guessed."""
AMBIENT = 25.0
FIRMWARE = 45
TABLE = 700
"""Bytes of a control table."""

ACCESS, LIMIT, LENGTH = 7, 6, 5
"""Errors of a reply by protocol 2.0."""
MEASURED = ('position', 'velocity', 'load', 'voltage', 'temperature', 'errors')


class EmulatedServo:
    """A position servo with inertia, a torque that falls with speed, and protections.

    angle: rad; speed: rad/s; burden: N m that pull at its horn; heat: °C; volts: of its supply.
    ``stuck`` holds its gears, ``dead`` cuts it off the bus.
    """

    def __init__(self, model: ServoModel, servo: int, angle: float = 0.0) -> None:
        """Switch a servo on that holds nothing yet."""
        self.model = model
        self.angle, self.speed, self.burden = angle, 0.0, 0.0
        self.heat, self.volts = AMBIENT, model.rated
        self.stuck = self.dead = False
        self.table = bytearray(TABLE)
        self.table[0:2] = model.number.to_bytes(2, 'little')
        self._set('id', servo)
        self._set('return_delay', 500e-6)
        self.restart()

    def restart(self) -> None:
        """Forget all but what outlasts a loss of power."""
        self._torque = self._over = 0.0
        self._errors = 0
        self._registered: tuple[int, bytes] | None = None
        self._set('torque_enable', 0)
        self._set('status_return', 2)
        self._set('torque_limit', 1.0)
        self._set('goal', self.angle)

    @property
    def number(self) -> int:
        """Return its id."""
        return self.table[self.model['id'].address]

    @property
    def answers_writes(self) -> bool:
        """Return whether it answers more than pings and reads."""
        return self._get('status_return') >= 2.0

    @property
    def answers_reads(self) -> bool:
        """Return whether it answers more than pings."""
        return self._get('status_return') >= 1.0

    @property
    def return_delay(self) -> float:
        """Return the time, s, until it answers."""
        return self._get('return_delay')

    @property
    def holds(self) -> bool:
        """Return whether its motor has power."""
        return self._get('torque_enable') > 0.0 and not self._shut_down

    @property
    def goal(self) -> float:
        """Return where it is to go, rad."""
        return self._get('goal')

    @property
    def current(self) -> float:
        """Return what it draws, A."""
        return abs(self._torque) / self.model.stall_torque * self.model.stall_current

    @property
    def error(self) -> int:
        """Return the byte of errors in a reply to what was in order."""
        return self._errors if self.model.protocol == 1 else 0x80 * bool(self._errors)

    # The table

    def read(self, address: int, length: int) -> bytes:
        """Return bytes of the table as it is now."""
        model = self.model
        self._set('position', max(min(self.angle, self._end), -self._end))
        self._set('velocity', self.speed)
        self._set('load', self._torque / model.stall_torque)
        self._set('voltage', self.volts)
        self._set('temperature', self.heat)
        if 'errors' in model:
            self._set('errors', self._errors)
        return bytes(self.table[address : address + length])

    def write(self, address: int, data: bytes) -> int:
        """Write bytes into the table and return the error, 0 for none."""
        model, end = self.model, address + len(data)
        covered = [
            name
            for name, register in model.registers.items()
            if register.address < end and address < register.end
        ]
        eeprom = address < model['torque_enable'].address
        if end > TABLE or address < 2:
            return ACCESS
        if any(name in MEASURED for name in covered):
            return ACCESS
        if eeprom and self._get('torque_enable') > 0.0:
            return ACCESS
        before = bytes(self.table[address:end])
        self.table[address:end] = data
        if 'goal' in covered and abs(self.goal) > self._end + 0.01:
            self.table[address:end] = before
            return LIMIT
        if 'torque_enable' in covered and not before[0]:
            # A position that was commanded before must not move it.
            self._set('goal', self.angle)
        return 0

    def register(self, address: int, data: bytes) -> None:
        """Keep what is to be written at the next action."""
        self._registered = (address, data)

    def act(self) -> None:
        """Write what has been kept."""
        if self._registered is not None:
            self.write(*self._registered)
            self._registered = None

    # Motion

    def step(self) -> None:
        """Move for a step."""
        model = self.model
        goal = self.goal if self.holds else self.angle
        stall = model.stall_torque * self.volts / model.rated
        slowing = stall / model.no_load_speed
        inertia = slowing * SPIN_UP
        # Damped so that a step of the goal does not swing.
        stiffness = stall / GIVES
        damping = max(2.0 * math.sqrt(stiffness * inertia) - slowing, 0.0)
        pull = stiffness * (goal - self.angle) - damping * self.speed
        most = stall * self._get('torque_limit') if self.holds else 0.0
        self._torque = max(min(pull, most), -most)
        if self.stuck:
            self.speed = 0.0
        else:
            force = self._torque - slowing * self.speed + self.burden
            self.speed += force / inertia * STEP
            self.angle += self.speed * STEP
        self._protect(abs(self._torque) >= 0.99 * stall and most > 0.0)

    def _protect(self, overloaded: bool) -> None:
        """Warm up, and note what is wrong; hot and overloaded servos go limp.

        Until they are restarted, or with protocol 1.0 until they get a torque limit again.
        """
        share = self._torque / self.model.stall_torque
        self.heat += (AMBIENT + HEATING * share * share - self.heat) / COOLING * STEP
        self._over = self._over + STEP if overloaded else 0.0
        low, high = self.model.voltage
        for word, wrong, stays in (
            ('overheating', self.heat > self.model.hottest, self.model.protocol == 2),
            ('overload', self._over > STALLED, self.model.protocol == 2),
            ('input voltage', not low <= self.volts <= high + 0.6, False),
        ):
            bit = next(bit for bit, known in self.model.errors.items() if known == word)
            if wrong:
                self._errors |= 1 << bit
            elif not stays:
                self._errors &= ~(1 << bit)
        if self._shut_down:
            self._set('torque_limit', 0.0)

    @property
    def _shut_down(self) -> bool:
        return bool({'overheating', 'overload'} & set(self.model.words(self._errors)))

    @property
    def _end(self) -> float:
        """Return the greatest angle that its table can hold, rad."""
        register = self.model['goal']
        return (register.zero - 1) * register.unit

    def _get(self, name: str) -> float:
        register = self.model[name]
        return register.decode(bytes(self.table[register.address : register.end]))

    def _set(self, name: str, value: float) -> None:
        register = self.model[name]
        self.table[register.address : register.end] = register.encode(value)
