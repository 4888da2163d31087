"""Return the tests of the viewer a walk without walking, and a drive without driving."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
import viser

from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.asv import ASV
from walking_robots.viewer.hexapod.machine import HexapodMachine, free_machine
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.scout.state import ScoutView


@pytest.fixture
def server() -> Iterator[viser.ViserServer]:
    """Return a server with an empty page."""
    server = viser.ViserServer(host='127.0.0.1', port=0, verbose=False)
    yield server
    server.stop()


@pytest.fixture
def asv() -> HexapodMachine:
    """Return the ASV as its page knows it."""
    return free_machine(ASV, 'Adaptive Suspension Vehicle')


@pytest.fixture
def walking() -> ViewState:
    """Return a moment of a walk: legs 1, 4, 5 carry, 2 swings, 3 waits, 6 is lifted."""
    legs = leg_kinematics(ASV)
    feet = np.array([leg.start_foot for leg in ASV.legs])
    feet[[1, 2, 5], 2] += 0.4
    joints = legs.inverse(feet)
    names = (*ASV.joint_names(), *ASV.passive_joint_names())
    values = (*joints.ravel().tolist(), *legs.passive(joints).ravel().tolist())
    footholds = feet + np.array(ASV.start_position)
    footholds[5] = math.nan
    return ViewState(
        time=12.3,
        step=123,
        position=ASV.start_position,
        joints=dict(zip(names, values, strict=True)),
        leg_states=('support', 'advance', 'ready', 'support', 'contact', 'lift'),
        footholds=footholds,
        support=(1, 4, 5),
        margin=0.4,
        planned_margin=0.1,
        kinematic_margins=(3.0, math.nan, 12.0, 0.2, 1000.0, math.nan),
        mode='free_gait',
        fired=('leg 6 lifts: it has the smallest kinematic margin',),
        velocity=(0.12, 0.0, 0.0),
    )


@pytest.fixture
def driving() -> ScoutView:
    """Return a moment of a drive: odometry has drifted by 5 cm, sonar 3 hears nothing."""
    ranges = [1.0 + 0.1 * number for number in range(16)]
    ranges[3] = math.inf
    return ScoutView(
        time=7.0,
        pose=Pose2(1.0, 2.0, math.pi / 2.0),
        truth=Pose2(1.03, 2.04, math.radians(88.0)),
        ranges=tuple(ranges),
        voltage=12.1,
        battery='discharging',
        velocity=Twist2(0.2, 0.0),
        command=Twist2(0.25, 0.1),
        link='connected',
        counters=(('packets ok', '814'),),
    )
