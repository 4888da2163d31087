"""The robot of the thesis: its logged session, limits, body and parts (aquarobot.md §12)."""

import math

import numpy as np
import pytest

from walking_robots.legs.dh import standard_chain
from walking_robots.robots.aquarobot import AQUAROBOT, ATTACHMENTS, LENGTH_UNIT, STANDARD_LINKS
from walking_robots.simulation.aquarobot.frames import attitude_of, orthonormal, transform
from walking_robots.simulation.aquarobot.moves import NULL_MOVE, move_of
from walking_robots.simulation.aquarobot.robot import INITIAL_HEIGHTS, moved, reset_state

LOW, HIGH = (-60.0, -106.6, -156.4), (60.0, 73.4, 23.6)


def leg_move(leg, *increments):
    """Move one leg by increments in degrees."""
    joints = np.zeros((6, 3))
    joints[leg - 1] = np.radians(increments)
    return move_of(joints=joints)


def random_moves(count, seed=5):
    generator = np.random.default_rng(seed)
    for _ in range(count):
        yield move_of(generator.uniform(-1, 1, 6), generator.uniform(-1, 1, (6, 3)))


def test_a5_the_logged_session():
    joints = np.zeros((6, 3))
    joints[2] = 0.1, 0.2, 0.3
    state = moved(reset_state(), move_of(joints=joints))
    assert np.degrees(state.joints[2]) == pytest.approx([5.729578, 73.4, -139.211266], abs=1e-6)
    assert state.limit_flags.nonzero() == (2, 1)
    assert state.motion_complete.tolist() == [True, True, False, True, True, True]
    assert state.answer
    assert np.degrees(state.residual.joints[2]) == pytest.approx([0, 4.459156, 0], abs=1e-6)
    points = [
        [-18.75, 32.475953, -54.181866],
        [-30.429207, 48.711596, -54.181866],
        [-38.770741, 60.307432, -102.097995],
        [-62.698147, 93.569694, -10.877924],
    ]
    assert state.points[2] == pytest.approx(np.array(points), abs=1e-6)
    assert np.array_equal(state.previous_feet, reset_state().feet)


def test_a7_an_increment_within_the_limits():
    state = moved(reset_state(), leg_move(1, 5, 2, 3))
    assert state.feet[0] == pytest.approx([84.442489, 4.106936, -1.051220], abs=1e-6)
    assert not state.limit_flags.any() and state.motion_complete.all()


@pytest.mark.parametrize('joint', range(3))
@pytest.mark.parametrize(('sign', 'limit'), [(1, HIGH), (-1, LOW)])
def test_a6_a_joint_stops_on_its_limit_by_default(joint, sign, limit):
    reported = [0.0, 0.0, 0.0]
    reported[joint] = 1000.0 * sign
    state = moved(reset_state(), leg_move(4, *reported))
    assert state.joints[3, joint] == math.radians(limit[joint])
    assert state.limit_flags.sum() == 1 and state.limit_flags[3, joint]
    resting = moved(state, NULL_MOVE)
    assert not resting.limit_flags.any() and resting.motion_complete.all()
    reported[joint] = -1.0 * sign
    assert not moved(state, leg_move(4, *reported)).limit_flags.any()


def test_a6_the_knee_of_the_reset_pose_is_on_its_limit():
    assert moved(reset_state(), leg_move(1, 0, 0, -0.001)).limit_flags[0].tolist() == [0, 0, 1]
    assert not moved(reset_state(), leg_move(1, 0, 0, 0.001)).limit_flags.any()


def test_a_rejected_move_moves_nothing_and_shows_what_was_left():
    before = reset_state()
    move = move_of((0.1, 0, 0, 5, 0, 0), leg_move(2, 1, 20, 3).joints)
    state = moved(before, move, limit_mode='reject')
    assert np.array_equal(state.links, before.links) and np.array_equal(state.pose, before.pose)
    assert state.limit_flags.nonzero() == (1, 1)
    assert state.residual is move
    assert state.motion_complete.tolist() == [True, False, True, True, True, True]
    within = leg_move(2, 1, 2, 3)
    assert np.array_equal(
        moved(before, within, limit_mode='reject').joints, moved(before, within).joints
    )


def test_a11_increments_of_the_body_are_along_its_own_axes():
    state = reset_state()
    for _ in range(2):
        state = moved(state, move_of((0.1, 0, 0, 10, 0, 0)))
    assert state.position == pytest.approx([19.950042, 0.998334, -54.181866], abs=1e-6)
    assert state.attitude == pytest.approx((0.2, 0.0, 0.0), abs=1e-12)
    move = move_of((0.1, -0.05, 0.02, 5, -3, 2))
    once = moved(reset_state(), move)
    rows = [
        [0.993761, -0.100808, -0.047723, 5],
        [0.099709, 0.994705, -0.024887, -3],
        [0.049979, 0.019974, 0.998551, -52.181866],
    ]
    assert once.pose[:3] == pytest.approx(np.array(rows), abs=1e-6)
    twice = moved(once, move)
    assert twice.position == pytest.approx([10.175781, -5.535348, -49.994790], abs=1e-6)
    assert twice.attitude == pytest.approx((0.199366, -0.101741, 0.034962), abs=1e-6)
    assert twice.feet[0] == pytest.approx([80.749257, 6.791795, 11.747057], abs=1e-6)
    assert twice.feet[3] == pytest.approx([-70.428949, -23.753712, -3.999157], abs=1e-6)


