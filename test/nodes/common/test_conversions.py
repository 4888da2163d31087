"""Messages carry the library's data to the last bit, and nonsense is refused."""

import math
from array import array
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='There is no rclpy here: run from the environment.')

from rclpy.serialization import deserialize_message, serialize_message
from walking_robots_interfaces.msg import (
    BodyCommand,
    FootContacts,
    GaitDecision,
    GaitDecisions,
    LegStates,
    TerrainPatch,
)

from walking_robots.geometry.pose import from_quaternion, to_quaternion
from walking_robots.nodes.common.conversions import (
    array_to_msg,
    body_motion_from_msg,
    clear_heights_from_msg,
    contacts_from_msg,
    decision_to_msg,
    decisions_from_msg,
    header_to_msg,
    joints_from_msg,
    leg_report_to_msg,
    leg_reports_from_msg,
    pose_from_msg,
    pose_to_msg,
    stamp_from_msg,
    twist_from_msg,
    twist_to_msg,
)
from walking_robots.nodes.common.gait_conversions import gait_step_from_msg, gait_step_to_msg
from walking_robots.nodes.hexapod.conversions import Patches, terrain_to_grid, terrain_to_msg
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.generator import Ditch, build
from walking_robots.terrain.relief import Rubble
from walking_robots.terrain.vision import look
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.loop import ClosedLoop
from walking_robots.trials.hexapod.trace import Trace

pytestmark = pytest.mark.graph

NAMES = list(ASV.joint_names())


def _sent(message: Any) -> Any:
    """Return a message as it arrives at the other end."""
    return deserialize_message(serialize_message(message), type(message))


@pytest.fixture(scope='module')
def steps() -> list[Any]:
    trial = AsvTrial(forbidden=0.25, seed=5, turn=0.03, lateral=0.02, ditch=ft(7.0))
    loop = ClosedLoop(ASV, trial.build_terrain(), trial.repairs())
    found = []
    for _ in range(250):
        step = loop.step(trial.command)
        found.append((step, deepcopy(loop.coordinator.memory)))
    return found


def test_stamps_are_exact() -> None:
    for stamp in (0, 1, 100_000_000, 123_456_789_012_345):
        message = FootContacts(header=header_to_msg(stamp, 'odom'))
        assert stamp_from_msg(_sent(message)) == stamp


def test_a_gait_state_has_the_same_fingerprint(steps: list[Any]) -> None:
    ours, theirs = Trace(), Trace()
    for step, memory in steps:
        ours.add(step.gait)
        message = gait_step_to_msg(
            100, step.gait, memory.steps, memory.facts.lines(), (0.1, 0.0, 0.0)
        )
        assert message.step == memory.steps
        theirs.add(gait_step_from_msg(_sent(message)))
    assert ours.hexdigest() == theirs.hexdigest()


def test_legs_decisions_and_motion_arrive_unchanged(steps: list[Any]) -> None:
    for step, _ in steps:
        legs = LegStates(legs=[leg_report_to_msg(report) for report in step.reports])
        assert leg_reports_from_msg(_sent(legs), 6) == step.reports
        decisions = GaitDecisions(decisions=[decision_to_msg(d) for d in step.gait.decisions])
        assert decisions_from_msg(_sent(decisions), 6) == step.gait.decisions
        pose, rates = step.gait.motion
        body = BodyCommand(
            pose=pose_to_msg(pose.position, to_quaternion(pose)), twist=twist_to_msg(rates)
        )
        found = body_motion_from_msg(_sent(body))
        assert found.rates == rates
        assert found.pose == from_quaternion(pose.position, to_quaternion(pose))


@pytest.mark.parametrize(
    ('value', 'what'), [(math.inf, 'finite'), (math.nan, 'finite'), (-1.7e308, 'out of range')]
)
def test_a_velocity_by_which_numbers_would_overflow_is_refused(value: float, what: str) -> None:
    with pytest.raises(ValueError, match=f'a velocity is .*{what}'):
        twist_from_msg(twist_to_msg((0.0, value, 0.0, 0.0, 0.0, 0.0)))


