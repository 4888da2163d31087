"""Order of elements, interrupts and timers, handlers and cleanup (mdle.md §4.6 to §4.9)."""

from dataclasses import replace

import pytest
from mdle_stage import GO, SAY, SEG, Told, after, begin, run, settings

from walking_robots.mdle.runtime.executor import RunPhase

BRIEF = 'atom {}() on none {{ timeout 50 ms => next; until false; }}\n'
ATOMS = ''.join(map(BRIEF.format, 'ABC'))


def exits(stage):
    return [(e.path, e.cause, e.name) for e in stage.events if e.kind == 'exit']


def test_ac12_two_runs_of_one_program_do_not_meet():
    text = f'{ATOMS} behavior one {{ do {{ A(); B(); }} }} plan p {{ do {{ one(); C(); }} }}'
    first, second = begin(text, robot=Told()), begin(text, robot=Told())
    first.tick(1)
    second.tick(1)
    assert first.running == second.running == ['p', 'p.one', 'p.one.A']
    first.tick(2)
    assert first.running == ['p', 'p.C']
    assert second.running == ['p', 'p.one', 'p.one.A']
    second.tick(1)
    assert second.running == ['p', 'p.one', 'p.one.B']


def test_ac12_a_second_atom_runs_after_the_first_ended():
    _, stage = run('plan p { do { drive(0.1 m); drive(0.1 m); drive(-0.2 m); } }')
    assert stage.entered() == ['p', 'drive', 'drive#2', 'drive#3']
    assert abs(stage.robot.true_pose.x) < 1e-9


def test_ac13_a_loop_begins_again_with_the_first():
    stage = after(7, f'{ATOMS} plan p {{ loop forever; do {{ A(); B(); C(); }} }}')
    assert stage.entered() == ['p', *'ABCABCA']


def test_ac14_a_behavior_is_finished_before_the_next():
    behaviors = 'behavior b1 { do { p(); q(); } } behavior b2 { do { r(); s(); } }'
    atoms = ''.join(map(BRIEF.format, 'pqrs'))
    _, stage = run(f'{atoms} {behaviors} plan whole {{ do {{ b1(); b2(); }} }}', robot=Told())
    assert [name for name in stage.entered() if len(name) == 1] == [*'pqrs']


NESTED = """
atom work() on body2 { control [0.1 m/s, 0 rad/s]; until y.a; timeout inf; }
behavior b { until y.b; do { work(); } }
plan p { until y.c; do { b(); work(); } }
"""


def test_ac15_the_outermost_guard_wins():
    stage = after(1, NESTED, {'a': True, 'b': True, 'c': True})
    stage.tick()
    reported = [e for e in stage.events if e.kind == 'exit']
    assert [e.path for e in reported] == ['p.b.work', 'p.b', 'p']
    assert {tuple(e.values) for e in reported} == {('c',)}
    assert stage.finish().outcome == 'INTERRUPT'


def test_ac15_written_order_within_a_frame():
    text = 'atom go() on none { until y.a => fail "first"; until y.b => fail "second"; }'
    stage = begin(text, robot=Told(a=True, b=True))
    assert stage.finish().message == 'first'


def test_ac16_a_guard_comes_before_the_timer_of_its_element():
    text = 'atom go() on none { until y.x > 0.5 m => fail "guard"; timeout 1 s => fail "timer"; }'
    stage = after(20, text, {'x': 1.0})
    assert stage.finish().message == 'guard'


def test_ac16_success_comes_before_the_timer():
    text = (
        'atom go() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; timeout 1 s => fail "timer"; }'
    )
    assert run(text, robot=Told())[0].outcome == 'DONE'


def test_ac18_a_guard_that_is_true_at_entry_ends_the_element_before_it_drives():
    text = """
    interrupt fresh = y.a with edge;
    atom go() on body2 { control [0.1 m/s, 0 rad/s]; until %s; timeout 0.2 s; }
    """
    stage = begin(text % 'y.a', robot=Told(a=True))
    stage.finish()
    assert stage.driven() == []
    stage = begin(text % 'fresh', robot=Told(a=True))
    stage.finish()
    assert len(stage.driven()) == 4


