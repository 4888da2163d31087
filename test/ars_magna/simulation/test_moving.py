"""Where commands lead a robot, by the checks of ars_magna.md §11.1 and §11.3."""

import math
import statistics

import pytest
from ars_stage import Stage

WALL = """
  walls:
    - wall: {from: [25, 0], to: [25, 40]}
"""
TABLE = """
  objects:
    - {name: table, at: [25, 20], attrs: {obsmove: true}}
"""
LAMP = """
  objects:
    - {name: lamp, at: [30, 20], attrs: {size: 2}}
"""
DOORWAY = """
  walls:
    - wall: {from: [19, 20], to: [19, 20]}
    - wall: {from: [21, 20], to: [21, 20]}
"""
BLOCK = """
  walls:
    - rect: {from: [8, 8], to: [12, 12]}
    - rect: {from: [9, 9], to: [11, 11]}
    - wall: {from: [10, 10], to: [10, 10]}
"""


def test_t01_left_is_counter_clockwise_and_up_the_map():
    stage = Stage()
    stage.wait(stage.robot.turn_left())
    assert stage.truth.heading == pytest.approx(-math.pi / 2)
    stage.wait(stage.robot.go_forward(3))
    assert (stage.truth.x, stage.truth.y) == pytest.approx((20, 17))


@pytest.mark.slow
@pytest.mark.parametrize('mode', ['random', 'sound'])
def test_t06_odometers_hold_the_truth_of_500_walks(mode):
    kept = 0
    for seed in range(500):
        stage = Stage(
            seed=seed,
            clean=False,
            odometry_interval_mode=mode,
            robot_move_delay=0,
            robot_turn_delay=0,
        )
        for move in range(60):
            if move % 3:
                stage.robot.go_forward(1)
            else:
                stage.robot.turn(math.sin(seed + move) * 3)
            stage.tick(4)
        position, angle = stage.robot.main_odometer.position(), stage.robot.main_odometer.angle()
        grown = position.grow(1e-9)
        kept += (
            grown.x.contains(stage.truth.x - 20)
            and grown.y.contains(stage.truth.y - 20)
            and angle.grow(1e-9).contains(stage.truth.heading)
        )
    assert kept == 500


def test_t07_a_clean_run_is_measured_exactly():
    stage = Stage()
    stage.wait(stage.robot.go_forward(10))
    position = stage.robot.main_odometer.position()
    assert (position.x.min, position.x.max) == pytest.approx((10, 10))
    assert (position.y.min, position.y.max) == (0, 0)


def test_t08_sound_intervals_reach_as_far_as_the_noise_may():
    stage = Stage(clean=False, odometry_interval_mode='sound')
    stage.wait(stage.robot.go_forward(10))
    position = stage.robot.main_odometer.position()
    assert (position.x.min, position.x.max) == pytest.approx((9, 11))


def test_t09_a_new_odometer_takes_the_place_of_its_namesake():
    stage = Stage()
    old = stage.robot.new_odometer('trip')
    new = stage.robot.new_odometer('trip')
    with pytest.raises(ValueError, match='replaced'):
        old.position()
    assert new.position().width == 0
    assert stage.robot.port.odometers() == ('main', 'trip')


def test_t10_an_angle_is_reset_by_itself():
    stage = Stage(clean=False)
    stage.wait(stage.robot.turn(1.0))
    stage.wait(stage.robot.go_forward(5))
    odometer = stage.robot.main_odometer
    before = odometer.position()
    odometer.reset_angle()
    assert odometer.position() == before
    assert (odometer.angle().min, odometer.angle().max) == (0, 0)


@pytest.mark.parametrize(
    ('speed', 'code', 'value'),
    [(2, 'TOO-HIGH-SPEED', 1), (-1, 'NEGATIVE-SPEED', 0), (0.5, 'NIL', 0.5)],
)
def test_t29_speeds_are_clipped(speed, code, value):
    stage = Stage()
    assert stage.wait(stage.robot.set_speed(speed)) == (code, (value,))
    assert stage.robot.speed == value


@pytest.mark.parametrize(
    ('angle', 'code', 'value'),
    [(0.01, 'TOO-LOW-TURN-ANGLE', 0.05), (1, 'TOO-HIGH-TURN-ANGLE', math.pi / 8)],
)
def test_t30_rotations_are_clipped(angle, code, value):
    stage = Stage()
    assert stage.wait(stage.robot.set_turn_angle(angle)) == (code, (value,))
    assert stage.robot.turn_angle == value


