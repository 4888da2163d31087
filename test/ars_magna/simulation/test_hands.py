"""Hands, bins and containers, by the checks of ars_magna.md §11.5."""

import pytest
from ars_stage import BOXES, TAKE_AND_PUT, TWO_ROBOTS, Stage

from walking_robots.ars_magna.simulation.experimenter import Experimenter, Inside
from walking_robots.ars_magna.simulation.local import connect

HERE = 'at: [20, 20]'
BOX = f"""
  objects:
    - name: box
      {HERE}
      attrs: {{size: 5, capacity: 5, weight: 2, color: red}}
      contents: [{{name: pen, attrs: {{size: 0.2, color: green}}}}]
"""


def thing(name='ball', **attributes):
    """Write a world with a thing at the robot."""
    written = ', '.join(f'{name}: {value}' for name, value in attributes.items())
    return f'  objects:\n    - {{name: {name}, {HERE}, attrs: {{{written}}}}}\n'


def grasping(world, **values):
    """Return a stage on which hand 0 is about to grasp what camera 0 tracks."""
    stage = Stage(world, **values)
    found, _ = stage.find_and_follow()
    return stage, found


def hold(stage, name='ball', hand=0):
    """Put a thing into a hand without asking it."""
    stage.world.scene.put(stage.thing(name), stage.truth.hands[hand])


def test_t71_grasps_miss_by_chance():
    stage = Stage(
        thing(),
        clean=False,
        no_sensor_error=True,
        prob_grasp_lose_desig=0,
        hand_move_delay=0,
        hand_grasp_delay=0,
    )
    found, _ = stage.find_and_follow()
    missed = 0
    for _ in range(10_000):
        missed += stage.code(stage.hand.grasp(stage.eye, found)) == 'MISSED-GRASP'
        if stage.truth.hands[0].held is not None:
            stage.world.scene.drop(stage.thing('ball'), 20, 20)
    assert missed == pytest.approx(400, abs=78)


def test_t72_a_grasp_loses_designators_one_by_one():
    stage = Stage(
        thing(),
        clean=False,
        no_sensor_error=True,
        prob_miss_grasp=0,
        hand_move_delay=0,
        hand_grasp_delay=0,
        camera_desig_delay=0,
    )
    lost = [0, 0, 0]
    rounds = 4000
    for _ in range(rounds):
        first = stage.designate(0)
        second = stage.designate(1)
        stage.follow(first)
        stage.code(stage.hand.grasp(stage.eye, first))
        gone = not first.valid, not second.valid
        lost[0] += gone[0]
        lost[1] += gone[1]
        lost[2] += all(gone)
        stage.world.scene.drop(stage.thing('ball'), 20, 20)
        stage.wait(stage.eye.untrack())
    # Four standard deviations of 4000 tests.
    assert lost[0] / rounds == pytest.approx(0.1, abs=0.019)
    assert lost[1] / rounds == pytest.approx(0.1, abs=0.019)
    assert lost[2] / rounds == pytest.approx(0.01, abs=0.0063)


@pytest.mark.parametrize(
    ('hand', 'weight', 'code'),
    [(1, 5, 'INSUFFICIENT-STRENGTH'), (0, 10, 'NIL'), (1, 4, 'NIL')],
)
def test_t73_heavy_things_need_strong_hands(hand, weight, code):
    stage, found = grasping(thing(weight=weight))
    assert stage.code(stage.robot.hands[hand].grasp(stage.eye, found)) == code
    assert (stage.truth.hands[hand].held is not None) == (code == 'NIL')


def test_what_is_in_a_thing_counts_with_its_weight():
    stage, found = grasping(BOX.replace('size: 0.2', 'size: 0.2, weight: 9'))
    assert stage.code(stage.hand.grasp(stage.eye, found)) == 'INSUFFICIENT-STRENGTH'


def test_t74_hand_and_camera_must_be_together():
    stage, found = grasping(BOX)
    stage.truth.hands[0].inside = stage.thing('box')
    assert stage.code(stage.hand.grasp(stage.eye, found)) == 'DIFFERENT-LOCATION'


