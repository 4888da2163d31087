"""Build the MuJoCo model of a biped in space from the numbers of its robot."""

from typing import Any

from walking_robots.robots.kwalk import LEFT, RIGHT
from walking_robots.robots.kwalk_spatial import SPATIAL_JOINTS, SpatialKwalk
from walking_robots.simulation.biped.build import (
    THICKNESS,
    add_box,
    add_firm,
    add_ground,
    add_leg,
    add_trunk,
    empty_model,
)
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.terrain.profile import HeightProfile
from walking_robots.terrain.step_field import StepField

SpatialGround = HeightProfile | StepField
"""Ground that is the same along y, or of cells."""

HALF_WIDTH = 100.0
"""m; of ground that is the same along y."""


def build_spatial_model(
    robot: SpatialKwalk, ground: SpatialGround, settings: SimulationSettings
) -> Any:
    """Compile the model: a free body, eight joints within limits, and their servos.

    A servo is the law of `walking_robots.robots.impedance` in every step of the physics: its
    stiffness and damping are the actuator's bias, which each order sets anew.
    """
    mj = mujoco_engine()
    spec = empty_model(mj, robot.name, settings)
    if isinstance(ground, StepField):
        _add_steps(mj, spec, ground, settings)
    else:
        add_ground(mj, spec, ground, settings, HALF_WIDTH)
    body = spec.worldbody.add_body(name='body')
    body.add_freejoint(name='root')
    add_trunk(mj, body, robot.body, settings)
    for side, prefix in ((RIGHT, 'r'), (LEFT, 'l')):
        link = body.add_body(name=f'{prefix}link', pos=(0.0, robot.hips[side], 0.0))
        for name, axis, limits in (
            ('yaw', (0.0, 0.0, 1.0), robot.yaw_range),
            ('roll', (1.0, 0.0, 0.0), robot.roll_range),
        ):
            link.add_joint(
                name=f'{prefix}{name}', type=mj.mjtJoint.mjJNT_HINGE, axis=axis, range=limits
            )
        add_box(mj, link, robot.link, 0.0)
        add_leg(mj, spec, link, 0.0, robot.planar, prefix, settings, torsion=robot.foot_torsion)
    for name, most in zip(SPATIAL_JOINTS, robot.efforts, strict=True):
        servo = spec.add_actuator(name=name, target=name, trntype=mj.mjtTrn.mjTRN_JOINT)
        servo.gaintype = mj.mjtGain.mjGAIN_FIXED
        servo.biastype = mj.mjtBias.mjBIAS_AFFINE
        servo.forcerange = (-most, most)
    return spec.compile()


def _add_steps(mj: Any, spec: Any, ground: StepField, settings: SimulationSettings) -> None:
    """Lay a plane at zero and a box under each cell."""
    plane = add_firm(spec, settings)
    plane.type = mj.mjtGeom.mjGEOM_PLANE
    plane.size = (0.0, 0.0, 1.0)
    half = ground.cell / 2.0
    for row, heights in enumerate(ground.heights):
        for column, height in enumerate(heights):
            if not height:
                continue
            box = add_firm(spec, settings)
            box.type = mj.mjtGeom.mjGEOM_BOX
            depth = (height + THICKNESS) / 2.0
            box.size = (half, half, depth)
            box.pos = (
                ground.corner[0] + (2 * row + 1) * half,
                ground.corner[1] + (2 * column + 1) * half,
                height - depth,
            )
