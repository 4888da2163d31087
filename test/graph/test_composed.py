"""Nodes in one process: terrain, viewer, markers, trajectory output, and the demonstration."""

import gc
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph


@contextmanager
def _composed(graph: Any, overrides: dict[str, Any], **options: Any) -> Iterator[Any]:
    from walking_robots.nodes.common.composition import Composition

    found = Composition(
        'asv',
        {'terrain': graph.FLAT} | overrides,
        domain=graph.private_domain(),
        namespace=f'/composed_{os.getpid()}',
        **options,
    )
    try:
        yield found
    finally:
        found.close()


def _until(found: Any, done: Any, what: str) -> None:
    wait_until(done, what, spin=found.spin)


def test_no_search_for_garbage_goes_through_what_is_there_from_the_start(graph: Any) -> None:
    before = gc.get_freeze_count()
    with _composed(graph, {}, without=('viewer',)):
        assert gc.get_freeze_count() > before + 50_000
        # Garbage of the nodes is still collected.
        collected = gc.get_stats()[2]['collections']
        for _ in range(200_000):
            cycle: list[object] = []
            cycle.append(cycle)
        assert gc.get_stats()[2]['collections'] > collected
    assert gc.get_freeze_count() == 0


def test_a_new_terrain_while_running_and_a_refused_one(graph: Any) -> None:
    from rclpy.parameter import Parameter
    from walking_robots_interfaces.msg import TerrainPatch

    from walking_robots.nodes.common.qos import LATCHED

    with _composed(graph, {}, without=('viewer',)) as found:
        person = found.add('person', graph.Person)
        seen: list[Any] = []
        person.create_subscription(TerrainPatch, 'terrain/elevation', seen.append, LATCHED)
        _until(found, lambda: seen, 'terrain')
        terrain = found.nodes['terrain']
        assert terrain.set_parameters_atomically(
            [Parameter('ditch_width', value='7ft'), Parameter('forbidden_share', value=0.3)]
        ).successful
        _until(found, lambda: len(seen) == 2, 'the new terrain')
        assert seen[1].revision == seen[0].revision + 1
        assert sum(seen[1].cells) > sum(seen[0].cells) == 0
        refused = terrain.set_parameters([Parameter('ditch_width', value='7furlong')])[0]
        assert not refused.successful and 'furlong' in refused.reason
        assert not terrain.set_parameters([Parameter('forbidden_share', value=2.0)])[0].successful
        before = len(person.x)
        _until(found, lambda: len(person.x) > before + 3, 'the walk goes on')
        assert len(seen) == 2


def test_the_controls_of_the_page_move_the_robot(graph: Any) -> None:
    overrides = {'hexapod_sim': {'real_time_factor': 10.0}, 'viewer': {'port': 8480}}
    with _composed(graph, overrides) as found:
        person = found.add('person', graph.Person)
        controls = found.nodes['viewer']._controls()
        _until(found, lambda: person.x and person.gait, 'odometry and gait')
        start = person.here
        controls.walk(0.12, 0.0, 0.0)
        _until(found, lambda: person.here > start + 0.1, 'motion')
        controls.stop()
        _until(found, lambda: person.gait[-1].velocity.linear.x == 0.0, 'rest')
        controls.pause(True)
        _until(found, lambda: found.nodes['hexapod_sim'].health()[1].startswith('paused'), 'pause')
        step = found.nodes['hexapod_sim'].health()[1]
        controls.step()
        _until(found, lambda: found.nodes['hexapod_sim'].health()[1] != step, 'a step')
        controls.pause(False)
        controls.speed_of_time(5.0)
        sim = found.nodes['hexapod_sim']
        _until(found, lambda: sim.get_parameter('real_time_factor').value == 5.0, 'speed')
        controls.new_terrain(2.0, 0.3, 12)
        _until(found, lambda: person.here == person.x[0][1] and person.x[-1][0] < 5e9, 'a reset')
        assert found.nodes['terrain'].get_parameter('seed').value == 12
        controls.new_terrain(2.0, 7.0, 12)
        viewer = found.nodes['viewer']
        _until(found, lambda: any('share' in w[1] for w in viewer._warnings.values()), 'refusal')


