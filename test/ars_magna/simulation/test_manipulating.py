"""Manipulations, by the checks of ars_magna.md §11.6."""

import pytest
from ars_stage import BOXES, TAKE_AND_PUT, Stage

from walking_robots.ars_magna.sensing.attributes import Substance

LOCK = """
attributes:
  type: {domain: [key, fork]}
  locked: {domain: [true, false]}
  lock_id: {domain: numeric}
manipulations:
  lock:
    - objects:
        container: {capacity: [0.1, 9999], lock_id: '?x'}
        key: {type: key, lock_id: '?x'}
      by: hand
      success: 0.9
      delay: 1
      body:
        - if: in_location(key, hand)
          then:
            - set: {container: {locked: true}}
            - return: hand
          else:
            - error: NOT-HOLDING-KEY
            - return: hand
"""
WORLD = """
  objects:
    - {{name: box, at: [20, 20], attrs: {{capacity: 5, lock_id: 1, locked: false}}}}
    - {{name: key, at: [20, 20], attrs: {{type: key, lock_id: {}}}}}
"""


def lock(identity=1, held=True, **values):
    """Return a stage, and what issues the manipulation of the manual's example."""
    stage = Stage(WORLD.format(identity), definitions=LOCK, **values)
    box = stage.designate(specification={'capacity': 5})
    key = stage.designate(specification={'type': 'key'})
    if held:
        stage.world.scene.put(stage.thing('key'), stage.truth.hands[0])
    hand = stage.hand
    return stage, lambda: stage.robot.manipulate('lock', (box, key), hand)


def test_t96_a_manipulation_succeeds_by_its_chance():
    stage, act = lock()
    codes = [stage.code(act()) for _ in range(10_000)]
    assert codes.count('NIL') == pytest.approx(9000, abs=120)
    assert set(codes) == {'NIL', 'FAILED'}


def test_t96_locks_that_differ_never_match():
    stage, act = lock(identity=2)
    assert {stage.code(act()) for _ in range(100)} == {'FAILED'}
    assert stage.thing('box').attributes['locked'] is False


def test_t96_the_key_must_be_in_the_hand():
    stage, act = lock(held=False)
    outcomes = [stage.wait(act()) for _ in range(50)]
    assert {outcome.code for outcome in outcomes} == {'NOT-HOLDING-KEY', 'FAILED'}
    reported = next(outcome for outcome in outcomes if outcome.code != 'FAILED')
    assert reported.value is stage.hand
    assert stage.thing('box').attributes['locked'] is False


def test_a_manipulation_changes_the_world_and_gives_its_value():
    stage, act = lock(clean_manipulations=True)
    ticks, outcome = stage.ticks_of(act)
    assert (ticks, outcome.code, outcome.value) == (1, 'NIL', stage.hand)
    assert stage.thing('box').attributes['locked'] is True


def test_what_is_matched_is_matched_again_when_it_happens():
    stage, act = lock(clean_manipulations=True)
    command = act()
    stage.world.scene.change(stage.thing('key'), {'lock_id': 3.0})
    assert stage.code(command) == 'FAILED'


ENDING = """
attributes: {locked: {domain: [true, false]}}
manipulations:
  early:
    - objects: {it: {}}
      by: hand
      body: [{if: tick > 0, then: [{return: 7}]}, {set: {it: {locked: true}}}, {return: 2}]
  wrong:
    - objects: {it: {}}
      by: hand
      body: [{if: tick > 0, then: [{error: NO-WAY}]}, {set: {it: {locked: true}}}, {return: 2}]
  told:
    - {objects: {it: {}}, by: hand, body: [{error: NO-WAY}, {return: 3}]}
"""


@pytest.mark.parametrize(
    ('name', 'outcome'),
    [('early', ('NIL', (7.0,))), ('wrong', ('NO-WAY', (None,))), ('told', ('NO-WAY', (3.0,)))],
)
def test_a_return_or_an_error_ends_the_body(name, outcome):
    stage = Stage('  objects: [{name: box, at: [20, 20]}]', definitions=ENDING)
    found = stage.designate()
    assert stage.wait(stage.robot.manipulate(name, [found], stage.hand)) == outcome
    assert 'locked' not in stage.thing('box').attributes


def test_a_thing_that_fits_no_more_after_the_delay_is_left_alone():
    stage = Stage(
        WORLD.format(1), definitions=LOCK.replace('delay: 1', 'delay: 3').replace('0.9', '1')
    )
    found = [stage.designate(specification=what) for what in ({'capacity': 5}, {'type': 'key'})]
    stage.world.scene.put(stage.thing('key'), stage.truth.hands[0])
    command = stage.robot.manipulate('lock', found, stage.hand)
    stage.tick()
    stage.world.scene.change(stage.thing('key'), {'lock_id': 2.0})
    assert stage.code(command) == 'FAILED'
    assert stage.thing('box').attributes['locked'] is False


@pytest.mark.parametrize('where', [3.0, 'cupboard', None])
def test_a_manipulation_puts_things_into_holders_only(where):
    stage = Stage(BOXES, definitions=TAKE_AND_PUT)
    pen = stage.designate(0, 'local', [('color', 'green')])
    hand, camera = stage.hand, stage.eye
    outcome = stage.wait(stage.robot.manipulate('put', [pen], hand, where))
    assert outcome.code == ('NIL' if where is None else 'FAILED')
    assert stage.code(stage.robot.manipulate('take', [pen], camera)) == 'FAILED'
    assert stage.code(stage.robot.manipulate('take', [pen], stage.robot)) == 'FAILED'
    assert stage.thing('pen').holder is None
    stage.tick(3)


def test_what_is_destroyed_cannot_act_any_more():
    stage = Stage(
        '  objects:\n    - {name: rock, at: [25, 20], attrs: {obsmove: true}}\n'
        '  kickers: [{use: end, on: rock}]\n',
        definitions='kickers:\n  end: {body: [{destroy: self}, {kick: {dx: 1, dy: 0}}]}\n',
    )
    stage.tick(2)
    assert not stage.world.scene.things
    assert stage.code(stage.robot.go_forward(8)) == 'NIL'


def test_a_substance_may_be_called_like_a_part():
    stage = Stage(
        '  substances: {bin: 7}\n  objects:\n    - {name: rod, at: [20, 20], '
        'attrs: {size: 1, substance: bin}}\n',
        definitions='manipulations:\n  feel:\n    - {objects: {it: {size: [0, 9]}}, by: hand, '
        'body: [{return: "attr(it, \'substance\')"}]}\n',
    )
    rod = stage.designate()
    outcome = stage.wait(stage.robot.manipulate('feel', [rod], stage.hand))
    assert outcome.value == Substance('bin', 7.0)
