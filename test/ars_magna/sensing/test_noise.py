"""Noise of ars_magna.md §7.1 to §7.3, §7.6: T44 to T50, T70 of §11.4 and the tables there."""

import statistics
from random import Random
from typing import Any

import pytest

from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import STANDARD, Attribute, Substance, Value
from walking_robots.ars_magna.sensing.noise import (
    carried_probability,
    correctness,
    deviation,
    place_reading,
    read,
)

DEFAULTS = Parameters()
N = 10_000
PLACES = ('doorway', 'convex', 'concave', 'beak')
FIGURE = Attribute('height', None, base=1.0, max_mult=10.0)


def readings(
    attribute: Attribute, value: Value, distance: float, parameters: Parameters = DEFAULTS
) -> list[Any]:
    random = Random(f'{attribute.name} {distance}')
    return [read(attribute, value, distance, parameters, random) for _ in range(N)]


def places(kind: str | None, parameters: Parameters = DEFAULTS) -> list[str | None]:
    random = Random(44)
    return [place_reading(kind, PLACES, parameters, random) for _ in range(N)]


@pytest.mark.parametrize(
    ('success', 'expected'),
    [
        (0.4, (0.4, 0.3333, 0.1667, 0.1111, 0.0667)),
        (0.75, (0.75, 0.75, 0.75, 0.5, 0.3)),
        (0.9, (0.9, 0.9, 0.9, 0.9, 0.9)),
        (1.0, (1.0, 1.0, 1.0, 1.0, 1.0)),
    ],
)
def test_the_table_of_discrete_readings(success: float, expected: tuple[float, ...]) -> None:
    attribute = Attribute('shape', ('cube', 'ball'), success=success)
    found = [correctness(attribute, d, DEFAULTS) for d in (5.0, 20.0, 40.0, 60.0, 100.0)]
    assert found == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ('base', 'max_mult', 'form', 'expected'),
    [
        (1.0, 10.0, 'printed', {0.0: 1.0, 0.05: 5.0, 0.5: 9.091, 1.0: 9.524, 10.0: 9.950}),
        (0.8, 4.0, 'printed', {0.0: 0.8, 0.05: 1.6, 0.5: 2.909, 1.0: 3.048, 10.0: 3.184}),
        (1.0, 10.0, 'reciprocal', {0.0: 1.0, 1.0: 1.0, 5.0: 2.0, 10.0: 3.333, 50.0: 7.143}),
        (0.8, 4.0, 'reciprocal', {0.0: 0.8, 5.0: 0.8, 10.0: 1.067, 20.0: 1.6, 50.0: 2.286}),
    ],
)
def test_the_table_of_numeric_readings(
    base: float, max_mult: float, form: Any, expected: dict[float, float]
) -> None:
    attribute = Attribute('height', None, base=base, max_mult=max_mult)
    parameters = Parameters(numeric_noise_form=form)
    found = [deviation(attribute, distance, parameters) for distance in expected]
    assert found == pytest.approx([*expected.values()], abs=5e-4)


def test_the_table_of_what_is_carried() -> None:
    assert [carried_probability(0.4, n) for n in (0, 1)] == pytest.approx([0.4, 0.64])
    size = [carried_probability(0.7, n) for n in range(4)]
    assert size == pytest.approx([0.7, 0.91, 0.973, 0.9919])


def test_t44_a_place_is_overlooked() -> None:
    assert places('beak').count(None) == pytest.approx(500, abs=87)
    assert set(places('beak')) == {'beak', None}


def test_t45_a_place_is_imagined() -> None:
    imagined = [kind for kind in places(None) if kind is not None]
    assert len(imagined) == pytest.approx(100, abs=40)
    assert set(imagined) == set(PLACES)
    always = DEFAULTS.with_values(type_false_pos=1.0)
    assert place_reading(None, (), always, Random(1)) is None


@pytest.mark.parametrize(
    ('distance', 'share'),
    [pytest.param(5.0, 0.475, id='T46'), pytest.param(20.0, 0.4167, id='T47')],
)
def test_colours(distance: float, share: float) -> None:
    found = readings(STANDARD['color'], 'blue', distance)
    assert found.count('blue') / N == pytest.approx(share, abs=0.020)
    assert set(found) == set(STANDARD['color'].domain or ())


def test_t48_a_discrete_reading_at_its_knee_and_beyond() -> None:
    # A domain of which every guess but the true one is wrong shows the test of success alone.
    shape = Attribute('shape', tuple(range(10_000)), success=0.75)
    assert readings(shape, 7.0, 60.0).count(7.0) / N == pytest.approx(0.500, abs=0.020)


@pytest.mark.parametrize(
    ('distance', 'sigma', 'band'),
    [pytest.param(0.05, 5.0, 0.15, id='T49'), pytest.param(10.0, 9.950, 0.29, id='T50')],
)
def test_numbers(distance: float, sigma: float, band: float) -> None:
    found = readings(FIGURE, 50.0, distance)
    assert statistics.stdev(found) == pytest.approx(sigma, abs=band)
    assert statistics.fmean(found) == pytest.approx(50.0, abs=4.0 * sigma / N**0.5)


def test_the_reciprocal_form_is_an_option() -> None:
    gradual = DEFAULTS.with_values(numeric_noise_form='reciprocal')
    assert statistics.stdev(readings(FIGURE, 50.0, 20.0, gradual)) == pytest.approx(5.0, abs=0.15)


def test_a_substance_is_read_as_number_and_type() -> None:
    found = readings(STANDARD['substance'], Substance('wood', 120.0), 0.0)
    types = [substance.type for substance in found]
    assert types.count('wood') == pytest.approx(0.9 * N, abs=120)
    assert set(types) == {'wood', 'unknown'}
    assert statistics.stdev(substance.parameter for substance in found) == pytest.approx(
        1.0, abs=0.03
    )


@pytest.mark.parametrize(
    'parameters', [DEFAULTS.with_values(no_sensor_error=True), DEFAULTS.cleaned()]
)
def test_t70_no_sensor_error(parameters: Parameters) -> None:
    assert set(places('beak', parameters)) == {'beak'}
    assert set(places(None, parameters)) == {None}
    assert set(readings(STANDARD['color'], 'red', 90.0, parameters)) == {'red'}
    assert set(readings(FIGURE, 3.0, 90.0, parameters)) == {3.0}
    wood = Substance('wood', 120.0)
    assert set(readings(STANDARD['substance'], wood, 90.0, parameters)) == {wood}


def test_equal_generators_read_alike() -> None:
    assert readings(FIGURE, 1.0, 3.0) == readings(FIGURE, 1.0, 3.0)


def test_a_factor_of_noise_leaves_the_errors_of_definitions_alone() -> None:
    quiet, random = DEFAULTS.with_noise(0.0), Random(14)
    found = [read(STANDARD['color'], 'blue', 5.0, quiet, random) for _ in range(N)]
    assert found.count('blue') / N == pytest.approx(0.475, abs=0.020)
