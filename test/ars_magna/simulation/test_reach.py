"""Local is what is at less than a cell when a command acts (ars_magna.md §1.2, §1.8)."""

import pytest
from ars_stage import Stage

BOX = '  objects:\n    - {name: box, at: [20, 20], attrs: {size: 5, capacity: 5, weight: 2}}\n'
LOCK = """attributes: {locked: {domain: [true, false]}}
manipulations:
  lock:
    - {objects: {box: {capacity: [0.1, 9999]}}, by: hand, body: [{set: {box: {locked: true}}}]}
"""


def left(world=BOX, **values):
    """Return a stage on which the robot drives away from what it has found, some cells by now."""
    stage = Stage(world, definitions=LOCK, **values)
    found = stage.designate()
    stage.robot.go_forward(30)
    stage.tick(7)
    assert stage.truth.x > 20.9
    stage.tick()
    return stage, found


def test_a_hand_does_not_enter_what_the_robot_has_left():
    stage, found = left()
    assert stage.code(stage.hand.insert(found)) == 'NON-LOCAL-DESIGNATOR'
    assert stage.truth.hands[0].inside is None


def test_nothing_is_done_to_what_the_robot_has_left():
    stage, found = left()
    assert stage.code(stage.robot.manipulate('lock', [found], stage.hand)) == 'FAILED'
    assert 'locked' not in stage.thing('box').attributes


def test_what_the_robot_has_left_is_not_tracked_as_local():
    stage, found = left()
    assert stage.code(stage.eye.track(found)) == 'LOCAL-NOT-LOCAL'


def test_a_false_designator_is_left_behind_as_a_true_one_is():
    stage, found = left('', clean=False, false_object_prob=1)
    assert stage.truth.designations[found.number].is_false
    assert stage.code(stage.hand.insert(found)) == 'NON-LOCAL-DESIGNATOR'


@pytest.mark.parametrize('command', ['grasp', 'insert'])
def test_what_is_gone_in_this_tick_is_not_reached_in_it(command):
    stage = Stage(BOX, hand_move_delay=1, hand_grasp_delay=0, camera_move_delay=1)
    found, _ = stage.find_and_follow()
    eye, hand = stage.eye, stage.hand
    ended = eye.insert(found) if command == 'insert' else hand.grasp(eye, found)
    stage.place(23, 20)
    stage.tick()
    assert ended.result().code == (
        'NON-LOCAL-DESIGNATOR' if command == 'insert' else 'NON-LOCAL-GRASP'
    )


def test_what_is_in_a_bin_goes_along_with_the_robot():
    stage = Stage(BOX)
    stage.world.scene.put(stage.thing('box'), stage.truth.bins[0])
    eye, hand, store = stage.eye, stage.hand, stage.store
    assert stage.code(eye.insert(store)) == stage.code(hand.insert(store)) == 'NIL'
    found = stage.designate()
    stage.robot.go_forward(30)
    stage.tick(8)
    assert stage.code(hand.insert(found)) == 'NIL'
