"""A container that begins anew because of its own guard: the guard counts at once."""

import pytest
from mdle_stage import Told, after, begin, settings

PLAN = """
interrupt near = y.x < 1 m;
plan p {{ until near{action}; timeout 3 s => done; {handlers} do {{ ahead(0.1 m/s); }} }}
"""


@pytest.mark.parametrize(
    ('action', 'handlers'),
    [
        ('', 'on interrupt(near) => restart;'),
        (' => fail "near"', 'on fail("near") => restart;'),
        (' => restart', ''),
    ],
)
@pytest.mark.parametrize('limit', [64, 10_000])
def test_a_guard_that_stays_true_does_not_let_the_robot_creep_on(action, handlers, limit):
    stage = begin(
        PLAN.format(action=action, handlers=handlers),
        robot=Told(x=2.0),
        settings=settings(zeno_limit=limit),
    )
    stage.tick(2)
    driven = len(stage.driven())
    stage.robot.values['x'] = 0.5
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', 'E806')
    assert len(stage.driven()) == driven


def test_retries_are_counted_and_drive_nothing_while_the_guard_is_true():
    text = PLAN.format(action='', handlers='on interrupt(near) => retry 3;')
    stage = after(2, text, robot=Told(x=2.0))
    driven = len(stage.driven())
    stage.robot.values['x'] = 0.5
    result = stage.finish()
    assert (result.outcome, result.message) == ('FAIL', 'near')
    assert 'retry 3 is used up' in [e.text for e in stage.events if e.kind == 'warning']
    assert len(stage.driven()) == driven


def test_what_backs_off_does_so_again_while_it_has_to():
    text = PLAN.format(
        action='', handlers='on interrupt(near) => run back_off(0.05 m) then restart;'
    )
    stage = after(25, text, robot=Told(x=0.5))
    assert stage.entered().count('back_off') == 3
    assert all(v == pytest.approx(-0.1) for v, _ in stage.driven())
    stage.robot.values['x'] = 2.0
    stage.tick(10)
    assert stage.driven()[-1] == (0.1, 0.0)
