"""Test what pages are reported of their hexapods."""

import math

import numpy as np
import pytest

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.nodes.hexapod.page_machine import hexapod_machine
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.viewer.hexapod.articulated_machine import tidy
from walking_robots.viewer.hexapod.machine import HexapodMachine
from walking_robots.viewer.hexapod.overlay import volume_mesh


@pytest.fixture(scope='module', params=['aquarobot', 'insect18', 'rectangular'])
def robot(request: pytest.FixtureRequest) -> ArticulatedHexapod:
    return find_hexapod(request.param)


def test_asv_is_driven_within_its_limits(asv: HexapodMachine) -> None:
    forward, lateral, turn = asv.velocities
    assert (forward.limit, lateral.limit, turn.limit) == pytest.approx((0.6096, 0.3048, 0.1))
    # A tenth of a command comes through the first filter: 0.02 ft/s is the dead zone.
    assert forward.least == pytest.approx(5 * 0.02 * 0.3048)
    assert asv.rows == ((1, 2), (3, 4), (5, 6))
    assert asv.size == 1.0


def test_legs_are_placed_as_on_the_robot() -> None:
    assert hexapod_machine(AQUAROBOT, 'tripod').rows == ((1,), (6, 2), (5, 3), (4,))
    assert hexapod_machine(find_hexapod('insect18'), 'tripod').rows == ((1, 2), (3, 4), (5, 6))


def test_the_chosen_gait_comes_first_and_sets_the_limits(robot: ArticulatedHexapod) -> None:
    machine = hexapod_machine(robot, 'wave')
    wave, tripod, ripple = machine.gaits
    assert (wave.name, tripod.name, ripple.name) == ('wave', 'tripod', 'ripple')
    assert wave.speed < ripple.speed < tripod.speed
    assert [slider.limit for slider in machine.velocities] == [wave.speed, wave.speed, wave.turn]
    assert 0.4 * wave.speed < machine.velocities[0].value < wave.speed
    assert all(10 <= slider.limit / slider.step <= 50 for slider in machine.velocities)


def test_every_joint_has_room_at_home(robot: ArticulatedHexapod) -> None:
    machine = hexapod_machine(robot, 'tripod')
    legs = ArticulatedLegs(robot)
    values = legs.values(legs.inverse(np.array(robot.neutral_feet))).ravel().tolist()
    ends = np.sort([legs.values(legs.low).ravel(), legs.values(legs.high).ravel()], axis=0)
    assert list(machine.joints) == list(robot.joint_names())
    shown = np.array(list(machine.joints.values())).T
    assert shown == pytest.approx(ends)
    for (low, high), value in zip(machine.joints.values(), values, strict=True):
        assert low < value < high


def test_the_wire_frame_begins_at_the_front(robot: ArticulatedHexapod) -> None:
    outline = hexapod_machine(robot, 'tripod').outline
    assert sorted(outline) == sorted(robot.outline)
    assert outline[0][0] == max(x for x, _ in outline)


def test_volumes_are_closed_and_hold_their_feet(robot: ArticulatedHexapod) -> None:
    for signs, foot in zip(hexapod_machine(robot, 'tripod').legs, robot.neutral_feet, strict=True):
        corners, faces = volume_mesh(signs.volume)
        edges = [edge for a, b, c in faces.tolist() for edge in ((a, b), (b, c), (c, a))]
        assert len(corners) - len(edges) // 2 + len(faces) == 2, 'as of any convex body (Euler)'
        assert sorted(edges) == sorted((b, a) for a, b in edges)
        a, b, c = (corners[faces[:, place]].astype(float) for place in range(3))
        away = a - corners.mean(axis=0)
        assert (np.einsum('ij,ij->i', np.cross(b - a, c - a), away) > 0).all(), 'faces look out'
        assert (corners.min(axis=0) < foot).all() and (foot < corners.max(axis=0)).all()


def test_the_volume_of_the_asv_is_a_prism() -> None:
    for leg in ASV.legs:
        corners, faces = volume_mesh(leg.volume)
        assert corners.shape == (8, 3)
        assert faces.shape == (12, 3)
        assert float(corners[:, 0].max() - corners[:, 0].min()) == pytest.approx(7 * 0.3048)


@pytest.mark.parametrize(
    ('value', 'wanted'), [(0.0036, 0.002), (0.05, 0.05), (7.9, 5.0), (1.0, 1.0), (0.19, 0.1)]
)
def test_steps_of_sliders_are_tidy(value: float, wanted: float) -> None:
    assert math.isclose(tidy(value), wanted)


def test_the_free_gait_shows_time_left_in_the_volumes_and_new_terrain(
    robot: ArticulatedHexapod,
) -> None:
    machine = hexapod_machine(robot, 'free')
    assert machine.gaits == () and machine.body is None
    assert machine.reach is not None and machine.obstacles is not None
    assert not machine.obstacles.widest
    assert machine.outline == hexapod_machine(robot, 'tripod').outline
    assert 0.0 < machine.velocities[0].least < machine.velocities[0].value
