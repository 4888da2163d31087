"""What a hostile reader of the world of ARS MAGNA has tried, and how it ends."""

import math
import time
from itertools import pairwise

import pytest
from ars_stage import Stage

from walking_robots.ars_magna.agent.futures import Task, first_of
from walking_robots.ars_magna.sensing.attributes import Substance
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.placing import Inside
from walking_robots.ars_magna.simulation.seeing import things_near

WALL = '  walls:\n    - wall: {from: [0, 21], to: [40, 21], params: [1]}\n'
BOX = """
  objects:
    - {name: box, at: [20, 20], attrs: {size: 9, capacity: 8, weight: 1, color: red}}
    - {name: tin, at: [20, 20], attrs: {size: 4, capacity: 4, weight: 1, color: blue}}
    - {name: pen, at: [20, 20], attrs: {size: 0.2, color: green}}
"""
TWO = ''.join(
    f'  - {{name: {name}, at: [20, 20], cameras: [{{fov: 90deg, resolution: 5}}], '
    f'hands: [{{strength: 10}}, {{strength: 10}}], bins: [{{capacity: 20}}]}}\n'
    for name in ('robbie', 'bobbie')
)
TAKE = """
manipulations:
  take:
    - {objects: {it: {size: [0, 100]}}, by: hand, body: [{move: {on: it, into: hand}}]}
  put:
    - {objects: {it: {size: [0, 100]}}, by: hand, others: [where],
       body: [{move: {on: it, into: where}}]}
"""


@pytest.mark.parametrize('slant', [1e-6, 1e-8, 1e-10, 1e-12])
def test_no_robot_enters_a_wall_however_flat_it_meets_it(slant):
    stage = Stage(WALL)
    stage.place(10, 20.4)
    for turn in (math.pi / 2, -math.pi / 2 + slant, math.pi / 2):
        stage.code(stage.robot.turn(turn))
        stage.code(stage.robot.go_forward(15))
    assert stage.truth.cell[1] == 20


def test_no_robot_with_noise_gets_through_a_wall_that_it_follows():
    for seed in range(60):
        stage = Stage(WALL, seed=seed, clean=False)
        stage.code(stage.robot.turn_right())
        stage.code(stage.robot.goto_wall())
        stage.code(stage.robot.turn_left())
        stage.code(stage.robot.follow_wall('right', 10))
        stage.code(stage.robot.turn_right())
        stage.code(stage.robot.go_forward(8))
        assert stage.truth.cell[1] == 20


def test_nothing_is_put_into_a_hand_that_is_in_it():
    stage = Stage(BOX, definitions=TAKE)
    hand = stage.robot.hands[0]
    box, _ = stage.find_and_follow(0, 'local', [('color', 'red')])
    assert stage.code(hand.insert(box)) == 'NIL'
    with pytest.raises(ValueError, match='cannot be put into itself'):
        Experimenter(stage.simulator).move_thing('box', Inside('robbie/hand/0'))
    assert stage.code(stage.robot.manipulate('take', [box], hand)) == 'FAILED'
    stage.realm.scene.put(stage.thing('tin'), stage.truth.hands[0])
    with pytest.raises(ValueError, match='cannot be put into itself'):
        stage.realm.scene.put(stage.thing('box'), stage.thing('tin'))
    assert stage.realm.scene.position(stage.thing('box')) == (20, 20)


@pytest.mark.parametrize('where', [3.0, 'cupboard', None])
def test_a_manipulation_puts_things_into_holders_only(where):
    stage = Stage(BOX, definitions=TAKE)
    pen = stage.designate(0, 'local', [('color', 'green')])
    hand, camera = stage.robot.hands[0], stage.robot.cameras[0]
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
    assert not stage.realm.scene.things
    assert stage.code(stage.robot.go_forward(8)) == 'NIL'


def test_a_hand_leaves_a_box_that_another_robot_stows():
    stage = Stage(BOX, robots=TWO)
    other = connect(stage.simulator, 'bobbie')
    theirs = stage.realm.robots['bobbie'].hands[0]
    theirs.inside = stage.thing('box')
    stage.realm.scene.put(stage.thing('box'), stage.truth.bins[0])
    stage.tick()
    assert theirs.inside is None
    assert stage.code(stage.robot.bins[0].close()) == 'NIL'
    assert stage.code(other.hands[0].remove()) == 'NOT-INSIDE'


