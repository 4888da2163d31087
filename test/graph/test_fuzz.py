"""No message, request, goal or parameter makes a node fail: eight seconds of random input."""

import pytest

from walking_robots.systems import SYSTEMS

pytestmark = [pytest.mark.graph, pytest.mark.slow]

SECONDS = 8.0


@pytest.mark.parametrize('system', SYSTEMS)
def test_random_input_breaks_nothing(system: str) -> None:
    from benchmarks.fuzz import fuzz

    found = fuzz(system, SECONDS, seed=14)
    assert found.broken == {}
    assert min(found.sent[kind] for kind in ('messages', 'requests', 'parameters')) > 20
