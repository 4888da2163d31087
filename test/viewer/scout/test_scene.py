"""Test what the Scout's page draws, without a browser."""

import math
import urllib.request
from dataclasses import replace

import numpy as np
import pytest
import viser

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.urdf.description import robot_description
from walking_robots.viewer.common.colours import Colour
from walking_robots.viewer.scout import colours
from walking_robots.viewer.scout.page import scout_page
from walking_robots.viewer.scout.scene import PIECE, PIECES, ScoutScene, Trail
from walking_robots.viewer.scout.sonar import fans
from walking_robots.viewer.scout.state import ScoutView, Walls
from walking_robots.viewer.scout.walls import HEIGHT, wall_meshes

SONAR = SUPER_SCOUT.sonar


@pytest.fixture
def scene(server: viser.ViserServer) -> ScoutScene:
    return ScoutScene(server.scene, robot_description('super_scout'), SUPER_SCOUT)


def test_a_fan_begins_at_its_sensor_and_ends_at_the_echo() -> None:
    found = fans(SONAR, [1.5] * 16)
    left = found[4]
    assert left[0] == pytest.approx((0.0, SONAR.radius, SONAR.height), abs=1e-6)
    ways = np.hypot(*(left[1:, :2] - left[0, :2]).T)
    assert ways == pytest.approx(1.5, rel=1e-5)
    wide = np.arctan2(*(left[[1, -1], :2] - left[0, :2]).T)
    assert abs(wide[0] - wide[1]) == pytest.approx(SONAR.field_of_view, rel=1e-4)


def test_fans_end_at_walls(scene: ScoutScene, driving: ScoutView) -> None:
    # A wall up to y = 1 m, to the right of a robot that heads along x; the grid is turned.
    occupied = np.zeros((40, 80), dtype=bool)
    occupied[:, :10] = True
    walls = Walls(occupied, 0.1, Pose2(3.0, 0.0, math.pi / 2.0))
    scene.show_terrain(walls)
    robot = Pose2(1.0, 2.0, 0.0)
    scene.show(replace(driving, pose=robot, truth=robot, ranges=(math.inf,) * 16))
    silent = np.array([mesh.vertices[:-2] for mesh in scene._sonar._fans])
    assert silent[12, 1:, 1] + 2.0 == pytest.approx(1.0), 'to the right'
    assert silent[:, :, 1].min() + 2.0 > 1.0 - 1e-5, 'none goes behind the wall'
    ahead = np.hypot(*(silent[0, 4, :2] - silent[0, 0, :2]))
    assert ahead == pytest.approx(2.0 - SONAR.radius, abs=1e-5), 'outside of the map all is wall'


@pytest.mark.parametrize(
    ('value', 'colour', 'length'),
    [
        (math.inf, colours.SILENT, SONAR.far),
        (-math.inf, colours.TOO_NEAR, SONAR.near),
        (math.nan, colours.ECHO, 0.0),
    ],
)
def test_what_is_no_echo_has_a_look_of_its_own(
    scene: ScoutScene, driving: ScoutView, value: float, colour: Colour, length: float
) -> None:
    scene.show(replace(driving, ranges=(value,) * 16))
    assert not scene._sonar._arcs.points.any()
    for mesh in scene._sonar._fans:
        way = np.hypot(*(mesh.vertices[3, :2] - mesh.vertices[0, :2]))
        assert way == pytest.approx(length, abs=1e-5)
        assert mesh.color == colour


def test_fans_have_their_middle_in_the_robot(scene: ScoutScene, driving: ScoutView) -> None:
    scene.show(driving)
    for mesh in scene._sonar._fans:
        corners = mesh.vertices
        assert (corners.min(axis=0) + corners.max(axis=0))[:2].tolist() == [0.0, 0.0]


