"""Build the MuJoCo model of a biped from the numbers of its robot (biped.md §13)."""

import math
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Any

from walking_robots.robots.kwalk import GRAVITY, JOINTS, LEFT, RIGHT, BodyBox, Kwalk
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.terrain.profile import HeightProfile

FOOT_RADIUS = 0.01
"""m; of the sphere that touches in MuJoCo's contacts, tangent to the end of the shank."""
REACH = 100.0
"""m; the ground is built so far to either side."""
TOUCHES, GROUND = 1, 2
"""Bits of what can touch the ground, and of the ground."""
HALF_WIDTH, THICKNESS = 1.0, 0.2
"""m; of the boxes that are the ground."""
ROUNDING = 1e-9
"""m; by which the corner of a box may stand out."""
WALL = 1e-3
"""m; width of a wall."""
Point = tuple[float, float]
ROOT = (('x', 'slide', (1.0, 0.0, 0.0)), ('z', 'slide', (0.0, 0.0, 1.0)),
        ('pitch', 'hinge', (0.0, 1.0, 0.0)))  # fmt: skip


def build_model(robot: Kwalk, ground: HeightProfile, settings: SimulationSettings) -> Any:
    """Compile the model: a planar root that is free, four joints within limits, four motors.

    Coordinates are x, z, pitch, rhip, rknee, lhip, lknee. Nothing touches unless the contact is
    MuJoCo's own; the ground is then a box or prism for each straight piece of the profile, on
    which feet stand and a fallen body lies. Thighs and shanks touch nothing.
    """
    mj = mujoco_engine()
    spec = empty_model(mj, robot.name, settings)
    if settings.contact == 'native':
        add_ground(mj, spec, ground, settings)
    body = spec.worldbody.add_body(name='body')
    for name, kind, axis in ROOT:
        body.add_joint(name=name, type=_joint_type(mj, kind), axis=axis)
    add_trunk(mj, body, robot.body, settings)
    for side, prefix in ((RIGHT, 'r'), (LEFT, 'l')):
        offset = robot.body.y / 2.0 * (1.0 if side == LEFT else -1.0)
        add_leg(mj, spec, body, offset, robot, prefix, settings)
    for name, most in zip(JOINTS, robot.efforts, strict=True):
        motor = spec.add_actuator(name=name, target=name, trntype=mj.mjtTrn.mjTRN_JOINT)
        motor.set_to_motor()
        motor.ctrlrange = (-most, most)
    return spec.compile()


def empty_model(mj: Any, name: str, settings: SimulationSettings) -> Any:
    """Return a specification with the physics of a biped, and nothing in it yet."""
    spec = mj.MjSpec()
    spec.modelname = name
    spec.compiler.autolimits = True
    spec.compiler.degree = False
    spec.option.timestep = settings.step
    spec.option.gravity = [0.0, 0.0, -GRAVITY]
    spec.option.integrator = (
        mj.mjtIntegrator.mjINT_IMPLICITFAST
        if settings.contact == 'native'
        else mj.mjtIntegrator.mjINT_EULER
    )
    spec.option.cone = mj.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    # All contacts are of one robot, so that there is nothing to divide.
    spec.option.disableflags = mj.mjtDisableBit.mjDSBL_ISLAND
    return spec


def _joint_type(mj: Any, kind: str) -> Any:
    return mj.mjtJoint.mjJNT_SLIDE if kind == 'slide' else mj.mjtJoint.mjJNT_HINGE


def add_box(mj: Any, body: Any, box: BodyBox, below: float) -> Any:
    """Return a link its mass, as a box with its centre so far below the frame, m."""
    return body.add_geom(
        type=mj.mjtGeom.mjGEOM_BOX,
        size=(box.x / 2.0, box.y / 2.0, box.z / 2.0),
        pos=(0.0, 0.0, -below),
        mass=box.mass,
        contype=0,
        conaffinity=0,
    )


def add_trunk(mj: Any, body: Any, box: BodyBox, settings: SimulationSettings) -> None:
    """Return the body its box, on which a robot that has fallen comes to lie."""
    trunk = add_box(mj, body, box, 0.0)
    if settings.contact == 'native':
        trunk.contype, trunk.conaffinity = TOUCHES, GROUND