@pytest.mark.parametrize('command', ['go_forward', 'goto_wall', 'follow_wall', 'goto_designator'])
def test_t31_without_speed_nothing_moves(command):
    stage = Stage()
    stage.wait(stage.robot.set_speed(0))
    arguments = {
        'go_forward': (10,),
        'follow_wall': ('left',),
        'goto_designator': (stage.eye,),
    }
    issue = getattr(stage.robot, command)
    assert stage.code(issue(*arguments.get(command, ()))) == 'NOT-MOVING'


def test_t32_distances_of_a_tick_are_uniform():
    stage = Stage(clean=False)
    stage.robot.go_forward(10_000)
    stage.tick(5)
    moved = []
    for _ in range(10_000):
        stage.place(20, 20)
        stage.tick()
        moved.append(stage.truth.x - 20)
    assert min(moved) >= 0.9
    assert max(moved) <= 1.1
    assert statistics.mean(moved) == pytest.approx(1.0, abs=0.0023)
    assert statistics.stdev(moved) == pytest.approx(0.0577, abs=0.002)


def test_t33_rotations_of_a_tick_are_uniform():
    stage = Stage(clean=False, robot_turn_delay=0)
    stage.robot.turn(math.pi / 8 * 10_001)
    stage.tick(1)
    turned = []
    for _ in range(10_000):
        stage.truth.heading = 0.0
        stage.tick()
        turned.append(stage.truth.heading - math.pi / 8)
    assert max(map(abs, turned)) <= 0.01 * math.pi / 8
    assert abs(statistics.mean(turned)) < 1e-4


@pytest.mark.parametrize(
    ('command', 'code'), [('go_forward', 'ROBOT-BLOCKED'), ('goto_wall', 'NIL')]
)
def test_t34_walls_block(command, code):
    stage = Stage(WALL)
    arguments = (30,) if command == 'go_forward' else ()
    assert stage.code(getattr(stage.robot, command)(*arguments)) == code
    assert stage.truth.cell == (24, 20)
    assert stage.truth.x == pytest.approx(24.5, abs=1e-6)


def test_t35_a_thing_in_the_way_is_no_wall():
    stage = Stage(TABLE)
    assert stage.code(stage.robot.goto_wall()) == 'ROBOT-BLOCKED'
    assert stage.truth.cell == (24, 20)


@pytest.mark.parametrize('collision', ['swept', 'endpoint'])
def test_t36_fast_robots_skip_thin_walls_only_where_they_may(collision):
    passed = 0
    for start in range(20):
        stage = Stage(WALL, max_speed=3, collision=collision)
        stage.place(20 + start * 0.05, 20)
        stage.truth.speed = 3
        stage.wait(stage.robot.go_forward(4))
        passed += stage.truth.x > 26
    assert (passed > 0) == (collision == 'endpoint')


def test_t37_t38_an_approach_ends_in_the_cell_of_the_thing_with_its_track():
    stage, ends = Stage(LAMP), {}
    found = stage.designate(0, 'non-local')
    camera, began = stage.eye, stage.now
    camera.track(found, then=lambda code, camera: ends.update(track=(code, stage.now)))
    outcome = stage.wait(stage.robot.goto_designator(camera))
    assert outcome == ('NIL', (found,))
    assert stage.truth.cell == (30, 20)
    assert stage.now - began == pytest.approx(15, abs=1)
    assert ends['track'][0] == 'LOST-TRACK'
    assert abs(ends['track'][1] - stage.now) <= 1
    assert not found.valid


def test_t39_what_is_local_is_not_approached():
    stage = Stage(LAMP)
    stage.place(30, 20)
    stage.find_and_follow()
    assert stage.code(stage.robot.goto_designator(stage.eye)) == 'GOTO-LOCAL'


def test_an_approach_fails_when_its_track_is_lost():
    stage = Stage(LAMP)
    stage.find_and_follow(0, 'non-local')
    approach = stage.robot.goto_designator(stage.eye)
    stage.tick(8)
    stage.eye.untrack()
    assert stage.code(approach) == 'NOT-TRACKING'


