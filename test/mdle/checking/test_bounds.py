"""Bounds of time and way, and the measures of a program."""

import math

import pytest
from mdle_marked import SCOUT, checked

from walking_robots.mdle.checking.measures import description_length


def bound(steps, before=''):
    return checked(f'plan p {{ {before} do {{ {steps} }} }}').bound


@pytest.mark.parametrize(
    ('steps', 'time', 'path'),
    [
        ('drive(1 m);', 5.0, 1.0),
        ('drive(-1 m, 0.1 m/s);', 10.0, 1.0),
        ('spin(1 rad);', 2.0, 0.0),
        ('stop();', 0.5, 0.0),
        ('drive(1 m) times 3;', 15.0, 3.0),
        ('(drive(1 m); spin(1 rad)) times 2;', 14.0, 2.0),
        ('(drive(1 m); spin(1 rad)) timeout 10 s times 2;', 10.0, 2.0),
        ('drive(4 m) timeout 5 s;', 5.0, 1.0),
        ('scale [2, 2] time 0.5 : drive(1 m);', 2.5, 1.0),
        ('scale [1, 1] time 2 : drive(1 m);', 10.0, 2.0),
        ('scale [1, 1] time 2 : (scale [1, 1] time 2 : stop());', 2.0, 0.0),
        ('scale [1, 1] time 2 : (drive(4 m)) timeout 5 s;', 10.0, 2.0),
        ('scale [1, 1] time 2 : drive(4 m) timeout 5 s;', 10.0, 2.0),
        ('scale [1, 1] time 0.5 : drive(8 m) timeout 5 s;', 2.5, 0.5),
        ('scale [1, 1] time 2 : (drive(4 m) timeout 5 s);', 5.0, 1.0),
        ('(scale [1, 1] time 2 : drive(4 m)) timeout 5 s;', 5.0, 1.0),
        ('scale [1, 1] time 0 : hold();', 0.0, 0.0),
        # The timer cuts a way that the scales around it have made longer.
        ('scale [2, 2] : ((drive(4 m)) timeout 5 s);', 5.0, 2.0),
        ('scale [2, 1] : (scale [0.5, 1] : (drive(4 m) timeout 5 s));', 5.0, 1.0),
        ('scale [0.5, 1] : (hold(); drive(4 m) timeout 5 s) timeout 6 s;', 6.0, 0.5),
        ('if contact { drive(1 m); } else { drive(2 m); };', 10.0, 2.0),
        ('if contact { drive(1 m); };', 5.0, 1.0),
        ('par any { drive(1 m); hold(); };', 5.0, 1.0),
        ('par all { drive(1 m); drive(2 m); };', 10.0, 3.0),
        ('reverse drive(1 m);', 5.0, 1.0),
        ('drive(1 m); reverse last;', 12.5, 2.0),
        ('ahead(0.1 m/s) timeout 3 s;', 3.0, 0.3),
        ('hold();', math.inf, 0.0),
        ('ahead(0.1 m/s) times forever;', math.inf, math.inf),
    ],
)
def test_bounds_of_steps(steps, time, path):
    assert bound(steps) == pytest.approx((time, path), abs=1e-9)


def test_the_timer_of_a_container_bounds_loops_and_way():
    assert bound('drive(1 m);', 'timeout 12 s; loop forever;') == pytest.approx((12.0, 2.4))
    assert bound('drive(1 m);', 'loop 2;') == pytest.approx((10.0, 2.0))
    assert bound('hold() until contact;', 'loop 2;') == (math.inf, 0.0)


def test_speeds_that_are_not_known_are_those_of_the_robot():
    top = SCOUT.spaces['body2'].channels[0].high
    text = 'atom a(p: point) on body2 { control pursue(y.pose, p, 9 m/s); timeout 2 s; }'
    assert checked(text).bounds['a'] == pytest.approx((2.0, 2.0 * top))
    slow = 'atom a(p: point) on body2 { control pursue(y.pose, p, 0.1 m/s); timeout 2 s; }'
    assert checked(slow).bounds['a'] == pytest.approx((2.0, 0.2))
    wheels = 'atom a() on wheels2 { control [0.1 m/s, 0.3 m/s] for 2 s; }'
    assert checked(wheels).bounds['a'] == pytest.approx((2.0, 0.4))


def test_bounds_are_those_of_the_defaults_and_unknown_without():
    report = checked('behavior b(d: m) { do { drive(d); } }\nplan p(d: m = 2 m) { do { b(d); } }')
    assert report.bounds['b'].time == math.inf
    assert report.bounds['p'] == pytest.approx((10.0, 2.0))


def test_measures_of_the_entry():
    measures = checked(
        'plan p { loop 2; do { drive(1 m); (spin(1 rad); drive(1 m)) times 3; stop(); } }'
    ).measures
    assert (measures.length, measures.unbounded) == (2 * (1 + 2 * 3 + 1), False)
    assert (measures.laws, measures.alphabet, measures.depth) == (3, 3, 3)
    assert measures.description == pytest.approx(16 * math.log2(3))
    endless = checked('plan p { loop forever; do { drive(1 m); stop(); } }').measures
    assert (endless.length, endless.unbounded, endless.time) == (2, True, math.inf)


def test_description_length_of_the_specification():
    assert description_length(4, 16) == 16.0
    assert description_length(9, 64) == 54.0
    assert description_length(5, 1) == 0.0
    assert description_length(10**400, 2) == math.inf


def test_an_element_that_doubles_is_measured_in_time():
    lines = ['behavior b0 { do { drive(1 m); } }']
    lines += [f'behavior b{i} {{ do {{ b{i - 1}(); b{i - 1}(); }} }}' for i in range(1, 50)]
    report = checked('\n'.join(lines))
    assert report.ok
    assert report.measures.length == 2**49
    assert report.bound.time == pytest.approx(5.0 * 2**49)