def test_no_time_at_all_passes_an_element_over():
    text = 'atom go() on body2 { control [0.1 m/s, 0 rad/s]; timeout 0 s => fail "late"; }'
    result, stage = run(f'{text} plan p {{ do {{ go(); }} }}', robot=Told())
    assert (result.outcome, stage.driven()) == ('DONE', [])


CONTACT = """
plan p {
  on fail("contact") => run back_off(0.2 m) then restart;
  do { ahead(0.2 m/s); }
}
"""


def test_ac25_back_off_runs_although_the_bumper_stays_pressed():
    text = CONTACT.replace('do {', 'until contact => fail "contact"; do {').replace(
        'on fail', 'timeout 60 s => done;\n on fail'
    )
    stage = after(3, text, {'bumper.any': True})
    stage.tick(10)
    assert stage.running[-1] == 'p.back_off'
    assert stage.driven()[-1] == (-0.1, 0.0)
    stage.robot.values['bumper.any'] = False
    stage.tick(2)
    assert stage.running[-1] == 'p.back_off'
    handled = len([e for e in stage.events if e.kind == 'handle'])
    stage.robot.values['bumper.any'] = True
    stage.tick()
    assert len([e for e in stage.events if e.kind == 'handle']) == handled + 1
    stage.robot.values['bumper.any'] = False
    stage.tick(41)
    assert stage.running[-1] == 'p.ahead'


def test_ac25_a_guard_is_not_held_back_for_longer_than_the_limit():
    text = """
    plan p {
      until contact => fail "contact";
      on fail("contact") => run hold() then restart;
      do { ahead(0.2 m/s); }
    }
    """
    stage = after(2, text, {'bumper.any': True}, settings=settings(mask_limit=1.0))
    stage.tick(1)
    stage.tick(19)
    assert len([e for e in stage.events if e.kind == 'handle']) == 1
    stage.tick(2)
    assert len([e for e in stage.events if e.kind == 'handle']) == 2


def test_the_default_guard_ends_a_plan_that_does_not_mind_contact():
    stage = after(3, 'plan p { do { ahead(0.2 m/s); } }', {'bumper.any': True})
    result = stage.finish()
    assert (result.outcome, result.message, result.guard) == ('FAIL', 'contact', 'contact')
    stage = begin(
        'plan p { timeout 1 s => done; do { ahead(0.2 m/s); } }',
        robot=Told(**{'bumper.any': True}),
        settings=settings(default_guards=False),
    )
    assert stage.finish().outcome == 'DONE'


def test_the_default_guard_stands_back_where_an_element_watches_contact_itself():
    text = """plan p { do {
      ahead(0.2 m/s) until contact => run back_off(0.1 m) then next;
      ahead(0.1 m/s);
    } }"""
    stage = after(3, text, {'bumper.any': True})
    stage.tick(3)
    assert stage.running[-1] == 'p.back_off'
    stage.robot.values['bumper.any'] = False
    stage.tick(21)
    assert stage.running[-1] == 'p.ahead#2'
    stage.robot.values['bumper.any'] = True
    assert stage.finish().message == 'contact'


def test_a_robot_without_bumpers_has_no_default_guard():
    robot = Told()
    outputs = {name: spec for name, spec in robot.spec.outputs.items() if '.' not in name}
    robot.spec = replace(robot.spec, outputs=outputs)
    assert begin('plan p { do { drive(0.1 m); } }', robot=robot).finish().outcome == 'DONE'


def test_a_guard_on_contact_that_is_written_comes_before_the_default_one():
    text = 'plan p { until y.bumper.any => abort; do { ahead(0.2 m/s); } }'
    stage = after(3, text, {'bumper.any': True})
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', 'ABORTED')


def test_a_handler_of_the_plan_hears_of_the_default_guard():
    text = 'plan p { on fail("contact") => done; do { ahead(0.2 m/s); } }'
    stage = after(3, text, {'bumper.any': True})
    assert stage.finish().outcome == 'DONE'


def test_a_failure_goes_up_until_a_handler_matches():
    text = """
    atom work() on none { until y.a => fail "broken"; }
    behavior inner { on fail("else") => next; do { work(); } }
    behavior outer { on fail("broken") => next; do { inner(); A(); } }
    plan p { do { outer(); B(); } }
    """
    result, stage = run(ATOMS + text, robot=Told(a=True))
    assert result.outcome == 'DONE'
    assert stage.entered()[-2:] == ['A', 'B']


