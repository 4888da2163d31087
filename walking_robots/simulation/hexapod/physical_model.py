"""Build the MuJoCo model of a hexapod on articulated legs, from the numbers of its URDF."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.urdf.articulated import articulated_numbers
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.level import LevelGround

GRAVITY = 9.81
ROBOT, GROUND = 1, 2
"""Bits of what touches the ground, and of the ground."""

GIVE = 0.08
"""Angle, rad, by which a servo's joint misses its set point at its greatest torque: guessed."""

DAMPING = 0.05
"""Damping of a servo, in its stiffness times s: guessed."""

LOWEST = 0.2
"""Thickness of the ground below its lowest point, in heights of the body."""


@dataclass(frozen=True)
class PhysicsSettings:
    """Settings: longest step of the simulation, s; coefficient of friction of feet and ground."""

    step: float = 0.002
    friction: float = 0.8


Ground = TernaryTerrain | LevelGround


def build_model(robot: ArticulatedHexapod, ground: Ground, settings: PhysicsSettings) -> Any:
    """Compile the model: a free body, six legs with servos, and the ground.

    Body, femora, tibiae and feet touch the ground, and not one another.
    """
    mj = mujoco_engine()
    spec = mj.MjSpec()
    spec.modelname = robot.name
    spec.compiler.degree = False
    spec.option.timestep = settings.step
    spec.option.gravity = [0.0, 0.0, -GRAVITY]
    spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mj.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    _add_ground(mj, spec, robot, ground, settings)
    numbers = articulated_numbers(robot)
    torso = numbers['body']
    body = spec.worldbody.add_body(name='base_link')
    body.add_freejoint(name='base')
    body.add_geom(
        name='base_link',
        type=mj.mjtGeom.mjGEOM_BOX,
        size=[side / 2 for side in torso['size']],
        pos=torso['centre'],
        mass=torso['mass'],
        contype=ROBOT,
        conaffinity=GROUND,
    )
    links = {'base_link': body}
    effort = numbers['effort']
    for joint in numbers['joints']:
        link = links[joint['parent']].add_body(
            name=joint['child'], pos=joint['xyz'], quat=_quaternion(joint['rpy'])
        )
        links[joint['child']] = link
        link.add_joint(
            name=joint['name'],
            type=mj.mjtJoint.mjJNT_HINGE,
            axis=joint['axis'],
            range=(joint['lower'], joint['upper']),
            limited=mj.mjtLimited.mjLIMITED_TRUE,
        )
        _add_link(mj, link, joint)
        stiffness = effort / GIVE
        servo = spec.add_actuator(
            name=joint['name'], target=joint['name'], trntype=mj.mjtTrn.mjTRN_JOINT
        )
        servo.set_to_position(kp=stiffness, kv=DAMPING * stiffness)
        servo.forcelimited = mj.mjtLimited.mjLIMITED_TRUE
        servo.forcerange = (-effort, effort)
    for foot in numbers['feet']:
        _add_foot(mj, spec, links[f'leg{foot["number"]}_tibia'], foot, robot, settings)
    return spec.compile()


def _quaternion(rpy: list[float]) -> tuple[float, float, float, float]:
    """Return a turn by roll, pitch and yaw, rad; the joints of a leg have one of the last two."""
    _, pitch, yaw = (0.5 * angle for angle in rpy)
    if pitch:
        return (math.cos(pitch), 0.0, math.sin(pitch), 0.0)
    return (math.cos(yaw), 0.0, 0.0, math.sin(yaw))


def _add_link(mj: Any, link: Any, joint: dict[str, Any]) -> None:
    """Give a link its mass: a rod from its joint along its x axis, or a ball without a length.

    Rods of femora and tibiae touch the ground, those of tibiae not with the end at the foot.
    """
    radius, length = joint['thickness'] / 2, joint['length']
    if length <= radius:
        link.add_geom(
            type=mj.mjtGeom.mjGEOM_SPHERE,
            size=(radius, 0.0, 0.0),
            mass=joint['mass'],
            contype=0,
            conaffinity=0,
        )
        return
    _add_rod(mj, link, radius, length - radius, mass=joint['mass'], contype=0, conaffinity=0)
    if not joint['name'].endswith('yaw'):
        end = length - (3.0 if joint['name'].endswith('knee') else 1.0) * radius
        _add_rod(mj, link, radius, end, mass=0.0, contype=ROBOT, conaffinity=GROUND)


def _add_rod(mj: Any, link: Any, radius: float, end: float, **others: Any) -> None:
    link.add_geom(
        type=mj.mjtGeom.mjGEOM_CAPSULE,
        size=(radius, 0.0, 0.0),
        fromto=(0.0, 0.0, 0.0, end, 0.0, 0.0),
        **others,
    )


def _add_foot(
    mj: Any,
    spec: Any,
    tibia: Any,
    foot: dict[str, Any],
    robot: ArticulatedHexapod,
    settings: PhysicsSettings,
) -> None:
    """End a tibia in a ball that touches the ground, and a sensor of its force."""
    name, radius = f'foot{foot["number"]}', robot.foot_radius
    tibia.add_geom(
        name=name,
        type=mj.mjtGeom.mjGEOM_SPHERE,
        size=(radius, 0.0, 0.0),
        pos=(foot['reach'] - radius, 0.0, 0.0),
        mass=0.0,
        contype=ROBOT,
        conaffinity=GROUND,
        condim=3,
        friction=(settings.friction, 0.005, 0.0001),
    )
    data = mj.mjtConDataField
    spec.add_sensor(
        name=name,
        type=mj.mjtSensor.mjSENS_CONTACT,
        objtype=mj.mjtObj.mjOBJ_GEOM,
        objname=name,
        # What is measured, of which contacts (the net force of all), and how many entries.
        intprm=(1 << int(data.mjCONDATA_FORCE), 3, 1),
    )


def _add_ground(
    mj: Any, spec: Any, robot: ArticulatedHexapod, ground: Ground, settings: PhysicsSettings
) -> None:
    """Lay the ground: a plane where it is level, or a height field through the cells' corners."""
    geom = spec.worldbody.add_geom(
        name='ground',
        contype=GROUND,
        conaffinity=ROBOT,
        condim=3,
        friction=(settings.friction, 0.005, 0.0001),
    )
    heights = np.full(1, ground.elevation) if isinstance(ground, LevelGround) else ground.heights
    low = float(heights.min())
    rise = float(heights.max()) - low
    if isinstance(ground, LevelGround) or not rise:
        geom.type = mj.mjtGeom.mjGEOM_PLANE
        geom.size = (0.0, 0.0, 1.0)
        geom.pos = (0.0, 0.0, low)
        return
    half = (0.5 * ground.rows * ground.cell, 0.5 * ground.columns * ground.cell)
    # Its rows go along y.
    rows = ((ground.heights.T - low) / rise).ravel()
    spec.add_hfield(
        name='ground',
        size=(*half, rise, LOWEST * robot.height),
        nrow=ground.columns + 1,
        ncol=ground.rows + 1,
        userdata=rows.tolist(),
    )
    geom.type = mj.mjtGeom.mjGEOM_HFIELD
    geom.hfieldname = 'ground'
    geom.pos = (
        ground.first_row * ground.cell + half[0],
        ground.first_column * ground.cell + half[1],
        low,
    )
