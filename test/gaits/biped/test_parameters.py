"""Parameters of the walk: derived constants, and the file they come from."""

from math import cos

import pytest

from walking_robots.gaits.biped.parameter_files import (
    GROUNDS,
    BipedFileError,
    parse_sets,
    shipped_sets,
)
from walking_robots.robots.kwalk import KWALKA, KWALKB

SETS = shipped_sets()
WHOLE = """
biped_sets: 1
sets:
  mine:
    {robot: a, height: 50cm, reach: -8deg, lead: -0.1, lift: 5cm, shorter: 5cm, clearance: 2cm,
     lowering_force: 40, lowering_damping: 20, start_knee_stiffness: 800, knee_stiffness: 200,
     hip_damping_ratio: 0.85, knee_damping_ratio: 0.85, balanced: 0.6, smoothing: 20ms}
"""


@pytest.mark.parametrize(
    ('robot', 'name', 'expected'),
    [
        (KWALKA, 'a_header', (3.29889, 32.0649, 16.0325, 123.693)),
        (KWALKB, 'b_header', (4.62840, 1.92056, 0.784067, 112.387)),
    ],
)
def test_check_6_damping_constants(robot, name, expected):
    parameters = SETS.document.parameters(name)
    hip, start_knee, knee, height = parameters.damping(robot)
    assert (hip, start_knee, knee) == pytest.approx(expected[:3], abs=1e-4)
    # The table gives three decimals of this one.
    assert height == pytest.approx(expected[3], abs=1e-3)


def test_the_masses_that_the_controllers_count():
    a = SETS.document.parameters('a_header').masses(KWALKA)
    b = SETS.document.parameters('b_header').masses(KWALKB)
    assert a == pytest.approx((8.82348, 9.26819), abs=1e-5)
    assert b == pytest.approx((6.49733, 8.10511), abs=1e-5)


@pytest.mark.parametrize('robot', 'ab')
def test_the_spare_sets_of_both_headers(robot):
    # biped.md §7.2
    for slope, lead in (('up', -0.10), ('down', -0.05)):
        found = SETS.document.parameters(f'{robot}_spare_{slope}')
        assert (found.height, found.speed, found.least_speed) == (0.50, 0.4, 0.3)
        assert (found.reach, found.lead) == (-0.15, lead)
        assert (found.lift, found.shorter, found.clearance) == (0.20, 0.20, 0.04)


def test_the_header_of_robot_b_gives_the_length_of_its_legs():
    parameters = SETS.document.parameters('b_header')
    assert parameters.height == pytest.approx(0.58 * cos(0.15))
    assert parameters.start_length == pytest.approx(0.58)


@pytest.mark.parametrize('kind', ['literal', 'tuned'])
@pytest.mark.parametrize('robot', ['a', 'b'])
@pytest.mark.parametrize('ground', GROUNDS)
def test_there_are_parameters_for_every_ground(robot, kind, ground):
    name, parameters = SETS.find(robot, kind, ground)
    assert name in SETS.names(robot)
    assert 0.4 <= parameters.height <= 0.6


def test_literal_parameters_have_no_additions():
    for name in ('a_header', 'a_smooth', 'b_header', 'b_t83'):
        assert SETS.document.parameters(name).ways.lowering in ('frozen', 'damped')


def test_a_set_may_be_like_another():
    more = '  low:\n    like: mine\n    start_length: 0.4\n    ways: {lowering: hold}\n'
    low = parse_sets(WHOLE + more).document.parameters('low')
    assert low.height == pytest.approx(0.4 * cos(0.15))
    assert (low.ways.lowering, low.ways.carried, low.clearance) == ('hold', 'thighs', 0.02)


@pytest.mark.parametrize(
    ('text', 'sentence'),
    [
        ('biped_sets: 2\nsets: {}\n', "line 1: field 'biped_sets' .*; write 1"),
        (WHOLE + '  low: {like: yours}\n', "'sets.low.like' must name a set further up"),
        (WHOLE.replace('lead: -0.1, ', ''), 'must give lead'),
        (WHOLE.replace('robot: a, ', ''), "must say whose it is, 'robot: a'"),
        (WHOLE.replace('lift: 5cm', 'lift: 5kg'), "field 'sets.mine.lift' .*unknown unit"),
        (WHOLE + 'choices: {tuned: {b: {level: mine}}}\n', 'must name a set of robot b'),
    ],
)
def test_a_wrong_file_is_one_sentence(text, sentence):
    with pytest.raises(BipedFileError, match=sentence) as caught:
        parse_sets(text, 'my.yaml')
    assert '\n' not in str(caught.value)


def test_an_unknown_set_is_refused_by_name():
    with pytest.raises(ValueError, match=r'robot a has no parameters .b_h41., choose one of'):
        SETS.find('a', 'b_h41', 'level')