def test_t40_stopping_takes_the_time_of_braking():
    stage = Stage()
    going = stage.robot.go_forward(100)
    stage.tick(8)
    at = stage.truth.x
    assert stage.ticks_of(stage.robot.stop)[0] == 2
    assert stage.truth.x == pytest.approx(at + 2)
    assert going.result().code == 'INTERRUPT'
    stage.tick(5)
    assert stage.truth.x == pytest.approx(at + 2)


def test_a_turning_robot_turns_on_while_it_brakes():
    stage = Stage()
    stage.robot.turn(-3.0)
    stage.tick(3)
    at = stage.truth.heading
    stage.wait(stage.robot.stop())
    assert stage.truth.heading == pytest.approx(at - 2 * math.pi / 8)


@pytest.mark.parametrize(
    ('heading', 'end'), [(math.pi / 2 - 0.3, math.pi / 2), (-1.2, -math.pi / 2)]
)
def test_t41_robots_align_with_doorways(heading, end):
    stage = Stage(DOORWAY)
    stage.place(20, 20, heading)
    assert stage.code(stage.robot.align_place()) == 'NIL'
    assert stage.truth.heading == pytest.approx(end)


def test_there_is_nothing_to_align_with_in_the_open():
    stage = Stage()
    assert stage.code(stage.robot.align_place()) == 'INCORRECT-PLACE-TYPE'
    assert stage.code(stage.eye.align_place()) == 'NO-PLACE-TYPE'


def test_a_wrong_reading_aligns_by_chance():
    stage = Stage(clean=False, type_false_pos=1.0, robot_align_error_prob=1.0)
    assert stage.code(stage.robot.align_place()) == 'NIL'


@pytest.mark.parametrize(
    ('at', 'heading', 'end'),
    [
        ((13, 7), 0.0, math.pi / 2),
        ((13, 7), -math.pi / 2, -math.pi),
        ((1, 1), math.pi, math.pi / 2),
        ((1, 1), -math.pi / 2, 0.0),
    ],
)
def test_t42_robots_turn_around_corners(at, heading, end):
    stage = Stage(BLOCK + '    - rect: {from: [0, 0], to: [40, 40]}\n')
    stage.place(*at, heading)
    assert stage.code(stage.robot.turn_corner()) == 'NIL'
    assert math.remainder(stage.truth.heading - end, math.tau) == pytest.approx(0, abs=1e-9)


def test_t43_there_is_no_corner_in_the_open_nor_one_met_head_on():
    stage = Stage(BLOCK)
    assert stage.code(stage.robot.turn_corner()) == 'NO-CORNER'
    stage.place(13, 7, math.pi)
    assert stage.code(stage.robot.turn_corner()) == 'NO-CORNER'


def test_a_wall_is_followed_to_its_end():
    stage = Stage('  walls:\n    - wall: {from: [20, 21], to: [28, 21]}\n')
    stage.place(20, 20, 0.2)
    assert stage.code(stage.robot.follow_wall('right')) == 'NIL'
    assert stage.truth.cell == (29, 20)
    assert stage.code(stage.robot.follow_wall('right')) == 'NO-WALL'


def test_a_wall_is_followed_up_to_another_one_or_a_thing():
    stage = Stage(
        '  walls:\n    - wall: {from: [20, 21], to: [28, 21]}\n'
        '    - wall: {from: [26, 18], to: [26, 21]}\n'
    )
    assert stage.code(stage.robot.follow_wall('right')) == 'NIL'
    assert stage.truth.cell == (25, 20)
    stage = Stage(TABLE + '  walls:\n    - wall: {from: [10, 19], to: [39, 19]}\n')
    assert stage.code(stage.robot.follow_wall('left')) == 'ROBOT-BLOCKED'
    assert stage.ticks_of(lambda: stage.robot.follow_wall('left', 0))[1].code == 'ROBOT-BLOCKED'
    stage.place(10, 20)
    assert stage.code(stage.robot.follow_wall('left', 3)) == 'NIL'
    assert stage.truth.x == pytest.approx(13)


@pytest.mark.parametrize('heading', [0.3, 0.6, 0.75, -0.7])
def test_a_robot_at_a_slant_follows_the_wall_to_its_end(heading):
    stage = Stage('  walls:\n    - wall: {from: [5, 22], to: [35, 22]}\n')
    stage.place(10, 21.3, heading)
    assert stage.code(stage.robot.follow_wall('right')) == 'NIL'
    assert stage.truth.cell == (36, 21)