def test_a_failure_without_a_handler_ends_the_program():
    text = 'atom work() on none { until y.a => fail "broken"; }\nplan p { do { work(); } }'
    result, _ = run(text, robot=Told(a=True))
    assert (result.outcome, result.message, result.path) == ('FAIL', 'broken', 'p.work')
    assert (result.line, result.guard, result.values) == (3, 'condition', {'a': True})


@pytest.mark.parametrize(
    ('action', 'wanted'),
    [
        ('next', ['p', 'work', 'B']),
        ('done', ['p', 'work', 'B']),
        ('retry 2', ['p', 'work', 'work', 'work']),
        ('run A() then next', ['p', 'work', 'A', 'B']),
        ('run A() then retry 1', ['p', 'work', 'A', 'work', 'A']),
        ('run A()', ['p', 'work', 'A', 'B']),
    ],
)
def test_actions_written_beside_a_guard(action, wanted):
    text = f'{ATOMS} atom work() on none {{ until y.a => {action}; }}\n'
    text += 'plan p { do { work(); B(); } }'
    _, stage = run(text, robot=Told(a=True))
    assert stage.entered() == wanted


@pytest.mark.parametrize(
    ('action', 'wanted', 'outcome'),
    [
        ('next', ['p', 'work', 'B'], 'DONE'),
        ('done', ['p', 'work'], 'DONE'),
        ('fail "worse"', ['p', 'work'], 'FAIL'),
        ('retry 2', ['p', 'work', 'work', 'work'], 'FAIL'),
        ('abort', ['p', 'work'], 'FAULT'),
        ('run A() then done', ['p', 'work', 'A'], 'DONE'),
    ],
)
def test_actions_of_a_handler(action, wanted, outcome):
    text = f"""{ATOMS} atom work() on none {{ until y.a => fail "broken"; }}
    plan p {{ on fail => {action}; do {{ work(); B(); }} }}"""
    result, stage = run(text, robot=Told(a=True))
    assert stage.entered() == wanted
    assert result.outcome == outcome


def test_a_handler_of_timeouts_does_not_hear_of_the_timer_of_an_atom():
    text = """
    interrupt seen = y.a;
    atom work() on none { until seen; }
    atom late() on none { timeout 0.1 s; until false; }
    behavior slow { timeout 0.1 s; do { hold(); } }
    plan p {
      on interrupt(seen) => run A() then next;
      on timeout => run B() then next;
      do { work(); late(); slow(); C(); }
    }
    """
    _, stage = run(ATOMS + text, robot=Told(a=True))
    assert stage.entered() == ['p', 'work', 'A', 'late', 'slow', 'hold', 'B', 'C']


def test_the_timer_of_an_atom_is_gentle_and_that_of_a_container_is_not():
    text = 'behavior b { timeout 0.1 s; do { hold(); } } plan p { do { b(); stop(); } }'
    result, _ = run(text, robot=Told())
    assert (result.outcome, result.path) == ('TIMEOUT', 'p.b')
    text = 'plan p { do { hold() timeout 0.1 s; stop(); } }'
    result, stage = run(text, robot=Told())
    assert result.outcome == 'DONE'
    assert any(e.kind == 'warning' for e in stage.events)


def test_the_timer_of_a_container_goes_on_through_its_loops():
    text = f'{ATOMS} plan p {{ timeout 1 s => done; loop forever; do {{ A(); B(); }} }}'
    result, _ = run(text, robot=Told())
    assert (result.outcome, result.duration) == ('DONE', 1.0)


def test_times_and_timeout_of_a_step_cover_all_repetitions():
    text = f'{ATOMS} plan p {{ do {{ A() timeout 0.22 s times 100; B(); }} }}'
    _, stage = run(text, robot=Told())
    assert stage.entered() == ['p', *'AAAAA', 'B']


def test_a_while_loop_is_evaluated_before_every_iteration():
    text = f'{ATOMS} plan p {{ loop while y.x < 1 m; do {{ A(); }} }}'
    stage = after(3, text, {'x': 2.0})
    stage.finish()
    assert stage.entered() == ['p', *'AAA']
    assert run(text, robot=Told(x=2.0))[1].entered() == ['p']


