"""Test what is drawn of a world: the manual's y downwards becomes the scene's y upwards."""

import math
from dataclasses import replace

import numpy as np
import pytest
import viser

from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.bodies import beside, names_of, places_of
from walking_robots.viewer.ars_magna.frame import REACH, CoordinateFrame, Sight
from walking_robots.viewer.ars_magna.ground import HEIGHT, ground_meshes
from walking_robots.viewer.ars_magna.machine import fan, track_end
from walking_robots.viewer.ars_magna.scene import ArsScene
from walking_robots.viewer.ars_magna.state import (
    ArsView,
    GroundView,
    PartView,
    RobotView,
    ThingView,
    WorldPicture,
)


@pytest.fixture
def scene(server: viser.ViserServer, ground: GroundView) -> ArsScene:
    scene = ArsScene(server.scene)
    scene.show_terrain(ground)
    return scene


def test_the_frame_turns_round_and_back() -> None:
    frame = CoordinateFrame(75)
    assert frame.point(10, 5) == (10, 69)
    assert frame.point(*frame.point(3.25, 7.5)) == (3.25, 7.5)
    assert frame.yaw(math.pi / 2) == -math.pi / 2, 'right is clockwise'


def test_walls_stand_around_whole_numbers_from_the_top(ground: GroundView) -> None:
    meshes = {mesh.name: mesh for mesh in ground_meshes(ground)}
    dark, bright = meshes['wall0'], meshes['wall7']
    assert dark.vertices.min(axis=0) == pytest.approx((0.5, 2.5, 0.0))
    assert dark.vertices.max(axis=0) == pytest.approx((1.5, 3.5, HEIGHT))
    assert bright.vertices[:, 0].min() == pytest.approx(1.5)
    assert len(dark.faces) == 2 * (1 + 3), 'a top, and no side towards the other wall'
    assert dark.colour[0] < bright.colour[0]


def test_walls_face_away_from_what_they_enclose() -> None:
    ground = GroundView(
        np.array([[False] * 3, [False, True, False], [False] * 3]), np.zeros((3, 3))
    )
    (walls,) = (mesh for mesh in ground_meshes(ground) if mesh.name == 'wall0')
    a, b, c = (walls.vertices[walls.faces[:, k]] for k in range(3))
    outwards = (a + b + c) / 3.0 - (1.0, 1.0, 0.5 * HEIGHT)
    assert (np.sum(outwards * np.cross(b - a, c - a), axis=1) > 0.0).all()
    assert len(walls.faces) == 2 * 5


def test_places_have_the_colours_of_the_manual(ground: GroundView) -> None:
    (mark,) = (mesh for mesh in ground_meshes(ground) if mesh.name == 'places0')
    assert mark.colour == colours.PLACES['doorway']
    centres = mark.vertices.reshape(-1, 4, 3).mean(axis=1)
    assert centres[:, :2].tolist() == [[5.0, 3.0], [4.0, 0.0]]


def test_a_world_without_cells_is_nothing() -> None:
    assert ground_meshes(GroundView(np.zeros((0, 0), bool), np.zeros((0, 0)))) == []


def test_width_grows_with_size_within_a_cell() -> None:
    widths = [colours.thing_width(size) for size in (0.0, 2.0, 5.0, 12.0, 20.0, 500.0)]
    assert widths == sorted(widths)
    assert (widths[0], widths[-1]) == pytest.approx((0.3, 1.0))
    assert colours.thing_width(10.0) - colours.thing_width(5.0) == pytest.approx(
        colours.thing_width(15.0) - colours.thing_width(10.0)
    )


def test_what_lies_together_is_drawn_apart_and_named_together(picture: WorldPicture) -> None:
    places, names = places_of(picture.things), names_of(picture.things)
    assert math.dist(places['LAMP#1'], places['SMALL-BOX#3']) > 0.5
    assert places['BIG-BOX#5'] == (5.0, 2.0)
    assert names == {'SMALL-BOX#3': 'lamp#1, small-box#3', 'BIG-BOX#5': 'big-box#5'}