@pytest.mark.parametrize('seed', range(5))
def test_a_robot_that_grazes_the_wall_goes_on_along_it(seed):
    stage = Stage('  walls:\n    - wall: {from: [5, 22], to: [35, 22]}\n', clean=False, seed=seed)
    stage.place(10, 21.4999, 0.6)
    assert stage.code(stage.robot.follow_wall('right')) == 'NIL'
    assert stage.truth.cell[0] == 36


def test_who_cannot_turn_does_not_follow_a_wall_at_a_slant():
    stage = Stage('  walls:\n    - wall: {from: [5, 22], to: [35, 22]}\n', min_turn_angle=0.0)
    stage.place(10, 21, 0.3)
    stage.wait(stage.robot.set_turn_angle(0))
    assert stage.code(stage.robot.follow_wall('right')) == 'NOT-MOVING'
    stage.place(10, 21)
    assert stage.code(stage.robot.follow_wall('right', 4)) == 'NIL'


@pytest.mark.parametrize('stops', [1, 2, 3])
def test_to_stop_more_than_once_in_a_tick_is_to_stop_once(stops):
    stage = Stage()
    stage.robot.go_forward(100)
    stage.tick(10)
    at = stage.truth.x
    commands = [stage.robot.stop() for _ in range(stops)]
    assert stage.code(commands[-1]) == 'NIL'
    assert [command.result().code for command in commands[:-1]] == ['INTERRUPT'] * (stops - 1)
    assert stage.truth.x == pytest.approx(at + 2)


def test_a_motion_that_another_command_has_ended_is_not_stopped_later():
    stage = Stage()
    stage.robot.go_forward(100)
    stage.tick(10)
    at = stage.truth.x
    stage.robot.stop()
    stage.robot.turn(1.0)
    assert stage.code(stage.robot.stop()) == 'NIL'
    assert stage.truth.x == at


def test_the_place_is_sensed_while_the_robot_moves():
    stage = Stage(DOORWAY)
    going = stage.robot.go_forward(3)
    assert stage.wait(stage.robot.place()).value == 'doorway'
    assert not going.done
    stage.wait(going)


def test_nobody_leaves_the_map():
    stage = Stage()
    stage.place(20, 20, -3.0)
    assert stage.code(stage.robot.go_forward(100)) == 'ROBOT-BLOCKED'
    assert stage.truth.cell[0] == 0


SCENE_WALL = '  walls:\n    - wall: {from: [0, 21], to: [40, 21], params: [1]}\n'


@pytest.mark.parametrize('slant', [1e-6, 1e-8, 1e-10, 1e-12])
def test_no_robot_enters_a_wall_however_flat_it_meets_it(slant):
    stage = Stage(SCENE_WALL)
    stage.place(10, 20.4)
    for turn in (math.pi / 2, -math.pi / 2 + slant, math.pi / 2):
        stage.code(stage.robot.turn(turn))
        stage.code(stage.robot.go_forward(15))
    assert stage.truth.cell[1] == 20


def test_no_robot_with_noise_gets_through_a_wall_that_it_follows():
    for seed in range(60):
        stage = Stage(SCENE_WALL, seed=seed, clean=False)
        stage.code(stage.robot.turn_right())
        stage.code(stage.robot.goto_wall())
        stage.code(stage.robot.turn_left())
        stage.code(stage.robot.follow_wall('right', 10))
        stage.code(stage.robot.turn_right())
        stage.code(stage.robot.go_forward(8))
        assert stage.truth.cell[1] == 20


def test_a_turn_that_would_never_end_does_not_begin():
    stage = Stage(min_turn_angle=0.0)
    stage.wait(stage.robot.set_turn_angle(1e-320))
    assert stage.code(stage.robot.turn(1.0)) == 'NOT-MOVING'


def test_an_old_odometer_does_not_reset_its_namesake():
    stage = Stage()
    old, new = stage.robot.new_odometer('x'), stage.robot.new_odometer('x')
    stage.wait(stage.robot.go_forward(3))
    with pytest.raises(ValueError, match='replaced'):
        old.reset()
    assert new.position().nominal.x == pytest.approx(3)
    with pytest.raises(ValueError, match='choose a'):
        stage.robot.new_odometer('main')


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
