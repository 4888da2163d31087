"""Pantograph kinematics over the working volumes (asv.md §3.4)."""

import numpy as np
import pytest

from walking_robots.legs.pantograph import PantographLegs
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.asv import ASV, PANTOGRAPH, ft

LEGS = PantographLegs(ASV.legs, PANTOGRAPH)
VOLUMES = [WorkingVolume(leg) for leg in ASV.legs]


def feet_inside(n: int) -> np.ndarray:
    rng = np.random.default_rng(4)
    found: list[list[tuple[float, ...]]] = [[] for _ in VOLUMES]
    while min(map(len, found)) < n:
        x, y, z = rng.uniform((-3, -1.5, -1.75), (3, 1.5, -1.0)).tolist()
        for volume, feet in zip(VOLUMES, found, strict=True):
            if volume.contains((x, y, z)):
                feet.append((x, y, z))
    return np.array([feet[:n] for feet in found]).transpose(1, 0, 2)


FEET = feet_inside(200)


def test_forward_undoes_inverse():
    for feet in FEET:
        assert LEGS.forward(LEGS.inverse(feet)) == pytest.approx(feet, abs=1e-12)


def test_slider_ranges_over_the_working_volumes():
    # The depth in the leg plane runs from the inner upper edge to the outer lower edge of the
    # wedge; the specification's 0.626 to 1.347 ft leaves out the lateral excursion.
    joints = np.array([LEGS.inverse(feet) for feet in FEET])
    assert ft(0.58) < joints[:, :, 1].min() and joints[:, :, 1].max() < ft(1.42)
    assert np.abs(joints[:, :, 2]).max() <= ft(0.7) + 1e-9


def test_passive_links_close_on_the_foot():
    links = PANTOGRAPH
    side = np.array([leg.side for leg in ASV.legs])
    for feet in FEET[:50]:
        joints = LEGS.inverse(feet)
        thigh, knee = LEGS.passive(joints).T
        depth = links.slider_reference - joints[:, 1]
        x = -links.thigh * np.sin(thigh) - links.shank * np.sin(thigh + knee)
        u = depth + links.thigh * np.cos(thigh) + links.shank * np.cos(thigh + knee)
        cos, sin = np.cos(joints[:, 0]), np.sin(joints[:, 0])
        hips = np.array([leg.hip for leg in ASV.legs])
        drawn = np.array(
            (
                hips[:, 0] + x,
                hips[:, 1] + side * (links.hinge_offset * cos + u * sin),
                links.hinge_offset * sin - u * cos,
            )
        ).T
        assert drawn == pytest.approx(feet, abs=0.004)


def test_a_foot_at_the_hip_is_refused():
    feet = FEET[0].copy()
    feet[2] = ASV.legs[2].hip
    with pytest.raises(ValueError, match='leg 3'):
        LEGS.inverse(feet)