@pytest.mark.parametrize('heights', [[0.0], [math.nan] * 6, [0.0] * 5 + [1e200]])
def test_clear_heights_that_no_leg_can_keep_are_refused(heights: list[float]) -> None:
    with pytest.raises(ValueError, match='clear_heights must be 6 heights up to 1000000 m'):
        clear_heights_from_msg(GaitDecisions(clear_heights=array('d', heights)), 6)


def test_joints_arrive_unchanged_and_lie_alike(steps: list[Any]) -> None:
    for step, _ in steps[:20]:
        joints = step.after.joints
        found = joints_from_msg(NAMES, array_to_msg(joints), NAMES)
        assert found.tobytes() == joints.tobytes()
        assert found.strides == joints.strides


def test_joints_are_taken_by_name() -> None:
    values = np.arange(18.0)
    found = joints_from_msg(NAMES[::-1], array('d', values[::-1].tobytes()), NAMES)
    assert (found == values.reshape(6, 3)).all()


@pytest.mark.parametrize(
    ('names', 'values', 'word'),
    [
        (NAMES, [0.0] * 17, 'positions'),
        (NAMES[1:], [0.0] * 17, "'leg1_abduction'"),
        (NAMES, [math.nan] * 18, 'range'),
        (NAMES, [1e9] * 18, 'range'),
        ([], [], 'missing'),
    ],
)
def test_wrong_joints_are_refused(names: list[str], values: list[float], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        joints_from_msg(names, array('d', values), NAMES)


def test_a_patch_is_read_once_for_as_long_as_it_stays() -> None:
    terrain = build(share=0.2, ditches=(Ditch(ft(21.0), ft(7.0)),))
    patches = Patches()
    first = patches.read(_sent(terrain_to_msg(terrain, 0)))
    assert first == terrain
    assert patches.read(_sent(terrain_to_msg(terrain, 100))) is first
    part = look(terrain, 5.0, 5.0, 2.0)
    assert patches.read(_sent(terrain_to_msg(part, 200))) == part
    rough = build(relief=[Rubble(0.1)])
    assert patches.read(_sent(terrain_to_msg(rough, 300))) == rough


@pytest.mark.parametrize(
    'change',
    [
        {'rows': 2}, {'rows': 4_000_000_000}, {'resolution': math.nan}, {'resolution': -1.0},
        {'cells': array('b', [0, 0, 7])}, {'heights': array('d', [0.0])}, {'rows': 0},
        {'heights': array('d', [math.nan, 0.0])},
    ],
)  # fmt: skip
def test_a_wrong_patch_is_refused(change: dict[str, Any]) -> None:
    right: dict[str, Any] = {
        'rows': 1, 'columns': 3, 'resolution': 0.3,
        'cells': array('b', [0, 1, -1]), 'heights': array('d', [0.0, 0.1]),
    }  # fmt: skip
    Patches().read(TerrainPatch(**right))
    with pytest.raises(ValueError):
        Patches().read(TerrainPatch(**right | change))


def test_the_map_has_x_along_its_width() -> None:
    grid = terrain_to_grid(build(rows=3, columns=2, ditches=(Ditch(ft(2.0), ft(1.0)),)), 0)
    assert (grid.info.width, grid.info.height) == (3, 2)
    assert list(grid.data) == [0, 0, 100, 0, 0, 100]


def test_an_orientation_must_be_of_unit_length() -> None:
    with pytest.raises(ValueError, match='unit'):
        pose_from_msg(BodyCommand(pose=pose_to_msg((0.0, 0.0, 0.0), (0.5, 0, 0, 0))).pose)


@pytest.mark.parametrize(
    'made',
    [GaitDecision(kind=9, leg=1), GaitDecision(kind=1, leg=7), GaitDecision(kind=2, leg=1)],
)
def test_decisions_for_no_leg_are_refused(made: Any) -> None:
    with pytest.raises(ValueError):
        decisions_from_msg(GaitDecisions(decisions=[made]), 6)


def test_five_foot_contacts_are_refused() -> None:
    with pytest.raises(ValueError, match='5 foot contacts'):
        contacts_from_msg(FootContacts(contact=[True] * 5), 6)