def add_leg(
    mj: Any, spec: Any, parent: Any, offset: float, robot: Kwalk, prefix: str,
    settings: SimulationSettings, *, torsion: float = 0.0,
) -> None:  # fmt: skip
    """Hang a leg on its parent, so many metres to the left; only its foot can touch.

    torsion: of the friction of the foot, m; none where zero.
    """
    thigh = parent.add_body(name=f'{prefix}thigh', pos=(0.0, offset, 0.0))
    thigh.add_joint(
        name=f'{prefix}hip', type=mj.mjtJoint.mjJNT_HINGE, axis=(0.0, 1.0, 0.0),
        range=robot.hip_range,
    )  # fmt: skip
    add_box(mj, thigh, robot.thigh, robot.thigh.z / 2.0)
    shank = thigh.add_body(name=f'{prefix}shank', pos=(0.0, 0.0, -robot.thigh.z))
    prismatic = robot.knee == 'prismatic'
    shank.add_joint(
        name=f'{prefix}knee',
        type=_joint_type(mj, 'slide' if prismatic else 'hinge'),
        axis=(0.0, 0.0, 1.0) if prismatic else (0.0, 1.0, 0.0),
        range=robot.knee_range,
    )
    add_box(mj, shank, robot.shank, robot.shank.z / 2.0)
    if settings.contact != 'native':
        return
    foot = f'{prefix}foot'
    shank.add_geom(
        name=foot,
        type=mj.mjtGeom.mjGEOM_SPHERE,
        size=(FOOT_RADIUS, 0.0, 0.0),
        pos=(0.0, 0.0, FOOT_RADIUS - robot.shank.z),
        mass=0.0,
        contype=TOUCHES,
        conaffinity=GROUND,
        condim=4 if torsion else 3,
        friction=(settings.friction, torsion or 0.005, 0.0001),
        solref=(settings.give, 1.0),
    )
    data = mj.mjtConDataField
    spec.add_sensor(
        name=foot,
        type=mj.mjtSensor.mjSENS_CONTACT,
        objtype=mj.mjtObj.mjOBJ_GEOM,
        objname=foot,
        # What is measured, of which contacts (the net force of all), and how many entries.
        intprm=(1 << int(data.mjCONDATA_FORCE), 3, 1),
    )


def add_ground(
    mj: Any, spec: Any, ground: HeightProfile, settings: SimulationSettings,
    half_width: float = HALF_WIDTH,
) -> None:  # fmt: skip
    """Lay a body under each straight piece of the ground, its upper face the piece.

    A box, or where a corner of the box would come out of the ground beyond, as under a sharp
    peak, a prism between two upright ends.
    """
    points = ground.between(-REACH, REACH)
    places = [x for x, _ in points]
    for index, (start, end) in enumerate(pairwise(points)):
        geom = add_firm(spec, settings)
        low_x, fall = _upper_face(start, end)
        top_x, top_z = end if end[1] > start[1] else start
        left, right = min(top_x, low_x), max(top_x, low_x)
        beyond = points[bisect_left(places, left) : bisect_right(places, right)]
        if all(
            z >= top_z + (x - top_x) * fall - ROUNDING
            for x, z in (*beyond, (low_x, ground.height(low_x)))
        ):
            _shape_box(mj, geom, start, end, half_width)
            continue
        if start[0] == end[0]:
            # A wall has no width of its own: it takes a little of the ground beyond its top.
            edge = top_x + math.copysign(WALL, low_x - top_x)
            start, end = sorted(((top_x, top_z), (edge, ground.height(edge))))
        _shape_prism(mj, spec, geom, f'ground{index}', start, end, half_width)


def add_firm(spec: Any, settings: SimulationSettings) -> Any:
    """Return a new shape of the ground, on which feet stand."""
    return spec.worldbody.add_geom(
        contype=GROUND,
        conaffinity=TOUCHES,
        condim=3,
        friction=(settings.friction, 0.005, 0.0001),
        solref=(settings.give, 1.0),
    )


def _upper_face(start: Point, end: Point) -> tuple[float, float]:
    """Return where the face of a box at the upper end of its piece ends, x, m, and its slope."""
    (x0, z0), (x1, z1) = start, end
    length = math.hypot(x1 - x0, z1 - z0)
    sine, cosine = (z1 - z0) / length, (x1 - x0) / length
    top = x1 if sine > 0.0 else x0
    return top + THICKNESS * sine, -cosine / sine if sine else 0.0


def _shape_box(mj: Any, geom: Any, start: Point, end: Point, half_width: float) -> None:
    """Make a box with its upper face between two points."""
    (x0, z0), (x1, z1) = start, end
    length, slope = math.hypot(x1 - x0, z1 - z0), math.atan2(z1 - z0, x1 - x0)
    depth = THICKNESS / 2.0
    geom.type = mj.mjtGeom.mjGEOM_BOX
    geom.size = (length / 2.0, half_width, depth)
    geom.pos = (
        (x0 + x1) / 2.0 + depth * math.sin(slope),
        0.0,
        (z0 + z1) / 2.0 - depth * math.cos(slope),
    )
    geom.quat = (math.cos(slope / 2.0), 0.0, -math.sin(slope / 2.0), 0.0)


def _shape_prism(
    mj: Any, spec: Any, geom: Any, name: str, start: Point, end: Point, half_width: float
) -> None:
    """Make a prism from the line between two points down, with upright ends."""
    low = min(start[1], end[1]) - THICKNESS
    outline = (start, end, (end[0], low), (start[0], low))
    mesh = spec.add_mesh(name=name)
    mesh.uservert = [
        value for x, z in outline for y in (-half_width, half_width) for value in (x, y, z)
    ]
    geom.type = mj.mjtGeom.mjGEOM_MESH
    geom.meshname = name