def test_a_field_of_view_lies_around_where_the_camera_points() -> None:
    robot = RobotView('robbie', 20.0, 20.0, math.pi)
    shape = fan(PartView(math.pi / 2, math.pi / 4), robot, Sight(np.zeros((40, 40), dtype=bool)))
    assert shape[0, :2] == pytest.approx((0.0, 0.0))
    assert np.hypot(*shape[1:, :2].T) == pytest.approx(REACH)
    angles = np.arctan2(shape[1:, 1], shape[1:, 0])
    assert angles.mean() == pytest.approx(-math.pi / 2), 'clockwise is to the right'
    assert np.ptp(angles) == pytest.approx(math.pi / 4, rel=1e-5)


def test_a_field_of_view_ends_at_walls_and_at_the_edge_of_the_map() -> None:
    filled = np.zeros((20, 20), dtype=bool)
    filled[7, 10] = True
    sight, quarter = Sight(filled), math.pi / 2
    reach = sight.reach(10.0, 10.0, np.array((-quarter, 0.0, -quarter + 0.3)))
    assert reach == pytest.approx((2.5, REACH, REACH), abs=0.06)
    assert sight.reach(17.0, 17.0, np.array((0.0, quarter))) == pytest.approx(2.5, abs=0.06)
    assert sight.reach(10.0, 7.0, np.array((0.0,))) == [0.0]
    # The robot looks down, and its camera to the right.
    robot = RobotView('robbie', 13.0, 7.0, quarter)
    shape = fan(PartView(quarter, 0.2), robot, sight)
    assert shape[1:, 1].max() == pytest.approx(-2.5, abs=0.1)


def test_what_is_local_to_a_robot_is_named_with_it(scene: ArsScene, picture: WorldPicture) -> None:
    far, near = RobotView('gort', 5.0, 0.0, 0.0), RobotView('robbie', 3.4, 2.5, 0.0)
    assert beside((far, near), picture.things)['gort'] == ()
    scene.show(ArsView(picture=replace(picture, robots=(near,))))
    assert scene._robots['robbie'][1]._label.text == 'robbie: lamp#1, small-box#3'
    written = {name: body.label.text for name, (_, body) in scene._bodies._drawn.items()}
    assert written == {'LAMP#1': '', 'SMALL-BOX#3': '', 'BIG-BOX#5': 'big-box#5'}
    scene.show(ArsView(picture=picture))
    assert scene._robots['robbie'][1]._label.text == 'robbie'
    assert scene._bodies._drawn['SMALL-BOX#3'][1].label.text == 'lamp#1, small-box#3'


def test_a_track_ends_at_the_thing_or_where_the_robot_takes_it_to_be(
    picture: WorldPicture,
) -> None:
    robot = picture.robots[0]
    first = robot.cameras[0]
    assert track_end(first, robot, {'LAMP#1': (3.0, 3.0)}) == (3.0, 3.0)
    x, y = track_end(first._replace(denotation='FALSE'), robot, {'LAMP#1': (3.0, 3.0)}) or (0, 0)
    assert math.dist((x, y), (2.0, 1.0)) == pytest.approx(2.5)
    assert math.atan2(y - 1.0, x - 2.0) == pytest.approx(math.pi / 2 + 0.25)
    assert track_end(PartView(), robot, {}) is None


def test_robot_and_things_stand_in_the_scene(scene: ArsScene, picture: WorldPicture) -> None:
    scene.show(ArsView(picture=picture))
    machine = scene._robots['robbie'][1]
    assert tuple(machine._body.position) == pytest.approx((2.0, 2.0, 0.0))
    s = math.sqrt(0.5)
    assert tuple(machine._body.wxyz) == pytest.approx((s, 0.0, 0.0, -s)), 'looks down'
    tracking, stowed = machine._eyes
    assert tracking._track.visible
    assert tracking._fan.visible
    assert not stowed._fan.visible, 'a camera in a bin sees nothing from here'
    assert not stowed._track.visible
    bodies = {label: body for label, (_, body) in scene._bodies._drawn.items()}
    assert tuple(bodies['BIG-BOX#5'].frame.position) == pytest.approx((5.0, 1.0, 0.0))


