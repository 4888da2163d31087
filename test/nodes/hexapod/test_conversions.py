"""Terrain and plans as they arrive."""

import pytest

pytest.importorskip('rclpy', reason='messages come with ROS')

from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.nodes.common.gait_conversions import path_to_msg, swing_plan_to_msg
from walking_robots.nodes.hexapod.conversions import Patches, terrain_to_msg
from walking_robots.nodes.hexapod.page_conversions import swing_marks_from_msg
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.cells import SOFT
from walking_robots.terrain.generator import build
from walking_robots.trials.hexapod.loop import ClosedLoop

pytestmark = pytest.mark.graph


def test_the_same_patch_is_the_same_terrain() -> None:
    patches, terrain = Patches(), build(4, 5, 0.3, share=0.5, seed=3)
    first = patches.read(terrain_to_msg(terrain, 0))
    assert patches.read(terrain_to_msg(terrain, 10**9)) is first
    assert (first.cells == terrain.cells).all()


def test_kinds_of_forbidden_cells_arrive() -> None:
    terrain = build(4, 5, 0.3, share=0.5, seed=3, kinds=SOFT)
    message = terrain_to_msg(terrain, 0)
    assert Patches().read(message) == terrain
    message.kinds[0] = 9
    with pytest.raises(ValueError, match='kind of a cell is unknown'):
        Patches().read(message)
    message.kinds.pop()
    with pytest.raises(ValueError, match='4 x 5 cells come with 19 kinds'):
        Patches().read(message)


def test_cells_are_divided_for_small_feet() -> None:
    terrain = build(4, 5, 0.3, share=0.5, seed=3)
    fine = Patches(0.1).read(terrain_to_msg(terrain, 0))
    assert (fine.rows, fine.columns) == (12, 15) and fine.cell == pytest.approx(0.1)
    assert (fine.cells[::3, ::3] == terrain.cells).all()
    with pytest.raises(ValueError, match='give a terrain with cells of that size'):
        Patches(0.5).read(terrain_to_msg(terrain, 0))


def test_a_plan_arrives_on_the_page() -> None:
    loop = ClosedLoop(ASV, build(share=0.4, seed=7), REPAIRED, gait='planned')
    for _ in range(100):
        step = loop.step((ft(0.4), 0.0, 0.0))
    pose, ground = step.after.pose, loop.terrain
    ahead = loop.coordinator.ahead(pose, ground)
    plan = swing_plan_to_msg(5, ahead)
    marks = swing_marks_from_msg(plan)
    assert len(marks) == len(ahead.swings) > 8
    for mark, swing in zip(marks, ahead.swings, strict=True):
        assert mark == (swing.foothold, swing.body, swing.margin)
        assert ground.permitted(*mark.foothold[:2]) and mark.margin >= ASV.stability.lift
    assert marks[-1].body[0] > pose.position[0] + ft(5.0)
    path = path_to_msg(5, [swing.body for swing in ahead.swings], (0.8, 0.0, 0.0, 0.6))
    assert all(p.pose.orientation.z == 0.6 for p in path.poses)
    assert [p.pose.position.x for p in path.poses] == [mark.body[0] for mark in marks]
    plan.margins.pop()
    with pytest.raises(ValueError, match='differ in length'):
        swing_marks_from_msg(plan)
