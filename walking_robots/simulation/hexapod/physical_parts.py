"""What MuJoCo models of all hexapods share: settings, ground, servos and feet."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from walking_robots.simulation.engine import mujoco_engine
from walking_robots.simulation.hexapod.battery import FULL
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.level import LevelGround

GRAVITY = 9.81
ROBOT, GROUND = 1, 2
"""Bits of what touches the ground, and of the ground."""

LOWEST = 0.2
"""Thickness of the ground below its lowest point, in heights of the body."""

PUSH_TIME = 0.2
"""How long a push lasts, s."""

Ground = TernaryTerrain | LevelGround


@dataclass(frozen=True)
class PhysicsSettings:
    """Settings of a simulation with forces.

    ``step``: longest of the simulation, s; ``friction``: coefficient of feet and ground; ``push``:
    a force on the body, in its weights, for `PUSH_TIME` from ``push_at`` on, s, from the direction
    ``push_from``, rad, from x to the left; ``fail``: which servos fail at ``fail_at``, s, and how,
    as `parse_failure` reads it; ``switch_noise``: standard deviation of the forces that foot
    switches feel, in weights of the robot; ``battery``: its charge at the start, 0 ... 1.
    """

    step: float = 0.002
    friction: float = 0.8
    push: float = 0.0
    push_from: float = 0.0
    push_at: float = 5.0
    fail: str = ''
    fail_at: float = 5.0
    switch_noise: float = 0.0
    battery: float = FULL


def new_model(name: str, settings: PhysicsSettings) -> Any:
    """Return an empty MuJoCo specification."""
    mj = mujoco_engine()
    spec = mj.MjSpec()
    spec.modelname = name
    spec.compiler.degree = False
    spec.option.timestep = settings.step
    spec.option.gravity = [0.0, 0.0, -GRAVITY]
    spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mj.mjtCone.mjCONE_ELLIPTIC
    # Without these a loaded foot creeps by a third of a cell in a stance.
    spec.option.noslip_iterations = 2
    return spec


def add_body(spec: Any, size: list[float], centre: list[float], mass: float) -> Any:
    """Add a free body, a box (m, kg) that touches the ground."""
    mj = mujoco_engine()
    body = spec.worldbody.add_body(name='base_link')
    body.add_freejoint(name='base')
    body.add_geom(
        name='base_link',
        type=mj.mjtGeom.mjGEOM_BOX,
        size=[side / 2 for side in size],
        pos=centre,
        mass=mass,
        contype=ROBOT,
        conaffinity=GROUND,
    )
    return body


def add_servo(spec: Any, joint: str, strongest: float, give: float, damping: float) -> None:
    """Drive a joint to set points by at most ``strongest``, N m or N, at which it gives so much.

    give: how far, rad or m, the joint misses its set point then; damping: in its stiffness times
    s, by which time it lags behind a set point that moves.
    """
    mj = mujoco_engine()
    stiffness = strongest / give
    servo = spec.add_actuator(name=joint, target=joint, trntype=mj.mjtTrn.mjTRN_JOINT)
    servo.set_to_position(kp=stiffness, kv=damping * stiffness)
    servo.forcelimited = mj.mjtLimited.mjLIMITED_TRUE
    servo.forcerange = (-strongest, strongest)


def add_foot(
    spec: Any, link: Any, number: int, centre: list[float], radius: float, friction: float
) -> None:
    """End a link in a ball (m, frame of the link), and measure the force of the ground on it."""
    mj, name = mujoco_engine(), f'foot{number}'
    link.add_geom(
        name=name,
        type=mj.mjtGeom.mjGEOM_SPHERE,
        size=(radius, 0.0, 0.0),
        pos=centre,
        mass=0.0,
        contype=ROBOT,
        conaffinity=GROUND,
        condim=3,
        friction=(friction, 0.005, 0.0001),
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


def add_ground(spec: Any, ground: Ground, height: float, settings: PhysicsSettings) -> None:
    """Lay the ground for a body of a height, m: a plane where it is level, or a height field."""
    mj = mujoco_engine()
    geom = spec.worldbody.add_geom(
        name='ground',
        contype=GROUND,
        conaffinity=ROBOT,
        condim=3,
        friction=(settings.friction, 0.005, 0.0001),
    )
    surface = (
        np.full((1, 1), ground.elevation) if isinstance(ground, LevelGround) else ground.heights
    )
    low = float(surface.min())
    rise = float(surface.max()) - low
    if isinstance(ground, LevelGround) or not rise:
        geom.type = mj.mjtGeom.mjGEOM_PLANE
        geom.size = (0.0, 0.0, 1.0)
        geom.pos = (0.0, 0.0, low)
        return
    half = (0.5 * ground.rows * ground.cell, 0.5 * ground.columns * ground.cell)
    # The rows of a height field go along y.
    elevation = ((surface.T - low) / rise).astype(np.float32)
    spec.add_hfield(
        name='ground',
        size=(*half, rise, LOWEST * height),
        nrow=elevation.shape[0],
        ncol=elevation.shape[1],
        userdata=elevation.ravel(),
    )
    # A foot touches up to six triangles at a time.
    spec.option.jacobian = mj.mjtJacobian.mjJAC_SPARSE
    geom.type = mj.mjtGeom.mjGEOM_HFIELD
    geom.hfieldname = 'ground'
    geom.pos = (
        ground.first_row * ground.cell + half[0],
        ground.first_column * ground.cell + half[1],
        low,
    )