def test_t75_free_capacity_is_what_is_left():
    stage = Stage(thing('pen', size=0.2))
    stage.world.scene.put(stage.thing('pen'), stage.truth.bins[1])
    assert stage.robot.bins[1].free_capacity == pytest.approx(4.8)
    assert stage.store.free_capacity == 20.0
    assert stage.robot.bins[1].capacity == 5


def test_t76_a_part_in_the_way_keeps_the_lid_open():
    stage = Stage()
    hand, store = stage.robot.hands[1], stage.store
    assert stage.wait(hand.insert(store)) == ('NIL', (store,))
    assert stage.wait(store.close()) == ('ROBOT-IN-BIN', (hand,))
    assert stage.code(hand.remove()) == 'NIL'
    assert stage.wait(store.close()) == ('NIL', (None,))
    assert store.closed


def test_t77_lids_jam_by_chance_over_things():
    stage = Stage(thing(), clean=False, bin_delay=0)
    store = stage.store
    for _ in range(500):
        assert stage.code(store.close()) == 'NIL'
        assert stage.code(store.open()) == 'NIL'
    stage.world.scene.put(stage.thing('ball'), stage.truth.bins[0])
    jammed = 0
    for _ in range(10_000):
        jammed += stage.code(store.close()) == 'BIN-JAMMED'
        stage.truth.bins[0].closed = False
    assert jammed == pytest.approx(100, abs=40)


def test_t78_lids_are_open_or_closed():
    stage = Stage()
    store = stage.store
    assert stage.code(store.open()) == 'BIN-OPEN'
    assert stage.code(store.close()) == 'NIL'
    assert stage.code(store.close()) == 'BIN-CLOSED'
    assert stage.code(stage.hand.insert(store)) == 'BIN-CLOSED'
    assert stage.code(stage.eye.insert(store)) == 'BIN-CLOSED'
    assert stage.code(store.open()) == 'NIL'


def test_t79_what_is_too_large_does_not_go_in():
    stage = Stage(thing(size=6))
    hold(stage)
    assert stage.code(stage.hand.insert(stage.robot.bins[1])) == 'INSUFFICIENT-CAPACITY'
    assert stage.code(stage.hand.insert(stage.store)) == 'NIL'


def test_parts_need_their_own_room():
    stage = Stage(hand_size=6.0, camera_size=21.0)
    assert stage.code(stage.hand.insert(stage.robot.bins[1])) == 'INSUFFICIENT-CAPACITY'
    assert stage.code(stage.eye.insert(stage.store)) == 'INSUFFICIENT-CAPACITY'


def test_t80_a_hand_cannot_go_into_what_it_holds():
    stage, found = grasping(BOX)
    hand = stage.hand
    assert stage.code(hand.grasp(stage.eye, found)) == 'NIL'
    assert stage.code(hand.insert(found)) == 'HOLDING-THING'


def test_t81_hands_bump_by_chance():
    stage = Stage(BOX, clean=False, no_sensor_error=True, hand_move_delay=0, camera_desig_delay=0)
    bumped = lost = 0
    found = stage.designate()
    for _ in range(10_000):
        if stage.code(stage.hand.insert(found)) == 'HAND-BUMP':
            bumped += 1
            if not found.valid:
                lost += 1
                found = stage.designate()
        stage.truth.hands[0].inside = None
    assert bumped == pytest.approx(500, abs=87)
    assert lost / bumped == pytest.approx(0.1, abs=0.054)


@pytest.mark.slow
def test_t82_cameras_bump_by_chance():
    stage = Stage(
        BOX, clean=False, no_sensor_error=True, camera_desig_delay=0, camera_move_delay=0
    )
    eye, other = stage.robot.cameras
    bumped = lost = inserted = 0
    for _ in range(10_000):
        found, _ = stage.find_and_follow(0)
        stage.follow(found, 1)
        code = stage.code(eye.insert(found))
        if code == 'CAMERA-BUMP':
            bumped += 1
            assert not found.valid
        else:
            assert code == 'NIL'
            inserted += 1
            lost += not found.valid
        stage.truth.cameras[0].inside = None
        stage.code(other.untrack())
    assert bumped == pytest.approx(500, abs=87)
    assert lost / inserted == pytest.approx(0.1, abs=0.0124)


