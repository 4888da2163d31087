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
from walking_robots.nodes.common import conversions as convert
from walking_robots.nodes.common.gait_conversions import gait_state, gait_step
from walking_robots.nodes.hexapod.conversions import Patches, occupancy_grid, terrain_patch
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.generator import Ditch, build
from walking_robots.terrain.vision import look
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.loop import ClosedLoop
from walking_robots.trials.hexapod.trace import Trace

pytestmark = pytest.mark.graph

NAMES = list(ASV.joint_names())


def _sent(message: Any) -> Any:
    """Give a message as it arrives at the other end."""
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
        message = FootContacts(header=convert.header(stamp, 'odom'))
        assert convert.nanoseconds(_sent(message)) == stamp


def test_a_gait_state_has_the_same_fingerprint(steps: list[Any]) -> None:
    ours, theirs = Trace(), Trace()
    for step, memory in steps:
        ours.add(step.gait)
        message = gait_state(100, step.gait, memory.steps, memory.facts.lines(), (0.1, 0.0, 0.0))
        assert message.step == memory.steps
        theirs.add(gait_step(_sent(message)))
    assert ours.hexdigest() == theirs.hexdigest()


def test_legs_decisions_and_motion_arrive_unchanged(steps: list[Any]) -> None:
    for step, _ in steps:
        legs = LegStates(legs=[convert.leg_state(report) for report in step.reports])
        assert convert.reports(_sent(legs), 6) == step.reports
        decisions = GaitDecisions(decisions=[convert.decision(d) for d in step.gait.decisions])
        assert convert.decisions(_sent(decisions), 6) == step.gait.decisions
        pose, rates = step.gait.motion
        body = BodyCommand(
            pose=convert.pose(pose.position, to_quaternion(pose)), twist=convert.twist(rates)
        )
        found = convert.motion(_sent(body))
        assert found.rates == rates
        assert found.pose == from_quaternion(pose.position, to_quaternion(pose))


def test_joints_arrive_unchanged_and_lie_alike(steps: list[Any]) -> None:
    for step, _ in steps[:20]:
        joints = step.after.joints
        found = convert.joints(NAMES, convert.doubles(joints), NAMES)
        assert found.tobytes() == joints.tobytes()
        assert found.strides == joints.strides


def test_joints_are_taken_by_name() -> None:
    values = np.arange(18.0)
    found = convert.joints(NAMES[::-1], array('d', values[::-1].tobytes()), NAMES)
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
        convert.joints(names, array('d', values), NAMES)


def test_a_patch_is_read_once_for_as_long_as_it_stays() -> None:
    terrain = build(share=0.2, ditches=(Ditch(ft(21.0), ft(7.0)),))
    patches = Patches()
    first = patches.read(_sent(terrain_patch(terrain, 0)))
    assert first == terrain
    assert patches.read(_sent(terrain_patch(terrain, 100))) is first
    part = look(terrain, 5.0, 5.0, 2.0)
    assert patches.read(_sent(terrain_patch(part, 200))) == part


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
    grid = occupancy_grid(build(rows=3, columns=2, ditches=(Ditch(ft(2.0), ft(1.0)),)), 0)
    assert (grid.info.width, grid.info.height) == (3, 2)
    assert list(grid.data) == [0, 0, 100, 0, 0, 100]


def test_an_orientation_must_be_of_unit_length() -> None:
    with pytest.raises(ValueError, match='unit'):
        convert.body_pose(BodyCommand(pose=convert.pose((0.0, 0.0, 0.0), (0.5, 0, 0, 0))).pose)


@pytest.mark.parametrize(
    'made',
    [GaitDecision(kind=9, leg=1), GaitDecision(kind=1, leg=7), GaitDecision(kind=2, leg=1)],
)
def test_decisions_for_no_leg_are_refused(made: Any) -> None:
    with pytest.raises(ValueError):
        convert.decisions(GaitDecisions(decisions=[made]), 6)


def test_five_foot_contacts_are_refused() -> None:
    with pytest.raises(ValueError, match='5 foot contacts'):
        convert.contacts(FootContacts(contact=[True] * 5), 6)
