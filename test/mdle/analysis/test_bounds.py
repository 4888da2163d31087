"""Bounds of time and way, and the measures of a program."""

import math

import pytest
from mdle_marked import SCOUT, checked, found

from walking_robots.mdle.analysis.report import description_length
from walking_robots.trials.mdle.trial import MdleTrial, run


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
        ('par all { drive(1 m) until contact => retry 2; wait(1 s); };', 15.0, 3.0),
        ('par all { drive(1 m) until contact => restart; wait(1 s); };', math.inf, math.inf),
        ('reverse drive(1 m);', 5.0, 1.0),
        ('drive(1 m); reverse last;', 12.5, 2.0),
        ('spin(0.005 rad) times 100;', 5.0, 0.0),
        ('log("go"); set("n", 1); drive(1 m);', 5.0, 1.0),
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


FAILING = 'atom f() on body2 { control [0.1 m/s, 0 rad/s]; timeout 0.5 s => fail "f"; }\n'
UNTIDY = 'behavior b { finally drive(0.1 m); do { drive(1 m); } }\n'
MEASURE = 'atom m() -> (g: m) on none { timeout 0.2 s; emit g = 1 m; }\n'

CUT = (
    'behavior b { timeout 1 s => next; do { drive(2 m); } }\n'
    'behavior c { do { drive(2 m) timeout 1 s => next; } }\n'
    'atom d() on body2 { control [0.2 m/s, 0 rad/s] for 10 s; timeout 1 s; }\n'
)
EMPTY = (
    'interrupt far = y.odometer > 1 m; interrupt young = y.odometer < 1 m;\n'
    'atom see() on none { timeout 0.1 s; until far => fail "no"; }\n'
    'behavior a { on fail => done; do { see(); drive(0.05 m); } }\n'
    'behavior r { requires young; do { drive(0.05 m); } }\n'
    'atom q() on none { timeout 1 s; until far; }\n'
    'atom u(v: m/s) on body2 { control [v, 0 rad/s] for 1 s; }\n'
)


@pytest.mark.parametrize(
    ('before', 'plan', 'time', 'path'),
    [
        (FAILING, 'on fail("f") => restart; do { f(); }', math.inf, math.inf),
        (FAILING, 'on fail("f") => retry 3; do { f(); }', 2.0, 0.2),
        (FAILING, 'on fail("f") => run drive(2 m) then retry 1; do { f(); }', 21.0, 4.1),
        (FAILING, 'timeout 4 s => done; on fail => restart; do { f(); }', 4.0, 0.4),
        ('', 'timeout 1 s => retry 3; do { ahead() timeout 5 s; }', 4.0, 0.8),
        ('', 'timeout 1 s => restart; do { ahead() timeout 5 s; }', math.inf, math.inf),
        ('', 'timeout 1 s; on timeout => run drive(1 m); do { ahead(); }', 6.0, 1.2),
        (
            '',
            'do { ahead(0.1 m/s) until at(point(9 m, 0 m)) => retry 10 timeout 2 s; }',
            22.0,
            2.2,
        ),
        ('', 'do { drive(0.1 m) until turned(1 deg) => run drive(5 m); }', 25.5, 5.1),
        (
            '',
            'do { scale [0.1, 1] : drive(1 m) until turned(1 deg) => run drive(1 m); }',
            10.0,
            1.1,
        ),
        # A guard may fire again while what its handler runs is under way.
        (
            '',
            'until near(1 m); on interrupt(near) => run drive(1 m); do { stop(); }',
            math.inf,
            math.inf,
        ),
        ('', 'until near(1 m); on interrupt(near) => done; do { stop(); }', 0.5, 0.0),
        (UNTIDY, 'do { b(); }', 5.5, 1.1),
        (UNTIDY, 'timeout 2 s => done; do { b(); }', 2.5, 0.5),
        (UNTIDY, 'do { par any { b(); await_signal("s") timeout 1 s; }; }', 1.5, 1.1),
        (MEASURE, 'do { d = m(); }', 0.2, 0.0),
        # The way back takes no longer than that of the longest step.
        ('', 'do { drive(2 m); drive(0 m); reverse last; }', 25.0, 4.0),
        ('', 'do { drive(2 m); drive(1 m); reverse last; }', 30.0, 5.0),
        ('', 'do { ahead() timeout -1 s; }', 0.0, 0.0),
        # What ends it on the way there does not on the way back.
        (CUT, 'do { b(); reverse b(); }', 11.0, 2.2),
        (CUT, 'do { reverse c(); scale [1, 1] time 2: (reverse c()); }', 30.0, 6.0),
        (CUT, 'do { reverse d(); }', 10.0, 2.0),
        ('', 'do { spin(0.005 rad) times 100; reverse last; }', 12.5, 0.0),
        # Each of these may drive nothing, and then the step before it is taken back.
        (EMPTY, 'do { drive(2 m); a(); reverse last; }', 25.35, 4.05),
        (EMPTY, 'on fail => next; do { drive(2 m); r(); reverse last; }', 25.25, 4.05),
        (EMPTY, 'do { drive(2 m); par any { q(); drive(0.05 m); }; reverse last; }', 25.25, 4.05),
        (EMPTY, 'do { drive(2 m); u(bb.x); reverse last; }', 26.0, 4.5),
        # What a handler drives belongs to the step that it answers.
        (
            'interrupt far = y.pose.x > 9 m;\n',
            'on interrupt(far) => run drive(1 m); do { drive(1 m) until far; reverse last; }',
            30.0,
            5.0,
        ),
    ],
)
def test_handlers_repetitions_and_cleanups_count(before, plan, time, path):
    assert checked(f'{before}plan p {{ {plan} }}').bound == pytest.approx((time, path), abs=1e-9)


