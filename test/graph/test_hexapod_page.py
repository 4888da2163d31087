"""What a person requests on a hexapod's page reaches its gait, and refusals are reported."""

import math
import os
from typing import Any

import pytest

from benchmarks.own_clock import Stopwatch, wait_until

pytestmark = pytest.mark.graph


def test_the_page_moves_the_body_and_changes_the_gait(graph: Any) -> None:
    from walking_robots.geometry.pose import roll_pitch_yaw
    from walking_robots.nodes.common.composition import Composition

    overrides = {
        'viewer': {'robot': 'insect18', 'port': 8470},
        'hexapod_sim': {'robot': 'insect18', 'real_time_factor': 5.0},
    }
    found = Composition(
        'hexapod',
        overrides,
        without=('free_gait',),
        domain=graph.private_domain(),
        namespace=f'/page_{os.getpid()}',
    )

    def until(done: Any, what: str) -> None:
        wait_until(lambda: seen() is not None and done(), what, spin=found.spin)

    try:
        viewer = found.nodes['viewer']
        controls = viewer._controls()

        def seen() -> Any:
            return viewer.page._state

        def roll() -> float:
            return roll_pitch_yaw(seen().quaternion)[0]

        until(lambda: seen().mode == 'tripod', 'the gait of the parameter file')
        controls.walk(0.02, 0.0, 0.0)
        controls.body(0.0, 0.0, -0.01, math.radians(5.0), 0.0, 0.0)
        until(lambda: abs(roll() - math.radians(5.0)) < 1e-3, 'the roll')
        until(lambda: abs(seen().position[2] - 0.09) < 1e-3, 'the height')
        until(lambda: {'support', 'advance'} == set(seen().leg_states), 'a step')
        controls.gait('wave', 8.0)
        until(lambda: seen().mode == 'wave' and len(seen().support) == 5, 'the wave')
        controls.gait('wave', 0.1)
        until(lambda: 'period' in seen().diagnostic, 'why it cannot')
        controls.stop()
        controls.body(0.0, 0.0, 0.0, math.radians(80.0), 0.0, 0.0)
        until(lambda: 'roll' in seen().diagnostic, 'why it cannot')
        until(lambda: abs(roll() - math.radians(5.0)) < 1e-3, 'it holds the body as it was')
        watch: Any = None

        def rolls_back() -> bool:
            nonlocal watch
            # After a stall, as while the gait plans, the page holds the body: people ask again.
            if watch is None or watch.passed(1.0):
                watch = Stopwatch()
                controls.body(0.0, 0.0, 0.0, math.radians(-5.0), 0.0, 0.0)
            return roll() < math.radians(3.0)

        until(rolls_back, 'a roll to the other side')
        controls.stop()
        stopped = seen().time
        until(lambda: seen().time > stopped + 5.0, 'time')
        assert roll() > math.radians(-4.0), 'its way ends where it is stopped'
        assert abs(seen().margin) < 0.3 and len(seen().joints) == 18
    finally:
        found.close()


def test_the_page_shows_a_plan_of_footholds(graph: Any) -> None:
    from walking_robots.nodes.common.composition import Composition

    found = Composition(
        'asv',
        {
            'viewer': {'port': 8471},
            'free_gait': {'coordinator': 'planned'},
            'hexapod_sim': {'real_time_factor': 5.0},
        },
        domain=graph.private_domain(),
        namespace=f'/plan_{os.getpid()}',
    )
    try:
        viewer = found.nodes['viewer']
        viewer.page.is_visited = lambda: True
        controls = viewer._controls()
        controls.walk(0.12, 0.0, 0.0)

        def planned() -> Any:
            controls.walk(0.12, 0.0, 0.0)
            state = viewer.page._state
            return state is not None and state.swings

        wait_until(planned, 'coming footholds', spin=found.spin)
    finally:
        found.close()
