"""ARS MAGNA on the graph: commands, time, programs from afar, and what people see."""

import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, time_to_end, wait_until

pytestmark = pytest.mark.graph

SUCCEEDED, CANCELED, ABORTED = 4, 5, 6
ROBOT = """
    cameras: [{fov: 90deg, resolution: 3}, {fov: 120deg, resolution: 5}]
    hands: [{strength: 10}, {strength: 4}]
    bins: [{capacity: 20}, {capacity: 5}]
"""
DESIGN = f"""
ars_schema: 1
world:
  name: hall
  size: [40, 20]
  substances: {{wood: 60}}
  walls: [{{rect: {{from: [0, 0], to: [40, 20], type: bricks, params: [10, 20, 30, 40]}}}}]
  objects:
    - name: box
      at: [18, 10]
      attrs: {{size: 4, weight: 2, capacity: 6, color: red, substance: wood}}
      contents: [{{name: pen, attrs: {{size: 1, weight: 1, color: green}}}}]
    - {{name: stone, at: [12, 4], attrs: {{size: 3, weight: 3, color: blue, obsview: true}}}}
manipulations:
  weigh:
    - {{objects: {{it: {{}}}}, by: hand, success: 0.9, delay: 3, body: [{{return: hand}}]}}
parameters: {{miss_thing_prob: 0.0}}
robots:
  - name: robbie
    at: [10, 10]
    angle: 0
    {ROBOT.strip()}
  - name: gort
    at: [10, 5]
    angle: 0
    {ROBOT.strip()}
"""


async def _errand(robot: Any, story: list[Any]) -> None:
    """Find, track, approach, grasp, put away; interrupt and be interrupted; many commands."""
    first, second = robot.cameras
    odometer = robot.new_odometer('home')
    await robot.set_speed(0.5)
    robot.bins[1].close()
    second.view()
    robot.turn(math.pi)
    turn = robot.turn(-0.2)
    found = await first.get_object_designator('non-local', {'size': (1, 12)})
    story.append((robot.now, (await turn).code, found.ok))
    await second.get_all_place_designators('concave')
    await robot.place()
    if found.ok:
        track = first.track(found.value)
        go = robot.goto_designator(first)
        await track.started
        story.append((robot.now, first.angle, found.value.angle, found.value.valid))
        await robot.wait(12)
        robot.stop()
        story.append((robot.now, (await go).code))
        first.turn(0.3)
        story.append((robot.now, (await track).code))
        again = await first.get_object_designator('non-local', {'size': (1, 12)})
        if again.ok:
            first.track(again.value)
            await robot.goto_designator(first)
    near = await second.get_object_designator('local', [('size', 3, 3.0)])
    if near.ok:
        second.track(near.value)
        hand = robot.hands[0]
        await hand.grasp(second, near.value)
        watch = hand.track()
        await robot.manipulate('weigh', (near.value,), hand)
        await watch.started
        await hand.grasp_check()
        story.append((robot.now, (await watch).code, robot.bins[0].free_capacity))
        await hand.insert(robot.bins[0])
        await hand.ungrasp()
        await hand.remove()
    await second.insert(robot.bins[1])
    await robot.bins[1].close()
    odometer.reset_angle()
    await robot.align_place()
    robot.go_forward(50)
    await robot.wait(3)
    story.append((robot.now, (await robot.grab()).value, str(odometer.position())))
    await robot.follow_wall('left')
    await robot.goto_wall()
    story.append((robot.now, str(odometer.position()), str(odometer.angle()), robot.speed))


def _run(robots: list[Any], advance: Callable[[], None]) -> tuple[list[Any], list[str]]:
    """Run the errand on each robot; give all reports with what the programs saw, and digests."""
    from walking_robots.ars_magna.agent.futures import Task
    from walking_robots.ars_magna.agent.trace import ReportTrace

    stories: list[Any] = []
    traces, tasks = [], []
    for robot in robots:
        trace, story = ReportTrace(), []
        robot.listeners += [trace.add, story.append]
        stories.append(story)
        traces.append(trace)
        tasks.append(Task(_errand(robot, story)))
    for _ in range(300):
        if all(task.done for task in tasks):
            break
        advance()
    for task in tasks:
        task.result()
    return stories, [trace.sha256 for trace in traces]


