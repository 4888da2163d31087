"""Test what is drawn of a plan: the way, its tube, frontiers, the goal and the spread."""

import math
from dataclasses import replace

import numpy as np
import pytest
import viser

from walking_robots.geometry.se2 import Pose2
from walking_robots.viewer.mdle.way_marks import WayMarks, band, discs, ellipse
from walking_robots.viewer.mdle.way_state import Spread, WayView

PLANNED = WayView(
    offered=True,
    active=True,
    way=((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)),
    tube=((0.0, 0.0), (0.5, 0.0)),
    width=0.2,
    frontiers=((3.0, 1.0), (2.0, 2.0)),
    goal=((1.0, 1.0),),
    pose=Pose2(0.5, 0.2),
    spread=Spread(0.04, 0.01, 0.0),
)


def test_a_band_has_its_width_and_faces_up() -> None:
    vertices, faces = band(((0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (2.0, 0.0)), 0.2, 0.01)
    assert len(vertices) == 6, 'without the turn on the spot'
    assert sorted(set(vertices[:, 1].round(6).tolist())) == pytest.approx([-0.1, 0.1])
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()
    assert len(band(((1.0, 1.0), (1.0, 1.0)), 0.2, 0.01)[1]) == 0
    assert len(band((), 0.2, 0.01)[1]) == 0


def test_discs_stand_at_their_places_and_face_up() -> None:
    vertices, faces = discs(((1.0, 2.0), (3.0, 4.0)), 0.1, 0.02)
    half = len(vertices) // 2
    assert vertices[half:, :2].mean(axis=0) == pytest.approx((3.0, 4.0), abs=1e-6)
    assert faces[: len(faces) // 2].max() < half <= faces[len(faces) // 2 :].min()
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()


def test_the_ellipse_is_two_standard_deviations_wide() -> None:
    points = ellipse(PLANNED, 0.0)[:, 0]
    off = points[:, :2] - (0.5, 0.2)
    assert np.abs(off).max(axis=0) == pytest.approx((0.4, 0.2), abs=0.01)
    turned = replace(PLANNED, spread=Spread(0.025, 0.025, 0.015))
    far = ellipse(turned, 0.0)[:, 0, :2] - (0.5, 0.2)
    longest = far[np.argmax(np.hypot(far[:, 0], far[:, 1]))]
    assert abs(math.atan2(longest[1], longest[0]) % math.pi) == pytest.approx(math.pi / 4, abs=0.1)
    assert turned.spread.sigma == pytest.approx(0.2)
    assert len(ellipse(replace(PLANNED, pose=None), 0.0)) == 1


def test_what_is_over_is_not_shown_any_more(server: viser.ViserServer) -> None:
    marks = WayMarks(server.scene, '/map')
    marks.show(PLANNED)
    assert len(marks._way.points) == 2
    assert marks._sheets.keys() == {'tube', 'frontiers'}
    assert marks._goal._frame.visible
    marks.show(replace(PLANNED, way=(), tube=(), frontiers=(), goal=()))
    assert marks._sheets == {}
    assert not marks._goal._frame.visible


def test_what_has_not_changed_costs_no_message(
    server: viser.ViserServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = WayMarks(server.scene, '/map')
    marks.show(PLANNED)
    sent: list[object] = []
    monkeypatch.setattr(server.scene._websock_interface, 'queue_message', sent.append)
    marks.show(replace(PLANNED, state='keep', remaining=1.0))
    assert sent == []
