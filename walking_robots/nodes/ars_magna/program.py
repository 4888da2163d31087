"""Runs the programs of ARS MAGNA that ship, for a robot in a world elsewhere.

A program runs on a thread: it waits for its robot by spinning a node of its own.
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, NamedTuple

from rclpy.context import Context
from rclpy.node import Node
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import PlanStatus, PlanValue

from walking_robots.ars_magna.agent.futures import Task, all_of
from walking_robots.ars_magna.agent.messages import STARTED, CommandReport
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.codes import Code, phrase
from walking_robots.ars_magna.commands import COMMANDS
from walking_robots.ars_magna.plans.errands import request_of
from walking_robots.ars_magna.plans.failing import PlanFailedError
from walking_robots.ars_magna.plans.programs import PROGRAMS
from walking_robots.ars_magna.sensing.attributes import STANDARD
from walking_robots.nodes.ars_magna.command_messages import WORLD_ENDS
from walking_robots.nodes.ars_magna.remote import RemoteWorld
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import GraphNode, one_of
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import make_executor, run_node, spin

DONE, FAILED, CANCELED = 'DONE', 'FAILED', 'CANCELED'
STOPPED = 'stopped before its end'
PATIENCE = 2.0
"""Wall time, s, for a robot to end what it is at after a program."""

RUNNING = 'RUNNING'
LOOK = 0.1
"""Wall time, s, between two checks of the program."""
REPEAT = 1.0
"""Wall time, s, after which its state is published again."""
STILL = 3.0
"""Wall time, s, without a tick that is worth a warning, where none came as slowly before."""


class RunProgress(NamedTuple):
    """What a program is at; ticks since it began; outcome: how it ended, empty until then."""

    program: str = ''
    ticks: int = 0
    words: str = ''
    outcome: str = ''


class _Interrupted(Exception):  # noqa: N818
    """Says why a program ends before its end, whatever it waits for."""


class Runner:
    """Runs one program at a time; what it is at can be read from any thread."""

    def __init__(self, context: Context, namespace: str) -> None:
        """Run programs for robots of a world in a namespace."""
        # Node and clients serve all programs: Fast DDS keeps some memory of what is destroyed.
        self._node = Node(
            'ars_program_client',
            context=context,
            namespace=namespace,
            cli_args=[],
            use_global_arguments=False,
            enable_rosout=False,
            start_parameter_services=False,
        )
        self._executor = make_executor(context)
        self._executor.add_node(self._node)
        self._world = RemoteWorld(self._node, self._spin)
        # Always the same thread: each new one would keep memory of its own (an arena of malloc).
        self._thread = ThreadPoolExecutor(1, 'ars_program')
        self._running: Future[None] | None = None
        self._stopped, self._closed = threading.Event(), threading.Event()
        self._resting = False
        self.progress = RunProgress()

    @property
    def runs(self) -> bool:
        """Return whether a program has the robot."""
        return self._running is not None and not self._running.done()

    def start(self, program: str, robot: str, what: Any) -> None:
        """Start a program; raise ValueError while another one runs."""
        if self.runs:
            raise ValueError(f'{self.progress.program} has the robot: stop it first')
        self._stopped.clear()
        self.progress = RunProgress(program, 0, f'waits for {robot}')
        self._running = self._thread.submit(self._run, program, robot, what)

    def stop(self) -> None:
        """End the program, and then what its robot is at."""
        self._stopped.set()

    def close(self) -> None:
        """End all at once."""
        self._closed.set()
        if self._running is not None:
            wait([self._running], timeout=2.0)
        self._thread.shutdown(wait=False)
        if not self.runs:
            self._executor.remove_node(self._node)
            # The events executor holds what it has served until it is shut down.
            self._executor.shutdown()
            self._world.close()
            self._node.destroy_node()

    # On the thread

    def _run(self, program: str, robot: str, what: Any) -> None:
        self._resting = False
        try:
            handle = self._world.connect(robot)
            lacks = PROGRAMS[program].missing(handle.parts)
            if lacks:
                raise ValueError(f'{robot} has no {lacks}, which {program} needs')
            outcome, words = self._carry_out(handle, program, what)
        except _Interrupted as error:
            outcome, words = CANCELED, str(error)
        except (TimeoutError, ValueError) as error:
            words = str(error)
            outcome = CANCELED if words == WORLD_ENDS else FAILED
        except Exception as error:
            # A program that fails in whatever way must not seem to run.
            outcome, words = FAILED, f'{type(error).__name__}: {error}'
        finally:
            self._world.disconnect()
        self.progress = self.progress._replace(words=words, outcome=outcome)

    def _spin(self, done: Callable[[], bool]) -> None:
        spin(self._executor, self._unless_closed(done))

    def _carry_out(self, robot: Robot, program: str, what: Any) -> tuple[str, str]:
        """Run a program to its end and give its outcome in a word and in words."""
        began = robot.now

        def note(report: CommandReport) -> None:
            if not self._stopped.is_set():
                self.progress = self.progress._replace(words=_words(report))

        robot.listeners.append(note)
        task: Task[Any] = Task(PROGRAMS[program].start(robot, what))

        def over() -> bool:
            self.progress = self.progress._replace(ticks=robot.now - began)
            return task.done

        with suppress(_Interrupted):
            self._world.follow(over)
        ended, self._resting = task.done, True
        task.cancel()
        # What a robot is still at would be reported to the next program.
        rest = all_of(*(part.grab() for parts in robot.parts.values() for part in parts))
        if not rest.done and not ended:
            self.progress = self.progress._replace(words='stops')
        # Where time is held they are not answered.
        end = time.monotonic() + PATIENCE
        self._world.follow(lambda: rest.done or time.monotonic() > end)
        if not ended:
            return CANCELED, STOPPED
        try:
            task.result()
        except PlanFailedError as error:
            return FAILED, f'{error.step}: {phrase(error.code)}'
        return DONE, 'came to its end'

    def _unless_closed(self, done: Callable[[], bool]) -> Callable[[], bool]:
        def check() -> bool:
            if self._closed.is_set():
                raise _Interrupted('the node ended')
            if self._stopped.is_set() and not self._resting:
                raise _Interrupted(STOPPED)
            return done()

        return check


def _words(report: CommandReport) -> str:
    """Say what a command came to."""
    info = COMMANDS[report.command]
    part = '' if info.part == 'robot' else f'{info.part} {report.part}: '
    name = info.topic.replace('_', ' ')
    if report.kind == STARTED:
        return f'{part}{name} has begun'
    done = 'done' if report.code == Code.NIL else phrase(report.code)
    return f'{part}{name} – {done}'


class ArsProgramNode(GraphNode):
    """Starts and stops programs, and publishes their state; it knows no more than its robot."""

    def __init__(self, **options: Any) -> None:
        """Take the parameters; raise ConfigurationError for a wrong one."""
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
        self.provide(Trigger, '~/start', self._start)
        self.provide(Trigger, '~/stop', self._stop)
        self.create_timer(LOOK, self._publish_status, clock=self.steady)
        if begin:
            self._begin(begin)

    def _begin(self, program: str) -> None:
        robot, thing = (str(self.get_parameter(name).value) for name in ('robot', 'thing'))
        self._runner.start(program, robot, _what(thing))
        self._thing, self._still, self._patience = thing, (0, self.now()), STILL

    def _start(self, request: Any, response: Any) -> str:
        self._begin(str(self.get_parameter('program').value))
        return 'started'

    def _stop(self, request: Any, response: Any) -> str:
        self._runner.stop()
        return 'stops'

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
    return request_of(str(words), STANDARD)


def main() -> int:
    """Run the node as a process."""
    return run_node(ArsProgramNode)