class Scene:
    """A world in this process and a person who asks, on one executor."""

    def __init__(self, graph: Any, file: Path, values: dict[str, Any]) -> None:
        from rclpy.node import Node

        from walking_robots.nodes.common.composition import Composition

        self.graph = Composition(
            'ars_magna',
            {'ars_magna': {'world': str(file), 'mode': 'lock-step', 'seed': 5} | values},
            domain=graph.private_domain(),
            namespace=f'/ars_{os.getpid()}',
        )
        self.node = self.graph.nodes['ars_magna']
        self.person = self.graph.add('person', lambda **options: Node('person', **options))
        self.clients: dict[str, Any] = {}

    def until(self, done: Callable[[], Any], what: str) -> None:
        wait_until(done, what, spin=self.graph.spin)

    def send(self, kind: Any, name: str, feedback: Any = None, /, **fields: Any) -> Any:
        """Send a goal; gives its handle."""
        from rclpy.action import ActionClient

        if name not in self.clients:
            self.clients[name] = ActionClient(self.person, kind, name)
            self.meet(self.clients[name].server_is_ready, name)
        client = self.clients[name]
        future = client.send_goal_async(kind.Goal(**fields), feedback_callback=feedback)
        self.until(future.done, name)
        return future.result()

    def result(self, handle: Any) -> tuple[int, Any]:
        future = handle.get_result_async()
        self.until(future.done, 'a result')
        return future.result().status, future.result().result

    def call(self, kind: Any, name: str, /, **fields: Any) -> Any:
        future = self.ask(kind, name, **fields)
        self.until(future.done, name)
        return future.result()

    def ask(self, kind: Any, name: str, /, **fields: Any) -> Any:
        """Call a service without waiting."""
        if name not in self.clients:
            self.clients[name] = self.person.create_client(kind, name)
            self.meet(self.clients[name].service_is_ready, name)
        return self.clients[name].call_async(kind.Request(**fields))

    def meet(self, ready: Callable[[], bool], name: str) -> None:
        """Wait for a server, and until it has found its client: answers would be lost."""
        self.until(ready, name)
        watch = Stopwatch()
        self.until(lambda: watch.passed(0.1), name)

    def step(self, ticks: int, **requests: int) -> Any:
        from walking_robots_interfaces.srv import ArsStep

        fields = {'robots': list(requests), 'requests': list(requests.values())}
        return self.call(ArsStep, 'admin/step', ticks=ticks, **fields)

    def hear(self, kind: Any, topic: str, *, latched: bool = False) -> list[Any]:
        from walking_robots.nodes.common.qos import LATCHED, LOOP

        heard: list[Any] = []
        qos = LATCHED if latched else LOOP
        self.person.create_subscription(kind, topic, heard.append, qos)
        publishers = self.person.count_publishers
        self.until(lambda: publishers(self.person.resolve_topic_name(topic)), topic)
        return heard

    def close(self) -> None:
        self.graph.close()
        for client in self.clients.values():
            client.destroy()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / 'hall.yaml'
    found.write_text(DESIGN)
    return found


@pytest.fixture
def scene(graph: Any, file: Path) -> Any:
    @contextmanager
    def make(**values: Any) -> Iterator[Scene]:
        found = Scene(graph, file, values)
        try:
            yield found
        finally:
            found.close()

    return make


