"""Chains of links by both conventions (aquarobot.md §2.3, §3.1 to §3.3)."""

import math

import numpy as np
import pytest

from walking_robots.geometry.homogeneous import pose_matrix
from walking_robots.legs.dh import modified_chain, standard_chain
from walking_robots.robots.aquarobot import (
    AQUAROBOT,
    ATTACHMENTS,
    MODIFIED_LINKS,
    RESET_HEIGHT,
    RESET_JOINTS,
    STANDARD_LINKS,
)

RNG = np.random.default_rng(7)
STANDARD = [(math.radians(row.twist), row.length, row.displacement) for row in STANDARD_LINKS]
MODIFIED = [(math.radians(row.twist), row.length, row.displacement) for row in MODIFIED_LINKS]


def random_angles(count: int) -> np.ndarray:
    rows = STANDARD_LINKS
    low, high = [row.low for row in rows], [row.high for row in rows]
    return np.radians(RNG.uniform(low, high, (count, len(rows))))


def random_bodies(count: int) -> np.ndarray:
    return pose_matrix(*RNG.uniform(-1, 1, (3, count)), *RNG.uniform(-100, 100, (3, count)))


def test_a1_reset_points_by_the_standard_chain():
    body = pose_matrix(0, 0, 0, 0, 0, RESET_HEIGHT)
    angles = np.radians([(attached, *RESET_JOINTS) for attached in ATTACHMENTS])
    points = standard_chain(body, angles, STANDARD)[..., :3, 3]
    heights = [RESET_HEIGHT, RESET_HEIGHT, -100.000002, -0.000002]
    assert points[:, :, 2] == pytest.approx(np.tile(heights, (6, 1)), abs=1e-6)
    assert points[2, 0, :2] == pytest.approx((-18.75, 32.475953), abs=1e-6)
    assert points[2, 1, :2] == pytest.approx((-28.75, 49.796461), abs=1e-6)
    assert points[2, 3, :2] == pytest.approx((-38.758726, 67.132082), abs=1e-6)
    turned = standard_chain(body, angles, STANDARD)[0, -1, :3, :3]
    assert turned == pytest.approx(np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0)]), abs=1e-12)


def test_a2_both_conventions_give_the_same_points():
    angles, bodies = random_angles(1000), random_bodies(1000)
    standard = standard_chain(bodies, angles, STANDARD)
    passive = np.concatenate((angles, np.zeros((1000, 1))), axis=1)
    modified = modified_chain(bodies, passive, MODIFIED)
    assert np.abs(standard[..., :3, 3] - modified[:, 1:, :3, 3]).max() < 1e-12
    assert np.abs(standard[:, -1] - modified[:, -1]).max() < 1e-12


def test_a4_closed_form_equals_the_chain():
    angles = random_angles(1000)
    angles[:, 0] = 0.0
    feet = standard_chain(np.eye(4), angles, STANDARD)[:, -1, :3, 3]
    leg = AQUAROBOT.legs[0]
    ours = np.array([leg.forward((-q1, q2, q3)) for _, q1, q2, q3 in angles.tolist()])
    assert np.abs(ours * (100, -100, -100) - feet).max() < 1e-10


def test_a_chain_needs_an_angle_for_each_link():
    with pytest.raises(ValueError, match='3 angles for 4 links'):
        standard_chain(np.eye(4), np.zeros(3), STANDARD)
