"""How evenly ticks come."""

from walking_robots.nodes.common.tick_timing import TickJitter


def test_even_ticks_have_no_jitter_and_late_ones_are_counted():
    pace = TickJitter(0.05)
    assert pace.jitter() == 0.0
    for tick in range(100):
        pace.note(0.05 * tick)
    assert pace.jitter() < 1e-9
    assert pace.missed == 0
    pace.note(0.05 * 99 + 0.16)
    assert pace.missed == 2
    assert abs(pace.jitter(1.0) - 0.11) < 1e-9
    pace.rest()
    pace.note(100.0)
    assert pace.missed == 2
