"""Messages for observers."""

from typing import Any

import pytest

pytest.importorskip('rclpy')

MS = 1_000_000


def throttle(period: float) -> Any:
    from walking_robots.nodes.common.throttle import ObserverThrottle

    class Node:
        def parameter(self, *arguments: Any, **options: Any) -> float:
            return period

    node: Any = Node()
    return ObserverThrottle(node)


def passed(found: Any, stamps: list[int]) -> list[int]:
    return [stamp for stamp in stamps if found.passes(stamp * MS)]


def test_the_first_message_of_each_period_passes() -> None:
    assert passed(throttle(0.02), list(range(0, 64, 4))) == [0, 20, 40, 60]
    assert passed(throttle(0.02), list(range(0, 64, 7))) == [0, 21, 42, 63]
    assert passed(throttle(0.0), [0, 4, 8]) == [0, 4, 8]


def test_a_repeated_message_passes_again_if_it_did() -> None:
    assert passed(throttle(0.02), [0, 0, 4, 4, 20, 20]) == [0, 0, 20, 20]


def test_time_may_begin_afresh() -> None:
    assert passed(throttle(0.02), [0, 20, 4, 8, 24]) == [0, 20, 4, 24]


def test_a_message_at_once_leaves_the_others_in_step() -> None:
    found = throttle(0.02)
    assert found.passes(0) and found.passes(4 * MS, at_once=True)
    assert passed(found, [8, 20, 24]) == [20]