@pytest.mark.parametrize('heading', [0.0, 1.0, 4.0])
def test_fans_have_their_middle_in_the_robot_whichever_way_they_look(
    scene: ArsScene, picture: WorldPicture, heading: float
) -> None:
    robot = replace(picture.robots[0], heading=heading)
    scene.show(ArsView(picture=replace(picture, robots=(robot,))))
    for eye in scene._robots['robbie'][1]._eyes:
        corners = eye._fan.vertices
        assert (corners.min(axis=0) + corners.max(axis=0))[:2].tolist() == [0.0, 0.0]


def test_things_come_go_and_change(scene: ArsScene, picture: WorldPicture) -> None:
    scene.show(ArsView(picture=picture))
    lamp = scene._bodies._drawn['LAMP#1'][1]
    moved = ThingView('LAMP#1', 0.0, 0.0, 2.0, 'lightred')
    scene.show(ArsView(picture=replace(picture, things=(moved,))))
    assert scene._bodies._drawn.keys() == {'LAMP#1'}
    assert scene._bodies._drawn['LAMP#1'][1] is lamp, 'moved, not made anew'
    assert tuple(lamp.frame.position) == pytest.approx((0.0, 3.0, 0.0))
    assert lamp.label.text == 'lamp#1'
    scene.show(ArsView(picture=replace(picture, things=(moved._replace(obsview=True),))))
    assert scene._bodies._drawn['LAMP#1'][1] is not lamp


def test_switches_hide_names_and_fields_of_view(scene: ArsScene, picture: WorldPicture) -> None:
    scene.switch_fans(False)
    scene.switch_labels(False)
    scene.show(ArsView(picture=picture))
    machine, body = scene._robots['robbie'][1], scene._bodies._drawn['BIG-BOX#5'][1]
    assert not machine._eyes[0]._fan.visible
    assert not machine._label.visible
    assert not body.label.visible
    scene.switch_fans(True)
    scene.switch_labels(True)
    assert machine._eyes[0]._fan.visible
    assert not machine._eyes[1]._fan.visible
    assert body.label.visible


def test_robots_with_other_cameras_are_drawn_anew(scene: ArsScene, picture: WorldPicture) -> None:
    scene.show(ArsView(picture=picture))
    before = scene._robots['robbie'][1]
    scene.show(ArsView(picture=replace(picture, robots=(RobotView('robbie', 0.0, 0.0, 0.0),))))
    assert scene._robots['robbie'][1] is not before
    scene.show(ArsView(picture=replace(picture, robots=())))
    assert scene._robots == {}


def test_the_robot_or_the_world_is_in_the_middle(scene: ArsScene, picture: WorldPicture) -> None:
    scene.show(ArsView(picture=picture))
    assert tuple(scene._root.position) == pytest.approx((-2.0, -2.0, 0.0))
    scene.follow(False)
    assert tuple(scene._root.position) == pytest.approx((-2.5, -1.5, 0.0))
    scene.show(ArsView(picture=picture))
    assert tuple(scene._root.position) == pytest.approx((-2.5, -1.5, 0.0))


def test_a_click_is_where_its_ray_meets_the_floor(scene: ArsScene, picture: WorldPicture) -> None:
    scene.show(ArsView(picture=picture))
    assert scene.cell_point((0.0, 0.0, 5.0), (0.0, 0.0, -1.0)) == pytest.approx((2.0, 1.0))
    x, y = scene.cell_point((0.0, -4.0, 4.0), (0.5, 1.0, -1.0)) or (0.0, 0.0)
    assert (x, y) == pytest.approx((4.0, 1.0))
    assert scene.cell_point((0.0, 0.0, 5.0), (1.0, 0.0, 0.0)) is None, 'it never does'
    assert scene.cell_point((0.0, 0.0, 5.0), (0.0, 0.0, 1.0)) is None
