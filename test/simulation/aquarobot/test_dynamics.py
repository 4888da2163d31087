"""The dormant dynamics move a body as their equations say (aquarobot.md A16)."""

import numpy as np
import pytest

from walking_robots.simulation.aquarobot.dynamics import (
    PRINTED_GRAVITY,
    RigidBody,
    RigidBodyState,
    acceleration,
    advance,
)
from walking_robots.simulation.aquarobot.frames import attitude_of, transform

REST = np.zeros(6)


def test_a16_rates_of_a_turning_body():
    body = RigidBody(5.0, (2.0, 3.0, 4.0), PRINTED_GRAVITY)
    state = RigidBodyState(
        transform(0.1, 0.2, 0.3, 0, 0, 0), np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    )
    rates = acceleration(body, state, (10, 0, -5, 1, 2, 3))
    wanted = [-4.400828, 9.331427, 29.165968, 0.47, 0.686667, 0.745]
    assert rates == pytest.approx(wanted, abs=1e-6)


def test_a16_free_fall():
    body = RigidBody(1.0, (1.0, 1.0, 1.0), PRINTED_GRAVITY)
    state = RigidBodyState(np.eye(4), REST)
    for _ in range(100):
        state = advance(body, state, REST, 0.01)
    assert state.pose[2, 3] == pytest.approx(15.948158, abs=1e-6)
    assert state.twist[2] == pytest.approx(32.2185)
    assert 0.5 * PRINTED_GRAVITY - state.pose[2, 3] == pytest.approx(0.161, abs=1e-3)


def test_a16_a_steady_turn():
    # A sideways force holds the speed along the body's axis while the body turns.
    body = RigidBody(1.0, (1.0, 1.0, 1.0), 0.0)
    state = RigidBodyState(np.eye(4), np.array([1.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
    for _ in range(100):
        state = advance(body, state, (0, 1, 0, 0, 0, 0), 0.01)
    assert state.pose[:2, 3] == pytest.approx([0.843762, 0.455487], abs=1e-6)
    assert attitude_of(state.pose)[0] == pytest.approx(1.0)