def test_a_choice_is_made_when_it_is_reached():
    text = f'{ATOMS} plan p {{ do {{ if y.a {{ A(); }} else {{ B(); }}; if y.b {{ C(); }}; }} }}'
    assert run(text, robot=Told())[1].entered()[1:] == ['if', 'B', 'if#2']
    assert run(text, robot=Told(a=True, b=True))[1].entered()[1:] == ['if', 'A', 'if#2', 'C']


def test_ac26_a_loop_that_takes_no_time_is_a_fault_in_the_first_tick():
    text = 'atom go() on none { until true; } plan p { loop forever; do { go(); } }'
    stage = begin(text, robot=Told())
    assert stage.tick() is RunPhase.STOPPING
    result = stage.finish()
    assert (result.outcome, result.code, result.ticks) == ('FAULT', 'E806', 0)
    assert '64 transitions in one tick at p' in result.message


CLEANUPS = """
atom tidy(x: m) on none { timeout 0.1 s => next; until false; }
behavior inner { finally tidy(1 m); do { hold(); } }
plan p {
  finally tidy(2 m); on fail => run A() then next;
  do { inner() until y.a => fail "a"; B(); }
}
"""


def test_cleanups_run_innermost_first_before_the_cause_is_answered():
    stage = after(2, ATOMS + CLEANUPS, {'a': True})
    stage.finish()
    assert stage.entered() == ['p', 'inner', 'hold', 'finally', 'A', 'B', 'finally']


@pytest.mark.parametrize('kind', ['cancel', 'stop', 'preempt'])
def test_a_cancel_ends_every_level_in_one_tick_and_then_tidies_up(kind):
    stage = after(2, ATOMS + CLEANUPS)
    stage.ask(kind)
    stage.tick()
    assert stage.running == ['p.inner.finally']
    result = stage.finish()
    assert result.outcome == ('PREEMPTED' if kind == 'preempt' else 'CANCELED')
    assert stage.entered()[-2:] == ['finally', 'finally']
    causes = {e.cause for e in stage.events if e.kind == 'exit' and 'finally' not in e.path}
    assert causes == {'preempted' if kind == 'preempt' else 'canceled'}


def test_what_would_drive_after_a_cancel_is_withheld():
    text = 'plan p { finally back_off(0.2 m); do { ahead(0.2 m/s); } }'
    stage = after(2, text)
    stage.ask('cancel')
    driven = len(stage.driven())
    stage.finish()
    assert len(stage.driven()) == driven
    assert any('nothing may drive' in e.text for e in stage.events)


def test_a_cleanup_that_is_late_is_left_out_alone_and_by_name():
    text = (
        'behavior b { finally wait(5 s); finally drive(1 m); do { drive(1 m); } }'
        'plan p { finally wait(5 s); finally log("p"); do { b(); } }'
    )
    stage = after(3, text)
    stage.ask('cancel')
    assert stage.finish(2.2).outcome == 'CANCELED'
    assert stage.said == ['p']
    reported = [(e.path, e.text.split(':')[0]) for e in stage.events if e.kind == 'warning']
    assert reported == [
        ('p.b.finally', "'wait' is left out"),
        ('p.b.finally', "'drive' is left out"),
        ('p.finally', "'wait' is left out"),
    ]


@pytest.mark.parametrize('kind', ['', 'cancel'])
def test_of_a_cleanup_that_goes_wrong_is_reported_which_and_why(kind):
    text = (
        'atom bad() on none { timeout 0.1 s => fail "no hands"; until false; }'
        'plan p { finally bad(); finally log("p"); do { hold() timeout 0.5 s; } }'
    )
    stage = after(3, text)
    if kind:
        stage.ask(kind)
    stage.finish(2.0)
    assert stage.said == ['p']
    reported = [e.text for e in stage.events if e.kind == 'warning' and 'finally' in e.path]
    assert reported == ["'bad' went wrong: no hands"]


def test_a_cleanup_that_gives_what_is_not_a_number_is_a_fault():
    text = (
        'atom bad() -> (v: num) on none { timeout 0.1 s => next; emit v = y.x / y.quiet; }'
        'plan p { finally bad(); do { hold() timeout 0.5 s; } }'
    )
    assert run(text, robot=Told())[0].code == 'E801'


