"""What elements give, and under which names it is known."""

import pytest
from mdle_stage import Told, run

TELL = 'atom tell(k: m) -> (g: m) on none { timeout 0.1 s => next; emit g = k; }\n'
GO = 'atom go(d: m) on body2 { control [d / 1 s, 0 rad/s] for 0.05 s; }\n'


def test_a_name_that_is_given_beside_another_element_is_known_afterwards():
    text = 'plan p { do { par all { a = tell(1 m); b = tell(2 m) times 1; }; go(a); go(b); } }'
    result, stage = run(TELL + GO + text, robot=Told())
    assert (result.outcome, stage.driven()) == ('DONE', [(1.0, 0.0), (2.0, 0.0)])
    assert stage.executor.board == {'a': 1.0, 'b': 2.0}


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
    assert (result.outcome, stage.executor.board) == ('DONE', {})
