"""What a person requests on the page of the bipeds reaches gait and simulation."""

import math
import os
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph


def test_the_page_walks_pushes_and_changes_robot_and_ground(graph: Any) -> None:
    from walking_robots.nodes.common.composition import Composition

    overrides = {'viewer': {'port': 8471}}
    found = Composition(
        'biped',
        overrides,
        without=('joint_servo',),
        domain=graph.private_domain(),
        namespace=f'/page_{os.getpid()}',
    )

    def until(done: Any, what: str) -> None:
        wait_until(
            lambda: seen() is not None and done(), lambda: f'{what}, {seen()}', spin=found.spin
        )

    try:
        viewer = found.nodes['viewer']
        controls = viewer._controls()
        left: list[Any] = []

        def seen() -> Any:
            state = viewer.page._state
            if state is not None:
                left.extend(entry for entry in state.left if entry not in left)
            return state

        until(lambda: seen().settings.robot == 'b', 'which robot walks')
        until(lambda: seen().state in (4, 8), 'a robot that stands')
        assert seen().height == pytest.approx(seen().felt_height, abs=0.01)
        until(
            lambda: sum(force for _, force in seen().forces) == pytest.approx(95.0, abs=5.0),
            'its weight on the ground',
        )
        controls.walk(0.4)
        until(lambda: seen().x > 0.4, 'a walk')
        assert {'landed', 'clear', 'far enough'} <= {entry.why for entry in left}
        assert max(value for value in seen().friction if not math.isnan(value)) < 1.0

        controls.ground('slope:20deg', 0)
        until(lambda: seen().settings.ground == 'up', 'the class of the ground')
        until(lambda: seen().settings.terrain == 'slope:20deg', 'the ground')
        controls.robot('a')
        until(lambda: seen().settings.robot == 'a' and seen().time < 1.0, 'the other robot')
        until(lambda: seen().x > 0.3, 'a walk that goes on')
        controls.ground('slope:80deg', 0)
        until(lambda: 'at most 60 degrees' in seen().diagnostic, 'why it cannot')

        controls.push(-900.0)
        until(lambda: seen().push == -900.0, 'the push')
        until(lambda: seen().fallen.startswith('fell after'), 'a fall')
        controls.reset()
        until(lambda: seen().state in (4, 8) and not seen().fallen, 'a robot that stands again')
        assert seen().desired_speed == 0.0 and seen().push == 0.0
    finally:
        found.close()
