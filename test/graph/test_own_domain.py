"""A demo meets neither another robot nor another demo."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.graph


@pytest.fixture
def start_demo(graph: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that starts a demo as people do, in a domain of theirs."""
    started: list[Any] = []

    def start(system: str, domain: int, arguments: str) -> Any:
        code = 'import sys; from walking_robots.nodes.demo import run_demo; '
        code += f'sys.exit(run_demo({system!r}, {arguments}))'
        started.append(graph.run_alone(sys.executable, '-c', code, domain=domain))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_demo_moves_no_robot_of_the_domain_it_is_started_in(
    graph: Any, start_demo: Any, tmp_path: Path
) -> None:
    from nav_msgs.msg import Odometry
    from rclpy.node import Node

    from walking_robots.nodes.common.composition import Composition

    domain, line = graph.private_domain(), str(tmp_path / 'line')
    robot = Composition(
        'scout',
        {'scout_emulator': {'link': line}, 'scout_driver': {'port': line}},
        without=('viewer', 'scout_wander'),
        domain=domain,
    )
    places: list[tuple[float, float]] = []

    def see(message: Any) -> None:
        places.append((message.pose.pose.position.x, message.pose.pose.position.y))

    person = robot.add('person', lambda **options: Node('person', **options))
    person.create_subscription(Odometry, 'ground_truth/odom', see, 10)
    demo = start_demo('scout', domain, 'port=8520, once=True')
    shown: list[str] = []
    # Its robot wanders; ours has as much time to do the same.
    robot.spin(lambda: shown.append(demo.stdout.readline()) or _moved(shown))
    seen = len(places)
    robot.spin(lambda: len(places) > seen + 20)
    robot.close()
    demo.terminate()
    errors = demo.communicate()[1]
    assert demo.returncode == 0, errors
    assert places[-1] == pytest.approx(places[0], abs=1e-6)
    own = re.search(r'ROS_DOMAIN_ID=(\d+)', ''.join(shown))
    assert own is not None and int(own[1]) != domain


def _moved(shown: list[str]) -> bool:
    """Return whether the robot of a demo was at different places."""
    assert shown[-1], shown
    found = [re.search(r'x +(\S+) m  y +(\S+) m', line) for line in shown]
    return len({place.groups() for place in found if place is not None}) > 2


def test_two_demos_at_once_end_as_if_each_were_alone(graph: Any, start_demo: Any) -> None:
    domain = graph.private_domain()
    demos = [start_demo('asv', domain, 'port=8530, once=True, speed=60.0') for _ in range(2)]
    ends = []
    for demo in demos:
        output, errors = demo.communicate()
        assert demo.returncode == 0, errors
        assert output.splitlines()[-1].startswith('Crossed the ditch')
        ends.append([float(word) for word in re.findall(r'\d+\.\d+', output.splitlines()[-1])])
    # Some steps of standing before a walk begins are a matter of chance.
    assert ends[0] == pytest.approx(ends[1], rel=0.02)


def test_a_demo_is_heard_on_this_machine_only(
    graph: Any, start_demo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        'FASTDDS_DEFAULT_PROFILES_FILE',
        'FASTRTPS_DEFAULT_PROFILES_FILE',
        'ROS_AUTOMATIC_DISCOVERY_RANGE',
    ):
        monkeypatch.delenv(name, raising=False)
    demo = start_demo('scout', graph.private_domain(), 'port=8540, once=True')
    while 'x ' not in demo.stdout.readline():
        assert demo.poll() is None, demo.communicate()[1]
    sockets = _sockets(demo.pid)
    assert {kind for kind, _ in sockets} == {'udp', 'tcp'}
    assert {address for _, address in sockets} == {'127.0.0.1'}
    mapped = Path(f'/proc/{demo.pid}/maps').read_text()
    assert '/dev/shm/fast' not in mapped


def _sockets(pid: int) -> list[tuple[str, str]]:
    """Return kind and local address of the sockets on which a process receives."""
    names = [os.readlink(path) for path in Path(f'/proc/{pid}/fd').iterdir() if path.is_symlink()]
    found = []
    for kind, listens in (('udp', '07'), ('udp6', '07'), ('tcp', '0A'), ('tcp6', '0A')):
        table = Path(f'/proc/{pid}/net/{kind}')
        for words in map(str.split, table.read_text().splitlines()[1:] if table.exists() else []):
            if words[3] == listens and f'socket:[{words[9]}]' in names:
                raw = bytes.fromhex(words[1].split(':')[0])
                found.append((kind, '.'.join(map(str, reversed(raw)))))
    return found
