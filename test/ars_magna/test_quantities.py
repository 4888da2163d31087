"""Numbers of all types, and what is none."""

from fractions import Fraction

import numpy as np
import pytest
from ars_stage import Stage

from walking_robots.ars_magna.quantities import finite, shown, whole


@pytest.mark.parametrize('value', [3, 3.0, np.int64(3), np.float32(3), Fraction(3)])
def test_a_number_may_be_of_any_type(value):
    assert finite(value) == 3.0 and type(finite(value)) is float


@pytest.mark.parametrize('value', [True, '3', None, float('nan'), float('inf'), 10**400, 1e300])
def test_what_is_no_finite_number_is_none(value):
    assert finite(value) is None


def test_whole_numbers_are_told_from_others():
    assert [whole(value) for value in (3, np.uint8(3), 3.0, True, '3')] == [3, 3, None, None, None]


def test_what_is_wrong_is_shown_in_short():
    assert shown(10**5000) == 'one of 300 digits or more'
    assert shown('x' * 100) == "'" + 'x' * 39


def test_commands_take_numbers_of_any_type_and_refuse_what_is_none():
    stage = Stage()
    assert stage.code(stage.robot.go_forward(np.int64(3))) == 'NIL'
    assert stage.code(stage.robot.turn(np.float32(1))) == 'NIL'
    for refused in (stage.robot.set_speed, stage.robot.turn):
        with pytest.raises(ValueError, match='a finite number is needed, not one of 300 digits'):
            refused(10**400)
    with pytest.raises(ValueError, match='no substance'):
        stage.robot.cameras[0].get_object_designator('local', [('substance', 'gold')])
