"""Runs the programs of ARS MAGNA that ship, for a robot in a world elsewhere."""

import sys
from collections.abc import Mapping
from typing import Any

from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import PlanStatus, PlanValue

from walking_robots.ars_magna.console.words import specification_of
from walking_robots.ars_magna.plans.programs import PROGRAMS
from walking_robots.ars_magna.sensing.attributes import STANDARD
from walking_robots.nodes.ars_magna.program_runner import Runner, RunProgress
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import GraphNode, one_of
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import run_node

RUNNING = 'RUNNING'
LOOK = 0.1
"""Wall time, s, between two checks of the program."""
REPEAT = 1.0
"""Wall time, s, after which its state is published again."""
STILL = 3.0
"""Wall time, s, without a tick that is worth a warning, where none came as slowly before."""


class ArsProgramNode(GraphNode):
    """Starts and stops programs, and publishes their state; it knows no more than its robot."""

    def __init__(self, **options: Any) -> None:
        """Take the parameters; raise RefusedError for a wrong one."""
        super().__init__('ars_program', **options)
        self.parameter('robot', 'robbie', 'whom the program is for')
        self.parameter(
            'program', 'persistent', 'which one ~/start runs', check=one_of('program', PROGRAMS)
        )
        self._thing = self.parameter(
            'thing', 'color=lightblue', 'what it is to fetch, such as size=4..6', check=_what
        )
        begin = self.parameter(
            'autostart',
            '',
            'program to run from the start; empty: none',
            check=one_of('autostart', ('', *PROGRAMS)),
            fixed=True,
        )
        self._runner = Runner(self.context, self.get_namespace())
        self._still = (0, self.now())
        self._patience = STILL
        self._published: tuple[float, RunProgress] | None = None
        self._status = self.create_publisher(PlanStatus, '~/status', LATCHED)
        self.create_service(Trigger, '~/start', self._start)
        self.create_service(Trigger, '~/stop', self._stop)
        self.create_timer(LOOK, self._publish_status, clock=self.steady)
        if begin:
            self._begin(begin)

    def _begin(self, program: str) -> None:
        robot, thing = (str(self.get_parameter(name).value) for name in ('robot', 'thing'))
        self._runner.start(program, robot, _what(thing))
        self._thing, self._still, self._patience = thing, (0, self.now()), STILL

    def _start(self, request: Any, response: Any) -> Any:
        try:
            self._begin(str(self.get_parameter('program').value))
        except ValueError as error:
            response.message = str(error)
            return response
        response.success, response.message = True, 'started'
        return response

    def _stop(self, request: Any, response: Any) -> Any:
        self._runner.stop()
        response.success, response.message = True, 'stops'
        return response

    def _publish_status(self) -> None:
        """Publish what the program is at, when that has changed and now and then."""
        progress, now = self._runner.progress, self.now()
        if progress.ticks != self._still[0]:
            # Where time goes slowly, twice as long as any tick so far is waited for.
            self._patience = max(self._patience, 2.0 * (now - self._still[1]))
            self._still = progress.ticks, now
        if self._published is not None:
            at, before = self._published
            if before == progress and now - at < REPEAT:
                return
        self._published = now, progress
        message = PlanStatus(
            phase=_phase(progress),
            entry=progress.program,
            tick=max(progress.ticks, 0),
            outcome=progress.outcome,
            message=progress.words,
            board=[PlanValue(name='thing', value=self._thing)],
        )
        message.stamp = self.get_clock().now().to_msg()
        self._status.publish(message)

    def health(self) -> Health:
        """Return what the program is at."""
        progress, still = self._runner.progress, self.now() - self._still[1]
        if _phase(progress) == RUNNING and still > self._patience:
            return WARN, (
                f'{progress.program} has seen no tick for {still:.0f} s: is the node ars_magna '
                'running, and does somebody call admin/step where its mode is lock-step?'
            )
        return OK, f'{progress.program} {_phase(progress).lower()}'.strip()

    def figures(self) -> Mapping[str, object]:
        """Return how the last program went."""
        return {'outcome': self._runner.progress.outcome, 'words': self._runner.progress.words}

    def halt(self) -> None:
        """End the program and the commands of its robot."""
        self._runner.close()


def _phase(progress: RunProgress) -> str:
    if not progress.program:
        return 'NOTRUN'
    return 'TERMINATED' if progress.outcome else RUNNING


def _what(words: Any) -> Any:
    """Read what a thing is like; raises ValueError for what that cannot be."""
    return specification_of(str(words).split(), STANDARD)


def main() -> int:
    """Run the node as a process."""
    return run_node(ArsProgramNode)


if __name__ == '__main__':
    sys.exit(main())