def test_two_hands_do_not_hold_one_thing():
    stage = Stage(BOX, robots=TWO)
    other = connect(stage.simulator, 'bobbie')
    mine, _ = stage.find_and_follow(0, 'local', [('color', 'green')])
    theirs = stage.wait(
        other.cameras[0].get_object_designator('local', [('color', 'green')])
    ).value
    stage.wait(other.cameras[0].track(theirs).started)
    first = stage.robot.hands[0].grasp(stage.robot.cameras[0], mine)
    second = other.hands[0].grasp(other.cameras[0], theirs)
    assert sorted((stage.code(first), stage.code(second))) == ['MISSED-GRASP', 'NIL']


def test_a_robot_has_one_program():
    stage = Stage()
    stage.robot.turn(0.1)
    with pytest.raises(ValueError, match='has a program already'):
        connect(stage.simulator, 'robbie')


def test_what_waits_for_a_command_outlives_a_bad_continuation():
    stage = Stage()

    def fail(*_):
        raise LookupError('mine')

    command = stage.robot.turn(0.1, then=fail)

    async def program():
        return await command

    task = Task(program())
    with pytest.raises(LookupError, match='mine'):
        stage.tick(6)
    assert task.result().ok
    assert command.started.done


def test_a_turn_that_would_never_end_does_not_begin():
    stage = Stage(min_turn_angle=0.0)
    stage.wait(stage.robot.set_turn_angle(1e-320))
    assert stage.code(stage.robot.turn(1.0)) == 'NOT-MOVING'


def test_a_substance_may_be_called_like_a_part():
    stage = Stage(
        '  substances: {bin: 7}\n  objects:\n    - {name: rod, at: [20, 20], '
        'attrs: {size: 1, substance: bin}}\n',
        definitions='manipulations:\n  feel:\n    - {objects: {it: {size: [0, 9]}}, by: hand, '
        'body: [{return: "attr(it, \'substance\')"}]}\n',
    )
    rod = stage.designate()
    outcome = stage.wait(stage.robot.manipulate('feel', [rod], stage.robot.hands[0]))
    assert outcome.value == Substance('bin', 7.0)


def test_an_old_odometer_does_not_reset_its_namesake():
    stage = Stage()
    old, new = stage.robot.new_odometer('x'), stage.robot.new_odometer('x')
    stage.wait(stage.robot.go_forward(3))
    with pytest.raises(ValueError, match='replaced'):
        old.reset()
    assert new.position().nominal.x == pytest.approx(3)
    with pytest.raises(ValueError, match='choose a'):
        stage.robot.new_odometer('main')


def test_a_camera_that_goes_elsewhere_loses_what_only_it_tracked():
    stage = Stage(BOX)
    stage.truth.cameras[0].inside = stage.thing('box')
    stage.realm.scene.put(stage.thing('pen'), stage.thing('box'))
    found, track = stage.find_and_follow()
    assert stage.code(stage.robot.cameras[0].remove()) == 'NIL'
    assert (track.result().code, found.valid) == ('LOST-TRACK', False)
    found, track = stage.find_and_follow(1)
    assert stage.code(stage.robot.cameras[1].insert(stage.robot.bins[0])) == 'NIL'
    assert (track.result().code, found.valid) == ('LOST-TRACK', False)


def test_nobody_reaches_the_truth_by_what_is_public():
    stage = Stage(BOX)
    found = stage.designate(0, 'local', [('color', 'red')])
    with pytest.raises(TypeError):
        found.data['color'] = 'blue'
    public = [name for name in dir(stage.robot.port) if not name.startswith('_')]
    reached = [getattr(stage.robot.port, name) for name in public]
    assert not any(hasattr(one, '__self__') and one.__self__ is stage.simulator for one in reached)


def test_a_tracking_camera_points_where_it_perceives():
    stage = Stage('  objects:\n    - {name: lamp, at: [30, 22]}\n', clean=False, prob_lose_track=0)
    found, _ = stage.find_and_follow(1, 'non-local')
    offs = []
    for _ in range(50):
        stage.tick()
        assert stage.robot.cameras[1].angle == pytest.approx(found.angle)
        offs.append(found.angle - math.atan2(2, 10))
    assert max(map(abs, offs)) > 0.005


