"""A program of MDLe and the actions of a robot of ARS MAGNA: one graph, one thing brought."""

import re
import signal
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph

PAGE = (Path(__file__).parents[2] / 'docs/ars_magna.md').read_text('utf-8')
BLOCKS = dict(re.findall(r'^```(\w+)\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))


def test_the_mdle_program_of_the_page_brings_the_cup_to_the_basket(
    graph: Any, tmp_path: Path
) -> None:
    from rclpy.action import ActionClient
    from rclpy.node import Node
    from std_srvs.srv import Trigger
    from walking_robots_interfaces.action import RunPlan
    from walking_robots_interfaces.srv import ArsListThings

    from walking_robots.nodes.common.processes import Processes

    file = tmp_path / 'kitchen.yaml'
    file.write_text(BLOCKS['yaml'])
    domain = graph.private_domain()
    values = {'world': str(file), 'real_time_factor': 1.0, 'tick_sim_seconds': 0.05}
    with (
        Processes(
            'ars_magna',
            {'ars_magna': values},
            without=('ars_program', 'viewer'),
            domain=domain,
        ) as world,
        closing(graph.LocalNodes(domain)) as local,
        ExitStack() as stack,
    ):
        (words,) = re.findall(r'^ros2 run walking_robots (mdle_executor .*)$', PAGE, re.MULTILINE)
        executor = graph.run_alone(
            sys.executable, '-m', 'walking_robots.nodes', *words.split(), domain=domain
        )
        stack.callback(executor.kill)
        person = Node('person', context=local.context, namespace='/robbie')
        local.add(person)

        def until(done: Any) -> None:
            wait_until(done, world.fallen, spin=local.spin)

        def call(kind: Any, name: str) -> Any:
            client = person.create_client(kind, name)
            until(client.service_is_ready)
            answer = client.call_async(kind.Request())
            until(answer.done)
            return answer.result()

        assert call(Trigger, '/admin/clean').success
        client: Any = ActionClient(person, RunPlan, 'mdle_executor/run_plan')
        until(client.server_is_ready)

        sent = client.send_goal_async(RunPlan.Goal(source=BLOCKS['mdle']))
        until(sent.done)
        ended = sent.result().get_result_async()
        until(ended.done)
        found = ended.result().result
        assert found.outcome == 'DONE', found.message
        things = {thing.name: thing for thing in call(ArsListThings, '/admin/things').things}
        cup, basket = things['cup'], things['basket']
        assert not cup.inside
        assert abs(cup.x - basket.x) < 1.0 and abs(cup.y - basket.y) < 1.0
        executor.send_signal(signal.SIGTERM)
        assert not executor.communicate()[1]