def test_only_the_fan_that_changed_is_sent(
    scene: ScoutScene, driving: ScoutView, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.show(driving)
    sent = []
    for handle in (viser.MeshHandle, viser.LineSegmentsHandle):
        monkeypatch.setattr(handle, '_queue_update', lambda node, *_: sent.append(node.name))
    scene.show(replace(driving, ranges=(*driving.ranges[:5], 0.5, *driving.ranges[6:])))
    assert sent == [scene._sonar._fans[5].name, scene._sonar._arcs.name]


def test_walls_stand_where_cells_are_occupied() -> None:
    occupied = np.zeros((4, 6), dtype=bool)
    occupied[1, 2:5] = True
    occupied[2, 2] = True
    meshes = {mesh.name: mesh for mesh in wall_meshes(Walls(occupied, 0.5))}
    assert len(meshes['tops'].faces) == 2 * 2, 'a tile for each run'
    assert len(meshes['sides'].faces) == 2 * 6, 'a side for each border of the L'
    top, sides = meshes['tops'].vertices, meshes['sides'].vertices
    assert (top[:, 0].min(), top[:, 0].max()) == pytest.approx((1.0, 2.5))
    assert (top[:, 1].min(), top[:, 1].max()) == pytest.approx((0.5, 1.5))
    assert set(sides[:, 2].tolist()) == {0.0, np.float32(HEIGHT)}


def test_walls_face_away_from_what_they_enclose() -> None:
    occupied = np.zeros((3, 3), dtype=bool)
    occupied[1, 1] = True
    meshes = {mesh.name: mesh for mesh in wall_meshes(Walls(occupied, 1.0))}
    sides = meshes['sides']
    a, b, c = (sides.vertices[sides.faces[:, k]] for k in range(3))
    outwards = (a + b + c)[:, :2] / 3.0 - 1.5
    normals = np.cross(b - a, c - a)
    assert len(sides.faces) == 8
    assert (np.sum(outwards * normals[:, :2], axis=1) > 0.0).all()


def test_a_world_without_walls_or_cells_is_nothing() -> None:
    assert wall_meshes(Walls(np.zeros((2, 2), bool), 1.0)) == []
    assert wall_meshes(Walls(np.zeros((0, 0), bool), 1.0)) == []


def test_walls_take_the_place_of_the_old_ones(scene: ScoutScene) -> None:
    scene.show_terrain(Walls(np.ones((2, 2), bool), 1.0))
    assert scene._ground is not None
    assert scene._plain.position[2] == 0.0
    scene.show_terrain(Walls(np.ones((1, 2), bool), 1.0, Pose2(-1.0, 3.0, math.pi)))
    assert tuple(scene._ground.position) == pytest.approx((-1.0, 3.0, 0.0))
    assert tuple(scene._ground.wxyz) == pytest.approx((0.0, 0.0, 0.0, 1.0), abs=1e-9)


def test_trail_notes_a_point_now_and_then_and_begins_anew_after_a_jump() -> None:
    trail = Trail()
    assert trail.changes(0.1) == {}
    for step in range(100):
        trail.add(Pose2(0.011 * step, 0.0, 0.0))
        trail.add(None)
    (line,) = trail.changes(0.1).values()
    assert len(line) == 99 // 3
    assert trail.changes(0.1) == {}
    trail.add(Pose2(5.0, 5.0, 0.0))
    (line,) = trail.changes(0.1).values()
    assert line[:, 0] == pytest.approx(np.array([(5.0, 5.0, 0.1)]))


def test_only_the_last_piece_of_a_trail_is_sent_again() -> None:
    trail = Trail()
    drawn: dict[int, np.ndarray] = {}
    for step in range(PIECE * (PIECES + 3)):
        trail.add(Pose2(0.04 * step, 0.0, 0.0))
        changed = trail.changes(0.0)
        assert len(changed) == 1
        drawn |= changed
    assert len(drawn) == PIECES, 'the oldest pieces make way'
    way = np.concatenate([line[:, :, 0] for line in drawn.values()])
    way = way[np.argsort(way[:, 0])]
    assert way[1:, 0] == pytest.approx(way[:-1, 1]), 'without a gap'
    trail.add(Pose2(-9.0, 0.0, 0.0))
    assert trail.changes(0.0).keys() == drawn.keys(), 'a jump ends all'


def test_robot_stands_on_odometry_and_its_outline_on_the_truth(
    scene: ScoutScene, driving: ScoutView
) -> None:
    scene.show(driving)
    assert tuple(scene._vehicle._base.position) == (1.0, 2.0, 0.0)
    assert tuple(scene._truth.position)[:2] == (1.03, 2.04)
    assert scene._truth.visible
    assert tuple(scene._root.position)[:2] == (-1.0, -2.0), 'the ground moves, not the picture'
    scene.show(replace(driving, truth=None))
    assert not scene._truth.visible


def test_a_trail_is_drawn_of_what_is_known(scene: ScoutScene, driving: ScoutView) -> None:
    for step in range(10):
        scene.note(replace(driving, pose=Pose2(0.1 * step, 0.0, 0.0), truth=None))
    scene.show_trails()
    (line,) = scene._lines.values()
    assert len(line.points) == 9
    scene.switch_trails(False)
    assert not line.visible


def test_pressed_switches_are_lit(scene: ScoutScene, driving: ScoutView) -> None:
    scene.show(replace(driving, bumper=(False, True, False, False, False, True)))
    lit = [tuple(sector.color) == colours.PRESSED for sector in scene._bumper._sectors]
    assert lit == [False, True, False, False, False, True]


def test_sonar_is_a_toggle(scene: ScoutScene) -> None:
    scene.switch_sonar(False)
    assert not any(mesh.visible for mesh in scene._sonar._fans)


def test_page_serves_and_closes(driving: ScoutView) -> None:
    page = scout_page(robot_description('super_scout'), port=0)
    page.show_terrain(Walls(np.ones((2, 2), bool), 1.0))
    page.show(driving)
    with urllib.request.urlopen(page.url, timeout=10) as answer:
        assert b'<html' in answer.read()
    page.close()
