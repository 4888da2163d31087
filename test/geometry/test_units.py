"""Test reading of quantities with units."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.units import (
    FOOT,
    parse_angle,
    parse_charge,
    parse_length,
    parse_speed,
    parse_time,
)


@pytest.mark.parametrize(
    ('text', 'metres'),
    [
        ('7ft', 7 * FOOT),
        ('2.1m', 2.1),
        ('80cm', 0.8),
        ('6in', 0.1524),
        ('0.12', 0.12),
        (' -1.5 ft ', -1.5 * FOOT),
        ('.5m', 0.5),
        ('1e2mm', 0.1),
        (3, 3.0),
        (2.5, 2.5),
    ],
)
def test_length(text: object, metres: float) -> None:
    assert parse_length(text) == pytest.approx(metres, rel=1e-12)


def test_other_quantities() -> None:
    assert parse_speed('0.4ft/s') == pytest.approx(0.4 * FOOT)
    assert parse_charge('5000mAh') == parse_charge('5Ah') == parse_charge(5) == 5.0
    assert parse_speed('0.12') == parse_speed('0.12m/s') == 0.12
    assert parse_speed('3.6km/h') == pytest.approx(1.0)
    assert parse_angle('20deg') == pytest.approx(math.radians(20))
    assert parse_angle(0.1) == 0.1
    assert parse_time('100ms') == pytest.approx(0.1)
    assert parse_time('2min') == 120.0


@pytest.mark.parametrize(
    'wrong',
    [
        '',
        'ft',
        '7yd',
        'nan',
        'inf',
        '1e999m',
        '7 ft ft',
        True,
        None,
        [],
        float('nan'),
        float('inf'),
        10**400,
        '1' * 1000,
        '--1m',
    ],
)
def test_wrong_length_is_one_sentence(wrong: object) -> None:
    with pytest.raises(ValueError, match=r'^[^\n]{10,200}$'):
        parse_length(wrong)


@given(st.text(max_size=60))
def test_any_text_gives_a_length_or_a_value_error(text: str) -> None:
    try:
        assert math.isfinite(parse_length(text))
    except ValueError as error:
        assert '\n' not in str(error)
