"""What a camera looks at fills the picture, however narrow it is and wherever the robot walks."""

import math

import numpy as np
import pytest
import viser

from walking_robots.viewer.common.cameras import DIRECTIONS, FIELD, ROBOT, WHOLE, Subject
from walking_robots.viewer.common.colours import PLAIN
from walking_robots.viewer.common.mesh import mesh_of_quads
from walking_robots.viewer.common.stage import Stage

SUBJECT = Subject((0.0, 0.0, 0.5), 2.0)


@pytest.fixture
def stage(server: viser.ViserServer) -> Stage:
    return Stage(server.scene, '/odom', (0.0, 0.0, 1.0), 50.0, 1.0)


@pytest.mark.parametrize('aspect', [2.0, 1.0, 0.4])
@pytest.mark.parametrize('name', DIRECTIONS)
def test_the_ball_just_fills_the_narrower_side(name: str, aspect: float) -> None:
    eye, look_at = SUBJECT.seen(DIRECTIONS[name], aspect)
    assert look_at == SUBJECT.middle
    seen = math.asin(SUBJECT.radius / math.dist(eye, look_at))
    assert math.tan(seen) == pytest.approx(min(aspect, 1.0) * math.tan(FIELD / 2.0))
    way = np.subtract(eye, look_at)
    assert np.cross(way, DIRECTIONS[name]) == pytest.approx(np.zeros(3), abs=1e-9)


def test_views_of_the_robot_go_where_it_walks_if_the_ground_stays(stage: Stage) -> None:
    first = stage.view('Side', SUBJECT, 1.0)
    stage._move_to((3.0, 4.0, 1.2))
    _, look_at = stage.view('Side', SUBJECT, 1.0)
    assert look_at == pytest.approx(first[1]), 'the ground moves, not the camera'
    stage._root.position = (0.0, 0.0, 0.0)
    eye, look_at = stage.view('Side', SUBJECT, 1.0)
    assert look_at == pytest.approx((3.0, 4.0, 0.7))
    assert np.subtract(eye, look_at) == pytest.approx(np.subtract(*first))


def test_the_whole_scene_is_all_of_the_ground(stage: Stage) -> None:
    assert stage.view(WHOLE, SUBJECT, 1.0)[1] == pytest.approx(SUBJECT.middle), 'without one'
    corners = np.array([[(0, 0, 0), (6, 0, 0), (6, 8, 0), (0, 8, 0)]], dtype=float)
    turned = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    stage._replace_ground([mesh_of_quads('floor', corners, PLAIN)], (1.0, 0.0, -2.0), turned)
    stage._move_to((10.0, 0.0, 1.0))
    eye, look_at = stage.view(WHOLE, SUBJECT, 1.0)
    assert look_at == pytest.approx((-3.0 - 10.0, 3.0, -2.0))
    assert math.dist(eye, look_at) == pytest.approx(5.0 / math.sin(FIELD / 2.0))
    assert stage._plain.position[2] == -2.0, 'and the plain lies below it'


def test_the_first_view_is_the_one_of_the_system(stage: Stage) -> None:
    subject = SUBJECT._replace(direction=(0.0, -1.0, 0.0))
    eye, _ = stage.view(ROBOT, subject, 1.0)
    assert eye[::2] == pytest.approx((0.0, 0.5))
