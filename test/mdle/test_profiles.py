"""Profile ``report_defaults``: one touch ends atom, behavior and plan (mdle.md §4.7)."""

import pytest
from mdle_stage import Told, begin, settings

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.execution.local_services import LocalServices
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.profiles import known_profiles
from walking_robots.virtual_robots.scout import scout_spec

REPORT = settings(profiles=known_profiles(['report_defaults']))
NESTED = 'behavior b { do { ahead(0.2 m/s); } } plan p { do { b(); stop(); } }'


def touched(text, ticks=3, **options):
    """Run a program of which the robot is touched after some ticks."""
    stage = begin(text, robot=Told(), settings=REPORT, **options)
    stage.tick(ticks)
    assert stage.driven()
    stage.robot.values['bumper.any'] = True
    return stage.finish(), stage


def exits(stage):
    return [(e.path, e.cause, e.name) for e in stage.events if e.kind == 'exit']


def test_one_touch_ends_atom_behavior_and_plan_together():
    result, stage = touched(NESTED)
    assert (result.outcome, result.message) == ('INTERRUPT', 'ended by contact')
    assert exits(stage) == [(path, 'interrupt', 'contact') for path in ('p.b.ahead', 'p.b', 'p')]
    frames = begin(NESTED, robot=Told(), settings=REPORT)
    frames.tick(2)
    guarded = [frame.path for frame in frames.executor.frames() if frame.guards]
    assert guarded == ['p', 'p.b', 'p.b.ahead']


def test_it_does_not_matter_whether_the_default_guard_is_on():
    stage = begin(
        NESTED, robot=Told(), settings=settings(profiles=REPORT.profiles, default_guards=False)
    )
    stage.tick(3)
    stage.robot.values['bumper.any'] = True
    assert stage.finish().outcome == 'INTERRUPT'


@pytest.mark.parametrize('handler', ['interrupt(contact)', 'fail("contact")'])
def test_nothing_can_back_off(handler):
    text = f'plan p {{ timeout 9 s => done; on {handler} => run back_off() then next; %s %s }}'
    guard = 'until contact => fail "contact";' if 'fail' in handler else ''
    result, stage = touched(text % (guard, 'do { ahead(0.2 m/s); }'))
    assert ('p.back_off', 'interrupt', 'contact') in exits(stage)
    assert all(v > 0.0 for v, _ in stage.driven())
    assert result.outcome == 'DONE'


def test_what_tidies_up_after_a_touch_is_spared():
    tidy = 'behavior tidy { do { drive(-0.1 m); set("tidy", true); } }'
    text = f'{tidy} plan p {{ finally tidy(); do {{ b(); }} }} {NESTED.split("plan")[0]}'
    result, stage = touched(text, services=LocalServices())
    assert (result.outcome, stage.executor.board) == ('INTERRUPT', {'tidy': True})
    assert stage.driven()[-1] == pytest.approx((-0.2, 0.0))
    # After another end a touch ends what tidies up.
    ended = text.replace('finally', 'timeout 0.2 s => done; finally')
    result, stage = touched(ended, ticks=6, services=LocalServices())
    assert (result.outcome, stage.executor.board) == ('DONE', {})


def test_what_is_written_in_an_element_comes_before_its_default():
    result, _ = touched('plan p { until contact => fail "ouch"; do { ahead(0.2 m/s); } }')
    assert (result.outcome, result.message) == ('FAIL', 'ouch')
    # But that of the plan before what is written further in.
    text = 'plan p { do { ahead(0.2 m/s) until contact => run back_off() then next; } }'
    result, stage = touched(text)
    assert result.outcome == 'INTERRUPT' and 'back_off' not in stage.entered()


def test_an_atom_alone_and_a_way_back_are_ended_too():
    atom = 'atom go() on body2 { control [0.2 m/s, 0 rad/s] for 9 s; }'
    assert touched(atom)[0].outcome == 'INTERRUPT'
    result, stage = touched(f'{atom} plan p {{ do {{ go(); }} }}', backwards=True)
    assert result.outcome == 'INTERRUPT' and stage.driven()[0] == (-0.2, 0.0)


def test_atoms_in_python_are_no_exception():
    stage = begin(
        'plan p { until contact => run log("ouch"); do { ahead(0.2 m/s); } }',
        robot=Told(), settings=REPORT,
    )  # fmt: skip
    stage.tick(3)
    stage.robot.values['bumper.any'] = True
    stage.finish()
    assert ('p.log', 'interrupt', 'contact') in exits(stage)


def test_without_a_touch_a_run_is_the_same():
    text = 'plan p { do { drive(0.2 m); spin(1 rad); reverse last; } }'
    runs = [begin(text, settings=kept).finish() for kept in (settings(), REPORT)]
    assert runs[0].events_sha256 == runs[1].events_sha256


def said(text, profiles=('report_defaults',)):
    program = parse_text('mdle 1; import std.body2; ' + text)
    report = check(program, standard_library(), scout_spec(), profiles=profiles)
    return [(found.code, found.text) for found in report.diagnostics]


def test_the_checker_knows_which_guards_never_act():
    text = 'plan p { do { ahead() until contact timeout 9 s; } }'
    shadowed = "'contact' is unreachable, shadowed by 'y.bumper.any' of the profile"
    [(code, what)] = said(text)
    assert code == 'W603' and what.startswith(shadowed)
    assert said(text, ()) == []
    assert said('plan p { until contact; do { drive(1 m); } }') == []


def test_the_checker_knows_what_a_touch_is_to_handlers():
    by_interrupt = 'plan p { on interrupt(contact) => done; do { drive(1 m); } }'
    assert said(by_interrupt) == []
    assert [code for code, _ in said(by_interrupt, ())] == ['E608']
    by_failure = 'plan p { on fail("contact") => done; do { drive(1 m); } }'
    assert said(by_failure, ()) == []
    assert [code for code, _ in said(by_failure)] == ['E608']


def test_a_robot_without_bumpers_has_no_defaults():
    robot = Told()
    robot.spec = type(robot.spec)(
        'blind', robot.spec.spaces, {k: v for k, v in robot.spec.outputs.items() if '.' not in k}
    )
    stage = begin('plan p { do { drive(0.1 m); } }', robot=robot, settings=REPORT)
    assert stage.finish().outcome == 'DONE'


def test_profiles_are_known_by_name():
    assert known_profiles(['', 'strict', 'strict']) == {'strict'}
    with pytest.raises(ValueError, match="no profile 'loose'; use strict or report_defaults"):
        known_profiles(['loose'])
