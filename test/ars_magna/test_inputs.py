"""Names are one, however they are written; numbers of all types, and what is none."""

from fractions import Fraction

import numpy as np
import pytest
from ars_stage import Stage

from walking_robots.ars_magna.design.expressions import NUMERIC, expression
from walking_robots.ars_magna.inputs import finite, normal_name, shown, suggestion, whole
from walking_robots.ars_magna.simulation.experimenter import Experimenter


@pytest.mark.parametrize('text', ['lock_id', ':Lock-ID', 'LOCK-ID', ' lock-id '])
def test_a_name_has_one_form(text: str) -> None:
    assert normal_name(text) == 'lock_id'


def test_an_unknown_name_gets_a_suggestion() -> None:
    assert suggestion('colour', ['size', 'color']) == "did you mean 'color'?"
    assert suggestion('qqq', ['size', 'color']) == 'use one of color, size'
    assert suggestion('qqq', []) == 'there are none'
    assert suggestion('qqq', [f'a{number}' for number in range(50)]).startswith('did you mean')


@pytest.mark.parametrize('value', [3, 3.0, np.int64(3), np.float32(3), Fraction(3)])
def test_a_number_may_be_of_any_type(value):
    assert finite(value) == 3.0 and type(finite(value)) is float


@pytest.mark.parametrize('value', [True, '3', None, float('nan'), float('inf'), 10**400, 1e300])
def test_what_is_no_finite_number_is_none(value):
    assert finite(value) is None


def test_whole_numbers_are_distinguished_from_others():
    assert [whole(value) for value in (3, np.uint8(3), 3.0, True, '3')] == [3, 3, None, None, None]


def test_what_is_wrong_is_shown_in_short():
    assert shown(10**5000) == 'one of 300 digits or more'
    assert shown([10**5000]) == 'what holds a number of thousands of digits'
    assert shown('x' * 100) == "'" + 'x' * 39


def test_commands_take_numbers_of_any_type_and_refuse_what_is_none():
    stage = Stage()
    assert stage.code(stage.robot.go_forward(np.int64(3))) == 'NIL'
    assert stage.code(stage.robot.turn(np.float32(1))) == 'NIL'
    for refused in (stage.robot.set_speed, stage.robot.turn):
        with pytest.raises(ValueError, match='a finite number is needed, not one of 300 digits'):
            refused(10**400)
    with pytest.raises(ValueError, match='no substance'):
        stage.eye.get_object_designator('local', [('substance', 'gold')])


HUGE = 10**5000


def test_time_parameters_and_headings_take_numbers_of_any_type():
    stage = Stage()
    experimenter = Experimenter(stage.simulator)
    experimenter.set_angle('robbie', Fraction(1, 2))
    experimenter.set_parameters(
        braking=np.int64(3), motion_noise=np.float32(0.25), pixel_range=(Fraction(1, 2), 3)
    )
    parameters = stage.world.parameters
    assert stage.truth.heading == 0.5
    assert (parameters.braking, parameters.motion_noise) == (3, 0.25)
    assert parameters.pixel_range == (0.5, 3.0)
    assert [type(value) for value in (parameters.braking, parameters.motion_noise)] == [int, float]
    assert stage.wait(stage.robot.wait(np.int64(4))) == 4


@pytest.mark.parametrize(
    ('act', 'wrong'),
    [
        (lambda stage: stage.robot.wait('x'), "number of ticks is needed, not 'x'"),
        (lambda stage: stage.robot.wait(float('nan')), 'number of ticks is needed, not nan'),
        (lambda stage: stage.robot.turn([HUGE]), 'is needed, not what holds a number of thous'),
        (lambda stage: _find(stage, [('size', HUGE)]), "'size' must be a finite number, or a"),
        (lambda stage: _find(stage, [('size', [HUGE, HUGE])]), "'size' must be a finite number"),
        (lambda stage: _find(stage, [[HUGE]]), 'must be an attribute, what may fit, .*not what'),
        (lambda stage: _find(stage, [('color', HUGE)]), "'color' cannot be one of 300 digits"),
        (lambda stage: _of(stage).set_angle('robbie', HUGE), 'heading needs a number .* one of 3'),
        (lambda stage: _of(stage).set_angle('robbie', 2e6), 'heading needs a number below 1e'),
        (lambda stage: _of(stage).set_parameters(braking=HUGE), 'braking must be a whole number'),
        (
            lambda stage: _of(stage).set_parameters(pick=[HUGE]),
            'pick must be .* what holds',
        ),
        (lambda stage: _of(stage).move_thing('cup', [HUGE]), 'a location is .* what holds a'),
        (
            lambda stage: _of(stage).set_attributes('cup', {'size': HUGE}),
            "'size' must be a finite",
        ),
    ],
)
def test_what_is_no_number_is_refused_with_its_place_at_every_door(act, wrong):
    stage = Stage('  objects: [{name: cup, at: [5, 5]}]')
    with pytest.raises(ValueError, match=wrong):
        act(stage)


def _find(stage, requested):
    return stage.eye.get_object_designator('local', requested)


def _of(stage):
    return Experimenter(stage.simulator)


def test_expressions_refuse_what_no_number_can_be_made_of():
    with pytest.raises(ValueError, match='one of 300 digits or more is not a number'):
        expression('x * 2', {'x': NUMERIC}).value({'x': HUGE})
    assert expression('x * 2', {'x': NUMERIC}).value({'x': np.int64(3)}) == 6.0