def test_a_kicker_may_ask_again_from_within_a_run_that_was_asked_for():
    stage = Stage(
        '  objects:\n    - {name: ball, at: [20, 20]}\n  kickers: [{use: roll, on: ball}]\n',
        definitions="""
kickers:
  roll:
    test: x < 20.5
    body:
      - kick: {dx: 1, dy: 0}
      - if: x < 30
        then: [{run_again: {times: 1}}]
""",
    )
    stage.tick(30)
    assert stage.thing('ball').x == pytest.approx(31)


def test_a_search_for_all_gives_only_what_is_still_valid():
    things = ''.join(
        f'    - {{name: d{i}, at: [{25 + i % 9}, {16 + i // 9}]}}\n' for i in range(60)
    )
    stage = Stage('  objects:\n' + things)
    stage.wait(stage.robot.set_speed(0.05))
    stage.robot.go_forward(200)
    outcome = stage.wait(stage.robot.cameras[1].get_all_object_designators('non-local'))
    assert len(outcome.value) > 30
    assert all(found.valid for found in outcome.value)


def test_a_search_for_all_that_is_interrupted_leaves_nothing():
    stage = Stage(BOX)
    stage.robot.cameras[0].get_all_object_designators('local')
    stage.tick(5)
    assert len(stage.truth.designations) == 3
    stage.robot.cameras[0].grab()
    stage.tick()
    assert not stage.truth.designations


def test_parts_and_designators_of_others_are_refused():
    stage = Stage(BOX, robots=TWO)
    other = connect(stage.simulator, 'bobbie')
    theirs = stage.wait(other.cameras[0].get_object_designator('local')).value
    with pytest.raises(ValueError, match='not one of robbie'):
        stage.robot.cameras[0].track(theirs)
    with pytest.raises(ValueError, match='not one of robbie'):
        stage.robot.hands[0].insert(other.bins[0])
    with pytest.raises(ValueError, match='not one of robbie'):
        stage.robot.goto_designator(other.cameras[0])


def test_a_limit_of_speed_binds_who_was_faster():
    stage = Stage(max_speed=1.0)
    stage.set(max_speed=0.2)
    stage.wait(stage.robot.go_forward(5))
    assert stage.truth.x == pytest.approx(21)


def test_stopping_twice_takes_its_time_anew():
    stage = Stage(braking=5)
    stage.robot.go_forward(100)
    stage.tick(8)
    stage.robot.stop()
    stage.tick(2)
    at = stage.truth.x
    assert stage.code(stage.robot.stop()) == 'NIL'
    assert stage.truth.x == pytest.approx(at + 5)


def test_things_nest_only_so_deep():
    stage = Stage('  objects:\n' + '    - {name: box, at: [20, 20], attrs: {capacity: 9}}\n' * 80)
    boxes = list(stage.realm.scene.things.values())
    with pytest.raises(ValueError, match='too deep'):
        for inner, outer in pairwise(boxes):
            stage.realm.scene.put(inner, outer)


def test_a_thing_in_a_wall_is_seen_in_views_too():
    stage = Stage(
        '  walls:\n    - wall: {from: [25, 0], to: [25, 40], params: [7]}\n'
        '  objects:\n    - {name: sign, at: [25, 20], attrs: {substance: 100, obsview: true}}\n'
    )
    assert stage.wait(stage.robot.cameras[0].view()).value[1] == 100


def test_on_a_border_one_sees_as_from_within_the_cell():
    stage = Stage('  walls:\n    - wall: {from: [0, 19], to: [40, 19], params: [50]}\n')
    stage.place(20, 19.5)
    assert stage.truth.cell == (20, 20)
    pixels = stage.wait(stage.robot.cameras[1].view()).value
    assert pixels[3:] == (0.0, 0.0)


def test_waiting_leaves_nothing_behind():
    stage = Stage()
    long = stage.robot.go_forward(10_000)

    async def look():
        for _ in range(50):
            await first_of(long, stage.robot.wait(1))

    stage.run(look())
    assert len(long._waiting) <= 1
    for _ in range(500):
        stage.set(robot_move_delay=100_000)
        stage.robot.go_forward(1)
        stage.tick()
    assert len(stage.simulator.scheduler._queue) < 150


