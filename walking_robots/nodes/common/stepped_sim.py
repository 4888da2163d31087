"""The base of all simulation nodes: steps in lock-step with answers, or by the wall clock."""

from abc import abstractmethod
from typing import Any

import numpy as np
from std_srvs.srv import SetBool, Trigger

from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode

EXACT = np.diag(np.full(6, 1e-6)).ravel()
"""Covariance of the odometry of a simulation: 1 mm or 1 mrad, also in a second.

It is exact but for rounding; filters take a variance of zero for an unknown one, or divide by it.
"""

PATIENCE = 0.2
"""Wall time, s, after which the present state is published again."""

SLOWEST, QUICKEST = 0.005, 0.0005
"""Bounds of the wall time, s, between two checks whether a free-running step is due."""

NAP = 0.04
"""Shortest wall time, s, that a simulation in lock-step waits; then it makes all steps due.

Waiting before each step of a few milliseconds would cost more than the step.
"""

QUICKER = 4.0
"""Speed, relative to its rate, at which a late free-running simulation catches up step by step, so
that each step is answered."""

LAG = 0.5
"""Most wall time, s, that a late simulation catches up."""


OLDEST = 5
LATEST = 0.5
"""Greatest age of a command that a free-running simulation takes: steps, or wall time, s,
whichever is more. A slow machine answers late; older commands precede an interruption."""


class SteppedSim(GraphNode):
    """Steps a backend, in lock-step with the answers to its states or by the wall clock.

    While it is paused it publishes its state without the message on which the nodes of the
    loop act: a command given meanwhile takes effect from the next step.
    """

    answers_from = 'gait'
    """The nodes that answer, for people."""

    def serve(self, dt: float) -> None:
        """Declare the common parameters and services for steps of ``dt`` seconds; call once."""
        self._lock_step: bool = self.parameter(
            'lock_step', True, 'advance when the answer to the present state is in', fixed=True
        )
        self._factor: float = self.parameter(
            'real_time_factor', 1.0, 'simulated time per wall time, 0: as fast as possible',
            low=0.0, high=1000.0,
        )  # fmt: skip
        if not self._lock_step and not self._factor:
            raise ConfigurationError(
                f'{self.get_name()}: real_time_factor must not be 0 where lock_step is false.'
            )
        self._paused: bool = self.parameter('start_paused', False, 'wait for ~/pause', fixed=True)
        self._dt, self._step_time = dt, round(dt * 1e9)
        self._count = 0
        self._answer: Any = None
        self._single = False
        self._due = self._shown = self._advanced = self.now()
        self.expect_single('joint_command', 'odom', '/clock')
        self.provide(SetBool, '~/pause', self._pause)
        self.provide(Trigger, '~/step', self._one_step)
        self.provide(Trigger, '~/reset', self._reset)
        self.create_timer(0.5 * PATIENCE, self._remind, clock=self.steady)
        self._timer = self.create_timer(SLOWEST, self._tick, clock=self.steady)
        self._set_period()

    # What a simulation does

    @abstractmethod
    def stands(self) -> bool:
        """Return whether there is a robot."""

    @abstractmethod
    def restart(self) -> None:
        """Put the robot back at the start."""

    @abstractmethod
    def advance(self, answer: Any) -> None:
        """Step the robot; ``answer`` is None where no command came."""

    @abstractmethod
    def show(self, stamp: int) -> None:
        """Publish the present state without the message that the loop acts on; ``stamp`` in ns."""

    @abstractmethod
    def invite(self, stamp: int) -> None:
        """Publish the message that the nodes of the loop act on."""

    # What comes in

    @property
    def stamp(self) -> int:
        """Return the time of the present state, ns."""
        return self._count * self._step_time

    def begin(self) -> None:
        """Publish a new robot at the start."""
        self._count, self._answer, self._single = 0, None, False
        self._due = self.now()
        self._show()

    def expects(self, stamp: int) -> bool:
        """Return whether a command of a stamp, ns, is one for the present state.

        A command for a future state was sent before a reset, an old one before an interruption.
        """
        if self._lock_step:
            return self.stands() and stamp == self.stamp
        oldest = max(OLDEST * self._step_time, round(LATEST * self._factor * 1e9))
        return self.stands() and 0 <= self.stamp - stamp <= oldest

    def take(self, answer: Any) -> None:
        """Take the answer to the present state."""
        self._answer = answer
        if self._lock_step:
            self._advance_when_due()

    def _pause(self, request: Any, _: Any) -> str:
        if self._paused and not request.data:
            self._paused = False
            self._due = self.now()
            self._invite()
        self._paused = request.data
        return f'paused at step {self._count}' if self._paused else 'goes on'

    def _one_step(self, *_: Any) -> str:
        if not (self._paused and self.stands()):
            raise ValueError('pause first')
        self._single = True
        self._due = self.now()
        self._invite()
        return 'one step'

    def _reset(self, *_: Any) -> str:
        if not self.stands():
            raise ValueError('waits for a terrain')
        self.restart()
        self.begin()
        return 'back at the start'

    def changing(self, values: Any) -> None:
        """Refuse a free-running simulation without a rate."""
        if values.get('real_time_factor') == 0.0 and not self._lock_step:
            raise ValueError('real_time_factor must not be 0 where lock_step is false')

    def changed(self) -> None:
        """Take over a new real_time_factor."""
        self._factor = self.get_parameter('real_time_factor').value or 0.0
        self._set_period()

    # Time

    @property
    def goes(self) -> bool:
        """Return whether the time is to go on."""
        return self._single or not self._paused

    def _set_period(self) -> None:
        self._due = self.now()
        if self._lock_step:
            self._timer.cancel()
            self._advance_when_due()
        else:
            period = self._dt / (QUICKER * self._factor)
            self._check_after(max(QUICKEST, min(SLOWEST, period)))

    def _tick(self) -> None:
        if self._lock_step:
            self._timer.cancel()
            self._advance_when_due()
        elif self.stands() and self.goes and self.now() >= self._due:
            self._advance()

    def _advance_when_due(self) -> None:
        if self._answer is None:
            return
        wait = self._due - self.now() if self._factor else 0.0
        if wait <= 0.0:
            self._advance()
        else:
            self._check_after(min(max(wait, NAP), PATIENCE))

    def _check_after(self, seconds: float) -> None:
        self._timer.timer_period_ns = round(1e9 * seconds)
        self._timer.reset()

    def _advance(self) -> None:
        now = self.now()
        if self._factor:
            self._due = max(self._due, now - LAG) + self._dt / self._factor
        self._advanced = now
        self.advance(self._answer)
        self._answer, self._single = None, False
        self._count += 1
        self._show()

    # What goes out

    def _show(self) -> None:
        self._shown = self.now()
        self.show(self.stamp)
        if self.goes:
            self.invite(self.stamp)

    def _invite(self) -> None:
        if self.stands():
            self.invite(self.stamp)

    def _remind(self) -> None:
        quiet = self.stands() and self.now() - self._shown >= PATIENCE
        if quiet and self._answer is None and (self._lock_step or self._paused):
            self.repeat()

    def repeat(self) -> None:
        """Publish the present state again, for nodes that may have missed it."""
        self._show()

    def rest(self, why: str) -> None:
        """Forget the answer to the present state."""
        self._answer = None

    def health(self) -> Health:
        """Return what the simulation waits for."""
        if self._paused:
            return OK, f'paused at step {self._count}'
        if self._lock_step and self.now() - self._advanced > 1.0:
            late = f'waits for joint_command of step {self._count}'
            return WARN, f'{late}: are the {self.answers_from} nodes running?'
        return OK, f'step {self._count}'
