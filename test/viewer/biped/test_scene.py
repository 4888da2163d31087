"""Test what the page of the bipeds draws, without a browser."""

import math
from dataclasses import replace

import numpy as np
import pytest
import viser

from walking_robots.robots.kwalk import KWALKS, LEFT, RIGHT
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.robots.urdf.description import robot_description
from walking_robots.viewer.biped.colours import LegAction
from walking_robots.viewer.biped.overlay import METRES_PER_NEWTON, MOST, PUSH_METRES_PER_NEWTON
from walking_robots.viewer.biped.ribbon import (
    HALF_WIDTH,
    cell_meshes,
    milestones,
    ribbon_meshes,
    tick_marks,
)
from walking_robots.viewer.biped.scene import BipedScene
from walking_robots.viewer.biped.state import BipedSettings, BipedView, CellGround, SpatialPlace

STEP = ((-1.0, 0.0), (1.0, 0.0), (1.2, 0.1), (3.0, 0.1))


@pytest.fixture
def scene(server: viser.ViserServer) -> BipedScene:
    robots = {**KWALKS, **SPATIAL_KWALKS}
    descriptions = {letter: robot_description(robot.name) for letter, robot in robots.items()}
    return BipedScene(server.scene, descriptions)


def tip(handle: viser.LineSegmentsHandle | viser.ArrowsHandle) -> np.ndarray:
    """Return where a line ends, m, odom."""
    turn = viser.transforms.SO3(np.asarray(handle.wxyz))
    return turn.apply(np.asarray(handle.points[0, 1], dtype=float)) + handle.position


def test_the_ribbon_lies_on_the_points_of_the_ground() -> None:
    surface, earth = ribbon_meshes(STEP)
    assert len(surface.faces) == len(earth.faces) == 2 * 3
    found = {(round(float(x), 4), round(float(z), 4)) for x, _, z in surface.vertices}
    assert found == set(STEP)
    assert {abs(round(float(y), 4)) for y in surface.vertices[:, 1]} == {HALF_WIDTH}
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all(), 'it faces upwards'
    assert (earth.vertices[:, 1] == np.float32(-HALF_WIDTH)).all(), 'on the side one looks from'
    assert ribbon_meshes(()) == []


def test_marks_measure_the_ground_in_metres() -> None:
    assert milestones(STEP) == [(-1, 0.0), (0, 0.0), (1, 0.0), (2, pytest.approx(0.1)),
                                (3, pytest.approx(0.1))]  # fmt: skip
    marks = tick_marks(STEP)
    assert len(marks) == 41
    lengths = marks[:, 0, 2] - marks[:, 1, 2]
    assert (lengths > 0.05).sum() == 5, 'a longer one every metre'


def test_a_ground_takes_the_place_of_the_old_one(scene: BipedScene) -> None:
    scene.show_terrain(STEP)
    old = scene._ground
    scene.show_terrain(((0.0, 0.0), (1.5, 0.0)))
    assert [sign.text for sign in scene._signs] == ['0 m', '1 m']
    assert old is not None and old._impl.removed
    assert scene._ground is not None and not scene._ground._impl.removed


def test_virtual_legs_go_from_hip_to_foot_in_the_colour_of_what_they_do(
    scene: BipedScene, lowering: BipedView
) -> None:
    scene.show(lowering)
    for side, action in ((RIGHT, LegAction.CARRIES), (LEFT, LegAction.LOWERED)):
        line = scene.overlay._legs[side]
        length, angle = lowering.lengths[side], lowering.angles[side]
        foot = (1.5 - length * math.sin(angle), 0.65 - length * math.cos(angle))
        assert tip(line)[[0, 2]] == pytest.approx(foot, abs=1e-6)
        assert tuple(line.colors) == action.colour
        assert line.visible
    scene.overlay.show_legs(False)
    scene.show(replace(lowering, time=4.3))
    assert not scene.overlay._legs[RIGHT].visible