@contextmanager
def _apart(graph: Any, values: dict[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """Return a node of a person, what spins it, and the processes of a world of its own."""
    from rclpy.node import Node

    from walking_robots.nodes.common.processes import Processes

    domain, namespace = graph.private_domain(), f'/ars_{os.getpid()}'
    with Processes(
        'ars_magna',
        {'ars_magna': values},
        without=('ars_program', 'viewer'),
        domain=domain,
        namespace=namespace,
    ) as processes:
        local = graph.LocalNodes(domain)
        node = Node('person', context=local.context, namespace=namespace)
        local.add(node)
        try:
            yield node, local.spin, processes
        finally:
            local.close()


def test_every_command_travels_with_all_that_it_takes_and_gives() -> None:
    from walking_robots.ars_magna.commands import COMMANDS
    from walking_robots.nodes.ars_magna.command_messages import COMMAND_MESSAGES, SERVICES, VALUES

    assert {*COMMAND_MESSAGES} == {*COMMANDS}
    for name, command in COMMANDS.items():
        form = COMMAND_MESSAGES[name]
        goal = form.kind.Request if form.kind in SERVICES else form.kind.Goal
        assert {*form.goal, *command.chosen} <= {*goal.get_fields_and_field_types()}, name
        assert {*command.values} <= {*VALUES}, name


@pytest.mark.slow
def test_t28_a_program_gives_the_same_reports_beside_the_world_and_from_afar(
    graph: Any, file: Path, scene: Any
) -> None:
    from walking_robots.ars_magna.design.files import load_design
    from walking_robots.ars_magna.simulation.local import connect
    from walking_robots.ars_magna.simulation.simulator import Simulator
    from walking_robots.nodes.ars_magna.remote import RemoteWorld

    simulator = Simulator(load_design(file), 5)
    robots = [connect(simulator, name) for name in ('robbie', 'gort')]
    plain = _run(robots, simulator.tick)
    commands = {found.command for found in plain[0][0] if hasattr(found, 'command')}
    assert len(commands) > 20 and len({*plain[1]}) == 2

    def remote(node: Any, spin: Any) -> Any:
        world = RemoteWorld(node, spin)
        try:
            return _run([world.connect(name) for name in ('robbie', 'gort')], world.advance)
        finally:
            world.close()

    with scene() as there:
        assert remote(there.person, there.graph.spin) == plain
    values = {'world': str(file), 'mode': 'lock-step', 'seed': 5}
    with _apart(graph, values) as (node, spin, processes):
        assert remote(node, spin) == plain, processes.fallen()


def test_t26_time_goes_on_while_a_planner_thinks(graph: Any, file: Path) -> None:
    from rclpy.action import ActionClient
    from walking_robots_interfaces.action import ArsGo

    values = {'world': str(file), 'real_time_factor': 0.0}
    with _apart(graph, values) as (node, spin, processes):
        client: Any = ActionClient(node, ArsGo, 'robbie/go_forward')

        def until(done: Callable[[], bool]) -> None:
            wait_until(done, processes.fallen, spin=spin)

        def result(handle: Any) -> Any:
            future = handle.get_result_async()
            until(future.done)
            return future.result().result

        until(client.server_is_ready)
        # An answer is lost as long as the server has not found its client in turn.
        asked = []

        def answered() -> bool:
            if not asked or asked[-1][0].passed(0.5):
                asked.append((Stopwatch(), client.send_goal_async(ArsGo.Goal(ticks=1))))
            return any(sent.done() for _, sent in asked)

        until(answered)
        handles = []
        for ticks in (1000, 1):
            sent = client.send_goal_async(ArsGo.Goal(ticks=ticks))
            until(sent.done)
            handles.append(sent.result())
            Stopwatch().sleep(1.0)
        first, last = map(result, handles)
        assert first.code_name in ('INTERRUPT', 'ROBOT-BLOCKED', 'NIL')
        assert last.tick_issued - first.tick_issued > 1000
        client.destroy()


def test_a_program_from_afar_runs_with_a_world_that_runs_free(scene: Any) -> None:
    from rclpy.parameter import Parameter

    from walking_robots.ars_magna.agent.futures import Task
    from walking_robots.nodes.ars_magna.remote import RemoteWorld

    with scene() as there:
        world = RemoteWorld(there.person, there.graph.spin)
        robot = world.connect('robbie')
        with pytest.raises(ValueError, match='whole number'):
            robot.go_forward(2.5)  # type: ignore[arg-type]
        assert robot.issued == 0
        robot.turn(math.nan)
        with pytest.raises(ValueError, match='finite'):
            world.advance()
        with pytest.raises(ValueError, match='letters'):
            robot.new_odometer('a way')

        async def program() -> Any:
            await robot.go_forward(2)
            await robot.wait(5)
            return (await robot.turn_left()).ok

        task = Task(program())
        free = [Parameter('mode', value='free-running'), Parameter('real_time_factor', value=0.0)]
        assert there.node.set_parameters_atomically(free).successful
        world.follow(lambda: task.done)
        assert task.result()
        assert robot.main_odometer.angle().max == pytest.approx(-math.pi / 2, abs=0.1)
        world.close()


def test_a_robot_is_subscribed_to_anew_when_the_middleware_loses_what_was_published(
    scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from walking_robots.nodes.ars_magna import remote

    monkeypatch.setattr(remote, 'PATIENCE', 0.6)
    with scene() as there:
        world = remote.RemoteWorld(there.person, there.graph.spin)
        with pytest.raises(TimeoutError, match="no sign of robot 'marvin'"):
            world.connect('marvin')
        monkeypatch.setattr(remote, 'PATIENCE', 60.0)
        make, lost = there.person.create_subscription, []

        def lose(kind: Any, topic: str, callback: Any, qos: Any) -> Any:
            if len(lost) < 2:
                lost.append(topic)
                topic = f'{topic}_of_nobody'
            return make(kind, topic, callback, qos)

        monkeypatch.setattr(there.person, 'create_subscription', lose)
        monkeypatch.setattr(remote, 'ATTEMPTS', 20)
        assert world.connect('robbie').now == 0
        assert lost == ['robbie/readings', 'robbie/robot_info']
        world.close()


def test_commands_end_interrupt_one_another_and_are_refused(scene: Any) -> None:
    from walking_robots_interfaces.action import ArsAct, ArsFind, ArsGo, ArsTrack, ArsTurn
    from walking_robots_interfaces.msg import ArsConstraint
    from walking_robots_interfaces.srv import ArsGrab, ArsSet

    with scene() as there:
        # A new one takes the place of an old one, and each has one result.
        first = there.send(ArsGo, 'robbie/go_forward', ticks=10, request=1)
        second = there.send(ArsTurn, 'robbie/turn', angle=0.3, request=2)
        beside = there.send(ArsAct, 'robbie/camera_1/view', request=3)
        assert there.step(8, robbie=3).reports[0] == 3
        reported = there.result(first)
        assert (reported[0], reported[1].code, reported[1].code_name) == (ABORTED, 20, 'INTERRUPT')
        assert (reported[1].tick_issued, reported[1].tick_done) == (0, 1)
        reported = there.result(second)
        assert (reported[0], reported[1].code) == (SUCCEEDED, 0)
        assert reported[1].angle == pytest.approx(0.3, abs=0.01)
        # The turn needs 2 ticks of delay and one for itself; the view one.
        assert (reported[1].tick_issued, reported[1].tick_done, reported[1].sequence) == (0, 3, 3)
        reported = there.result(beside)
        assert len(reported[1].view) == 5 and {reported[1].sequence} <= {1, 2}
        # What is wrong is reported in a sentence.
        for kind, name, fields, word in (
            (ArsTurn, 'robbie/turn', {'angle': math.nan}, 'finite'),
            (ArsTurn, 'robbie/camera_0/turn', {'mode': 'about'}, "'about'"),
            (ArsGo, 'robbie/follow_wall', {'side': 'up'}, 'left or right'),
            (
                ArsFind,
                'robbie/camera_0/find',
                {
                    'kind': 'object',
                    'type': 'local',
                    'specification': [ArsConstraint(attribute='smell', numbers=[1.0])],
                },
                'smell',
            ),
        ):
            status, reported = there.result(there.send(kind, name, **fields))
            assert (status, reported.code, reported.code_name) == (ABORTED, -1, 'REFUSED')
            assert word in reported.message, reported.message
        # A cancel is a grab of the resource.
        goal = there.send(ArsGo, 'robbie/goto_wall')
        there.step(7)
        cancel = goal.cancel_goal_async()
        there.until(cancel.done, 'an answer')
        assert cancel.result().goals_canceling
        there.step(1)
        status, reported = there.result(goal)
        assert (status, reported.code, reported.sequence) == (CANCELED, 20, 0)
        goal = there.send(ArsGo, 'robbie/goto_wall')
        newer = there.send(ArsGo, 'robbie/go_forward', ticks=2)
        there.until(goal.cancel_goal_async().done, 'an answer')
        there.step(9)
        assert there.result(goal)[1].code == 20
        assert there.result(newer)[1].code == 0
        # Services answer when the command has ended.
        set_speed = there.ask(ArsSet, 'robbie/set_speed', value=9.0)
        grab = there.ask(ArsGrab, 'robbie/hand_0/grab')
        there.until(
            lambda: len(there.node._goals['robbie']._pending_commands) == 2, 'both requests'
        )
        there.step(1)
        there.until(lambda: set_speed.done() and grab.done(), 'answers')
        answer = set_speed.result()
        assert (answer.code_name, answer.value_in_force) == ('TOO-HIGH-SPEED', 1.0)
        assert not grab.result().interrupted
        # A lasting command starts with a feedback and ends with the result.
        found = there.send(
            ArsFind,
            'robbie/camera_1/find',
            kind='object',
            type='non-local',
            specification=[ArsConstraint(attribute='color', symbols=['red', 'blue'])],
        )
        there.step(4)
        seen = there.result(found)[1].designators[0]
        assert seen.type == 'non-local' and not seen.place_type
        heard: list[Any] = []
        track = there.send(
            ArsTrack, 'robbie/camera_1/track', heard.append, designator=seen.id, request=4
        )
        there.step(4, robbie=4)
        there.until(lambda: heard, 'a feedback')
        assert heard[0].feedback.sequence == 4
        assert heard[0].feedback.designator.id == seen.id
        untrack = there.ask(ArsGrab, 'robbie/camera_1/untrack', request=5)
        there.step(2, robbie=5)
        reported = there.result(track)
        assert (reported[0], reported[1].code_name, reported[1].sequence) == (
            ABORTED,
            'INTERRUPT',
            5,
        )
        assert untrack.result().sequence == 6
        # Numbers are those of one program.
        there.send(ArsGo, 'robbie/goto_wall', request=9)
        for request, word in (
            (2**62, f'{2**62} is no number of a request; number them from 1'),
            (-5, '-5 is no number of a request'),
            (9, 'another program commands robbie: its request 9 is under way'),
        ):
            answer = there.call(ArsSet, 'robbie/set_speed', value=1.0, request=request)
            assert (answer.code, answer.message[: len(word)]) == (-1, word)


def test_a_step_waits_for_requests_but_not_for_ever(
    scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rclpy.parameter import Parameter
    from walking_robots_interfaces.action import ArsTurn
    from walking_robots_interfaces.srv import ArsStep

    from walking_robots.nodes.ars_magna import clock as ars_time

    with scene() as there:
        step = there.ask(ArsStep, 'admin/step', ticks=1, robots=['gort'], requests=[1])
        there.send(ArsTurn, 'gort/turn', angle=0.1, request=1)
        there.until(step.done, 'the step')
        assert step.result().success and step.result().tick == 1
        monkeypatch.setattr(ars_time, 'PATIENCE', 0.1)
        answer = there.step(1, gort=3)
        assert not answer.success and 'request 3 of gort, which has sent 1' in answer.message
        assert 'no robot' in there.step(1, nobody=1).message
        monkeypatch.undo()
        step = there.ask(ArsStep, 'admin/step', ticks=1, robots=['gort'], requests=[9])
        there.until(lambda: there.node._ticks.waits_for, 'the step')
        there.node.set_parameters([Parameter('mode', value='free-running')])
        there.until(step.done, 'the step')
        assert not step.result().success and 'runs free' in step.result().message
        assert 'lock-step' in there.step(1).message


def test_robots_report_what_they_know_and_not_where_they_are(scene: Any) -> None:
    from nav_msgs.msg import Odometry
    from walking_robots_interfaces.action import ArsAct, ArsGo
    from walking_robots_interfaces.msg import ArsFluent, ArsOdometry, ArsReadings, ArsRobotInfo
    from walking_robots_interfaces.srv import ArsUseOdometer

    with scene() as there:
        info = there.hear(ArsRobotInfo, 'robbie/robot_info', latched=True)
        readings = there.hear(ArsReadings, 'robbie/readings', latched=True)
        odom = there.hear(Odometry, 'robbie/odom')
        pulses = there.hear(ArsFluent, 'robbie/fluent/robot_stopped')
        answer = there.call(ArsUseOdometer, 'robbie/odometer/create', name='way')
        assert answer.success and answer.odometer.generation == 1
        assert not there.call(ArsUseOdometer, 'robbie/odometer/create', name='a way').success
        assert not there.call(ArsUseOdometer, 'robbie/odometer/reset', name='home').success
        way = there.hear(ArsOdometry, 'robbie/odometer/way')
        there.send(ArsGo, 'robbie/go_forward', ticks=3, request=1)
        there.send(ArsAct, 'robbie/camera_0/view', request=2)
        there.until(
            lambda: (
                there.node._readings[0]._odom.get_subscription_count()
                and there.node._readings[0]._odometers['way'].get_subscription_count()
            ),
            'discovery',
        )
        there.step(8, robbie=2)
        there.until(lambda: readings and readings[-1].tick == 8, 'readings')
        there.until(lambda: len(odom) == 8 and len(way) == 8 and pulses and info, 'messages')
        assert (len(info[0].camera_resolutions), info[0].bin_capacities[1]) == (2, 5.0)
        reported = readings[-1]
        assert (reported.requests, reported.reports, len(reported.views[0].pixels)) == (2, 2, 3)
        assert [found.name for found in reported.odometers] == ['main', 'way']
        assert way[-1].x_max == pytest.approx(3.0, abs=0.5)
        assert odom[-1].header.frame_id == 'robbie/odom'
        assert odom[-1].pose.pose.position.x == pytest.approx(3.0, abs=0.3)
        width = reported.odometers[0].x_max - reported.odometers[0].x_min
        assert odom[-1].pose.covariance[0] == pytest.approx(width**2 / 12)
        assert (pulses[0].count, pulses[0].tick) == (1, 8)
        # Values stay for whoever comes later.
        views = there.hear(ArsFluent, 'robbie/fluent/camera_views_0', latched=True)
        error = there.hear(ArsFluent, 'robbie/fluent/robot_movement_error', latched=True)
        there.until(lambda: views and error, 'values')
        assert list(views[0].view) == list(reported.views[0].pixels)
        assert error[0].value.symbol == 'NIL'
        fields = {*ArsReadings.get_fields_and_field_types()}
        assert not fields & {'x', 'y', 'heading', 'pose', 'distance'}


def test_experimenters_change_the_world_and_people_see_it(scene: Any, tmp_path: Path) -> None:
    from nav_msgs.msg import OccupancyGrid
    from rclpy.parameter import Parameter
    from std_srvs.srv import Trigger
    from tf2_msgs.msg import TFMessage
    from visualization_msgs.msg import MarkerArray
    from walking_robots_interfaces.msg import ArsAttribute, ArsMessage, ArsPicture
    from walking_robots_interfaces.srv import ArsEditThing, ArsListThings, ArsSetPose

    more = tmp_path / 'more.yaml'
    more.write_text('ars_schema: 1\nparameters: {braking: 9, motion_noise: 0.3}\n')
    with scene(definitions=[str(more)], motion_noise=0.1) as there:
        pictures = there.hear(ArsPicture, 'display/picture', latched=True)
        grid = there.hear(OccupancyGrid, 'display/map', latched=True)
        markers = there.hear(MarkerArray, 'display/markers', latched=True)
        frames = there.hear(TFMessage, '/tf')
        messages = there.hear(ArsMessage, 'messages')
        color = ArsAttribute(name='color', kind=ArsAttribute.SYMBOL, symbol='violet')
        size = ArsAttribute(name='size', kind=ArsAttribute.NUMBER, number=2.0)
        made = there.call(
            ArsEditThing, 'admin/new_thing', thing='ball', x=3.0, y=4.0, attributes=[color, size]
        )
        assert made.success and made.thing.label.startswith('BALL#'), made.message
        moved = there.call(ArsEditThing, 'admin/move_thing', thing='ball', inside='box')
        assert moved.thing.inside.startswith('BOX#') and (moved.thing.x, moved.thing.y) == (18, 10)
        color.symbol = 'green'
        changed = there.call(
            ArsEditThing, 'admin/set_attributes', thing='ball', attributes=[color]
        )
        assert changed.thing.color == 'green'
        wrong = there.call(ArsEditThing, 'admin/move_thing', thing='cube', x=1.0)
        assert not wrong.success and 'cube' in wrong.message
        things = there.call(ArsListThings, 'admin/things').things
        assert [thing.name for thing in things] == ['pen', 'box', 'stone', 'ball']
        assert there.call(
            ArsSetPose, 'admin/set_pose', robot='robbie', position=[5.0, 2.0], angle=[1.0]
        ).success
        there.until(lambda: pictures and pictures[-1].robots[0].x == 5.0, 'a picture')
        robot = pictures[-1].robots[0]
        assert (robot.name, robot.y, robot.heading) == ('robbie', 2.0, 1.0)
        assert [part.kind for part in robot.parts] == ['camera'] * 2 + ['hand'] * 2 + ['bin'] * 2
        # To the left and up where ROS looks at it, and centred on whole numbers.
        there.until(lambda: grid and frames and markers, 'display')
        assert (grid[0].info.width, grid[0].info.height) == (40, 20)
        assert (grid[0].info.origin.position.x, grid[0].info.resolution) == (-0.5, 1.0)
        there.step(1)
        there.until(lambda: frames[-1].transforms[0].header.stamp.sec == 1, 'a frame')
        found = {frame.child_frame_id: frame for frame in frames[-1].transforms}
        assert found['robbie/odom'].header.frame_id == 'map'
        place = found['robbie/odom'].transform
        assert (place.translation.x, place.translation.y) == pytest.approx((5.0, 17.0))
        assert 2 * math.atan2(place.rotation.z, place.rotation.w) == pytest.approx(-1.0)
        assert found['robbie/camera_1'].header.frame_id == 'robbie/base_link'
        # Parameters have ranges, go together, and tell what is in force.
        value = there.node.get_parameter
        assert (value('motion_noise').value, value('braking').value) == (0.1, 9)
        assert there.call(Trigger, 'admin/clean').success
        assert value('motion_noise').value == 0.0 and there.node._world.parameters.clean
        assert there.call(Trigger, 'admin/dirty').success
        assert value('motion_noise').value == 0.1 and not there.node._world.parameters.clean
        for name, wrong_value in (
            ('motion_noise', 2.0),
            ('min_turn_angle', 1.0),
            ('pick', 'best'),
        ):
            answer = there.node.set_parameters([Parameter(name, value=wrong_value)])[0]
            assert not answer.successful and name in answer.reason
        both = [Parameter('braking', value=7), Parameter('initial_speed', value=0.5)]
        assert there.node.set_parameters_atomically(both).successful
        assert there.node._world.parameters.braking == 7
        assert there.call(Trigger, 'admin/flush_messages').success
        assert not messages


def test_what_is_wrong_is_one_sentence_and_a_signal_ends_it(graph: Any, tmp_path: Path) -> None:
    broken = tmp_path / 'broken.yaml'
    broken.write_text(DESIGN.replace('size: [40, 20]', 'size: forty'))
    cases = {
        'world:=/missing.yaml': '/missing.yaml',
        f'world:={broken}': 'size',
        'motion_noise:=2.0': 'motion_noise',
        'min_turn_angle:=1.0': 'min_turn_angle',
        'mode:=slow': "'slow'",
        'pixel_range:=[3.0, 1.0]': 'pixel_range',
    }

    def start(*words: str) -> Any:
        module = ('-m', 'walking_robots.nodes', 'ars_magna', '--ros-args', *words)
        return graph.run_alone(sys.executable, *module)

    running = start('-p', 'seed:=3')
    started = {case: start('-p', case) for case in cases}
    for case, word in cases.items():
        errors = started[case].communicate()[1]
        assert started[case].returncode == 2, f'{case}: {errors}'
        assert len(errors.splitlines()) == 1 and word in errors, errors
    assert running.poll() is None
    running.send_signal(signal.SIGTERM)
    assert not running.communicate()[1] and running.returncode == 0


def test_all_running_commands_end_with_the_world(graph: Any, file: Path) -> None:
    from rclpy.action import ActionClient
    from walking_robots_interfaces.action import ArsGo
    from walking_robots_interfaces.srv import ArsSet, ArsStep

    values = {'world': str(file), 'mode': 'lock-step'}
    with _apart(graph, values) as (node, spin, processes):
        client: Any = ActionClient(node, ArsGo, 'robbie/go_forward')
        speed = node.create_client(ArsSet, 'gort/set_speed')
        step = node.create_client(ArsStep, 'admin/step')

        def until(done: Callable[[], bool]) -> None:
            wait_until(done, processes.fallen, spin=spin)

        for ready in (client.server_is_ready, speed.service_is_ready, step.service_is_ready):
            until(ready)
        watch = Stopwatch()
        until(lambda: watch.passed(0.5))
        sent = client.send_goal_async(ArsGo.Goal(ticks=1000, request=1))
        until(sent.done)
        result = sent.result().get_result_async()
        requested = speed.call_async(ArsSet.Request(value=0.5))
        waits = ArsStep.Request(ticks=1, robots=['robbie'], requests=[7])
        stepped = step.call_async(waits)
        watch = Stopwatch()
        until(lambda: watch.passed(0.3))
        assert not (result.done() or requested.done() or stepped.done())
        world = processes.running.pop('ars_magna')
        watch = Stopwatch(world.pid)
        world.terminate()
        until(lambda: result.done() and requested.done() and stepped.done())
        assert time_to_end(world, watch) < 1.0 and world.wait() == 0
        reported = result.result()
        assert (reported.status, reported.result.code, reported.result.sequence) == (
            ABORTED,
            -1,
            1,
        )
        assert reported.result.message == requested.result().message == 'the simulation ends'
        assert stepped.result().message == 'no more ticks pass: the simulation ends'
        client.destroy()


def test_a_second_world_in_the_same_place_is_warned_of(scene: Any) -> None:
    from diagnostic_msgs.msg import DiagnosticArray
    from rosgraph_msgs.msg import Clock
    from walking_robots_interfaces.msg import ArsPicture

    from walking_robots.nodes.common.qos import LATCHED

    with scene() as there:
        reports: list[str] = []
        there.person.create_subscription(
            DiagnosticArray, '/diagnostics',
            lambda m: reports.extend(s.message for s in m.status if 'ars_magna' in s.name), 10,
        )  # fmt: skip
        for name, kind, qos in (('/clock', Clock, 10), ('display/picture', ArsPicture, LATCHED)):
            topic = there.node.resolve_topic_name(name)
            there.until(lambda: reports and 'published by' not in reports[-1], 'no warning')
            other = there.person.create_publisher(kind, topic, qos)
            there.until(lambda t=topic: f'{t} is published by ' in reports[-1], 'a warning')
            assert 'give each a namespace or a ROS_DOMAIN_ID' in reports[-1]
            there.person.destroy_publisher(other)


def test_a_program_says_that_no_tick_comes_and_that_the_world_has_ended(
    scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from walking_robots.nodes.ars_magna import program as ars_program
    from walking_robots.nodes.common.health import OK, WARN

    monkeypatch.setattr(ars_program, 'STILL', 0.3)
    with scene() as there:
        node = there.graph.nodes['ars_program']
        assert node.health()[0] == OK
        node._begin('approach')
        there.until(lambda: node.health()[0] == WARN, 'a warning')
        words = node.health()[1]
        assert words.startswith('approach has seen no tick for ') and 'admin/step' in words
        goals = there.node._goals['robbie']
        there.until(lambda: goals._pending_commands, 'a command')
        # Where ticks come slowly, none is missed as soon as where they come fast.
        there.step(1)
        there.until(lambda: node.health()[0] == OK, 'a tick')
        monkeypatch.setattr(node, 'now', lambda: node._still[1] + 0.4)
        assert node.health()[0] == OK
        monkeypatch.setattr(node, 'now', lambda: node._still[1] + 1e3)
        assert node.health()[0] == WARN
        there.node.halt()
        there.until(lambda: node._runner.progress.outcome, 'the end')
        assert node._runner.progress[2:] == ('the simulation ends', 'CANCELED')


def test_an_odometer_like_the_main_one_is_refused(scene: Any) -> None:
    from walking_robots_interfaces.srv import ArsUseOdometer

    with scene() as there:
        answer = there.call(ArsUseOdometer, 'robbie/odometer/create', name='main')
        assert not answer.success
        assert 'choose a name' in answer.message


def test_a_program_goes_on_after_one_that_died_at_work(scene: Any) -> None:
    from walking_robots.nodes.ars_magna import remote as ars_port
    from walking_robots.nodes.ars_magna.remote import RemoteWorld

    with scene() as there, pytest.MonkeyPatch.context() as patch:
        patch.setattr(ars_port, 'STRAY', 0.3)
        orphaned = RemoteWorld(there.person, there.graph.spin)
        orphaned.connect('robbie').go_forward(20)
        orphaned.advance(3)
        orphaned.close()
        world = RemoteWorld(there.person, there.graph.spin)
        robot = world.connect('robbie')
        command = robot.set_speed(0.5)
        for _ in range(10):
            world.advance()
            if command.done:
                break
        assert command.result().code == 'NIL'
        world.close()
