"""Trials of ARS MAGNA in the graph, and the ROS names that its page tells of."""

import os
import re
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.graph

ROOT = Path(__file__).parents[2]
WORLD = str(ROOT / 'config/worlds/big_room.yaml')
PAGE = (ROOT / 'docs/ars_magna.md').read_text('utf-8')
NAMES = sorted(
    {
        name
        for line in re.findall(r'^\| [A-Z]\d\d \| .* \| (.+) \|$', PAGE, re.MULTILINE)
        for name in re.findall(r'^`([a-z0-9_/]+)`$', line)
    }
)
OF_THE_WORLD = ('admin/', 'display/', 'messages')


@pytest.mark.parametrize(
    ('how', 'plan', 'noise'),
    [
        ('composed', 'persistent', 'default'),
        ('distributed', 'fetch', 'clean'),
        ('composed', 'excursion', '0.5'),
        ('distributed', 'robust', 'default'),
    ],
)
def test_a_trial_is_the_same_in_the_graph_to_the_last_bit(
    graph: Any, how: Any, plan: str, noise: str
) -> None:
    from walking_robots.nodes.ars_magna.trial import run_in_graph
    from walking_robots.trials.ars_magna.trial import ArsTrial, run

    trial = ArsTrial((WORLD,), plan, 3, noise)
    assert run_in_graph(trial, how, domain=graph.private_domain()) == run(trial)


ASTRAY = """ars_schema: 1
kickers: {k: {body: [{kick: {dx: "attr('weight')"}}]}}
world:
  name: field
  size: [20, 20]
  objects: [{name: lamp, at: [4, 4], attrs: {size: 2}}]
  kickers: [{use: k, on: lamp}]
robots: [{name: robbie, at: [10, 10], angle: 0}]
"""


def test_a_trial_in_the_graph_shows_what_goes_wrong_with_the_world(
    graph: Any, tmp_path: Path
) -> None:
    from walking_robots.nodes.ars_magna.trial import run_in_graph
    from walking_robots.trials.ars_magna.trial import ArsTrial, run

    world = tmp_path / 'field.yaml'
    world.write_text(ASTRAY)
    trial = ArsTrial((str(world),), 'excursion', 3, 'clean')
    result = run_in_graph(trial, 'composed', domain=graph.private_domain())
    assert result == run(trial)
    assert "kicker 'k' of LAMP#1 fails" in result.message


TWO = """ars_schema: 1
world:
  name: field
  size: [40, 20]
  objects:
    - {name: lamp, at: [14, 10], attrs: {size: 2, color: red}}
    - {name: cup, at: [20, 14], attrs: {size: 1, color: blue}}
robots:
  - {name: anna, at: [6, 8], cameras: [{fov: 90deg, resolution: 3}], hands: [{strength: 9}],
     bins: [{capacity: 9}], body: {size: 30, weight: 99, obsmove: true}}
  - {name: bert, at: [6, 12], cameras: [{fov: 90deg, resolution: 3}], hands: [{strength: 9}],
     bins: [{capacity: 9}], body: {size: 30, weight: 99, obsmove: true}}
"""


def test_two_robots_share_a_delivery_in_the_graph_to_the_last_bit(
    graph: Any, tmp_path: Path
) -> None:
    from walking_robots.nodes.ars_magna.trial import run_in_graph
    from walking_robots.trials.ars_magna.events import event_of
    from walking_robots.trials.ars_magna.trial import ArsTrial, run

    world = tmp_path / 'field.yaml'
    world.write_text(TWO)
    errands = 'color=red to 2,0; color=blue to 4,0'
    trial = ArsTrial((str(world),), 'deliver', 3, 'clean', what=errands, robots=2)
    events: tuple[list[Any], list[Any]] = [], []
    domain = graph.private_domain()
    result = run_in_graph(trial, 'composed', domain=domain, listen=events[0].append)
    assert result == run(trial, listen=events[1].append)
    # In one tick either robot may be heard first.
    in_graph, plain = (
        sorted(map(event_of, found), key=itemgetter('tick', 'robot')) for found in events
    )
    assert in_graph == plain
    assert result.goal_reached and [one.robot for one in result.each] == ['anna', 'bert']


def test_the_graph_has_no_robots_that_the_file_has_not() -> None:
    from walking_robots.nodes.ars_magna.trial import run_in_graph
    from walking_robots.trials.ars_magna.trial import ArsTrial

    with pytest.raises(ValueError, match=r'has 1 robot\(s\) and the graph adds none'):
        run_in_graph(ArsTrial((WORLD,), 'excursion', robots=2), 'composed')


def test_the_ros_names_of_the_page_are_there(graph: Any) -> None:
    from rclpy.action import get_action_names_and_types
    from rclpy.node import Node

    from walking_robots.nodes.common.composition import Composition

    space = f'/ars_{os.getpid()}'
    found = Composition(
        'ars_magna', without=('viewer',), domain=graph.private_domain(), namespace=space
    )
    try:
        person = found.add('person', lambda **options: Node('person', **options))
        wanted = {
            f'{space}/{name if name.startswith(OF_THE_WORLD) else f"robbie/{name}"}'
            for name in NAMES
        }

        def missing() -> set[str]:
            there = {
                *dict(person.get_topic_names_and_types()),
                *dict(person.get_service_names_and_types()),
                *dict(get_action_names_and_types(person)),
            }
            return wanted - there

        assert len(wanted) > 60
        turns = iter(range(200))
        found.spin(lambda: not missing() or next(turns, None) is None)
        assert not missing()
    finally:
        found.close()