def test_a_walk_is_stopped_from_the_page(graph: Any) -> None:
    from geometry_msgs.msg import Twist
    from walking_robots_interfaces.action import Walk

    overrides = {'hexapod_sim': {'real_time_factor': 10.0}, 'viewer': {'port': 8490}}
    with _composed(graph, overrides) as found:
        person = found.add('person', graph.Person)
        _until(found, person.walk.server_is_ready, 'the action')
        velocity = Twist()
        velocity.linear.x = 0.12
        reported: list[Any] = []
        sent = person.walk.send_goal_async(
            Walk.Goal(velocity=velocity), feedback_callback=lambda m: reported.append(m.feedback)
        )
        _until(found, lambda: len(reported) > 3, 'feedback')
        assert reported[-1].distance > reported[0].distance
        found.nodes['viewer']._controls().stop()
        result = sent.result().get_result_async()
        _until(found, result.done, 'the result')
        assert result.result().result.reason == 'cancelled'


def test_markers_map_tf_and_clock(graph: Any) -> None:
    from nav_msgs.msg import OccupancyGrid
    from rosgraph_msgs.msg import Clock
    from std_msgs.msg import String
    from tf2_msgs.msg import TFMessage
    from visualization_msgs.msg import MarkerArray

    from walking_robots.nodes.common.qos import LATCHED, LOOP

    topics = {
        'terrain/map': (OccupancyGrid, LATCHED),
        'terrain/markers': (MarkerArray, LATCHED),
        'robot_description': (String, LATCHED),
        '/tf_static': (TFMessage, LATCHED),
        '/tf': (TFMessage, LOOP),
        '/clock': (Clock, LOOP),
        'gait/markers': (MarkerArray, LOOP),
    }
    overrides = {'hexapod_sim': {'publish_description': True}}
    with _composed(graph, overrides, without=('viewer',)) as found:
        person = found.add('person', graph.Person)
        heard: dict[str, Any] = {}
        for topic, (kind, qos) in topics.items():
            person.create_subscription(
                kind, topic, lambda message, t=topic: heard.__setitem__(t, message), qos
            )
        _until(found, lambda: set(heard) == set(topics), f'{set(topics) - set(heard)}')
        frame = heard['/tf'].transforms[0]
        assert (frame.header.frame_id, frame.child_frame_id) == ('odom', 'base_link')
        assert '<robot' in heard['robot_description'].data
        assert {m.ns for m in heard['gait/markers'].markers} >= {'footholds', 'support'}


def test_joint_trajectories_for_ros2_control(graph: Any) -> None:
    from trajectory_msgs.msg import JointTrajectory

    from walking_robots.nodes.common.qos import LOOP

    overrides = {'leg_servo': {'output': 'joint_trajectory'}}
    with _composed(graph, overrides, without=('viewer',)) as found:
        person = found.add('person', graph.Person)
        heard: list[Any] = []
        person.create_subscription(JointTrajectory, 'joint_trajectory', heard.append, LOOP)
        _until(found, lambda: heard, 'a trajectory')
        assert len(heard[0].joint_names) == len(heard[0].points[0].positions) == 18


def test_vision_with_a_range(graph: Any) -> None:
    overrides = {
        'terrain': graph.FLAT | {'vision_range': 5.0},
        'hexapod_sim': {'real_time_factor': 0.0},
    }
    with _composed(graph, overrides, without=('viewer',)) as found:
        person = found.add('person', graph.Person)
        _until(found, lambda: person.x, 'odometry')
        start = person.here
        person.hold = (0.2, 0.0, 0.0)
        _until(found, lambda: person.here > start + 1.0, 'a walk')


def test_the_demonstration_ends_after_the_crossing(graph: Any) -> None:
    code = 'import sys; from walking_robots.nodes.demo import run_demo; '
    code += 'sys.exit(run_demo("asv", port=8500, once=True, speed=60.0))'
    process = graph.run_alone(sys.executable, '-c', code)
    output, errors = process.communicate()
    lines = output.splitlines()
    assert process.returncode == 0, errors
    assert 'http://127.0.0.1:' in lines[1]
    assert lines[-1].startswith('Crossed the ditch')
    assert errors == ''


def test_a_demonstration_by_eye_and_with_forces(graph: Any) -> None:
    demo = (sys.executable, '-m', 'walking_robots', 'demo', 'hexapod', '--once')
    process = graph.run_alone(*demo, '--physics', 'mujoco', '--eyes', '--port', '8501')
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Walks by rules' in output
    assert 'That was all' in output.splitlines()[-1]
    # On a busy machine the first request may come while the node still makes its plans.
    assert 'Traceback' not in errors


