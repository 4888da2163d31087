"""The acceptance checks of mdle.md §8 that concern the checker."""

import mdle_worked
import pytest
from mdle_marked import LIBRARY, SCOUT, checked, found, marked, module

from benchmarks.cpu_time import cpu_time
from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.robot import Channel, OutputSpec, RobotSpec, SpaceSpec
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.virtual_robots.scout import scout_spec


def only(text, code, **settings):
    """Give the one diagnostic of a code."""
    (one,) = [d for d in checked(text, **settings).diagnostics if d.code == code]
    return one


@pytest.mark.parametrize('index', ['16', '-1'])
def test_ac10_an_index_is_refused_outside_of_its_list(index):
    text = f'plan p {{ until y.sonar[»{index}] < 1 m; do {{ stop(); }} }}'
    assert ('E801', marked(text)) in found(text)


@pytest.mark.parametrize(
    ('index', 'good'), [('0', True), ('1', True), ('2', False), ('-1', False)]
)
def test_ac10_a_control_has_as_many_channels_as_its_space(index, good):
    text = f'law l() on body2 = [0.1 m/s, 0 rad/s];\nconst c = l()[»{index}];'
    assert (('E801', marked(text)) in found(text)) is not good


@pytest.mark.parametrize('source', [mdle_worked.FOLLOW, mdle_worked.HALLWAY])
def test_ac30_the_worked_programs_have_no_error_on_the_scout(source):
    report = check(parse_text(source), LIBRARY, SCOUT)
    assert report.errors == []


HEXAPOD = RobotSpec(
    'hexapod',
    {
        'body2': SpaceSpec(
            'body2',
            (Channel('v', 'm/s', -0.2, 0.2), Channel('w', 'rad/s', -0.5, 0.5)),
            resources=frozenset({'base'}),
        )
    },
    {
        **{f'imu.{axis}': OutputSpec('rad', -1.6, 1.6) for axis in ('roll', 'pitch')},
        'pose': OutputSpec('pose'),
        'battery': OutputSpec('num', 0.0, 1.0),
        'bumper.any': OutputSpec('bool'),
    },
)
GAITS = {
    'hexapod.gait': module(
        'hexapod.gait',
        'atom select(pattern: str) on none { timeout 1 s; }\n'
        'atom step_back(d: m) on body2 { control [-0.05 m/s, 0 rad/s] for d / 0.05 m * 1 s; }',
    ),
    'hexapod.body': module('hexapod.body', 'atom height(h: m) on none { timeout 1 s; }'),
}


def test_ac30_the_worked_program_of_the_hexapod_has_no_error_on_one():
    program = parse_text(mdle_worked.PARTNER)
    assert check(program, {**LIBRARY, **GAITS}, HEXAPOD).errors == []
    # On a robot that is none the checker says so, wherever its channels are read.
    errors = check(program, {**LIBRARY, **GAITS}, SCOUT).errors
    assert {d.code for d in errors} == {'E202'}


def test_ac33_near_7_m_is_always_true_and_near_01_m_never():
    always = 'plan p { until »near(7 m); do { drive(1 m); } }'
    assert ('E602', marked(always)) in found(always)
    assert 'sonar in [0.152' in only(always, 'E602').text
    assert '6.477]' in only(always, 'E602').text
    never = 'plan p { until »near(0.1 m); do { drive(1 m); } }'
    assert ('E601', marked(never)) in found(never)
    assert only(never, 'E601').text.startswith("'near(0.1 m)' can never fire: min(sector(y.sonar")
    for limit in ('0.16 m', '6.47 m'):
        text = f'plan p {{ until near({limit}); do {{ drive(1 m); }} }}'
        assert not {'E601', 'E602'} & {code for code, _ in found(text)}