def test_increments_in_the_earth_frame_add_to_position_and_angles():
    state = reset_state()
    for _ in range(20):
        state = moved(state, move_of((0.1, 0.1, 0.05, 1, -2, 3)), increment_frame='earth')
    assert state.attitude == pytest.approx((2.0, 2.0, 1.0))
    wanted = transform(2.0, 2.0, 1.0, 20.0, -40.0, 60.0 - 54.181866)
    assert state.pose == pytest.approx(wanted, abs=1e-12)


def test_a17_a_robot_has_31_components():
    state = moved(reset_state(), next(random_moves(1)))
    found = state.components()
    kinds = ['link' if '_' in name else name.strip('123456') for name in found]
    assert (kinds.count('body'), kinds.count('leg'), kinds.count('link')) == (1, 6, 24)
    assert len(found) == 31
    assert np.array_equal(found['leg3_link3'][:3, 3], state.feet[2])
    hips = [(found[f'leg{leg}'] @ [37.5, 0, 0, 1])[:3] for leg in range(1, 7)]
    assert np.array(hips) == pytest.approx(state.points[:, 0], abs=1e-12)


def test_the_links_are_those_of_the_denavit_hartenberg_table():
    links = [(math.radians(row.twist), row.length, row.displacement) for row in STANDARD_LINKS]
    state = reset_state()
    for move in random_moves(20):
        state = moved(state, move)
        angles = np.column_stack([np.radians(ATTACHMENTS), state.joints])
        base = np.broadcast_to(state.pose, (6, 4, 4))
        assert state.links == pytest.approx(standard_chain(base, angles, links), abs=1e-10)


def test_the_feet_are_those_of_the_robot_in_the_house_frame():
    state = moved(reset_state(), move_of(joints=next(random_moves(1)).joints))
    flip = np.array([1.0, -1.0, -1.0])
    for leg, joints, foot in zip(AQUAROBOT.legs, state.joints, state.feet, strict=True):
        ours = leg.forward(np.array(leg.directions) * joints)
        theirs = LENGTH_UNIT * flip * (foot - state.position)
        assert theirs == pytest.approx(ours, abs=1e-12)


def test_the_feet_of_the_reset_pose_are_on_the_ground_to_the_digits_of_its_height():
    for height, foot in (('literal', -2.478e-6), ('printed', -3.6478e-5), ('analytic', 0.0)):
        assert reset_state(height).feet[:, 2] == pytest.approx(np.full(6, foot), abs=1e-9)
    assert INITIAL_HEIGHTS['analytic'] == pytest.approx(-54.1818635219, abs=1e-10)


@pytest.mark.parametrize('angles', [(0.3, 0.2, 0.1), (2.0, 0.2, 0.1), (-3.0, -1.5, 2.9)])
def test_angles_are_found_again_where_the_thesis_loses_them(angles):
    assert attitude_of(transform(*angles, 1, 2, 3)) == pytest.approx(angles, abs=1e-12)


@pytest.mark.parametrize('elevation', [math.pi / 2, -math.pi / 2])
def test_a_body_that_points_straight_up_or_down_has_no_roll(elevation):
    pose = transform(0.7, elevation, 0.2, 0, 0, 0)
    found = attitude_of(pose)
    assert found[2] == 0.0
    assert transform(*found, 0, 0, 0) == pytest.approx(pose, abs=1e-12)


def test_a21_a_hundred_thousand_moves_leave_a_rotation():
    state = reset_state()
    increments = np.random.default_rng(21).normal(0.0, 0.01, (100_000, 6))
    pose = state.pose
    for six in increments.tolist():
        pose = orthonormal(pose @ transform(*six))
    rotation = pose[:3, :3]
    assert np.abs(rotation.T @ rotation - np.eye(3)).max() < 1e-15 * 4
    assert attitude_of(pose) != (0.0, 0.0, 0.0)


def test_a21_what_is_no_rotation_becomes_one_again():
    pose = transform(0.3, 0.2, 0.1, 1, 2, 3)
    pose[:3, :3] += 1e-4 * np.random.default_rng(1).normal(size=(3, 3))
    errors = []
    for _ in range(3):
        errors.append(np.abs(pose[:3, :3].T @ pose[:3, :3] - np.eye(3)).max())
        pose = orthonormal(pose)
    assert errors[0] > 1e-4 and errors[1] < 1e-7 and errors[2] < 1e-13
    assert pose[:3, 3].tolist() == [1, 2, 3]


def test_a21_a_move_of_the_body_mends_its_rotation():
    bad = transform(0.3, 0.2, 0.1, 1, 2, 3)
    bad[:3, :3] *= 1.0 + 1e-6
    rotation = moved(reset_state()._replace(pose=bad), move_of((0, 0, 0, 1, 0, 0))).pose[:3, :3]
    assert np.abs(rotation.T @ rotation - np.eye(3)).max() < 1e-11


@pytest.mark.parametrize(
    ('body', 'joints', 'word'),
    [((0, 0), None, '6 increments'), ((0,) * 6, [[0] * 3] * 5, '3 of each of 6'),
     ((math.nan, 0, 0, 0, 0, 0), None, 'finite'), ((0,) * 6, [[math.inf] * 3] * 6, 'finite')],
)  # fmt: skip
def test_what_is_no_move_is_refused(body, joints, word):
    with pytest.raises(ValueError, match=word):
        move_of(body, joints)