def test_a_timer_of_a_container_is_scaled_by_the_scale_on_it_alone():
    b = 'behavior b { timeout 6 s => done; do { hold(); } }\n'
    assert checked(f'{b}plan p {{ do {{ scale [1, 1] time 2 : b(); }} }}').bound.time == 12.0
    inner = 'behavior c { do { b(); } }\nplan p { do { scale [1, 1] time 2 : c(); } }'
    assert checked(b + inner).bound.time == 6.0
    exact = 'behavior b { timeout 6 s; do { drive(1 m); } }\n'
    assert found(f'{exact}plan p {{ do {{ scale [0.5, 0.5] time 2 : b(); }} }}') == []


def test_an_output_hides_the_parameter_of_its_name():
    plan = 'plan p(d: m = 0.2 m) { do { d = m(); drive(d); } }'
    assert checked(MEASURE + plan).bound.time == math.inf


def test_the_cleanup_of_the_entry_is_reported_beside_its_bound():
    report = checked('plan p { timeout 1 s => done; finally drive(0.1 m); do { hold(); } }')
    assert (report.bound, report.tidying, report.most) == ((1.0, 0.0), (0.5, 0.1), (1.5, 0.1))


RUNS = [
    'behavior b { timeout 0.3 s => retry 2; finally wait(0.2 s); do { drive(1 m); } }\n'
    'plan p { do { b(); } }',
    'plan p { do { drive(0.1 m) until at(point(0.1 m, 0 m)) => run drive(0.5 m) then retry 2; } }',
    'plan p { timeout 0.5 s; on timeout => run drive(0.2 m) then done; do { drive(1 m); } }',
    'plan p { finally drive(-0.1 m); do { drive(0.1 m); wait(0.1 s); reverse last; } }',
    'plan p { do { scale [2, 2] time 0.5 : (drive(0.4 m); drive(0 m); reverse last); } }',
    'behavior b { finally drive(0.1 m); do { drive(1 m); } }\n'
    'plan p { do { par any { b(); await_signal("s") timeout 0.5 s; }; } }',
]


@pytest.mark.parametrize('text', RUNS)
def test_no_run_lasts_longer_than_the_checker_says(text):
    source = f'mdle 1; import std.body2; {text}'
    most = checked(text).most
    result = run(MdleTrial(source))
    assert 0.3 < most.time < math.inf
    # At its end a robot is seen to rest for three ticks.
    assert result.duration_s <= most.time + 3 * 0.05 + 1e-9
    assert result.way_m <= most.path + 1e-9


def test_speeds_that_are_not_known_are_those_of_the_robot():
    top = SCOUT.spaces['body2'].channels[0].high
    text = 'atom a(p: point) on body2 { control pursue(y.pose, p, 9 m/s); timeout 2 s; }'
    assert checked(text).bounds['a'] == pytest.approx((2.0, 2.0 * top))
    slow = 'atom a(p: point) on body2 { control pursue(y.pose, p, 0.1 m/s); timeout 2 s; }'
    assert checked(slow).bounds['a'] == pytest.approx((2.0, 0.2))
    wheels = 'atom a() on wheels2 { control [0.1 m/s, 0.3 m/s] for 2 s; }'
    assert checked(wheels).bounds['a'] == pytest.approx((2.0, 0.4))


def test_laws_of_the_library_in_python_are_as_fast_as_they_say():
    assert bound('follow_wall(speed=0.1 m/s) timeout 3 s;') == pytest.approx((3.0, 0.3))
    assert bound('align_wall() timeout 3 s;') == pytest.approx((3.0, 0.0))


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
    lines += [f'behavior b{i} {{ do {{ b{i - 1}(); b{i - 1}(); }} }}' for i in range(1, 20)]
    report = checked('\n'.join(lines))
    assert report.ok
    assert report.measures.length == 2**19
    assert report.bound.time == pytest.approx(5.0 * 2**19)
