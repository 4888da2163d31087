"""What the node hands to the page of programs, and what it does when a person requests it."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytest.importorskip('rclpy', reason='There is no rclpy here: run from the environment.')

from geometry_msgs.msg import TransformStamped, TwistStamped
from rclpy.action import ActionServer, CancelResponse
from rclpy.node import Node
from rclpy.task import Future
from ros_domains import private_domain
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker
from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import (
    PlanDiagnostic,
    PlanEvent,
    PlanFrame,
    PlanStatus,
    PlanTree,
    PlanValue,
)
from walking_robots_interfaces.srv import (
    CheckPlan,
    ListElements,
    MoveObject,
    ResumePlan,
    SetPlanValue,
)

from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.mdle.page_state import board_points
from walking_robots.viewer.mdle.state import (
    Element,
    GuardReading,
    NamedPoint,
    Object,
    PlanControls,
    PlanLine,
    PlanView,
    ProgramText,
)
from walking_robots.viewer.scout.state import ScoutControls

pytestmark = pytest.mark.graph

NAMESPACE = '/carol'


class Executor(Node):
    """Stands in for the executor, the driver and the emulator."""

    def __init__(self, **options: Any) -> None:
        super().__init__('mdle_executor', **options)
        self.commands: list[float] = []
        self.asked: list[Any] = []
        self.outcome, self.code, self.line = 'DONE', '', 2
        self.ends_when_told = True
        self.out = {
            'status': self.create_publisher(PlanStatus, '~/status', LATCHED),
            'events': self.create_publisher(PlanEvent, '~/events', RECORD),
            'tree': self.create_publisher(PlanTree, '~/tree', LATCHED),
            'object': self.create_publisher(Marker, 'world/object', LATCHED),
            'tf': self.create_publisher(TFMessage, '/tf_static', RECORD),
        }
        for name in ('pause', 'step', 'stop_all'):
            self._serve(Trigger, f'~/{name}', name)
        self._serve(ResumePlan, '~/resume', 'resume')
        self._serve(MoveObject, 'scout_emulator/move_object', 'move_object')
        self._serve(SetPlanValue, '~/answer', 'answer')
        self._serve(ListElements, '~/list_elements', 'list')
        self._serve(CheckPlan, '~/check_plan', 'check')
        self.create_subscription(TwistStamped, 'cmd_vel_teleop', self._heard, 100)
        self.held: Future | None = None
        self.server = ActionServer(
            self, RunPlan, '~/run_plan', self._run, cancel_callback=self._cancel
        )

    def _heard(self, message: Any) -> None:
        self.commands.append(message.twist.linear.x)

    def _serve(self, kind: Any, name: str, short: str) -> None:
        def answer(request: Any, response: Any) -> Any:
            self.asked.append((short, request))
            if short == 'list':
                response.plans = ['follow', 'park']
            elif short == 'check':
                response.diagnostics = [
                    PlanDiagnostic(code='E201', severity='error', line=n, text='no')
                    for n in (2, 4)
                ]
            else:
                response.success = True
            if short == 'stop_all' and self.ends_when_told:
                self.tell('TERMINATED')
            return response

        self.create_service(kind, name, answer)

    def _cancel(self, goal: Any) -> CancelResponse:
        self.asked.append(('cancel', goal))
        return CancelResponse.ACCEPT

    async def _run(self, handle: Any) -> Any:
        self.asked.append(('run', handle.request))
        if self.outcome != 'REJECTED':
            self.tell('RUNNING')
        if self.held is not None:
            await self.held
        handle.succeed()
        return RunPlan.Result(outcome=self.outcome, code=self.code, message='so', line=self.line)

    def tell(self, phase: str, **fields: Any) -> None:
        """Publish a status."""
        self.out['status'].publish(PlanStatus(phase=phase, entry='follow', **fields))

    def names(self) -> list[str]:
        """Return what was requested, without the questions for the plans."""
        return [name for name, _ in self.asked if name != 'list']


class Bench:
    """The viewer and an executor in one process."""

    def __init__(self) -> None:
        self.graph = Composition(
            'mdle',
            {'viewer': {'port': 8475}},
            without=('scout_emulator', 'scout_driver', 'mdle_executor'),
            # What is latched in one test must not be heard in the next.
            domain=private_domain(),
            namespace=NAMESPACE,
        )
        self.viewer = self.graph.nodes['viewer']
        self.robot: Executor = self.graph.add('executor', Executor)

    @property
    def view(self) -> PlanView:
        plan = self.viewer.page._state.programs
        assert isinstance(plan, PlanView)
        return plan

    @property
    def plans(self) -> PlanControls:
        return self.viewer._view._programs.controls()

    @property
    def controls(self) -> ScoutControls:
        return self.viewer._controls()

    def until(self, done: Callable[[], Any]) -> None:
        wait_until(done, spin=self.graph.spin)

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.graph.spin(lambda: time.monotonic() > end)

    def is_there(self, phase: str) -> None:
        """Tell a phase until the page has it."""
        self.robot.tell(phase)
        self.until(lambda: self.view.phase == phase)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    robot = bench.robot
    bench.until(lambda: robot.count_publishers('cmd_vel_teleop') and bench.viewer.page._state)
    bench.until(lambda: bench.view.plans and bench.viewer.there('mdle_executor/stop_all'))
    yield bench
    robot.server.destroy()
    bench.graph.close()


def test_all_that_is_reported_of_a_program_comes_to_the_page(bench: Bench) -> None:
    out = bench.robot.out
    start = TransformStamped()
    start.header.frame_id, start.child_frame_id = 'map', 'odom'
    start.transform.translation.x, start.transform.rotation.w = 1.0, 1.0
    disc = Marker(type=Marker.CYLINDER)
    disc.pose.position.x, disc.scale.x, disc.scale.z = 2.0, 0.5, 0.4
    tree = PlanTree(
        program='ab', source='mdle 1;', paths=['follow', 'follow.go'], kinds=['plan', 'atom'],
        texts=['follow', 'go(target)'], depths=[0, 1], lines=[1, 2],
    )  # fmt: skip
    event = PlanEvent(time=1.5, kind='exit', path='follow.go', cause='interrupt', guard='at')
    event.values = [PlanValue(name='pose', value='(0, 0, 0)')]
    frames = [
        PlanFrame(path='follow', iteration=2, time=9.0, time_limit=math.inf),
        PlanFrame(path='follow.go', time=1.0, time_limit=4.0, guards=['at'], readings=['false']),
    ]
    board = [PlanValue(name='target', value='(0.5, -1)'), PlanValue(name='n', value='3')]
    for topic, message in (('tf', TFMessage(transforms=[start])), ('tree', tree)):
        out[topic].publish(message)
    out['events'].publish(PlanEvent(kind='start', path='follow'))
    out['events'].publish(event)
    out['object'].publish(disc)
    bench.robot.tell(
        'RUNNING', program='ab', time=9.0, waiting=1, frames=frames, board=board,
        space='body2', control=[0.2, 0.0],
    )  # fmt: skip
    bench.until(lambda: bench.view.runs and bench.view.tree and len(bench.view.log) == 2)
    bench.until(lambda: bench.view.object and bench.view.points[0].x != 0.5)
    view = bench.view
    assert view.tree == (
        PlanLine('follow', 'plan', 'follow', 0),
        PlanLine('follow.go', 'atom', 'go(target)', 1),
    )
    assert view.active == (
        Element('follow', 2, 9.0),
        Element('follow.go', 0, 1.0, 4.0, (GuardReading('at', 'false'),)),
    )
    assert view.log[1][1:6] == ('exit', 'follow.go', 'interrupt', 'at', (('pose', '(0, 0, 0)'),))
    assert view.points == (NamedPoint('target', 1.5, -1.0),), (
        'in map, where odom begins at the start'
    )
    assert view.object == Object(2.0, 0.0, 0.25, 0.4)
    assert (view.waiting, view.space, view.control) == (1, 'body2', (0.2, 0.0))
    assert (view.plans, view.source) == (('follow', 'park'), 'mdle 1;')
    bench.wait(0.3)
    assert bench.view is view, 'what has not changed is not handed over again'
    bench.robot.tell('RUNNING', program='cd')
    bench.until(lambda: not bench.view.tree)
    assert not bench.view.active, 'of a new program the old structure says nothing'
    bench.until(lambda: bench.view.phase == '')


def test_nonsense_is_reported_and_dropped(bench: Bench) -> None:
    out = bench.robot.out
    far = Marker()
    far.pose.position.x = math.nan
    out['tree'].publish(PlanTree(paths=['a'], texts=['a', 'b']))
    out['events'].publish(PlanEvent(time=math.nan))
    out['object'].publish(far)
    bench.robot.tell('RUNNING', frames=[PlanFrame(guards=['a'])])
    complaints = bench.viewer._warned_at
    bench.until(lambda: sum('drops a message of' in sentence for sentence in complaints) == 4)
    bench.wait(0.2)
    view = bench.view
    assert (view.phase, view.tree, view.log, view.object) == ('', (), (), None)


def test_nothing_is_commanded_by_hand_while_a_program_runs(bench: Bench) -> None:
    bench.controls.drive(0.3, 0.0)
    bench.until(lambda: 0.3 in bench.robot.commands)
    bench.is_there('RUNNING')
    bench.wait(0.1)
    bench.robot.commands.clear()
    bench.wait(0.5)
    assert bench.robot.commands == [], "not even rest: the robot is the executor's"
    bench.is_there('TERMINATED')
    bench.wait(0.3)
    assert bench.robot.commands == [], 'nor is an old motion resumed'


@pytest.mark.parametrize('phase', ['RUNNING', 'PAUSED', 'STOPPING'])
def test_driving_by_hand_waits_for_the_program_to_end(bench: Bench, phase: str) -> None:
    bench.robot.ends_when_told = False
    bench.is_there(phase)
    bench.controls.drive(0.3, 0.0)
    bench.until(lambda: bench.robot.names() == ['stop_all'])
    bench.wait(0.4)
    assert bench.robot.commands == [], 'it still runs'
    bench.is_there('TERMINATED')
    bench.until(lambda: len(bench.robot.commands) > 2)
    assert set(bench.robot.commands) == {0.3}


def test_stop_ends_the_program_and_what_was_to_come_after(bench: Bench) -> None:
    bench.robot.ends_when_told = False
    bench.is_there('RUNNING')
    bench.controls.drive(0.3, 0.0)
    bench.controls.stop()
    bench.until(lambda: bench.robot.names() == ['stop_all'] * 2)
    bench.is_there('TERMINATED')
    bench.wait(0.4)
    assert bench.robot.commands == [0.0]


def test_a_program_that_a_person_runs_takes_the_robot_over(bench: Bench) -> None:
    bench.controls.drive(0.3, 0.0)
    bench.until(lambda: 0.3 in bench.robot.commands)
    bench.plans.run(ProgramText(name='follow'))
    bench.until(lambda: bench.view.runs)
    assert bench.robot.commands[-1] == 0.0, 'it rests when the program takes over'
    (goal,) = [request for name, request in bench.robot.asked if name == 'run']
    assert (goal.uri, goal.source, goal.on_busy) == ('follow', '', RunPlan.Goal.REJECT)
    count = len(bench.robot.commands)
    bench.plans.run(ProgramText(name='park'))
    bench.until(lambda: 'stop it first' in bench.view.warning)
    assert bench.robot.names().count('run') == 1
    assert len(bench.robot.commands) == count


def test_only_the_program_of_the_page_ends_with_it(bench: Bench) -> None:
    bench.is_there('RUNNING')
    bench.plans.cancel()
    bench.wait(0.3)
    assert bench.robot.names() == [], 'what others have started goes on'
    bench.is_there('TERMINATED')
    bench.robot.held = Future()
    # Also where nobody is left before the program was accepted.
    bench.plans.run(ProgramText(name='follow'))
    bench.plans.cancel()
    bench.until(lambda: bench.robot.names() == ['run', 'cancel'])
    bench.robot.held.set_result(None)
    bench.until(lambda: bench.viewer._view._programs._goal is None)
    bench.plans.cancel()
    bench.wait(0.3)
    assert bench.robot.names() == ['run', 'cancel']


def test_all_mistakes_of_a_program_are_shown(bench: Bench) -> None:
    bench.robot.outcome, bench.robot.code = 'REJECTED', 'E201'
    bench.plans.run(ProgramText(text='mdle 1; nonsense', form='mdle'))
    bench.until(lambda: len(bench.view.remarks) == 2)
    assert [(r.severity, r.code, r.line) for r in bench.view.remarks] == [
        ('error', 'E201', 2),
        ('error', 'E201', 4),
    ]
    goal, question = (r for name, r in bench.robot.asked if name in ('run', 'check'))
    assert goal.source == question.source == 'mdle 1; nonsense'
    bench.robot.code = ''
    bench.until(lambda: not bench.viewer._view._programs.runs)
    bench.plans.run(ProgramText(name='follow'))
    bench.until(lambda: [r.text for r in bench.view.remarks] == ['so'])
    assert bench.robot.names() == ['run', 'check', 'run']


def test_wishes_become_calls(bench: Bench) -> None:
    plans = bench.plans
    plans.steer('pause')
    plans.steer('resume')
    plans.steer('step')
    bench.controls.stop()
    plans.move_object(1.5, -0.5)
    plans.check(ProgramText(text='x'))
    plans.answer('yes')
    names = ['pause', 'resume', 'step', 'stop_all', 'move_object', 'check', 'answer']
    bench.until(lambda: sorted(bench.robot.names()) == sorted(names))
    (moved,) = [request for name, request in bench.robot.asked if name == 'move_object']
    assert (moved.x, moved.y) == (1.5, -0.5)
    assert [request.value for name, request in bench.robot.asked if name == 'answer'] == ['yes']


def test_arguments_of_a_plan_are_sent_with_it_or_refused(bench: Bench) -> None:
    bench.plans.run(ProgramText(name='follow', arguments='0.5 m'))
    bench.until(lambda: 'have no names' in bench.view.warning)
    line = 'side = 0.5 m, to = point(1 m, -2 m), word = "a, b"'
    bench.plans.run(ProgramText(name='follow', arguments=line))
    bench.until(lambda: bench.view.runs)
    (goal,) = [request for name, request in bench.robot.asked if name == 'run']
    given = {item.name: item.value for item in goal.arguments}
    assert given == {'side': '0.5 m', 'to': 'point(1 m, -2 m)', 'word': '"a, b"'}


def test_what_is_wrong_with_arguments_is_said_where_the_plan_was_chosen(bench: Bench) -> None:
    bench.robot.outcome, bench.robot.code, bench.robot.line = 'REJECTED', 'E303', 0
    bench.plans.run(ProgramText(name='follow', arguments='side = 2 s'))
    bench.until(lambda: bench.view.warning == 'so')
    bench.wait(0.3)
    assert [remark.text for remark in bench.view.remarks] == ['so']


@pytest.mark.parametrize(
    ('value', 'found'),
    [
        ('(1, -0.5)', (1.0, -0.5)),
        ('(1e-05, 2.5e+01)', (1e-05, 25.0)),
        ('(1, 2, 3)', None),
        ('(inf, 0)', None),
        ('(1e99, 0)', None),
        ('(1.2.3, 0)', None),
        ('left', None),
    ],
)
def test_points_are_distinguished_from_other_values(
    value: str, found: tuple[float, float] | None
) -> None:
    points = board_points((('p', value),), Pose2(0.0, 0.0, 0.0))
    assert [point[1:] for point in points] == ([] if found is None else [pytest.approx(found)])
    turned = board_points((('p', '(1, 0)'),), Pose2(2.0, 0.0, math.pi / 2.0))
    assert turned[0][1:] == pytest.approx((2.0, 1.0))
