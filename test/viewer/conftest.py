"""Give the tests of the viewer a walking pose without a walk."""

import math

import numpy as np
import pytest

from walking_robots.legs.pantograph import PantographLegs
from walking_robots.robots.asv import ASV
from walking_robots.viewer.hexapod.state import ViewState


@pytest.fixture
def walking() -> ViewState:
    """Return a moment of a walk: legs 1, 4, 5 carry, 2 swings, 3 waits, 6 is lifted."""
    legs = PantographLegs(ASV)
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
