"""The executor of MDLe programs: the action `run_plan` and a tick, on any robot with `cmd_vel`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rclpy.lifecycle import LifecycleState, TransitionCallbackReturn
from rclpy.lifecycle.node import LifecycleNodeMixin

from walking_robots.documents.shared import shared_path
from walking_robots.mdle.knowledge.library import library_with
from walking_robots.mdle.program_store import ProgramStore
from walking_robots.mdle.runtime.executor import RunPhase
from walking_robots.mdle.session import RunHandle, RunRequest, Session
from walking_robots.nodes.common.health import ERROR, OK, PATIENCE, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.tick_timing import TickJitter
from walking_robots.nodes.mdle.action import PlanAction
from walking_robots.nodes.mdle.external_calls import RosExternalCalls
from walking_robots.nodes.mdle.parameters import MdleParameters
from walking_robots.nodes.mdle.services import PlanServices
from walking_robots.nodes.mdle.status_publisher import StatusPublisher
from walking_robots.nodes.mdle.topic_robot import TopicRobot

FEEDBACK = 4
"""Ticks between two feedbacks."""


class MdleExecutorNode(LifecycleNodeMixin, GraphNode):  # type: ignore[misc,unused-ignore]
    """Runs programs while it is active; whatever ends, the robot is stopped first."""

    def __init__(self, **options: Any) -> None:
        """Listen to the robot; raise ConfigurationError for a wrong parameter or library."""
        GraphNode.__init__(self, 'mdle_executor', **options)
        LifecycleNodeMixin.__init__(self)
        self._own = own = MdleParameters(self)
        self._store = ProgramStore(
            [shared_path('config/mdle.yaml').parent / 'plans', *own.library_paths]
        )
        self._robot = TopicRobot(
            self, own.spec, stamped=own.stamped, rest=own.rest, partners=own.partners
        )
        self._calls = RosExternalCalls(self, own.robot_name, own.run_name)
        self._session = Session(self._robot, {}, own.settings(), self._calls)
        self._active = False
        self._autostart: RunRequest | None = None
        self._begun: RunHandle | None = None
        self._spent = self._worst = 0.0
        self._jitter = TickJitter(self._session.executor.settings.tick_period)
        self._publisher = StatusPublisher(self, self._session, self._robot, self._calls, own)
        PlanServices(
            self,
            self._session,
            self._store,
            self._calls,
            own.autonomy,
            self._publisher.fill_snapshot,
        )
        self._action = PlanAction(
            self, self._session, self._store, self._ros_time, own.autonomy, self._refusal
        )
        self.closing.append(self._action.close)
        self._timer = self.create_timer(self._session.executor.settings.tick_period, self._tick)
        if own.bring_up:
            self._bring_up()

    # Life cycle

    def _bring_up(self) -> None:
        trouble = self._load()
        if trouble:
            raise ConfigurationError(f'{self.get_name()}: {trouble}')
        for transition in (self.trigger_configure, self.trigger_activate):
            transition()
        if self._own.autostart:
            self._prepare_autostart()

    def _prepare_autostart(self) -> None:
        """Make sure that the program is there and right; it begins once the robot speaks."""
        try:
            source, form, file = self._store.read(self._own.autostart)
        except ValueError as error:
            raise ConfigurationError(
                f"{self.get_name()}: parameter 'autostart': {error}."
            ) from None
        order = RunRequest(source, form, file)
        ticket = self._session.submit(replace(order, dry_run=True), self._ros_time())
        if ticket.result and ticket.result.outcome == 'REJECTED':
            raise ConfigurationError(f'{self.get_name()}: {file}: {ticket.result.message}.')
        self._autostart = order

    def _start_by_itself(self) -> None:
        now = self._ros_time()
        if self._active and self._autostart and 'pose' in self._robot.read(now).values:
            paused = self._own.autonomy() != 'full'
            self._session.submit(replace(self._autostart, start_paused=paused), now)
            self._autostart = None

    def _load(self) -> str:
        """Load the library; gives what is wrong with it."""
        paths = [
            path
            for folder in self._own.library_paths
            for path in sorted(folder.glob('lib_*.mdle'))
        ]
        try:
            library, broken = library_with(*paths)
        except (ValueError, OSError) as error:
            return str(error)
        for sentence in broken:
            self.warn_throttled(sentence)
        self._session.library = library
        return ''

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Load and check the libraries."""
        trouble = self._load()
        if trouble:
            self.get_logger().error(trouble)
            return TransitionCallbackReturn.FAILURE
        return super().on_configure(state)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Take programs from now on."""
        self._active = True
        return super().on_activate(state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop what runs, and the robot."""
        self._active, self._autostart = False, None
        self._session.stop_all('the executor was deactivated')
        self._robot.stop()
        return super().on_deactivate(state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop what runs, and the robot."""
        self._active, self._autostart = False, None
        self.halt()
        return super().on_shutdown(state)

    def _refusal(self) -> str:
        return '' if self._active else 'it is not active; activate it first'

    # Ticks

    def _ros_time(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _tick(self) -> None:
        executor = self._session.executor
        if self._autostart:
            self._start_by_itself()
        if executor.phase in (RunPhase.NOTRUN, RunPhase.TERMINATED) and not self._session.waiting:
            self._jitter.rest()
            return
        begun = self.now()
        self._jitter.note(begun)
        if self._session.current is not self._begun:
            self._begun = self._session.current
            self._calls.begin()
        # The next program may begin in this very tick; what happened is of the one before it.
        clock = executor.context.begun
        found = self._session.tick(self._ros_time())
        self._spent = self.now() - begun
        self._worst = max(self._worst, self._spent)
        executor.ticks.spent = self._spent
        self._publisher.publish_events(found, clock)
        self._publisher.share()
        if found or executor.context.tick % FEEDBACK == 0:
            status = self._publisher.publish_status()
            self._action.publish_feedback(status, self._publisher.last_event)
        self._action.settle()

    # Parameters and health

    def changing(self, values: Mapping[str, Any]) -> None:
        """Refuse new settings while a program runs."""
        if self._session.current and set(values) - {'autonomy_level', 'tick_budget'}:
            raise ValueError('a program runs; change this between programs')

    def changed(self) -> None:
        """Take new settings over."""
        settings = self._own.settings()
        if settings.tick_period != self._session.executor.settings.tick_period:
            self.destroy_timer(self._timer)
            self._timer = self.create_timer(settings.tick_period, self._tick)
            self._jitter = TickJitter(settings.tick_period)
        breakpoints = self._session.executor.settings.breakpoints
        self._session.executor.settings = replace(settings, breakpoints=breakpoints)

    def health(self) -> Health:
        """Return whether programs can run, how the last one ended, or that the robot is silent."""
        level, message = self._health_of_programs()
        silence = self.now() - self._robot.heard
        if level == OK and silence > PATIENCE:
            return WARN, f'{message}; no odometry for {silence:.1f} s: is the driver running?'
        return level, message

    def _health_of_programs(self) -> Health:
        executor = self._session.executor
        result = executor.result
        if not self._active:
            return WARN, 'is not active'
        if executor.phase not in (RunPhase.NOTRUN, RunPhase.TERMINATED):
            return (
                OK,
                f'{executor.phase.name.lower()} {executor.job.entry if executor.job else ""}',
            )
        if result and result.outcome == 'FAULT':
            return ERROR, f'the last program ended by a fault: {result.code} {result.message}'
        return OK, 'waits for a program'

    def figures(self) -> Mapping[str, object]:
        """Return how long ticks take, and which values of the robot are missing."""
        executor = self._session.executor
        return {
            'phase': executor.phase.name,
            'programs waiting': self._session.waiting,
            'last tick, ms': f'{1e3 * self._spent:.2f}',
            'longest tick, ms': f'{1e3 * self._worst:.2f}',
            'jitter of ticks (99 %), ms': f'{1e3 * self._jitter.jitter():.2f}',
            'ticks missed': executor.ticks.missed,
            'signals dropped': self._calls.dropped,
            'channels not to be trusted': ', '.join(sorted(executor.context.suspects)),
        }

    def rest(self, why: str) -> None:
        """Stop the robot before anything else, and every program."""
        if self._session.current:
            self._robot.stop()
            self._session.stop_all(why)
            self._session.tick(self._ros_time())
            self._robot.stop()

    def halt(self) -> None:
        """Stop the robot and release what programs use."""
        super().halt()
        self._calls.close()


def main() -> int:
    """Run the node as a process."""
    return run_node(MdleExecutorNode)
