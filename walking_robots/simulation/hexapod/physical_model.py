"""MuJoCo models of hexapods: legs of three rotary joints, and the pantographs of the ASV."""

import math
from typing import Any

from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HexapodModel, LegModel, PantographModel
from walking_robots.robots.urdf.articulated import articulated_numbers
from walking_robots.robots.urdf.asv_visuals import ASV_VISUALS, Looks
from walking_robots.robots.urdf.hexapod import foot_strengths, pantograph_length
from walking_robots.simulation.engine import mujoco_engine
from walking_robots.simulation.hexapod.physical_parts import (
    GROUND,
    ROBOT,
    Ground,
    PhysicsSettings,
    add_body,
    add_foot,
    add_ground,
    add_servo,
    new_model,
)

HYDRAULIC_GIVE = 0.0075
"""How far the hydraulic cylinders of the ASV miss their set points at their greatest force, rad
and, at the foot, in lengths of a leg: guessed."""

DAMPING, HYDRAULIC_DAMPING = 0.025, 0.05
"""Damping of electric servos and of the cylinders, in their stiffness times s: guessed."""

SPIN_UP = 0.015
"""Time, s, in which a servo's greatest torque would bring its rotor to the speed of the joint:
guessed, as catalogues of small motors give 4 to 20 ms. Without the rotor's inertia the leg of a
light robot has so little that its foot is pushed into solid ground."""


def build_model(robot: ArticulatedHexapod, ground: Ground, settings: PhysicsSettings) -> Any:
    """Compile the model: a free body, six legs with servos, and the ground.

    Body, femora, tibiae and feet touch the ground, and not one another.
    """
    mj, servo = mujoco_engine(), robot.servo
    spec = new_model(robot.name, settings)
    add_ground(spec, ground, robot.height, settings)
    numbers = articulated_numbers(robot)
    inertia = servo.inertia
    if inertia is None:
        inertia = SPIN_UP * numbers['effort'] / robot.joint_speed
    torso = numbers['body']
    links = {'base_link': add_body(spec, torso['size'], torso['centre'], torso['mass'])}
    for joint in numbers['joints']:
        link = links[joint['parent']].add_body(
            name=joint['child'], pos=joint['xyz'], quat=_quaternion(joint['rpy'])
        )
        links[joint['child']] = link
        driven = link.add_joint(
            name=joint['name'],
            type=mj.mjtJoint.mjJNT_HINGE,
            axis=joint['axis'],
            range=(joint['lower'], joint['upper']),
            limited=mj.mjtLimited.mjLIMITED_TRUE,
        )
        # The torque of a motor falls with its speed, as if the joint were damped.
        driven.damping[0] = numbers['effort'] / servo.no_load_speed
        driven.armature = inertia
        _add_link(mj, link, joint)
        add_servo(spec, joint['name'], numbers['effort'], servo.compliance, DAMPING)
    for foot in numbers['feet']:
        radius = robot.foot_radius
        tibia = links[f'leg{foot["number"]}_tibia']
        centre = [foot['reach'] - radius, 0.0, 0.0]
        add_foot(spec, tibia, foot['number'], centre, radius, settings.friction)
    return spec.compile()


def build_pantograph_model(
    model: HexapodModel, links: PantographModel, ground: Ground, settings: PhysicsSettings
) -> Any:
    """Compile the model of a robot on pantographs: each is two sliders behind a hinge.

    A linkage leads its foot along straight lines, as many times as far as its own slider goes;
    here it is the foot that slides: `pantograph_gains` turns joint values into coordinates.
    """
    looks, height = ASV_VISUALS, model.start_position[2]
    spec = new_model(model.name, settings)
    add_ground(spec, ground, height, settings)
    hull = looks.body[0]
    body = add_body(spec, list(hull.size), list(hull.centre), looks.body_mass)
    for leg, knee in zip(model.legs, links.knee_directions, strict=True):
        _add_pantograph(spec, body, leg, knee, links, looks, settings)
    return spec.compile()


def pantograph_gains(links: PantographModel) -> list[tuple[float, float, float]]:
    """Return what the joints of every leg are multiplied by for the coordinates of the model."""
    lift, drive = links.vertical_gain, links.horizontal_gain
    return [(1.0, lift, knee * drive) for knee in links.knee_directions]


def _add_pantograph(
    spec: Any,
    body: Any,
    leg: LegModel,
    knee: int,
    links: PantographModel,
    looks: Looks,
    settings: PhysicsSettings,
) -> None:
    """Hang a leg to the body: abduction, and lift and drive of its foot (asv.md §3.4)."""
    mj = mujoco_engine()
    gains = (1.0, links.vertical_gain, links.horizontal_gain)
    low, high = looks.lift_range
    length = pantograph_length(links, looks)
    turning, lifting, driving = foot_strengths(links, looks)
    hinge, slide = mj.mjtJoint.mjJNT_HINGE, mj.mjtJoint.mjJNT_SLIDE
    link = body
    for name, kind, axis, place, limits, strongest, give in (
        (
            'abduction', hinge, (float(leg.side), 0.0, 0.0), leg.hip,
            (-looks.abduction_limit, looks.abduction_limit), turning, HYDRAULIC_GIVE,
        ),
        (
            'lift', slide, (0.0, 0.0, -1.0), (0.0, leg.side * links.hinge_offset, 0.0),
            (gains[1] * low, gains[1] * high), lifting, HYDRAULIC_GIVE * length,
        ),
        (
            'drive', slide, (1.0, 0.0, 0.0), (0.0, 0.0, -links.slider_reference),
            (-gains[2] * looks.drive_limit, gains[2] * looks.drive_limit), driving,
            HYDRAULIC_GIVE * length,
        ),
    ):  # fmt: skip
        link = link.add_body(name=f'leg{leg.number}_{name}', pos=place)
        joint = f'leg{leg.number}_{name}'
        link.add_joint(
            name=joint, type=kind, axis=axis, range=limits, limited=mj.mjtLimited.mjLIMITED_TRUE
        )
        link.add_geom(
            type=mj.mjtGeom.mjGEOM_SPHERE,
            size=(looks.foot_radius, 0.0, 0.0),
            mass=looks.leg_link_mass,
            pos=(0.0, 0.0, looks.foot_radius),
            contype=0,
            conaffinity=0,
        )
        add_servo(spec, joint, strongest, give, HYDRAULIC_DAMPING)
    radius = looks.foot_radius
    add_foot(spec, link, leg.number, [0.0, 0.0, radius], radius, settings.friction)


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
