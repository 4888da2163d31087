"""What elements give, and under which names it is known."""

import pytest
from mdle_stage import Told, run

from walking_robots.trials.mdle.local_services import LocalServices

TELL = 'atom tell(k: m) -> (g: m) on none { timeout 0.1 s => next; emit g = k; }\n'
GO = 'atom go(d: m) on body2 { control [d / 1 s, 0 rad/s] for 0.05 s; }\n'


def test_a_name_that_is_given_beside_another_element_is_known_afterwards():
    text = 'plan p { do { par all { a = tell(1 m); b = tell(2 m) times 1; }; go(a); go(b); } }'
    result, stage = run(TELL + GO + text, robot=Told())
    assert (result.outcome, stage.driven()) == ('DONE', [(1.0, 0.0), (2.0, 0.0)])
    assert stage.executor.context.board == {'a': 1.0, 'b': 2.0}


def test_an_output_that_is_not_a_number_is_a_fault():
    text = 'plan p { do { z = tell((y.x - y.x) / (y.x - y.x) * 1 m); } }'
    result, _ = run(TELL + text, robot=Told())
    assert (result.outcome, result.code, result.path) == ('FAULT', 'E801', 'p.tell')
    assert "the output 'g' is not a number" in result.message


@pytest.mark.parametrize('cut', ['timeout 0.2 s', 'timeout 0.2 s => next'])
def test_an_atom_that_its_step_ends_gives_its_outputs(cut):
    slow = 'atom slow() -> (g: m) on none { timeout 9 s; emit g = 2 m; }\n'
    result, stage = run(
        slow + GO + f'plan p {{ do {{ a = slow() {cut}; go(a); }} }}', robot=Told()
    )
    assert (result.outcome, stage.driven()) == ('DONE', [(2.0, 0.0)])


def test_an_atom_that_its_behavior_ends_gives_its_outputs():
    slow = 'atom slow() -> (g: m) on none { timeout 9 s; emit g = 2 m; }\n'
    text = 'behavior b -> (g: m) { timeout 0.2 s => done; do { g = slow(); } }\n'
    result, stage = run(slow + text + GO + 'plan p { do { a = b(); go(a); } }', robot=Told())
    assert (result.outcome, stage.driven()) == ('DONE', [(2.0, 0.0)])


def test_what_cannot_be_computed_when_an_atom_is_left_is_not_given():
    wrong = 'emit g = (y.x - y.x) / (y.x - y.x) * 1 m;'
    slow = f'atom slow() -> (g: m) on none {{ timeout 9 s; {wrong} }}\n'
    result, stage = run(slow + 'plan p { do { slow() timeout 0.2 s; } }', robot=Told())
    assert (result.outcome, stage.executor.context.board) == ('DONE', {})


@pytest.mark.parametrize(
    ('steps', 'path', 'name'),
    [
        ('stop();\ndrive(bb.k);', 'p.drive', 'bb.k'),
        ('stop();\ndrive(kk);', 'p.drive', 'kk'),
        ('stop();\nif bb.k > 1 m { stop(); };', 'p.if', 'bb.k'),
        ('stop();\nstop() until bb.k > 1 m;', 'p.stop#2', 'bb.k'),
        ('stop();\nstop() timeout bb.k;', 'p.stop#2', 'bb.k'),
        ('stop();\nscale [bb.k, 1]: drive(1 m);', 'p.drive', 'bb.k'),
        ('stop();\nlate();', 'p.late', 'bb.k'),
        ('stop();\nround();', 'p.round', 'bb.k'),
    ],
)
def test_what_reads_an_unset_name_fails(steps, path, name):
    more = 'atom late() -> (z: num) on none { timeout 0.1 s; emit z = bb.k; }\n'
    more += 'behavior round { loop while bb.k > 1 m; do { stop(); } }\n'
    result, stage = run(f'{more}plan p {{ do {{ {steps} }} }}', robot=Told())
    assert (result.outcome, result.message) == ('FAIL', f"'{name}' is unset here")
    # One in an element stands there, one in a step of the plan on its second line.
    assert (result.path, result.line) == (path, {'p.late': 3, 'p.round': 4}.get(path, 6))
    assert set(stage.driven()) <= {(0.0, 0.0)}


def test_a_handler_takes_the_failure_of_what_reads_an_unset_name():
    result, _ = run("""plan p {
      on fail("'bb.k' is unset here") => run log("none") then next;
      finally log("over");
      do { drive(bb.k); log("on"); }
    }""", services=(services := LocalServices()))  # fmt: skip
    assert result.outcome == 'DONE'
    assert services.lines == ['none', 'on', 'over']


def test_what_handlers_and_finally_give_is_on_the_blackboard():
    result, stage = run("""atom m(k: num) -> (g: num) on none { timeout 0.1 s; emit g = k; }
    behavior b { finally m(3); do { stop(); } }
    behavior c { on fail => run m(7) then next; do { stop() until true => fail "x"; } }
    plan p { do { c(); drive(bb.g * 0.1 m); b(); drive(bb.g * 0.1 m); } }""")
    assert result.outcome == 'DONE'
    assert result.way == pytest.approx(1.0)
    assert stage.executor.context.board == {'g': 3.0}