@pytest.mark.parametrize('mods', ['times 3', 'until y.a times 3'])
def test_an_atom_whose_timer_is_a_failure_is_not_repeated(mods):
    bad = 'atom bad() on none { timeout 0.1 s => fail "no hands"; until false; }'
    result, stage = run(f'{bad} plan p {{ do {{ bad() {mods}; }} }}', robot=Told())
    assert (result.outcome, result.message) == ('FAIL', 'no hands')
    assert stage.entered() == ['p', 'bad']


def test_any_number_of_cleanups_runs_after_a_cancel():
    calls = ' '.join(f'finally log("{number}");' for number in range(100))
    stage = after(3, f'plan p {{ {calls} do {{ drive(1 m); }} }}')
    stage.ask('cancel')
    assert stage.finish(1.0).outcome == 'CANCELED'
    assert stage.said == [str(number) for number in range(100)]


def test_a_cleanup_drives_after_a_natural_end():
    text = 'plan p { finally back_off(0.2 m); do { drive(0.2 m); } }'
    _, stage = run(text)
    assert abs(stage.robot.true_pose.x) < 1e-9


PARALLEL = """
atom one() on none {{ until y.a; }}
atom two() on none {{ until y.b => fail "two"; }}
plan p {{ do {{ par {} {{ one(); two(); hold() timeout 0.5 s; }}; C(); }} }}
"""


def test_all_of_a_parallel_have_to_end_and_any_ends_the_others():
    stage = after(2, ATOMS + PARALLEL.format('all'), robot=Told(a=True))
    assert stage.running == ['p', 'p.par', 'p.par.two', 'p.par.hold']
    stage.robot.values['b'] = True
    assert stage.finish().message == 'two'
    stage = after(2, ATOMS + PARALLEL.format('any'), {'a': True})
    result = stage.finish()
    assert result.outcome == 'DONE'
    causes = {e.path: e.cause for e in stage.events if e.kind == 'exit'}
    assert causes['p.par.one'] == 'interrupt'
    assert causes['p.par.two'] == causes['p.par.hold'] == 'preempted'


def test_children_of_a_parallel_keep_their_own_actions():
    text = f"""{ATOMS} atom one() on none {{ until y.a => run A() then next; }}
    plan p {{ do {{ par all {{ one(); B(); }}; C(); }} }}"""
    _, stage = run(text, robot=Told(a=True))
    assert stage.entered() == ['p', 'par', 'one', 'A', 'B', 'C']


def test_values_go_from_element_to_element_at_entry():
    text = """
    atom look() -> (seen: m) on none { until y.a; emit seen = y.x; }
    atom go(d: m) on body2 { control [d / 1 s, 0 rad/s] for 0.1 s; }
    behavior b -> (way: m) { do { way = look(); } }
    plan p { loop 2; do { d = b(); go(d); } }
    """
    stage = after(2, text, {'a': True}, robot=Told(x=0.25))
    stage.tick(1)
    stage.robot.values['x'] = 0.5
    stage.finish()
    assert stage.driven() == [(0.25, 0.0)] * 2 + [(0.5, 0.0)] * 2


def test_the_result_of_the_entry_is_handed_out():
    text = 'atom look() -> (seen: m) on none { until y.a; emit seen = y.x; }'
    result, _ = run(text, robot=Told(a=True, x=0.75))
    assert result.outputs == {'seen': 0.75}


@pytest.mark.parametrize('guard', ['contact', 'touched', 'bump', 'b.contact'])
@pytest.mark.parametrize('name', ['contact', 'touched', 'bump'])
def test_a_handler_answers_an_interrupt_by_each_of_its_names(guard, name):
    text = f"""import std.body2 as b; interrupt touched = contact; interrupt bump = touched;
    behavior go {{ until {guard}; do {{ ahead() timeout 9 s; }} }}
    plan p {{ on interrupt({name}) => fail "heard"; do {{ go(); }} }}"""
    robot = Told(**{'bumper.any': True})
    result, _ = run(text, robot=robot, settings=settings(default_guards=False))
    known = name == 'contact' or guard == 'bump' or guard == name
    assert result.message == ('heard' if known else 'done')


def test_another_name_of_an_interrupt_is_held_back_with_it():
    text = """interrupt touched = contact;
    behavior go { until contact => fail "c"; do { ahead() timeout 9 s; } }
    plan p { until touched => fail "t"; on fail("t") => run back_off(0.1 m) then done;
      do { go(); } }"""
    result, stage = run(text, robot=Told(**{'bumper.any': True}))
    assert (result.outcome, stage.entered()) == ('DONE', ['p', 'back_off'])


