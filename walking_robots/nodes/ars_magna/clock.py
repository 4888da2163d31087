"""Advance the ticks of ARS MAGNA: at each step request in lock-step, or by the wall clock."""

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rclpy.task import Future
from walking_robots_interfaces.srv import ArsStep

from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.nodes.ars_magna.command_messages import WORLD_ENDS
from walking_robots.nodes.ars_magna.command_servers import CommandServers
from walking_robots.nodes.ars_magna.parameters import LOCK_STEP, ArsParameters
from walking_robots.nodes.common.deferred_service import create_deferred_service
from walking_robots.nodes.common.node import GraphNode

BATCH, PAUSE = 0.005, 0.003
"""Wall time, s, of ticks in a row, and of the pause for messages before the next ones.

Without a pause timers would go before messages for ever.
"""
PATIENCE = 5.0
"""Wall time, s, that a step waits for requests."""
LAG = 0.5
"""Most wall time, s, that a paced simulation makes up for."""
_MOST = 1_000_000_000
_RARELY = 0.1
"""Wall time, s, between two checks whether a tick is due."""


@dataclass
class _Step:
    """A step that is under way: ticks that are left, and for which requests it waits.

    done: answers it, with why it failed, or ''.
    """

    left: int
    needed: Mapping[str, int]
    until: float
    done: Callable[[str], None]
    begun: bool = False


class Ticks:
    """Runs ticks, in small batches, so that commands are taken at once while time goes on."""

    def __init__(
        self,
        node: GraphNode,
        own: ArsParameters,
        simulator: Simulator,
        goals: Mapping[str, CommandServers],
        show: Callable[[bool], None],
    ) -> None:
        """Begin at once; ``show`` is called after each tick, with whether a batch ends by it."""
        self._node, self._own, self._simulator = node, own, simulator
        self._goals, self._show = goals, show
        self._steps: deque[_Step] = deque()
        self._due = node.now()
        self._going = False
        self._timer = node.create_timer(1.0, self._go, clock=node.steady)
        create_deferred_service(node, ArsStep, 'admin/step', self._step)
        self.set_period()

    @property
    def waits_for(self) -> str:
        """Say for which requests a step waits; empty when none does."""
        return self._missing(self._steps[0]) if self._steps else ''

    def set_period(self) -> None:
        """Take over mode and real_time_factor."""
        self._due = self._node.now()
        if self._own.mode != LOCK_STEP:
            self._give_up('time runs free')
        period = BATCH + PAUSE
        if self._own.mode != LOCK_STEP:
            tick = self._period()
            period = max(tick / max(math.ceil(tick / _RARELY), 1), period)
        elif not self._steps or not self._steps[0].begun:
            period = _RARELY
        wanted = round(period * 1e9)
        if self._timer.timer_period_ns != wanted:
            self._timer.timer_period_ns = wanted
            self._timer.reset()

    def go_on(self) -> None:
        """Begin a step if it can, as a request has come."""
        if self._steps and self._own.mode == LOCK_STEP:
            self._go()

    def _period(self) -> float:
        """Return the wall time of a tick, s; 0 for as short as can be."""
        factor = self._own.real_time_factor
        return self._simulator.world.parameters.tick_sim_seconds / factor if factor else 0.0

    # Steps

    def _step(self, request: Any, response: Any) -> 'Future[Any]':
        answer: Future[Any] = Future()

        def done(trouble: str) -> None:
            response.message, response.success = trouble, not trouble
            response.tick = self._simulator.now
            response.reports = [self._goals[robot].reports for robot in request.robots]
            answer.set_result(response)

        self._steps.append(self._step_of(request, done))
        self.go_on()
        self.set_period()
        return answer

    def _step_of(self, request: Any, done: Callable[[str], None]) -> _Step:
        if self._own.mode != LOCK_STEP:
            raise ValueError("time runs free; set parameter 'mode' to lock-step first")
        if not 0 <= request.ticks <= _MOST or len(request.robots) != len(request.requests):
            raise ValueError(
                f'a step needs 0 to {_MOST} ticks, and a number of requests for each robot'
            )
        unknown = [robot for robot in request.robots if robot not in self._goals]
        if unknown:
            known = ', '.join(self._goals)
            raise ValueError(f'there is no robot {unknown[0]!r}; the world has {known}')
        needed = dict(zip(request.robots, request.requests, strict=True))
        until = self._node.now() + PATIENCE
        return _Step(request.ticks, needed, until, done)

    def _missing(self, step: _Step) -> str:
        return ' and '.join(
            f'request {number} of {robot}, which has sent {self._goals[robot].requests}'
            for robot, number in step.needed.items()
            if self._goals[robot].requests < number
        )

    # Ticks

    def _go(self) -> None:
        """Run the ticks that are due, for a little while."""
        if self._going:
            return
        self._going = True
        try:
            if self._own.mode == LOCK_STEP:
                self._go_by_steps()
            else:
                self._go_by_clock()
        finally:
            self._going = False

    def _go_by_steps(self) -> None:
        end = self._node.now() + BATCH
        while self._steps:
            step = self._steps[0]
            missing = '' if step.begun else self._missing(step)
            if missing:
                if self._node.now() < step.until:
                    break
                step.left, sentence = 0, f'no tick has passed: this waits in vain for {missing}'
            else:
                step.begun, sentence = True, ''
            while step.left and self._node.now() < end:
                step.left -= 1
                self._tick(not step.left or self._node.now() >= end)
            if step.left:
                break
            self._steps.popleft()
            step.done(sentence)
        self.set_period()

    def _go_by_clock(self) -> None:
        period, now = self._period(), self._node.now()
        end = now + BATCH
        self._due = max(self._due, now - LAG)
        while now < end and (not period or now >= self._due):
            self._due += period
            now = self._node.now()
            self._tick(now >= end or bool(period and now < self._due))

    def _tick(self, last: bool) -> None:
        self._simulator.tick()
        self._show(last)

    def stop(self) -> bool:
        """Stop the ticks; return whether somebody was waiting for one."""
        self._timer.cancel()
        waited = bool(self._steps)
        self._give_up(WORLD_ENDS)
        return waited

    def _give_up(self, why: str) -> None:
        while self._steps:
            self._steps.popleft().done(f'no more ticks pass: {why}')
