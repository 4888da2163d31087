"""Measure a leg of three rotary joints in a URDF.

The first joint turns about the vertical, the other two about level parallel axes. With a joint at
value v, its canonical angle is ``direction * (v - offset)`` (`walking_robots.robots.articulated`).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.articulated import JOINTS
from walking_robots.robots.urdf.foot_tip import FootTip, foot_tip
from walking_robots.robots.urdf.urdf_tree import UrdfJoint, UrdfTree

Array = NDArray[np.float64]
Chain = tuple[UrdfJoint, UrdfJoint, UrdfJoint]

CROOKED, TILTED = math.radians(0.1), math.radians(5.0)
"""Angles between an axis and where it should point that are told, and refused."""

BESIDE = 5e-4
"""Distance, m, that is told."""


class LegGeometry(NamedTuple):
    """A leg as its URDF has it, m and rad.

    ``mount``, heading and links as in `ArticulatedLeg`; ``directions`` and ``offsets`` of its
    joints; ``low`` and ``high`` are canonical, ``home`` those at value 0.
    """

    joints: Chain
    mount: tuple[float, float, float]
    heading: float
    links: tuple[float, float, float]
    directions: tuple[int, int, int]
    offsets: tuple[float, float, float]
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    home: tuple[float, float, float]
    tip: FootTip


def leg_geometry(tree: UrdfTree, base: str, chain: Chain, notes: list[str]) -> LegGeometry:
    """Measure a leg with its joints at 0; notes: where what is not told by it goes."""
    origin = np.linalg.inv(tree.pose(base))
    poses = [origin @ tree.pose(joint.child) for joint in chain]
    (p1, p2, p3), axes = (
        [pose[:3, 3] for pose in poses],
        [pose[:3, :3] @ joint.axis for pose, joint in zip(poses, chain, strict=True)],
    )
    tip = foot_tip(tree, chain[-1].child, chain[-1].axis)
    foot = (poses[-1] @ [*tip.place, 1.0])[:3]
    up = np.array([0.0, 0.0, 1.0])
    level = np.array([*axes[1][:2], 0.0])
    level /= np.linalg.norm(level) or 1.0
    _straight(tree, chain[0], axes[0], up, 'vertical', notes)
    _straight(tree, chain[1], axes[1], level, 'level', notes)
    _straight(tree, chain[2], axes[2], axes[1], f'parallel to that of {chain[1].name}', notes)
    out = np.cross(level, up)
    ahead = (p2 - p1) @ out
    if abs(ahead) < BESIDE:
        ahead = p1 @ out
    out = -out if ahead < 0.0 else out
    side = np.cross(up, out)
    beside = max(abs((point - p1) @ side) for point in (p2, p3, foot))
    if beside > BESIDE:
        notes.append(
            f'Its legs are up to {1000 * beside:.3g} mm beside the planes through their hip axes, '
            'which is left out.'
        )
    femur, tibia = ((float(way @ out), float(way @ up)) for way in (p3 - p2, foot - p3))
    lift, shank = (math.atan2(rise, reach) for reach, rise in (femur, tibia))
    rest = (0.0, lift, math.remainder(shank - lift, math.tau))
    senses = (axes[0] @ up, -(axes[1] @ side), -(axes[2] @ side))
    directions = tuple(1 if sense > 0.0 else -1 for sense in senses)
    heading, low, high, home, offsets = math.atan2(out[1], out[0]), [], [], [], []
    for index, (joint, direction, angle) in enumerate(zip(chain, directions, rest, strict=True)):
        if index == 0 and math.isfinite(joint.low):
            # Its heading is that in the middle of its travel.
            angle = -direction * 0.5 * (joint.low + joint.high)
            heading -= angle
        ends = sorted(angle + direction * end for end in (joint.low, joint.high))
        if math.isfinite(ends[0]):
            turns = math.tau * round(0.5 * (ends[0] + ends[1]) / math.tau)
            angle, ends = angle - turns, [end - turns for end in ends]
        if not ends[0] < ends[1] or ends[1] < -math.pi or ends[0] > math.pi:
            raise ValueError(
                f"{tree.file}: joint '{joint.name}' has no room between its limits; correct them"
            )
        if ends[0] < -math.pi or ends[1] > math.pi:
            notes.append(f'Of what {JOINTS[index]} joints turn, half a turn to each side is kept.')
        low.append(max(ends[0], -math.pi))
        high.append(min(ends[1], math.pi))
        home.append(angle)
        offsets.append(-direction * angle)
    return LegGeometry(
        chain,
        (float(p1[0]), float(p1[1]), float(p2[2])),
        math.remainder(heading, math.tau),
        (max(0.0, float((p2 - p1) @ out)), math.hypot(*femur), math.hypot(*tibia)),
        (directions[0], directions[1], directions[2]),
        (offsets[0], offsets[1], offsets[2]),
        (low[0], low[1], low[2]),
        (high[0], high[1], high[2]),
        (home[0], home[1], home[2]),
        tip,
    )


def _straight(
    tree: UrdfTree, joint: UrdfJoint, axis: Array, wanted: Array, words: str, notes: list[str]
) -> None:
    """Tell how far an axis is from where it should point; raises ValueError where it is far."""
    angle = math.asin(min(1.0, float(np.linalg.norm(np.cross(axis, wanted)))))
    if angle > TILTED:
        raise ValueError(
            f"{tree.file}: the axis of joint '{joint.name}' is {math.degrees(angle):.0f} degrees "
            f'from {words}; legs turn about the vertical, and then about two level parallel axes'
        )
    if angle > CROOKED:
        most = math.degrees(TILTED)
        notes.append(f'Some axes are askew by less than {most:.0f} degrees, and set right.')