@pytest.mark.parametrize('guard', ['y.bumper.front', 'not y.bumper.front'])
def test_a_guard_on_one_side_does_not_hide_a_contact_on_the_other(guard):
    text = f'{GO} interrupt front = {guard}; plan p {{ timeout 9 s; do {{ go() until front; }} }}'
    stage = after(
        3,
        text,
        {'bumper.any': True, 'bumper.rear': True},
        robot=Told(**{'bumper.front': 'not' in guard}),
    )
    assert stage.finish().message == 'contact'


@pytest.mark.parametrize('modifier', ['', ' timeout 5 s', ' until y.b'])
def test_restart_goes_to_the_first_step_of_the_block_that_it_is_written_in(modifier):
    text = f"""{SAY} atom r() on none {{ until y.a => restart; timeout 9 s; }}
    plan p {{ do {{ say(); r(){modifier}; }} }}"""
    stage = after(3, text, robot=Told(a=True))
    assert stage.entered()[:4] == ['p', 'say', 'r', 'say']


@pytest.mark.parametrize('step', ['(go()) timeout 0.5 s', 'b() timeout 0.5 s', 'c()'])
def test_a_handler_of_timeouts_hears_of_groups_and_behaviors(step):
    text = f"""{GO}{SAY} behavior b {{ do {{ go(); }} }}
    behavior c {{ timeout 0.5 s; do {{ go(); }} }}
    plan p {{ timeout 60 s; on timeout => run say() then next; do {{ {step}; say(); }} }}"""
    result, stage = run(text, robot=Told())
    assert (result.outcome, stage.entered().count('say')) == ('DONE', 2)


def test_a_handler_within_a_handler_lifts_its_own_mask_only():
    text = f"""{GO}{SAY}{SEG} interrupt hit = y.a;
    behavior inner {{
      until hit; timeout 9 s; on interrupt(hit) => run say() then next; do {{ go(); }}
    }}
    behavior rescue {{ do {{ inner(); seg(); }} }}
    plan p {{
      until hit; timeout 60 s; on interrupt(hit) => run rescue() then next; do {{ go(); }}
    }}"""
    stage = after(2, text, {'a': True})
    stage.tick(40)
    assert stage.entered().count('rescue') == 1


@pytest.mark.parametrize(
    ('action', 'outcome', 'helps'),
    [
        ('abort', 'FAULT', 1),
        ('fail "worse"', 'FAIL', 1),
        ('retry 2', 'FAIL', 3),
        ('next', 'DONE', 1),
    ],
)
def test_what_is_written_in_the_element_of_a_handler_counts(action, outcome, helps):
    text = f"""atom broken() on none {{ until y.a => fail "broken"; }}
    atom help() on none {{ until y.a => {action}; timeout 1 s; }}
    plan p {{ on fail("broken") => run help() then next; do {{ broken(); }} }}"""
    result, stage = run(text, robot=Told(a=True))
    assert (result.outcome, stage.entered().count('help')) == (outcome, helps)


def test_a_cleanup_that_ends_by_its_timer_is_nothing_to_warn_of():
    _, stage = run(f'{SAY} plan p {{ finally say(); do {{ say(); }} }}', robot=Told())
    assert not [e for e in stage.events if e.kind == 'warning']


def test_the_parallel_any_ends_as_its_winner_did():
    text = f"""{GO}{SAY} interrupt aa = y.a;
    atom watch() on none {{ until aa; timeout 9 s; }}
    plan p {{ on interrupt(aa) => run say() then next; do {{ par any {{ watch(); go(); }}; }} }}"""
    stage = after(2, text, {'a': True})
    stage.finish()
    assert stage.entered()[-1] == 'say'


@pytest.mark.parametrize(
    ('need', 'outcome'),
    [('y.x > 1 m', 'DONE'), ('y.x > 3 m', 'FAIL'), ('y.x > 1 m and not y.a, y.b', 'FAIL')],
)
def test_a_requirement_may_be_a_comparison(need, outcome):
    text = f'{SAY} plan p {{ requires {need}; do {{ say(); }} }}'
    result, stage = run(text, robot=Told(x=2.0))
    assert result.outcome == outcome
    assert ('say' in stage.entered()) is (outcome == 'DONE')
