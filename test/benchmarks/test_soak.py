"""The soak of a system in a few seconds, and what it calls growth."""

import random

import pytest

from benchmarks.soak import SoakResult, growth_per_hour, soak, verdict


def test_growth_is_the_slope_whatever_jumps_out() -> None:
    noise = random.Random(1)
    times = [float(second) for second in range(600)]
    level = [100.0 + noise.gauss(0.0, 0.1) for _ in times]
    assert growth_per_hour(times, level) == pytest.approx(0.0, abs=0.5)
    rising = [value + 2.0 * at / 3600.0 for at, value in zip(times, level, strict=True)]
    assert growth_per_hour(times, rising) == pytest.approx(2.0, abs=0.5)
    # A third of the time somebody has more open.
    jumping = [value + 50.0 * (index % 3 == 0) for index, value in enumerate(rising)]
    assert growth_per_hour(times, jumping) == pytest.approx(2.0, abs=0.5)
    assert growth_per_hour([1.0], [1.0]) == 0.0


def test_what_grows_is_named() -> None:
    good = SoakResult('scout', 10.0, (100.0, 120.0), 0.9, (40, 40), (20, 19), 3, 0.1)
    assert verdict(good) == []
    assert verdict(good._replace(growth=1.2)) == ['memory grows by 1.2 MB an hour']
    assert verdict(good._replace(descriptors=(40, 42))) == ['descriptors grew from 40 to 42']
    assert verdict(good._replace(threads=(20, 21))) == ['threads grew from 20 to 21']


@pytest.mark.graph
@pytest.mark.parametrize('system', ['hexapod', 'ars_magna'])
def test_a_system_is_soaked(system: str) -> None:
    found = soak(system, 0.1, 8690)
    assert found.system == system
    assert found.memory[1] > 50.0 and found.cpu > 0.0
    assert found.descriptors[1] > 10 and found.threads[1] > 5
