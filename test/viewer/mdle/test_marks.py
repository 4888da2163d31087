"""Test what a program draws in the scene: flags at its points, and the object."""

from dataclasses import replace

import pytest
import viser

from walking_robots.viewer.mdle.marks import MOST_FLAGS, Marks
from walking_robots.viewer.mdle.state import NamedPoint, PlanView


@pytest.fixture
def moved() -> list[tuple[float, float]]:
    return []


@pytest.fixture
def marks(server: viser.ViserServer, moved: list[tuple[float, float]]) -> Marks:
    return Marks(server.scene, '/map', lambda x, y: moved.append((x, y)))


def test_a_flag_stands_at_a_point_while_a_program_runs(marks: Marks, following: PlanView) -> None:
    marks.show(following)
    (flag,) = marks._flags
    assert flag._frame.visible
    assert tuple(flag._frame.position) == pytest.approx((2.02588, 1.424932, 0.0))
    assert flag._label.text == 'target'
    marks.show(replace(following, points=(NamedPoint('goal', -1.0, 0.5),)))
    assert tuple(flag._frame.position) == pytest.approx((-1.0, 0.5, 0.0))
    assert flag._label.text == 'goal'
    marks.show(replace(following, phase='TERMINATED'))
    assert not flag._frame.visible
    marks.show(following)
    assert flag._frame.visible
    assert marks._flags == [flag], 'the same one again'


def test_there_are_not_more_flags_than_one_can_distinguish(
    marks: Marks, following: PlanView
) -> None:
    marks.show(replace(following, points=tuple(NamedPoint(f'p{n}', n, 0.0) for n in range(100))))
    assert len(marks._flags) == MOST_FLAGS


def test_object_is_a_cylinder_that_stands_on_the_floor(marks: Marks, following: PlanView) -> None:
    assert not marks._handle.visible
    marks.show(following)
    drum = marks._drum
    assert drum is not None
    assert (drum.radius, drum.height) == (0.25, 0.4)
    assert tuple(drum.position) == pytest.approx((2.0, 1.5, 0.2))
    assert marks._handle.visible
    assert following.object
    marks.show(replace(following, object=following.object._replace(x=0.0)))
    assert marks._drum is drum, 'moved, not made anew'
    assert tuple(drum.position) == pytest.approx((0.0, 1.5, 0.2))
    assert tuple(marks._handle.position)[:2] == pytest.approx((0.0, 1.5))
    marks.show(replace(following, object=following.object._replace(radius=0.5)))
    assert marks._drum is not drum
    assert marks._drum is not None
    assert marks._drum.radius == 0.5
    marks.show(replace(following, object=None))
    assert marks._drum is None
    assert not marks._handle.visible


def test_what_has_not_changed_costs_no_message(
    server: viser.ViserServer,
    marks: Marks,
    following: PlanView,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marks.show(following)
    sent: list[object] = []
    monkeypatch.setattr(server.scene._websock_interface, 'queue_message', sent.append)
    marks.show(replace(following, time=99.0))
    assert sent == []
    marks.show(replace(following, points=(NamedPoint('target', 0.0, 0.0),)))
    assert len(sent) == 1
