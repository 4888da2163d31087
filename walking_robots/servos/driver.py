"""The driver of the servos of a robot: checked, softly started, watched, at rest when in doubt.

It has neither thread nor clock: a thread (:mod:`walking_robots.servos.runner`) steps it on a
robot, a test in simulated time. A step takes no longer than the replies it waits for.

Every goal on the bus is at most one period away from the one before, so that whatever is lost, the
servos come to rest there. After a fault the driver holds the posture and waits for ``resume``:
an old motion is never resumed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from walking_robots.servos.bus import ALERT, ServoBus, ServoReply, model_of
from walking_robots.servos.models import ServoModel
from walking_robots.servos.port import PORT_ERRORS, BusPort
from walking_robots.servos.report import BusPhase, BusReport, ServoReading
from walking_robots.servos.settings import BusDriverSettings

MISSES = 3
"""Looks in a row without an answer after which a servo, or the bus, is lost."""
TRIES = 3
"""Attempts of a request while servos are set up."""
GROUP = 6
"""Servos of protocol 1.0 that are read in a period: one after the other, each has its delay."""
REBOOT_TIME = 0.6
"""Time, s, for which servos that were restarted are left alone."""
RESTARTED = 'a restart'
"""What a servo reports that has let go by itself: for a moment it had no power."""
GAP = 0.25
"""Least part of a period between two commands on the bus, so that hasty ones do not fill it."""
STILL, LAG = 0.03, 0.5
"""A servo that turns less than the one, rad, while its goal goes the other, does not follow."""

Found = TypeVar('Found')
_STATE = ('position', 'velocity', 'load')
_HEALTH = ('voltage', 'temperature')
_STANDS = (BusPhase.HOLDING, BusPhase.MOVING, BusPhase.HALTED)


class BusDriver:
    """Keeps servos checked, read, near their commands, and at rest when in doubt.

    ``command``, ``resume``, ``relax``, ``halt`` and ``end`` may be called from another thread.
    """

    def __init__(
        self,
        joints: Mapping[str, int],
        model: ServoModel,
        open_port: Callable[[], BusPort],
        clock: Callable[[], float],
        settings: BusDriverSettings = BusDriverSettings(),  # noqa: B008
    ) -> None:
        """Begin with a closed port.

        joints: ids by joint; open_port raises ValueError where the port cannot be used; clock: s,
        as that of the port.
        """
        self.settings, self._model = settings, model
        self._open_port, self._clock = open_port, clock
        self._ids = tuple(joints.values())
        self._joints = dict(zip(self._ids, joints, strict=True))
        self._readings = {servo: ServoReading(joint, servo) for joint, servo in joints.items()}
        self._bus: ServoBus | None = None
        self._phase = BusPhase.CLOSED
        self._trouble = ''
        self._told_to_go = True
        self._torque = False
        self._due = -math.inf
        self._count = self._silent = self._turn = 0
        self._goals: dict[int, float] = {}
        self._written_at = self._started_at = -math.inf
        self._gap = GAP / settings.rate
        self._start: dict[int, float] = {}
        self._still: dict[int, tuple[float, float, float]] = {}
        self._latency = math.nan
        self._wanted: tuple[dict[int, float], float] | None = None
        self._looked_closer = True
        self._fresh = self._resume = self._relax = self._end = False
        self._halt = ''

    # From other threads

    def command(self, goals: Sequence[float]) -> None:
        """Ask for joints, rad, in the order of the servos; held unless repeated.

        Raises ValueError, one sentence, when they cannot be taken, now or ever.
        """
        if len(goals) != len(self._ids) or not all(map(math.isfinite, goals)):
            raise ValueError(f'a command needs {len(self._ids)} finite angles')
        if self._phase not in (BusPhase.HOLDING, BusPhase.MOVING):
            raise ValueError(f'the servos take no command now ({self._why()})')
        self._wanted = (dict(zip(self._ids, goals, strict=True)), self._clock())
        self._fresh = True

    def resume(self) -> None:
        """Go on after a fault, once the servos are in order.

        Raises ValueError where nothing is halted, or nobody answers.
        """
        if self._phase is not BusPhase.HALTED:
            raise ValueError(f'nothing is halted ({self._why()})')
        self._resume = True

    def relax(self) -> None:
        """Let the servos go limp until ``resume``."""
        self._relax = True

    def halt(self, why: str) -> None:
        """Hold the posture until ``resume``, as after a fault."""
        self._halt = why

    def end(self) -> None:
        """Come to rest with the next step, and end."""
        self._end = True

    def report(self) -> BusReport:
        """Return what is known now."""
        return BusReport(
            self._phase,
            self._count,
            tuple(self._readings.values()),
            self._trouble,
            self._latency,
        )

    @property
    def counters(self) -> Mapping[str, int]:
        """Return the counters of requests since the port was opened."""
        return {} if self._bus is None else vars(self._bus.counters)

    # Steps

    def due(self) -> float:
        """Return the time, s, of the next step; soon for a command, at once for a request."""
        if self._bus is None and not self._end:
            return self._due
        if self._resume or self._relax or self._halt or self._end or not self._looked_closer:
            return -math.inf
        return min(self._written_at + self._gap, self._due) if self._fresh else self._due

    def step(self) -> None:
        """Do what is due; nothing that happens on the bus raises an error."""
        try:
            if self._end:
                self._finish()
            elif self._bus is None:
                self._open()
            else:
                self._act(self._bus)
        except PORT_ERRORS as error:
            self._lose(f'the port is gone ({error})')

    def _open(self) -> None:
        now = self._clock()
        if now < self._due:
            return
        try:
            port = self._open_port()
        except ValueError as error:
            self._trouble = str(error)
            self._due = now + self.settings.reconnect_interval
            return
        self._bus = ServoBus(port, self._model.protocol)
        self._phase, self._due = BusPhase.CHECKING, now

    def _act(self, bus: ServoBus) -> None:
        now = self._clock()
        if self._relax:
            self._relax = False
            self._let_go(bus)
            self._stop('the servos are limp, as they were told')
        if self._halt:
            why, self._halt = self._halt, ''
            self._stop(why)
        if self._resume:
            self._resume, self._told_to_go = False, True
            self._restart(bus)
        elif self._phase is BusPhase.CHECKING and now >= self._due:
            self._check(bus)
        elif self._phase in _STANDS:
            since = now - self._written_at
            if since >= (self._gap if self._fresh else 0.9 / self.settings.rate):
                self._write(bus, now)
            elif now >= self._due:
                self._due = max(self._due + 1.0 / self.settings.rate, now)
                self._look(bus)
            elif not self._looked_closer:
                self._look_closer(bus)
                self._judge()

    # Setting up

    def _restart(self, bus: ServoBus) -> None:
        """Look at the servos anew; those with errors forget them."""
        self._phase, self._due = BusPhase.CHECKING, self._clock()
        self._looked_closer = True
        if self._model.protocol == 2:
            wrong = [one.servo for one in self._readings.values() if one.errors]
            for servo in wrong:
                bus.reboot(servo)
            self._due += REBOOT_TIME * bool(wrong)
        self._readings = {
            servo: replace(one, errors=(), missed=0) for servo, one in self._readings.items()
        }

    def _check(self, bus: ServoBus) -> None:
        """Find all servos in order and have them hold their posture, or halt."""
        wrong = [found for servo in self._ids if (found := self._set_up(bus, servo))]
        start, length = self._model.block(*_STATE)
        replies: dict[int, ServoReply] = {}
        for _ in range(TRIES):
            missing = [servo for servo in self._ids if servo not in replies]
            if missing and not wrong:
                replies |= bus.read_each(missing, start, length)
        self._looked_closer = True
        wrong += [
            f'{self._name(servo)} answers unreadably: is its id given twice?'
            for servo in self._ids
            if servo not in replies and not wrong
        ]
        self._silent, self._due = 0, self._clock()
        if wrong:
            self._torque = False
            self._stop('; '.join(wrong))
            return
        for servo, reply in replies.items():
            self._take(servo, reply)
        self._hold()
        self._torque = True
        model = self._model
        bus.write_each(model['goal'], self._goals)
        for servo in self._ids:
            self._try(partial(bus.write, servo, model['torque_enable'], 1))
        bus.write_each(model['goal'], self._goals)
        if self._told_to_go:
            self._phase, self._trouble = BusPhase.HOLDING, ''
        else:
            self._stop(f'{self._trouble}; it is back, call ~/resume to go on')

    def _set_up(self, bus: ServoBus, servo: int) -> str:
        """Prepare a servo; return in a sentence what is wrong with it, or nothing."""
        model = self._model
        broken = bus.counters.broken
        number = self._try(lambda: bus.ping(servo))
        if number is None:
            if bus.counters.broken > broken:
                return f'{self._name(servo)} answers unreadably: is its id given twice?'
            return f'{self._name(servo)} does not answer: check its cable and its id'
        if number != model.number:
            other = model_of(number)
            known = other.name if other else f'of the unknown model number {number}'
            return (
                f'{self._name(servo)} is {known}, not {model.name}: correct the file or the robot'
            )
        if self._try(lambda: bus.read_value(servo, model['return_delay'])):
            # Refused while it holds a posture; then it answers later, as before.
            bus.write(servo, model['return_delay'], 0.0)
        limit = self.settings.torque_limit
        if not self._try(partial(bus.write, servo, model['torque_limit'], limit)):
            return f'{self._name(servo)} refuses its torque limit: is its id given twice?'
        return ''

    def _try(self, ask: Callable[[], Found | None]) -> Found | None:
        """Return the first answer to a request, None without one."""
        answers = (ask() for _ in range(TRIES))
        return next((found for found in answers if found is not None and found is not False), None)

    # Commands

    def _write(self, bus: ServoBus, now: float) -> None:
        """Send goals: the next ones on the way to the command, or the same again."""
        fresh, self._fresh = self._fresh, False
        before, self._written_at = self._written_at, now
        if not self._torque:
            return
        self._goals = self._next_goals(now, now - before)
        bus.write_each(self._model['goal'], self._goals)
        if fresh and self._wanted is not None:
            self._latency = self._clock() - self._wanted[1]

    def _next_goals(self, now: float, since: float) -> dict[int, float]:
        settings, wanted = self.settings, self._wanted
        recent = wanted is not None and now - wanted[1] < settings.command_timeout
        if self._phase is BusPhase.HALTED or not recent or wanted is None:
            if self._phase is BusPhase.MOVING:
                self._phase = BusPhase.HOLDING
            return self._goals
        if self._phase is BusPhase.HOLDING:
            self._phase = BusPhase.MOVING
            self._started_at, self._start = now, self._goals
        if self._silent:
            # Nobody answers: no way further until somebody does.
            return self._goals
        soft = settings.soft_start
        share = min((now - self._started_at) / soft, 1.0) if soft else 1.0
        most = settings.max_speed * min(since, 2.0 / settings.rate)
        register = self._model['goal']
        # A count less, since the greatest angle may be one beyond the last.
        travel = min(self._model.travel, (register.zero - 1) * register.unit or math.inf)
        goals = {}
        for servo, goal in wanted[0].items():
            start, last = self._start[servo], self._goals[servo]
            there = start + share * (max(min(goal, travel), -travel) - start)
            goals[servo] = last + max(min(there - last, most), -most)
        return goals

    def _hold(self) -> None:
        """Make the measured posture the goal."""
        for servo, one in self._readings.items():
            if not math.isnan(one.position):
                self._goals[servo] = one.position
        self._wanted, self._fresh = None, False

    # Looking

    def _look(self, bus: ServoBus) -> None:
        """Read the servos, and halt where something is wrong."""
        model = self._model
        ids = self._ids
        if model.protocol == 1:
            ids = tuple((ids + ids)[self._turn : self._turn + min(GROUP, len(ids))])
            self._turn = (self._turn + len(ids)) % len(self._ids)
        start, length = model.block(*_STATE)
        replies = bus.read_each(ids, start, length)
        self._silent = 0 if replies else self._silent + 1
        if self._silent >= MISSES:
            self._lose('no servo answers: is the power on, and the cable plugged in?')
            return
        for servo in ids:
            if servo in replies:
                self._take(servo, replies[servo])
                self._follow(servo)
            else:
                one = self._readings[servo]
                self._readings[servo] = replace(one, missed=one.missed + 1)
        for servo, reply in replies.items():
            self._note_errors(bus, servo, reply)
        self._count, self._looked_closer = self._count + 1, False
        self._judge()

    def _take(self, servo: int, reply: ServoReply) -> None:
        found: dict[str, Any] = self._values(_STATE, reply)
        self._readings[servo] = replace(self._readings[servo], missed=0, **found)

    def _values(self, names: tuple[str, ...], reply: ServoReply) -> dict[str, Any]:
        """Return the values of the registers of a block by name."""
        start, _ = self._model.block(*names)
        return {name: self._model.pick(name, start, reply.data) for name in names}

    def _follow(self, servo: int) -> None:
        """Note whether a servo turns while its goal does."""
        one = self._readings[servo]
        goal = self._goals.get(servo, one.position)
        stood, last, way = self._still.get(servo, (one.position, goal, 0.0))
        way += abs(goal - last)
        if abs(one.position - stood) > STILL:
            stood, way = one.position, 0.0
        self._still[servo] = (stood, goal, way)
        if (way > LAG) != one.lags:
            self._readings[servo] = replace(one, lags=way > LAG)

    def _note_errors(self, bus: ServoBus, servo: int, reply: ServoReply) -> None:
        bits: float | None = reply.error
        if self._model.protocol == 2:
            bits = 0.0
            if reply.error & ALERT:
                bits = bus.read_value(servo, self._model['errors'])
        if bits is not None:
            one = self._readings[servo]
            self._readings[servo] = replace(one, errors=self._model.words(int(bits)))

    def _look_closer(self, bus: ServoBus) -> None:
        """Read voltage and temperature of one servo, or whether it holds; another each time."""
        self._looked_closer = True
        turn, which = divmod(self._count, 2)
        servo = self._ids[turn % len(self._ids)]
        one = self._readings[servo]
        if one.missed:
            return
        if which == 0:
            reply = bus.read(servo, *self._model.block(*_HEALTH))
            if reply is not None:
                found: dict[str, Any] = self._values(_HEALTH, reply)
                self._readings[servo] = replace(one, **found)
        elif self._torque and bus.read_value(servo, self._model['torque_enable']) == 0.0:
            self._readings[servo] = replace(one, errors=(*one.errors, RESTARTED))

    def _judge(self) -> None:
        """Halt where a servo is lost or has switched itself off."""
        if self._phase is BusPhase.HALTED:
            return
        wrong = []
        for servo, one in self._readings.items():
            if one.missed >= MISSES:
                wrong.append(f'{self._name(servo)} does not answer any more')
            elif one.errors:
                state = f'{one.temperature:.0f} °C, {one.voltage:.1f} V'
                wrong.append(f'{self._name(servo)} reports {" and ".join(one.errors)} ({state})')
        if wrong:
            self._stop('; '.join(wrong) + '; call ~/resume when that is mended')

    # The end

    def _stop(self, why: str) -> None:
        """Hold the posture until told to go on."""
        self._phase, self._trouble = BusPhase.HALTED, why
        self._told_to_go = False
        self._hold()
        # One that comes back is to stay where it is.
        gone = [servo for servo, one in self._readings.items() if one.missed >= MISSES]
        self._goals = {servo: goal for servo, goal in self._goals.items() if servo not in gone}
        if self._torque and self._bus is not None:
            self._bus.write_each(self._model['goal'], self._goals)

    def _lose(self, why: str) -> None:
        """Give the port up for a while."""
        self._close()
        self._phase, self._trouble = BusPhase.CLOSED, why
        # Only a robot that has not stood yet begins by itself.
        self._told_to_go = self._told_to_go and not self._count
        self._wanted, self._fresh, self._torque = None, False, False
        self._due = self._clock() + self.settings.reconnect_interval

    def _let_go(self, bus: ServoBus) -> None:
        self._torque = False
        bus.write_each(self._model['torque_enable'], dict.fromkeys(self._ids, 0))

    def _finish(self) -> None:
        """Hold or go limp for good, and close the port."""
        bus, self._end = self._bus, False
        self._phase = BusPhase.ENDED
        if bus is not None:
            if self.settings.relax_at_end:
                self._let_go(bus)
            elif self._torque:
                bus.write_each(self._model['goal'], self._goals)
            self._close()

    def _close(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.port.close()

    def _name(self, servo: int) -> str:
        return f'servo {servo} ({self._joints[servo]})'

    def _why(self) -> str:
        return self._trouble or self._phase.value
