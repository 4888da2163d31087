"""Programs that have ended leave no more in the process that ran them than the first one did."""

import gc
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytestmark = pytest.mark.graph


def test_all_programs_use_the_same_clients(graph: Any) -> None:
    from rclpy.client import Client

    from walking_robots.ars_magna.console.words import specification_of
    from walking_robots.ars_magna.sensing.attributes import STANDARD
    from walking_robots.nodes.common.composition import Composition

    composition = Composition(
        'ars_magna',
        {'ars_magna': {'real_time_factor': 20.0}},
        without=('viewer',),
        domain=graph.private_domain(),
        namespace='/left_behind',
    )
    runner = composition.nodes['ars_program']._runner

    def until(done: Any) -> None:
        wait_until(done, lambda: runner.progress, spin=composition.spin)

    def clients() -> int:
        gc.collect()
        return sum(isinstance(found, Client) for found in gc.get_objects())

    try:
        before, after = clients(), set()
        for _ in range(3):
            runner.start('persistent', 'robbie', specification_of(['color=lightblue'], STANDARD))
            until(lambda: runner.progress.ticks > 0)
            assert clients() > before
            runner.stop()
            until(lambda: not runner.runs)
            after.add(clients())
        assert len(after) == 1
    finally:
        composition.close()
