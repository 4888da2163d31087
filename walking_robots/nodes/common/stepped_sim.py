"""What simulations share that go by steps: in lock-step with answers, or by the wall clock."""

from abc import abstractmethod
from typing import Any

from std_srvs.srv import SetBool, Trigger

from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode

PATIENCE = 0.2
"""Wall time, s, after which the present state is published again."""

SLOWEST, QUICKEST = 0.005, 0.0005
"""Bounds of the wall time, s, after which a paced simulation looks whether a step is due."""

QUICKER = 4.0
"""How much faster than its pace a free-running simulation can make up for what it is late, one
step after the other, so that each is answered."""

LAG = 0.5
"""Most wall time, s, that a paced simulation makes up for."""


OLDEST = 5
LATEST = 0.5
"""How old a command may be that a free-running simulation takes: steps, or wall time, s, whichever
is more. A slow machine answers late; what comes later still is from before an interruption."""


class SteppedSim(GraphNode):
    """Steps a backend, in lock-step with the answers to its states or by the wall clock.

    While it is paused it shows its state but withholds the message on which the nodes of the
    loop act: whatever is commanded before it goes on counts from that step.
    """

    answers_from = 'gait'
    """The nodes that answer, for people."""

    def serve(self, dt: float) -> None:
        """Declare what all simulations have, for steps of ``dt`` seconds; call it once."""
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
        self.create_service(SetBool, '~/pause', self._pause)
        self.create_service(Trigger, '~/step', self._one_step)
        self.create_service(Trigger, '~/reset', self._reset)
        self.create_timer(0.5 * PATIENCE, self._remind, clock=self.steady)
        self._pace = self.create_timer(SLOWEST, self._tick, clock=self.steady)
        self._set_pace()

    # What a simulation does

    @abstractmethod
    def stands(self) -> bool:
        """Return whether there is a robot."""

    @abstractmethod
    def restart(self) -> None:
        """Put the robot back to the start."""

    @abstractmethod
    def advance(self, answer: Any) -> None:
        """Step the robot; ``answer`` is None where no command came."""

    @abstractmethod
    def show(self, stamp: int) -> None:
        """Publish the present state but for what the loop acts on; ``stamp`` in ns."""

    @abstractmethod
    def invite(self, stamp: int) -> None:
        """Publish what the nodes of the loop act on."""

    # What comes in

    @property
    def stamp(self) -> int:
        """Return the time of the present state, ns."""
        return self._count * self._step_time

    def begin(self) -> None:
        """Show a robot that has come to be at the start."""
        self._count, self._answer, self._single = 0, None, False
        self._due = self.now()
        self._show()

    def expects(self, stamp: int) -> bool:
        """Return whether a command of a stamp, ns, is one for the present state.

        One for a state that has not been yet comes from before a reset, and an old one from
        before an interruption.
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

    def _pause(self, request: Any, response: Any) -> Any:
        if self._paused and not request.data:
            self._paused = False
            self._due = self.now()
            self._invite()
        self._paused = request.data
        response.success = True
        response.message = f'paused at step {self._count}' if self._paused else 'goes on'
        return response

    def _one_step(self, request: Any, response: Any) -> Any:
        response.success = self._paused and self.stands()
        response.message = 'one step' if response.success else 'pause first'
        if response.success:
            self._single = True
            self._due = self.now()
            self._invite()
        return response

    def _reset(self, request: Any, response: Any) -> Any:
        response.success = self.stands()
        response.message = 'back at the start' if response.success else 'waits for a terrain'
        if response.success:
            self.restart()
            self.begin()
        return response

    def changing(self, values: Any) -> None:
        """Refuse a free-running simulation without a pace."""
        if values.get('real_time_factor') == 0.0 and not self._lock_step:
            raise ValueError('real_time_factor must not be 0 where lock_step is false')

    def changed(self) -> None:
        """Take over a new real_time_factor."""
        self._factor = self.get_parameter('real_time_factor').value or 0.0
        self._set_pace()

    # Time

    @property
    def _goes(self) -> bool:
        return self._single or not self._paused

    def _set_pace(self) -> None:
        self._due = self.now()
        period = self._dt if self._lock_step else self._dt / (QUICKER * self._factor)
        self._pace.timer_period_ns = round(1e9 * max(QUICKEST, min(SLOWEST, period)))
        if self._factor or not self._lock_step:
            self._pace.reset()
        else:
            self._pace.cancel()
            self._advance_when_due()

    def _tick(self) -> None:
        if self._lock_step:
            self._advance_when_due()
        elif self.stands() and self._goes and self.now() >= self._due:
            self._advance()

    def _advance_when_due(self) -> None:
        if self._answer is not None and (not self._factor or self.now() >= self._due):
            self._advance()

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
        if self._goes:
            self.invite(self.stamp)

    def _invite(self) -> None:
        if self.stands():
            self.invite(self.stamp)

    def _remind(self) -> None:
        quiet = self.stands() and self.now() - self._shown >= PATIENCE
        if quiet and self._answer is None and (self._lock_step or self._paused):
            self._show()

    def health(self) -> Health:
        """Return what the simulation waits for."""
        if self._paused:
            return OK, f'paused at step {self._count}'
        if self._lock_step and self.now() - self._advanced > 1.0:
            late = f'waits for joint_command of step {self._count}'
            return WARN, f'{late}: are the {self.answers_from} nodes running?'
        return OK, f'step {self._count}'
