"""The cameras of both programs show what the thesis' pictures showed (aquarobot.md §12)."""

import numpy as np
import pytest

from walking_robots.simulation.aquarobot.moves import move_of
from walking_robots.simulation.aquarobot.robot import moved, reset_state
from walking_robots.simulation.aquarobot.views import CLOS_VIEW, VIEWS, look_at
from walking_robots.simulation.aquarobot.wire_frame import CLOS_FIGURE, CPP_FIGURE, vertices

BODY = [(149, 178), (144, 180), (160, 180), (167, 178), (155, 176), (135, 177), (131, 179)]
LEGS = [
    [(144, 180), (142, 181), (140, 201), (140, 161)],
    [(160, 180), (166, 180), (171, 201), (170, 159)],
    [(167, 178), (177, 178), (189, 202), (185, 151)],
    [(155, 176), (158, 175), (163, 203), (162, 141)],
    [(135, 177), (127, 176), (116, 203), (119, 144)],
    [(131, 179), (123, 179), (112, 201), (116, 155)],
]
CENTRE, FOOT = 0, dict(zip(range(1, 7), range(11, 35, 4), strict=True))


def seen(state):
    return vertices(state.pose, state.points)


def test_a13_the_camera_of_the_lisp_program():
    found = CLOS_VIEW.pixels(seen(reset_state()))
    assert np.abs(found[:7] - BODY).max() <= 1
    assert np.abs(found[8:].reshape(6, 4, 2) - LEGS).max() <= 1
    assert CLOS_VIEW.pixels(np.zeros(3)).tolist() == [149, 153]


def test_a13_after_the_logged_session():
    joints = np.zeros((6, 3))
    joints[2] = 0.1, 0.2, 0.3
    state = moved(reset_state(), move_of(joints=joints))
    found = CLOS_VIEW.pixels(state.points[2])
    assert np.abs(found - [(167, 178), (177, 177), (186, 203), (204, 154)]).max() <= 1


def test_a13_what_is_behind_the_picture_plane_is_at_minus_one():
    ahead, side, down = CLOS_VIEW.pose[:3, 0], CLOS_VIEW.pose[:3, 1], CLOS_VIEW.pose[:3, 3]
    points = np.array([down + 4.99 * ahead + side, down + 5.01 * ahead, down - 50.0 * ahead])
    assert CLOS_VIEW.pixels(points).tolist() == [[-1, -1], [150, 150], [-1, -1]]


A14 = [
    ('initial', CENTRE, (0.0, 0.24713)),
    ('initial', FOOT[1], (0.37263, -0.07994)),
    ('initial', FOOT[2], (0.22359, -0.12814)),
    ('initial', FOOT[6], (0.15969, -0.04552)),
    ('above', FOOT[1], (0.49905, 0.0)),
    ('above', FOOT[2], (0.24952, -0.54024)),
    ('right', CENTRE, (0.0, 0.04038)),
    ('right', FOOT[2], (-0.61379, -0.57143)),
    ('behind', CENTRE, (0.0, 0.14779)),
    ('behind', FOOT[1], (0.59417, -0.37224)),
]


@pytest.mark.parametrize(('view', 'vertex', 'place'), A14)
def test_a14_the_views_of_the_cpp_program(view, vertex, place):
    point = seen(reset_state('printed'))[vertex]
    assert VIEWS[view].project(point) == pytest.approx(place, abs=6e-6)


def test_a14_the_left_view_as_printed_misses_the_robot_and_ours_does_not():
    printed = look_at((-250.0, 30.0, 0.0), (0.0, 0.0, -200.0))
    points = seen(reset_state('printed'))
    assert printed.project(points[CENTRE]) == pytest.approx((1.57009, 0.53144), abs=6e-6)
    assert np.abs(VIEWS['left'].project(points)).max() < 1.0


@pytest.mark.parametrize('view', VIEWS)
def test_every_view_shows_the_whole_robot(view):
    eye = VIEWS[view]
    lines = eye.lines(seen(reset_state()))
    assert lines.shape == (25, 2, 2)
    assert (lines >= eye.low).all() and (lines <= eye.high).all()
    assert np.linalg.det(eye.pose[:3, :3]) == pytest.approx(1.0)


@pytest.mark.parametrize(('figure', 'mark'), [(CLOS_FIGURE, (1, 7)), (CPP_FIGURE, (0, 1))])
def test_a_figure_is_the_hexagon_a_line_that_marks_the_front_and_six_legs(figure, mark):
    segments = [(int(first), int(last)) for first, last in figure.segments]
    assert segments[:6] == [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)]
    assert segments[6] == mark
    for leg, foot in FOOT.items():
        assert segments[4 + 3 * leg : 7 + 3 * leg] == [
            (node, node + 1) for node in range(foot - 3, foot)
        ]
    assert [stroke.first for stroke in figure.strokes[1:]] == [
        stroke.last for stroke in figure.strokes[:-1]
    ]
    assert (figure.strokes[0].first, figure.strokes[-1].last) == (0, len(segments))


def test_leg_1_alone_is_yellow():
    [yellow] = [stroke for stroke in CPP_FIGURE.strokes if stroke.colour == 'yellow']
    assert set(CPP_FIGURE.segments[yellow.first : yellow.last].ravel()) == {8, 9, 10, 11}


def test_lines_end_at_the_plane_where_sight_begins():
    eye = look_at((0.0, 54.1819, 110.0), (0.0, 54.1819, -200.0))
    points = seen(moved(reset_state('printed'), move_of((0, 0, 0, 0, 60, 0))))
    lines = eye.lines(points)
    behind = eye.seen(points)[eye.figure.segments][..., 0] < eye.near
    assert behind.all(axis=1).any() and (behind.any(axis=1) & ~behind.all(axis=1)).any()
    assert np.array_equal(np.isnan(lines).any(axis=(1, 2)), behind.all(axis=1))
    shown = ~behind.any(axis=1)
    assert lines[shown] == pytest.approx(eye.project(points)[eye.figure.segments][shown])
    # A line that leads past the camera keeps its direction: what is left of it is on the whole.
    cut = np.flatnonzero(behind.any(axis=1) & ~behind.all(axis=1))[0]
    start, end = points[eye.figure.segments[cut]]
    along = eye.seen(start + np.linspace(0, 1, 100_001)[:, None] * (end - start))
    edge = along[np.abs(along[:, 0] - eye.near).argmin()]
    kept = lines[cut][behind[cut].argmax()]
    assert kept == pytest.approx(edge[1:] / edge[0] * eye.gain, abs=1e-2)
