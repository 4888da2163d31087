"""The short form of AC-44: nothing is left behind by ticks, starts and cancels."""

import pytest

from benchmarks.soak_mdle import soak


@pytest.mark.usefixtures('untraced')
def test_ac44_short_nothing_is_left_behind():
    found = soak(3_000, 50)
    assert found.grown < 100_000
    assert found.objects < 50
    assert found.threads == 0