def test_t83_a_grip_is_felt():
    stage = Stage(thing())
    hand = stage.hand
    assert stage.code(hand.grasp_check()) == 'NOT-GRASPING'
    assert stage.code(hand.track()) == 'NOT-GRASPING'
    hold(stage)
    assert stage.code(hand.grasp_check()) == 'GRASPING'


def test_t84_a_grip_that_is_lost_is_reported():
    stage = Stage(
        f'  objects:\n    - {{name: ball, {HERE}}}\n  kickers: [{{use: jump, on: ball}}]\n',
        definitions='kickers:\n  jump: {test: "tick > 9", body: [{kick: {dx: 1, dy: 0}}]}\n',
    )
    hold(stage)
    watch = stage.hand.track()
    assert stage.wait(watch.started)
    assert stage.code(watch) == 'GRASP-LOST'
    assert stage.now == 10
    assert stage.truth.hands[0].held is None
    assert (stage.thing('ball').x, stage.thing('ball').y) == (21, 20)


def test_impossible_grasps_are_distinguished():
    stage = Stage(thing() + '    - {name: far, at: [30, 20]}\n')
    hand, eye, other = stage.hand, *stage.robot.cameras
    near = stage.designate()
    assert stage.code(hand.grasp(eye, near)) == 'NOT-TRACKED'
    far = stage.designate(1, 'non-local')
    assert stage.code(hand.grasp(other, far)) == 'NON-LOCAL-GRASP'
    stage.follow(near)
    assert stage.code(hand.grasp(eye, near)) == 'NIL'
    assert stage.code(hand.grasp(eye, near)) == 'HAND-GRASPING'
    stage.world.forget(stage.truth, stage.truth.designations[near.number])
    assert stage.code(stage.robot.hands[1].grasp(eye, near)) == 'BAD-DESIGNATOR'
    assert stage.code(hand.insert(near)) == 'BAD-DESIGNATOR'
    assert stage.code(hand.insert(far)) == 'NON-LOCAL-DESIGNATOR'


def test_what_is_not_there_cannot_be_grasped_nor_entered():
    stage = Stage(
        clean=False, false_object_prob=1, prob_lose_false_track=0, false_desig_drift_dist=0
    )
    found, _ = stage.find_and_follow()
    hand, eye = stage.hand, stage.eye
    assert stage.code(hand.grasp(eye, found)) == 'MISSED-GRASP'
    assert stage.code(hand.insert(found)) == 'HAND-BUMP'
    assert stage.code(eye.insert(found)) == 'CAMERA-BUMP'


def test_a_camera_enters_only_what_it_tracks():
    stage = Stage(BOX)
    eye = stage.eye
    found = stage.designate()
    assert stage.code(eye.insert(found)) == 'NOT-TRACKING'
    assert stage.code(eye.remove()) == 'NOT-INSIDE'
    again = stage.designate()
    stage.follow(again)
    assert stage.code(eye.insert(found)) == 'NOT-TRACKING-DESTINATION'
    assert stage.code(eye.insert(again)) == 'NIL'
    assert stage.truth.cameras[0].inside is stage.thing('box')
    assert not again.valid
    far = stage.designate(1)
    assert stage.code(eye.track(far)) == 'LOCAL-NOT-LOCAL'
    assert stage.code(eye.remove()) == 'NIL'


def test_a_designator_that_another_camera_tracks_survives():
    stage = Stage(BOX)
    found, track = stage.find_and_follow(0)
    stage.follow(found, 1)
    assert stage.wait(stage.eye.insert(found)) == ('NIL', (found,))
    assert track.result().code == 'LOST-TRACK'
    assert found.valid


def test_a_camera_in_a_container_tracks_nothing_far():
    stage = Stage(BOX + '    - {name: far, at: [30, 20]}\n')
    far = stage.designate(1, 'non-local')
    stage.truth.cameras[1].inside = stage.thing('box')
    assert stage.code(stage.robot.cameras[1].track(far)) == 'CAMERA-INSIDE'


def test_parts_are_withdrawn_when_their_container_is_left():
    stage = Stage(BOX)
    stage.truth.hands[0].inside = stage.truth.cameras[0].inside = stage.thing('box')
    stage.wait(stage.robot.go_forward(1))
    assert stage.truth.hands[0].inside is stage.truth.cameras[0].inside is None