def test_forces_are_arrows_at_the_feet_that_bear_them(
    scene: BipedScene, lowering: BipedView
) -> None:
    scene.show(lowering)
    right, left = scene.overlay._forces
    assert right.visible and not left.visible
    assert tuple(right.position)[::2] == pytest.approx((1.44, 0.1))
    drawn = tip(right) - right.position
    assert drawn[[0, 2]] == pytest.approx(np.array((30.0, 90.0)) * METRES_PER_NEWTON, abs=1e-6)
    scene.show(replace(lowering, forces=((0.0, 2000.0), (0.0, 0.0))))
    assert (tip(right) - right.position)[2] == pytest.approx(MOST * METRES_PER_NEWTON)
    scene.overlay.show_forces(False)
    scene.show(lowering)
    assert not right.visible


def test_a_push_is_an_arrow_to_the_hips_while_it_acts(
    scene: BipedScene, lowering: BipedView
) -> None:
    push = scene.overlay._push
    scene.show(lowering)
    assert not push.visible
    scene.show(replace(lowering, push=-40.0))
    assert push.visible
    start, end = push.points[0] + push.position
    assert end[[0, 2]] == pytest.approx((1.5, 0.65))
    assert start[0] - end[0] == pytest.approx(40.0 * PUSH_METRES_PER_NEWTON), 'from ahead'
    scene.show(lowering)
    assert not push.visible


def test_the_page_shows_the_robot_that_walks(scene: BipedScene, lowering: BipedView) -> None:
    scene.show(lowering)
    assert (scene._frames['a'].visible, scene._frames['b'].visible) == (False, True)
    scene.show(replace(lowering, settings=BipedSettings('a')))
    assert (scene._frames['a'].visible, scene._frames['b'].visible) == (True, False)
    base = scene._vehicles['a']._base
    assert tuple(base.position) == (1.5, 0.0, 0.65)
    assert tuple(base.wxyz) == pytest.approx((math.cos(0.025), 0.0, math.sin(0.025), 0.0))


def test_the_picture_follows_the_ground_and_not_the_hips(
    scene: BipedScene, lowering: BipedView
) -> None:
    scene.show(lowering)
    before = tuple(scene._root.position)
    assert before[0] == -1.5
    scene.show(replace(lowering, z=0.70, height=0.60))
    assert tuple(scene._root.position) == pytest.approx(before), 'the hips are seen to rise'
    scene.show(replace(lowering, z=5.65))
    assert scene._root.position[2] == pytest.approx(-5.1), 'a jump is followed at once'


def test_a_robot_in_space_is_drawn_where_it_is(scene: BipedScene, lowering: BipedView) -> None:
    hips, feet = ((0.0, -0.06, 0.5), (0.0, 0.06, 0.5)), ((0.1, -0.1, 0.0), (-0.1, 0.1, 0.02))
    attitude = (math.cos(0.1), 0.0, 0.0, math.sin(0.1))
    place = SpatialPlace((1.0, 2.0, 0.5), attitude, hips, feet, ((5.0, 3.0, 80.0), (0.0,) * 3))
    scene.show(replace(lowering, settings=BipedSettings('b3d'), space=place))
    base = scene._vehicles['b3d']._base
    assert (tuple(base.position), tuple(base.wxyz)) == ((1.0, 2.0, 0.5), pytest.approx(attitude))
    for line, foot in zip(scene.overlay._legs, feet, strict=True):
        assert tip(line) == pytest.approx(foot, abs=1e-6)
    right, left = scene.overlay._forces
    assert right.visible and not left.visible
    drawn = tip(right) - right.position
    assert drawn == pytest.approx(np.array((5.0, 3.0, 80.0)) * METRES_PER_NEWTON, abs=1e-6)
    assert scene._root.position[1] == -2.0


def test_cells_have_tops_and_sides() -> None:
    ground = CellGround(np.array(((0.0, 0.0, 0.01), (0.2, 0.0, 0.02))), 0.2)
    top, sides = cell_meshes(ground)
    assert top.vertices[:, 0].min() == pytest.approx(-0.1)
    assert top.vertices[:, 0].max() == pytest.approx(0.3)
    assert {round(float(z), 3) for z in top.vertices[:, 2]} == {0.01, 0.02}
    assert len(sides.faces) == 2 * 4 * 2


def test_cells_take_the_place_of_a_ribbon(scene: BipedScene) -> None:
    scene.show_terrain(STEP)
    assert scene._signs
    scene.show_terrain(CellGround(np.zeros((3, 3)), 0.2))
    assert not scene._signs and scene._ground is not None