def test_ac33_what_an_element_is_called_with_counts():
    element = 'behavior b(d: m) { until »near(d); do { drive(0.5 m); } }\n'
    wrong = element + 'plan p { do { b(7 m); } }'
    assert ('E602', marked(wrong)) in found(wrong)
    for call in ('b(1 m)', 'b(y.pose.x)'):
        right = element + f'plan p {{ do {{ {call}; }} }}'
        assert 'E602' not in {code for code, _ in found(right)}
    assert 'E602' not in {code for code, _ in found(element)}


def test_ac34_degrees_as_a_bare_number_are_no_angle():
    mixed = 'interrupt turned_to(goal: rad) = abs(y.pose.heading - goal) < »5;'
    assert found(mixed) == [('E303', marked(mixed))]
    assert only(mixed, 'E303').text == 'cannot use num where rad is required'
    assert only(mixed, 'E303').hint == 'write the unit behind the number: 5 deg or rad'
    written = 'interrupt turned_to(goal: rad) = abs(y.pose.heading - goal) < 5 deg;'
    assert found(written) == []


@pytest.mark.parametrize(('tick', 'needed'), [(0.1, '0.423 m'), (0.05, '0.408 m')])
def test_ac35_stopping_distance(tick, needed):
    text = 'plan p { do { ahead(0.3 m/s) until »near(0.3 m) timeout 9 s; } }'
    warning = only(text, 'W407', tick=tick)
    assert warning.place == marked(text)
    assert f'at 0.3 m/s needs ≥ {needed}' in warning.text


def test_ac35_the_distance_that_is_needed_is_enough():
    for distance, warned in (('0.42 m', True), ('0.4235 m', False)):
        text = f'plan p {{ do {{ ahead(0.3 m/s) until near({distance}) timeout 9 s; }} }}'
        assert ('W407' in {d.code for d in checked(text, tick=0.1).diagnostics}) is warned


def test_ac36_bounds_of_the_worked_programs():
    follow = check(parse_text(mdle_worked.FOLLOW), LIBRARY, SCOUT)
    assert follow.entry == 'follow'
    assert follow.bound.time == 1800.0
    five = 'plan park(a: rad = 0.5 rad, b: m = 0.5 m) {'
    five += ' do { spin(a); drive(b); spin(-2 * a); drive(-b); spin(a); } }'
    park = checked(five)
    assert park.bound.time == pytest.approx(9.0, abs=1e-12)
    assert park.bound.path == pytest.approx(1.0, abs=1e-12)


def test_a_requirement_may_be_a_comparison():
    source = 'mdle 1; import std.body2; plan p { requires y.odometer %s 1 m; do { stop(); } }'
    refused, taken = (run(MdleTrial(source % sign)) for sign in '><')
    assert (refused.outcome, refused.message) == ('FAIL', 'requirement not met')
    assert taken.outcome == 'DONE'


def large_program(count):
    """Give a program of so many elements that run each other."""
    half = count // 2
    lines = ['mdle 1;', 'import std.body2;']
    lines += [
        f'atom a{i}(d: m = {i % 7 + 1} m, s: m/s = 0.2 m/s) on body2 {{'
        ' control [s, 0 rad/s] for d / s; until contact; timeout 60 s => fail "late"; }'
        for i in range(half)
    ]
    lines += [
        f'behavior b{i}(x: m = 1 m) {{ until near(0.6 m) => fail; timeout 10 min; loop 3;'
        f' do {{ a{i}(x); spin(90 deg); a{i * 7 % half}(2 * x); }} }}'
        for i in range(half - 1)
    ]
    calls = ' '.join(f'b{i}({i % 5 + 1} m);' for i in range(half - 1))
    return '\n'.join([*lines, f'plan p {{ timeout 100 min; do {{ {calls} }} }}'])


@pytest.mark.usefixtures('untraced')
def test_ac37_a_thousand_elements_are_checked_in_a_second():
    program = parse_text(large_program(1000))
    assert sum(1 for _ in program.declarations()) == 1000
    report = check(program, LIBRARY, scout_spec())
    assert report.ok
    assert report.bound.time == 6000.0
    assert cpu_time(lambda: check(program, LIBRARY, scout_spec()), 1.0) < 1.0