def test_ungrasping_lets_things_fall_where_the_hand_is():
    stage = Stage(thing(size=1))
    hand = stage.hand
    assert stage.code(hand.ungrasp()) == 'NOT-GRASPING'
    hold(stage)
    stage.wait(stage.robot.go_forward(3))
    assert stage.code(hand.ungrasp()) == 'NIL'
    assert (stage.thing('ball').x, stage.thing('ball').y) == (23, 20)
    hold(stage)
    stage.wait(hand.insert(stage.store))
    assert stage.code(hand.ungrasp()) == 'NIL'
    assert stage.thing('ball').holder is stage.truth.bins[0]


def test_a_container_that_has_become_full_refuses_what_a_hand_brings():
    stage = Stage(thing('one', size=4) + f'    - {{name: two, {HERE}, attrs: {{size: 4}}}}\n')
    for hand, name in enumerate(('one', 'two')):
        hold(stage, name, hand)
        assert stage.code(stage.robot.hands[hand].insert(stage.robot.bins[1])) == 'NIL'
    assert stage.code(stage.hand.ungrasp()) == 'NIL'
    assert stage.code(stage.robot.hands[1].ungrasp()) == 'INSUFFICIENT-CAPACITY'
    assert stage.truth.hands[1].held is stage.thing('two')


def test_a_closed_container_keeps_what_is_in_it():
    stage = Stage(BOX.replace('color: red', 'closed: true'))
    found, _ = stage.find_and_follow()
    assert stage.code(stage.hand.insert(found)) == 'BIN-CLOSED'
    assert stage.code(stage.eye.insert(found)) == 'BIN-CLOSED'


def test_nothing_is_put_into_a_hand_that_is_in_it():
    stage = Stage(BOXES, definitions=TAKE_AND_PUT)
    hand = stage.hand
    box, _ = stage.find_and_follow(0, 'local', [('color', 'red')])
    assert stage.code(hand.insert(box)) == 'NIL'
    with pytest.raises(ValueError, match='cannot be put into itself'):
        Experimenter(stage.simulator).move_thing('box', Inside('robbie/hand/0'))
    assert stage.code(stage.robot.manipulate('take', [box], hand)) == 'FAILED'
    stage.world.scene.put(stage.thing('tin'), stage.truth.hands[0])
    with pytest.raises(ValueError, match='cannot be put into itself'):
        stage.world.scene.put(stage.thing('box'), stage.thing('tin'))
    assert stage.world.scene.position(stage.thing('box')) == (20, 20)


def test_a_hand_leaves_a_box_that_another_robot_stows():
    stage = Stage(BOXES, robots=TWO_ROBOTS)
    other = connect(stage.simulator, 'bobbie')
    theirs = stage.world.robots['bobbie'].hands[0]
    theirs.inside = stage.thing('box')
    stage.world.scene.put(stage.thing('box'), stage.truth.bins[0])
    stage.tick()
    assert theirs.inside is None
    assert stage.code(stage.store.close()) == 'NIL'
    assert stage.code(other.hands[0].remove()) == 'NOT-INSIDE'


def test_two_hands_do_not_hold_one_thing():
    stage = Stage(BOXES, robots=TWO_ROBOTS)
    other = connect(stage.simulator, 'bobbie')
    mine, _ = stage.find_and_follow(0, 'local', [('color', 'green')])
    theirs = stage.wait(
        other.cameras[0].get_object_designator('local', [('color', 'green')])
    ).value
    stage.wait(other.cameras[0].track(theirs).started)
    first = stage.hand.grasp(stage.eye, mine)
    second = other.hands[0].grasp(other.cameras[0], theirs)
    assert sorted((stage.code(first), stage.code(second))) == ['MISSED-GRASP', 'NIL']


def test_what_a_held_container_held_stays_with_it():
    stage = Stage(BOXES)
    stage.world.scene.put(stage.thing('pen'), stage.thing('tin'))
    stage.world.scene.put(stage.thing('tin'), stage.truth.hands[0])
    stage.truth.hands[0].inside = stage.thing('box')
    stage.world.scene.destroy(stage.thing('tin'))
    assert stage.thing('pen').holder is stage.thing('box')