def test_what_a_held_container_held_stays_with_it():
    stage = Stage(BOX)
    stage.realm.scene.put(stage.thing('pen'), stage.thing('tin'))
    stage.realm.scene.put(stage.thing('tin'), stage.truth.hands[0])
    stage.truth.hands[0].inside = stage.thing('box')
    stage.realm.scene.destroy(stage.thing('tin'))
    assert stage.thing('pen').holder is stage.thing('box')


def test_a_command_is_taken_back_before_it_begins():
    stage, told = Stage(), []
    going = stage.robot.go_forward(5)
    stage.tick(7)
    stage.robot.turn(0.5, then=lambda *end: told.append(end[0]))
    assert stage.simulator.withdraw('robbie', 1)
    assert not stage.simulator.withdraw('robbie', 1)
    stage.tick(1)
    assert (told, going.done) == (['INTERRUPT'], False)


def test_cleaning_twice_takes_away_what_came_between():
    stage = Stage(clean=False)
    experimenter = Experimenter(stage.simulator)
    experimenter.clean()
    experimenter.set_parameters(motion_noise=0.2)
    experimenter.clean()
    assert stage.realm.parameters.motion_noise == 0.0
    experimenter.dirty()
    assert stage.realm.parameters.motion_noise == 0.1


def test_what_a_place_type_cannot_classify_is_told_at_the_start():
    stage = Stage(
        '  walls: [rect: {from: [5, 5], to: [9, 9], type: p, params: [1]}]',
        definitions="place_types: {odd: {matchers: [{form: ['#'], direction: 0}]}}",
    )
    assert "place type 'odd' would classify 16 filled cells" in str(
        stage.realm.messages.take()[-1]
    )


def test_a_search_that_is_not_over_tells_nothing_yet():
    stage = Stage('  objects: [{name: lamp, at: [30, 20]}]')
    search = stage.robot.cameras[0].get_all_object_designators('non-local')
    stage.tick(4)
    assert not search.done and stage.robot.designator(0) is None
    stage.tick()
    assert search.result().value == (stage.robot.designator(0),)


def test_no_command_knows_a_designator_before_the_search_is_over():
    stage = Stage(BOX, definitions=TAKE, all_search_extra_per_item=20)
    robot = stage.robot
    robot.cameras[1].get_all_object_designators('local')
    stage.tick(5)
    assert stage.truth.designations.keys() == {0, 1, 2}
    for part, command, arguments, code in (
        (robot.cameras[0], 'camera_track', (1,), 'LOST-TRACK'),
        (robot.hands[0], 'hand_insert', ('designator', 1), 'BAD-DESIGNATOR'),
        (robot.hands[0], 'hand_grasp', (0, 1), 'BAD-DESIGNATOR'),
        (robot.hands[0], 'manipulate', ('take', (1,), 'hand', ()), 'FAILED'),
    ):
        assert stage.code(robot.issue(part, command, arguments, None)) == code
    assert stage.truth.designations[1].untold


@pytest.mark.parametrize('every', [False, True])
def test_what_was_found_before_the_robot_moved_is_lost_after_the_grace(every):
    things = ''.join(f'    - {{name: d{i}, at: [{25 + i}, {19 + i % 3}]}}\n' for i in range(9))
    stage = Stage('  objects:\n' + things)
    eye = stage.robot.cameras[1]
    search = (eye.get_all_object_designators if every else eye.get_object_designator)('non-local')
    # It drives in the ticks 6 to 8, and one found is told in tick 4, all are in tick 13.
    drive = stage.robot.go_forward(3)
    stage.wait(search)
    stage.wait(drive)
    moved = 13 if every else 6
    found = search.result().value if every else [search.result().value]
    assert len(found) == (9 if every else 1)
    stage.tick(moved + 9 - stage.now)
    assert all(one.valid for one in found)
    stage.tick()
    assert not any(one.valid for one in found)


def test_many_things_in_one_cell_are_seen_in_a_moment():
    things = ''.join('    - {name: o, at: [20, 20], attrs: {size: 2}}\n' for _ in range(4000))
    stage = Stage(f'  objects:\n{things}')
    began = time.process_time()
    assert len(things_near(stage.realm, stage.truth.cameras[0])) == 4000
    assert time.process_time() - began < 0.1