def test_a_demonstration_is_shown_again_and_again_while_other_threads_work(graph: Any) -> None:
    # An executor that lost an action client while feedback came crashed within ten replays.
    from rclpy.node import Node
    from walking_robots_interfaces.msg import GaitState

    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.qos import LOOP
    from walking_robots.nodes.hexapod.demo_asv import AsvDemo

    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            sum([np.zeros(3) for _ in range(100)])

    system = Composition(
        'asv',
        AsvDemo.overrides('rules', 'kinematic', 'exact', 20.0),
        without=('viewer',),
        domain=graph.private_domain(),
    )
    workers = [threading.Thread(target=work) for _ in range(2)]
    try:
        for worker in workers:
            worker.start()
        gaits: list[Any] = []
        watcher = system.add('watcher', partial(Node, 'watcher'))
        watcher.create_subscription(GaitState, 'gait/state', gaits.append, LOOP)
        presenter = system.add('presenter', partial(AsvDemo, lambda line: None))
        for _ in range(15):
            seen = len(gaits)
            _until(system, lambda seen=seen: len(gaits) > seen + 20, 'steps')
            presenter.rewind()
            system.restart({'presenter': {}})
            presenter = system.nodes['presenter']
    finally:
        over.set()
        system.close()
        for worker in workers:
            worker.join()


def test_only_once_ends_a_demonstration(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from walking_robots.nodes import demo

    requested: list[bool] = []
    speeds: list[float] = []
    taken = 'port 8080 is taken: the page is at http://127.0.0.1:8081'

    class Stage:
        def __init__(self, system: str, values: Any, without: Any, also: Any, domain: int) -> None:
            assert 1 <= domain <= 101
            host = values.get('viewer', {}).get('host', '127.0.0.1')
            warning = '' if host == '127.0.0.1' else 'whoever has its address can drive'
            page = SimpleNamespace(
                url=f'http://{host}:8081', detour=taken, warning=warning,
                is_visited=lambda: True, offer_replay=lambda replay: None,
            )  # fmt: skip
            self.nodes: dict[str, Any] = {'viewer': SimpleNamespace(page=page)}
            speeds.append(values['asv']['speed'])

        def add(self, name: str, make: Any) -> None:
            self.nodes[name] = SimpleNamespace(ended=True, succeeded=True, changes=dict)

        def restart(self, changes: Any) -> None:
            assert not changes

        def spin(self, over: Any) -> None:
            assert not over()
            requested.append(over())

        def close(self) -> None:
            pass

    show = demo.Show(lambda say: None, lambda speed: {'asv': {'speed': speed}})
    monkeypatch.setattr(demo, 'load', lambda target: lambda **options: show)
    monkeypatch.setattr(demo, 'Composition', Stage)
    summary = demo.SYSTEMS['asv'].demo.summary
    assert demo.run_demo('asv') == demo.run_demo('asv', once=True) == 0
    assert (requested, speeds) == ([False, True], [1.0, 10.0])
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith('Tools join with: export ROS_')] == [
        f'Note: {taken}.',
        summary,
        'Open http://127.0.0.1:8081 in a browser: the show begins when the page is open, '
        'and Replay shows it again. Ctrl-C ends.',
        f'Note: {taken}.',
        summary,
        'Open http://127.0.0.1:8081 in a browser; it ends by itself. Ctrl-C ends.',
    ]
    assert demo.run_demo('asv', open_to_network=True) == 0
    assert capsys.readouterr().out.splitlines()[2:4] == [
        'Open http://0.0.0.0:8081 in a browser: the show begins when the page is open, '
        'and Replay shows it again. Ctrl-C ends.',
        'Note: whoever has its address can drive',
    ]


def test_keys_drive_the_robot_and_an_interrupt_lets_go(graph: Any) -> None:
    with graph.world({'hexapod_sim': {'real_time_factor': 1.0}}) as there:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, '-m', 'walking_robots.nodes', 'teleop', '--ros-args',
             '-r', f'__ns:={there.namespace}'],
            stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {'ROS_DOMAIN_ID': str(there.domain)},
        )  # fmt: skip
        os.close(theirs)
        assert process.stdout is not None
        assert 'forward' in process.stdout.readline()
        os.write(ours, b'ff')
        there.walks()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
        os.close(ours)
        assert process.returncode == 0, errors
        assert 'forward +0.122 m/s' in output
        there.until(lambda: there.person.gait[-1].velocity.linear.x == 0.0, 'rest')
